"""What is wrong in a C program although it can be lowered: what the warnings ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from pycparser import c_ast

from ..base.findings import Finding
from ..base.mentions import Stretch
from ..check import findings_in, in_order
from ..check.events import Language
from ..check.whole_unit import Unit, WholeUnit, concerned
from ..tree.symbols import Function
from ..tree.types import Record
from .analysis.optimise.accesses import body_of, calls_of
from .analysis.unit import PlannedUnit
from .reading.statements import reader_of
from .sema import Sema, Symbol
from .source.tokens import statement_end
from .syntax.nodes import ParsedUnit


def findings_of(planned: PlannedUnit, unit: ParsedUnit) -> tuple[Finding, ...]:
    """The findings about a unit, certain and likely ones, in the order of the source."""
    sema = planned.sema
    types = reader_of(sema).types
    mapped = {kind.info for m in planned.mappers if isinstance(kind := types.type(m.type), Record)}
    checked = Unit(
        _language(sema, unit),
        calls_of(sema),
        planned.plan,
        tuple(_functions(planned, unit)),
        {f.construct: r for f, r in zip(planned.found.regions, planned.plan.regions, strict=True)},
        [*(found.construct.directive for found in planned.found.lowered), *(m.directive for m in planned.mappers)],
        frozenset(variable.symbol for variable in planned.plan.variables),
        mapped.__contains__ if mapped else None,
        lambda function: _is_of_system(unit, function),
    )
    return in_order(findings_in(WholeUnit(checked)))


def _language(sema: Sema, unit: ParsedUnit) -> Language:
    pre = unit.pre

    def is_generated(origin: Any) -> bool:
        is_placed = bool(pre.rewritten) and getattr(origin, "coord", None) is not None
        return is_placed and unit.offset_of(origin) in pre.generated

    order = unit.requirements.get("atomic_default_mem_order", "")
    is_program = "main" in sema.functions
    body = partial(body_of, sema, on_host=True)
    return Language(body, unit.span_of, _text_of, pre.text, is_program, is_generated, order)


def _text_of(code: Any) -> str:
    """An expression for a message."""
    from pycparser import c_generator

    return str(c_generator.CGenerator().visit(code))


def _functions(planned: PlannedUnit, unit: ParsedUnit) -> Iterator[Function]:
    """The functions that the warnings follow."""
    text, sema = unit.pre.text, planned.sema
    definitions = [item for item in unit.ast.ext if isinstance(item, c_ast.FuncDef)]
    places = [unit.offset_of(item.body) for item in definitions]
    stretches = [
        Stretch(frozenset(), frozenset((item.decl.name,)), at, statement_end(text, at))
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
