"""What is wrong in a program although it can be lowered: findings about its mapping, and about races in its regions."""

from __future__ import annotations

from ...base.findings import Finding
from ..analysis.unit import PlannedUnit
from ..syntax.nodes import ParsedUnit
from .barriers import Barriers
from .extents import AllExtents
from .flow import findings_of_flow
from .kernels import Privates, kernel_of
from .members import leaks, partial_maps
from .private_copies import unset_copies
from .races import Races
from .uses import Called, Reader
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
    found = findings_of_flow(WholeUnit(unit, planned, reader, extents, kernels))
    told = {(finding.name, finding.span) for finding in found}
    more = [*partial_maps(unit, planned.sema, planned.found, kernels.values()), *leaks(planned.sema, planned.found)]
    found += [finding for finding in more if (finding.name, finding.span) not in told]
    found += [finding for region in planned.found.regions for finding in races.region(region.construct)]
    for region in planned.found.regions:
        found += barriers.region(region.construct)
        found += unset_copies(unit, planned.sema, called, privates, region.construct)
    return tuple(sorted(dict.fromkeys(found), key=lambda f: (f.span.file, f.span.line, f.span.column, f.name)))
