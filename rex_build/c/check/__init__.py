"""What is wrong in a program although it can be lowered: findings about its mapping, and about races in its regions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...base.findings import Finding
from ...check import findings_in, in_order
from ...check.language import Language
from ...tree.nodes import Body, Construct
from ...tree.symbols import Function
from ..analysis.unit import PlannedUnit
from ..reading.statements import reader_of
from ..sema import Sema
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .extents import AllExtents, Extents
from .flow import follow
from .kernels import Privates, kernel_of
from .members import leaks, partial_maps
from .memory import text_of
from .races import Races
from .unordered import Unordered
from .uses import Called, Reader, Use
from .whole_unit import WholeUnit


def findings_of(planned: PlannedUnit, unit: ParsedUnit) -> tuple[Finding, ...]:
    """The findings about a unit, certain and likely ones, in the order of the source."""
    read = map(reader_of(planned.sema).statement, (region.construct for region in planned.found.regions))
    regions = (region for region in read if isinstance(region, Construct))
    language = Language(
        partial(_body, planned.sema), unit.span_of, text_of, unit.pre.text, "main" in planned.sema.functions
    )
    return in_order([*findings_in(regions, language), *findings_of_nodes(planned, unit)])


def _body(sema: Sema, function: Function) -> Body | None:
    definition = sema.functions.get(function.name)
    if definition is None:
        return None
    sema.analyse(definition, on_host=True)
    return reader_of(sema).body(definition)


def findings_of_nodes(planned: PlannedUnit, unit: ParsedUnit) -> tuple[Finding, ...]:
    """The findings for which pycparser's tree is asked."""
    reader = Reader(planned.sema)
    privates = Privates(unit, planned.constructs)
    called = Called(planned.sema, reader)
    extents = AllExtents(unit, planned.sema)
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
    for function, construct in whole.launching():
        uses = races.of_host_threads(construct, kernels)
        found += _races(races, unordered, construct, uses, extents.of(function.decl.name))
    return tuple(found)


def _races(
    races: Races, unordered: Unordered, root: OmpConstruct, uses: Sequence[Use], extents: Extents
) -> list[Finding]:
    """The races between some of the accesses in a construct. Of each variable one kind is told."""
    if not any(use.writes for use in uses):
        return []
    found = [*races.region(root, uses)]
    told = {finding.variable for finding in found}
    return found + [finding for finding in unordered.region(root, uses, extents) if finding.variable not in told]
