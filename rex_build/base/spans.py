"""Places in the user's source. Every token, clause and item of the plan has one."""

from __future__ import annotations

import codecs
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from pathlib import Path

from .records import dataclass


@dataclass(frozen=True)
class SourceSpan:
    """A stretch of one line of a user's file.

    ``line`` and ``column`` are 1-based; ``length`` is in characters and never reaches past the line's end.
    """

    file: str
    line: int
    column: int = 1
    length: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Stretches:
    """Stretches [start, end) of a text, which may be inside one another. Asking takes no longer if they are many."""

    def __init__(self, stretches: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(stretches)
        self._starts = [start for start, _ in ordered]
        self._reached = list(accumulate((end for _, end in ordered), max))

    def __contains__(self, offset: int) -> bool:
        begun = bisect_right(self._starts, offset)
        return begun > 0 and offset < self._reached[begun - 1]


@cache
def source_lines(file: str) -> tuple[str, ...]:
    """The lines of ``file`` without line ends and byte order mark, or none if it cannot be read.

    Messages can do without the line.
    """
    try:
        text = Path(file).read_bytes().removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
    except OSError:
        return ()
    # The ends of lines are gcc's. splitlines() would also split at form feeds.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return tuple(lines if lines[-1] else lines[:-1])


@dataclass(frozen=True)
class Replacement:
    """A text that stands in the host file in place of [start, end) of the preprocessed text; with ``start`` at ``end``
    it goes in between two characters."""

    start: int
    end: int
    text: str
