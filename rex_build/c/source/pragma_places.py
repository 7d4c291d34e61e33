"""Finds the characters of a pragma in the user's file.

gcc joins continued lines, drops comments and expands macros in clauses. So the two texts are aligned token by token.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from ...base.diagnostics import SourceSpan
from ...base.patterns import regex
from ...base.records import dataclass

_PRAGMA_TOKEN = regex(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class JoinedLines:
    """A line with its continuations, without comments. ``starts`` are the offsets of its lines, which begin with line
    ``first`` of a file."""

    text: str
    first: int
    starts: tuple[int, ...]

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.first + len(self.starts) - 1

    def place(self, offset: int) -> tuple[int, int]:
        """(line, column) in the file of a character."""
        row = bisect_right(self.starts, offset) - 1
        return self.first + row, offset - self.starts[row] + 1


@dataclass(frozen=True)
class PragmaPlaces:
    """The places in a file of the characters of a pragma's text. ``offsets`` has each character's in ``lines``."""

    file: str
    lines: JoinedLines
    offsets: Sequence[int | None]

    def __len__(self) -> int:
        return len(self.offsets)

    def __getitem__(self, at: int) -> SourceSpan | None:
        offset = self.offsets[at]
        return None if offset is None else SourceSpan(self.file, *self.lines.place(offset))


def joined_lines(lines: Sequence[str], first: int) -> JoinedLines:
    """Line ``first`` of a file with its continuations."""
    starts: list[int] = []
    parts: list[str] = []
    number, length = first, 0
    while 0 < number <= len(lines):
        row = lines[number - 1]
        continued = row.endswith("\\")
        row = re.sub(r"/\*.*?\*/|//.*", lambda m: " " * len(m[0]), row[:-1] if continued else row)
        starts.append(length)
        parts.append(row + " ")
        length += len(row) + 1
        if not continued:
            break
        number += 1
    return JoinedLines("".join(parts), first, tuple(starts))


def pragma_places(file: str, lines: JoinedLines, text: str) -> PragmaPlaces:
    """The place of each character of a pragma's text (after ``omp``), or None where it is unknown.

    The expansion of a macro gets the place of the token before it.
    """
    after_omp = re.search(r"\bomp\b(?!\s*::)|\bdirective\b", lines.text)  # attributes have ``directive``
    if after_omp is None:  # a macro makes all of it
        indent = len(lines.text) - len(lines.text.lstrip())
        return PragmaPlaces(file, lines, [indent if indent < len(lines.text) else None] * len(text))
    theirs = list(_PRAGMA_TOKEN.finditer(lines.text, after_omp.end()))
    ours = list(_PRAGMA_TOKEN.finditer(text))
    partners = dict(_aligned([m[0] for m in ours], [m[0] for m in theirs]))
    offsets: list[int | None] = []
    known: int | None = None
    for number, token in enumerate(ours):
        partner = partners.get(number)
        known = theirs[partner].start() if partner is not None else known
        offsets += [known] * (token.start() - len(offsets))  # what stands between tokens is the next one's
        if partner is not None and known is not None:
            offsets += range(known, known + len(token[0]))
        else:
            offsets += [known] * len(token[0])
    offsets += [known] * (len(text) - len(offsets))
    unknown = next((at for at, offset in enumerate(offsets) if offset is not None), 0)
    offsets[:unknown] = offsets[unknown : unknown + 1] * unknown
    return PragmaPlaces(file, lines, offsets)


def _aligned(ours: list[str], theirs: list[str]) -> Iterator[tuple[int, int]]:
    """Pairs of indexes of corresponding tokens. After the first difference, they are the best match."""
    same = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    yield from ((i, i) for i in range(same))
    if same < len(ours):
        from difflib import SequenceMatcher

        for block in SequenceMatcher(None, ours[same:], theirs[same:], autojunk=False).get_matching_blocks():
            yield from ((same + block.a + k, same + block.b + k) for k in range(block.size))
