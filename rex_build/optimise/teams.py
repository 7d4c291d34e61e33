"""Generic regions in which all threads of a team run the sequential part, and parallel regions in place.

No thread then has to hand regions over to others. The sequential part must compute the same on every thread. Its own
variables are copies in every thread. Only the team's first thread writes to memory that others see. A barrier stands
where an access needs what another thread has done before. Each barrier is put off until that point, so that a team
waits once between two parallel regions, not four times. A kernel that is one parallel region has no sequential part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from ..base.diagnostics import SourceSpan
from ..base.records import dataclass, replace
from ..plan.claims import Claim, ClaimKind
from ..plan.constructs import Code, TeamMemory
from ..plan.optimised import DirectKernel, Optimisation, Reason, TeamSteps
from ..plan.rows import Transport
from ..plan.unit import KernelKind, TargetRegion
from ..tree.nodes import Named, Node, walk
from ..tree.symbols import Function, entity_of
from .obstacle import ObstacleError
from .team_forms import TeamCode, has_long_array

if TYPE_CHECKING:
    from .team_walk import Walker


def unfit(region: TargetRegion, off: Collection[str]) -> str:
    """Why a region stays with the initial threads of its teams, before anybody looks at its code; or nothing."""
    is_one_region = region.kind is KernelKind.PARALLEL and region.nest is None
    if region.kind is not KernelKind.TEAMS and not is_one_region:
        return "only for kernels with parallel regions inside teams"
    return "switched off" if "spmd" in off else ""


@dataclass(frozen=True)
class Candidate:
    """A region, and its code in each instantiation of the template that it is in. They share the text of their steps.

    If nothing needs to be looked at, ``why`` says what is against it. With ``stateful``, its text asks the device
    library's state of teams and threads in any case.
    """

    region: TargetRegion
    codes: tuple[TeamCode, ...] = ()
    why: str = ""
    span: SourceSpan | None = None
    stateful: bool = False


def run_by_all(
    candidates: Sequence[Candidate],
    off: Collection[str],
    others: Callable[[], Iterable[Node]],
    code_of: Callable[[Function], Code | None],
) -> tuple[list[TargetRegion], frozenset[Code]]:
    """(the regions with their steps, if all threads of a team can run their sequential parts, the definitions of
    :func:`~.team_forms.region_functions`, of which ``others`` and ``code_of`` are the arguments)"""
    regions = [_of_candidate(one, (), off) for one in candidates]
    found = [region.steps for region in regions]
    fit = [one for one, steps in zip(candidates, found, strict=True) if steps is not None and not steps.limited]
    if not fit:
        return regions, frozenset()
    from .team_forms import region_functions

    rest = (code.region for one in candidates if one not in fit for code in one.codes)
    known = region_functions([(one.region, one.codes) for one in fit], lambda: (*rest, *others()), code_of)
    for number, (one, steps) in enumerate(zip(candidates, found, strict=True)):
        if known and steps is not None and steps.stateful:
            regions[number] = _of_candidate(one, known, off)
    return regions, frozenset(known.values())


def _of_candidate(one: Candidate, known: Collection[Function], off: Collection[str]) -> TargetRegion:
    if one.why:
        return with_fact(one.region, False, one.why, one.span)
    region = _run_by_all(one.region, one.codes, known, off)
    if region.steps is not None and one.stateful:
        return replace(region, steps=replace(region.steps, stateful=True))
    return region


def _run_by_all(
    region: TargetRegion, codes: Sequence[TeamCode], known: Collection[Function], off: Collection[str]
) -> TargetRegion:
    """The region with its steps, if all threads of a team can run its sequential part."""
    from .team_walk import Walker

    found: list[TeamSteps] = []
    copied = {c.symbol for c in region.captures if c.transport is Transport.WORDS}
    named = (n for code in codes for n in walk(code.region) if copied and isinstance(n, Named))
    tables = {entity_of(n.variable) for n in named if has_long_array(n.type)} & copied
    for code in codes:
        walker: Walker | None = None
        try:
            walker = Walker(region, code, known, tables)
            if region.kind is KernelKind.PARALLEL:
                walker.whole_region()
            else:
                walker.check_region()
                walker.statement(code.sequential)
            found.append(walker.steps())
        except ObstacleError as problem:
            places = (problem.node, walker.at if walker is not None else None)
            origin = next((n.origin for n in places if n is not None and n.origin is not None), None)
            span = code.span(origin) if origin is not None else None
            return with_fact(region, False, str(problem), span, problem.remedy)
    if not found or any(
        (s.guarded, s.computed, s.shared) != (t.guarded, t.computed, t.shared) for s in found for t in found[:1]
    ):
        return with_fact(region, False, "instantiations of the template do other things")
    steps = replace(
        found[0],
        barriers=frozenset(code for one in found for code in one.barriers),
        ends=frozenset(code for one in found for code in one.ends),
        beside=frozenset(code for one in found for code in one.beside),
        stateful=any(one.stateful for one in found),
        asks=any(one.asks for one in found),
    )
    if region.kind is KernelKind.PARALLEL:
        region, why = replace(region, steps=steps), "the hardware tells its threads who they are"
        about, unchecked = "all threads of the hardware are those of the region", "the check device has none"
    else:
        region = _once(replace(region, steps=steps, team_memory=TeamMemory(steps.shared)), off)
        why = "all threads of a team run the sequential part, and parallel regions in place"
        about = "what all threads of a team compute in the sequential part is the same in each of them"
        unchecked = "the check device has one thread for the sequential part"
    claim = Claim(ClaimKind.SAME, "spmd", about, region.span, unchecked=unchecked)
    region = replace(region, optimised=replace(region.optimised, claims=(*region.optimised.claims, claim)))
    return with_fact(region, True, why)


def _once(region: TargetRegion, off: Collection[str]) -> TargetRegion:
    """The region with a second kernel in which each team runs one iteration, if the host can know that none runs more.

    nvcc moves what does not depend on the iteration in front of the loop, and then has fewer registers for loads.
    """
    launch = region.launch
    unknown = region.nest is None or launch.hint or not launch.trip_counts
    if "once" in off or unknown or region.sharing.reductions:
        return region
    optimised = region.optimised
    facts = tuple(Optimisation("once", True, Reason.ONCE_TEAMS) if f.name == "once" else f for f in optimised.facts)
    direct = replace(optimised.direct or DirectKernel(once=True), once=True)
    assert region.nest is not None
    from .claims import counted

    claims = (*optimised.claims, counted("once", region.nest.levels))
    return replace(region, optimised=replace(optimised, facts=facts, direct=direct, claims=claims))


def with_fact(
    region: TargetRegion, applied: bool, reason: str, span: SourceSpan | None = None, remedy: str = ""
) -> TargetRegion:
    facts = (*region.optimised.facts, Optimisation("spmd", applied, reason, span, remedy))
    return replace(region, optimised=replace(region.optimised, facts=facts))
