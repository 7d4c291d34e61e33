"""The variables that the threads of a team share."""

from __future__ import annotations

from collections.abc import Sequence

from ..plan.captures import Capture, Transport
from ..plan.memory import TeamMemory
from ..plan.region import KernelKind
from ..plan.sharing import Sharing
from .code import Variable
from .facts import RegionFacts
from .loops import canonical_nest
from .nested import LOOPS, chain_of, collapse_of
from .sharing import sharing_of


def team_memory_of(
    facts: RegionFacts, kind: KernelKind, captures: Sequence[Capture], sharing: Sharing, loop: set[Variable]
) -> TeamMemory:
    """The variables that the sequential part and parallel regions share, if a parallel region changes them."""
    if kind not in (KernelKind.TEAMS, KernelKind.PARALLEL):
        return TeamMemory()
    unit, function = facts.unit, facts.function
    literals = {c.symbol for c in captures if c.transport is Transport.LITERAL or c.symbol.type.kind == "pointer"}
    if kind is KernelKind.PARALLEL:
        changed = {
            r.variable
            for r in function.references
            if facts.body.start <= r.start < facts.body.end and not r.is_read and r.variable in literals
        }
        return TeamMemory(shared=frozenset(changed - sharing.named))
    shared: set[Variable] = set()
    regions = [c for c in facts.inside if "parallel" in c.directive.constructs]
    for region in regions:
        inner = sharing_of(unit, function, chain_of(unit, region, frozenset(("for", "simd", "loop"))))
        own = {*inner.private, *inner.firstprivate}
        given_back = {*inner.lastprivate, *(r.symbol for r in inner.reductions)}
        for reference in function.references:
            variable = reference.variable
            if not region.body_start <= reference.start < region.end or reference.is_read:
                continue
            if variable.is_local and not region.start <= variable.start < region.end and variable not in own:
                shared.add(variable)
        shared |= given_back  # type: ignore[arg-type]
    for construct in facts.inside:  # what the loop of a parallel region counts with is private
        if not LOOPS.isdisjoint(construct.directive.constructs):
            nest = canonical_nest(unit, function, construct, collapse_of(construct.directive.clauses))
            shared -= {lv.symbol for lv in nest.levels}
    outside = {c.symbol for c in captures} - literals
    return TeamMemory(shared=frozenset(v for v in shared if v not in outside and v not in loop))
