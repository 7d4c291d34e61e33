"""Collects everything of a unit that the device needs, because its regions use it, or ``declare target`` says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from pycparser import c_ast

from ...base.diagnostics import SEVERAL_UNITS, Diagnostic, OtherUnitsNeeded, error_at
from ...base.records import dataclass, replace
from ...directives.contents import clause_locators
from ...directives.model import Expr, Locator, ReductionClause
from ...openmp import call_graph
from ...openmp.call_graph import Mentions
from ...openmp.declare_target import DECLARE_TARGET, RULE, device_type, named_by
from ...openmp.restrictions import is_indirect, shares_memory
from ...openmp.team_memory import called_in_sequence, outermost_parallel, team_memory
from ...plan.constructs import NO_SHARING, TeamMemory
from ...plan.unit import DeviceCode, DeviceFunction
from ..reading.statements import reader_of
from ..sema import Sema, Symbol, locals_of, walk
from ..sema.ctype import CType, Function, Pointer
from ..sema.type_questions import has_pointer, is_variably_modified
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .construct_facts import ConstructTable, combined_type, element, reduction_functions
from .devicecode import Collected, UsedCode, collect
from .found import FoundConstruct, UnitConstructs, has_leaf
from .optimise.accesses import calls_of

_KNOWN_AS = {"__errno_location": "errno", "_setjmp": "setjmp", "__sigsetjmp": "sigsetjmp"}
_MOST = 20_000  # nodes of a function or region with everything that is inlined into it: a few thousand lines
_PARTS = 2_000  # the limit for the parts, once something is larger than that
_SHARED_MEMORY = 8 * 1024  # in bytes, for all functions that a kernel may call


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
    asked: set[tuple[str, CType]] = set()
    constructs = (node for part in code for node in walk(part) if isinstance(node, OmpConstruct))
    for construct in constructs if unit.reductions else ():
        for clause in construct.directive.clauses:
            if isinstance(clause, ReductionClause):
                kinds = (s.type for item in clause.items if (s := sema.lookup(construct, item.name)) is not None)
                asked |= {(clause.operator, element(kind, of_elements=isinstance(kind, Pointer))) for kind in kinds}
    used = [r for r in unit.reductions if (r.name, combined_type(sema, r)) in asked]
    for reduction in used:
        sema.analyse(sema.functions[reduction.uses])
    return [sema.functions[reduction.uses].body for reduction in used]


def _in_tables(sema: Sema, code: UsedCode) -> list[str]:
    """The functions whose addresses are in initialisers of device variables."""
    definitions = (s.definition for s in code.globals)
    initialisers = [d.init for d in definitions if isinstance(d, c_ast.Decl) and d.init is not None]
    named = {n.name: None for init in initialisers for n in walk(init) if isinstance(n, c_ast.ID)}
    return [name for name in named if name in sema.functions]


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


# Functions that are not inlined, because nvcc would otherwise take minutes to compile a kernel.
#
# nvcc inlines everything that it can. A kernel that calls deep into a library of thousands of lines would grow to
# millions.


def functions_kept_as_calls(
    sema: Sema, functions: Sequence[c_ast.FuncDef], bodies: Sequence[c_ast.Node]
) -> frozenset[str]:
    """The names of the functions that are not to be inlined.

    In ``functions``, callees stand before their callers. ``bodies`` are the bodies of regions.
    """
    nodes = [(node, *_size_and_calls(sema, node)) for node in (*functions, *bodies)]
    return _outlined(nodes, _PARTS) if _outlined(nodes, _MOST) else frozenset()


def _size_and_calls(sema: Sema, node: c_ast.Node) -> tuple[int, Counter[str]]:
    parts = sema.parts(node)
    named = (n.name.name for n in parts.of(c_ast.FuncCall) if isinstance(n.name, c_ast.ID))
    return len(parts.nodes), Counter(named)


def _outlined(nodes: Sequence[tuple[c_ast.Node, int, Counter[str]]], most: int) -> frozenset[str]:
    """The functions to keep as calls, so that nothing is larger than ``most``. The largest contributions go first."""
    sizes: dict[str, int] = {}
    kept_as_calls: set[str] = set()
    for node, own, calls in nodes:
        inlined = {f: count * sizes[f] for f, count in calls.items() if f in sizes and f not in kept_as_calls}
        size = own + sum(inlined.values())
        for name in sorted(inlined, key=lambda f: (-inlined[f], f)):
            if size <= most:
                break
            kept_as_calls.add(name)
            size -= inlined[name]
        if isinstance(node, c_ast.FuncDef):
            sizes[node.decl.name] = size
    return frozenset(kept_as_calls)


# What C's device code mentions (:mod:`...openmp.call_graph`).


class CallGraph(call_graph.CallGraph[c_ast.Node, c_ast.FuncDef, OmpConstruct]):
    """The calls in one unit's device code. Every body must belong to a function that has been analysed.

    ``elsewhere`` are functions that other units of a separable device link define. ``by_address`` are the names of
    functions of this unit that pointers may lead to. If the unit ``is_separable``, such a call may also reach other
    units.
    """

    def __init__(
        self,
        sema: Sema,
        elsewhere: frozenset[str] = frozenset(),
        by_address: Sequence[str] = (),
        is_separable: bool = False,
    ) -> None:
        super().__init__([sema.functions[name] for name in by_address])
        self.sema = sema
        self.elsewhere = elsewhere
        self.is_separable = is_separable

    def body(self, function: c_ast.FuncDef) -> c_ast.Node:
        self.sema.analyse(function)
        return function.body

    def constructs(self, code: c_ast.Node) -> Sequence[OmpConstruct]:
        return self.sema.parts(code).of(OmpConstruct)

    def mentioned(self, code: c_ast.Node) -> Mentions[c_ast.FuncDef]:
        sema = self.sema
        functions: dict[str, None] = {}
        asked: set[str] = set()
        pointer_calls = calls_other_units = False
        for part in sema.parts(code).of(c_ast.ID, c_ast.FuncCall, OmpConstruct):
            if isinstance(part, c_ast.ID):
                calls_other_units |= part.name in self.elsewhere
                if part.name in sema.functions and part.name not in functions:
                    symbol = sema.symbol(part)
                    if symbol is not None and isinstance(symbol.type, Function):
                        functions[part.name] = None
            elif isinstance(part, c_ast.FuncCall):
                if isinstance(part.name, c_ast.ID) and part.name.name.startswith("omp_"):
                    asked.add(part.name.name)
                symbol = sema.symbol(part.name) if isinstance(part.name, c_ast.ID) else None
                pointer_calls |= not isinstance(part.name, c_ast.ID) or (symbol is not None and symbol.is_variable)
            elif isinstance(part, OmpConstruct):
                functions.update(dict.fromkeys(reduction_functions(sema, part)))
        calls_other_units |= pointer_calls and self.is_separable
        reached = [sema.functions[name] for name in functions]
        return Mentions(reached, frozenset(asked), pointer_calls, calls_other_units)


# Functions with parallel regions that a team's sequential part calls. All threads of the team run these regions.
#
# Elsewhere any number of threads may call such a function, and its regions have one thread each. So device code has two
# versions of it.


def team_functions(
    constructs: ConstructTable, code: UsedCode, bodies: Sequence[c_ast.Node], by_address: Collection[str]
) -> dict[Symbol, TeamMemory]:
    """The functions of the device code that need a second version, with their variables in team memory.

    ``bodies`` are the bodies of regions. A function whose address is taken gets none, because it has only one address.
    A recursive function gets none, because team memory holds the variables of a single call. A function with static
    variables gets none, because each of these would exist twice.
    """
    sema = constructs.sema
    if not any(has_leaf(sema, f.body, "parallel") for f in code.functions):
        return {}
    calls, read = calls_of(sema), reader_of(sema).body
    addressed = {*by_address, *used_as_values(sema, code, bodies)}
    found: dict[Symbol, TeamMemory] = {}
    room = _SHARED_MEMORY
    for definition in code.functions:  # callees stand before callers
        tree, local = read(definition), locals_of(sema, definition.body)
        symbol, body = tree.function.entity, tree.statement
        assert isinstance(symbol, Symbol)
        if symbol.name in addressed or tree.function in calls.functions(body)[0] or any(s.is_static for s in local):
            continue
        if any(outermost_parallel(body)) or called_in_sequence(body, found):
            parameters, sharing_of = sema.parameters(definition), constructs.sharing
            memory = team_memory([body], sharing_of, calls, NO_SHARING, parameters, local.__contains__)
            found[symbol] = memory.within(room)
            room = max(0, room - found[symbol].bytes)
    return found


def used_as_values(sema: Sema, code: UsedCode, bodies: Sequence[c_ast.Node]) -> set[str]:
    """The names of the unit's functions that are used otherwise than as the function of a call."""
    names = {f.decl.name for f in code.functions}
    initialisers = [s.definition.init for s in code.globals if isinstance(s.definition, c_ast.Decl)]
    found: set[str] = set()
    for root in (*bodies, *(f.body for f in code.functions), *(i for i in initialisers if i is not None)):
        parts = sema.parts(root)
        called = {n.name for n in parts.of(c_ast.FuncCall)}
        found.update(n.name for n in parts.of(c_ast.ID) if n.name in names and n not in called)
    return found


