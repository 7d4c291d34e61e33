"""Decides which text stands where in the host file. The replaced parts are nested like the constructs."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.diagnostics import InternalError
from ..base.records import dataclass
from .host_text import Edit, Original


@dataclass(frozen=True)
class Part:
    """A part [start, end) of the preprocessed text with generated text around it.

    ``before`` takes the place of [start, head), with everything in there. ``after`` follows the rest. With
    ``kept_whole``, all lines of the part are printed from the preprocessed text, and otherwise only those around
    generated text.
    """

    start: int
    head: int
    end: int
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    kept_whole: bool = False


def nested_edits(parts: Iterable[Part]) -> list[Edit]:
    """The edits for all ``parts``, in the order of the text and without one inside another.

    If parts begin at the same place, the longer one is outside, and of equal ones the first. If parts end at the same
    place, the one that begins first is outside. An insertion stands in front of a part that begins at its place. Raises
    InternalError for parts that overlap without being nested.
    """
    ordered = sorted(parts, key=lambda part: (part.start, part.end > part.start, -part.end))
    root = _Node(Part(0, 0, max((part.end + 1 for part in ordered), default=0)))
    stack = [root]
    for part in ordered:
        while part.start > stack[-1].part.end or (part.start == stack[-1].part.end and part.end > part.start):
            stack.pop()
        around = stack[-1].part
        if part.end > around.end or around.start < part.start < around.head < part.end:
            raise InternalError(f"host text: [{part.start}, {part.end}) crosses [{around.start}, {around.end})")
        stack[-1].inside.append(_Node(part))
        stack.append(stack[-1].inside[-1])
    return [edit for node in root.inside for edit in node.edits()]


class _Node:
    def __init__(self, part: Part) -> None:
        self.part = part
        self.inside: list[_Node] = []

    def edits(self) -> list[Edit]:
        part = self.part
        kept = [edit for node in self.inside if node.part.start >= part.head for edit in node.edits()]
        if part.kept_whole:
            return [Edit(part.start, part.end, (*part.before, Original(part.head, part.end, tuple(kept)), *part.after))]
        first = [Edit(part.start, part.head, part.before)] if part.head > part.start or part.before else []
        last = [Edit(part.end, part.end, part.after)] if part.after else []
        return [*first, *kept, *last]
