"""Replaces parts of preprocessed text, so that every line still knows where it comes from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby

from ...base.records import replace
from ...base.spans import SourceSpan
from ..source.preprocess import TOKEN, Origin, Preprocessed


class Rewriting:
    """Preprocessed text in which parts are replaced, one after the other.

    Each line has the number of the line of ``pre`` from which it comes, and a mark. Lines that are replaced together
    have the same mark, and lines as the compiler printed them have 0.
    """

    def __init__(self, pre: Preprocessed) -> None:
        self.pre = pre
        self.text = pre.text
        self._numbers = list(range(1, len(pre.line_starts) + 1))
        self._marks = [0] * len(self._numbers)
        self._last_mark = 0
        self._known = 0, 0  # an offset, and how many lines end before it
        for start, end in pre.rewritten:
            first, last = pre.line_at(start), pre.line_at(max(start, end - 1))
            self._marks[first - 1 : last] = [self._new_mark()] * (last - first + 1)

    def _new_mark(self) -> int:
        self._last_mark += 1
        return self._last_mark

    def _index(self, offset: int) -> int:
        """How many lines end before an offset. Most questions are about places near the last one."""
        at, before = self._known
        before += self.text.count("\n", at, offset) if offset >= at else -self.text.count("\n", offset, at)
        self._known = offset, before
        return before

    def place(self, offset: int) -> SourceSpan:
        """The place in the user's file of the token at an offset."""
        column = offset - self.text.rfind("\n", 0, offset)
        return self.pre.span_of(self._numbers[self._index(offset)], column, TOKEN.match(self.text, offset))

    def replace(self, start: int, end: int, pieces: Sequence[str | tuple[int, int]]) -> None:
        """Replace [start, end) by generated text and by parts of the text.

        Each piece begins on a new line, and so does the text after the pieces. Every line keeps its origin.
        """
        text, numbers = self.text, self._numbers
        begin = text.rfind("\n", 0, start) + 1
        low, high = self._index(start), self._index(end)
        at = numbers[low]
        lines: list[tuple[str, int]] = []
        for piece in pieces:
            if isinstance(piece, str):
                new = [(line, at) for line in piece.split("\n")]
            else:
                first = self._index(piece[0])
                new = [(line, numbers[first + i]) for i, line in enumerate(text[piece[0] : piece[1]].split("\n"))]
            lines += [(line, number) for line, number in new if line.strip()]
        lines = lines or [("", at)]
        last = self._index(max(start, end - 1))
        # Lines of the user's for which nothing stands otherwise.
        passed = [number for number in numbers[low:last] if number != numbers[last]] if len(lines) == 1 else []
        lines[-1] = lines[-1][0], numbers[last]
        mark = self._marks[low]
        if not mark or (start == begin and (low == 0 or self._marks[low - 1] != mark)):
            mark = self._new_mark()
        before = "" if start == begin else "\n"  # what stands in front of it keeps its line
        new_text = " \n" * len(passed) + "\n".join(line for line, _ in lines)
        self._known = start, low
        self.text = "".join([text[:start], before, new_text, "\n", text[end:]])
        kept = low + bool(before)
        self._numbers = [*numbers[:kept], *passed, *(number for _, number in lines), *numbers[high:]]
        marks = [self._new_mark()] * len(passed) + [mark] * len(lines)
        self._marks = [*self._marks[:kept], *marks, *self._marks[high:]]

    def done(self) -> Preprocessed:
        """The text with its origins."""
        if self.text is self.pre.text:
            return self.pre
        return replace(
            self.pre, text=self.text, origins=origins_of(self.pre, self._numbers), rewritten=tuple(self._rewritten())
        )

    def _rewritten(self) -> Iterator[tuple[int, int]]:
        lines = zip(self._marks, self.text.split("\n"), strict=True)
        at = 0
        for mark, group in groupby(lines, key=lambda line: line[0]):
            end = at + sum(len(text) + 1 for _, text in group)
            if mark:
                yield at, end - 1
            at = end


def respelled(pre: Preprocessed, edits: Sequence[tuple[int, int, str]]) -> Preprocessed:
    """``pre`` with stretches inside lines, in source order, spelt otherwise. The lines are the user's all the same."""
    out: list[str] = []
    at = 0
    for start, end, text in edits:
        out += [pre.text[at:start], text]
        at = end
    ends = [end for _, end, _ in edits]
    growth = [0, *accumulate(len(text) - (end - start) for start, end, text in edits)]

    def moved(offset: int) -> int:
        return offset + growth[bisect_right(ends, offset)]

    rewritten = tuple((moved(start), moved(end)) for start, end in pre.rewritten)
    return replace(pre, text="".join([*out, pre.text[at:]]), rewritten=rewritten) if edits else pre


def origins_of(pre: Preprocessed, sources: Sequence[int]) -> tuple[Origin, ...]:
    """The origins of a text whose lines are the lines of ``pre`` with the numbers in ``sources``."""
    firsts = [origin.first for origin in pre.origins]
    found: list[Origin] = []
    before: tuple[int, int] | None = None  # index of the origin, line
    for number, source in enumerate(sources, 1):
        index = max(0, bisect_right(firsts, source) - 1)
        origin = pre.origins[index]
        line = origin.line + source - origin.first
        if before is None or before[0] != index or before[1] + 1 != line:
            found.append(replace(origin, first=number, line=line))
        before = index, line
    return tuple(found)
