"""Prints what surrounds the user's text where the host runs a region, and the target tasks of constructs."""

from __future__ import annotations

from collections.abc import Sequence

from ..plan.host import HostCopy, HostLeague, HostRegion, HostTask, HostVersion
from ..plan.region import TargetRegion
from .block_names import BlockNames
from .host_edits import Part
from .indentation import indented


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
        name = copy.name
        kind, value = names.copied_type(name), names.copied_value(name)
        outer.append(f"    typedef {copy.type or f'__typeof__({name})'} {kind};")
        inner.append(f"        {kind} {name} __attribute__((__unused__));")  # set, but not used, is no mistake
        if copy.initialised and copy.array:
            outer.append(f"    {kind} {value};")
            outer.append(f"    __builtin_memcpy({value}, {name}, sizeof({name}));")
            inner.append(f"        __builtin_memcpy({name}, {value}, sizeof({name}));")
        elif copy.initialised:
            outer.append(f"    {kind} {value} = {name};")
            inner[-1] = f"        {kind} {name} __attribute__((__unused__)) = {value};"
    return ["\n".join([*outer, *inner, "REX_GENERATED_END"]), *begin], [*end, "    }\n}"]
