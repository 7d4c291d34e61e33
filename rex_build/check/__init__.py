"""What is wrong in a program although it can be lowered, whatever its language: findings about its trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..base.findings import Finding
from .barriers import Barriers
from .flow import follow
from .members import leaks, partial_maps
from .nesting import teams_beside_others
from .unset import unset_copies
from .whole_unit import WholeUnit


def findings_in(unit: WholeUnit) -> Iterator[Finding]:
    """The findings in a unit, of a template in each instantiation."""
    journey = follow(unit)
    found = [*journey.found.values()]
    told = {(finding.name, finding.span) for finding in found}
    more = (*partial_maps(unit, journey.on_device), *leaks(unit))
    yield from found
    yield from (finding for finding in more if (finding.name, finding.span) not in told)
    barriers = Barriers(unit.language)
    for region in unit.kernels:
        yield from barriers.region(region)
        yield from teams_beside_others(region)
        yield from unset_copies(unit.language, unit.called, unit.privates, region)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Different findings in the order of the source."""
    return tuple(sorted(dict.fromkeys(findings), key=lambda f: (f.span.file, f.span.line, f.span.column, f.name)))
