"""Collects everything of a unit that the device needs, because its regions use it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pycparser import c_ast

from ...base.diagnostics import SEVERAL_UNITS, Diagnostic, OtherUnitsNeeded
from ...base.records import dataclass, replace
from ...directives.contents import clause_locators
from ...directives.model import ReductionClause
from ...openmp.requirements import shares_memory
from ...plan.memory import TeamMemory
from ...plan.unit import DeviceCode, DeviceFunction
from ..sema import Sema, Symbol, walk
from ..sema.ctype import Array, CType, Function, Pointer, strip
from ..sema.type_questions import has_pointer
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .call_graph import CallGraph
from .construct_facts import ConstructTable
from .declare_target import DeclaredTarget, declared_target, indirect_functions, is_shared
from .devicecode import Collected, collect
from .found import FoundConstruct, UnitConstructs
from .team_functions import team_functions
from .used_code import UsedCode


@dataclass(frozen=True)
class DeviceClosure:
    """``roots`` are the statements of the regions, and ``code`` is everything that they use.

    ``shared`` are the declare target names that other units of a separable device link know too. ``indirect`` are the
    functions that host pointers may mean on the device. ``tables`` are the constants that the device code defines for
    itself. ``team_functions`` have a version of their own for calls from a team's sequential part.
    """

    roots: tuple[c_ast.Node, ...]
    code: UsedCode
    undefined: tuple[tuple[Symbol, c_ast.Node], ...]  # what it uses and nothing defines, with the first use
    elsewhere: tuple[tuple[Symbol, c_ast.Node], ...]  # the same for what other units have to define
    calls: CallGraph
    declared: DeclaredTarget
    shared: frozenset[Symbol]
    indirect: tuple[Symbol, ...]
    tables: frozenset[Symbol]
    team_functions: Mapping[Symbol, TeamMemory]

    @property
    def function_bodies(self) -> tuple[c_ast.Node, ...]:
        """The bodies of the functions that device code calls."""
        return tuple(f.body for f in self.code.functions)


def close_over(
    unit: ParsedUnit, constructs: ConstructTable, found: UnitConstructs, separable: bool | None
) -> DeviceClosure:
    """Collect what the unit's regions use. In a ``separable`` unit, another unit may define external names.

    If that is None, raises OtherUnitsNeeded where it makes a difference.
    """
    sema = constructs.sema
    declared = declared_target(unit, sema, found.declaring)
    if separable is not False:
        declared = _without_host_functions(sema, declared)
    shared = frozenset(filter(is_shared, declared.on_device)) if separable else frozenset()
    indirect = indirect_functions(sema, declared, shared) if found.regions else ()
    bodies = found.bodies

    def closure(roots: Iterable[c_ast.Node], tables: frozenset[Symbol] = frozenset()) -> Collected:
        return collect(sema, roots, unit, shared, tables, indirect, declared.stored, declared.links)

    reached = closure(bodies)
    if separable is None and _needs_others(unit, declared, reached, bool(found.regions)):
        raise OtherUnitsNeeded
    if shares_memory(unit.requirements):
        # The runtime writes to all variables of the image that have entries, and constants may be read-only.
        own = dict.fromkeys([*declared.stored, *(s for s in reached.code.globals if not is_constant(s))])
        declared = replace(declared, hosts=tuple(s for s in own if s.is_global))
        reached = closure(bodies)
    if separable and (elsewhere := _defined_elsewhere(unit, reached.undefined)):
        shared |= elsewhere
        reached = closure(bodies)
    tables = _address_tables(sema, found.lowered, reached.root_globals)
    used = [*(f.construct for f in found.regions), *(f.body for f in reached.code.functions)]
    reductions = _reduction_functions(sema, unit, used)
    if tables or reductions:
        reached = closure([*bodies, *reductions], tables)
    code = reached.code
    by_address = (*(s.name for s in indirect if s.name in sema.functions), *_in_tables(sema, code))
    calls = CallGraph(sema, frozenset(s.name for s in code.elsewhere), by_address, bool(separable))
    with_regions = team_functions(constructs, code, bodies, by_address)
    return DeviceClosure(
        bodies, code, reached.undefined, reached.shared, calls, declared, shared, indirect, tables, with_regions
    )


def _without_host_functions(sema: Sema, declared: DeclaredTarget) -> DeclaredTarget:
    """Leave out functions that only the host can call, and that other units therefore need no device code of."""
    offered = (s for s, (item, _) in declared.named.items() if s.is_function and not item.directive.has("indirect"))
    defined = {sema.functions[s.name]: s for s in offered if s.name in sema.functions}
    left_out = {defined[function] for function in CallGraph(sema).lead_to_regions(defined)}
    return replace(declared, named={s: said for s, said in declared.named.items() if s not in left_out})


def device_code(closure: DeviceClosure) -> DeviceCode:
    """The functions and variables that the plan lists."""
    code, sema = closure.code, closure.calls.sema
    functions = {}
    for function in code.functions:
        symbol = sema.file_symbol(function.decl.name)
        assert symbol is not None
        functions[function] = DeviceFunction(symbol, function, closure.team_functions.get(symbol))
    early = tuple(functions[f] for f in _declared_early(closure))
    return DeviceCode(tuple(functions.values()), early, code.globals, code.system_headers, code.elsewhere)


def _declared_early(closure: DeviceClosure) -> tuple[c_ast.FuncDef, ...]:
    """The functions to declare before their definition: those that call each other, and those in initialisers."""
    code, sema = closure.code, closure.calls.sema
    indirect = {symbol.name for symbol in closure.indirect}
    needed = {f.decl.name: f for f in code.prototypes}
    for symbol in code.globals:
        if isinstance(symbol.definition, c_ast.Decl) and symbol.definition.init is not None:
            named = (sema.symbol(n) for n in walk(symbol.definition.init) if isinstance(n, c_ast.ID))
            names = {s.name for s in named if s is not None}
            needed.update({f.decl.name: f for f in code.functions if f.decl.name in names})
    needed.update({f.decl.name: f for f in code.functions if f.decl.name in indirect})
    return tuple(needed.values())


def undefined_errors(unit: ParsedUnit, closure: DeviceClosure) -> list[Diagnostic]:
    """The errors about functions and variables that device code uses and nothing defines."""
    return [_no_definition(unit, symbol, node) for symbol, node in closure.undefined]


def _reduction_functions(sema: Sema, unit: ParsedUnit, code: Sequence[c_ast.Node]) -> list[c_ast.Node]:
    """Statements that name the functions of user-defined reductions, for the clauses in device code that need them."""
    if not unit.reductions:
        return []
    asked: dict[str, list[CType | None]] = {}
    for construct in (node for part in code for node in walk(part) if isinstance(node, OmpConstruct)):
        for clause in construct.directive.clauses:
            if isinstance(clause, ReductionClause):
                kinds = (_element(sema.lookup(construct, item.name)) for item in clause.items)
                asked.setdefault(clause.operator, []).extend(kinds)
    bodies = []
    for reduction in unit.reductions:
        function = sema.functions[reduction.uses]
        if _combined(sema, reduction.combine) in asked.get(reduction.name, ()):
            sema.analyse(function)
            bodies.append(function.body)
    return bodies


def _element(symbol: Symbol | None) -> CType | None:
    """The type that a reduction over a variable, an array or a section of either combines."""
    kind = strip(symbol.type) if symbol is not None else None
    if isinstance(kind, Pointer):
        kind = strip(kind.to)
    while isinstance(kind, Array):
        kind = strip(kind.of)
    return kind


def _combined(sema: Sema, combine: str) -> CType | None:
    """The type that a combiner combines."""
    symbol = sema.file_symbol(combine)
    pointer = symbol.type.params[0] if symbol is not None and isinstance(symbol.type, Function) else None
    return strip(pointer.to) if isinstance(pointer, Pointer) else None


def _in_tables(sema: Sema, code: UsedCode) -> list[str]:
    """The functions whose addresses are in initialisers of device variables."""
    definitions = (s.definition for s in code.globals)
    initialisers = [d.init for d in definitions if isinstance(d, c_ast.Decl) and d.init is not None]
    named = {n.name: None for init in initialisers for n in walk(init) if isinstance(n, c_ast.ID)}
    return [name for name in named if name in sema.functions]


_KNOWN_AS = {"__errno_location": "errno", "_setjmp": "setjmp", "__sigsetjmp": "sigsetjmp"}


def _defined_elsewhere(unit: ParsedUnit, undefined: Sequence[tuple[Symbol, c_ast.Node]]) -> frozenset[Symbol]:
    """The functions that another unit of a separable link has to define.

    A call of a function in device code declares it target implicitly (OpenMP 5.2, section 7.8).
    """
    functions = {s for s, _ in undefined if s.is_function and is_shared(s)}
    places = {s: getattr(s.node, "coord", None) for s in functions}
    return frozenset(s for s, at in places.items() if at is not None and not unit.pre.origin_of(at.line)[0].system)


def _needs_others(unit: ParsedUnit, declared: DeclaredTarget, reached: Collected, has_regions: bool) -> bool:
    """Whether device code uses what another unit may define, or others may use what this unit defines for the device.

    That they do is known of what a header declares, and of what nothing in this unit uses. Each unit has what a header
    defines.
    """

    def in_header(node: c_ast.Node) -> bool:
        return unit.pre.origin_of(node.coord.line)[0].file != unit.pre.main_file

    on_device = [symbol for symbol in declared.on_device if symbol.is_global and is_shared(symbol)]
    if any(symbol in on_device for symbol, _ in reached.undefined) or _defined_elsewhere(unit, reached.undefined):
        return True
    offered = {s.name for s in on_device if s.definition is not None and not in_header(s.definition)}
    used = {function.decl.name for function in reached.code.functions}
    kept = (s.name for s in on_device if s.name in offered and (s.is_function or not has_regions))
    if any(name not in used for name in kept):
        return True
    return any(isinstance(item, c_ast.Decl) and item.name in offered and in_header(item) for item in unit.ast.ext)


def _no_definition(unit: ParsedUnit, symbol: Symbol, node: c_ast.Node) -> Diagnostic:
    declared = getattr(symbol.node, "coord", None)
    if declared is not None and unit.pre.origin_of(declared.line)[0].system:
        name = _KNOWN_AS.get(symbol.name, symbol.name)
        notes = ("device code writes to stdout and stderr only",) if name in ("fprintf", "fputs") else ()
        message = f"'{name}' of the C library is not available in device code"
        return Diagnostic("error", message, unit.span_of(node), notes)
    where = "define it here" if symbol.is_variable else "define it here, for example as a static function in a header"
    return Diagnostic(
        "error",
        f"'{symbol.name}' is used in device code but has no definition in this unit",
        unit.span_of(node),
        (f"{where}, or {SEVERAL_UNITS}",),
    )


def _address_tables(sema: Sema, found: Sequence[FoundConstruct], symbols: Iterable[Symbol]) -> frozenset[Symbol]:
    """Constant pointers to functions and strings, and tables of them. The device needs them with its own addresses.

    To map one would copy the host's addresses. Tables that a clause names, or that hold addresses of variables, are
    mapped nevertheless.
    """
    named = {
        sema.lookup(f.construct, item.name)
        for f in found
        for clause in f.construct.directive.clauses
        for item in clause_locators(clause)
    }
    return frozenset(s for s in symbols if s not in named and is_constant(s) and _holds_device_addresses(sema, s))


def _holds_device_addresses(sema: Sema, symbol: Symbol) -> bool:
    definition = symbol.definition
    if not isinstance(definition, c_ast.Decl) or definition.init is None or not has_pointer(symbol.type):
        return False
    sema.analyse(definition)
    mentioned = [sema.symbol(n) for n in walk(definition.init) if isinstance(n, c_ast.ID)]
    return all(s is None or not s.is_variable for s in mentioned)


def is_constant(symbol: Symbol) -> bool:
    """Whether a variable is a constant whose value is in this unit."""
    kind = symbol.type
    while hasattr(kind, "of"):
        kind = kind.of
    return "const" in kind.quals and symbol.definition is not None
