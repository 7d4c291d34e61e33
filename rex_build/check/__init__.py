"""What is wrong in a program although it can be lowered, whatever its language: findings about its trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..base.findings import Finding
from ..tree.nodes import Body, Construct
from .barriers import Barriers, teams_beside_others
from .events import Use
from .flow import follow
from .members import leaks, partial_maps
from .races import Races
from .unordered import Unordered
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
    races = Races(unit)
    for region in unit.kernels:
        yield from barriers.region(region)
        yield from teams_beside_others(region)
        yield from unset_copies(unit.language, unit.called, unit.privates, region)
        yield from _between_threads(races, region, races.accesses(region), unit.function_of(region))
    for body, construct in unit.launching():
        yield from _between_threads(races, construct, races.of_host_threads(construct), body)


def _between_threads(races: Races, root: Construct, uses: Sequence[Use], body: Body) -> Iterator[Finding]:
    """The races between some of the accesses in a construct. Of each variable one kind is told."""
    if not any(use.writes for use in uses):
        return
    told: set[str] = set()
    for finding in races.region(root, uses):
        told.add(finding.variable)
        yield finding
    found = Unordered(races).region(root, uses, races.extents.of(body.function))
    yield from (finding for finding in found if finding.variable not in told)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Different findings in the order of the source."""
    return tuple(sorted(dict.fromkeys(findings), key=lambda f: (f.span.file, f.span.line, f.span.column, f.name)))
