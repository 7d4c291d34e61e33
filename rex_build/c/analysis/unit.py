"""The plan of a whole translation unit."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from pycparser import c_ast

from ...base.diagnostics import Diagnostic, InputError, error_at
from ...base.records import dataclass
from ...directives.model import ExprClause, KeywordClause, ListClause, Locator, ReductionClause
from ...directives.parser import check_on_device, refuse_unsupported
from ...plan.constructs import DeviceConstruct
from ...plan.data import DataConstruct
from ...plan.device_code import DeviceCode
from ...plan.names import GeneratedNames, identifiers
from ...plan.region import TargetRegion
from ...plan.unit import DeclareTargetVariable, TranslationUnitPlan
from ..sema import Sema, Symbol, clause_locators, walk
from ..sema.ctype import Array, CType, Function, Pointer, has_pointer, is_sizeless, is_variably_modified, strip
from ..sema.layout import sema_of
from ..source.extents import statement_end
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .attachment import carrying_objects, stored_pointers
from .call_graph import CallGraph
from .data import data_construct, renamed_symbols
from .device_names import global_name
from .devicecode import collect
from .escapes import escaping
from .host_sharing import LIMITS, generated_variables, with_listed
from .kept_as_calls import functions_kept_as_calls
from .listed import privatised_names
from .mappers import MapperTable, declared_mappers
from .mapping import HostNames
from .nested import REDUCTION_LOCK, device_construct
from .nesting import nesting
from .optimise.spmd import run_by_all
from .recursion import may_recurse
from .regions import RegionAnalyser
from .runtime_api import declare_missing, renamed_functions, shares_memory
from .team_functions import team_functions
from .unit_facts import UnitFacts

_DATA = ("target data", "target enter data", "target exit data", "target update")
_DECLARE = ("declare target", "begin declare target", "end declare target")


@dataclass(frozen=True)
class _Found:
    """A construct that concerns the device, and the function it stands in.

    ``private`` are the variables of which host constructs around it have copies.
    """

    function: c_ast.FuncDef
    construct: OmpConstruct
    private: frozenset[Symbol | None]


def plan_unit(
    unit: ParsedUnit,
    source_name: str,
    defines: Sequence[str],
    left_to_host: frozenset[int] = frozenset(),
    separable: bool = False,
    no_opt: frozenset[str] = frozenset(),
    ordered: bool = False,
) -> TranslationUnitPlan:
    """Decide everything about a unit.

    ``source_name`` names it independently of where it is built; ``defines`` are the -D and -U flags, which tell apart
    two compilations of one file. ``left_to_host`` are the offsets of target constructs that stay on the host, as if
    they had an ``if`` clause that is false. ``no_opt`` names the transformations to leave out;
    ``ordered``: partial results of reductions are combined in the same order in every run. In a
    ``separable`` unit, declare target functions and variables with external linkage may be defined in, and used by,
    other units. Raises InputError with every error found, in source order.
    """
    sema = sema_of(unit)
    declarations = declare_missing(unit, sema)
    found, in_blocks = _find_constructs(unit, sema)
    errors: list[Diagnostic] = []
    for item in found:
        _collect(errors, lambda item=item: _check_ancestor(unit, sema, item.construct))
    stays = left_to_host | {f.construct.start for f in found if _is_for_ancestor(f.construct)}
    host = [f for f in found if f.construct.start in stays]
    found = [f for f in found if f.construct.start not in stays]
    for item in found:
        _collect(errors, lambda item=item: _check_readable(item.construct))
    if errors:
        raise InputError(_in_source_order(errors))
    regions = [f for f in found if f.construct.directive.is_target]
    bodies = [f.construct.body for f in regions if f.construct.body is not None]
    declared, removed = _declare_target(unit, sema, in_blocks)
    shared = frozenset(filter(_is_shared, _on_device(declared))) if separable else frozenset()
    indirect = _indirect_functions(sema, declared, shared) if regions else ()
    stored = [s for s in _on_device(declared) if s.kind == "object" and declared[s][1] != "link"]
    links = [s for s in _on_device(declared) if declared[s][1] == "link"]
    code = collect(sema, bodies, unit, shared, indirect=indirect, declared=stored, links=links)
    if separable and (elsewhere := _defined_elsewhere(unit, code.undefined)):
        shared |= elsewhere
        code = collect(sema, bodies, unit, shared, indirect=indirect, declared=stored, links=links)
    tables = _address_tables(sema, found, code.root_globals)
    reductions = _reduction_functions(sema, unit, [*(f.construct for f in regions), *(f.body for f in code.functions)])
    if tables or reductions:
        code = collect(sema, [*bodies, *reductions], unit, shared, tables, indirect, stored, links)
    errors += [_no_definition(unit, symbol, node) for symbol, node in code.undefined]
    by_address = (*(s.name for s in indirect if s.name in sema.functions), *_in_tables(sema, code))
    calls = CallGraph(sema, frozenset(symbol.name for symbol in code.elsewhere), by_address, separable)
    with_regions = team_functions(sema, code, bodies, by_address)
    names = _unit_names(unit, source_name, defines, regions)
    variables = _device_variables(declared, code, names[0], shared)
    functions_table = f"__rex_functions_{names[0]}"
    mappers = MapperTable(sema, declared_mappers(unit, sema))
    removed += [(m.construct.start, unit.pre.text.index("\n", m.construct.start)) for m in mappers.mappers]
    pointers = {v.symbol: v.device_name for v in variables if v.link}
    renamed = renamed_symbols(sema, (f.construct for f in found if f.construct.directive.name == "target data"))

    private = {f.construct: f.private for f in (*found, *host)}
    threadprivate = _threadprivate(unit, sema)
    mapped = stored_pointers(sema, ((f.function, f.construct) for f in found))
    carrying = carrying_objects(sema, (f.construct for f in found))

    def host_names(construct: OmpConstruct) -> HostNames:
        own = private[construct]
        linked = {symbol: name for symbol, name in pointers.items() if symbol not in own}
        named = frozenset(v.symbol for v in variables if not v.link and v.symbol not in own)
        return HostNames(linked, renamed.get(construct, {}), named, threadprivate, mapped, carrying)

    data: list[DataConstruct] = []
    for item in found:
        if item.construct.directive.name in _DATA:
            _collect(
                errors,
                lambda item=item: data.append(
                    data_construct(
                        unit, sema, item.function.decl.name, item.construct, host_names(item.construct), mappers
                    )
                ),
            )
    facts = UnitFacts(
        unit,
        calls,
        names[0],
        frozenset(v.symbol for v in variables),
        {v.symbol: v.device_name for v in variables if not v.link},
        _mapped_by_data(sema, found),
        mappers,
        host_names,
        private,
        no_opt,
        ordered,
        tables,
        threadprivate,
        with_regions,
        functions_table if indirect else "",
    )
    planned: list[TargetRegion] = []
    constructs: dict[OmpConstruct, DeviceConstruct] = {}
    for index, item in enumerate(regions, 1):
        _collect(
            errors,
            lambda item=item, index=index: planned.append(
                RegionAnalyser(facts, item.function, item.construct, index).analyse()
            ),
        )
    around = nesting([*(r.construct for r in planned), *(f.body for f in code.functions)])
    for body in [*(r.body for r in planned), *(f.body for f in code.functions)]:
        for node in walk(body):
            if isinstance(node, OmpConstruct):
                _collect(
                    errors,
                    lambda node=node: constructs.update({node: device_construct(facts, node, around[node])}),
                )
    if errors:
        raise InputError(_in_source_order(errors))
    if ordered:
        _check_ordered(planned, constructs)
    planned = [run_by_all(calls, region, constructs, with_regions, no_opt) for region in planned]
    escaped, errors = escaping(unit, sema, planned, code, constructs, with_regions, (*indirect, *shared), separable)
    if errors:
        raise InputError(_in_source_order(errors))
    host_regions = [RegionAnalyser(facts, f.function, f.construct, 0).host_only() for f in host]
    locks = sorted({c.lock for c in constructs.values() if c.lock})
    sharings = [*(c.sharing for c in constructs.values()), *(r.sharing for r in planned)]
    if any(r.functions is not None for s in sharings for r in s.reductions):
        locks.append(REDUCTION_LOCK)
    outside = _outside(
        (*unit.respelled, *renamed_functions(unit), *_without_register(unit, planned)),
        [*((r.start, r.end) for r in planned), *((r.start, r.end) for r in host_regions)],
    )
    generated = generated_variables(planned, data, (*pointers.values(), functions_table, LIMITS))
    main = sema.functions.get("main")
    return TranslationUnitPlan(
        unit=names[1],
        source_name=source_name,
        regions=tuple(planned),
        host_regions=tuple(host_regions),
        data=tuple(data),
        variables=tuple(variables),
        declarations=declarations,
        removed_pragmas=tuple(removed),
        respelled=with_listed(unit, generated, outside),
        main_body=_statements(unit, main.body) if main is not None else None,
        code=code,
        constructs=constructs,
        ordered=ordered,
        locks=tuple(locks),
        shared_memory=shares_memory(unit),
        sema=sema,
        separable=separable,
        shared=shared,
        escaping=escaped,
        team_functions=with_regions,
        kept_as_calls=functions_kept_as_calls(code.functions, bodies),
        indirect=indirect,
        functions_table=functions_table,
        names=GeneratedNames(identifiers(unit.pre.text)),
        recursive=may_recurse(calls, code, bodies),
        makes_settings=any(r.makes_settings for r in planned)
        or (separable and any(calls.makes_settings(f.body) for f in code.functions)),  # for other units' regions
    )


def _check_ordered(regions: Sequence[TargetRegion], constructs: Mapping[OmpConstruct, DeviceConstruct]) -> None:
    """Raise InputError for reductions whose order this cannot fix."""
    of_grid = {r.span for r in regions if r.partials_row is not None}
    of_tasks = {c.span for c in constructs.values() if c.kind in ("task", "taskloop", "block")}
    found = [*((r.span, r.sharing) for r in regions), *((c.span, c.sharing) for c in constructs.values())]
    for span, sharing in found:
        for reduction in sharing.reductions:
            what = None
            if reduction.functions is not None:
                what = "a declared reduction"
            elif span in of_grid and reduction.is_variable:
                what = "a reduction whose length only the run knows"
            elif span in of_tasks and str(reduction.type) in ("float", "double"):
                what = "a reduction of tasks"
            if what is not None:
                raise error_at(span, f"{what}, over '{reduction.symbol.name}', has no order: --reduction=ordered")


def _reduction_functions(sema: Sema, unit: ParsedUnit, code: Sequence[c_ast.Node]) -> list[c_ast.Node]:
    """Statements that name the functions of the user-defined reductions that clauses in device code ask for."""
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
    """What a reduction over a variable, an array or a section of either combines."""
    kind = strip(symbol.type) if symbol is not None else None
    if isinstance(kind, Pointer):
        kind = strip(kind.to)
    while isinstance(kind, Array):
        kind = strip(kind.of)
    return kind


def _combined(sema: Sema, combine: str) -> CType | None:
    """The type that a combiner is for."""
    symbol = sema.file_symbol(combine)
    pointer = symbol.type.params[0] if symbol is not None and isinstance(symbol.type, Function) else None
    return strip(pointer.to) if isinstance(pointer, Pointer) else None


def _statements(unit: ParsedUnit, block: c_ast.Compound) -> tuple[int, int]:
    """Where the first statement of a block can stand, after the labels that it declares, and where the block ends."""
    start = unit.offset_of(block)
    match = _BLOCK_START.match(unit.pre.text, start)
    assert match is not None
    return match.end(), statement_end(unit.pre.text, start) - 1


_BLOCK_START = re.compile(r"\{(?:\s*__label__[^;]*;)*")
_REGISTER = re.compile(r"\bregister\b(?=[^;{}]*\Z)")


def _without_register(unit: ParsedUnit, regions: Sequence[TargetRegion]) -> list[tuple[int, int, str]]:
    """Edits that take ``register`` from the variables whose addresses launches take, which C then forbids."""
    edits = {}
    for symbol in {c.symbol for region in regions for c in region.captures if c.symbol.storage == "register"}:
        if symbol.node is not None:
            found = list(_REGISTER.finditer(unit.pre.text, 0, unit.offset_of(symbol.node)))
            edits.update({found[-1].span(): ""} if found else {})
    return [(start, end, text) for (start, end), text in edits.items()]


def _outside(
    edits: Sequence[tuple[int, int, str]], extents: Sequence[tuple[int, int]]
) -> tuple[tuple[int, int, str], ...]:
    """The edits that lie in none of the extents."""
    return tuple(e for e in edits if not any(low <= e[0] < high for low, high in extents))


def _in_source_order(errors: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Errors of one file by their place; between files only the order in which they were found means anything."""
    if len({error.span.file for error in errors if error.span is not None}) != 1:
        return list(errors)
    return sorted(errors, key=lambda e: (e.span.line, e.span.column) if e.span is not None else (0, 0))


