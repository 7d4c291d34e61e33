"""Generic regions in which all threads of a team run the sequential part, and parallel regions in place.

No thread then has to hand regions over to others. The sequential part must compute the same on every thread. Its own
variables are copies in every thread. Only the team's first thread writes to memory that others see. A barrier stands
where an access needs what another thread has done before. Each barrier is put off until that point, so that a team
waits once between two parallel regions, not four times. A kernel that is one parallel region has no sequential part.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ..base.records import replace
from ..base.spans import SourceSpan
from ..plan.claims import Claim, ClaimKind
from ..plan.memory import TeamMemory
from ..plan.optimised import ONCE_TEAMS, DirectKernel, Optimisation, TeamSteps
from ..plan.region import KernelKind, TargetRegion
from .claims import counted
from .obstacle import ObstacleError
from .team_forms import TeamCode

if TYPE_CHECKING:
    from .team_walk import Walker


def unfit(region: TargetRegion, off: Collection[str]) -> str:
    """Why a region stays with the initial threads of its teams, before anybody looks at its code; or nothing."""
    if region.kind not in (KernelKind.TEAMS, KernelKind.PARALLEL):
        return "only for kernels with parallel regions inside teams"
    return "switched off" if "spmd" in off else ""


def run_by_all(region: TargetRegion, codes: Sequence[TeamCode], off: Collection[str]) -> TargetRegion:
    """The region with its steps, if all threads of a team can run its sequential part.

    There is a code for each instantiation, if it is in a template. They share the text of their steps.
    """
    from .team_walk import Walker

    found: list[TeamSteps] = []
    for code in codes:
        walker: Walker | None = None
        try:
            walker = Walker(region, code)
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
    facts = tuple(Optimisation("once", True, ONCE_TEAMS) if f.name == "once" else f for f in optimised.facts)
    direct = replace(optimised.direct or DirectKernel(once=True), once=True)
    assert region.nest is not None
    claims = (*optimised.claims, counted("once", region.nest.levels))
    return replace(region, optimised=replace(optimised, facts=facts, direct=direct, claims=claims))


def with_fact(
    region: TargetRegion, applied: bool, reason: str, span: SourceSpan | None = None, remedy: str = ""
) -> TargetRegion:
    facts = (*region.optimised.facts, Optimisation("spmd", applied, reason, span, remedy))
    return replace(region, optimised=replace(region.optimised, facts=facts))
