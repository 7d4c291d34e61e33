"""Decides about one target region: the kind of its kernel, captures, loops, launch shape and host version."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ...directives.model import Directive, Expr
from ...openmp import queries
from ...openmp.chains import of_region, without
from ...openmp.conditions import condition, expression
from ...openmp.kinds import kind_of
from ...openmp.launch import is_limited, launch_of
from ...openmp.mapping import Mapper
from ...openmp.restrictions import check_default_none, check_one_clause_each, check_threadprivate
from ...openmp.schedules import schedule_of_region
from ...openmp.sharing import only_used
from ...openmp.team_memory import team_memory
from ...plan import launch_policy
from ...plan.captures import Capture
from ...plan.code import Entity
from ...plan.host_expression import (
    SizeOf,
    Variable,
)
from ...plan.launch import LaunchShape, TripCounts
from ...plan.loops import LoopNest, Schedule
from ...plan.memory import SHARED_MEMORY, TeamMemory
from ...plan.optimised import Optimised
from ...plan.region import KernelKind, TargetRegion
from ...plan.rows import (
    MAP_ALWAYS,
    MAP_IMPLICIT,
    MAP_LITERAL,
    MAP_PRIVATE,
    MAP_TO,
    MapRow,
    Role,
    RowNote,
)
from ...plan.sharing import Sharing, runs_in_order
from ..reading.statements import reader_of
from ..sema import Symbol, assignments, symbols_of
from ..source.tokens import next_token, statement_end
from ..syntax.nodes import OmpConstruct
from .captures import Captures
from .clauses import device_of, host_task, implicitly, node_of, region_allocators, task_variables
from .construct_facts import ConstructFacts, Constructs, collapse_of
from .device_names import ascii_name
from .host_addresses import check_unmapped_members
from .host_bounds import HostView, rounds
from .host_expressions import host_condition, host_expression
from .host_version import host_version
from .loops import canonical_nest, loop_depth
from .nesting import constructs_in, has_leaf
from .optimise.accesses import calls_of
from .program import Program
from .reductions import reduction_functions
from .region_base import RegionBase
from .restrictions import check_allocators, threadprivate_uses
from .runtime_api import shares_memory
from .team_functions import called_in_sequence
from .unit_facts import UnitFacts


def analyse_region(facts: UnitFacts, function: c_ast.FuncDef, construct: OmpConstruct, index: int) -> TargetRegion:
    """Decide everything about a region. ``index`` is its number in the unit, from 1. Raises InputError."""
    sema = facts.calls.sema
    read = facts.constructs.facts(construct)
    read.check_supported()
    sharing, target_copies = _region_sharing(facts, read)
    check_one_clause_each(Program(facts), construct)
    check_allocators(sema, construct)
    nest = None
    if read.has_loop:
        depth, last = collapse_of(sema, read), read.chain[-1]
        nest = canonical_nest(facts.unit, sema, last, read.body, depth, sharing.private)
        sharing = of_region(sharing, nest, [part.directive for part in read.chain])
    return _RegionAnalyser(facts, function, read, sharing, target_copies).analyse(nest, index)


def _region_sharing(facts: UnitFacts, read: ConstructFacts) -> tuple[Sharing, frozenset[Entity]]:
    """(the private copies that the region's threads make, the copies that only the ``target`` construct makes)

    In ``target firstprivate(x)`` with ``parallel`` nested in it, ``x`` is one copy for all threads."""
    target_copies = facts.constructs.of_target(read.chain)
    sharing = only_used(Constructs(facts.constructs), read.sharing, read.chain[-1])
    return without(sharing, target_copies), target_copies


class _RegionAnalyser(RegionBase):
    """Analyses one region. ``analyse`` shows the order of the steps."""

    def _is_silent_copy(self, symbol: Symbol, copied: set[str]) -> bool:
        """Whether the region has a copy of a variable, one of those in ``copied``, without a clause that says so."""
        behavior = implicitly(self.directive, symbol.type)
        return symbol.name in copied and symbol not in self.sharing.named and behavior is None

    def analyse(self, nest: LoopNest | None, index: int) -> TargetRegion:
        kind, reason = self._kind()
        self._check(nest)
        whole = self._whole_code(nest)
        asked = self.calls.asked(whole)
        places = asked.observes_place
        schedule, chunked = self._schedule(kind, nest, places)
        found = Captures(self, kind)
        captures, mapper, by_value = found.captures, found.mapper, frozenset(symbols_of(found.by_value))
        shape, exact = self._launch(kind, nest, captures, mapper, places or chunked)
        self._supply_answers(mapper, whole, asked, exact)
        optimised = self._optimised(kind, nest, schedule, captures, mapper, shape, places)
        if optimised.batched:
            shape = launch_policy.for_batches(shape)
        elif optimised.moved and not places:
            shape = launch_policy.for_light(shape, optimised.moved)
        assigned = assignments(self.sema, self.body)
        changed = frozenset({*assigned.symbols, *assigned.address_taken})
        copied = {r.note.name for r in mapper.rows if r.flags & MAP_IMPLICIT and r.flags & (MAP_LITERAL | MAP_PRIVATE)}
        text, line_end = self.unit.pre.text, self.unit.pre.text.index("\n", self.construct.start)
        function = ascii_name(self.function.decl.name)
        name = f"OUT__{index}__{self.facts.name_hash}__{function}__{self.directive.span.line}"
        return TargetRegion(
            index=index,
            span=self.directive.span,
            directive=" ".join(self.leaves),
            function=self.function.decl.name,
            kernel=f"{name}__kernel__",
            identity=f"{name}__id__",
            kind=kind,
            reason=reason,
            body=self.body,
            changed=changed,
            changed_copies=frozenset(s for s in changed if self._is_silent_copy(s, copied)),
            nest=nest,
            schedule=schedule,
            sharing=self.sharing,
            mapping=mapper.finish(),
            captures=tuple(captures),
            extents=tuple(found.extents),
            team_memory=self._team_memory(kind, by_value),
            launch=shape,
            level=1 if "parallel" in self.leaves else 0,
            places=places,
            calls=bool(self.calls.functions(whole)) or asked.elsewhere,
            calls_other_units=asked.elsewhere,
            asks_settings=has_leaf(self.sema, self.body, "parallel") or asked.may(queries.SETTINGS),
            makes_settings=asked.may(queries.RECORDED),
            device=device_of(self.sema, self.construct),
            condition=host_condition(condition(self.directive.clauses, "target")),
            allocators=region_allocators(self.construct),
            task=host_task(self.construct, lambda: self._task_variables(mapper, captures, by_value)),
            start=self.construct.start,
            body_start=next_token(text, line_end),
            end=statement_end(text, line_end),
            host=host_version(self, by_value),
            optimised=optimised,
            counts_threads=asked.may(queries.THREADS) and self._is_limited(whole),
            asked_threads=expression(self.clauses, "num_threads") is not None,
        )

    def _optimised(
        self,
        kind: KernelKind,
        nest: LoopNest | None,
        schedule: Schedule | None,
        captures: Sequence[Capture],
        mapper: Mapper,
        shape: LaunchShape,
        places: bool,
    ) -> Optimised:
        """Decide what makes the kernel faster. A kernel of tiles gets a parameter for their shape."""
        from ...optimise.planned import runs_anywhere
        from .optimise.candidate import Candidate
        from .optimise.kernel import optimise

        view, shared = self._host_view(captures, mapper), shares_memory(self.unit)
        inside = constructs_in(self.sema, nest.body) if nest is not None else []
        candidate = Candidate(
            kind,
            nest,
            schedule,
            self.sharing,
            captures,
            view.mapping,
            shape,
            places,
            not all(runs_anywhere(construct.directive) for construct in inside),
            self.unit,
            view,
            self.function,
            self.construct,
            self.body,
            shared,
            self.facts.claimed,
        )
        optimised = optimise(self.sema, candidate, self.facts.no_opt)
        collapsed = optimised.collapsed.optimised.direct if optimised.collapsed is not None else None
        if any(direct is not None and direct.tiled for direct in (optimised.direct, collapsed)):
            mapper.word(Role.TILING, "shape of the tiles")
        return optimised

    def _team_memory(self, kind: KernelKind, by_value: frozenset[Symbol]) -> TeamMemory:
        """What the threads of a team share."""
        if kind is not KernelKind.TEAMS:
            return TeamMemory()
        body, local = reader_of(self.sema).statement(self.body), self.facts.constructs.locals(self.chain[-1])
        sharing_of, calls = self.facts.constructs.sharing, calls_of(self.sema)
        found = team_memory([body], sharing_of, calls, self.sharing, by_value, local.__contains__)
        return found.within(SHARED_MEMORY)

    def _task_variables(
        self, mapper: Mapper, captures: Sequence[Capture], by_value: frozenset[Symbol]
    ) -> tuple[list[str], list[str]]:
        """(the variables that a target task gets copies of, those that it shares)"""
        whole = list(symbols_of(c.symbol for c in captures if c.of is None))
        return task_variables(self.sema, self.construct, mapper, self.items.names, whole, by_value)

    def _check(self, nest: LoopNest | None) -> None:
        """Raise InputError if the region does what it may not do."""
        loop_variables = frozenset(lv.symbol for lv in nest.levels) if nest is not None else frozenset()
        check_default_none(
            Program(self.facts), self.chain, lambda: [reader_of(self.sema).statement(self.construct)], loop_variables,
            self.unit.span_of,
        )  # fmt: skip
        has_mappers = self.facts.mappers.any_at(self.construct)
        check_unmapped_members(self.unit, self.sema, self.function, self.body, has_mappers=has_mappers)
        threadprivate = self.facts.threadprivate
        check_threadprivate(threadprivate, threadprivate_uses(self.unit, self.calls, threadprivate, self.body))

    def _whole_code(self, nest: LoopNest | None) -> c_ast.Node:
        """What the kernel runs: the body, and the functions that combine what declared reductions reduce."""
        whole = nest.body if nest is not None else self.body
        combiners = [self.sema.functions[f] for part in self.chain for f in reduction_functions(self.sema, part)]
        for function in combiners:
            self.sema.analyse(function)
        return c_ast.Compound([whole, *(f.body for f in combiners)]) if combiners else whole

    def _supply_answers(self, mapper: Mapper, whole: c_ast.Node, asked: queries.Asked, exact: bool) -> None:
        """Add parameters for what the kernel asks for. With ``exact`` it needs the launch shape."""
        mapper.answers(asked, shape=exact)
        table = self.facts.functions_table
        if table and (self.calls.calls_through_pointers(whole) or asked.elsewhere):
            flags = MAP_TO | MAP_ALWAYS
            host = Variable(table)
            mapper.rows.append(MapRow(host, host, SizeOf(host), flags, RowNote("", "addresses of indirect functions")))
        gathers = any(r.reads_original for r in self.sharing.reductions)
        if (gathers or (self.facts.ordered and self.sharing.reductions)) and self.leaves != ("target", "parallel"):
            mapper.partials()

    # -- what kind of kernel ------------------------------------------------------------------------------------

    def _kind(self) -> tuple[KernelKind, str]:
        nested = has_leaf(self.sema, self.body, "parallel") or self._calls_regions()
        return kind_of([part.directive for part in self.chain], self.sharing, nested=nested)

    def _calls_regions(self) -> bool:
        """Whether a part of the region that one thread of a team runs calls functions with parallel regions."""
        called = called_in_sequence(self.sema, self.body, self.facts.team_functions)
        in_order = runs_in_order(self.clauses, self.sharing)
        return bool(called) and not (in_order or {"parallel", "loop", "simd"}.intersection(self.leaves))

    def _is_limited(self, whole: c_ast.Node) -> bool:
        bodies = (whole, *(function.body for function in self.calls.functions(whole)))
        inside = (inner for body in bodies for inner in constructs_in(self.sema, body))
        return is_limited(part.directive for part in (*self.chain, *inside))

    def _schedule(self, kind: KernelKind, nest: LoopNest | None, places: bool) -> tuple[Schedule | None, bool]:
        """(who runs which iteration, whether that depends on the exact launch shape)"""
        if nest is None:
            return None, False

        def is_one(chunk: Expr) -> bool:
            return self.sema.value(chunk.node) == 1

        return schedule_of_region(kind, self.leaves, self.clauses, self.sharing, node_of, is_one, observed=places)

    # -- launch -------------------------------------------------------------------------------------------------

    def _launch(
        self, kind: KernelKind, nest: LoopNest | None, captures: Sequence[Capture], mapper: Mapper, by_place: bool
    ) -> tuple[LaunchShape, bool]:
        counts = TripCounts()
        if nest is not None and kind is not KernelKind.SERIAL:
            counts = self._host_view(captures, mapper).trip_counts(nest.levels)
        return launch_of(
            [part.directive for part in self.chain],
            kind,
            counts,
            lambda expr: host_expression(self.sema, expr),
            lambda expr: self.sema.value(expr.node),
            self._directives_inside(),
            by_place=by_place,
            reduces=bool(self.sharing.reductions),
            depth=loop_depth(nest.body) if nest is not None else 0,
        )

    def _directives_inside(self) -> list[Directive] | None:
        """The directives in the region, or None if functions that it calls have parallel regions, too."""
        if any(has_leaf(self.sema, f.body, "parallel") for f in self.calls.functions(self.body)):
            return None
        return [construct.directive for construct in constructs_in(self.sema, self.body)]

    def _host_view(self, captures: Sequence[Capture], mapper: Mapper) -> HostView:
        """What the host sees of the region's variables."""
        return HostView(
            captures={c.symbol: c for c in captures},
            mapping=mapper.finish(),
            changed=assignments(self.sema, self.body).symbols,
            constants=self.facts.tables,
            device=frozenset(self.facts.device_variables),
            renamed=frozenset(self.items.names.renamed),
            fresh=lambda: self.fresh,
            rounds=lambda function: rounds(self.sema, function),
            host=lambda symbol: Variable(symbol.name),
            this=None,
            sema=self.sema,
            unaddressed=lambda: self.facts.constructs.unaddressed(self.function),
        )