def _is_for_ancestor(construct: OmpConstruct) -> bool:
    """Whether a region asks for the parent device: the host itself, outside of target regions (OpenMP 5.2, 13.2)."""
    clause = construct.directive.clause("device")
    return construct.directive.is_target and isinstance(clause, ExprClause) and clause.modifier == "ancestor"


def _check_ancestor(unit: ParsedUnit, sema: Sema, construct: OmpConstruct) -> None:
    """Raise InputError for an ancestor that is not the parent device, or that no ``requires`` directive asks for."""
    if not _is_for_ancestor(construct):
        return
    clause = construct.directive.clause("device")
    assert isinstance(clause, ExprClause)
    rule = "OpenMP 5.2, section 13.2: device clause, restrictions"
    if clause.expr is not None and sema.value(clause.expr.node) not in (1, None):
        raise error_at(clause.expr.span, "'ancestor' takes 1: the parent device", rule)
    if "reverse_offload" not in unit.requirements:
        raise error_at(clause.span, "'ancestor' needs 'requires reverse_offload'", rule)


def _check_readable(construct: OmpConstruct) -> None:
    if construct.unread is not None:
        raise construct.unread
    refuse_unsupported(construct.directive)


def _collect(errors: list[Diagnostic], step: Callable[..., object]) -> None:
    """Run a step; keep its errors so that the next ones are reported too."""
    try:
        step()
    except InputError as error:
        errors.extend(d for d in error.diagnostics if d not in errors)


