"""What is wrong in a program although it can be lowered: findings about its mapping, and about races in its regions."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.findings import Finding
from ..analysis.unit import PlannedUnit
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .barriers import Barriers
from .extents import AllExtents, Extents
from .flow import follow
from .kernels import Privates, kernel_of
from .members import leaks, partial_maps
from .nesting import teams_beside_others
from .private_copies import unset_copies
from .races import Races
from .unordered import Unordered
from .uses import Called, Reader, Use
from .whole_unit import WholeUnit


def findings_of(planned: PlannedUnit, unit: ParsedUnit) -> tuple[Finding, ...]:
    """The findings about a unit, certain and likely ones, in the order of the source."""
    reader = Reader(planned.sema)
    privates = Privates(unit, planned.constructs)
    called = Called(planned.sema, reader)
    extents = AllExtents(unit, planned.sema)
    barriers = Barriers(unit, planned.sema)
    races = Races(extents, planned.constructs, called, privates)
    kernels = {
        item.construct: kernel_of(planned.sema, planned.constructs, privates, called, region, item.construct)
        for item, region in zip(planned.found.regions, planned.plan.regions, strict=True)
    }
    whole = WholeUnit(unit, planned, reader, extents, kernels)
    journey = follow(whole)
    found = list(journey.found.values())
    told = {(finding.name, finding.span) for finding in found}
    has_mappers = bool(planned.mappers)
    partial = partial_maps(unit, planned.sema, planned.found, kernels.values(), journey.on_device, has_mappers)
    more = [*partial, *leaks(planned.sema, planned.found)]
    found += [finding for finding in more if (finding.name, finding.span) not in told]
    unordered = Unordered(races)
    for region in planned.found.regions:
        inside = extents.of(region.function.decl.name)
        found += _races(races, unordered, region.construct, races.accesses(region.construct), inside)
        found += barriers.region(region.construct)
        found += teams_beside_others(planned.sema, region.construct)
        found += unset_copies(unit, planned.sema, called, privates, region.construct)
    for function, construct in whole.launching():
        uses = races.of_host_threads(construct, kernels)
        found += _races(races, unordered, construct, uses, extents.of(function.decl.name))
    return tuple(sorted(dict.fromkeys(found), key=lambda f: (f.span.file, f.span.line, f.span.column, f.name)))


def _races(
    races: Races, unordered: Unordered, root: OmpConstruct, uses: Sequence[Use], extents: Extents
) -> list[Finding]:
    """The races between some of the accesses in a construct. Of each variable one kind is told."""
    if not any(use.writes for use in uses):
        return []
    found = [*races.region(root, uses)]
    told = {finding.variable for finding in found}
    return found + [finding for finding in unordered.region(root, uses, extents) if finding.variable not in told]
