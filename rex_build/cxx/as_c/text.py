"""C text that is made of a C++ unit's tree, with the places of its parts in the unit."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from ...base.records import dataclass
from ...base.spans import SourceSpan, source_lines
from ...c.source.pragma_places import PragmaPlaces, joined_lines, pragma_places
from ...c.source.preprocess import Preprocessed


class CannotWriteError(Exception):
    """A part of a function has no form in C here."""


class Text:
    """Text of several parts. What is no text of its own stands at ``place``, an offset in the C++ unit; without one,
    where the text around it stands."""

    __slots__ = ("parts", "place")

    def __init__(self, *parts: str | Text, place: int | None = None) -> None:
        self.parts, self.place = parts, place

    def pieces(self) -> list[tuple[str, int]]:
        """The text in pieces, each with its place."""
        found: list[tuple[str, int]] = []
        stack: list[tuple[str | Text, int]] = [(self, 0)]
        while stack:
            part, place = stack.pop()
            if isinstance(part, str):
                found.append((part, place))
            else:
                own = place if part.place is None else part.place
                stack += [(inner, own) for inner in reversed(part.parts)]
        return found

    def __str__(self) -> str:
        return "".join(text for text, _ in self.pieces())


@dataclass(frozen=True)
class WrittenInC(Preprocessed):
    """The text, whose ``pieces`` have places in the C++ unit, which is the ``source``. Its lines follow declarations of
    the system's functions, of which those that nothing reaches are taken out."""

    source: Preprocessed | None = None
    pieces: tuple[tuple[str, int], ...] = ()

    @cached_property
    def _starts(self) -> tuple[list[int], list[int]]:
        """(where the pieces begin, where their lines do)"""
        lengths = accumulate((len(text) for text, _ in self.pieces), initial=0)
        lines = "".join(text for text, _ in self.pieces).split("\n")
        return list(lengths), list(accumulate((len(line) + 1 for line in lines), initial=0))

    def _place(self, line: int, column: int) -> int:
        _, number = self.origin_of(line)
        pieces, lines = self._starts
        at = lines[min(number, len(lines) - 1) - 1] + column - 1
        return self.pieces[min(bisect_right(pieces, at), len(self.pieces)) - 1][1]

    def span_at(self, line: int, column: int) -> SourceSpan:
        assert self.source is not None
        return self.source.span_at(*self.source.place_at(self._place(line, column)))

    def pragma_places(self, line: int, text: str) -> PragmaPlaces:
        assert self.source is not None
        origin, number = self.source.origin_of(self.source.line_at(self._place(line, 1)))
        return pragma_places(origin.file, joined_lines(source_lines(origin.file), number), text)
