"""Follows control through a part of the tree, and tells what is read, written and called on the way, and whether
a variable is written on every path before it is read.

:class:`Flow` knows the order of evaluation, every jump, and what may be left out or repeated. A question is a subclass:
it has a state for each point of the program, says what an access or a call makes of it, and what is known where two
ways meet. States that ways can come to form a finite set, and ways that meet know less, so loops come to an end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from ..base.exhaustive import assert_never
from ..base.records import dataclass
from . import nodes as tree
from .nodes import Call, Construct, Opaque, Statement
from .symbols import Storage, Variable
from .values import Object, base_of, covers, extent, object_of

S = TypeVar("S")


@dataclass(frozen=True, eq=False)
class Access:
    """A read or a write of a place, or both at once, as of ``x += 1``.

    ``node`` makes it: a Load, a Store, an Update, or a Declare or Temporary with an initialiser. ``object`` is None if
    it may be any object whose address somebody has, and ``size`` if nobody knows how many bytes it touches. It is
    ``ordered`` if it is volatile or atomic, or stands in an ``atomic`` construct. If it is not ``certain``, there are
    runs of the whole part without it. ``loops`` are the loops of the part around it, from the outside in.
    """

    node: tree.Node
    place: tree.Place
    reads: bool
    writes: bool
    ordered: bool
    certain: bool
    loops: tuple[tree.Loop, ...]

    @property
    def object(self) -> Object | None:
        return object_of(self.place)

    @property
    def size(self) -> int | None:
        return extent(self.place)


class Flow(ABC, Generic[S]):
    """What holds at each point of a part of the tree. ``None`` as a state means that control does not come there."""

    def __init__(self) -> None:
        self.returned: list[S] = []  # the states in which control leaves by ``return``, ``goto``, or for good
        self.broken: list[S] = []  # by ``break`` and ``continue`` that belong to what is around the part
        self._breaks: list[list[S]] = []
        self._continues: list[list[S]] = []
        self._cases: list[tuple[S, list[bool]]] = []
        self._loops: tuple[tree.Loop, ...] = ()
        self._perhaps = 0  # how many conditions there are around this point
        self._left = False  # whether control may have left the part before it came here
        self._atomic = False

    # -- what a subclass says ---------------------------------------------------------------------------------------

    @abstractmethod
    def access(self, state: S, access: Access) -> S:
        """The state after an access."""

    @abstractmethod
    def call(self, state: S, call: tree.Call) -> S:
        """The state after a call whose arguments have been evaluated."""

    @abstractmethod
    def opaque(self, state: S, node: tree.Opaque) -> S:
        """The state after what nobody understands."""

    @abstractmethod
    def meet(self, a: S, b: S) -> S:
        """What is known where two ways come together."""

    @abstractmethod
    def both(self, a: S, b: S) -> S:
        """What is known after two parts that are evaluated in any order, each of which ends in a state by itself."""

    @property
    @abstractmethod
    def anything(self) -> S:
        """The state in which nothing is known, as at a label."""

    @abstractmethod
    def begin(self, state: S, variable: Variable) -> S:
        """The state after a variable's life has begun, before it is initialised."""

    def construct(self, state: S, node: tree.Construct) -> S | None:
        """The state after an OpenMP construct of which the expressions have been evaluated."""
        return self.statement(node.body, state) if node.body is not None else state

    # -- statements -------------------------------------------------------------------------------------------------

    def _meet(self, states: Iterable[S | None]) -> S | None:
        found: S | None = None
        for state in states:
            if state is not None:
                found = state if found is None else self.meet(found, state)
        return found

    def statement(self, node: tree.Statement, state: S | None) -> S | None:
        """The state behind a statement that control comes to in a state."""
        if isinstance(node, tree.Target):
            return self.anything
        if isinstance(node, tree.Case):
            return self._case(node, state)
        if isinstance(node, tree.Block):
            return self._block(node, state)
        if state is None:
            return self._entered(node)
        match node:
            case tree.Evaluate():
                return self.value(node.expression, state)
            case tree.Declare():
                return self._declare(node, state)
            case tree.If():
                return self._if(node, state)
            case tree.Loop():
                return self._loop(node, state)
            case tree.Switch():
                return self._switch(node, state)
            case tree.Construct():
                return self._construct(node, state)
            case tree.Break():
                self._leave(self._breaks, state)
            case tree.Continue():
                self._leave(self._continues, state)
            case tree.Return():
                self._left = True
                self.returned.append(self.value(node.value, state) if node.value is not None else state)
            case tree.Goto():
                self._left = True
                self.returned.append(state)
            case tree.Opaque():
                state = self.opaque(state, node)
                if node.jumps:
                    self._left = True
                    self.returned.append(state)
                return state
            case _:
                return assert_never(node)
        return None

    def _entered(self, node: tree.Statement) -> S | None:
        """The state behind a statement that control can only come into by a label in it."""
        if not any(isinstance(part, tree.Target | tree.Case) for part in tree.walk(node)):
            return None
        return self.statement(node, self.anything)

    def _leave(self, around: list[list[S]], state: S) -> None:
        if around:
            around[-1].append(state)
        else:
            self._left = True
            self.broken.append(state)

    def _block(self, node: tree.Block, state: S | None) -> S | None:
        jumps = [self.returned, self.broken, *self._breaks[-1:], *self._continues[-1:]]
        marks = [len(states) for states in jumps]
        now = state
        ends: list[tree.Expression] = []
        for item in node.statements:
            now = self.statement(item, now)
            if isinstance(item, tree.Declare) and item.end is not None:
                ends.append(item.end)
        for end in reversed(ends):
            for states, mark in zip(jumps, marks, strict=True):
                states[mark:] = [self.value(end, one) for one in states[mark:]]
            now = self.value(end, now) if now is not None else None
        return now

    def _declare(self, node: tree.Declare, state: S) -> S:
        variable = node.variable
        state = self.begin(state, variable)
        if node.initialiser is None:
            return state
        state = self.value(node.initialiser, state)
        return self._access(node, tree.Named(variable.type, variable), False, True, state)

    def _if(self, node: tree.If, state: S) -> S | None:
        state = self.value(node.condition, state)
        self._perhaps += 1
        then = self.statement(node.then, state)
        otherwise = self.statement(node.otherwise, state) if node.otherwise is not None else state
        self._perhaps -= 1
        return self._meet((then, otherwise))

    def _loop(self, node: tree.Loop, state: S) -> S | None:
        if node.start is not None:
            first = self.statement(node.start, state)
            assert first is not None  # a declaration or an expression
            state = first
        self._loops = (*self._loops, node)
        self._breaks.append([])
        self._continues.append([])
        head, out = state, None
        while True:
            end, leaving = self._iteration(node, head)
            out = self._meet((out, leaving))
            again = self._meet((head, end))
            assert again is not None
            if again == head:
                break
            head = again
        self._continues.pop()
        out = self._meet((out, *self._breaks.pop()))
        self._loops = self._loops[:-1]
        return out

    def _iteration(self, node: tree.Loop, head: S) -> tuple[S | None, S | None]:
        """(the state at the end of an iteration, the one in which the condition ends the loop)"""
        entered = head if node.body_first else self._condition(node, head)
        always = node.body_first and not any(isinstance(n, tree.Break | tree.Continue) for n in tree.walk(node.body))
        self._perhaps += not always
        end = self._meet((self.statement(node.body, entered), *self._continues[-1]))
        if end is not None and node.step is not None:
            end = self.value(node.step, end)
        if end is not None and node.body_first:
            end = self._condition(node, end)
        self._perhaps -= not always
        return end, (end if node.body_first else entered) if node.condition is not None else None

    def _condition(self, node: tree.Loop, state: S) -> S:
        return self.value(node.condition, state) if node.condition is not None else state

    def _switch(self, node: tree.Switch, state: S) -> S | None:
        state = self.value(node.value, state)
        self._perhaps += 1
        has_default = [False]
        self._cases.append((state, has_default))
        self._breaks.append([])
        end = self.statement(node.body, None)
        left = self._breaks.pop()
        self._cases.pop()
        self._perhaps -= 1
        return self._meet((end, *left, None if has_default[0] else state))

    def _case(self, node: tree.Case, state: S | None) -> S | None:
        if not self._cases:
            return self.anything
        entered, has_default = self._cases[-1]
        has_default[0] = has_default[0] or node.values is None
        return self._meet((state, entered))

    def _construct(self, node: tree.Construct, state: S) -> S | None:
        for _, value in node.expressions:
            state = self.value(value, state)
        outer = self._atomic
        self._atomic = outer or "atomic" in node.directive.constructs
        found = self.construct(state, node)
        self._atomic = outer
        return found

    # -- expressions ------------------------------------------------------------------------------------------------

    def value(self, node: tree.Expression, state: S) -> S:
        """The state after an expression has been evaluated."""
        match node:
            case tree.Load():
                return self._access(node, node.place, True, False, self.place(node.place, state))
            case tree.Constant() | tree.FunctionAddress():
                return state
            case tree.Binary() | tree.Distance():
                return self._any_order((node.left, node.right), state)
            case tree.Convert():
                return self.value(node.value, state)
            case tree.Offset():
                return self._any_order((node.pointer, node.index), state)
            case tree.Store():
                state = self._any_order((node.place, node.value), state)
                return self._access(node, node.place, False, True, state)
            case tree.Update():
                state = self._any_order((node.place, node.value), state)
                return self._access(node, node.place, True, True, state)
            case tree.AddressOf():
                return self.place(node.place, state)
            case tree.Decay():
                return self.place(node.array, state)
            case tree.Unary():
                return self.value(node.operand, state)
            case tree.ShortCircuit():
                state = self.value(node.left, state)
                return self.meet(state, self._maybe(node.right, state))
            case tree.Conditional():
                state = self.value(node.condition, state)
                return self.meet(self._maybe(node.then, state), self._maybe(node.otherwise, state))
            case tree.Sequence():
                return self._in_order(node.parts, state)
            case tree.Call():
                state = self._any_order((node.callee, *node.arguments), state)
                return self.call(state, node)
            case tree.Aggregate():
                return self._any_order([value for _, value in node.parts], state)
            case tree.Ending():
                return self._in_order(node.ends, self.value(node.value, state))
            case tree.StatementValue():
                return self._statements(node, state)
            case tree.Opaque():
                return self.opaque(state, node)
            case _:
                return assert_never(node)

    def place(self, node: tree.Place, state: S) -> S:
        """The state after it has been computed where a place is."""
        match node:
            case tree.Named():
                return state
            case tree.Pointee():
                return self.value(node.pointer, state)
            case tree.Part():
                return self.place(node.whole, state)
            case tree.Temporary():
                state = self.value(node.initialiser, self.begin(state, node.variable))
                return self._access(node, tree.Named(node.type, node.variable), False, True, state)
            case tree.Opaque():
                return self.opaque(state, node)
            case _:
                return assert_never(node)

    def _statements(self, node: tree.StatementValue, state: S) -> S:
        found = self.statement(node.body, state)
        if found is None:  # control leaves; what follows is not reached by this way
            found = self.anything
        return self.value(node.value, found) if node.value is not None else found

    def _maybe(self, node: tree.Expression, state: S) -> S:
        self._perhaps += 1
        state = self.value(node, state)
        self._perhaps -= 1
        return state

    def _in_order(self, parts: Sequence[tree.Expression], state: S) -> S:
        for part in parts:
            state = self.value(part, state)
        return state

    def _any_order(self, parts: Sequence[tree.Expression | tree.Place], state: S) -> S:
        places = (tree.Named, tree.Pointee, tree.Part, tree.Temporary)
        ends = [self.place(part, state) if isinstance(part, places) else self.value(part, state) for part in parts]
        found = ends[0] if ends else state
        for end in ends[1:]:
            found = self.both(found, end)
        return found

    def _access(self, node: tree.Node, place: tree.Place, reads: bool, writes: bool, state: S) -> S:
        ordered = place.type.volatile or place.type.atomic or self._atomic
        certain = not self._perhaps and not self._left
        return self.access(state, Access(node, place, reads, writes, ordered, certain, self._loops))


