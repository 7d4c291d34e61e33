"""Collects where addresses go in device code: through assignments, calls and memory.

:mod:`..tree.points_to` solves the result.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet

from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree.points_to import WORLD, Constraints, InCall, Place, Signature, Value, passed, reached
from ..tree.symbols import Function, Storage, Variable
from ..tree.types import Array, Complex, Floating, Integer, Pointer, Record, Type, Void
from ..tree.types import Function as FunctionType

_ADDRESS = 8  # in bytes
_DEPTH = 6  # calls inside of each other that are looked at one by one
_NODES = 20_000  # of all bodies that are looked at once for each call
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

    ``own`` are variables of single threads, as are those that the code declares, unless they are ``shared``. Those in
    ``elsewhere``, and those of ``copies`` that are not ``own``, also exist in memory that all threads reach. ``body``
    gives the unit's functions of device code, and ``is_library`` knows those of the library.

    A function is looked at again for each call, so that ``this`` is one object, and not all objects of the class: at
    most ``_DEPTH`` calls deep and as long as all these bodies have ``_NODES`` nodes. What is called otherwise, such as
    through a pointer, is looked at once for all such calls. What is not understood, and what other units define, may
    keep what it gets. If one is ``trusting``, it keeps nothing, and neither do calls that are too deep or too many.
    """

    def __init__(
        self, body: Callable[[Function], tree.Body | None], is_library: Callable[[Function], bool],
        own: AbstractSet[Entity], copies: AbstractSet[Entity], shared: AbstractSet[Entity],
        elsewhere: AbstractSet[Entity], separable: bool, trusting: bool = False,
    ) -> None:  # fmt: skip
        self._body_of, self.is_library, self.separable, self.trusting = body, is_library, separable, trusting
        self.own, self.copies, self.shared, self.elsewhere = {*own}, copies, shared, elsewhere
        self.made: dict[Place, tree.Temporary] = {}  # the temporary objects, by their variables
        self.lasting: set[Place] = set()  # those among them that live as long as a reference
        self._constraints = Constraints()
        self._temporaries = 0
        self._calls = 0  # the number of the last call whose function was looked at for it
        self._call_of = 0  # the call whose function is looked at now; 0 for regions, and for functions for all calls
        self._around: tuple[Function, ...] = ()
        self._nodes = 0
        self._sizes: dict[Function, int] = {}  # of bodies, in nodes
        self._whole: dict[Function, None] = {}  # looked at for all calls
        self._pending: list[Function] = []

    def solve(self) -> set[Place]:
        """The places to which addresses in memory that every thread reaches lead, except that memory itself."""
        while self._pending:
            body = self._body_of(self._pending.pop())
            assert body is not None
            self._look_at(body, 0)
        found = reached(self._constraints, self._signature, self.separable)
        return {place.of if isinstance(place, InCall) else place for place in found}

    # -- constraints ----------------------------------------------------------------------------------------------

    def point(self, value: Value, place: Place) -> None:
        self._constraints.points.append((value, place))
        if isinstance(place, Function):  # which may be called through the pointer
            self._need(place)

    def copy(self, source: Value, to: Value) -> None:
        self._constraints.copies.append((source, to))

    def load(self, pointer: Value, to: Value) -> None:
        self._constraints.loads.append((pointer, to))

    def store(self, source: Value, pointer: Value) -> None:
        self._constraints.stores.append((source, pointer))

    def call(self, callee: Value, arguments: list[Value], result: Value) -> None:
        self._constraints.calls.append((callee, arguments, result))

    def _signature(self, function: Function, call: int = 0) -> Signature:
        body = self._body_of(function)
        if body is None:
            return None
        keys = (p.key for p in body.parameters)
        return tuple(InCall(call, key) if call else key for key in keys), ("result of", function, call)

    def _temporary(self) -> int:
        self._temporaries += 1
        return self._temporaries

    def _places(self, variable: Variable) -> tuple[Place, ...]:
        key = variable.key
        in_call = self._call_of > 0 and variable.storage in (Storage.LOCAL, Storage.PARAMETER)
        own = InCall(self._call_of, key) if in_call else key
        if variable.entity is None or (key in self.own and key not in self.elsewhere):
            return (own,)
        return (own, WORLD) if key in self.own or key in self.copies else (WORLD,)

    def _declare(self, variable: Variable) -> None:
        if variable.key not in self.shared:
            self.own.add(variable.key)

    def _leading_to(self, places: tuple[Place, ...], t: Type) -> Value | None:
        """A pointer to an object for its constructor, if the type has one."""
        while isinstance(t, Array):
            t = t.of
        if not isinstance(t, Record):
            return None
        pointer = self._temporary()
        for place in places:
            self.point(pointer, place)
        return pointer

    # -- functions ------------------------------------------------------------------------------------------------

    def _need(self, function: Function) -> None:
        """Look at a function for all calls that are not told apart."""
        if function not in self._whole and self._body_of(function) is not None:
            self._whole[function] = None
            self._pending.append(function)

    def _look_at(self, body: tree.Body, call: int) -> None:
        before = self._call_of, self._around
        self._call_of, self._around = call, (*self._around, body.function)
        for parameter in body.parameters:
            self._declare(parameter)
        self.statement(body.statement)
        self._call_of, self._around = before

    # -- statements -----------------------------------------------------------------------------------------------

    def statement(self, node: tree.Node) -> None:
        match node:
            case tree.Declare(variable=variable):
                self._declare(variable)
                if node.initialiser is not None:
                    if getattr(variable.type, "reference", False):
                        self.lasting.update(one.variable for one in tree.parts(node.initialiser, tree.Temporary))
                    places = self._places(variable)
                    into = places[0] if _may_hold_address(variable.type) else None
                    self.value(node.initialiser, into, self._leading_to(places, variable.type))
                    for place in places[1:] if into is not None else ():
                        self.copy(places[0], place)
                if node.end is not None and not isinstance(node.end, tree.Opaque):  # nobody reaches it any more
                    self.value(node.end, None)
            case tree.Return(value=value):
                if value is not None:
                    result = ("result of", self._around[-1], self._call_of) if self._around else None
                    self.value(value, result)
            case _ if isinstance(node, _STATEMENTS):
                for child in tree.children(node):
                    self.statement(child)
            case _:
                self.value(node, None)

    # -- expressions ----------------------------------------------------------------------------------------------

    def value(self, node: tree.Node | None, into: Value | None, this: Value | None = None) -> None:
        """Let ``into`` point to everything to which the value of an expression may point. ``this`` leads to the object
        that it initialises."""
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
                self.value(node.then, into, this)
                self.value(node.otherwise, into, this)
            case tree.Sequence(parts=parts):
                for part in parts[:-1]:
                    self.value(part, None)
                self.value(parts[-1] if parts else None, into, this)
            case tree.Store() | tree.Update():
                self._assignment(node, into)
            case tree.Aggregate(parts=elements):
                for _, part in elements:
                    self.value(part, into, this)
                    if isinstance(part.type, Integer) and not isinstance(part, tree.Constant):
                        self.value(part, _MEMBERS)
            case tree.Call():
                self._call(node, into if into is not None else self._temporary(), this)
            case tree.Ending(value=inner, ends=ends):
                self.value(inner, into, this)
                for end in ends:
                    if not isinstance(end, tree.Opaque):
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
        if node.inside and node.mentions:
            whole, *others = node.mentions
            self._address(whole, into)  # type: ignore[arg-type]
            for other in others:
                self.value(other, None)
            return
        if self.trusting:
            return
        if into is not None:
            self.copy(WORLD, into)
        for mentioned in node.mentions or ():
            if isinstance(mentioned, tree.Named):
                for place in self._places(mentioned.variable):
                    if mentioned.variable in node.read:
                        self.copy(place, WORLD)
                    else:
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
                made = self._places(variable)
                self.value(place.initialiser, made[0], self._leading_to(made, variable.type))
                for one in made if into is not None else ():
                    self.point(into or WORLD, one)
            case tree.Opaque():
                self._not_understood(place, into)

    def _assignment(self, node: tree.Store | tree.Update, into: Value | None) -> None:
        source, place = self._temporary(), node.place
        held = source if _may_hold_address(place.type) else None
        if isinstance(place, tree.Named):
            places = self._places(place.variable)
            self.value(node.value, held, self._leading_to(places, place.type))
            for one in places:
                self.copy(source, one)
        else:
            pointer = self._temporary()
            self._address(place, pointer)
            self.value(node.value, held, pointer)
            self.store(source, pointer)
            if isinstance(place, tree.Part) and isinstance(place.type, Integer):
                self.copy(source, _MEMBERS)
        if into is not None:
            self.copy(source, into)
            if isinstance(node, tree.Update):
                self._read(place, into)

    # -- calls ----------------------------------------------------------------------------------------------------

    def _call(self, node: tree.Call, result: Value, this: Value | None) -> None:
        callee = node.callee
        function = callee.function if isinstance(callee, tree.FunctionAddress) and not node.virtual else None
        body = self._body_of(function) if function is not None else None
        if function is not None and body is None and (function.name.startswith("__") or self.is_library(function)):
            self._library(function.name, node, result)
            return
        values: list[Value] = []
        if node.constructs and this is None:
            self.point(this := self._temporary(), node)  # an object without a name
            self.copy(node, result)
        if node.constructs and this is not None:
            values.append(this)
        for argument in node.arguments:
            values.append(self._temporary())
            self.value(argument, values[-1])
        if function is not None and body is not None:
            self._known(function, body, values, result)
            return
        pointer: Value = WORLD if node.virtual or function is not None else self._temporary()
        if pointer != WORLD:
            self.value(callee, pointer)
            self.call(pointer, values, result)
            return
        for given in values if not self.trusting else ():
            self.copy(given, WORLD)
        self.copy(WORLD, result)

    def _known(self, function: Function, body: tree.Body, values: list[Value], result: Value) -> None:
        """Add a call of a function whose body is known."""
        if function not in self._sizes:
            self._sizes[function] = sum(1 for _ in tree.walk(body.statement))
        call, nodes = 0, self._nodes + self._sizes[function]
        if len(self._around) < _DEPTH and function not in self._around and nodes <= _NODES:
            self._calls, self._nodes = self._calls + 1, nodes
            call = self._calls
        elif self.trusting:
            self.copy(WORLD, result)
            return
        else:
            self._need(function)
        parameters, given_back = self._signature(function, call) or ((), WORLD)
        for given, parameter in passed(values, parameters):
            self.copy(given, parameter)
        if call:
            self._look_at(body, call)
        self.copy(given_back, result)

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