def _find_constructs(unit: ParsedUnit, sema: Sema) -> tuple[list[_Found], list[OmpConstruct]]:
    """Target constructs and data constructs of every function, outermost target constructs only, and the declare
    target directives around them."""
    found: list[_Found] = []
    declaring: list[OmpConstruct] = []
    for item in unit.ast.ext:
        if not isinstance(item, c_ast.FuncDef):
            continue
        inner: list[tuple[OmpConstruct, tuple[OmpConstruct, ...]]] = []
        outside = len(declaring)
        stack: list[tuple[c_ast.Node, tuple[OmpConstruct, ...]]] = [(item.body, ())]
        while stack:
            node, around = stack.pop()
            if isinstance(node, OmpConstruct):
                directive = node.directive
                if directive.name in _DECLARE:
                    declaring.append(node)
                if directive.is_target or directive.name in _DATA:
                    inner.append((node, around))
                if directive.is_target:
                    continue
                around = (*around, node)
            stack.extend(reversed([(child, around) for _, child in node.children()]))
        if inner or len(declaring) > outside:
            sema.analyse(item, on_host=True)
        for construct, around in inner:
            private = (sema.lookup(c, name) for c in around for name in privatised_names(c.directive))
            found.append(_Found(item, construct, frozenset(private)))
    return found, declaring


