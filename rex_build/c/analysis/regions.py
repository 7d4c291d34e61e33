"""What C says of a target region, and of the variables that its kernel gets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property, reduce
from typing import Any

from pycparser import c_ast

from ...base.diagnostics import SourceSpan, error_at
from ...directives.model import Expr, ScheduleClause
from ...openmp import captures as captured
from ...openmp import regions as decided
from ...openmp.attachment import record_of
from ...openmp.by_value import Layout, Path, layout_of
from ...openmp.captures import Accesses, Form, ordered_variables
from ...openmp.host_bounds import HostView
from ...openmp.mapping import Mapper
from ...openmp.places import check_has_size
from ...openmp.regions import Planned
from ...openmp.restrictions import check_threadprivate, check_unmapped_members, shares_memory
from ...openmp.tasks import is_task, with_task_copies
from ...openmp.team_memory import called_in_sequence, team_memory
from ...optimise.obstacle import ObstacleError
from ...plan.constructs import SHARED_MEMORY, Entity, Sharing, TeamMemory, runs_in_order
from ...plan.host_expression import ZERO, HostExpression, Index, Member, SizeOf, Variable, element_count
from ...plan.optimised import Optimised
from ...plan.rows import Capture, Extent, Map, Role, RowNote, Transport
from ...plan.unit import KernelKind, TargetRegion
from ...tree import nodes as tree
from ..reading.statements import reader_of
from ..sema import Symbol, SymbolKind, free_variables, symbols_of, walk
from ..sema.ctype import Array, CType, Function, LayoutError, Pointer, Record, Scalar, sizeof, strip
from ..sema.type_questions import (
    decay,
    innermost,
    is_arithmetic,
    is_array,
    is_pointer,
    is_record,
    is_scalar,
    is_variably_modified,
    refused_type,
)
from ..source.tokens import next_token, statement_end
from ..syntax.nodes import OmpConstruct
from .construct_facts import category_of, implicitly, reduction_functions
from .device_names import ascii_name
from .found import constructs_in, nesting
from .host_expressions import host_expression, host_trip_count, readable_trip_count
from .host_version import Region
from .optimise.accesses import calls_of, changed_in
from .program import Program, UnitFacts


class Captures(captured.Captures[OmpConstruct]):
    """The captured variables of a region, and the ``extents`` of variable-length arrays that its kernel gets."""

    def __init__(
        self, region: Region, kind: KernelKind, sharing: Sharing, target_copies: Collection[Entity]
    ) -> None:
        self.region, self.facts, self.sema = region, region.facts, region.sema
        self.body, self.names = region.body, region.items.names
        self.assigned = changed_in(region.sema, region.body)
        self.extents: list[Extent] = []
        region_tree, addressed = reader_of(self.sema).statement(region.construct), self.assigned.addressed
        accesses = Accesses(
            self.assigned.variables, lambda: addressed,
            lambda: None if region.asks.elsewhere else ordered_variables(
                region.program, [region_tree], calls_of(self.sema), addressed
            ),
        )  # fmt: skip
        rows = region.items.rows()
        super().__init__(region.program, region.chain, kind, sharing, target_copies, accesses, rows)
        outside = self._in_sections()
        captured = self.collect(self._used(outside), outside)
        for symbol in symbols_of(self.sharing.private):
            self._check_device_type(symbol)
            if symbol not in captured:
                self._extents(symbol)
        self.map_others(captured)

    @cached_property
    def changed(self) -> frozenset[Entity]:
        return self.assigned.variables

    @property
    def changed_copies(self) -> frozenset[Entity]:
        rows = (r for r in self.mapper.rows if r.flags & Map.IMPLICIT and r.flags & (Map.LITERAL | Map.PRIVATE))
        names, directive = {r.note.name for r in rows}, self.directive
        copied = (v for v in self.changed if v.name in names and v not in self.sharing.named)
        return frozenset(v for v in copied if implicitly(directive, v.type) is None)

    def form(self, variable: Entity) -> Form:
        assert isinstance(variable, Symbol)
        kind, fits = variable.type, _fits(variable.type)
        scalar = is_scalar(kind)
        parts = () if scalar else (variable, *record_of(self.region.items.type_of(variable)))
        return Form(
            category_of(kind),
            scalar,
            fits=fits,
            alone=fits and self.region.surroundings.is_alone(self.region.tree_of(variable)),
            points=is_pointer(kind) or is_array(kind),
            of_function=isinstance(kind, Pointer) and isinstance(kind.to, Function),
            is_const="const" in innermost(kind).quals,
            is_volatile="volatile" in kind.quals,
            carries=not self.names.carrying.isdisjoint(parts),
        )

    def host(self, variable: Entity) -> HostExpression:
        return Variable(variable.name)

    def place(self, variable: Entity) -> SourceSpan:
        assert isinstance(variable, Symbol)
        return self.region.first_use(variable)

    def size(self, variable: Entity) -> tuple[SizeOf, bool]:
        assert isinstance(variable, Symbol)
        kind = self.region.items.type_of(variable)
        check_has_size(kind, variable.name, self.place(variable))
        return SizeOf(Variable(variable.name), kind.size), not is_variably_modified(variable.type)

    def capture(self, variable: Entity, transport: Transport, why: str) -> Capture:
        kind = variable.type
        if transport is Transport.ADDRESS:
            return Capture(variable, transport, Pointer(kind), why)
        is_value = transport in (Transport.LITERAL, Transport.WORDS)
        return Capture(variable, transport, strip(kind) if is_value else _parameter(kind), why)

    def check(self, variable: Entity) -> None:
        assert isinstance(variable, Symbol)
        self._check_device_type(variable)
        self._check_visible(variable)
        self._extents(variable)

    def layouts(self, variable: Entity) -> Sequence[Layout]:
        assert isinstance(variable, Symbol)
        elsewhere = variable in self.facts.tables or variable in self.facts.device_variables
        if not is_record(strip(variable.type)) or variable in self.accesses.changed or elsewhere:
            return ()
        is_off = "byvalue" in self.facts.no_opt or self.facts.mappers.mappers
        kind, in_team = self.region.items.type_of(variable), self.kind is KernelKind.TEAMS
        layout = layout_of(kind, of_class=False, in_team=in_team) if not is_off else None
        if layout is None:
            return ()
        named = tree.parts(reader_of(self.sema).statement(self.region.body), tree.Named)
        return [layout] if any(n.variable.entity is variable for n in named) else ()  # not only clauses name it

    def is_fresh(self, variable: Entity) -> bool:
        return self.region.is_fresh(variable)

    def pointer_in(
        self, variable: Entity, path: Path, offset: int  # noqa: ARG002
    ) -> tuple[Entity, HostExpression, HostExpression]:  # fmt: skip
        kind = _member_type(variable.type, path)
        member = Symbol(".".join((variable.name, *path)), SymbolKind.OBJECT, kind, None)
        value = self.region.items.members[member] = reduce(Member, path, self.host(variable))
        return member, value, value

    def loaded_pointer(self, variable: Entity, path: Path) -> Capture | None:
        assert isinstance(variable, Symbol)
        kind = strip(variable.type)
        kind = _member_type(strip(kind.to) if isinstance(kind, Pointer) else kind, path)
        if not isinstance(kind, Pointer):
            return None
        name = "->" if isinstance(strip(variable.type), Pointer) else "."
        member = Symbol(name.join((variable.name, ".".join(path))), SymbolKind.OBJECT, kind, None)
        return Capture(member, Transport.POINTER, kind, "pointer in a mapped structure")

    def on_host(self, variable: Entity, path: Path) -> HostExpression:
        first, *others = path
        points = isinstance(strip(variable.type), Pointer)
        return reduce(Member, others, Member(self.host(variable), first, points))

    def _used(self, in_sections: Collection[Symbol]) -> list[Symbol]:
        """Variables from outside that the kernel needs, in order of first reference."""
        used = {r.symbol: None for r in free_variables(self.sema, self.body)}
        sharing = self.sharing
        used.update(dict.fromkeys(symbols_of(sharing.returned)))
        clauses = self.region.clauses
        chunks = [c.chunk.node for c in clauses if isinstance(c, ScheduleClause) and c.chunk is not None]
        for expression in (*chunks, *(step for _, step in sharing.linear if step is not None)):
            found = (self.sema.symbol(n) for n in walk(expression) if isinstance(n, c_ast.ID))
            used.update({s: None for s in found if s is not None and s.is_variable})
        used.update(dict.fromkeys(in_sections))
        private = self.facts.private[self.region.construct]
        elsewhere = {s for s in self.facts.device_variables if s not in private} | self.facts.tables
        return [s for s in used if s not in elsewhere or s in self.kept]

    def _in_sections(self) -> dict[Symbol, None]:
        """The variables from outside in the bounds of the sections that the region reduces."""
        bounds = [b for r in self.sharing.reductions for b in (r.section, r.length) if b is not None]
        found = (self.sema.symbol(n) for b in bounds for n in walk(b) if isinstance(n, c_ast.ID))
        return {s: None for s in found if s is not None and s.is_variable}

    def _check_device_type(self, symbol: Symbol) -> None:
        kind = symbol.type
        reason = refused_type(kind)
        while isinstance(kind, (Pointer, Array)):
            kind = kind.to if isinstance(kind, Pointer) else kind.of
            reason = reason or refused_type(kind)
        kind = strip(kind)
        if isinstance(kind, Scalar) and kind.name == "long double _Complex":
            raise error_at(self.region.first_use(symbol), f"'{symbol.name}' has long double parts, which devices lack")
        if str(kind) == "long double":
            message = f"'{symbol.name}' is a long double, which the device does not have"
            raise error_at(self.region.first_use(symbol), message, "convert it to a double in front of the region")
        if reason:
            raise error_at(self.region.first_use(symbol), f"'{symbol.name}': {reason} in device code")

    def _check_visible(self, symbol: Symbol) -> None:
        if self.sema.lookup(self.region.construct, symbol.name) is not symbol:
            raise error_at(
                self.region.first_use(symbol),
                f"'{symbol.name}' has to be mapped, but a local variable hides it where the region begins",
                "declare target would have it on the device",
            )
        if not self.sema.is_declared_before(self.region.construct, symbol):
            what = f"'{symbol.name}' has to be mapped, but is not declared before the region"
            raise error_at(self.region.first_use(symbol), what)

    def _extents(self, symbol: Symbol) -> None:
        """Pass the lengths of the inner dimensions of a variable-length array, each as a literal of its own."""
        kind = decay(symbol.type)
        inner = kind.to if isinstance(kind, Pointer) else None
        sizes = is_variably_modified(symbol.type) and is_array(symbol.type) and self._asks_size(symbol)
        if not is_variably_modified(inner or symbol.type) and not sizes:
            return
        array: HostExpression = Variable(symbol.name)
        for level in range(0 if sizes else 1, 100):
            if level > 0:
                if not isinstance(inner, Array):
                    return
                array, inner = Index(array, ZERO), inner.of
            name = self.facts.names.fresh(f"{symbol.name}__rex_extent_{level}")
            self.mapper.computed(name, RowNote("", f"extent of {symbol.name}"))
            self.mapper.supply(Role.EXTENT, name, symbol)
            self.extents.append(Extent(symbol, name, element_count(array), level))

    def _asks_size(self, symbol: Symbol) -> bool:
        """Whether the body asks for the size of a whole array."""
        for sharing in self._all_sharings():
            if symbol in {*sharing.private, *sharing.firstprivate, *sharing.lastprivate}:
                return True  # copies of it are made, and these need its size
            if any(r.whole and r.symbol is symbol for r in sharing.reductions):
                return True
        return any(
            n.op in ("sizeof", "&")  # '&array + 1' depends on the array's size
            and isinstance(n.expr, c_ast.ID)
            and self.sema.symbol(n.expr) is symbol
            for n in self.sema.parts(self.body).of(c_ast.UnaryOp)
        )

    def _all_sharings(self) -> list[Sharing]:
        """What the clauses of the region and of the constructs inside it say."""
        found, around, program = [self.sharing], nesting(self.sema, [self.region.construct]), self.program
        for construct in constructs_in(self.sema, self.body):
            sharing = self.facts.constructs.sharing(construct)
            if is_task(program, construct):
                sharing = with_task_copies(program, construct, around[construct], sharing)
            found.append(sharing)
        return found


def _member_type(kind: CType, path: Path) -> CType:
    """The type of a member of a structure."""
    for name in path:
        record = strip(kind)
        assert isinstance(record, Record)
        kind = next(field.type for field in record.info.fields if field.name == name)
    return strip(kind)


def _fits(kind: CType) -> bool:
    """Whether a value fits into an 8-byte parameter."""
    try:
        return is_arithmetic(strip(kind)) and sizeof(kind) <= 8
    except LayoutError:
        return False


def _parameter(kind: CType) -> CType:
    """The type of a kernel parameter that points to an array, or has a pointer's value.

    Device code indexes an array of variable length as one row of elements, also if only its outermost length varies.
    """
    return Pointer(innermost(kind)) if isinstance(kind, Array) and is_variably_modified(kind) else decay(kind)


def analyse_region(
    facts: UnitFacts, function: c_ast.FuncDef, construct: OmpConstruct, index: int
) -> tuple[TargetRegion, ObstacleError | None]:
    """Decide everything about a region: (the region, why it is not known what memory its kernel accesses, if it is not)

    ``index`` is its number in the unit, from 1. Raises InputError.
    """
    return _Region(facts, function, construct).decide(index)


class _Region(Region, decided.Region[OmpConstruct, Captures]):
    """A region (see :class:`~rex_build.openmp.regions.Region`)."""

    def __init__(self, facts: UnitFacts, function: c_ast.FuncDef, construct: OmpConstruct) -> None:
        program = Program(facts)
        super().__init__(facts, program, function, program.chain(construct)[0])
        text = facts.unit.pre.text
        self.named = function.decl.name
        self.stem = f"{facts.name_hash}__{ascii_name(self.named)}"
        line_end = text.index("\n", self.construct.start)
        self.start, self.body_start = self.construct.start, next_token(text, line_end)
        self.end = statement_end(text, line_end)
        self.in_fixed_order = facts.ordered

    def check(self) -> None:
        if not (self.facts.mappers.mappers or shares_memory(self.unit.requirements)):
            reader = reader_of(self.sema)
            check_unmapped_members(self.trees, lambda: [reader.body(self.function)], self.span_of)
        check_threadprivate(self.facts.threadprivate, self.trees, calls_of(self.sema), self.span_of)

    @property
    def trees(self) -> Iterable[tree.Node]:
        return [reader_of(self.sema).statement(self.construct)]

    def span_of(self, origin: Any) -> SourceSpan:
        return self.unit.span_of(origin)

    def value_of(self, expr: Expr) -> HostExpression:
        return host_expression(self.sema, expr)

    @cached_property
    def _whole_code(self) -> c_ast.Node:
        """What the kernel runs: the body, and the functions that combine what declared reductions reduce."""
        whole = self.nest.body if self.nest is not None else self.body
        combiners = [self.sema.functions[f] for part in self.chain for f in reduction_functions(self.sema, part)]
        for function in combiners:
            self.sema.analyse(function)
        return c_ast.Compound([whole, *(f.body for f in combiners)]) if combiners else whole

    def reached(self) -> decided.Reached:
        functions = self.calls.functions(self._whole_code)
        inside = [c.directive for f in functions for c in constructs_in(self.sema, f.body)]
        # One thread of a team calls what is in no parallel region.
        called = called_in_sequence(reader_of(self.sema).statement(self.body), self.facts.team_functions)
        in_order = runs_in_order(self.clauses, self.sharing)
        regions = bool(called) and not (in_order or {"parallel", "simd"}.intersection(self.leaves))
        return decided.Reached(self.calls.asked(self._whole_code), bool(functions), inside, regions)

    def captured(self) -> Captures:
        return Captures(self, self.kind, self.sharing, self.variables.of_target)

    def add_rows(self, mapper: Mapper, reached: decided.Reached) -> None:
        table = self.facts.functions_table
        if table and (self.calls.calls_through_pointers(self._whole_code) or reached.asked.elsewhere):
            mapper.add_functions(table)

    def optimise(self, region: Planned) -> tuple[Optimised, ObstacleError | None]:
        from ...optimise.kernel import optimise
        from .optimise.kernel import CSide

        side = CSide(
            self.unit, self.sema, self.host_view(), self.function, self.chain, body=self.body,
            off=self.facts.no_opt, shared=shares_memory(self.unit.requirements), claimed=self.facts.claimed,
        )  # fmt: skip
        return optimise(side, region)

    def team_memory(self) -> TeamMemory:
        if self.kind is not KernelKind.TEAMS:
            return TeamMemory()
        body, local = reader_of(self.sema).statement(self.body), self.facts.constructs.locals(self.chain[-1])
        sharing_of, calls = self.facts.constructs.sharing, calls_of(self.sema)
        objects = {c.symbol for c in self.found.captures if c.transport is Transport.WORDS}
        copies = self.found.by_value | objects
        memory = team_memory([body], sharing_of, calls, self.sharing, copies, local.__contains__, objects=objects)
        return memory.within(SHARED_MEMORY)

    def host_view(self) -> HostView:
        return HostView(
            captures={c.symbol: c for c in self.found.captures},
            mapping=self.found.mapper.finish(),
            changed=changed_in(self.sema, self.body).variables,
            constants=self.facts.tables,
            device=frozenset(self.facts.device_variables),
            renamed=frozenset(self.items.names.renamed),
            is_fresh=self.is_fresh,
            is_unaddressed=lambda variable: self.surroundings.keeps(self.tree_of(variable)),
            host=lambda symbol: Variable(symbol.name),
            this=None,
            calls=calls_of(self.sema),
            values=lambda loop: map(reader_of(self.sema).value, filter(None, (loop.lower, loop.bound, loop.step))),
            count=lambda level: host_trip_count(level, self.sema),
            readable=lambda level: readable_trip_count(level, self.sema),
        )
