"""What is wrong in a C program although it can be lowered: what the warnings ask of it, and races in its regions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from pycparser import c_ast

from ...base.findings import Finding
from ...check import findings_in, in_order
from ...check.concerned import Stretch, concerned
from ...check.language import Language
from ...check.whole_unit import Unit, WholeUnit
from ...tree.nodes import Body
from ...tree.symbols import Function
from ...tree.types import Record
from ..analysis.optimise.accesses import calls_of
from ..analysis.unit import PlannedUnit
from ..reading.statements import reader_of
from ..sema import Sema, Symbol
from ..source.tokens import statement_end
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .extents import AllExtents, Extents
from .kernels import Privates, kernel_of
from .memory import text_of
from .races import Races
from .unordered import Unordered
from .uses import Called, Reader, Use


def findings_of(planned: PlannedUnit, unit: ParsedUnit) -> tuple[Finding, ...]:
    """The findings about a unit, certain and likely ones, in the order of the source."""
    whole = whole_unit(planned, unit)
    return in_order([*findings_in(whole), *races_of(planned, unit, whole)])


def whole_unit(planned: PlannedUnit, unit: ParsedUnit) -> WholeUnit:
    sema = planned.sema
    types = reader_of(sema).types
    body = partial(_body, sema)
    mapped = {kind.info for m in planned.mappers if isinstance(kind := types.type(m.type), Record)}
    language = Language(body, unit.span_of, text_of, unit.pre.text, "main" in sema.functions)
    return WholeUnit(
        Unit(
            language,
            calls_of(sema),
            planned.plan,
            tuple(_functions(planned, unit)),
            {f.construct: r for f, r in zip(planned.found.regions, planned.plan.regions, strict=True)},
            [found.construct.directive for found in planned.found.data],
            frozenset(variable.symbol for variable in planned.plan.variables),
            mapped.__contains__ if mapped else None,
            lambda function: _is_of_system(unit, function),
        )
    )


def _body(sema: Sema, function: Function) -> Body | None:
    definition = sema.functions.get(function.name)
    if definition is None:
        return None
    sema.analyse(definition, on_host=True)
    return reader_of(sema).body(definition)


def _functions(planned: PlannedUnit, unit: ParsedUnit) -> Iterator[Function]:
    """The functions that the warnings follow."""
    text, sema = unit.pre.text, planned.sema
    definitions = [item for item in unit.ast.ext if isinstance(item, c_ast.FuncDef)]
    places = [unit.offset_of(item.body) for item in definitions]
    stretches = [
        Stretch(frozenset((item.decl.name,)), at, statement_end(text, at))
        for item, at in zip(definitions, places, strict=True)
    ]
    for number in concerned(text, stretches, (found.construct.start for found in planned.found.lowered)):
        symbol = sema.file_symbol(definitions[number].decl.name)
        function = reader_of(sema).types.symbol(symbol) if symbol is not None else None
        if isinstance(function, Function):
            yield function


def _is_of_system(unit: ParsedUnit, function: Function) -> bool:
    node = function.entity.node if isinstance(function.entity, Symbol) else None
    coord = getattr(node, "coord", None) or getattr(getattr(node, "decl", None), "coord", None)
    return coord is not None and unit.pre.origin_of(coord.line)[0].system


def races_of(planned: PlannedUnit, unit: ParsedUnit, whole: WholeUnit) -> Iterator[Finding]:
    """The races in a unit, for which pycparser's tree is asked."""
    reader = Reader(planned.sema)
    privates = Privates(unit, planned.constructs)
    called = Called(planned.sema, reader)
    extents = AllExtents(unit, planned.sema)
    races = Races(extents, planned.constructs, called, privates)
    kernels = {
        item.construct: kernel_of(planned.sema, planned.constructs, privates, called, region, item.construct)
        for item, region in zip(planned.found.regions, planned.plan.regions, strict=True)
    }
    unordered = Unordered(races)
    for region in planned.found.regions:
        inside = extents.of(region.function.decl.name)
        yield from _races(races, unordered, region.construct, races.accesses(region.construct), inside)
    for body, construct in whole.launching():
        uses = races.of_host_threads(construct.origin, kernels)
        yield from _races(races, unordered, construct.origin, uses, extents.of(body.function.name))


def _races(
    races: Races, unordered: Unordered, root: OmpConstruct, uses: Sequence[Use], extents: Extents
) -> list[Finding]:
    """The races between some of the accesses in a construct. Of each variable one kind is told."""
    if not any(use.writes for use in uses):
        return []
    found = [*races.region(root, uses)]
    told = {finding.variable for finding in found}
    return found + [finding for finding in unordered.region(root, uses, extents) if finding.variable not in told]
