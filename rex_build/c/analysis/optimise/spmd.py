"""Generic regions in which all threads of a team run the sequential part, and parallel regions in place.

No thread then has to hand regions over to others. The sequential part must compute the same on every thread. Its own
variables are copies in every thread. Only the team's first thread writes to memory that others see. A barrier stands
where an access needs what another thread has done before. Each barrier is put off until that point, so that a team
waits once between two parallel regions, not four times.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pycparser import c_ast

from ....base.records import replace
from ....base.spans import SourceSpan
from ....plan.captures import Transport
from ....plan.code import Entity
from ....plan.constructs import ConstructKind, DeviceConstruct
from ....plan.loops import Over
from ....plan.memory import TeamMemory
from ....plan.optimised import ONCE_TEAMS, DirectKernel, Optimisation, TeamSteps
from ....plan.region import KernelKind, TargetRegion
from ...sema import Symbol, assignments, locals_of, walk
from ...sema.ctype import Array, Pointer, strip
from ...sema.type_questions import is_pointer, is_scalar, is_variably_modified
from ...syntax.nodes import OmpConstruct, ParsedUnit
from ...syntax.parser import Cleanup, StmtExpr
from ..call_graph import CallGraph
from ..device_library import MATH_FUNCTIONS
from ..nesting import outermost_parallel
from ..purity import called_name, is_constant, is_pure
from ..team_functions import called_in_sequence
from .obstacle import IN_EXPRESSION, JUMPS, OWN_SIZE, VOLATILE, ObstacleError

_TEAM_QUERIES = ("omp_get_team_num", "omp_get_num_teams", "omp_is_initial_device")  # same for all threads of a team
_STEPS = ("++", "--", "p++", "p--")
# The kinds of accesses that threads of a team may have made since their last barrier.
_READ, _WROTE, _REGION_READ, _REGION_WROTE = "read", "wrote", "region read", "region wrote"
_ALL = frozenset((_READ, _WROTE, _REGION_READ, _REGION_WROTE))
_AFTER = {  # the accesses before which each of these needs a barrier
    _READ: frozenset((_WROTE, _REGION_WROTE)),
    _WROTE: frozenset((_READ, _REGION_READ, _REGION_WROTE)),
    _REGION_READ: frozenset((_WROTE, _REGION_WROTE)),
    _REGION_WROTE: _ALL,
}


class _UnfitError(ObstacleError):
    """The region stays with its initial thread. The message says why."""


def run_by_all(
    unit: ParsedUnit,
    calls: CallGraph,
    region: TargetRegion,
    constructs: Mapping[OmpConstruct, DeviceConstruct],
    functions: Collection[Symbol],
    off: frozenset[str],
) -> TargetRegion:
    """The region with its steps, if all threads of a team can run its sequential part.

    ``functions`` are the functions in which its initial thread would start parallel regions.
    """
    if region.kind is not KernelKind.TEAMS:
        return _with_fact(region, False, "only for kernels with parallel regions inside teams")
    if "spmd" in off:
        return _with_fact(region, False, "switched off")
    walker = _Walker(calls, region, constructs)
    try:
        if called_in_sequence(calls.sema, region.body, functions):
            raise _UnfitError("functions that it calls have parallel regions")
        walker.check_region()
        walker.statement(region.nest.body if region.nest is not None else region.body)
    except _UnfitError as problem:
        node = problem.node or walker.at
        span = unit.span_of(node) if node is not None else None
        return _with_fact(region, False, str(problem), span, problem.remedy)
    steps = TeamSteps(
        frozenset(walker.barriers), frozenset(walker.ends), frozenset(walker.guarded), walker.shared, walker.stateful
    )
    region = _once(replace(region, steps=steps, team_memory=TeamMemory(walker.shared)), off)
    return _with_fact(region, True, "all threads of a team run the sequential part, and parallel regions in place")


def _once(region: TargetRegion, off: frozenset[str]) -> TargetRegion:
    """The region with a second kernel in which each team runs one iteration, if the host can know that none runs more.

    nvcc moves what does not depend on the iteration in front of the loop, and then has fewer registers for loads.
    """
    launch = region.launch
    unknown = region.nest is None or launch.hint or not launch.trip_counts
    if "once" in off or unknown or region.sharing.reductions:
        return region
    optimised = region.optimised
    facts = tuple(Optimisation("once", True, ONCE_TEAMS) if f.name == "once" else f for f in optimised.facts)
    direct = replace(optimised.direct or DirectKernel(once=True), once=True)
    return replace(region, optimised=replace(optimised, facts=facts, direct=direct))


def _with_fact(
    region: TargetRegion, applied: bool, reason: str, span: SourceSpan | None = None, remedy: str = ""
) -> TargetRegion:
    facts = (*region.optimised.facts, Optimisation("spmd", applied, reason, span, remedy))
    return replace(region, optimised=replace(region.optimised, facts=facts))


class _Walker:
    """Walks through the sequential part in program order. Raises _UnfitError."""

    def __init__(
        self, calls: CallGraph, region: TargetRegion, constructs: Mapping[OmpConstruct, DeviceConstruct]
    ) -> None:
        self.calls, self.region, self.constructs = calls, region, constructs
        self.sema = sema = calls.sema
        self.barriers: set[c_ast.Node] = set()  # statements with a barrier before them
        self.ends: set[c_ast.Node] = set()  # loops with a barrier at the end of their bodies
        self.guarded: set[c_ast.Node] = set()
        self.stateful = False
        self._pending: frozenset[str] = frozenset()
        self.at: c_ast.Node | None = None  # the statement that it has come to
        self._seen: set[str] | None = None  # the accesses found, while they are only collected
        self._parallel = [c for n in outermost_parallel(sema, region.body) if (c := constructs.get(n)) is not None]
        self.shared = frozenset(s for s in region.team_memory.shared if not self._is_replicated(s))
        passed = [c for c in region.captures if c.transport is not Transport.ADDRESS]
        values = {c.symbol for c in passed if c.transport is Transport.LITERAL or is_pointer(c.symbol.type)}
        levels = {lv.symbol for lv in region.nest.levels} if region.nest is not None else set()
        own = {*locals_of(sema, region.body), *values, *levels, *region.sharing.named}
        self._own = own - self.shared
        self._by_address = {c.symbol for c in region.captures if c.transport is Transport.ADDRESS}

    def _is_replicated(self, symbol: Entity) -> bool:
        """Whether parallel regions change a variable only by their reductions."""
        if not is_scalar(symbol.type):
            return False
        for construct in self._parallel:
            assert construct.body is not None
            reduced = {r.symbol for r in construct.sharing.reductions if not r.count and r.functions is None}
            kept = {*construct.sharing.private, *construct.sharing.firstprivate, *reduced}
            if symbol in construct.sharing.lastprivate:
                return False
            if symbol in assignments(self.sema, construct.body).symbols and symbol not in kept:
                return False
        return True

    def check_region(self) -> None:
        region = self.region
        if region.schedule is not None and (
            region.schedule.team_chunk is not None or region.schedule.over is not Over.TEAMS
        ):
            raise _UnfitError("the scheduler deals out chunks to teams")
        sharing = region.sharing
        if sharing.lastprivate or sharing.linear:
            raise _UnfitError("the last iteration writes variables of its own accord")
        first = {*sharing.firstprivate, *(r.symbol for r in sharing.reductions)}
        values = {c.symbol for c in region.captures if c.transport in (Transport.LITERAL, Transport.POINTER)}
        if (first | values) & self.shared:
            raise _UnfitError("parallel regions change a variable that starts with a value of its team's own")
        if any(r.count or r.functions is not None for r in sharing.reductions):
            raise _UnfitError("a reduction that is not over one scalar")
        if region.team_memory.heap or region.team_memory.literals:
            raise _UnfitError("a compound literal, or a variable that is too large for shared memory")
        moved = assignments(self.sema, region.body).address_taken
        lost = [s for s in moved if s in self._own]
        if lost:
            raise _UnfitError(f"the address of '{lost[0].name}' is taken")

    # -- order of accesses --------------------------------------------------------------------------------------

    def _step(self, node: c_ast.Node, *acts: str) -> None:
        """Handle the next accesses, at ``node``, and put a barrier before it if they need one."""
        if self._seen is not None:
            self._seen |= set(acts)
            return
        if any(self._pending & _AFTER[act] for act in acts):
            self.barriers.add(node)
            self._pending = frozenset()
        self._pending |= frozenset(acts)

    def _acts(self, node: c_ast.Node) -> frozenset[str]:
        """All accesses of a statement, in any order."""
        outer, pending, self._seen = self._seen, self._pending, set()
        self.statement(node)
        acts, self._seen, self._pending = frozenset(self._seen), outer, pending
        return acts

    def statement(self, node: c_ast.Node | None) -> None:
        if self._seen is None:
            self.at = node or self.at
        match node:
            case None | c_ast.EmptyStatement() | c_ast.Pragma() | c_ast.Typedef() | c_ast.Break() | c_ast.Continue():
                return
            case c_ast.Compound():
                for item in node.block_items or ():
                    self.statement(item)
            case c_ast.DeclList():
                for item in node.decls:
                    self.statement(item)
            case c_ast.Decl():
                self._declaration(node)
            case c_ast.If():
                self._condition(node, node.cond)
                before = self._pending
                self.statement(node.iftrue)
                after, self._pending = self._pending, before
                self.statement(node.iffalse)
                self._pending |= after
            case c_ast.Switch():
                self._condition(node, node.cond)
                before = self._pending
                self.statement(node.stmt)
                self._pending = _ALL if self._pending != before else before
            case c_ast.Case() | c_ast.Default():
                self._pending = _ALL
                for item in node.stmts or ():
                    self.statement(item)
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                self._loop(node)
            case OmpConstruct():
                self._construct(node)
            case c_ast.Return() | c_ast.Goto() | c_ast.Label():
                raise _UnfitError(JUMPS)
            case Cleanup():
                raise _UnfitError("a call at the end of a scope")
            case _:
                self._expression(node, node)

    def _declaration(self, node: c_ast.Decl) -> None:
        if node.name is None or isinstance(node.type, c_ast.FuncDecl):
            return
        symbol = self.sema.decl_symbol(node)
        if is_constant(symbol):
            return
        if symbol.has_static_storage or is_variably_modified(symbol.type):
            raise _UnfitError(f"'{symbol.name}' outlives a thread or has a variable size")
        if node.init is None:
            return
        reads = self._values(node.init)
        if symbol in self.shared:
            self.guarded.add(node)
            self._step(node, _WROTE)
        elif reads:
            self._step(node, _READ)

    def _condition(self, node: c_ast.Node, condition: c_ast.Node | None) -> None:
        if condition is not None and self._values(condition):
            self._step(node, _READ)

    def _loop(self, node: c_ast.For | c_ast.While | c_ast.DoWhile) -> None:
        if isinstance(node, c_ast.For) and node.init is not None:
            for part in node.init.decls if isinstance(node.init, c_ast.DeclList) else (node.init,):
                if isinstance(part, Cleanup):
                    self.statement(part)
                value = part.init if isinstance(part, c_ast.Decl) else part
                if isinstance(part, c_ast.Decl) and self.sema.decl_symbol(part) in self.shared:
                    raise _UnfitError(f"the loop variable '{part.name}' is shared")
                if value is not None and self._values(value):
                    self._step(node, _READ)
        heads = [node.cond, node.next] if isinstance(node, c_ast.For) else [node.cond]
        reads = True in [self._values(h) for h in heads if h is not None]
        constructs = any(isinstance(n, OmpConstruct) for n in walk(node.stmt))
        writes = constructs or any(self._writes_shared(n) for n in walk(node.stmt))
        if reads:
            self._step(node, _READ)
            if writes:
                if any(isinstance(n, c_ast.Continue) for n in walk(node.stmt)):
                    raise _UnfitError("a loop ends on what memory holds, and iterations end early")
                self.ends.add(node)
        acts = self._acts(node.stmt) | (frozenset((_READ,)) if reads else frozenset())
        if not constructs and not any(acts & _AFTER[act] for act in acts):
            self._step(node, *acts)  # no iteration waits for another, but all wait for what came before
            return
        self._pending = _ALL  # the iteration before may have made any access
        self.statement(node.stmt)
        self._pending = _ALL

    # -- expressions --------------------------------------------------------------------------------------------

    def _expression(self, statement: c_ast.Node, node: c_ast.Node) -> None:
        """Handle an expression statement. If it writes shared memory, only the first thread runs it."""
        targets = [n.lvalue if isinstance(n, c_ast.Assignment) else n.expr for n in walk(node) if _changes(n)]
        shared = [t for t in targets if not self._is_own(t)]
        if not shared:
            if self._values(node):
                self._step(statement, _READ)
            return
        if len(shared) != len(targets):
            raise _UnfitError("a statement changes a variable of its thread and memory that others see")
        self._values(node, writing=True)
        self.guarded.add(statement)
        self._step(statement, _WROTE)

    def _writes_shared(self, node: c_ast.Node) -> bool:
        if not _changes(node):
            return False
        return not self._is_own(node.lvalue if isinstance(node, c_ast.Assignment) else node.expr)

    def _is_own(self, node: c_ast.Node) -> bool:
        """Whether an lvalue is part of a variable of which every thread has its own."""
        match node:
            case c_ast.ID():
                return self.sema.symbol(node) in self._own
            case c_ast.ArrayRef():
                base = node.name if isinstance(strip(self.sema.type(node.name)), (Pointer, Array)) else node.subscript
                return isinstance(strip(self.sema.type(base)), Array) and self._is_own(base)
            case c_ast.StructRef(type="."):
                return self._is_own(node.name)
        return False

    def _values(self, node: c_ast.Node, writing: bool = False) -> bool:
        """Whether an expression reads memory that others write.

        Unless ``writing`` is set, it may change only variables of its thread.
        """
        reads = False
        for part in walk(node):
            match part:
                case StmtExpr() | OmpConstruct():
                    raise _UnfitError(IN_EXPRESSION)
                case c_ast.FuncCall():
                    name = called_name(self.sema, part) or ""
                    if name in _TEAM_QUERIES:
                        self.stateful = True
                        continue
                    if name not in MATH_FUNCTIONS and not is_pure(self.sema, name):
                        raise _UnfitError(f"'{name}' may have side effects" if name else "a call by address")
                    if (
                        self.calls.observes_thread_id(self.sema.functions[name].body)
                        if name in self.sema.functions
                        else False
                    ):
                        raise _UnfitError(f"'{name}' asks which thread runs it")
                case c_ast.ID():
                    symbol = self.sema.symbol(part)
                    if symbol is not None and symbol.is_variable and symbol not in self._own:
                        lasting = symbol.is_global or symbol.is_static
                        stored = symbol in self.shared or symbol in self._by_address or lasting
                        reads = reads or stored or not isinstance(strip(symbol.type), (Pointer, Array))
                case c_ast.ArrayRef() | c_ast.StructRef(type="->") | c_ast.UnaryOp(op="*"):
                    reads = reads or not self._is_own(part)
            if isinstance(part, (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef, c_ast.UnaryOp)):
                if isinstance(part, c_ast.UnaryOp) and part.op in ("sizeof", "_Alignof"):
                    continue
                symbol = self.sema.symbol(part) if isinstance(part, c_ast.ID) else None
                if isinstance(part, c_ast.ID) and (symbol is None or not symbol.is_variable):
                    continue
                if {"volatile", "_Atomic"} & set(self.sema.type(part).quals):
                    raise _UnfitError(VOLATILE)
            if not writing and self._writes_shared(part):
                raise _UnfitError("an expression within a statement changes memory that others see")
        return reads

    # -- constructs ---------------------------------------------------------------------------------------------

    def _construct(self, node: OmpConstruct) -> None:
        construct = self.constructs[node]
        if construct.kind is not ConstructKind.PARALLEL:
            what = f"'{node.directive.name}' outside of parallel regions"
            raise _UnfitError(what, remedy="put it into a parallel region")
        if construct.num_threads is not None or construct.condition is not None:
            raise _UnfitError(OWN_SIZE)
        schedule = construct.schedule
        if schedule is not None and schedule.over is not Over.TEAM:
            raise _UnfitError(f"'{node.directive.name}' inside teams")
        for reduction in construct.sharing.reductions:
            if reduction.count or reduction.functions is not None or reduction.symbol not in self._own:
                what = f"the reduction over '{reduction.symbol.name}' is not into a team's own scalar"
                raise _UnfitError(what, remedy="declare the variable inside of the teams construct")
        assert construct.body is not None
        body = construct.body
        self._stateful(body)
        private = {*locals_of(self.sema, body), *construct.sharing.named}
        lost = [s for s in assignments(self.sema, body).symbols if s in self._own and s not in private]
        if lost:
            raise _UnfitError(f"parallel regions change '{lost[0].name}'")
        quiet = not construct.sharing.lastprivate and not any(
            isinstance(n, (OmpConstruct, c_ast.FuncCall, StmtExpr)) for n in walk(body)
        )
        quiet = quiet and not any(_changes(n) and not self._is_private(n, private) for n in walk(body))
        self._step(node, _REGION_READ, *(() if quiet else (_REGION_WROTE,)))
        if construct.sharing.reductions:
            self._pending = frozenset()  # the threads have waited for each other's partial results

    def _is_private(self, node: c_ast.Node, private: set[Entity]) -> bool:
        target = node.lvalue if isinstance(node, c_ast.Assignment) else node.expr
        return isinstance(target, c_ast.ID) and self.sema.symbol(target) in private

    def _stateful(self, body: c_ast.Node) -> None:
        """Note whether a parallel region needs the device library's state of teams and threads."""
        for part in walk(body):
            if isinstance(part, OmpConstruct):
                inner = self.constructs[part]
                if inner.kind is ConstructKind.PARALLEL or "teams" in part.directive.constructs:
                    raise _UnfitError("a parallel region inside a parallel region")
                plain = inner.kind is ConstructKind.ATOMIC or (
                    inner.schedule is not None and inner.schedule.over is Over.THREAD
                )
                self.stateful = self.stateful or not plain
        if self.calls.makes_settings(body):
            raise _UnfitError("a parallel region changes settings of its threads")
        if self.calls.asks_settings(body) or self.calls.observes_thread_id(body) or self.calls.functions(body):
            self.stateful = True


def _changes(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Assignment) or (isinstance(node, c_ast.UnaryOp) and node.op in _STEPS)