def _declare_target(
    unit: ParsedUnit, sema: Sema, in_blocks: Sequence[OmpConstruct]
) -> tuple[dict[Symbol, tuple[OmpConstruct, str]], list[tuple[int, int]]]:
    """What declare target directives name, each with its directive and how (``to`` or ``link``), and the extents of
    those pragmas."""
    named: dict[Symbol, tuple[OmpConstruct, str]] = {}
    removed: list[tuple[int, int]] = []
    open_blocks: list[OmpConstruct] = []
    for item in (*unit.ast.ext, *in_blocks):
        if isinstance(item, OmpConstruct) and item.directive.name in _DECLARE:
            directive = item.directive
            refuse_unsupported(directive)
            check_on_device(directive)
            removed.append((item.start, unit.pre.text.index("\n", item.start)))
            items = [(locator, "to") for locator in directive.arguments]
            for clause in directive.clauses:
                if isinstance(clause, ListClause):
                    items += [(locator, "link" if clause.name == "link" else "to") for locator in clause.items]
            for locator, how in items:
                _declare_one(unit, sema, named, item, locator, how)
            if item in in_blocks and not items:
                what = f"'{directive.name}' around declarations of a block is not supported"
                raise error_at(directive.span, what, "OpenMP 5.2, section 7.8: declare target directives")
            if directive.name == "end declare target":
                if not open_blocks:
                    raise error_at(directive.span, "'end declare target' without a 'declare target' before it")
                open_blocks.pop()
            elif not items:
                open_blocks.append(item)
        elif open_blocks and isinstance(item, (c_ast.Decl, c_ast.FuncDef)):
            name = item.name if isinstance(item, c_ast.Decl) else item.decl.name
            symbol = sema.file_symbol(name) if name else None
            if symbol is not None and symbol.kind in ("object", "function") and symbol not in named:
                named[symbol] = (open_blocks[-1], "to")
    if open_blocks:
        raise error_at(open_blocks[-1].directive.span, "'declare target' without an 'end declare target' after it")
    return named, removed


