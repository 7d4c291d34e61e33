"""Makes the plan of a whole translation unit: constructs are found, closed over their calls, named and analysed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pycparser import c_ast

from ...base.diagnostics import Diagnostic, InputError, collect_errors, error_at, in_source_order
from ...base.patterns import regex
from ...base.records import dataclass
from ...directives.contents import directive_expressions
from ...openmp import queries
from ...openmp.attachment import carrying_objects, stored_pointers
from ...openmp.list_items import DeclaredMapper
from ...openmp.restrictions import check_types, shares_memory
from ...optimise.obstacle import ObstacleError
from ...plan.constructs import Code, ConstructKind, DeviceConstruct, Entity, Escaping
from ...plan.rows import Role
from ...plan.unit import (
    CallingRun,
    DataConstruct,
    HostRegion,
    PlacedForm,
    TargetRegion,
    TranslationUnitPlan,
    within_shared_memory,
)
from ..reading.statements import reader_of
from ..sema import Sema, Symbol, symbols_of
from ..sema.layout import sema_of
from ..source.tokens import statement_end
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .closure import DeviceClosure, close_over, device_code, functions_kept_as_calls, undefined_errors, used_as_values
from .construct_facts import ConstructTable
from .devicecode import UsedCode
from .escapes import escaping
from .found import UnitConstructs, find_constructs, nesting
from .host_version import (
    declare_missing,
    forms_outside,
    generated_variables,
    host_region,
    renamed_functions,
    without_register,
)
from .list_items import HostNames, ListItems, check_named, data_construct, mapper_table, renamed_symbols
from .naming import UnitNames, check_declarations, name_unit
from .optimise.accesses import changed_in
from .optimise.kernel import launched_in_order
from .optimise.spmd import in_teams
from .program import Program, UnitFacts
from .regions import analyse_region
from .structured_blocks import check_jumps


@dataclass(frozen=True)
class PlannedUnit:
    """A unit's plan, what the printer of its device code needs besides, and what the plan was made from."""

    plan: TranslationUnitPlan
    sema: Sema
    code: UsedCode
    found: UnitConstructs
    constructs: ConstructTable
    mappers: tuple[DeclaredMapper, ...]


@dataclass(frozen=True)
class _Analysed:
    """The decisions about every construct."""

    regions: tuple[TargetRegion, ...]
    data: tuple[DataConstruct, ...]
    constructs: Mapping[OmpConstruct, DeviceConstruct]
    waits: tuple[tuple[int, int], ...]
    calling_runs: tuple[CallingRun, ...]
    escaping: Escaping
    on_host: tuple[HostRegion, ...]
    in_regions: frozenset[Code]


def plan_unit(
    unit: ParsedUnit,
    source_name: str,
    defines: Sequence[str],
    left_to_host: frozenset[int] = frozenset(),
    separable: bool | None = False,
    no_opt: frozenset[str] = frozenset(),
    ordered: bool = False,
    claimed: bool = False,
) -> PlannedUnit:
    """Decide everything about a unit.

    ``source_name`` names the unit independently of where it is built. ``defines`` are the -D and -U flags, as a file
    may be compiled twice with different ones. ``left_to_host`` are the offsets of target constructs that stay on the
    host, as if they had an ``if`` clause that is false. ``no_opt`` names the transformations to leave out. With
    ``ordered``, partial results of reductions are combined in the same order in every run. In a ``separable`` unit,
    other units may define and use declare target functions and variables with external linkage; None raises
    OtherUnitsNeeded if that matters. If it is ``claimed``, it has what transformations rely on. Raises InputError with
    every error found, in source order.
    """
    sema = sema_of(unit)
    declarations = declare_missing(unit, sema)
    found = find_constructs(unit, sema, left_to_host)
    constructs = ConstructTable(sema)
    closure = close_over(unit, constructs, found, separable)
    names = name_unit(unit, source_name, defines, found, closure)
    check_declarations(unit, sema, names.generated, [f.construct for f in found.lowered])
    facts = _unit_facts(unit, constructs, found, closure, names, no_opt, ordered, claimed)
    analysed = _analyse(facts, found, closure)
    plan = _assemble(facts, source_name, declarations, closure, names, analysed)
    return PlannedUnit(plan, sema, closure.code, found, constructs, facts.mappers.mappers)


def _unit_facts(
    unit: ParsedUnit,
    constructs: ConstructTable,
    found: UnitConstructs,
    closure: DeviceClosure,
    names: UnitNames,
    no_opt: frozenset[str],
    ordered: bool,
    claimed: bool,
) -> UnitFacts:
    """The facts about the unit that the analysis of each construct needs."""
    sema = closure.calls.sema
    threadprivate = _threadprivate(unit, sema)
    return UnitFacts(
        unit=unit,
        calls=closure.calls,
        constructs=constructs,
        name_hash=names.hash,
        on_device=frozenset(symbols_of(v.symbol for v in names.variables)),
        device_variables=names.stored,
        mappers=mapper_table(unit, sema),
        host_names=_host_names(sema, found, names, threadprivate),
        private={f.construct: f.private for f in (*found.lowered, *found.on_host)},
        no_opt=no_opt,
        ordered=ordered,
        claimed=claimed,
        tables=closure.tables,
        threadprivate=threadprivate,
        team_functions=closure.team_functions,
        functions_table=names.functions_table if closure.indirect else "",
        names=names.generated,
    )


