"""The edits that make the host file: lowered constructs in place of their lines, and constructs inside of others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..base.diagnostics import InternalError
from ..base.records import dataclass
from ..plan.unit import HostCopy, HostLeague, HostRegion, HostTask, HostVersion, TargetRegion
from .host_text import Edit, Original
from .lines import BlockNames, indented

# Decides which text stands where in the host file. The replaced parts are nested like the constructs.

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


# Prints what surrounds the user's text where the host runs a region, and the target tasks of constructs.

def kept_whole_part(region: TargetRegion | HostRegion, before: tuple[str, ...], after: tuple[str, ...]) -> Part:
    return Part(region.start, region.start, region.end, before, after, kept_whole=True)


def task_lines(
    names: BlockNames, task: HostTask | None, copies: Sequence[HostCopy] = ()
) -> tuple[list[str], list[str]]:
    """(the lines before the block of a construct for its target task, the lines after it)"""
    if task is None:
        return [], []
    before = [f"    {line}" for line in may_be_set_lines(names, copies)]  # the task has copies of its own
    if before:
        before = ["REX_GENERATED_BEGIN", *before, "REX_GENERATED_END"]
    before += ["#pragma omp taskwait"] if task.after_all else []
    pragma = f"#pragma omp {task.pragma}"
    return (["{", *before, pragma], ["}"]) if before else ([pragma], [])


def may_be_set_lines(names: BlockNames, copies: Sequence[HostCopy]) -> list[str]:
    unset = (c.name for c in copies if c.unset)
    return [f"const int {names.may_be_set(n)} __attribute__((__unused__)) = rex_may_be_set(&{n});" for n in unset]


def host_region_part(names: BlockNames, region: HostRegion, pad: str) -> Part:
    before, after = task_lines(names, region.task, region.host.copies)
    begin, end = host_version_lines(names, region.host)
    return kept_whole_part(region, indented([*before, *begin], pad), indented([*end, *after], pad))


def host_version_lines(names: BlockNames, host: HostVersion) -> tuple[list[str], list[str]]:
    """(the lines before a region's host version, the lines after it)"""
    league = host.league
    begin, end = _with_copies(names, [c for c in host.copies if league is None or c.by_teams], [], [])
    if host.team:
        begin, end = ["#pragma omp parallel num_threads(1)\n    {", *begin], [*end, "    }"]
    if host.limit is not None or host.settings:  # the limit is one of the task's settings
        limit = f" rex_limit_threads({host.limit});" if host.limit is not None else ""
        begin, end = [f"#pragma omp task if(0) default(shared)\n    {{{limit}", *begin], [*end, "    }"]
    if league is not None:
        begin = [_enter_league(names, league), *begin]
        end = [*end, f"    }} while (rex_next_team(&{names.league})); }}"]
        begin, end = _with_copies(names, [c for c in host.copies if not c.by_teams], begin, end)
    return begin, end


def _enter_league(names: BlockNames, league: HostLeague) -> str:
    first = f"struct rex_league {names.league}; rex_enter_league(&{names.league}, {league.teams}, {int(league.once)});"
    return f"{{\nREX_GENERATED_BEGIN\n    {first}\nREX_GENERATED_END\n    do {{"


def _with_copies(
    names: BlockNames, copies: Sequence[HostCopy], begin: list[str], end: list[str]
) -> tuple[list[str], list[str]]:
    if not copies:
        return begin, end
    # The copies have the variables' names, so the block around them takes the originals' values and types.
    outer, inner = ["{", "REX_GENERATED_BEGIN"], ["    {"]
    for copy in copies:
        name, original = copy.name, copy.original or copy.name
        kind, value = names.copied_type(name), names.copied_value(name)
        outer.append(f"    typedef {copy.type or f'__typeof__({original})'} {kind};")
        inner.append(f"        {kind} {name} __attribute__((__unused__));")  # set, but not used, is no mistake
        if copy.initialised and copy.array:
            outer.append(f"    {kind} {value};")
            outer.append(f"    __builtin_memcpy({value}, {original}, sizeof({name}));")
            inner.append(f"        __builtin_memcpy({name}, {value}, sizeof({name}));")
        elif copy.initialised:
            outer.append(f"    {kind} {value} = {original};")
            inner[-1] = f"        {kind} {name} __attribute__((__unused__)) = {value};"
    return ["\n".join([*outer, *inner, "REX_GENERATED_END"]), *begin], [*end, "    }\n}"]
