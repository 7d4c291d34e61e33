"""Replaces parts of preprocessed text, so that every line still knows where it comes from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from ..source.preprocess import Origin, Preprocessed


def replaced(pre: Preprocessed, start: int, end: int, pieces: list[str | tuple[int, int]]) -> Preprocessed:
    """``pre`` with [start, end) replaced by generated text and by parts of its own text.

    Each piece begins on a new line, and so does the text after the pieces. Every line keeps its origin.
    """

    def cut(low: int, high: int) -> list[tuple[str, int]]:
        first = pre.line_at(low)
        return [(text, first + i) for i, text in enumerate(pre.text[low:high].split("\n"))]

    at = pre.line_at(start)
    lines = cut(0, start)
    if lines[-1][0]:
        first = start + 1
    else:
        first = start
        lines.pop()
    for piece in pieces:
        new = [(text, at) for text in piece.split("\n")] if isinstance(piece, str) else cut(*piece)
        lines += [(text, number) for text, number in new if text.strip()]
    lines[-1] = lines[-1][0], pre.line_at(max(start, end - 1))
    changed = sum(len(text) + 1 for text, _ in lines)
    lines += cut(end, len(pre.text))
    growth = changed - end
    spans = [_moved(span, end, growth) for span in pre.rewritten if not start <= span[0] < end]
    if not any(low <= first and changed - 1 <= high for low, high in spans):
        spans.append((first, changed - 1))
    return replace(
        pre,
        text="\n".join(text for text, _ in lines),
        origins=origins_of(pre, [number for _, number in lines]),
        rewritten=tuple(sorted(spans)),
    )


def respelled(pre: Preprocessed, edits: Sequence[tuple[int, int, str]]) -> Preprocessed:
    """``pre`` with stretches inside lines, in source order, spelt otherwise. The lines are the user's all the same."""
    out: list[str] = []
    at = 0
    rewritten = pre.rewritten
    for start, end, text in edits:
        out += [pre.text[at:start], text]
        at = end
    for start, end, text in reversed(edits):
        rewritten = tuple(_moved(span, end, len(text) - (end - start)) for span in rewritten)
    return replace(pre, text="".join([*out, pre.text[at:]]), rewritten=rewritten) if edits else pre


def _moved(span: tuple[int, int], end: int, growth: int) -> tuple[int, int]:
    return tuple(offset + growth if offset >= end else offset for offset in span)  # type: ignore[return-value]


def origins_of(pre: Preprocessed, sources: list[int]) -> tuple[Origin, ...]:
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