def _host_names(
    sema: Sema, found: UnitConstructs, names: UnitNames, threadprivate: frozenset[Symbol]
) -> dict[OmpConstruct, HostNames]:
    """The names of variables on the host around each construct, except those that constructs around it copy."""
    data_regions = [f.construct for f in found.lowered if f.construct.directive.name == "target data"]
    renamed = renamed_symbols(sema, names.generated, data_regions)
    items = [(f.function, f.construct.directive, ListItems(sema, f.construct)) for f in found.lowered]
    mapped = stored_pointers(
        items, lambda f: changed_in(sema, f.body).addressed, lambda v: isinstance(v, Symbol) and v.is_global
    )
    carrying = carrying_objects(item[1:] for item in items)
    return {
        f.construct: HostNames(
            names.generated,
            {symbol: name for symbol, name in names.links.items() if symbol not in f.private},
            renamed.get(f.construct, {}),
            frozenset(s for s in names.stored if s not in f.private),
            threadprivate,
            mapped,
            carrying,
        )
        for f in (*found.lowered, *found.on_host)
    }


def _analyse(facts: UnitFacts, found: UnitConstructs, closure: DeviceClosure) -> _Analysed:
    """Decide about every construct. Raises InputError with every error found."""
    errors = undefined_errors(facts.unit, closure)
    checked: list[c_ast.Node] = [*(f.function for f in found.lowered), *closure.function_bodies]
    if "metadirective" in facts.unit.pre.text:  # a host compiler that knows none accepts the jump in the user's text
        checked += [f for f in facts.unit.ast.ext if isinstance(f, c_ast.FuncDef) and f not in facts.unit.plain]
    for function in dict.fromkeys(checked):
        with collect_errors(errors):
            check_jumps(facts.unit, facts.calls.sema, function)
    sema, bodies = closure.calls.sema, (*(f.construct for f in found.lowered), *closure.function_bodies)
    value = reader_of(sema).value
    for construct in dict.fromkeys(n for body in bodies for n in sema.parts(body).of(OmpConstruct)):
        directive = construct.directive
        with collect_errors(errors):
            in_clauses = [(e, value(e.node)) for e in directive_expressions(directive)]
            check_types(directive, in_clauses, converts_objects=False)
        for clause in directive.clauses:
            with collect_errors(errors):
                check_named(sema, construct, clause)
    data: list[DataConstruct] = []
    for item in found.data:
        with collect_errors(errors):
            names, function = facts.host_names[item.construct], item.function.decl.name
            data.append(data_construct(facts.unit, facts.calls.sema, function, item.construct, names, facts.mappers))
    decided: list[tuple[TargetRegion, ObstacleError | None]] = []
    for index, item in enumerate(found.regions, 1):
        with collect_errors(errors):
            decided.append(analyse_region(facts, item.function, item.construct, index))
    regions, unknown = [one for one, _ in decided], [why for _, why in decided]
    constructs = _device_constructs(facts, found, regions, closure, errors)
    if errors:
        raise InputError(in_source_order(errors))
    if facts.ordered:
        _check_ordered(regions, constructs)
    regions, in_regions = in_teams(facts.unit, facts.calls, regions, constructs, closure.team_functions, facts.no_opt)
    regions = within_shared_memory(regions)
    ordered = launched_in_order(facts.unit, facts.calls.sema, found.regions, regions, unknown, facts.no_opt)
    regions = list(ordered.regions)
    escaped, errors = escaping(facts.unit, closure, regions, constructs)
    if errors:
        raise InputError(in_source_order(errors))
    on_host = [host_region(facts, f.function, f.construct) for f in found.on_host]
    return _Analysed(
        tuple(regions), tuple(data), constructs, ordered.waits, ordered.calling, escaped, tuple(on_host), in_regions
    )


def _device_constructs(
    facts: UnitFacts,
    found: UnitConstructs,
    regions: Sequence[TargetRegion],
    closure: DeviceClosure,
    errors: list[Diagnostic],
) -> dict[OmpConstruct, DeviceConstruct]:
    """The constructs inside of regions and of the functions that they call. Errors are added to ``errors``."""
    constructs: dict[OmpConstruct, DeviceConstruct] = {}
    program, sema = Program(facts), facts.calls.sema
    around = nesting(sema, [*(f.construct for f in found.regions), *closure.function_bodies])
    for body in (*(r.body for r in regions), *closure.function_bodies):
        for node in sema.parts(body).of(OmpConstruct):
            from ...openmp.device_constructs import device_construct

            with collect_errors(errors):
                constructs[node] = device_construct(program, node, around[node])
    return constructs


