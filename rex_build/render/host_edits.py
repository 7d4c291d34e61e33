"""Which text of the host file stands where: every stretch that is replaced, nested as the constructs are."""

from __future__ import annotations

from collections.abc import Iterable

from ..base.diagnostics import InternalError
from ..base.records import dataclass
from .host_text import Edit, Original


@dataclass(frozen=True)
class Part:
    """A stretch [start, end) of the preprocessed text with generated text around it.

    ``before`` stands in place of [start, head), and what lies in there goes with it; ``after`` follows what is left.
    The lines that are ``kept_whole`` are printed from the preprocessed text, else only those around generated text are.
    """

    start: int
    head: int
    end: int
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    kept_whole: bool = False


def nested_edits(parts: Iterable[Part]) -> list[Edit]:
    """The edits that make all ``parts``, in the order of the text and none inside of another.

    Of parts that begin in one place the longer one is around the others, and of equal ones the first; of those that end
    in one place the one that begins first is. What goes in between two characters stands before a part that begins
    there. Raises InternalError for parts that neither nest nor lie apart.
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
