"""One target region: its kernel's kind, what it captures and how, its loops, its launch shape, its host version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast, c_generator

from ...base.diagnostics import InputError, error_at
from ...directives.model import Expr, ExprClause, MapClause, ScheduleClause
from ...directives.parser import check_on_device, refuse_unsupported
from ...plan.captures import Capture, Transport
from ...plan.host import HostRegion
from ...plan.launch import LaunchShape, SerialLaunch
from ...plan.loops import LoopNest, Schedule
from ...plan.region import KernelKind, TargetRegion
from ...plan.rows import MAP_ALWAYS, MAP_FROM, MAP_TARGET_PARAM, MAP_TO, MapRow
from ...plan.sharing import Sharing
from ..sema import walk
from ..source.extents import next_token, statement_end
from . import launch
from .captures import Captures
from .clauses import condition_of, device_of, host_task, region_allocators, task_variables
from .combine import combine
from .host_team import needs_own_team
from .host_version import HostVersion
from .loops import canonical_nest, loop_depth, trip_count
from .mapping import Mapper
from .nested import IN_CHUNKS, IN_ORDER, runs_in_order
from .nesting import has_leaf
from .optimise import Candidate, optimise
from .reductions import reduction_functions
from .restrictions import (
    check_allocators,
    check_default_none,
    check_one_clause_each,
    check_threadprivate,
    check_unmapped_members,
)
from .runtime_api import shares_memory
from .sharing import of_loop, only_used, sharing_of
from .structured_blocks import check_jumps
from .team_functions import called_in_sequence

_LOOP_LEAVES = frozenset({"for", "distribute", "simd"})
_printer = c_generator.CGenerator()


def c_text(node: c_ast.Node) -> str:
    """An expression of the tree as C for the host."""
    return str(_printer.visit(node))


class RegionAnalyser(Captures, HostVersion):
    """Analyses one region; ``analyse`` is the order of the steps."""

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
        check_threadprivate(self.unit, self.calls, self.facts.threadprivate, self.body)
        whole = nest.body if nest is not None else self.body
        if combiners := [self.sema.functions[f] for part in self.chain for f in reduction_functions(self.sema, part)]:
            for function in combiners:
                self.sema.analyse(function)
            whole = c_ast.Compound([whole, *(f.body for f in combiners)])
        places = self.calls.observes_thread_id(whole)
        schedule, chunked = self._schedule(kind, nest, places)
        captures, extents, mapper, team, by_value = self._captures(kind)
        shape, exact = self._launch(kind, nest, captures, places or chunked)
        shape_row = self._literal_row(mapper, "__rex_launch_shape", "launch shape") if exact else None
        facts_row = None
        if self.calls.asks_facts(whole):
            facts_row = self._literal_row(mapper, "__rex_num_devices", "number of devices")
            self._literal_row(mapper, "__rex_device_num", "device number")
            self._literal_row(mapper, "__rex_num_procs", "number of processors")
        limits_row = None
        if self.calls.asks_limits(whole):
            limits_row = len(mapper.rows)
            flags = MAP_TO | MAP_FROM | MAP_ALWAYS | MAP_TARGET_PARAM
            limits = "(void *)rex_team_limits"
            mapper.rows.append(MapRow(limits, limits, "sizeof(rex_team_limits)", flags, "limits of teams"))
        table = self.facts.functions_table
        if table and (self.calls.calls_through_pointers(whole) or self.calls.calls_other_units(whole)):
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
            team_memory=team,
            shape_row=shape_row,
            facts_row=facts_row,
            limits_row=limits_row,
            launch=shape,
            level=1 if "parallel" in self.leaves else 0,
            places=places,
            calls=bool(self.calls.functions(whole)) or self.calls.calls_other_units(whole),
            calls_other_units=self.calls.calls_other_units(whole),
            asks_settings=self.calls.asks_settings(whole),
            makes_settings=self.calls.makes_settings(whole),
            device=device_of(self.construct),
            condition=condition_of(self.directive.clauses, "target"),
            allocators=region_allocators(self.construct),
            task=host_task(
                self.construct,
                lambda: task_variables(self.sema, self.construct, mapper, [c.symbol for c in captures], by_value),
            ),
            start=start,
            body_start=next_token(text, line_end),
            end=end,
            fallback=tuple(self._fallback()),
            host_team=needs_own_team(self.calls, self.construct),
            host_limit=self._host_limit(),
            host_settings=self.calls.makes_host_settings(self.body),
            league=self._host_league(),
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
            needs_own_team(self.calls, self.construct),
            self._host_limit(),
            self.calls.makes_host_settings(self.body),
            self._host_league(),
            self._host_copies(self._host_by_value()),
            host_task(self.construct),
        )

    # -- what kind of kernel ------------------------------------------------------------------------------------

    def _kind(self) -> tuple[KernelKind, str]:
        nested = has_leaf(self.body, "parallel") or self._calls_regions()
        is_loop = bool(_LOOP_LEAVES.intersection(self.leaves))
        if is_loop and not nested:
            if self.leaves == ["target", "simd"]:
                return KernelKind.SERIAL, "simd iterations may depend on earlier ones: one thread"
            if self._runs_in_order():
                return KernelKind.SERIAL, "the loop's iterations run in order: one thread"
            return KernelKind.WORKSHARING, "the loop's iterations are spread over the grid"
        if self.leaves == ["target", "parallel"]:
            return KernelKind.PARALLEL, "one parallel region: all threads of the team run the body"
        if is_loop and self._runs_in_order():
            raise error_at(self.directive.span, "a parallel region inside a loop that runs in order is not supported")
        if nested:
            return KernelKind.TEAMS, "sequential parts run on the team's initial thread, parallel regions on all"
        return KernelKind.SERIAL, "no parallelism inside a team"

    def _calls_regions(self) -> bool:
        """Whether functions with parallel regions are called where a team has one thread."""
        called = called_in_sequence(self.sema, self.body, self.facts.team_functions)
        return bool(called) and not ({"parallel", "loop", "simd"}.intersection(self.leaves) or self._runs_in_order())

    def _runs_in_order(self) -> bool:
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
            elif places or (clause.kind in IN_CHUNKS and not self._in_turn(clause.kind, chunk)):
                thread_chunk = chunk
            even = even or (clause.kind == "static" and chunk is None and places)
        over = {KernelKind.WORKSHARING: "grid", KernelKind.TEAMS: "teams", KernelKind.SERIAL: "teams"}[kind]
        if self.leaves == ["target", "simd"] or runs_in_order(self.clauses, self.sharing):
            return Schedule("thread"), False
        chunked = team_chunk is not None or thread_chunk is not None or even
        if chunked and over == "grid" and "teams" not in self.leaves:
            over = "team"
        return Schedule(over, team_chunk, thread_chunk, even), chunked

    def _in_turn(self, kind: str, chunk: c_ast.Node | None) -> bool:
        """Whether threads may take one iteration each in turn, as without a clause: nobody can tell how many they are,
        or where the chunks of a dynamic schedule begin."""
        if kind == "dynamic" and "distribute" in self.leaves:
            return all(c.name not in ("num_teams", "dist_schedule") for c in self.clauses)
        alone = chunk is not None and self.sema.value(chunk) == 1
        return alone and (kind == "dynamic" or self._clause_expr("num_threads") is None)

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

    def _partials_row(self, mapper: Mapper) -> int | None:
        """The row of the partial results that blocks leave for the last one of them to combine."""
        if not self.sharing.reductions or self.leaves == ["target", "parallel"]:
            return None
        partials, size = map(self.facts.names.fresh, ("__rex_partials", "__rex_partials_size"))
        address = f"(void *){partials}"
        row = MapRow(
            address, address, size, MAP_TO | MAP_TARGET_PARAM, "partial results", constant_size=False,
        )  # fmt: skip
        mapper.rows.append(row)
        return len(mapper.rows) - 1

    # -- launch -------------------------------------------------------------------------------------------------

    def _clause_expr(self, name: str) -> Expr | None:
        for clause in self.clauses:
            if isinstance(clause, ExprClause) and clause.name == name:
                return clause.expr
        return None

    def _condition(self, leaf: str) -> str | None:
        """What makes ``teams`` one team, or ``parallel`` one thread, when it is false. The region's clause that names
        no construct leaves all of the region to the host then."""
        found = None
        for part in self.chain:
            if leaf in part.directive.constructs:
                modified = [c for c in part.directive.clauses if getattr(c, "modifier", None) == leaf]
                found = condition_of(modified if part is self.construct else part.directive.clauses, leaf)
        return found

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
        teams_if = self._condition("teams")
        count = self.sema.value(teams.node) if teams is not None and teams_if is None else None
        league_text = f"({teams.text})" if teams is not None else None
        if league_text is not None and teams_if is not None:
            league_text, teams_if = f"(({teams_if}) ? {league_text} : 1)", None
        serial_launch = SerialLaunch.NEVER
        if kind is KernelKind.WORKSHARING and "parallel" not in self.leaves and "teams" in self.leaves:
            # Threads are teams here, but where so many may be counted, or the only one runs the loop in order.
            if teams is None:
                serial_launch = SerialLaunch.LIMITED_TEAMS if by_place else SerialLaunch.ONE_TEAM
            elif by_place or count == 1:
                threads_text, threads_value = "1", 1
            elif count is None:
                serial_launch = SerialLaunch.ONE_TEAM
        league = "teams" in self.leaves or self.leaves == ["target", "loop"]
        spans_grid = kind is KernelKind.WORKSHARING and not by_place and threads is None
        parallel_if = self._condition("parallel")
        shape = launch.shape(
            kind,
            teams=league_text,
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
            shape = replace(
                shape,
                icv_teams=teams is None,
                icv_threads=limit is None,
                serial_launch=serial_launch,
                teams_if=teams_if,
            )
        elif spans_grid and (parallel_if is not None or (limit is not None and threads_value in (None, 1))):
            shape = replace(shape, serial_launch=SerialLaunch.ONE_THREAD)
        exact = kind is not KernelKind.WORKSHARING or by_place or parallel_if is not None
        exact = exact or any(e is not None for e in (teams, limit, threads, teams_if))
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
