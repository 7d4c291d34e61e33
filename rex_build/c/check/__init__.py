"""What is wrong in a program although it can be lowered: findings about its mapping, and about races in its regions."""

from __future__ import annotations

from ...base.findings import Finding
from ..analysis.unit import PlannedUnit
from ..syntax.nodes import ParsedUnit
from .flow import findings_of_flow
from .kernels import Privates, kernel_of
from .members import leaks, partial_maps
from .races import Races
from .uses import Reader
from .whole_unit import WholeUnit


def findings_of(planned: PlannedUnit, unit: ParsedUnit) -> tuple[Finding, ...]:
    """The findings about a unit, certain and likely ones, in the order of the source."""
    reader = Reader(planned.sema)
    privates = Privates(unit, planned.constructs)
    races = Races(unit, planned.sema, planned.constructs, reader, privates)
    kernels = {
        item.construct: kernel_of(planned.sema, planned.constructs, privates, reader, region, item.construct)
        for item, region in zip(planned.found.regions, planned.plan.regions, strict=True)
    }
    found = findings_of_flow(WholeUnit(unit, planned, reader, kernels))
    found += [*partial_maps(unit, planned.sema, planned.found, kernels.values()), *leaks(planned.sema, planned.found)]
    found += [finding for region in planned.found.regions for finding in races.region(region.construct)]
    return tuple(sorted(dict.fromkeys(found), key=lambda f: (f.span.file, f.span.line, f.span.column, f.name)))
