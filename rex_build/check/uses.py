"""What code reads and writes, in the order of the text. Unlike a proof it never gives up.

What it cannot relate to a variable has no root, and whoever needs to know all accesses must ask for such uses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..base.exhaustive import assert_never
from ..base.records import replace
from ..tree import nodes as tree
from ..tree.symbols import Storage, Variable
from ..tree.types import INT, Array, Member, Pointer, Record, Type, Void
from ..tree.values import constant, unconverted
from .events import DEREFERENCE, Bound, Escape, Event, Lent, Root, Use, choices, root_of, step_to, target_of


class Reader:
    """Reads expressions and statements. What an expression does is found once."""

    def __init__(self) -> None:
        self._known: dict[tree.Node, tuple[Event, ...]] = {}

    def expression(self, node: tree.Expression | tree.Declare | None) -> tuple[Event, ...]:
        """What evaluating an expression, or a declaration with its initialiser, does."""
        if node is None:
            return ()
        if node not in self._known:
            walk = _Walk()
            if isinstance(node, tree.Declare):
                walk.statement(node)
            else:
                walk.value(node)
            self._known[node] = tuple(walk.events)
        return self._known[node]

    def value(self, node: tree.Expression | None) -> Bound | None:
        """What a pointer is bound to that gets the value of an expression, or None if it is no pointer."""
        return _bound(node, None, node) if node is not None and isinstance(node.type, Pointer) else None

    def copied(self, copy: Variable, value: tree.Expression) -> Iterator[Bound]:
        """What the pointers in a structure are bound to that becomes a copy of an object."""
        yield from copied_pointers(value, Root(copy), value)
        source = unconverted(value)
        for steps, part in source.parts if isinstance(source, tree.Aggregate) else ():
            if all(isinstance(step, Member) for step in steps):
                place = Root(copy).then(*_steps(source.type, steps))
                if isinstance(part.type, Pointer):
                    yield _bound(part, place, part)
                yield from copied_pointers(part, place, part)

    def statement(self, node: tree.Statement | None, most: float = math.inf) -> tuple[Event, ...]:
        """What a statement with all its parts does, in the order of the text, or what about ``most`` parts of it do."""
        walk = _Walk(most)
        if node is not None:
            walk.statement(node)
        return tuple(walk.events)


def is_lasting(variable: Variable) -> bool:
    """Whether a variable lives as long as the program, or the thread."""
    return variable.storage not in (Storage.LOCAL, Storage.PARAMETER)


def runs_once(loop: tree.Loop) -> bool:
    """Whether a loop is ``do … while (0)``, as macros have it around their statements."""
    return loop.body_first and loop.condition is not None and constant(loop.condition) == 0


def makes_object(value: tree.Expression) -> bool:
    """Whether a constructor makes an object, or parts of it."""
    source = unconverted(value)
    if isinstance(source, tree.Aggregate):
        return any(makes_object(part) for _, part in source.parts)
    return isinstance(source, tree.Call) and source.constructs


def _bound(node: tree.Node, pointer: Root | None, value: tree.Expression) -> Bound:
    """What a pointer is bound to that gets a value."""
    source = unconverted(value)
    made: tree.Node | None = source if isinstance(source, tree.Call) else None
    if isinstance(source, tree.Load) and isinstance(source.place, tree.Pointee):  # a function gives a reference to it
        made = source.place.pointer if isinstance(source.place.pointer, tree.Call) else None
    if isinstance(source, tree.Constant) and source.value == 0:
        made = source
    if isinstance(source, tree.Decay) and isinstance(source.array, tree.Named) and root_of(source.array) is None:
        made = source.array
    return Bound(node, pointer, target_of(source), made)


def copied_pointers(node: tree.Node, copy: Root, value: tree.Expression) -> Iterator[Bound]:
    """What pointers in a structure are bound to that becomes a copy of another one."""
    source = unconverted(value)
    if isinstance(source, tree.Load) and isinstance(source.type, Record) and not source.type.info.union:
        yield from _copied(node, copy, root_of(source.place), source.type)


def _copied(node: tree.Node, copy: Root, source: Root | None, kind: Type) -> Iterator[Bound]:
    for member in kind.info.members if isinstance(kind, Record) else ():
        if member.base:
            yield from _copied(node, copy, source, member.type)
        elif isinstance(member.type, Pointer):
            step = step_to(kind, member)
            to = source.then(step, DEREFERENCE) if source is not None else None
            yield Bound(node, copy.then(step), to)


def _steps(kind: Type, steps: Sequence[Member | int]) -> list[str]:
    """The steps to a part of an aggregate."""
    found: list[str] = []
    for step in steps:
        if isinstance(step, Member):
            found += filter(None, [step_to(kind, step)])
            kind = step.type
        elif isinstance(kind, Array):
            kind = kind.of
    return found


class _Walk:
    def __init__(self, most: float = math.inf) -> None:
        self._most = most
        self.events: list[Event] = []
        self._conditions: tuple[tree.Expression, ...] = ()
        self._failing: tuple[tree.Expression, ...] = ()
        self._loops: tuple[tree.Loop, ...] = ()
        self._constructs: tuple[tree.Construct, ...] = ()
        # The statements so far that leave what is around them, with the condition of the `if` around them, and
        # whether that fails in all that stands behind them.
        self._exits: list[tuple[tree.Expression | None, tree.Statement, bool]] = []

    # -- statements -------------------------------------------------------------------------------------------------

    def statement(self, node: tree.Statement) -> None:
        if len(self.events) >= self._most:
            return
        match node:
            case tree.Evaluate():
                self.value(node.expression)
            case tree.Block():
                self._block(node)
            case tree.Declare():
                if node.initialiser is not None:
                    self._begins(node, node.variable, node.initialiser)
            case tree.If():
                self.value(node.condition)
                self._branch(node.condition, node.then, fails=False)
                self._branch(node.condition, node.otherwise, fails=True)
            case tree.Switch():
                self.value(node.value)
                before = len(self._exits)
                chosen = tree.Binary(INT, "==", node.value, tree.Constant(node.value.type, None))
                self._under(chosen, node.body)
                self._leave(before, chosen, (tree.Break,))
            case tree.Loop():
                self._loop(node)
            case tree.Construct():
                outer = self._constructs
                self._constructs = (*outer, node)
                if node.body is not None:
                    self.statement(node.body)
                self._constructs = outer
            case tree.Return() | tree.Goto() | tree.Break() | tree.Continue():
                if isinstance(node, tree.Return) and node.value is not None:
                    self.value(node.value)
                self._exits.append((None, node, False))
            case tree.Opaque():
                self._opaque(node)
            case tree.Case() | tree.Target():
                return
            case _:
                assert_never(node)

    def _block(self, node: tree.Block) -> None:
        outer, failing = self._conditions, self._failing
        ends: list[tree.Expression] = []
        for item in node.statements:
            before = len(self._exits)
            self.statement(item)
            for condition, _, fails in self._exits[before:]:
                if condition is not None:
                    self._conditions = (*self._conditions, condition)
                    self._failing = (*self._failing, condition) if fails else self._failing
            ends += [item.end] if isinstance(item, tree.Declare) and item.end is not None else []
        for end in reversed(ends):
            self.value(end)
        self._conditions, self._failing = outer, failing

    def _branch(self, condition: tree.Expression, part: tree.Statement | None, *, fails: bool) -> None:
        """One of the statements of an ``if``, before which the condition holds, or ``fails``."""
        before, failing = len(self._exits), self._failing
        self._failing = (*failing, condition) if fails else failing
        self._under(condition, part)
        self._failing = failing
        left = self._exits[before:]
        self._exits[before:] = [(c or condition, jump, c is None and not fails) for c, jump, _ in left]

    def _under(self, condition: tree.Expression, part: tree.Statement | None) -> None:
        outer = self._conditions
        self._conditions = (*outer, condition)
        if part is not None:
            self.statement(part)
        self._conditions = outer

    def _leave(self, before: int, condition: tree.Expression | None, ending: tuple[type, ...]) -> None:
        """Behind a statement that may run its part or not, only such jumps count as do not end there."""
        left = self._exits[before:]
        self._exits[before:] = [(c or condition, jump, False) for c, jump, _ in left if not isinstance(jump, ending)]

    def _loop(self, node: tree.Loop) -> None:
        if node.start is not None:
            self.statement(node.start)
        condition = node.condition
        if condition is not None and not node.body_first:
            self.value(condition)
        outer, before = self._loops, len(self._exits)
        self._loops = outer if runs_once(node) else (*outer, node)
        if condition is not None and node.start is None and node.step is None and not node.body_first:
            self._under(condition, node.body)
        else:
            self.statement(node.body)
        self._loops = outer
        self._leave(before, condition, (tree.Break, tree.Continue))
        if node.step is not None:
            self.value(node.step)
        if condition is not None and node.body_first:
            self.value(condition)

    # -- what begins ------------------------------------------------------------------------------------------------

    def _begins(self, node: tree.Declare | tree.Temporary, variable: Variable, value: tree.Expression) -> None:
        """A variable gets its first value."""
        root = Root(variable)
        if isinstance(variable.type, Pointer) and not isinstance(value, tree.Aggregate):
            self._bind(node, root, value)
            return
        if makes_object(value):  # what it holds is there before the constructor runs
            self._note(node, root, False, True)
            self._initialiser(node, root, value)
            return
        self._initialiser(node, root, value)
        self._note(node, root, False, True)

    def _initialiser(self, node: tree.Node, root: Root, value: tree.Expression) -> None:
        """What initialises an object, which is a part of what ``node`` begins."""
        source = unconverted(value)
        if isinstance(source, tree.Call) and source.constructs:
            self._call(source, (root,))
            return
        if not isinstance(source, tree.Aggregate):
            self.value(value)
            self._given_away(node, value)
            for event in copied_pointers(node, root, value):
                self._add(event)
            if isinstance(source, tree.Call) and isinstance(source.type, Record):
                self._add(Bound(node, root, None, source))
            return
        for steps, part in source.parts:
            names, alone = _steps(source.type, steps), not any(isinstance(step, int) for step in steps)
            inside = root.then(*names)
            if isinstance(part.type, Pointer) and alone and names:
                self._bind(node, inside, part)
            else:
                self._initialiser(node, inside, part)

    # -- expressions ------------------------------------------------------------------------------------------------

    def _add(self, event: Bound) -> None:
        begins = isinstance(event.node, tree.Declare | tree.Temporary)
        self.events.append(event if begins or not self._conditions else replace(event, to=None))

    def _note(
        self, node: tree.Node, root: Root | None, reads: bool, writes: bool, operator: str = "",
        value: tree.Expression | None = None,
    ) -> None:  # fmt: skip
        if root is None and isinstance(node, tree.Pointee | tree.Part):
            ways = choices(node)
            for condition, fails, place in ways:
                outer = self._conditions, self._failing
                self._conditions = (*self._conditions, condition)
                self._failing = (*self._failing, condition) if fails else self._failing
                self._note(place, root_of(place), reads, writes, operator, value)
                self._conditions, self._failing = outer
            if ways:
                return
        around = (self._conditions, self._loops, self._constructs)
        self.events.append(Use(node, root, reads, writes, operator, value, *around, failing=self._failing))

    def _bind(self, node: tree.Node, pointer: Root | None, value: tree.Expression) -> None:
        event = _bound(node, pointer, value)
        if event.to is not None:
            self._leading(value)
        else:
            self.value(unconverted(value))
        self._add(event)

    def value(self, node: tree.Expression) -> None:
        """An expression is evaluated."""
        match node:
            case tree.Constant() | tree.FunctionAddress():
                return
            case tree.Load():
                self._load(node)
            case tree.Binary() | tree.Distance():
                self.value(node.left)
                self.value(node.right)
            case tree.Convert():
                self.value(node.value)
                kept = isinstance(node.type, Pointer | Void) or getattr(node.type, "boolean", False)
                if not kept:
                    self._given_away(node, node.value)
            case tree.Store():
                self._store(node)
            case tree.Update():
                self._update(node)
            case tree.Call():
                self._call(node)
            case tree.Offset():
                self.value(node.index)
                self.value(node.pointer)
            case tree.Unary():
                self.value(node.operand)
            case tree.AddressOf(place=place) | tree.Decay(array=place):
                self._inside(place)
                root = root_of(place)
                if root is not None:
                    self.events.append(Escape(node, root))
            case tree.ShortCircuit():
                self.value(node.left)
                self._perhaps(node.left, node, node.right)
            case tree.Conditional():
                self.value(node.condition)
                self._perhaps(node.condition, node, node.then, node.otherwise)
            case tree.Sequence():
                for part in node.parts:
                    self.value(part)
            case tree.Aggregate():
                for _, part in node.parts:
                    self.value(part)
                    self._given_away(node, part)
            case tree.Ending():
                self.value(node.value)
                for end in node.ends:
                    self.value(end)
            case tree.StatementValue():
                self.statement(node.body)
                if node.value is not None:
                    self.value(node.value)
            case tree.Opaque():
                self._opaque(node)
            case _:
                assert_never(node)

    def _load(self, node: tree.Load) -> None:
        place = node.place
        self._inside(place)
        root = root_of(place)
        if isinstance(place, tree.Named) and (root is None or _is_reference(place)):
            return  # what a reference is, the program does not read; and what is in a string, nobody writes
        self._note(place, root, True, False)

    def _perhaps(self, condition: tree.Expression, node: tree.Node, *parts: tree.Expression) -> None:
        outer = self._conditions
        self._conditions = (*outer, condition)
        for part in parts:
            self.value(part)
            self._given_away(node, part)
        self._conditions = outer

    def _given_away(self, node: tree.Node, value: tree.Expression) -> None:
        """A pointer's value goes where it is not followed."""
        target = target_of(value) if isinstance(value.type, Pointer) else None
        if target is not None:
            self.events.append(Escape(node, target))

    def _store(self, node: tree.Store) -> None:
        root = root_of(node.place)
        if isinstance(node.place.type, Pointer):
            self._inside(node.place)
            self._bind(node, root, node.value)
            self._note(node.place, root, False, True, "=")
            return
        if makes_object(node.value) and root is not None:
            self._inside(node.place)
            self._note(node.place, root, False, True, "=", node.value)
            self._initialiser(node, root, node.value)
            return
        if isinstance(node.value, tree.Aggregate | tree.Call) and root is not None:
            self._initialiser(node, root, node.value)
        else:
            self.value(node.value)
        self._inside(node.place)
        self._note(node.place, root, False, True, "=", node.value)
        if root is not None:
            for event in copied_pointers(node, root, node.value):
                self._add(event)

    def _update(self, node: tree.Update) -> None:
        root, operator = root_of(node.place), f"{node.operator}="
        self.value(node.value)
        self._inside(node.place)
        if isinstance(node.place.type, Pointer):
            self.events.append(Bound(node, root, None))
            self._note(node.place, root, True, True, operator)
        else:
            self._note(node.place, root, True, True, operator, node.value)

    def _inside(self, place: tree.Place) -> None:
        """What is evaluated to find a place, such as the index and the pointer of ``p[i]``."""
        match place:
            case tree.Named():
                return
            case tree.Part():
                self._inside(place.whole)
            case tree.Pointee():
                self._pointer(place.pointer)
            case tree.Temporary():
                self._begins(place, place.variable, place.initialiser)
            case tree.Opaque():
                self._opaque(place)
            case _:
                assert_never(place)

    def _pointer(self, pointer: tree.Expression) -> None:
        """A pointer that is followed at once."""
        match pointer:
            case tree.Offset():
                self.value(pointer.index)
                self._pointer(pointer.pointer)
            case tree.AddressOf(place=place) | tree.Decay(array=place):
                self._inside(place)
            case tree.Convert(value=value) if isinstance(value.type, Pointer):
                self._pointer(value)
            case tree.Conditional():
                self.value(pointer.condition)
                outer = self._conditions
                self._conditions = (*outer, pointer.condition)
                self._pointer(pointer.then)
                self._pointer(pointer.otherwise)
                self._conditions = outer
            case _:
                self.value(pointer)

    def _leading(self, pointer: tree.Expression) -> None:
        """A pointer of which it is known where it leads, and which is kept or lent."""
        source = unconverted(pointer)
        if isinstance(source, tree.Load):
            self._inside(source.place)
        else:
            self._pointer(source)

    def _call(self, node: tree.Call, made: tuple[Root | None, ...] = ()) -> None:
        """A call. What it has ``made``, if it is a constructor's, is its first argument."""
        leads: list[Root | None] = [*(made or (None,) * node.constructs)]
        for argument in node.arguments:
            target = target_of(argument) if isinstance(argument.type, Pointer) else None
            if target is not None:
                self._leading(argument)
            else:
                self.value(argument)
            leads.append(target)
        function = node.callee.function if isinstance(node.callee, tree.FunctionAddress) else None
        if function is None:
            self.value(node.callee)
        self.events.append(Lent(node, function, tuple(leads), self._conditions, self._loops, self._constructs))

    def _opaque(self, node: tree.Opaque) -> None:
        """What nobody understands may read and write, and keep, what it mentions."""
        self._note(node, None, True, True)
        for one in node.mentions or ():
            root = None
            if isinstance(one, tree.Named | tree.Pointee | tree.Part | tree.Temporary):
                root = root_of(one)
            if root is not None:
                if not (isinstance(one, tree.Named) and _is_reference(one)):  # which nothing changes
                    self.events.append(Escape(node, root))
                if isinstance(root.variable.type, Pointer) and not root.path:
                    self.events.append(Escape(node, root.then(DEREFERENCE)))


def _is_reference(place: tree.Named) -> bool:
    kind = place.variable.type
    return (isinstance(kind, Pointer) and kind.reference) or place.variable.name == "this"