def _assemble(
    facts: UnitFacts,
    source_name: str,
    declarations: tuple[str, ...],
    closure: DeviceClosure,
    names: UnitNames,
    analysed: _Analysed,
) -> TranslationUnitPlan:
    """The plan, with everything that follows from all decisions together."""
    unit, calls = facts.unit, facts.calls
    regions, code = analysed.regions, closure.code
    main = calls.sema.functions.get("main")
    return TranslationUnitPlan(
        unit=names.unit,
        source_name=source_name,
        regions=regions,
        host_regions=analysed.on_host,
        data=analysed.data,
        variables=names.variables,
        declarations=declarations,
        host_forms=_host_forms(facts, closure, names, analysed),
        replacements=(*unit.replacements, *renamed_functions(unit), *without_register(unit, regions)),
        main_body=_statements(unit, main.body) if main is not None else None,
        code=device_code(closure),
        constructs=dict(analysed.constructs.items()),
        ordered=facts.ordered,
        shared_memory=shares_memory(unit.requirements),
        separable=calls.is_separable,
        shared=closure.shared,
        elsewhere=tuple((symbol.name, unit.span_of(node)) for symbol, node in closure.elsewhere),
        escaping=analysed.escaping,
        kept_as_calls=functions_kept_as_calls(calls.sema, code.functions, closure.roots),
        indirect=closure.indirect,
        functions_table=names.functions_table,
        names=names.generated,
        waits=analysed.waits,
        calling_runs=analysed.calling_runs,
        in_regions=analysed.in_regions,
        recursive=_may_recurse(closure),
        unrolled=_unrolled(facts, closure, regions),
        tables=_tables(facts, closure),
        makes_settings=any(r.makes_settings for r in regions)
        # For other units' regions.
        or (calls.is_separable and calls.asked(*closure.function_bodies).may(queries.RECORDED)),
    )


def _may_recurse(closure: DeviceClosure) -> bool:
    functions, calls = closure.code.functions, closure.calls
    addressed = used_as_values(calls.sema, closure.code, closure.roots)
    led_to = [f for f in functions if f in calls.by_address or f.decl.name in addressed]
    return calls.may_recurse(functions, led_to, [f for f in functions if "static" not in f.decl.storage])


def _unrolled(facts: UnitFacts, closure: DeviceClosure, regions: Sequence[TargetRegion]) -> frozenset[Code]:
    """The loops to unroll in regions and in the functions that they call."""
    from .optimise.kernel import loops_to_unroll

    bodies = () if "unroll" in facts.no_opt else closure.function_bodies
    called = loops_to_unroll(facts.calls.sema, bodies)
    return called.union(*(region.optimised.unrolled for region in regions))


def _tables(facts: UnitFacts, closure: DeviceClosure) -> frozenset[Entity]:
    from .optimise.kernel import tables_in

    return tables_in(facts.calls.sema, () if "banks" in facts.no_opt else closure.function_bodies)


def _host_forms(
    facts: UnitFacts, closure: DeviceClosure, names: UnitNames, analysed: _Analysed
) -> tuple[PlacedForm, ...]:
    """The forms in which the host compiler sees directives outside of lowered constructs."""
    removed = [*closure.declared.pragmas, *(m.start for m in facts.mappers.mappers)]
    others = (*names.links.values(), names.functions_table, queries.TEAM_LIMITS)
    generated = generated_variables(analysed.regions, analysed.data, others)
    return forms_outside(facts.unit, (*analysed.regions, *analysed.on_host), analysed.data, removed, generated)


_OF_TASKS = (ConstructKind.TASK, ConstructKind.TASKLOOP, ConstructKind.TASKGROUP)


def _check_ordered(regions: Sequence[TargetRegion], constructs: Mapping[OmpConstruct, DeviceConstruct]) -> None:
    """Raise InputError for reductions that cannot be combined in a fixed order."""
    of_grid = {r.span for r in regions if r.mapping.parameter(Role.PARTIALS) is not None}
    of_tasks = {c.span for c in constructs.values() if c.kind in _OF_TASKS}
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


def _statements(unit: ParsedUnit, block: c_ast.Compound) -> tuple[int, int]:
    """(where the first statement of a block can stand, after the labels that it declares, where the block ends)."""
    start = unit.offset_of(block)
    match = _BLOCK_START.match(unit.pre.text, start)
    assert match is not None
    return match.end(), statement_end(unit.pre.text, start) - 1


_BLOCK_START = regex(r"\{(?:\s*__label__[^;]*;)*")


def _threadprivate(unit: ParsedUnit, sema: Sema) -> frozenset[Symbol]:
    """The variables of ``threadprivate`` directives, at file scope and in the functions analysed so far."""
    found: set[Symbol | None] = set()
    for item in unit.ast.ext:
        if isinstance(item, OmpConstruct) and item.directive.name == "threadprivate":
            found.update(sema.file_symbol(variable.name) for variable in item.directive.arguments)
        elif isinstance(item, c_ast.FuncDef) and sema.is_analysed(item):
            for node in sema.parts(item.body).of(OmpConstruct):
                if node.directive.name == "threadprivate":
                    found.update(sema.lookup(node, variable.name) for variable in node.directive.arguments)
    return frozenset(s for s in found if s is not None)