@dataclass(frozen=True)
class DeclaredTarget:
    """``named`` has the variables and functions, each with its directive and the clause (``to`` or ``link``).

    ``pragmas`` are the offsets of the directives. ``hosts`` are the variables that the device shares with the host,
    because the unit requires shared memory.
    """

    named: Mapping[Symbol, tuple[OmpConstruct, str]]
    pragmas: tuple[int, ...]
    hosts: tuple[Symbol, ...] = ()

    @property
    def on_device(self) -> list[Symbol]:
        """The variables and functions with a version on the device."""
        return [symbol for symbol, (item, _) in self.named.items() if device_type(item.directive) != "host"]

    @property
    def stored(self) -> list[Symbol]:
        """The variables with storage on the device."""
        links = self.links
        return [s for s in self.on_device if s.is_object and s not in links]

    @property
    def links(self) -> list[Symbol]:
        """The variables to which the device has a pointer."""
        return [*self.hosts, *(s for s in self.on_device if self.named[s][1] == "link" and s not in self.hosts)]


def declared_target(unit: ParsedUnit, sema: Sema, in_blocks: Sequence[OmpConstruct]) -> DeclaredTarget:
    """What the directives of a unit name. ``in_blocks`` are directives inside functions."""
    items = [*unit.ast.ext, *in_blocks]
    constructs = [one for one in items if isinstance(one, OmpConstruct) and one.directive.name in DECLARE_TARGET]

    def between(begin: OmpConstruct, end: OmpConstruct) -> Iterator[Symbol]:
        for item in items[items.index(begin) : items.index(end)]:
            declaration = item.decl if isinstance(item, c_ast.FuncDef) else item
            name = declaration.name if isinstance(declaration, c_ast.Decl) else None
            symbol = sema.file_symbol(name) if name else None
            if symbol is not None and (symbol.is_object or symbol.is_function):
                yield symbol

    named = named_by(constructs, partial(_listed, unit, sema), between, in_blocks.__contains__)
    return DeclaredTarget(named, tuple(one.start for one in constructs))