def _declare_one(
    unit: ParsedUnit,
    sema: Sema,
    named: dict[Symbol, tuple[OmpConstruct, str]],
    item: OmpConstruct,
    locator: Locator,
    how: str,
) -> None:
    rule = "OpenMP 5.2, section 7.8.1: declare target"
    symbol = sema.lookup(item, locator.name)
    if symbol is None:
        raise error_at(locator.span, f"'{locator.name}' is not declared")
    if symbol.is_variable and not symbol.is_global:
        _check_static(sema, symbol, locator, how)
    if locator.steps or symbol.kind not in ("object", "function"):
        raise error_at(locator.span, f"'{locator.text}' is neither a variable nor a function", rule)
    if how == "link" and symbol.kind == "function":
        raise error_at(locator.span, f"'{locator.name}' in 'link' is not a variable", rule)
    if (how == "link" or item.directive.has("indirect")) and symbol.node not in unit.ast.ext:
        raise error_at(locator.span, f"'{locator.name}' is not declared at file scope, where its address is needed")
    before = named.get(symbol)
    if before is not None and before[1] != how and before[0].directive.has("to", "enter", "link"):
        raise error_at(locator.span, f"'{locator.name}' is in a 'link' and in a 'to' or 'enter' clause", rule)
    named[symbol] = (item, how)


def _check_static(sema: Sema, symbol: Symbol, locator: Locator, how: str) -> None:
    """Raise InputError for variables of a function that cannot be on the device."""
    function = sema.functions[symbol.function or ""]
    nested = [n for n in walk(function.body) if isinstance(n, c_ast.FuncDef)]
    what = None
    if symbol.storage != "static":
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
        raise error_at(locator.span, f"'{locator.name}' {what}", "OpenMP 5.2, section 7.8.1: declare target")