class Once(Flow[bool]):
    """A walk of which the only state is True, so control comes everywhere once."""

    def begin(self, state: bool, variable: Variable) -> bool:  # noqa: ARG002 - its life does not matter
        return state

    def meet(self, a: bool, b: bool) -> bool:
        return a and b

    def both(self, a: bool, b: bool) -> bool:
        return a and b

    @property
    def anything(self) -> bool:
        return True


@dataclass(frozen=True, eq=False)
class Effects:
    """All that a statement may do.

    Each access, call, construct and opaque node of the statement is in one of the lists; what is evaluated in any order
    stands in the order of the text. What the called functions do, and what constructs mean, is not in here. If control
    may leave otherwise than at the end, it ``leaves``. ``declared`` are the variables whose lives begin inside.
    """

    accesses: tuple[Access, ...]
    calls: tuple[Call, ...]
    opaque: tuple[Opaque, ...]
    constructs: tuple[Construct, ...]
    declared: frozenset[Variable]
    leaves: bool


def effects_of(statement: Statement) -> Effects:
    flow = _Effects()
    flow.statement(statement, True)
    return Effects(
        tuple(flow.accesses),
        tuple(flow.calls),
        tuple(flow.not_understood),
        tuple(flow.constructs),
        frozenset(flow.declared),
        bool(flow.returned or flow.broken),
    )


