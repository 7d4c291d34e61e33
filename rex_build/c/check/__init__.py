"""What is wrong in a program although it can be lowered: findings about its mapping, and about races in its regions."""

from __future__ import annotations

from ...base.findings import Finding
from ..analysis.unit import PlannedUnit
from ..syntax.nodes import ParsedUnit
from .races import Races
from .uses import Reader


def findings_of(planned: PlannedUnit, unit: ParsedUnit) -> tuple[Finding, ...]:
    """The findings about a unit, certain and likely ones, in the order of the source."""
    reader = Reader(planned.sema)
    races = Races(unit, planned.sema, planned.constructs, reader)
    found = [finding for region in planned.found.regions for finding in races.region(region.construct)]
    return tuple(sorted(dict.fromkeys(found), key=lambda f: (f.span.file, f.span.line, f.span.column, f.name)))