def _listed(
    unit: ParsedUnit, sema: Sema, item: OmpConstruct, locator: Locator, how: str
) -> tuple[Symbol, ...]:
    """What a list item means."""
    symbol = sema.lookup(item, locator.name)
    if symbol is None:
        raise error_at(locator.span, f"'{locator.name}' is not declared")
    if symbol.is_variable and not symbol.is_global:
        _check_static(sema, symbol, locator, how)
    if locator.steps or not (symbol.is_object or symbol.is_function):
        raise error_at(locator.span, f"'{locator.text}' is neither a variable nor a function", RULE)
    if how == "link" and symbol.is_function:
        raise error_at(locator.span, f"'{locator.name}' in 'link' is not a variable", RULE)
    if (how == "link" or item.directive.has("indirect")) and symbol.node not in unit.ast.ext:
        raise error_at(locator.span, f"'{locator.name}' is not declared at file scope, where its address is needed")
    return (symbol,)


def _check_static(sema: Sema, symbol: Symbol, locator: Locator, how: str) -> None:
    """Raise InputError for variables of a function that cannot be on the device."""
    function = sema.functions[symbol.function or ""]
    nested = [n for n in walk(function.body) if isinstance(n, c_ast.FuncDef)]
    what = None
    if not symbol.is_static:
        what = "is not static: its storage does not last"
    elif how == "link":
        what = "is a variable of a function, for which 'link' is not supported"
    elif is_variably_modified(symbol.type):
        what = "has a type of variable size"
    elif "inline" in function.decl.funcspec and "static" not in function.decl.storage:
        what = "belongs to an inline function that is not static, whose code may be another unit's"
    elif any(n is symbol.node for f in nested for n in walk(f.body)):
        what = "belongs to a nested function, which is not supported"
    if what is not None:
        raise error_at(locator.span, f"'{locator.name}' {what}", RULE)


def indirect_functions(sema: Sema, declared: DeclaredTarget, shared: frozenset[Symbol]) -> tuple[Symbol, ...]:
    """The functions that the device can call by their host addresses (OpenMP 5.2, section 7.8.3).

    They have a definition here, or in another unit of a separable link.
    """

    def value(given: Expr) -> int | None:
        sema.analyse(given.node)
        return sema.value(given.node)

    found = []
    for symbol, (item, _) in declared.named.items():
        if not symbol.is_function or not is_indirect(item.directive, value):
            continue
        if symbol.name in sema.functions or symbol in shared:
            found.append(symbol)
    return tuple(found)


def is_shared(symbol: Symbol) -> bool:
    """Whether other units can mean the same object by this name. Every unit has its own inline functions."""
    inline = isinstance(symbol.definition, c_ast.FuncDef) and "inline" in symbol.definition.decl.funcspec
    return not symbol.is_static and not inline
