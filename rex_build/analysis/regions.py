"""One target region: its kernel's kind, what it captures and how, its loops, its launch shape, its host version."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pycparser import c_ast, c_generator

from ..cparse import OmpConstruct, ParsedUnit
from ..ctype import (
    Array,
    CType,
    LayoutError,
    Pointer,
    Scalar,
    decay,
    is_arithmetic,
    is_array,
    is_pointer,
    is_scalar,
    is_variably_modified,
    sizeof,
    strip,
)
from ..diagnostics import InputError, error_at
from ..directives.model import (
    DefaultmapClause,
    Expr,
    ExprClause,
    ListClause,
    Locator,
    MapClause,
    ScheduleClause,
    TextClause,
)
from ..directives.parser import check_on_device, refuse_unsupported
from ..plan import (
    MAP_ALWAYS,
    MAP_FROM,
    MAP_IMPLICIT,
    MAP_LITERAL,
    MAP_PRESENT,
    MAP_PRIVATE,
    MAP_TARGET_PARAM,
    MAP_TO,
    Capture,
    Extent,
    HostCopy,
    HostRegion,
    KernelKind,
    LaunchShape,
    LoopNest,
    MapRow,
    Reduction,
    Schedule,
    Sharing,
    TargetRegion,
    Transport,
)
from ..records import dataclass
from ..sema import Sema, Symbol, clause_locators, walk
from ..source import SourceSpan
from . import launch
from .clauses import MAP_TYPES, condition_of, device_of, host_task, map_items, region_allocators, task_variables
from .combine import combine
from .device_library import refused_type
from .extents import next_token, statement_end
from .host_team import host_directive, is_left_out, needs_own_team
from .loops import canonical_nest, loop_depth, trip_count
from .mappers import MapperTable
from .mapping import HostNames, MapItem, Mapper
from .nested import IN_ORDER, runs_in_order
from .optimise import Candidate, optimise
from .restrictions import (
    check_allocators,
    check_default_none,
    check_one_clause_each,
    check_threadprivate,
    check_unmapped_members,
)
from .runtime_api import shares_memory
from .sharing import (
    asks_facts,
    asks_limits,
    asks_place,
    called_functions,
    calls_through_pointers,
    check_jumps,
    constructs_in,
    has_leaf,
    named_symbol,
    of_loop,
    only_used,
    privatised_names,
    sharing_of,
)

_LOOP_LEAVES = frozenset({"for", "distribute", "simd"})


@dataclass(frozen=True)
class UnitFacts:
    """What the analysis of every region needs to know about its unit."""

    unit: ParsedUnit
    sema: Sema
    name_hash: str
    device_variables: Mapping[Symbol, str]  # declare target variables and their device names
    mapped_elsewhere: frozenset[Symbol]  # variables that data constructs of the unit map
    mappers: MapperTable
    host_names: Callable[[OmpConstruct], HostNames]
    private: Mapping[OmpConstruct, frozenset[str]]  # names that host constructs around a region give to private copies
    no_opt: frozenset[str] = frozenset()  # transformations that are switched off
    ordered: bool = False  # reductions are combined in the same order in every run
    tables: frozenset[Symbol] = frozenset()  # constants that the device code defines for itself
    threadprivate: frozenset[Symbol] = frozenset()
    functions_table: str = ""  # host addresses of indirect functions, empty where there are none


_printer = c_generator.CGenerator()


def c_text(node: c_ast.Node) -> str:
    """An expression of the tree as C for the host."""
    return str(_printer.visit(node))


class RegionAnalyser:
    """Analyses one region; ``analyse`` is the order of the steps."""

    def __init__(self, facts: UnitFacts, function: c_ast.FuncDef, construct: OmpConstruct, index: int) -> None:
        self.facts, self.unit, self.sema = facts, facts.unit, facts.sema
        self.function = function
        self.construct = construct
        self.directive = construct.directive
        self.index = index

    def analyse(self) -> TargetRegion:
        self.chain, self.leaves, self.body = combine(self.sema, self.construct)
        for inner in self.chain[1:]:
            check_on_device(inner.directive)
            refuse_unsupported(inner.directive)
        self.clauses = [c for part in self.chain for c in part.directive.clauses]
        self.sharing = self._sharing()
        check_one_clause_each(self.sema, self.construct)
        check_allocators(self.sema, self.construct)
        nest = self._nest()
        if nest is not None:
            # Outside of the region only what is mapped can be seen to have changed.
            names = {i.name for c in self.directive.clauses if isinstance(c, MapClause) for i in c.items}
            simd = {lv.symbol for lv in nest.levels if "simd" in self.leaves and lv.symbol.name in names}
            variables = [(lv.symbol, lv.declared) for lv in (*nest.levels, *nest.inner)]
            self.sharing = of_loop(self.sharing, variables, simd)
        kind, reason = self._kind()
        if nest is not None:
            check_jumps(self.unit, nest.body, self.directive.name, is_iteration=True)
        else:
            check_jumps(self.unit, self.body, self.directive.name)
        loop_variables = frozenset(lv.symbol for lv in nest.levels) if nest is not None else frozenset()
        check_default_none(self.unit, self.sema, self.chain, self.body, loop_variables)
        check_unmapped_members(self.unit, self.sema, self.function, self.body)
        check_threadprivate(self.unit, self.sema, self.facts.threadprivate, self.body)
        whole = nest.body if nest is not None else self.body
        places = asks_place(self.sema, whole)
        schedule, chunked = self._schedule(kind, nest, places)
        captures, extents, mapper, team_shared, by_value = self._captures(kind)
        shape, exact = self._launch(kind, nest, captures, places or chunked)
        shape_row = self._literal_row(mapper, "__rex_launch_shape", "launch shape") if exact else None
        facts_row = None
        if asks_facts(self.sema, whole):
            facts_row = self._literal_row(mapper, "__rex_num_devices", "number of devices")
            self._literal_row(mapper, "__rex_device_num", "device number")
            self._literal_row(mapper, "__rex_num_procs", "number of processors")
        limits_row = None
        if asks_limits(self.sema, whole):
            limits_row = len(mapper.rows)
            flags = MAP_TO | MAP_FROM | MAP_ALWAYS | MAP_TARGET_PARAM
            limits = "(void *)rex_team_limits"
            mapper.rows.append(MapRow(limits, limits, "sizeof(rex_team_limits)", flags, "limits of teams"))
        table = self.facts.functions_table
        if table and calls_through_pointers(self.sema, whole):
            flags = MAP_TO | MAP_ALWAYS
            mapper.rows.append(MapRow(table, table, f"sizeof({table})", flags, "addresses of indirect functions"))
        partials_row = self._partials_row(mapper) if self.facts.ordered else None
        reaches_all = shares_memory(self.unit)
        candidate = Candidate(kind, nest, schedule, self.sharing, captures, mapper.finish(), shape, places, reaches_all)
        optimised = optimise(
            self.sema, candidate, self.facts.no_opt, lambda name, note: self._literal_row(mapper, name, note)
        )
        start = self.construct.start
        text = self.unit.pre.text
        line_end = text.index("\n", start)
        end = statement_end(text, line_end)
        name = f"OUT__{self.index}__{self.facts.name_hash}__{self.function.decl.name}__{self.directive.span.line}"
        return TargetRegion(
            index=self.index,
            construct=self.construct,
            span=self.directive.span,
            directive=" ".join(self.leaves),
            function=self.function.decl.name,
            kernel=f"{name}__kernel__",
            identity=f"{name}__id__",
            kind=kind,
            reason=reason,
            body=self.body,
            nest=nest,
            schedule=schedule,
            sharing=self.sharing,
            mapping=mapper.finish(),
            captures=tuple(captures),
            extents=tuple(extents),
            team_shared=team_shared,
            shape_row=shape_row,
            facts_row=facts_row,
            limits_row=limits_row,
            launch=shape,
            level=1 if "parallel" in self.leaves else 0,
            places=places,
            calls=bool(called_functions(self.sema, [whole])),
            device=device_of(self.construct),
            condition=condition_of(self.directive.clauses, "target"),
            allocators=region_allocators(self.construct),
            task=host_task(
                self.construct,
                *task_variables(self.sema, self.construct, mapper.rows, [c.symbol for c in captures], by_value),
            ),
            start=start,
            body_start=next_token(text, line_end),
            end=end,
            fallback=tuple(self._fallback()),
            host_team=needs_own_team(self.sema, self.construct),
            host_limit=self._host_limit(),
            copies=self._host_copies(by_value),
            optimised=optimised,
            partials_row=partials_row,
        )

    def host_only(self) -> HostRegion:
        """The region's host version alone, for a region that cannot be lowered."""
        try:
            self.chain, self.leaves, self.body = combine(self.sema, self.construct, with_reductions=False)
        except InputError:  # a clause is at fault: the construct is taken as it stands
            assert self.construct.body is not None
            self.chain, self.leaves, self.body = [self.construct], list(self.directive.constructs), self.construct.body
        text = self.unit.pre.text
        return HostRegion(
            self.directive.span,
            self.construct.start,
            statement_end(text, text.index("\n", self.construct.start)),
            tuple(self._fallback()),
            needs_own_team(self.sema, self.construct),
            self._host_limit(),
            self._host_copies(self._host_by_value()),
            host_task(self.construct, (), (), may_defer=False),
        )

    # -- what kind of kernel ------------------------------------------------------------------------------------

    def _kind(self) -> tuple[KernelKind, str]:
        nested = has_leaf(self.body, "parallel")
        is_loop = bool(_LOOP_LEAVES.intersection(self.leaves))
        if is_loop and not nested:
            if self.leaves == ["target", "simd"]:
                return KernelKind.SERIAL, "simd iterations may depend on earlier ones: one thread"
            if self._in_order():
                return KernelKind.SERIAL, "the loop's iterations run in order: one thread"
            return KernelKind.WORKSHARING, "the loop's iterations are spread over the grid"
        if self.leaves == ["target", "parallel"]:
            return KernelKind.PARALLEL, "one parallel region: all threads of the team run the body"
        if is_loop and self._in_order():
            raise error_at(self.directive.span, "a parallel region inside a loop that runs in order is not supported")
        if nested:
            return KernelKind.TEAMS, "sequential parts run on the team's initial thread, parallel regions on all"
        return KernelKind.SERIAL, "no parallelism inside a team"

    def _in_order(self) -> bool:
        """Whether the kernel's loop has to run its iterations one after the other."""
        if not runs_in_order(self.clauses, self.sharing):
            return False
        if "distribute" in self.leaves:
            raise error_at(
                self.directive.span, f"a loop that runs in order cannot be '{self.directive.name}'", IN_ORDER
            )
        return True

    def _nest(self) -> LoopNest | None:
        if not _LOOP_LEAVES.intersection(self.leaves):
            return None
        depth = 1
        for clause in self.clauses:
            if isinstance(clause, ExprClause) and clause.name == "collapse" and clause.expr is not None:
                value = self.sema.value(clause.expr.node)
                if value is None or value < 1:
                    raise error_at(clause.span, "'collapse' takes a positive constant")
                depth = value
        return canonical_nest(self.unit, self.sema, self.chain[-1], self.body, depth)

    def _schedule(self, kind: KernelKind, nest: LoopNest | None, places: bool) -> tuple[Schedule | None, bool]:
        """Who runs which iteration, and whether that depends on the exact launch shape."""
        if nest is None:
            return None, False
        team_chunk = thread_chunk = None
        even = False
        for clause in self.clauses:
            if not isinstance(clause, ScheduleClause):
                continue
            chunk = clause.chunk.node if clause.chunk is not None else None
            if clause.name == "dist_schedule":
                team_chunk = chunk
            elif clause.kind == "static" or places:
                thread_chunk = chunk
            even = even or (clause.kind == "static" and chunk is None and places)
        over = {KernelKind.WORKSHARING: "grid", KernelKind.TEAMS: "teams", KernelKind.SERIAL: "teams"}[kind]
        if self.leaves == ["target", "simd"] or runs_in_order(self.clauses, self.sharing):
            return Schedule("thread"), False
        chunked = team_chunk is not None or thread_chunk is not None or even
        if chunked and over == "grid" and "teams" not in self.leaves:
            over = "team"
        return Schedule(over, team_chunk, thread_chunk, even), chunked

    # -- what the kernel captures -------------------------------------------------------------------------------

    def _captures(
        self, kind: KernelKind
    ) -> tuple[list[Capture], list[Extent], Mapper, frozenset[Symbol], frozenset[Symbol]]:
        sema, construct = self.sema, self.construct
        mapper = Mapper(sema, construct, (), self.facts.host_names(construct))
        items = map_items(mapper, self.facts.mappers, self.directive.clauses)
        mapped = list(dict.fromkeys(item.symbol for item in items))
        outside = {*mapped, *self._in_sections()}
        referenced = [s for s in self._used() if s not in self.sharing.private or s in outside]
        device_pointers = self._listed("is_device_ptr", "has_device_addr")
        copied = frozenset(name for part in self.chain for name in privatised_names(part.directive))
        changed = frozenset(sema.assignments(self.body).symbols)
        inner_changes = self._changed_in_parallel()
        mapper.parameters = frozenset(s for s in referenced if s not in mapper.names.links)
        captures: list[Capture] = []
        extents: list[Extent] = []
        by_value: set[Symbol] = set()
        team_shared: set[Symbol] = set()
        explicit_first = {*self._listed("firstprivate"), *self.target_copies}
        combined = {r.symbol for r in sharing_of(sema, [construct]).reductions} | {
            *sharing_of(sema, [construct]).lastprivate,
            *(s for s, _ in sharing_of(sema, [construct]).linear),
        }
        for symbol in referenced:
            self._check_device_type(symbol)
            self._extents(symbol, mapper, extents)
            own = [i for i in items if i.symbol is symbol]
            if not own and symbol.name not in copied and symbol not in device_pointers:
                own = self._mapped_by_default(symbol, mapper)
            if symbol in mapper.names.links:
                mapper.map_symbol(symbol, own)
            elif own and not self._literal_map(symbol, own, changed):
                self._explicit(symbol, own, mapper, captures)
            elif symbol in device_pointers:
                self._device_pointer(symbol, device_pointers[symbol], mapper, captures)
                if is_pointer(symbol.type):
                    by_value.add(symbol)
            elif symbol in combined and (sections := self._reduced_sections(symbol)):
                self._explicit(symbol, sections, mapper, captures)
            elif symbol in combined:
                self._whole(symbol, MAP_TO | MAP_FROM | MAP_IMPLICIT, mapper, captures, "reduction or lastprivate")
            else:
                value = self._implicit(symbol, kind, mapper, captures, explicit_first, own, changed)
                if value:
                    by_value.add(symbol)
                    if kind is KernelKind.TEAMS and symbol in inner_changes:
                        team_shared.add(symbol)
        for symbol in self.sharing.private:
            self._check_device_type(symbol)
            if symbol not in referenced:
                self._extents(symbol, mapper, extents)
        for symbol in mapped:
            if symbol not in referenced:
                mapper.map_symbol(symbol, [i for i in items if i.symbol is symbol])
        if kind is KernelKind.TEAMS:
            inside = self._locals_used_in_parallel()
            team_shared |= {s for s in inside if s in inner_changes or not is_scalar(s.type)}
            team_shared |= {s for s in self.sharing.named if s in inner_changes}
        return captures, extents, mapper, frozenset(team_shared), frozenset(by_value)

    def _reduced_sections(self, symbol: Symbol) -> list[MapItem]:
        """The sections of a variable that the construct reduces, mapped for it (OpenMP 5.2, section 5.8.1)."""
        reductions = sharing_of(self.sema, [self.construct]).reductions
        flags = MAP_TO | MAP_FROM | MAP_IMPLICIT
        return [MapItem(r.locator, symbol, flags, "reduction") for r in reductions if r.symbol is symbol and r.locator]

    def _sharing(self) -> Sharing:
        """The private copies within the region. Those that a ``target`` construct makes for a construct nested in it
        are no such copies: they are one variable for all its threads, ``target_copies``."""
        own, inside = sharing_of(self.sema, self.chain[:1]), sharing_of(self.sema, self.chain[1:])
        separate = len(self.chain) > 1 and self.directive.constructs == ("target",)
        copies = (*own.firstprivate, *own.private) if separate else ()
        self.target_copies = frozenset(s for s in copies if s not in inside.named)
        sharing = only_used(self.sema, sharing_of(self.sema, self.chain), self.body)
        return replace(
            sharing,
            private=tuple(s for s in sharing.private if s not in self.target_copies),
            firstprivate=tuple(s for s in sharing.firstprivate if s not in self.target_copies),
        )

    def _used(self) -> list[Symbol]:
        """Variables from outside that the kernel needs, in order of first reference."""
        used = {r.symbol: None for r in self.sema.free_variables(self.body)}
        used.update(dict.fromkeys((*(r.symbol for r in self.sharing.reductions), *self.sharing.lastprivate)))
        for clause in self.clauses:
            if isinstance(clause, ScheduleClause) and clause.chunk is not None:
                found = (self.sema.symbol(n) for n in walk(clause.chunk.node) if isinstance(n, c_ast.ID))
                used.update({s: None for s in found if s is not None and s.is_variable})
        used.update(self._in_sections())
        private = self.facts.private[self.construct]
        elsewhere = {s for s in self.facts.device_variables if s.name not in private} | self.facts.tables
        return [s for s in used if s not in elsewhere]

    def _in_sections(self) -> dict[Symbol, None]:
        """The variables from outside that bound the sections which the region reduces."""
        bounds = [b for r in self.sharing.reductions for b in (r.section, r.length) if b is not None]
        found = (self.sema.symbol(n) for b in bounds for n in walk(b) if isinstance(n, c_ast.ID))
        return {s: None for s in found if s is not None and s.is_variable}

    def _listed(self, *clauses: str) -> dict[Symbol, ListClause]:
        found: dict[Symbol, ListClause] = {}
        for clause in self.directive.all(*clauses):
            if isinstance(clause, ListClause):
                for item in clause.items:
                    found[named_symbol(self.sema, self.construct, item)] = clause
        return found

    def _check_device_type(self, symbol: Symbol) -> None:
        kind = symbol.type
        reason = refused_type(kind)
        while isinstance(kind, (Pointer, Array)):
            kind = kind.to if isinstance(kind, Pointer) else kind.of
            reason = reason or refused_type(kind)
        kind = strip(kind)
        if isinstance(kind, Scalar) and kind.name == "long double _Complex":
            raise error_at(self._first_use(symbol), f"'{symbol.name}' has long double parts, which devices lack")
        if str(kind) == "long double":
            raise error_at(self._first_use(symbol), f"'{symbol.name}' is a long double, which the device does not have")
        if reason:
            raise error_at(self._first_use(symbol), f"'{symbol.name}': {reason} in device code")

    def _first_use(self, symbol: Symbol) -> SourceSpan:
        for reference in self.sema.free_variables(self.body):
            if reference.symbol is symbol and not reference.in_clause_only:
                return self.unit.span_of(reference.node)
        return self.directive.span

    def _changed_in_parallel(self) -> set[Symbol]:
        """Variables that a nested parallel region changes while sharing them with its team."""
        changed: set[Symbol] = set()
        for construct in constructs_in(self.body):
            if "parallel" in construct.directive.constructs and construct.body is not None:
                chain, _, body = combine(self.sema, construct)
                sharing = sharing_of(self.sema, chain)
                kept = {*sharing.private, *sharing.firstprivate}
                changed |= {s for s in self.sema.assignments(body).symbols if s not in kept}
                changed |= {r.symbol for r in sharing.reductions} | set(sharing.lastprivate)
        return changed

    def _locals_used_in_parallel(self) -> set[Symbol]:
        """Variables of the region's sequential part that nested parallel regions share."""
        found: set[Symbol] = set()
        outside = {r.symbol for r in self.sema.free_variables(self.construct)}
        for construct in constructs_in(self.body):
            if "parallel" in construct.directive.constructs and construct.body is not None:
                chain, _, _ = combine(self.sema, construct)
                own = set(sharing_of(self.sema, chain).private)
                found |= {r.symbol for r in self.sema.free_variables(construct)} - own
        return {s for s in found - outside if s.is_variable and not s.is_global and s.storage != "static"}

    def _literal_map(self, symbol: Symbol, own: Sequence[MapItem], changed: frozenset[Symbol]) -> bool:
        """Whether ``map(to: n)`` of a scalar cannot be told from passing its value.

        It can when the variable may be present already (a data construct maps it, or its address is known outside
        this function), when the region changes it, or when the region runs later.
        """
        if self.directive.has("nowait"):
            return False
        if len(own) != 1 or own[0].locator.steps or own[0].flags != MAP_TO or symbol in changed:
            return False
        if symbol.is_global or symbol.storage in ("static", "extern") or symbol in self.facts.mapped_elsewhere:
            return False
        return (
            _fits(symbol.type)
            and not is_pointer(symbol.type)
            and symbol not in self.sema.assignments(self.function.body).address_taken
        )

    def _explicit(self, symbol: Symbol, own: Sequence[MapItem], mapper: Mapper, captures: list[Capture]) -> None:
        through = is_array(symbol.type) or (is_pointer(symbol.type) and any(i.locator.steps for i in own))
        if through:
            own = [i for i in own if i.locator.steps or is_array(symbol.type)]
        row = len(mapper.rows)
        mapper.map_symbol(symbol, own)
        if through:
            captures.append(Capture(symbol, Transport.POINTER, _parameter(symbol.type), row, "mapped section"))
        else:
            captures.append(Capture(symbol, Transport.ADDRESS, Pointer(symbol.type), row, "mapped variable"))

    def _device_pointer(self, symbol: Symbol, clause: ListClause, mapper: Mapper, captures: list[Capture]) -> None:
        row = len(mapper.rows)
        flags = MAP_TARGET_PARAM | MAP_LITERAL
        if is_pointer(symbol.type) or is_array(symbol.type):
            value = f"(void *){mapper.names.text(symbol)}"
            captures.append(Capture(symbol, Transport.POINTER, _parameter(symbol.type), row, clause.name))
        elif clause.name == "has_device_addr":
            value = f"(void *)&{mapper.names.text(symbol)}"
            captures.append(Capture(symbol, Transport.ADDRESS, Pointer(symbol.type), row, clause.name))
        else:
            item = next(i for i in clause.items if i.name == symbol.name)
            raise error_at(item.span, f"'{symbol.name}' in '{clause.name}' is not a pointer")
        mapper.rows.append(MapRow(value, value, "sizeof(void *)", flags, f"{clause.name}: {symbol.name}"))

    def _mapped_by_default(self, symbol: Symbol, mapper: Mapper) -> list[MapItem]:
        """The items of a variable that is mapped implicitly, but not simply as a whole: one whose type has a default
        mapper, and a ``link`` variable, which has no other storage on the device (OpenMP 5.2, section 5.8.1)."""
        link = symbol in mapper.names.links
        if is_scalar(symbol.type) and not link:
            return []
        behavior = self._defaultmap(symbol)
        if behavior in ("none", "firstprivate") and not link:
            return []
        bits = MAP_TYPES.get(behavior or "", MAP_TO | MAP_FROM) | (MAP_PRESENT if behavior == "present" else 0)
        locator = Locator(symbol.name, (), symbol.name, self._first_use(symbol))
        item = MapItem(locator, symbol, bits | MAP_IMPLICIT, f"implicit map: {symbol.name}")
        items = self.facts.mappers.expand(mapper, item, None)
        return items if link or items != [item] else []

    def _whole(self, symbol: Symbol, flags: int, mapper: Mapper, captures: list[Capture], why: str) -> None:
        """Map a whole variable."""
        row = len(mapper.rows)
        array = is_array(symbol.type)
        address = f"(void *){symbol.name}" if array else f"(void *)&{symbol.name}"
        mapper.rows.append(
            MapRow(
                address,
                address,
                f"sizeof({symbol.name})",
                flags | MAP_TARGET_PARAM,
                f"{why}: {symbol.name}",
                constant_size=not is_variably_modified(symbol.type),
            )
        )
        if array:
            captures.append(Capture(symbol, Transport.POINTER, _parameter(symbol.type), row, why))
        else:
            captures.append(Capture(symbol, Transport.ADDRESS, Pointer(symbol.type), row, why))

    def _by_value(self, symbol: Symbol, flags: int, mapper: Mapper, captures: list[Capture], why: str) -> None:
        row = len(mapper.rows)
        mapper.rows.append(
            MapRow(symbol.name, symbol.name, f"sizeof({symbol.name})", flags, f"{why}: {symbol.name}", literal=True)
        )
        captures.append(Capture(symbol, Transport.LITERAL, strip(symbol.type), row, why))

    def _implicit(
        self,
        symbol: Symbol,
        kind: KernelKind,
        mapper: Mapper,
        captures: list[Capture],
        firstprivate: set[Symbol],
        own: Sequence[MapItem],
        changed: frozenset[Symbol],
    ) -> bool:
        """A variable without data-mapping of its own (OpenMP 5.2, section 5.8.1). Returns whether it goes by value."""
        flags = MAP_TARGET_PARAM
        explicit = symbol in firstprivate or bool(own)
        behavior = None if explicit else self._defaultmap(symbol)
        if not explicit:
            flags |= MAP_IMPLICIT
        if behavior == "none":
            raise error_at(
                self._first_use(symbol), f"'{symbol.name}' is not in a data clause, which 'defaultmap(none)' demands"
            )
        if behavior in MAP_TYPES or behavior == "present":
            bits = MAP_TYPES.get(behavior or "", MAP_TO | MAP_FROM) | (MAP_PRESENT if behavior == "present" else 0)
            self._whole(symbol, MAP_IMPLICIT | bits, mapper, captures, f"defaultmap({behavior})")
            return False
        if is_pointer(symbol.type):
            self._check_kept(symbol, kind, changed)
            row = len(mapper.rows)
            name = f"(void *){symbol.name}"
            if explicit or behavior == "firstprivate" or _is_function_pointer(symbol.type):
                literal = flags | MAP_LITERAL
                mapper.rows.append(MapRow(name, name, "sizeof(void *)", literal, f"firstprivate: {symbol.name}"))
            else:
                mapper.rows.append(MapRow(name, name, "0", flags, f"implicit zero-length section: {symbol.name}"))
            captures.append(Capture(symbol, Transport.POINTER, _parameter(symbol.type), row, "pointer"))
            return True
        if _fits(symbol.type) and not self._needs_storage(symbol, kind, changed):
            why = "firstprivate" if explicit else "implicit firstprivate"
            self._by_value(symbol, flags | MAP_LITERAL, mapper, captures, why)
            return True
        if explicit or behavior == "firstprivate" or is_scalar(symbol.type):
            self._whole(symbol, MAP_PRIVATE | MAP_TO | (flags & MAP_IMPLICIT), mapper, captures, "firstprivate")
            return True
        constant = "const" in _element(symbol.type).quals
        moves = MAP_TO if constant else MAP_TO | MAP_FROM
        self._whole(symbol, MAP_IMPLICIT | moves, mapper, captures, "implicit map")
        return False

    def _needs_storage(self, symbol: Symbol, kind: KernelKind, changed: frozenset[Symbol]) -> bool:
        """Whether threads that share a firstprivate scalar of the region could see each other's changes to it."""
        if symbol not in changed and symbol not in {r.symbol for r in self.sharing.reductions}:
            return symbol in self.sharing.lastprivate
        if symbol in {*self.sharing.firstprivate, *self.sharing.private}:
            innermost = sharing_of(self.sema, self.chain[-1:])
            if symbol in {*innermost.firstprivate, *innermost.private} and len(self.leaves) > 1:
                return False
        if kind is KernelKind.SERIAL:
            return "teams" in self.leaves
        if kind is KernelKind.TEAMS:
            return "teams" in self.leaves
        return True

    def _check_kept(self, symbol: Symbol, kind: KernelKind, changed: frozenset[Symbol]) -> None:
        """A pointer that threads share and change cannot be passed by value."""
        own_copy = symbol in {*self.sharing.firstprivate, *self.sharing.private}
        if symbol in changed and not own_copy and kind in (KernelKind.PARALLEL, KernelKind.WORKSHARING):
            raise error_at(
                self._first_use(symbol),
                f"the pointer '{symbol.name}' is changed in the region while its threads share it",
                "make it private or firstprivate",
            )

    def _defaultmap(self, symbol: Symbol) -> str | None:
        category = "pointer" if is_pointer(symbol.type) else "scalar" if is_scalar(symbol.type) else "aggregate"
        for clause in self.directive.clauses:
            if isinstance(clause, DefaultmapClause) and clause.category in (None, category, "all"):
                return None if clause.behavior == "default" else clause.behavior
        return None

    def _extents(self, symbol: Symbol, mapper: Mapper, extents: list[Extent]) -> None:
        """Lengths of the inner dimensions of a variable-length array, as literals of their own."""
        kind = decay(symbol.type)
        inner = kind.to if isinstance(kind, Pointer) else None
        sizes = is_variably_modified(symbol.type) and is_array(symbol.type) and self._asks_size(symbol)
        if not is_variably_modified(inner or symbol.type) and not sizes:
            return
        text = symbol.name
        for level in range(0 if sizes else 1, 100):
            if level > 0:
                if not isinstance(inner, Array):
                    return
                text, inner = f"{text}[0]", inner.of
            name = f"{symbol.name}__rex_extent_{level}"
            row = self._literal_row(mapper, name, f"extent of {symbol.name}")
            extents.append(Extent(symbol, name, f"sizeof({text}) / sizeof({text}[0])", row, level))

    def _asks_size(self, symbol: Symbol) -> bool:
        """Whether the body asks for the size of a whole array."""
        if symbol in {*self.sharing.private, *self.sharing.firstprivate}:
            return True  # its copies have to be made
        if any(r.whole and r.symbol is symbol for r in self._all_reductions()):
            return True
        return any(
            isinstance(n, c_ast.UnaryOp)
            and n.op == "sizeof"
            and isinstance(n.expr, c_ast.ID)
            and self.sema.symbol(n.expr) is symbol
            for n in walk(self.body)
        )

    def _all_reductions(self) -> list[Reduction]:
        """The reductions of the region and of the constructs inside it."""
        inner = [sharing_of(self.sema, [construct]) for construct in constructs_in(self.body)]
        return [r for sharing in (self.sharing, *inner) for r in sharing.reductions]

    def _literal_row(self, mapper: Mapper, name: str, note: str) -> int:
        """A row for a value that the host block computes into the variable ``name`` (8 bytes)."""
        flags = MAP_TARGET_PARAM | MAP_LITERAL | MAP_IMPLICIT
        mapper.rows.append(MapRow(name, name, f"sizeof({name})", flags, note, literal=True))
        return len(mapper.rows) - 1

    def _partials_row(self, mapper: Mapper) -> int | None:
        """The row of the partial results that blocks leave for the last one of them to combine."""
        if not self.sharing.reductions or self.leaves == ["target", "parallel"]:
            return None
        row = MapRow(
            "(void *)__rex_partials", "(void *)__rex_partials", "__rex_partials_size", MAP_TO | MAP_TARGET_PARAM,
            "partial results", constant_size=False,
        )  # fmt: skip
        mapper.rows.append(row)
        return len(mapper.rows) - 1

    # -- launch -------------------------------------------------------------------------------------------------

    def _clause_expr(self, name: str) -> Expr | None:
        for clause in self.clauses:
            if isinstance(clause, ExprClause) and clause.name == name:
                return clause.expr
        return None

    def _launch(
        self, kind: KernelKind, nest: LoopNest | None, captures: Sequence[Capture], by_place: bool
    ) -> tuple[LaunchShape, bool]:
        teams, limit, threads = (self._clause_expr(n) for n in ("num_teams", "thread_limit", "num_threads"))
        threads_text, threads_value = None, None
        for expr in (threads, limit):
            if expr is None:
                continue
            value = self.sema.value(expr.node)
            if threads_text is None:
                threads_text, threads_value = f"({expr.text})", value
            elif value is not None and threads_value is not None:
                threads_value = min(threads_value, value)
                threads_text = str(threads_value)
            else:
                threads_text, threads_value = f"REX_MIN({threads_text}, ({expr.text}))", None
        if kind is KernelKind.WORKSHARING and threads is None and limit is not None and threads_value is not None:
            threads_value = min(threads_value, launch.MAX_THREADS)
        if kind is KernelKind.WORKSHARING and "parallel" not in self.leaves and by_place and teams is not None:
            threads_text, threads_value = "1", 1  # so many teams and no more: one thread each
        league = "teams" in self.leaves or self.leaves == ["target", "loop"]
        spans_grid = kind is KernelKind.WORKSHARING and not by_place and threads is None
        parallel_if = None
        for part in self.chain:
            if "parallel" in part.directive.constructs:
                modified = [c for c in part.directive.clauses if getattr(c, "modifier", None) == "parallel"]
                parallel_if = condition_of(modified if part is self.construct else part.directive.clauses, "parallel")
        shape = launch.shape(
            kind,
            teams=f"({teams.text})" if teams is not None else None,
            threads=threads_text,
            threads_value=threads_value,
            single_team=not league and not spans_grid,
            trip_counts=self._host_trip_counts(nest, captures)
            if nest is not None and kind is not KernelKind.SERIAL
            else (),
            depth=loop_depth(nest.body) if nest is not None else 0,
            parallel_if=parallel_if,
            reduces=bool(self.sharing.reductions),
        )
        if "teams" in self.leaves:
            # The runtime leaves its own limits alone for kernels that bring their launch shape.
            shape = replace(shape, icv_teams=teams is None, icv_threads=limit is None)
        exact = kind is not KernelKind.WORKSHARING or by_place or parallel_if is not None
        exact = exact or any(e is not None for e in (teams, limit, threads))
        return shape, (exact and kind is not KernelKind.SERIAL) or (kind is KernelKind.SERIAL and league)

    def _host_trip_counts(self, nest: LoopNest, captures: Sequence[Capture]) -> tuple[str, ...]:
        """The loops' trip counts as host text, when the host sees the same bounds as the device will."""
        literals = {c.symbol for c in captures if c.transport is Transport.LITERAL}
        for level in nest.levels:
            for part in (level.lower, level.bound, level.step):
                for node in walk(part) if part is not None else ():
                    if isinstance(node, (c_ast.FuncCall, c_ast.StructRef, c_ast.ArrayRef, c_ast.Assignment)):
                        return ()
                    if isinstance(node, c_ast.UnaryOp) and node.op in ("*", "&", "++", "--", "p++", "p--"):
                        return ()
                    if isinstance(node, c_ast.ID):
                        symbol = self.sema.symbol(node)
                        if symbol is None or (symbol.is_variable and symbol not in literals):
                            return ()
        return tuple(trip_count(level, self.sema, c_text) for level in nest.levels)

    # -- the host version ---------------------------------------------------------------------------------------

    def _host_limit(self) -> str | None:
        clauses = [c for part in self.chain for c in part.directive.all("thread_limit")]
        limit = clauses[-1] if clauses else None
        return limit.expr.text if isinstance(limit, ExprClause) and limit.expr is not None else None

    def _fallback(self) -> list[tuple[int, int, str]]:
        """Replacements that turn the region's text into what the host compiler runs without offloading."""
        text = self.unit.pre.text
        # Constructs that were taken apart have their host's spelling from when they were whole.
        whole = [e for e in self.unit.respelled if e[0] == self.construct.start and "omp target" not in e[2]]
        out = whole
        for construct in [self.construct, *constructs_in(self.body), *self.chain[1:]]:
            leaves = construct.directive.constructs
            if construct is self.construct and whole:
                continue
            host_lacks = {"teams", "distribute", "target"}.intersection(leaves)
            if construct is not self.construct and not host_lacks and "loop" not in construct.directive.name.split():
                continue
            end = text.index("\n", construct.start)
            spelling = host_directive(construct)
            out.append((construct.start, end, f"#pragma omp {spelling}" if spelling else ""))
        spelled = {start for start, _, _ in out}
        last = statement_end(text, text.index("\n", self.construct.start))
        out += [e for e in self.unit.respelled if self.construct.start <= e[0] < last and e[0] not in spelled]
        return sorted(set(out))

    def _host_by_value(self) -> frozenset[Symbol]:
        """The variables of which the target task has copies, for a region of which not all can be read."""
        first: set[Symbol | None] = set()
        other: set[Symbol | None] = {*self.facts.device_variables, *self.facts.host_names(self.construct).links}
        for clause in self.directive.clauses:
            if isinstance(clause, TextClause):  # which may be no clause at all
                names = set(re.findall(r"\w+", clause.text))
            else:
                names = {item.name for item in clause_locators(clause)}
            taken = first if clause.name in ("firstprivate", "is_device_ptr") else other
            if clause.name not in ("allocate", "depend", "shared"):
                taken |= {self.sema.lookup(self.construct, name) for name in names}
        implicit = {
            r.symbol
            for r in self.sema.free_variables(self.body)
            if is_scalar(r.symbol.type) and self._defaultmap(r.symbol) in (None, "firstprivate")
        }
        return frozenset(s for s in first | (implicit - other) if s is not None)

    def _host_copies(self, by_value: frozenset[Symbol]) -> tuple[HostCopy, ...]:
        """The private copies that the target task and the teams would have had, where the host version could tell the
        difference."""
        undirected = [p for p in self.chain if is_left_out(p)]
        own = sharing_of(self.sema, undirected, with_reductions=False)
        in_teams = [p for p in undirected if "teams" in p.directive.constructs]
        teams = sharing_of(self.sema, in_teams, with_reductions=False)
        # What is left of other constructs makes the copies of its firstprivate variables itself.
        directed = [] if self.construct in undirected else [self.construct]
        spelled = sharing_of(self.sema, directed, with_reductions=False).firstprivate
        changed = self.sema.assignments(self.body).symbols
        private = set(own.private)
        first = {s for s in (*by_value, *teams.firstprivate) if s in changed and s not in (*private, *spelled)}
        copies = [HostCopy(s.name, False, is_array(s.type)) for s in private]
        copies += [HostCopy(s.name, True, is_array(s.type)) for s in first]
        return tuple(sorted(copies, key=lambda c: c.name))


def _fits(kind: CType) -> bool:
    """Whether a value travels in an 8-byte parameter."""
    try:
        return is_arithmetic(strip(kind)) and sizeof(kind) <= 8
    except LayoutError:
        return False


def _parameter(kind: CType) -> CType:
    """The type of a kernel parameter that points to an array, or has a pointer's value. Arrays of variable length are
    indexed as one row of elements in device code, also where only the outermost length varies."""
    return Pointer(_element(kind)) if isinstance(kind, Array) and is_variably_modified(kind) else decay(kind)


def _element(kind: CType) -> CType:
    while isinstance(kind, Array):
        kind = kind.of
    return kind


def _is_function_pointer(kind: CType) -> bool:
    return isinstance(kind, Pointer) and type(kind.to).__name__ == "Function"
