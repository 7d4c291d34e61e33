"""Replaces parts of preprocessed text, so that every line still knows where it comes from."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby

from ...base.diagnostics import SourceSpan, error_at
from ...base.patterns import regex
from ...base.records import replace
from ...openmp.launch import TRANSFORMATIONS
from ..source.gnu_text import OMP_ATTRIBUTE
from ..source.preprocess import TOKEN, Origin, Preprocessed
from ..source.tokens import arguments_at, directive_pattern, outside_literals

TRANSFORMED = directive_pattern(rf"(?:{'|'.join(TRANSFORMATIONS)})\b")  # for which transform_loops makes new loops


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


Respelling = tuple[int, int, str]  # a stretch, and what stands in its place


def respelled(pre: Preprocessed, edits: Sequence[Respelling], *, marked: bool = True) -> Preprocessed:
    """``pre`` with stretches, in source order, spelt otherwise, as many lines as before. Unless they are ``marked`` as
    ones of our own, the lines are the user's all the same."""
    if not edits:
        return pre
    pieces, at = list[str](), 0
    for start, end, text in edits:
        pieces += [pre.text[at:start], text]
        at = end
    starts = [start for start, _, _ in edits]
    growth = [0, *accumulate(len(text) - (end - start) for start, end, text in edits)]
    own = ((pre.line_at(start), pre.line_at(end)) for start, end, _ in edits if marked)
    rewritten: list[tuple[int, int]] = []
    for low, high in sorted([*pre.rewritten, *((pre.line_starts[a - 1], pre.line_end(b)) for a, b in own)]):
        first, last = rewritten.pop() if rewritten and low < rewritten[-1][1] else (low, high)
        rewritten.append((first, max(high, last)))
    moved = tuple((low + growth[bisect_left(starts, low)], high + growth[bisect_left(starts, high)])
                  for low, high in rewritten)  # fmt: skip
    return replace(pre, text="".join([*pieces, pre.text[at:]]), rewritten=moved)


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


# Turns directives that are written as attributes into pragmas (OpenMP 6.0, section 5.1; clang accepts more).
#
#     [[omp::directive(parallel for)]]            #pragma omp parallel for
#     for (...)                            ->     for (...)
#
# This changes the preprocessed text, so later stages need not know of it.

_ATTRIBUTE = outside_literals(OMP_ATTRIBUTE.pattern)
_LINE = 10_000  # of a directive in front of an attribute, in characters
_ITEM = regex(r"\s*(?:(?:omp|__omp__)\s*::\s*)?(?:__)?(directive|sequence)(?:__)?\s*(\(.*\))\s*", re.DOTALL)
_HAS_DIRECTIVE = regex(rf"{OMP_ATTRIBUTE.pattern}[^\[\];]*?\b_*(?:directive|sequence|decl)_*\b")
_BEFORE_A_STATEMENT = regex(r"(?:^|[;{}:)]|\]\s*\]|\belse|\bdo|(?:^|\n)[ \t]*#[^\n]*)\s*$")


def with_pragmas(pre: Preprocessed) -> Preprocessed:
    """``pre`` with a pragma for every directive in the attributes of statements and declarations.

    Other attributes of OpenMP stay, and the parser's stage refuses them.
    """
    if not OMP_ATTRIBUTE.search(pre.text):
        return pre
    rewriting = Rewriting(pre)
    for match in reversed(list(_ATTRIBUTE.finditer(pre.text))):
        if match["found"] is None:
            continue
        start = match.start()
        inner, outer = arguments_at(pre.text, pre.text.index("[", start + 1)), arguments_at(pre.text, start)
        directives = _directives([pre.text[low:high] for low, high in inner]) if inner and outer else None
        if not directives or not _BEFORE_A_STATEMENT.search(pre.text, max(0, start - _LINE), start):
            continue
        end = outer[-1][1] + 1
        for directive in reversed(directives):  # each is replaced on its own
            rewriting.replace(start, end, [f"#pragma omp {directive}"])
            start += rewriting.text[start] == "\n"
            end = start
    return rewriting.done()


def refuse_other_attributes(pre: Preprocessed) -> None:
    """Raise InputError for an attribute with a directive that does not stand in front of a statement or declaration."""
    for match in _ATTRIBUTE.finditer(pre.text) if OMP_ATTRIBUTE.search(pre.text) else ():
        if match["found"] is not None and _HAS_DIRECTIVE.match(pre.text, match.start()):
            where = pre.span_at(*pre.place_at(match.start()))
            raise error_at(where, "this attribute of OpenMP is not supported, but '#pragma omp' is")


def _directives(items: list[str]) -> list[str] | None:
    """The texts of the directives in an attribute or a ``sequence``, or None if it has other items."""
    found: list[str] = []
    for item in items:
        match = _ITEM.fullmatch(item)
        if match is None:
            return None
        arguments = [match[2][low:high] for low, high in arguments_at(match[2], 0)]
        if match[1] == "directive":  # a comma may follow the directive's name
            name, *clauses = (" ".join(argument.split()) for argument in arguments)
            found.append(f"{name} {', '.join(clauses)}".rstrip())
        elif (nested := _directives(arguments)) is not None:
            found += nested
        else:
            return None
    return found
