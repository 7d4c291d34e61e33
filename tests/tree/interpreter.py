"""Runs functions of the tree, and tells each access that happens. It knows integers, arrays, records and pointers, and
objects that begin and end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rex_build.tree import nodes as tree
from rex_build.tree.symbols import Function, Variable
from rex_build.tree.types import Array, Integer, Pointer, Record, Type


class Address(NamedTuple):
    """A byte of an object, or a bit-field in it."""

    object: object
    offset: int = 0
    bit: int = 0


class Leave(Exception):  # noqa: N818 - it is no error
    """Control leaves by a statement of a kind."""

    def __init__(self, how: type[tree.Node], value: Any = None) -> None:
        self.how, self.value = how, value


def wrapped(value: int, t: Type) -> int:
    assert isinstance(t, Integer), t
    if t.boolean:
        return int(value != 0)
    low = t.least
    return (value - low) % (1 << t.bits) + low


ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "%": lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}


class Interpreter:
    """``noted`` gets each access: the node that makes it, the place, and whether it reads and writes."""

    def __init__(
        self, bodies: dict[Function, tree.Body], noted: Callable[[tree.Node, Address, bool, bool], None]
    ) -> None:
        self.bodies, self.noted = bodies, noted
        self.memory: dict[Address, Any] = {}
        self.frames: list[dict[Variable, object]] = []
        self.steps = 0

    def call(self, body: tree.Body, arguments: list[Any]) -> Any:
        self.frames.append({})
        for parameter, argument in zip(body.parameters, arguments, strict=True):
            self.put(Address(self.begin(parameter)), argument)
        result = None
        try:
            self.statement(body.statement)
        except Leave as left:
            if left.how is not tree.Return:
                raise
            result = left.value
        self.frames.pop()
        return result

    def begin(self, variable: Variable) -> object:
        made = self.frames[-1][variable] = object()
        return made

    # -- statements

    def statement(self, node: tree.Statement) -> None:
        self.steps += 1
        assert self.steps < 200_000
        match node:
            case tree.Block():
                self.block(node)
            case tree.Declare():
                made = self.begin(node.variable)
                if node.initialiser is not None:
                    self.initialise(node, Address(made), node.variable.type, node.initialiser)
            case tree.Evaluate():
                self.value(node.expression)
            case tree.If():
                if self.value(node.condition):
                    self.statement(node.then)
                elif node.otherwise is not None:
                    self.statement(node.otherwise)
            case tree.Loop():
                self.loop(node)
            case tree.Switch():
                self.switch(node)
            case tree.Case():
                pass
            case tree.Break() | tree.Continue():
                raise Leave(type(node))
            case tree.Return():
                raise Leave(tree.Return, self.value(node.value) if node.value is not None else None)
            case _:
                raise AssertionError(node)

    def block(self, node: tree.Block) -> None:
        ends: list[tree.Expression] = []
        try:
            for item in node.statements:
                self.statement(item)
                if isinstance(item, tree.Declare) and item.end is not None:
                    ends.append(item.end)
        finally:
            for end in reversed(ends):
                self.value(end)

    def loop(self, node: tree.Loop) -> None:
        if node.start is not None:
            self.statement(node.start)
        first = node.body_first
        while True:
            if not first and node.condition is not None and not self.value(node.condition):
                return
            first = False
            try:
                self.statement(node.body)
            except Leave as left:
                if left.how is tree.Break:
                    return
                if left.how is not tree.Continue:
                    raise
            if node.step is not None:
                self.value(node.step)

    def switch(self, node: tree.Switch) -> None:
        value = self.value(node.value)
        assert isinstance(node.body, tree.Block)
        items = node.body.statements
        places = [n for n, s in enumerate(items) if isinstance(s, tree.Case) and s.values and value in s.values]
        places += [n for n, s in enumerate(items) if isinstance(s, tree.Case) and s.values is None]
        try:
            for item in items[places[0] :] if places else ():
                self.statement(item)
        except Leave as left:
            if left.how is not tree.Break:
                raise

    def initialise(self, node: tree.Node, at: Address, t: Type, value: tree.Expression) -> None:
        if isinstance(value, tree.Call) and value.constructs:
            self.run(value, [at])
            return
        if not isinstance(value, tree.Aggregate):
            self.store(node, at, self.value(value), t)
            return
        self.zero(at, t)
        for path, part in value.parts:
            place, kind = at, t
            for step in path:
                if isinstance(step, int):
                    assert isinstance(kind, Array)
                    place, kind = self.moved(place, step, kind.of), kind.of
                else:
                    place, kind = Address(place.object, place.offset + step.offset, step.bit_offset), step.type
            self.initialise(node, place, kind, part)

    def zero(self, at: Address, t: Type) -> None:
        if isinstance(t, Array):
            assert isinstance(t.length, int)
            for number in range(t.length):
                self.zero(self.moved(at, number, t.of), t.of)
        elif isinstance(t, Record):
            for m in t.info.members:
                self.zero(Address(at.object, at.offset + m.offset, m.bit_offset), m.type)
        else:
            self.memory[at] = 0

    @staticmethod
    def moved(at: Address, elements: int, t: Type) -> Address:
        assert t.size is not None
        return Address(at.object, at.offset + elements * t.size)

    # -- expressions

    def made(self, value: tree.Expression) -> Address:
        """A new object."""
        at = Address(object())
        self.initialise(value, at, value.type, value)
        return at

    def place(self, node: tree.Place) -> Address:
        match node:
            case tree.Named():
                return Address(self.frames[-1][node.variable])
            case tree.Pointee():
                found = self.value(node.pointer)
                assert isinstance(found, Address)
                return found
            case tree.Part():
                whole = self.place(node.whole)
                return Address(whole.object, whole.offset + node.member.offset, node.member.bit_offset)
            case tree.Temporary():
                self.initialise(node, Address(self.begin(node.variable)), node.type, node.initialiser)
                return Address(self.frames[-1][node.variable])
            case _:
                raise AssertionError(node)

    def load(self, node: tree.Node, at: Address, t: Type) -> Any:
        self.noted(node, at, True, False)
        if not isinstance(t, Record):
            return self.memory[at]
        end = at.offset + (t.size or 0)
        inside = [a for a in self.memory if a.object is at.object and at.offset <= a.offset < end]
        return {(a.offset - at.offset, a.bit): self.memory[a] for a in inside}

    def put(self, at: Address, value: Any) -> None:
        """Store a value, which has a part for each place of a record."""
        parts = value.items() if isinstance(value, dict) else [((0, at.bit), value)]
        for (offset, bit), part in parts:
            self.memory[Address(at.object, at.offset + offset, bit)] = part

    def store(self, node: tree.Node, at: Address, value: Any, t: Type) -> Any:
        self.noted(node, at, False, True)
        self.put(at, stored := wrapped(value, t) if isinstance(t, Integer) else value)
        return stored

    def value(self, node: tree.Expression) -> Any:
        match node:
            case tree.Constant():
                return node.value
            case tree.Load():
                return self.load(node, self.place(node.place), node.type)
            case tree.AddressOf():
                return self.place(node.place)
            case tree.Decay():
                return self.place(node.array)
            case tree.Convert():
                value = self.value(node.value)
                return wrapped(value, node.type) if isinstance(node.type, Integer) else value
            case tree.Unary():
                value = self.value(node.operand)
                return wrapped({"-": -value, "~": ~value, "!": int(not value)}[node.operator], node.type)
            case tree.Binary():
                left, right = self.value(node.left), self.value(node.right)
                return wrapped(ARITHMETIC[node.operator](left, right), node.type)
            case tree.Offset():
                assert isinstance(node.pointer.type, Pointer)
                at, by = self.value(node.pointer), self.value(node.index)
                return self.moved(at, -by if node.backward else by, node.pointer.type.to)
            case tree.ShortCircuit():
                left = bool(self.value(node.left))
                return int(left) if left == (node.operator == "||") else int(bool(self.value(node.right)))
            case tree.Conditional():
                return self.value(node.then if self.value(node.condition) else node.otherwise)
            case tree.Sequence():
                return [self.value(part) for part in node.parts][-1]
            case tree.Store():
                at = self.place(node.place)
                return self.store(node, at, self.value(node.value), node.place.type)
            case tree.Update():
                return self.update(node)
            case tree.Ending():
                value = self.value(node.value)
                for end in node.ends:
                    self.value(end)
                return value
            case tree.Aggregate():
                return self.load(node, self.made(node), node.type)
            case tree.Call():
                return self.load(node, self.made(node), node.type) if node.constructs else self.run(node, [])
            case _:
                raise AssertionError(node)

    def run(self, node: tree.Call, first: list[Any]) -> Any:
        assert isinstance(node.callee, tree.FunctionAddress)
        return self.call(self.bodies[node.callee.function], first + [self.value(a) for a in node.arguments])

    def update(self, node: tree.Update) -> Any:
        at = self.place(node.place)
        value = self.value(node.value)
        old = self.load(node, at, node.place.type)
        if isinstance(node.place.type, Pointer):
            moved = self.moved(old, -value if node.operator == "-" else value, node.place.type.to)
            new = self.store(node, at, moved, node.place.type)
            return old if node.old else new
        computed = wrapped(ARITHMETIC[node.operator](wrapped(old, node.computed), value), node.computed)
        new = self.store(node, at, computed, node.place.type)
        return old if node.old else new
