"""Finds variables of single threads that other threads may reach, through pointers left in shared memory.

On a GPU every thread has its own stack, and the address of a variable on it means another place to every other thread.
The variables found here are therefore on the device's heap. Other variables whose address is taken stay on the stack,
where they cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pycparser import c_ast

from ...base.diagnostics import Diagnostic, error_at
from ...plan.constructs import DeviceConstruct, Entity, Escaping, LoopNest, Sharing
from ...plan.rows import Transport
from ...plan.unit import KernelKind, TargetRegion
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
    if all(_has_one_thread(r) for r in regions) and not separable:
        return Escaping(), []
    bodies = [*(r.body for r in regions), *(f.body for f in code.functions)]
    declared, copies = _own(sema, regions, code, constructs)
    by_value = _by_value(regions)
    own = declared | by_value
    addressed = {s for body in bodies for s in changed_in(sema, body).addressed}
    makers = (n for body in bodies for n in sema.parts(body).of(c_ast.CompoundLiteral, c_ast.FuncCall))
    if not addressed & (own | copies) and not any(map(_is_unnamed, makers)):
        return Escaping(), []
    from ...openmp.addresses import AddressFlow
    from ...tree.points_to import WORLD

    reader = reader_of(sema)
    functions = {body.function: body for body in map(reader.body, code.functions)}
    elsewhere = (copies - own).union(*(memory.shared for memory in closure.team_functions.values()))
    flow = AddressFlow(functions, lambda name: library_name(name) is not None, own | copies, elsewhere, separable)
    for sharing, broadcast in _sharings(regions, constructs):
        for symbol in (*broadcast, *sharing.lastprivate, *(r.symbol for r in sharing.reductions)):
            flow.copy(symbol, WORLD)  # other threads get its value
            flow.copy(WORLD, symbol)
        for symbol in sharing.firstprivate:
            flow.copy(WORLD, symbol)
    for symbol in by_value:
        flow.copy(WORLD, symbol)
    for symbol in (*closure.indirect, *closure.shared):  # which other units, or pointers from the host, lead to
        flow.point(WORLD, reader.types.symbol(symbol))
    lasting = (n for body in bodies for n in sema.parts(body).of(c_ast.Decl) if "static" in n.storage)
    for definition in (*(symbol.definition for symbol in code.globals), *lasting):
        if isinstance(definition, c_ast.Decl) and definition.init is not None:
            flow.value(reader.initialiser(sema.decl_symbol(definition).type, definition.init), WORLD)
    for region in regions:
        flow.statement(reader.statement(region.body))
    for function in functions.values():
        flow.body(function)
    found = flow.solve()
    # Arrays of variable size are always on the heap.
    symbols = {s for s in found if isinstance(s, Symbol) and not is_of_variable_size(s.type)}
    made = (flow.made[place].origin for place in found if place in flow.made)
    literals = frozenset(origin for origin in made if isinstance(origin, c_ast.CompoundLiteral))
    result = Escaping(frozenset(symbols & declared), frozenset(symbols & copies), literals)
    refused = (n.origin for n in found if isinstance(n, Call) and _is_alloca(n.origin))
    what = "memory of 'alloca' may reach other threads, which is not supported"
    return result, [d for n in refused for d in error_at(unit.span_of(n), what).diagnostics]


def _has_one_thread(region: TargetRegion) -> bool:
    one_team = region.launch.teams is None and region.launch.default_teams == 1
    return region.kind is KernelKind.SERIAL and one_team


def _sharings(
    regions: Iterable[TargetRegion], constructs: Mapping[OmpConstruct, DeviceConstruct]
) -> list[tuple[Sharing, tuple[Entity, ...]]]:
    return [*((r.sharing, ()) for r in regions), *((c.sharing, c.broadcast) for c in constructs.values())]


def _own(
    sema: Sema, regions: Sequence[TargetRegion], code: UsedCode, constructs: Mapping[OmpConstruct, DeviceConstruct]
) -> tuple[set[Symbol], set[Entity]]:
    """(the variables that device code declares for one thread, those of which constructs make private copies)."""
    in_team = {s for r in regions for s in (*r.team_memory.shared, *r.team_memory.heap)}
    declared = {s for r in regions for s in locals_of(sema, r.body)}
    for function in code.functions:
        declared.update(locals_of(sema, function.body), sema.parameters(function))
    own = {s for s in declared - in_team if s.is_variable and not s.has_static_storage}
    copies = {s for sharing, _ in _sharings(regions, constructs) for s in sharing.named}
    copies |= {level.symbol for nest in _nests(regions, constructs) for level in nest.levels}
    return own, copies


def _by_value(regions: Iterable[TargetRegion]) -> set[Entity]:
    """The variables whose values threads get as parameters of their kernel."""
    return {
        capture.symbol
        for region in regions
        for capture in region.captures
        if capture.transport is not Transport.ADDRESS and capture.symbol not in region.team_memory.shared
        if not isinstance(strip(capture.symbol.type), Array)
    }


def _nests(regions: Iterable[TargetRegion], constructs: Mapping[OmpConstruct, DeviceConstruct]) -> list[LoopNest]:
    return [n for n in (*(r.nest for r in regions), *(c.nest for c in constructs.values())) if n is not None]


def _is_unnamed(node: c_ast.Node) -> bool:
    """Whether an expression makes an unnamed object on the stack."""
    return isinstance(node, c_ast.CompoundLiteral) or _is_alloca(node)


def _is_alloca(node: object) -> bool:
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name.endswith("alloca")