def _device_type(item: OmpConstruct) -> str:
    clause = item.directive.clause("device_type")
    return clause.value if isinstance(clause, KeywordClause) else "any"


def _indirect_functions(
    sema: Sema, declared: dict[Symbol, tuple[OmpConstruct, str]], shared: frozenset[Symbol]
) -> tuple[Symbol, ...]:
    """Functions that the device may be given the host's address of (OpenMP 5.2, section 7.8.3) and that it can call:
    those with a definition here, or in another unit of a separable link."""
    found = []
    for symbol, (item, _) in declared.items():
        clause = item.directive.clause("indirect")
        if symbol.kind != "function" or not isinstance(clause, ExprClause):
            continue
        if clause.expr is not None:
            sema.analyse(clause.expr.node)
        given = sema.value(clause.expr.node) if clause.expr is not None else 1
        if given is None:
            raise error_at(clause.span, "'indirect' takes a constant", "OpenMP 5.2, section 7.8.3")
        if _device_type(item) != "any":
            what = "'indirect' needs 'device_type(any)': the function is called on both sides"
            raise error_at(clause.span, what, "OpenMP 5.2, section 7.8.3")
        if given and (symbol.name in sema.functions or symbol in shared):
            found.append(symbol)
    return tuple(found)


def _in_tables(sema: Sema, code: DeviceCode) -> list[str]:
    """Functions whose addresses stand in initialisers of device variables."""
    definitions = (s.definition for s in code.globals)
    initialisers = [d.init for d in definitions if isinstance(d, c_ast.Decl) and d.init is not None]
    named = {n.name: None for init in initialisers for n in walk(init) if isinstance(n, c_ast.ID)}
    return [name for name in named if name in sema.functions]


def _on_device(declared: dict[Symbol, tuple[OmpConstruct, str]]) -> list[Symbol]:
    return [symbol for symbol, (item, _) in declared.items() if _device_type(item) != "host"]


def _is_shared(symbol: Symbol) -> bool:
    """Whether other units can mean the same thing by this name. An inline function is every unit's own."""
    inline = isinstance(symbol.definition, c_ast.FuncDef) and "inline" in symbol.definition.decl.funcspec
    return symbol.storage != "static" and not inline


def _device_variables(
    declared: dict[Symbol, tuple[OmpConstruct, str]], code: DeviceCode, name_hash: str, shared: frozenset[Symbol]
) -> list[DeclareTargetVariable]:
    """Variables that live on the device: declared so, or of file scope and used by a function that runs there.

    A variable that device functions only reach is declared target implicitly (OpenMP 5.2, section 7.8). Constants
    need no storage shared with the host: the device code has its own copy. With ``device_type(host)`` there is no
    device version, so target regions map the variable like any other.
    """
    symbols = {s: how for s, (item, how) in declared.items() if s.kind == "object" and _device_type(item) != "host"}
    symbols.update({s: "to" for s in code.globals if s not in symbols and not _is_constant(s)})
    found = []
    for s, how in symbols.items():
        own = s.storage == "static" or (how == "link" and s not in shared)
        name = f"{s.name}__{name_hash}" if own else global_name(s.name)
        if how == "link":
            entry = own or s.definition is not None
            found.append(DeclareTargetVariable(s, f"{name}_decl_tgt_ref_ptr", entry, link=True))
        elif not s.is_global:
            same = sum(v.symbol.name == s.name and not v.symbol.is_global for v in found)
            name = f"{s.name}__{s.function}_{same}_{name_hash}"
            place = None if is_sizeless(s.type) else declared[s][0].start
            found.append(DeclareTargetVariable(s, name, place is not None, place=place))
        else:  # an entry of size 0 would be a kernel's
            found.append(DeclareTargetVariable(s, name, s.definition is not None and not is_sizeless(s.type)))
    return found


_KNOWN_AS = {"__errno_location": "errno", "_setjmp": "setjmp", "__sigsetjmp": "sigsetjmp"}


