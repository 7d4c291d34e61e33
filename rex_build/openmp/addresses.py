"""Collects where addresses go in device code: through assignments, calls and memory.

:mod:`..tree.points_to` solves the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet

from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree.points_to import WORLD, Constraints, Place, Signature, Value, passed, reached
from ..tree.symbols import Function, Variable
from ..tree.types import Array, Complex, Floating, Integer, Pointer, Record, Type, Void
from ..tree.types import Function as FunctionType

_ADDRESS = 8  # in bytes
_MEMBERS = "members"  # the addresses that integer members of records hold
_COMPARISONS = frozenset(["==", "!=", "<", ">", "<=", ">="])
_TEXT = ("str", "stp", "printf", "put")  # these functions move no addresses except their arguments
_ATOMIC = ("__atomic_", "__sync_", "__c11_atomic_")
_BY_REFERENCE = frozenset({"__atomic_load", "__atomic_store", "__atomic_exchange", "__atomic_compare_exchange"})
_STATEMENTS = (
    tree.Block, tree.If, tree.Loop, tree.Switch, tree.Case, tree.Target, tree.Goto, tree.Break, tree.Continue,
    tree.Construct, tree.Declare, tree.Evaluate, tree.Return,
)  # fmt: skip


class AddressFlow:
    """Where addresses go.

    ``own`` are the variables of single threads. Those in ``elsewhere`` also exist in memory that all threads reach.
    ``bodies`` are the unit's functions of device code, and ``is_library`` knows the names of the device library.
    """

    def __init__(
        self, bodies: Mapping[Function, tree.Body], is_library: Callable[[str], bool],
        own: AbstractSet[Entity], elsewhere: AbstractSet[Entity], separable: bool,
    ) -> None:  # fmt: skip
        self.bodies, self.is_library, self.own, self.elsewhere = bodies, is_library, own, elsewhere
        self.separable = separable
        self.made: dict[Place, tree.Temporary] = {}  # the temporary objects, by their variables
        self._constraints = Constraints()
        self._temporaries = 0
        self._function: Function | None = None

    def solve(self) -> set[Place]:
        """The places to which addresses in memory that every thread reaches lead, except that memory itself."""
        return reached(self._constraints, self._signature, self.separable)

    # -- constraints ----------------------------------------------------------------------------------------------

    def point(self, value: Value, place: Place) -> None:
        self._constraints.points.append((value, place))

    def copy(self, source: Value, to: Value) -> None:
        self._constraints.copies.append((source, to))

    def load(self, pointer: Value, to: Value) -> None:
        self._constraints.loads.append((pointer, to))

    def store(self, source: Value, pointer: Value) -> None:
        self._constraints.stores.append((source, pointer))

    def call(self, callee: Value, arguments: list[Value], result: Value) -> None:
        self._constraints.calls.append((callee, arguments, result))

    def _signature(self, function: Function) -> Signature:
        body = self.bodies.get(function)
        return (tuple(p.key for p in body.parameters), ("result of", function)) if body is not None else None

    def _temporary(self) -> int:
        self._temporaries += 1
        return self._temporaries

    def _places(self, variable: Variable) -> tuple[Place, ...]:
        own = variable.key
        if variable.entity is None or (own in self.own and own not in self.elsewhere):
            return (own,)
        return (own, WORLD) if own in self.own else (WORLD,)

    # -- statements -----------------------------------------------------------------------------------------------

    def body(self, body: tree.Body) -> None:
        self._function = body.function
        self.statement(body.statement)
        self._function = None

    def statement(self, node: tree.Node) -> None:
        match node:
            case tree.Declare():
                for place in self._places(node.variable) if node.initialiser is not None else ():
                    self.value(node.initialiser, place if _may_hold_address(node.variable.type) else None)
                if node.end is not None:
                    self.value(node.end, None)
            case tree.Return(value=value):
                if value is not None:
                    self.value(value, ("result of", self._function) if self._function is not None else None)
            case _ if isinstance(node, _STATEMENTS):
                for child in tree.children(node):
                    self.statement(child)
            case _:
                self.value(node, None)

    # -- expressions ----------------------------------------------------------------------------------------------

    def value(self, node: tree.Node | None, into: Value | None) -> None:
        """Let ``into`` point to everything to which the value of an expression may point."""
        match node:
            case tree.Load(place=place):
                self._read(place, into)
            case tree.AddressOf(place=place) | tree.Decay(array=place):
                self._address(place, into)
            case tree.FunctionAddress(function=function):
                if into is not None:
                    self.point(into, function)
            case tree.Convert(value=inner):
                self.value(inner, None if _loses_address(inner.type, node.type) else into)
                if isinstance(node.type, Record) and isinstance(inner.type, Integer):  # a union
                    self.value(inner, _MEMBERS)
            case tree.Binary(operator=operator) if operator not in _COMPARISONS:
                self.value(node.left, into)
                self.value(node.right, into)
            case tree.Unary(operand=operand):
                self.value(operand, into if node.operator != "!" else None)
            case tree.Offset():
                self.value(node.index, None)
                self.value(node.pointer, into)
            case tree.Conditional():
                self.value(node.condition, None)
                self.value(node.then, into)
                self.value(node.otherwise, into)
            case tree.Sequence(parts=parts):
                for part in parts[:-1]:
                    self.value(part, None)
                self.value(parts[-1] if parts else None, into)
            case tree.Store() | tree.Update():
                self._assignment(node, into)
            case tree.Aggregate(parts=elements):
                for _, part in elements:
                    self.value(part, into)
                    if isinstance(part.type, Integer) and not isinstance(part, tree.Constant):
                        self.value(part, _MEMBERS)
            case tree.Call():
                self._call(node, into if into is not None else self._temporary())
            case tree.Ending(value=inner, ends=ends):
                self.value(inner, into)
                for end in ends:
                    self.value(end, None)
            case tree.StatementValue(body=body, value=inner):
                self.statement(body)
                self.value(inner, into)
            case tree.Opaque():
                self._not_understood(node, into)
            case tree.Node():
                for child in tree.children(node):
                    self.value(child, None)

    def _not_understood(self, node: tree.Opaque, into: Value | None) -> None:
        if into is not None:
            self.copy(WORLD, into)
        for mentioned in node.mentions or ():
            if isinstance(mentioned, tree.Named):
                for place in self._places(mentioned.variable):
                    self.point(WORLD, place)
            else:
                self.value(mentioned, WORLD)

    def _read(self, place: tree.Place, into: Value | None) -> None:
        t = place.type
        if not _may_hold_address(t) or _is_number_of_record(place):
            into = None
        elif isinstance(place, tree.Part) and isinstance(t, Integer) and into is not None:
            self.copy(_MEMBERS, into)
            into = None
        if isinstance(place, tree.Named):
            for one in self._places(place.variable) if into is not None else ():
                self.copy(one, into or WORLD)
            return
        pointer = self._temporary() if into is not None else None
        self._address(place, pointer)
        if pointer is not None and into is not None:
            self.load(pointer, into)

    def _address(self, place: tree.Place, into: Value | None) -> None:
        """Store the address of a place in ``into``."""
        match place:
            case tree.Named(variable=variable):
                for one in self._places(variable) if into is not None else ():
                    self.point(into or WORLD, one)
            case tree.Pointee(pointer=pointer):
                self.value(pointer, into)
            case tree.Part(whole=whole):
                self._address(whole, into)
            case tree.Temporary(variable=variable):
                self.made[variable] = place
                self.value(place.initialiser, variable)
                if into is not None:
                    self.point(into, variable)
            case tree.Opaque():
                self._not_understood(place, into)

    def _assignment(self, node: tree.Store | tree.Update, into: Value | None) -> None:
        source, place = self._temporary(), node.place
        self.value(node.value, source if _may_hold_address(place.type) else None)
        if isinstance(place, tree.Named):
            for one in self._places(place.variable):
                self.copy(source, one)
        else:
            pointer = self._temporary()
            self._address(place, pointer)
            self.store(source, pointer)
            if isinstance(place, tree.Part) and isinstance(place.type, Integer):
                self.copy(source, _MEMBERS)
        if into is not None:
            self.copy(source, into)
            if isinstance(node, tree.Update):
                self._read(place, into)

    # -- calls ----------------------------------------------------------------------------------------------------

    def _call(self, node: tree.Call, result: Value) -> None:
        callee = node.callee
        function = callee.function if isinstance(callee, tree.FunctionAddress) else None
        name = function.name if function is not None and function not in self.bodies else ""
        if name.startswith("__") or (name and self.is_library(name)):
            self._library(name, node, result)
            return
        values: list[Value] = []
        for argument in node.arguments:
            values.append(self._temporary())
            self.value(argument, values[-1])
        if function is None:
            pointer = self._temporary()
            self.value(callee, pointer)
            self.call(pointer, values, result)
            return
        signature = self._signature(function)
        for given, parameter in passed(values, signature[0] if signature is not None else ()):
            self.copy(given, parameter)
        self.copy(signature[1] if signature is not None else WORLD, result)

    def _library(self, name: str, node: tree.Call, result: Value) -> None:
        """Add the constraints of a library function or builtin.

        It may copy the memory to which its arguments point, and return one of the arguments. It keeps none of them. If
        it gets the address of a pointer, it may set that pointer to any argument.
        """
        if name.endswith(("alloc", "alloca")):  # the memory is the thread's own until a pointer to it goes elsewhere
            self.point(result, node)
            if "realloc" not in name:
                for argument in node.arguments:
                    self.value(argument, None)
                return
        if name == "__builtin_va_arg":
            self.copy(WORLD, result)
            return
        every, contents = self._temporary(), self._temporary()
        if name.startswith(_ATOMIC) and node.arguments and name not in _BY_REFERENCE:
            pointer, stored = self._temporary(), self._temporary()
            self.value(node.arguments[0], pointer)
            for argument in node.arguments[2 if "compare_exchange" in name else 1 :]:
                self.value(argument, stored)
            self.store(stored, pointer)
        of_text = name.removeprefix("__builtin_").startswith(_TEXT)
        for argument in node.arguments:
            if not _may_hold_address(argument.type):
                self.value(argument, None)
                continue
            one = self._temporary()
            self.value(argument, one)
            self.copy(one, every)
            to = argument.type.to if isinstance(argument.type, Pointer) else None
            if not of_text:
                self.load(one, contents)
                self.store(contents, one)
            elif isinstance(to, Pointer):  # strtol(), strtok_r()
                self.store(every, one)
            if isinstance(to, FunctionType):  # a comparison function
                self.call(one, [every, every], self._temporary())
        self.copy(every, result)
        self.copy(contents, result)


def _is_number_of_record(place: tree.Place) -> bool:
    """Whether a place is an integer in an array inside a record. Such an integer is no part of other members."""
    node: tree.Node = place
    if not isinstance(place.type, Integer):
        return False
    while isinstance(node, tree.Pointee | tree.Offset | tree.Decay):
        node = node.array if isinstance(node, tree.Decay) else node.pointer
    return node is not place and isinstance(node, tree.Part) and isinstance(node.type, Array)


def _may_hold_address(t: Type) -> bool:
    """Whether copying one or more values of this type may copy an address, as bytes or as an integer."""
    if isinstance(t, Array):
        return _may_hold_address(t.of)
    if isinstance(t, Integer):
        return t.size in (1, _ADDRESS)
    return not isinstance(t, Floating | Complex | Void)


def _loses_address(of: Type, to: Type) -> bool:
    """Whether a conversion loses an address that a value holds: the new type is narrower, or no integer."""
    if isinstance(to, Floating | Complex | Void) or getattr(to, "boolean", False):
        return True
    return isinstance(to, Integer) and to.size < _ADDRESS <= (of.size or 0)
