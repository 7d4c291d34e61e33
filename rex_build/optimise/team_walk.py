"""Walks through the sequential part of a region that all threads of a team are to run: where they have to wait."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress

from ..base.exhaustive import assert_never
from ..base.records import dataclass, replace
from ..openmp import queries
from ..openmp.launch import expression
from ..openmp.team_memory import declared_in, outermost_parallel
from ..plan.constructs import (
    SHARED_MEMORY_ALONE,
    Code,
    ConstructKind,
    DeviceConstruct,
    Entity,
    Over,
    Reduction,
    Schedule,
)
from ..plan.optimised import TeamSteps
from ..plan.rows import Transport
from ..plan.unit import TargetRegion
from ..tree import nodes as tree
from ..tree.calls import Reach, UnknownError
from ..tree.flow import effects_of
from ..tree.symbols import Function, Storage, entity_of
from ..tree.types import Complex, Floating, Integer, Pointer, Record, Type, is_variable_length
from ..tree.values import only_statement
from .obstacle import Obstacle, ObstacleError
from .team_accesses import FIRST_READ, READ, REGION_READ, REGION_WROTE, WROTE, Act, TeamPlaces, needs_barrier
from .team_forms import (
    TeamCode,
    asks,
    in_start,
    is_plain,
    is_scalar,
    is_small_record,
    loops_of,
    may_change,
    statement_of,
    without_conversion,
)

_TEAM_QUERIES = ("omp_get_team_num", "omp_get_num_teams", "omp_is_initial_device")  # same for all threads of a team
_BOTH = "a statement changes a variable of its thread and memory that others see"
_NUMBERS = (Integer, Floating, Complex)
_INSIDE = "an expression within a statement changes memory that others see"


@dataclass(frozen=True)
class _Seen:
    """What an expression accesses: the places that it reads and writes, other than a thread's own variables.

    ``unlike`` is a function that reads atomically, if it calls one.
    """

    read: frozenset[Entity | None]
    written: frozenset[Entity | None]
    writes_own: bool
    unlike: str


class Walker:
    """Walks through the sequential part in program order. Raises ObstacleError. Objects by value that are ``tables``
    are the team's."""

    def __init__(
        self, region: TargetRegion, code: TeamCode, known: Collection[Function], tables: Collection[Entity]
    ) -> None:
        self.region, self.code, self._tables = region, code, tables
        self.known = known  # functions that need no state to know who runs them
        self._barriers: set[Code] = set()  # statements with a barrier before them
        self._ends: set[Code] = set()  # loops with a barrier at the end of their bodies
        self._guarded: set[Code] = set()
        self._computed: set[Code] = set()
        self._limited: set[Code] = set()  # the bodies of parallel regions of one thread or all
        self.stateful = self.asks = False
        self._pending: frozenset[Act] = frozenset()  # what threads may have accessed since their last barrier
        self._of_switch: frozenset[Act] | None = None  # the same at the labels of the innermost switch or loop, if any
        self.at: tree.Node | None = None  # the statement that it has come to
        self._seen: set[Act] | None = None  # the accesses found, while they are only collected
        parallels = list(outermost_parallel(code.region))
        self._parallel = [(c, d) for c in parallels if (d := code.construct(c)) is not None]
        copied = {construct: device.sharing.named for construct, device in self._parallel}
        self._inside = {n: copied.get(construct, frozenset()) for construct in parallels for n in tree.walk(construct)}
        self._in_regions = {entity_of(n.variable) for n in self._inside if isinstance(n, tree.Named)}
        for construct in parallels:
            self._in_regions.update(map(entity_of, construct.variables))
        self._parts = parts = list(tree.walk(code.region))
        self._types = {entity_of(n.variable): n.type for n in parts if isinstance(n, tree.Named)}
        levels = {lv.symbol for lv in region.nest.levels} if region.nest is not None else set()
        self._declared = {entity_of(n.variable) for n in parts if isinstance(n, tree.Declare | tree.Temporary)} - levels
        named = {n.variable for n in parts if isinstance(n, tree.Named)}
        references = {v for v in named if isinstance(v.type, Pointer) and v.type.reference}
        references = {v for v in references if entity_of(v) not in self._declared}
        everything = TeamPlaces(code.calls, set(), (), references)
        self._taken, self._lent = everything.lent(parts, self._inside)
        self._by_value = {c.symbol for c in region.captures if c.transport is Transport.WORDS}  # nobody changes them
        self.shared = frozenset(s for s in region.team_memory.shared if not self._is_replicated(s))
        passed = [c for c in region.captures if c.transport is not Transport.ADDRESS]
        values = {c.symbol for c in passed if c.transport is Transport.LITERAL or self._is_pointer(c.symbol)}
        of_this = {v for v in named if v.entity is None and v.storage is Storage.PARAMETER}
        self._own = {*self._declared, *values, *self._by_value, *levels, *region.sharing.named, *of_this} - self.shared
        self._places = TeamPlaces(code.calls, self._own, self.shared - (self._taken.keys() - self._lent), references)

    def steps(self) -> TeamSteps:
        self._check_room()
        barriers, ends, guarded, computed = map(frozenset, (self._barriers, self._ends, self._guarded, self._computed))
        limited, shared = frozenset(self._limited), self.shared
        inside = ((self.code.construct(part), part) for part in self._parts if isinstance(part, tree.Construct))
        loops = ((found.nest.body, part) for found, part in inside if found is not None and found.nest is not None)
        beside = frozenset(body for body, part in loops if self._loads_from_others(part))
        return TeamSteps(barriers, ends, guarded, computed, shared, self.stateful, self.asks, limited, beside)

    def _loads_from_others(self, loop: tree.Construct) -> bool:
        """Whether a loop loads from memory that is neither a thread's own nor the team's."""
        near = self._own | self.shared
        loads = (part.place for part in tree.walk(loop) if isinstance(part, tree.Load))
        try:
            return any(root is None or root not in near for place in loads for root in self._places.roots(place))
        except ObstacleError:  # what is not understood may load from anywhere
            return True

    def _check_room(self) -> None:
        """Raise ObstacleError if the team's variables do not fit into shared memory. Without the device library's state
        and partial results of reductions more is left for them."""
        memory = self.region.team_memory
        if not memory.heap & self.shared:
            return
        sizes = dict(memory.sizes)
        inside = (self.code.construct(part) for part in self._parts if isinstance(part, tree.Construct))
        reduces = any(s.reductions for s in (self.region.sharing, *(c.sharing for c in inside if c is not None)))
        alone = not reduces and not self.stateful and self.shared <= sizes.keys()
        if not alone or sum(sizes[symbol] for symbol in self.shared) > SHARED_MEMORY_ALONE:
            raise ObstacleError("a variable that is too large for shared memory")

    def _is_pointer(self, symbol: Entity) -> bool:
        kind = self._types.get(symbol)
        return isinstance(kind, Pointer) and not kind.reference

    def _is_replicated(self, symbol: Entity) -> bool:
        """Whether every thread can have its own: parallel regions change the variable only by their reductions."""
        kind = self._types.get(symbol)
        if symbol in self._by_value:
            return symbol not in self._tables  # a thread would index its own in slow memory
        if kind is None:
            return False
        if symbol in self._taken.keys() - self._lent and (symbol in self._declared or not is_scalar(kind)):
            return False
        if not is_scalar(kind) and not is_small_record(kind):
            return symbol not in self._in_regions
        for node, construct in self._parallel:
            reduced = {r.symbol for r in construct.sharing.reductions if not r.count and _is_sent(kind, r)}
            kept = {*construct.sharing.private, *construct.sharing.firstprivate, *reduced}
            if symbol in construct.sharing.lastprivate:
                return False
            if symbol not in kept and symbol in self._changed(node):
                return False
        return True

    def _changed(self, node: tree.Node) -> set[Entity]:
        """The variables that a part of the tree changes, or gives away the address of."""
        places = TeamPlaces(self.code.calls, set(), (), ())
        changed: set[Entity] = set()
        parts = list(tree.walk(node))
        for part in parts:
            if isinstance(part, tree.Store | tree.Update):
                changed |= {root for root in places.roots(part.place) if root is not None}
            elif isinstance(part, tree.Construct) and (inner := self.code.construct(part)) is not None:
                changed.update(inner.sharing.returned)
            elif isinstance(part, tree.Call):
                with suppress(UnknownError):
                    for number in self.code.calls.of(part).writes:
                        changed |= {root for root in places.given(part, number) if root is not None}
        taken, lent = places.lent(parts, self._inside)
        return changed.union(taken.keys() - lent)

    def check_region(self) -> None:
        region = self.region
        for part in self._parts:
            if isinstance(part, tree.Opaque):
                raise ObstacleError(part.why, part)
        if region.schedule is not None and (
            region.schedule.team_chunk is not None or region.schedule.over is not Over.TEAMS
        ):
            raise ObstacleError("the scheduler deals out chunks to teams")
        sharing = region.sharing
        if sharing.lastprivate or sharing.linear:
            raise ObstacleError("the last iteration writes variables of its own accord")
        first = {*sharing.firstprivate, *(r.symbol for r in sharing.reductions)}
        values = {c.symbol for c in region.captures if c.transport in (Transport.LITERAL, Transport.POINTER)}
        if (first | values) & self.shared - self._by_value:
            raise ObstacleError("parallel regions change a variable that starts with a value of its team's own")
        if any(r.count or r.functions is not None for r in sharing.reductions):
            raise ObstacleError("a reduction that is not over one scalar")
        if region.team_memory.literals:
            raise ObstacleError("a compound literal in the memory of a team")
        inside = {entity_of(n.variable) for n in self._inside if isinstance(n, tree.Declare | tree.Temporary)}
        lost = [s for s in self._taken if s in self._own and s not in self._lent and s not in inside]
        if lost:
            name = getattr(lost[0], "name", "")
            raise ObstacleError(f"the address of '{name}' is taken", self._taken[lost[0]])

    def whole_region(self) -> None:
        """Look at a kernel that is one parallel region: what of the device library's state it needs."""
        for part in tree.walk(self.code.region):
            if isinstance(part, tree.Opaque):
                raise ObstacleError(part.why, part)
        self._stateful(self.code.region)
        wide = any(r.count or r.functions is not None for r in self.region.sharing.reductions)
        self.stateful = self.stateful or wide

    # -- order of accesses --------------------------------------------------------------------------------------

    def _step(self, node: tree.Node, acts: Collection[Act]) -> None:
        """Handle the next accesses, at ``node``, and put a barrier before it if they need one."""
        if self._seen is not None:
            self._seen |= set(acts)
            return
        if needs_barrier(self._pending, acts):
            self._mark(self._barriers, node)
            self._pending = frozenset()
        self._pending |= frozenset(acts)

    def _mark(self, marked: set[Code], node: tree.Node, value: tree.Node | None = None) -> None:
        code = self.code.code(node) if value is None else self.code.assigned(node, value)
        if code is None:
            raise ObstacleError("a statement that has no text of its own", node)
        marked.add(code)

    def _acts(self, node: tree.Statement) -> frozenset[Act]:
        """All accesses of a statement, in any order."""
        outer, pending, self._seen = self._seen, self._pending, set()
        self.statement(node)
        acts, self._seen, self._pending = frozenset(self._seen), outer, pending
        return acts

    def statement(self, node: tree.Statement) -> None:
        if self._seen is None:
            self.at = node
        match node:
            case tree.Break() | tree.Continue():
                return
            case tree.Block():
                for item in node.statements:
                    self.statement(item)
            case tree.Declare():
                self._declaration(node)
            case tree.If():
                self._reading(node, node.condition)
                before = self._pending
                self.statement(node.then)
                after, self._pending = self._pending, before
                if node.otherwise is not None:
                    self.statement(node.otherwise)
                self._pending |= after
            case tree.Switch():
                self._reading(node, node.value)
                outer, before = self._of_switch, self._pending
                self._of_switch = frozenset()
                self._of_switch = at_labels = before | self._acts(node.body)
                self.statement(node.body)
                self._of_switch, self._pending = outer, at_labels
            case tree.Case():
                if self._of_switch is None:
                    raise ObstacleError("a label of a switch is inside a loop")  # what stands before it is left out
                self._pending |= self._of_switch
            case tree.Loop():
                outer, self._of_switch = self._of_switch, None
                self._loop(node)
                self._of_switch = outer
            case tree.Construct():
                self._construct(node)
            case tree.Return() | tree.Goto() | tree.Target():
                raise ObstacleError(Obstacle.JUMPS, node)
            case tree.Evaluate():
                self._expression(node)
            case tree.Opaque():
                raise ObstacleError(node.why, node)
            case _:
                assert_never(node)

    def _declaration(self, node: tree.Declare) -> None:
        variable = node.variable
        if node.end is not None:
            raise ObstacleError("a call at the end of a scope", node)
        if variable.entity is None or is_variable_length(variable.type):
            raise ObstacleError(f"'{variable.name}' has a variable size", node)
        if node.initialiser is None:
            return
        seen = self._evaluated(node.initialiser)
        if variable.entity in self.shared:
            if seen.writes_own or seen.written:
                raise ObstacleError(_BOTH, node)
            self._mark(self._guarded, node)
            place = variable.entity if variable.entity in self._places.apart else None
            self._step(node, {Act(WROTE, place), *(Act(FIRST_READ, r) for r in seen.read)})
        else:
            self._step(node, self._read_by_all(seen, node))

    def _read_by_all(self, seen: _Seen, node: tree.Node) -> set[Act]:
        """What all threads read where they evaluate an expression."""
        if seen.written:
            raise ObstacleError(_INSIDE, node)
        if seen.unlike:
            raise ObstacleError(f"'{seen.unlike}' reads atomically, and not all threads need to read the same", node)
        return {Act(READ, r) for r in seen.read}

    def _reading(self, node: tree.Node, *values: tree.Expression | None) -> set[Act]:
        """Handle values that all threads compute in front of ``node``."""
        acts: set[Act] = set()
        for value in values:
            acts |= self._read_by_all(self._evaluated(value), value) if value is not None else set()
        if acts:
            self._step(node, acts)
        return acts

    def _loop(self, node: tree.Loop) -> None:
        for part in in_start(node.start):
            if isinstance(part, tree.Declare):
                if part.variable.entity in self.shared:
                    raise ObstacleError(f"the loop variable '{part.variable.name}' is shared", part)
                if part.end is not None:
                    raise ObstacleError("a call at the end of a scope", part)
                if part.initialiser is not None:
                    self._step(node, self._read_by_all(self._evaluated(part.initialiser), part))
            elif isinstance(part, tree.Evaluate):
                self._reading(node, part.expression)
            else:
                raise ObstacleError("the head of a loop has an unusual form", node)
        constructs = any(isinstance(n, tree.Construct) for n in tree.walk(node.body))
        head = self._reading(node, node.condition, node.step)
        if head and (constructs or any(act.kind == WROTE for act in self._acts(node.body))):
            if any(isinstance(n, tree.Continue) for n in tree.walk(node.body)):
                raise ObstacleError("a loop ends on what memory holds, and iterations end early", node)
            self._mark(self._ends, node)
        acts = self._acts(node.body) | head
        if not constructs and not needs_barrier(acts, acts):
            self._step(node, acts)  # no iteration waits for another, but all wait for what came before
            return
        acts |= self._pending
        self._pending = acts  # the iteration before may have made any of these accesses
        self.statement(node.body)
        self._pending |= acts

    # -- expressions --------------------------------------------------------------------------------------------

    def _expression(self, statement: tree.Evaluate) -> None:
        """Handle an expression statement. If it writes shared memory, only the first thread runs it."""
        node = without_conversion(statement.expression)
        seen = self._evaluated(node)
        if not seen.written:
            self._step(statement, self._read_by_all(seen, node))
            return
        if not seen.writes_own:
            self._by_first(statement, seen)
            return
        if not isinstance(node, tree.Store | tree.Update) or not isinstance(node.value.type, _NUMBERS):
            raise ObstacleError(_BOTH, statement)
        value, target = self._evaluated(node.value), self._evaluated_place(node)
        if value.written or target.writes_own:
            raise ObstacleError(_BOTH, statement)
        code = without_conversion(node.value)
        self._step(statement, self._read_by_all(value, node.value))
        self._mark(self._computed, statement, code)
        self._step(code, {*(Act(WROTE, p) for p in target.written), *(Act(FIRST_READ, r) for r in target.read)})

    def _by_first(self, node: tree.Statement, seen: _Seen) -> None:
        """Handle a statement that only the first thread runs."""
        self._mark(self._guarded, node)
        self._step(node, {*(Act(WROTE, p) for p in seen.written), *(Act(FIRST_READ, r) for r in seen.read)})

    def _evaluated_place(self, node: tree.Store | tree.Update) -> _Seen:
        """What a statement accesses besides its value."""
        quiet = tree.Load(node.place.type, node.place)
        seen = self._evaluated(quiet)
        written = self._places.places(node.place)
        read = seen.read if isinstance(node, tree.Update) else seen.read - written | self._evaluated_address(node)
        return replace(seen, read=frozenset(read), written=frozenset(written))

    def _evaluated_address(self, node: tree.Store | tree.Update) -> frozenset[Entity | None]:
        """What is read to know where a place is."""
        read: set[Entity | None] = set()
        for part in tree.walk(node.place):
            if isinstance(part, tree.Load):
                read |= self._places.places(part.place)
        return frozenset(read)

    def _evaluated(self, value: tree.Expression) -> _Seen:
        """What an expression accesses."""
        found = effects_of(tree.Evaluate(value))
        if found.opaque:
            raise ObstacleError(found.opaque[0].why, found.opaque[0])
        if found.constructs or any(isinstance(n, tree.StatementValue) for n in tree.walk(value)):
            raise ObstacleError(Obstacle.IN_EXPRESSION, value)
        read: set[Entity | None] = set()
        written: set[Entity | None] = set()
        writes_own = False
        unlike = ""
        for access in found.accesses:
            if access.ordered or may_change(access.place.type):
                raise ObstacleError(Obstacle.VOLATILE, access.node)
            places = self._places.places(access.place)
            if access.writes and self._places.is_own(access.place):
                writes_own = writes_own or not isinstance(access.node, tree.Temporary)
            elif access.writes:
                written |= places
            read |= places if access.reads else set()
        for call in found.calls:
            effect = self._effect(call)
            for numbers, into in ((effect.reads, read), (effect.writes, written)):
                for number in numbers:
                    if call.constructs and number == 0:
                        continue  # an object that nobody else has yet
                    roots = self._places.given(call, number)
                    own = {one for one in roots if one in self._own}
                    into |= {one if one in self._places.apart else None for one in roots - own}
                    writes_own = writes_own or (bool(own) and into is written)
                    if into is written and own and own != roots:
                        raise ObstacleError("a pointer to a variable of a thread or to other memory", call)
            if effect.ordered:
                assert isinstance(call.callee, tree.FunctionAddress)
                unlike = call.callee.function.name
        return _Seen(frozenset(read), frozenset(written), writes_own, unlike)

    def _effect(self, call: tree.Call) -> Reach:
        if isinstance(call.callee, tree.FunctionAddress):
            if call.callee.function.name in _TEAM_QUERIES:
                self.asks = True
                return Reach()
            if self.code.asks_where(call.callee):
                raise ObstacleError(f"'{call.callee.function.name}' asks which thread runs it", call)
        try:
            return self.code.calls.of(call)
        except UnknownError as problem:
            raise ObstacleError(str(problem), call) from None

    # -- constructs ---------------------------------------------------------------------------------------------

    def _construct(self, node: tree.Construct) -> None:
        construct = self.code.construct(node)
        if construct is None:
            raise ObstacleError(f"'{node.directive.name}' outside of parallel regions", node)
        over = construct.schedule.over if construct.schedule is not None else None
        if construct.kind is ConstructKind.LOOP and over is Over.TEAMS:
            self._distribute(node, construct)
            return
        if construct.kind is ConstructKind.ATOMIC and self._atomic(node):
            return
        if construct.kind is not ConstructKind.PARALLEL:
            what = f"'{node.directive.name}' outside of parallel regions"
            raise ObstacleError(what, node, remedy="put it into a parallel region")
        body = statement_of(node, construct)
        self._check_size(node, construct, body)
        if over not in (None, Over.TEAM):
            raise ObstacleError(f"'{node.directive.name}' inside teams", node)
        for reduction in construct.sharing.reductions:
            if not self._is_reduced_in_place(reduction):
                name = getattr(reduction.symbol, "name", "")
                what = f"the reduction over '{name}' is not into a team's own variable"
                raise ObstacleError(what, node, remedy="declare the variable inside of the teams construct")
        self._stateful(body)
        private = {*declared_in(body), *construct.sharing.named}
        lost = [s for s in self._changed(body) if s in self._own and s not in private]
        if lost:
            names = min(getattr(one, "name", "") for one in lost)
            raise ObstacleError(f"parallel regions change '{names}'", node)
        acts = self._places.of_region(node, construct, body, private, self.code.constant)
        if any(r.functions is not None for r in construct.sharing.reductions):
            acts |= {Act(REGION_READ), Act(REGION_WROTE)}  # nobody has looked at what the functions do
        if construct.body in self._limited:  # which thread runs an iteration, only the run knows
            acts = frozenset(act._replace(own=None) for act in acts)
        self._step(node, acts)
        arrays = {r.symbol for r in construct.sharing.reductions if r.count}
        self.stateful = self.stateful or bool(arrays)
        if len(construct.sharing.reductions) > len(arrays):
            # The threads have waited for each other's partial results, and combine arrays afterwards.
            combined = {a for a in acts if a.place in arrays or (arrays and a.place is None)}
            self._pending = frozenset(combined)

    def _atomic(self, node: tree.Construct) -> bool:
        """Handle an atomic update or write of memory that others see, which only the first thread makes."""
        body = only_statement(node.body)
        if not isinstance(body, tree.Evaluate):
            return False
        seen = self._evaluated(body.expression)
        if seen.writes_own or not seen.written:
            return False
        self._by_first(node, seen)
        return True

    def _check_size(self, node: tree.Construct, construct: DeviceConstruct, body: tree.Statement) -> None:
        """Refuse a parallel region of which somebody could tell that all threads of the team share its work.

        A region with one thread may have a loop whose iterations depend on each other. If only the run knows that, the
        region has one thread or all.
        """
        if construct.num_threads is None and construct.condition is None:
            return
        count = self.code.constant(construct.num_threads) if construct.num_threads is not None else None
        shared_out = construct.nest is not None and not self.code.asks_where(body, queries.PLACES - queries.TEAMS)
        if construct.condition is None:
            if (count is not None and count >= self.region.launch.bound) or self._is_limit(node):
                return
            if shared_out and count is not None and count > 1:
                return
        inside = any(isinstance(n, tree.Construct) for n in tree.walk(body))
        plain = construct.schedule == Schedule(Over.TEAM) and not inside
        seen = [self._evaluated(value) for _, value in node.expressions]
        if not shared_out or not plain or any(one.read or one.written for one in seen):
            raise ObstacleError(Obstacle.OWN_SIZE, node)
        assert construct.body is not None
        self._limited.add(construct.body)

    def _is_limit(self, node: tree.Construct) -> bool:
        """Whether a region's size is that which a clause of the teams gives them, so that no block is larger."""
        wanted = expression(node.directive.clauses, "num_threads")
        value = next((value for expr, value in node.expressions if expr is wanted), None)
        if wanted is None or value is None or self.region.launch.threads != self.code.host(wanted):
            return False
        captured = {c.symbol for c in self.region.captures if c.transport is Transport.LITERAL}
        variables = {entity_of(n.variable) for n in tree.walk(value) if isinstance(n, tree.Named)}
        quiet = not any(isinstance(n, tree.Call | tree.Opaque | tree.Store | tree.Update) for n in tree.walk(value))
        return quiet and variables <= captured - self._changed(self.code.region)

    def _is_reduced_in_place(self, reduction: Reduction) -> bool:
        """Whether a parallel region reduces into every thread's own scalar, or into an array of the team's."""
        if reduction.functions is not None and self.code.asks_in_combining(reduction):
            return False
        if not reduction.count:
            return reduction.symbol in self._own
        if reduction.functions is not None:
            return False
        return reduction.symbol in self.shared & self._declared and not reduction.is_variable

    def _distribute(self, node: tree.Construct, construct: DeviceConstruct) -> None:
        """Handle a loop that teams share. Between two iterations of a team its threads wait for each other."""
        nest = construct.nest
        assert nest is not None
        assert construct.schedule is not None
        if construct.schedule.team_chunk is not None:
            raise ObstacleError(Obstacle.CHUNKS, node)
        copied = construct.sharing.named.difference(lv.symbol for lv in nest.levels if lv.declared)
        if copied or nest.inner:
            what = "a 'distribute' loop has private copies"
            raise ObstacleError(what, node, remedy="declare such variables inside of the loop")
        loops = loops_of(statement_of(node, construct), len(nest.levels))
        heads = {act for loop in loops for act in self._head(loop)}
        self._step(node, heads)
        before = self._pending
        self.statement(loops[-1].body)
        self._pending |= before

    def _head(self, loop: tree.Loop) -> Iterator[Act]:
        for part in in_start(loop.start):
            value = part.initialiser if isinstance(part, tree.Declare) else getattr(part, "expression", None)
            if value is not None:
                yield from self._read_by_all(self._evaluated(value), part)
        for value in (loop.condition, loop.step):
            if value is not None:
                yield from self._read_by_all(self._evaluated(value), value)

    def _stateful(self, body: tree.Statement) -> None:
        """Note whether a parallel region needs the device library's state of teams and threads."""
        for part in tree.walk(body):
            if isinstance(part, tree.Construct):
                inner = self.code.construct(part)
                if inner is None or inner.kind is ConstructKind.PARALLEL or "teams" in part.directive.constructs:
                    raise ObstacleError("a parallel region inside a parallel region", part)
                self.stateful = self.stateful or not is_plain(inner)
                self.asks = self.asks or inner.filter is not None or inner.kind is ConstructKind.SECTIONS
        if self.code.asks(body, queries.SETTERS | queries.TASKS):
            raise ObstacleError("a parallel region changes settings of its threads")
        functions, _ = self.code.calls.functions(body)
        here = any(isinstance(n, tree.FunctionAddress) and n.function.name in queries.PLACES for n in tree.walk(body))
        self.asks = self.asks or here
        elsewhere = any(asks(self.code.calls, f) for f in functions if f not in self.known)
        self.stateful = self.stateful or elsewhere or self.code.asks(body, queries.SETTINGS)


def _is_sent(kind: Type, reduction: Reduction) -> bool:
    """Whether what a thread has combined can be sent to the others, as bytes."""
    if reduction.functions is None or isinstance(kind, _NUMBERS):
        return True
    if not isinstance(kind, Record) or not is_small_record(kind):
        return False
    return all(isinstance(m.type, _NUMBERS) for m in kind.info.members)