def _defined_elsewhere(unit: ParsedUnit, undefined: Sequence[tuple[Symbol, c_ast.Node]]) -> frozenset[Symbol]:
    """Functions that another unit of a separable link is to define: to call them is to declare them target (OpenMP 5.2,
    section 7.8)."""
    functions = {s for s, _ in undefined if s.kind == "function" and _is_shared(s)}
    places = {s: getattr(s.node, "coord", None) for s in functions}
    return frozenset(s for s, at in places.items() if at is not None and not unit.pre.origin_of(at.line)[0].system)


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
        (f"{where}, or link the device code of several units (--separable; in CMake SEPARABLE_DEVICE_LINK)",),
    )


def _is_constant(symbol: Symbol) -> bool:
    kind = symbol.type
    while hasattr(kind, "of"):
        kind = kind.of
    return "const" in kind.quals and symbol.definition is not None


def _address_tables(sema: Sema, found: Sequence[_Found], symbols: Iterable[Symbol]) -> frozenset[Symbol]:
    """Constant pointers to functions and strings, and tables of them: the device needs them with addresses of its own.

    Mapping one would copy the host's addresses. Tables that a clause names, or that hold addresses of variables, are
    mapped as they are.
    """
    named = {
        sema.lookup(f.construct, item.name)
        for f in found
        for clause in f.construct.directive.clauses
        for item in clause_locators(clause)
    }
    return frozenset(s for s in symbols if s not in named and _is_constant(s) and _holds_device_addresses(sema, s))


def _holds_device_addresses(sema: Sema, symbol: Symbol) -> bool:
    definition = symbol.definition
    if not isinstance(definition, c_ast.Decl) or definition.init is None or not has_pointer(symbol.type):
        return False
    sema.analyse(definition)
    mentioned = [sema.symbol(n) for n in walk(definition.init) if isinstance(n, c_ast.ID)]
    return all(s is None or not s.is_variable for s in mentioned)


def _threadprivate(unit: ParsedUnit, sema: Sema) -> frozenset[Symbol]:
    """The variables of ``threadprivate`` directives, at file scope and in the functions analysed so far."""
    found: set[Symbol | None] = set()
    for item in unit.ast.ext:
        if isinstance(item, OmpConstruct) and item.directive.name == "threadprivate":
            found.update(sema.file_symbol(variable.name) for variable in item.directive.arguments)
        elif isinstance(item, c_ast.FuncDef) and sema.is_analysed(item):
            for node in walk(item.body):
                if isinstance(node, OmpConstruct) and node.directive.name == "threadprivate":
                    found.update(sema.lookup(node, variable.name) for variable in node.directive.arguments)
    return frozenset(s for s in found if s is not None)


def _mapped_by_data(sema: Sema, found: Sequence[_Found]) -> frozenset[Symbol]:
    """Variables that data constructs mention: they may be on the device when a region begins."""
    mapped = set()
    for item in found:
        if item.construct.directive.name in _DATA:
            for clause in item.construct.directive.clauses:
                for locator in getattr(clause, "items", ()):
                    mapped.add(sema.lookup(item.construct, locator.name))
    return frozenset(s for s in mapped if s is not None)


def _unit_names(
    unit: ParsedUnit, source_name: str, defines: Sequence[str], regions: Sequence[_Found]
) -> tuple[str, str]:
    """(hash in kernel names, unit name).

    Both depend on the unit's name, its defines and its regions' text only, so that neither a comment nor the build
    path changes a kernel's name.
    """
    digest = hashlib.sha256()
    text = unit.pre.text
    parts = [source_name, *defines]
    for region in regions:
        end = text.find("\n", region.construct.start)
        parts += [region.function.decl.name, text[region.construct.start : end]]
    for part in parts:
        data = " ".join(part.split()).encode("utf-8", "surrogateescape")
        digest.update(b"%d:" % len(data) + data)
    name = digest.hexdigest()
    return name[:8], name[:16]