class _Effects(Once):
    """Notes everything."""

    def __init__(self) -> None:
        super().__init__()
        self.accesses: list[Access] = []
        self.calls: list[Call] = []
        self.not_understood: list[Opaque] = []
        self.constructs: list[Construct] = []
        self.declared: set[Variable] = set()

    def access(self, state: bool, access: Access) -> bool:
        self.accesses.append(access)
        return state

    def call(self, state: bool, call: Call) -> bool:
        self.calls.append(call)
        return state

    def opaque(self, state: bool, node: Opaque) -> bool:
        self.not_understood.append(node)
        return state

    def construct(self, state: bool, node: Construct) -> bool | None:
        self.constructs.append(node)
        return super().construct(state, node)

    def begin(self, state: bool, variable: Variable) -> bool:
        self.declared.add(variable)
        return state


def is_written_first(statement: tree.Statement, variable: Variable) -> bool:
    """Whether every read of a local variable in a run of a statement comes after a write of all of it in the same run.

    It does not matter what it holds before then. A variable whose address is taken may be read by anybody; whether that
    is done outside of the statement, the caller knows.
    """
    if variable.storage not in (Storage.LOCAL, Storage.PARAMETER) or leaks(statement, variable):
        return False
    flow = _First(variable)
    flow.statement(statement, False)
    return not flow.read


