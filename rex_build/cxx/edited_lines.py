"""Changes of a unit's text in front of everything else, after which all lines have the numbers that they had."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from ..base.records import replace
from ..c.source.preprocess import Preprocessed

LineEdit = tuple[int, int, str]  # the stretch, and what stands in its place


def with_edits(pre: Preprocessed, edits: Sequence[LineEdit]) -> Preprocessed:
    """The text with edits, in order, that change no numbers of lines."""
    if not edits:
        return pre
    pieces, position = [], 0
    lines = list(pre.rewritten)
    for start, end, text in edits:
        pieces += [pre.text[position:start], text]
        position = end
        line = pre.line_at(start)
        lines.append((pre.line_starts[line - 1], pre.line_end(pre.line_at(end))))

    starts = [start for start, _, _ in edits]
    growth = [0, *accumulate(len(text) - (end - start) for start, end, text in edits)]

    def moved(offset: int) -> int:
        return offset + growth[bisect_left(starts, offset)]

    rewritten: list[tuple[int, int]] = []
    for low, high in sorted(lines):
        if rewritten and low < rewritten[-1][1]:
            first, last = rewritten.pop()
            rewritten.append((first, max(high, last)))
        else:
            rewritten.append((low, high))
    whole = "".join([*pieces, pre.text[position:]])
    return replace(pre, text=whole, rewritten=tuple((moved(low), moved(high)) for low, high in rewritten))
