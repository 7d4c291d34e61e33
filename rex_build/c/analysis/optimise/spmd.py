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
from ....plan.sharing import Reduction
from ...sema import Symbol, assignments, locals_of, walk
from ...sema.ctype import Array, CType, Pointer, Record, sizeof, strip
from ...sema.type_questions import is_arithmetic, is_pointer, is_scalar, is_variably_modified
from ...syntax.nodes import OmpConstruct, ParsedUnit
from ...syntax.parser import Cleanup, StmtExpr
from ..call_graph import CallGraph
from ..nesting import outermost_parallel
from ..purity import called_name, is_constant
from ..team_functions import called_in_sequence
from .accesses import Effects, UnprovableError
from .obstacle import CHUNKS, IN_EXPRESSION, JUMPS, OWN_SIZE, VOLATILE, ObstacleError
from .team_accesses import FIRST_READ, READ, WROTE, Act, TeamPlaces, changes, needs_barrier
from .team_calls import TeamCalls, arguments

_TEAM_QUERIES = ("omp_get_team_num", "omp_get_num_teams", "omp_is_initial_device")  # same for all threads of a team


_BOTH = "a statement changes a variable of its thread and memory that others see"
_SMALL = 64  # bytes of a structure of which every thread can have a copy
_Target = tuple[bool, "Entity | None"]  # of an access: whether it is a thread's own memory, and the place otherwise


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
        barriers=frozenset(walker.barriers),
        ends=frozenset(walker.ends),
        guarded=frozenset(walker.guarded),
        computed=frozenset(walker.computed),
        shared=walker.shared,
        stateful=walker.stateful,
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
        self.computed: set[c_ast.Node] = set()
        self.stateful = False
        self._pending: frozenset[Act] = frozenset()  # what threads may have accessed since their last barrier
        self._of_switch: frozenset[Act] | None = None  # the same at the labels of the innermost switch or loop, if any
        self.at: c_ast.Node | None = None  # the statement that it has come to
        self._seen: set[Act] | None = None  # the accesses found, while they are only collected
        self._team_calls = TeamCalls(sema)
        parallels = outermost_parallel(sema, region.body)
        inside = {n for construct in parallels for n in walk(construct)}
        self._in_regions = {sema.symbol(n) for n in inside if isinstance(n, c_ast.ID)}
        self._lent = self._team_calls.lent(region.body, inside)
        self._taken = assignments(sema, region.body).address_taken
        levels = {lv.symbol for lv in region.nest.levels} if region.nest is not None else set()
        self._declared = set(locals_of(sema, region.body)) - levels
        self._parallel = [c for n in parallels if (c := constructs.get(n)) is not None]
        self.shared = frozenset(s for s in region.team_memory.shared if not self._is_replicated(s))
        passed = [c for c in region.captures if c.transport is not Transport.ADDRESS]
        values = {c.symbol for c in passed if c.transport is Transport.LITERAL or is_pointer(c.symbol.type)}
        own = {*self._declared, *values, *levels, *region.sharing.named}
        self._own = own - self.shared
        self._places = TeamPlaces(sema, self._own, self.shared - self._taken.keys(), self._team_calls)
        self._by_address = {c.symbol for c in region.captures if c.transport is Transport.ADDRESS}

    def _is_replicated(self, symbol: Entity) -> bool:
        """Whether every thread can have its own: parallel regions change the variable only by their reductions."""
        if symbol in self._taken.keys() - self._lent and (symbol in self._declared or not is_scalar(symbol.type)):
            return False
        if not is_scalar(symbol.type) and not _is_small_record(symbol.type):
            return symbol not in self._in_regions
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
        for part in walk(region.body):
            if changes(part) or (isinstance(part, c_ast.UnaryOp) and part.op == "&"):
                lvalue = part.lvalue if isinstance(part, c_ast.Assignment) else part.expr
                if not self._places.is_known(lvalue):
                    raise _UnfitError("an lvalue of an unusual form", part)
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
        inside = {s for c in self._parallel for s in locals_of(self.sema, c.body)}
        lost = [s for s in self._taken if s in self._own and s not in self._lent and s not in inside]
        if lost:
            raise _UnfitError(f"the address of '{lost[0].name}' is taken", self._taken[lost[0]])

    # -- order of accesses --------------------------------------------------------------------------------------

    def _step(self, node: c_ast.Node, acts: Collection[Act]) -> None:
        """Handle the next accesses, at ``node``, and put a barrier before it if they need one."""
        if self._seen is not None:
            self._seen |= set(acts)
            return
        if needs_barrier(self._pending, acts):
            self.barriers.add(node)
            self._pending = frozenset()
        self._pending |= frozenset(acts)

    def _acts(self, node: c_ast.Node) -> frozenset[Act]:
        """All accesses of a statement, in any order."""
        outer, pending, self._seen = self._seen, self._pending, set()
        self.statement(node)
        acts, self._seen, self._pending = frozenset(self._seen), outer, pending
        return acts

    def statement(self, node: c_ast.Node | None) -> None:
        if self._seen is None:
            self.at = node or self.at
        match node:
            case None | c_ast.EmptyStatement() | c_ast.Pragma() | c_ast.Break() | c_ast.Continue():
                return
            case c_ast.Typedef():
                if is_variably_modified(self.sema.decl_symbol(node).type):
                    raise _UnfitError(f"'{node.name}' has a variable size")
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
                outer, before = self._of_switch, self._pending
                self._of_switch = frozenset()
                self._of_switch = at_labels = before | self._acts(node.stmt)
                self.statement(node.stmt)
                self._of_switch, self._pending = outer, at_labels
            case c_ast.Case() | c_ast.Default():
                if self._of_switch is None:
                    raise _UnfitError("a label of a switch is inside a loop")  # what stands before the loop is left out
                self._pending |= self._of_switch
                for item in node.stmts or ():
                    self.statement(item)
            case c_ast.For() | c_ast.While() | c_ast.DoWhile():
                outer, self._of_switch = self._of_switch, None
                self._loop(node)
                self._of_switch = outer
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
            if any(self._written(part) for part in walk(node.init)):
                raise _UnfitError(_BOTH)
            self.guarded.add(node)
            place = symbol if symbol in self._places.apart else None
            self._step(node, {Act(WROTE, place), *(Act(FIRST_READ, r) for r in reads)})
        else:
            self._step(node, {Act(READ, r) for r in reads})

    def _condition(self, node: c_ast.Node, condition: c_ast.Node | None) -> None:
        if condition is not None:
            self._step(node, {Act(READ, r) for r in self._values(condition)})

    def _loop(self, node: c_ast.For | c_ast.While | c_ast.DoWhile) -> None:
        if isinstance(node, c_ast.For) and node.init is not None:
            for part in node.init.decls if isinstance(node.init, c_ast.DeclList) else (node.init,):
                if isinstance(part, Cleanup):
                    self.statement(part)
                value = part.init if isinstance(part, c_ast.Decl) else part
                if isinstance(part, c_ast.Decl) and self.sema.decl_symbol(part) in self.shared:
                    raise _UnfitError(f"the loop variable '{part.name}' is shared")
                if value is not None:
                    self._step(node, {Act(READ, r) for r in self._values(value)})
        heads = [node.cond, node.next] if isinstance(node, c_ast.For) else [node.cond]
        head = {Act(READ, r) for h in heads if h is not None for r in self._values(h)}
        constructs = any(isinstance(n, OmpConstruct) for n in walk(node.stmt))
        writes = constructs or any(self._writes_shared(n) for n in walk(node.stmt))
        if head:
            self._step(node, head)
            if writes:
                if any(isinstance(n, c_ast.Continue) for n in walk(node.stmt)):
                    raise _UnfitError("a loop ends on what memory holds, and iterations end early")
                self.ends.add(node)
        acts = self._acts(node.stmt) | head
        if not constructs and not needs_barrier(acts, acts):
            self._step(node, acts)  # no iteration waits for another, but all wait for what came before
            return
        acts |= self._pending
        self._pending = acts  # the iteration before may have made any of these accesses
        self.statement(node.stmt)
        self._pending |= acts

    # -- expressions --------------------------------------------------------------------------------------------

    def _expression(self, statement: c_ast.Node, node: c_ast.Node) -> None:
        """Handle an expression statement. If it writes shared memory, only the first thread runs it."""
        written = [target for part in walk(node) for target in self._written(part)]
        shared = [place for is_own, place in written if not is_own]
        if not shared:
            self._step(statement, {Act(READ, r) for r in self._values(node)})
            return
        if len(shared) != len(written) and self._is_computed_by_all(node):
            self._step(statement, {Act(READ, r) for r in self._values(node.rvalue)})
            reads = self._values(node.lvalue)
            self.computed.add(statement)
            self._step(node.rvalue, {*(Act(WROTE, place) for place in shared), *(Act(FIRST_READ, r) for r in reads)})
            return
        if len(shared) != len(written):
            raise _UnfitError(_BOTH)
        reads = self._values(node, writing=True)
        self.guarded.add(statement)
        self._step(statement, {*(Act(WROTE, place) for place in shared), *(Act(FIRST_READ, r) for r in reads)})

    def _is_computed_by_all(self, node: c_ast.Node) -> bool:
        """Whether a statement assigns a number to shared memory, and computing it only changes a thread's variables."""
        if not isinstance(node, c_ast.Assignment) or not is_arithmetic(strip(self.sema.value_type(node.rvalue))):
            return False
        inside = [target for part in walk(node.rvalue) for target in self._written(part)]
        return all(is_own for is_own, _ in inside) and not any(self._written(part) for part in walk(node.lvalue))

    def _writes_shared(self, node: c_ast.Node) -> bool:
        return any(not is_own for is_own, _ in self._written(node))

    def _written(self, node: c_ast.Node) -> list[_Target]:
        """What one part of an expression changes, without the parts below it."""
        if changes(node):
            return [self._target(node.lvalue if isinstance(node, c_ast.Assignment) else node.expr)]
        if isinstance(node, c_ast.FuncCall) and called_name(self.sema, node) not in _TEAM_QUERIES:
            return [self._target(a) for a in self._through(node, self._effects(node).writes)]
        return []

    def _target(self, lvalue: c_ast.Node | None) -> _Target:
        """Whether an lvalue is a thread's own, and its place otherwise. None is where an unknown pointer leads."""
        return (False, None) if lvalue is None else (self._places.is_own(lvalue), self._places.place(lvalue))

    def _through(self, call: c_ast.FuncCall, numbers: Collection[int]) -> list[c_ast.Node | None]:
        given = arguments(call)
        return [self._team_calls.pointee(given[n]) if n < len(given) else None for n in sorted(numbers)]

    def _effects(self, call: c_ast.FuncCall) -> Effects:
        try:
            return self._team_calls.effects(call)
        except UnprovableError as problem:
            raise _UnfitError(str(problem), call, problem.remedy) from None

    def _values(self, node: c_ast.Node, writing: bool = False) -> set[Entity | None]:
        """The places that an expression reads and that others may write.

        Unless ``writing`` is set, it may change only variables of its thread.
        """
        reads: set[Entity | None] = set()
        addressed = {n.expr for n in walk(node) if isinstance(n, c_ast.UnaryOp) and n.op == "&"}
        for part in walk(node):
            match part:
                case StmtExpr() | OmpConstruct():
                    raise _UnfitError(IN_EXPRESSION)
                case c_ast.FuncCall():
                    reads |= self._call(part, writing)
                case c_ast.ID():
                    if part not in addressed and self._is_read(self.sema.symbol(part)):
                        reads.add(self._places.place(part))
                case c_ast.ArrayRef() | c_ast.StructRef(type="->") | c_ast.UnaryOp(op="*"):
                    if not self._places.is_own(part):
                        reads.add(self._places.place(part))
            self._refuse_volatile(part)
            if not writing and self._writes_shared(part):
                raise _UnfitError("an expression within a statement changes memory that others see")
        return reads

    def _is_read(self, symbol: Symbol | None) -> bool:
        """Whether a variable's name reads memory that others may write."""
        if symbol is None or not symbol.is_variable or symbol in self._own:
            return False
        kind = strip(symbol.type)
        stored = symbol in self.shared or symbol in self._by_address or symbol.is_global or symbol.is_static
        return not isinstance(kind, Array) and (stored or not isinstance(kind, Pointer))

    def _refuse_volatile(self, part: c_ast.Node) -> None:
        if not isinstance(part, (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef, c_ast.UnaryOp)):
            return
        if isinstance(part, c_ast.UnaryOp) and part.op in ("sizeof", "_Alignof"):
            return
        symbol = self.sema.symbol(part) if isinstance(part, c_ast.ID) else None
        if isinstance(part, c_ast.ID) and (symbol is None or not symbol.is_variable):
            return
        if _may_change(self.sema.type(part)):
            raise _UnfitError(VOLATILE)

    def _call(self, call: c_ast.FuncCall, by_first: bool) -> set[Entity | None]:
        """The places that a call reads through its arguments. Other teams may change what it reads atomically."""
        name = called_name(self.sema, call) or ""
        if name in _TEAM_QUERIES:
            self.stateful = True
            return set()
        effects = self._effects(call)
        if effects.atomic and not by_first:
            raise _UnfitError(f"'{name}' reads atomically, and not all threads need to read the same", call)
        if name in self.sema.functions and self.calls.observes_thread_id(self.sema.functions[name].body):
            raise _UnfitError(f"'{name}' asks which thread runs it")
        read = [self._target(a) for a in self._through(call, effects.reads)]
        return {place for is_own, place in read if not is_own}

    # -- constructs ---------------------------------------------------------------------------------------------

    def _construct(self, node: OmpConstruct) -> None:
        construct = self.constructs[node]
        over = construct.schedule.over if construct.schedule is not None else None
        if construct.kind is ConstructKind.LOOP and over is Over.TEAMS:
            self._distribute(node, construct)
            return
        if construct.kind is not ConstructKind.PARALLEL:
            what = f"'{node.directive.name}' outside of parallel regions"
            raise _UnfitError(what, remedy="put it into a parallel region")
        if not self._may_have_all_threads(construct):
            raise _UnfitError(OWN_SIZE)
        if over not in (None, Over.TEAM):
            raise _UnfitError(f"'{node.directive.name}' inside teams")
        for reduction in construct.sharing.reductions:
            if not self._is_reduced_in_place(reduction):
                what = f"the reduction over '{reduction.symbol.name}' is not into a team's own variable"
                raise _UnfitError(what, remedy="declare the variable inside of the teams construct")
        assert construct.body is not None
        body = construct.body
        self._stateful(body)
        private = {*locals_of(self.sema, body), *construct.sharing.named}
        lost = [s for s in assignments(self.sema, body).symbols if s in self._own and s not in private]
        if lost:
            raise _UnfitError(f"parallel regions change '{lost[0].name}'")
        acts = self._places.of_region(node, construct, private)
        self._step(node, acts)
        arrays = {r.symbol for r in construct.sharing.reductions if r.count}
        self.stateful = self.stateful or bool(arrays)
        if len(construct.sharing.reductions) > len(arrays):
            # The threads have waited for each other's partial results, and combine arrays afterwards.
            combined = {a for a in acts if a.place in arrays or (arrays and a.place is None)}
            self._pending = frozenset(combined)

    def _may_have_all_threads(self, construct: DeviceConstruct) -> bool:
        """Whether nobody can tell that all threads of the team share a region's work.

        A region with one thread may have a loop whose iterations depend on each other.
        """
        if construct.condition is not None:
            return False
        if construct.num_threads is None:
            return True
        assert construct.body is not None
        count = self.sema.value(construct.num_threads)
        shared_out = construct.nest is not None and count is not None and count > 1
        return shared_out and not self.calls.observes_thread_id(construct.body)

    def _is_reduced_in_place(self, reduction: Reduction) -> bool:
        """Whether a parallel region reduces into every thread's own scalar, or into an array of the team's."""
        if reduction.functions is not None:
            return False
        if not reduction.count:
            return reduction.symbol in self._own
        return reduction.symbol in self.shared & self._declared and not reduction.is_variable

    def _distribute(self, node: OmpConstruct, construct: DeviceConstruct) -> None:
        """Handle a loop that teams share. Between two iterations of a team its threads wait for each other."""
        nest = construct.nest
        assert nest is not None
        assert construct.schedule is not None
        if construct.schedule.team_chunk is not None:
            raise _UnfitError(CHUNKS)
        copied = construct.sharing.named.difference(lv.symbol for lv in nest.levels if lv.declared)
        if copied or nest.inner:
            what = "a 'distribute' loop has private copies"
            raise _UnfitError(what, remedy="declare such variables inside of the loop")
        heads = [h for lv in nest.levels for h in (lv.lower, lv.bound, lv.step) if h is not None]
        self._step(node, {Act(READ, r) for head in heads for r in self._values(head)})
        before = self._pending
        self.statement(nest.body)
        self._pending |= before

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


def _may_change(kind: CType) -> bool:
    """Whether a type, or a part of it, is volatile or atomic. Two threads may then read different values."""
    if {"volatile", "_Atomic"} & set(kind.quals):
        return True
    match strip(kind):
        case Array(of=inner):
            return _may_change(inner)
        case Record(info=info):
            return any(_may_change(field.type) for field in info.fields or ())
    return False


def _is_small_record(kind: CType) -> bool:
    """Whether a type is a structure that a thread can keep in registers."""
    kind = strip(kind)
    if not isinstance(kind, Record) or kind.info.kind != "struct" or sizeof(kind) > _SMALL:
        return False
    return all(f.bit_width is None and is_scalar(f.type) for f in kind.info.fields)