def leaks(node: tree.Node, variable: Variable, but: tree.Node | None = None) -> bool:
    """Whether a part of the tree takes the address of a variable, or of a part of it, for more than an access there.
    What is inside of ``but`` does not count."""
    inside = set(tree.walk(but)) if but is not None else ()
    parts = [part for part in tree.walk(node) if part not in inside]
    followed = {base_of(part.pointer) for part in parts if isinstance(part, tree.Pointee)}
    for part in parts:
        place = part.place if isinstance(part, tree.AddressOf) else part.array if isinstance(part, tree.Decay) else None
        found = object_of(place) if place is not None and part not in followed else None
        if found is not None and found.variable is variable and not found.behind:
            return True
    return False


class _First(Flow[bool]):
    """The state is whether the variable has been written in this run."""

    def __init__(self, variable: Variable) -> None:
        super().__init__()
        self.variable, self.read = variable, False

    def access(self, state: bool, access: Access) -> bool:
        found = access.object
        if found is None or found.variable is not self.variable or found.behind:
            return state  # nobody has its address
        whole = access.writes and covers(access.place, self.variable)
        if access.reads and not state:
            self.read = True
        return state or whole

    def call(self, state: bool, call: tree.Call) -> bool:  # noqa: ARG002 - nobody has the variable's address
        return state

    def opaque(self, state: bool, node: tree.Opaque) -> bool:
        if not state and may_mention(node, self.variable):
            self.read = True
        return state

    def construct(self, state: bool, node: tree.Construct) -> bool | None:
        if "atomic" in node.directive.constructs or not _is_concerned(node, self.variable):
            return super().construct(state, node)
        self.read = self.read or not state  # there may be copies of it
        return state

    def meet(self, a: bool, b: bool) -> bool:
        return a and b

    def both(self, a: bool, b: bool) -> bool:
        return a or b

    @property
    def anything(self) -> bool:
        return False

    def begin(self, state: bool, variable: Variable) -> bool:
        return state and variable is not self.variable


def _is_concerned(node: tree.Construct, variable: Variable) -> bool:
    """Whether a construct may mean a copy by a variable's name, or lets several threads at it."""
    if node.directive.constructs == ("simd",):
        return variable in node.variables
    return any(getattr(part, "variable", None) is variable for part in tree.walk(node))


def may_mention(node: tree.Opaque, variable: Variable) -> bool:
    """Whether what nobody understands may use a variable whose address nobody has."""
    if node.mentions is None:
        return True
    return any(getattr(part, "variable", None) is variable for mention in node.mentions for part in tree.walk(mention))
