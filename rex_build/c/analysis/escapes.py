"""Finds variables of single threads in C's device code that other threads may reach (:mod:`...openmp.escapes`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pycparser import c_ast

from ...base.diagnostics import Diagnostic, error_at
from ...openmp.escapes import address_flow, has_one_thread, passed_by_value, private_copies, shared_in_teams
from ...plan.constructs import DeviceConstruct, Escaping
from ...plan.unit import TargetRegion
from ...tree.nodes import Call
from ..reading.statements import reader_of
from ..sema import Sema, Symbol, locals_of
from ..sema.ctype import Array, strip
from ..sema.type_questions import is_of_variable_size
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .closure import DeviceClosure
from .device_library import library_name
from .devicecode import UsedCode
from .optimise.accesses import changed_in


def escaping(
    unit: ParsedUnit,
    closure: DeviceClosure,
    regions: Sequence[TargetRegion],
    constructs: Mapping[OmpConstruct, DeviceConstruct],
) -> tuple[Escaping, list[Diagnostic]]:
    """(the variables, errors for those that cannot be moved to the heap)."""
    code, sema, separable = closure.code, closure.calls.sema, closure.calls.is_separable
    if all(map(has_one_thread, regions)) and not separable:
        return Escaping(), []
    bodies = [*(r.body for r in regions), *(f.body for f in code.functions)]
    declared, copies = _declared(sema, regions, code) - shared_in_teams(regions), private_copies(regions, constructs)
    by_value = passed_by_value(regions, lambda symbol: isinstance(strip(symbol.type), Array))
    addressed = {s for body in bodies for s in changed_in(sema, body).addressed}
    makers = (n for body in bodies for n in sema.parts(body).of(c_ast.CompoundLiteral, c_ast.FuncCall))
    if not addressed & (declared | by_value | copies) and not any(map(_is_unnamed, makers)):
        return Escaping(), []
    from ...tree.points_to import WORLD

    reader = reader_of(sema)
    functions = {body.function: body for body in map(reader.body, code.functions)}
    in_teams = frozenset[Symbol]().union(*(memory.shared for memory in closure.team_functions.values()))
    flow = address_flow(
        regions, constructs, functions.get, lambda called: library_name(called.name) is not None, by_value, in_teams,
        separable,
    )  # fmt: skip
    for symbol in (*closure.indirect, *closure.shared):  # which other units, or pointers from the host, lead to
        flow.point(WORLD, reader.types.symbol(symbol))
    lasting = (n for body in bodies for n in sema.parts(body).of(c_ast.Decl) if "static" in n.storage)
    for definition in (*(symbol.definition for symbol in code.globals), *lasting):
        if isinstance(definition, c_ast.Decl) and definition.init is not None:
            flow.value(reader.initialiser(sema.decl_symbol(definition).type, definition.init), WORLD)
    for region in regions:
        flow.statement(reader.statement(region.body))
    found = flow.solve()
    # Arrays of variable size are always on the heap.
    symbols = {s for s in found if isinstance(s, Symbol) and not is_of_variable_size(s.type)}
    made = (flow.made[place].origin for place in found if place in flow.made)
    literals = frozenset(origin for origin in made if isinstance(origin, c_ast.CompoundLiteral))
    result = Escaping(frozenset(symbols & declared), frozenset(symbols & copies), literals)
    refused = (n.origin for n in found if isinstance(n, Call) and _is_alloca(n.origin))
    what = "memory of 'alloca' may reach other threads, which is not supported"
    return result, [d for n in refused for d in error_at(unit.span_of(n), what).diagnostics]


def _declared(sema: Sema, regions: Sequence[TargetRegion], code: UsedCode) -> set[Symbol]:
    """The variables that device code declares for one thread."""
    declared = {s for r in regions for s in locals_of(sema, r.body)}
    for function in code.functions:
        declared.update(locals_of(sema, function.body), sema.parameters(function))
    return {s for s in declared if s.is_variable and not s.has_static_storage}


def _is_unnamed(node: c_ast.Node) -> bool:
    """Whether an expression makes an unnamed object on the stack."""
    return isinstance(node, c_ast.CompoundLiteral) or _is_alloca(node)


def _is_alloca(node: object) -> bool:
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name.endswith("alloca")
