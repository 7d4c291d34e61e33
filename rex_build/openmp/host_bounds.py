"""What the host knows at a launch about the number of iterations.

The kernel computes its loops' bounds from what is on the device. The host computes them from its own variables. Where
both surely have the same value, the count is *exact*. Elsewhere it is a *hint*, which shapes the grid but bounds
nothing: for example, ``s.n`` of a structure that an enclosing construct has mapped may have been changed since. The
host reads only what is surely there. Expressions that could stop it, such as a division by a hint, give no hint.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

from ..base.records import dataclass
from ..plan.constructs import CanonicalLoop, Entity
from ..plan.host_expression import HostExpression, Member, SizeOf
from ..plan.launch import TripCounts
from ..plan.rows import MEMBER_OF_SHIFT, Capture, DataMapping, Map, MapRow, Role, Transport
from ..tree import nodes as tree
from ..tree import types
from ..tree.affine import Key
from ..tree.calls import Calls
from ..tree.symbols import Function
from ..tree.types import Floating, Integer, Pointer
from ..tree.values import constant

_ROUNDING = "devices may round floating-point arithmetic otherwise"


class UnknownError(Exception):
    """The host cannot compute an expression."""


@dataclass(frozen=True)
class HostView:
    """What a region's host side sees of the region's variables.

    ``changed`` are variables that the region may change, ``constants`` those that never change, ``device`` those that
    the device has of its own, and ``renamed`` those whose name means a device address here. One that ``is_fresh`` is
    surely not on the device before the region, no pointer can lead to one that ``is_unaddressed``, and ``this`` is the
    object of a method. ``calls`` are the functions that the host may call in front of the region.

    ``values`` are those from which the number of a loop's iterations is computed, in each instantiation. ``count`` is
    how the host computes it, or None if it cannot write that, and ``readable`` how a reader would write it.
    """

    captures: Mapping[Entity, Capture]
    mapping: DataMapping
    changed: Collection[Entity]
    constants: Collection[Entity]
    device: Collection[Entity]
    renamed: Collection[Entity]
    is_fresh: Callable[[Entity], bool]
    is_unaddressed: Callable[[Entity], bool]
    host: Callable[[Entity], HostExpression]
    this: Entity | None
    calls: Calls | None
    values: Callable[[CanonicalLoop], Iterable[tree.Expression]]
    count: Callable[[CanonicalLoop], HostExpression | None]
    readable: Callable[[CanonicalLoop], HostExpression] | None = None

    def trip_counts(self, levels: Sequence[CanonicalLoop], unreached: Sequence[CanonicalLoop] = ()) -> TripCounts:
        """What the host knows about the iterations of ``levels``.

        The program may never compute the bounds of those that it may leave ``unreached``, so the host must be able to.
        """
        reader = _Reader(self)
        counts = []
        for level in levels:
            values, count = list(self.values(level)), self.count(level)
            if count is None or (level in unreached and any(map(_may_stop, values))):
                return TripCounts()
            try:
                for value in values:
                    reader.value(value)
            except UnknownError:
                return TripCounts()
            counts.append(count)
        if reader.hint and reader.unsafe:
            return TripCounts()
        readable = tuple(map(self.readable, levels)) if self.readable is not None else ()
        return TripCounts(tuple(counts), reader.hint, tuple(dict.fromkeys(reader.pointers)), readable)

    def knows(self, values: Iterable[tree.Expression]) -> bool:
        """Whether the host surely has the values of expressions in the region, which may never compute them."""
        reader = _Reader(self)
        try:
            for value in values:
                reader.value(value)
                mentioned = (n.variable.entity for n in tree.walk(value) if isinstance(n, tree.Named))
                if any(entity in self.changed for entity in mentioned):
                    return False
        except UnknownError:
            return False
        return not (reader.hint or reader.unsafe or reader.pointers)

    def atom(self, atom: Hashable) -> HostExpression | None:
        """What the host computes for an atom of a polynomial, an integer variable or member of which it has every
        thread's value, else None."""
        if isinstance(atom, Entity):
            is_literal = self._travels(atom, Transport.LITERAL) and atom not in self.changed
            return self.host(atom) if is_literal else None
        return self._member(atom)

    def _member(self, atom: Hashable) -> HostExpression | None:
        member, _, around = atom.parts if isinstance(atom, Key) and len(atom.parts) == 3 else (None, None, None)
        if not isinstance(member, types.Member):
            return None
        if not isinstance(around, Entity):
            inner = self._member(around)
        else:
            inner = self.host(around) if self._travels(around, Transport.WORDS) else None
        return Member(inner, member.name) if inner is not None else None

    def _travels(self, variable: Entity, how: Transport) -> bool:
        capture = self.captures.get(variable)
        return capture is not None and capture.transport is how

    def row(self, symbol: Entity) -> MapRow | None:
        """The row that supplies the parameter of a variable."""
        parameter = self.mapping.parameter(Role.VARIABLE, symbol)
        return self.mapping.rows[parameter.row] if parameter is not None else None

    def is_read(self, row: MapRow) -> bool:
        """Whether the launch reads the host's storage of a row, or of a part of it: to copy it to the device, or to
        follow a pointer in it to a section, such as ``p->x[0:n]``."""
        number = self.mapping.rows.index(row) + 1
        parts = [r for r in self.mapping.rows if r.flags >> MEMBER_OF_SHIFT == number and not r.loops]
        return bool(row.flags & Map.TO) or any(part.flags & (Map.TO | Map.PTR_AND_OBJ) for part in parts)


class _Reader:
    """Looks at the expressions of bounds. ``unsafe`` is true if garbage in a hint could stop the host."""

    def __init__(self, view: HostView) -> None:
        self.view = view
        self.hint = ""
        self.unsafe = False
        self.pointers: list[HostExpression] = []

    def _uncertain(self, why: str) -> None:
        self.hint = self.hint or why

    def value(self, node: tree.Expression) -> None:
        """Look at an expression whose value is used. Raises UnknownError."""
        if constant(node) is not None:
            return
        if not isinstance(node.type, Integer | Floating):
            raise UnknownError
        match node:
            case tree.Constant():
                return
            case tree.Unary(operator="-" | "~" | "!"):
                self.value(node.operand)
            case tree.Convert():
                self.value(node.value)
            case tree.Binary():
                self.value(node.left)
                self.value(node.right)
                if node.operator in ("/", "%") and not constant(node.right):
                    self.unsafe = True
                computed = any(map(_is_computed, (node.left, node.right)))  # devices may fuse it with this
                if computed and isinstance(node.type, Floating):
                    self._uncertain(_ROUNDING)
            case tree.ShortCircuit():
                self.value(node.left)
                self.value(node.right)
            case tree.Conditional():
                for part in (node.condition, node.then, node.otherwise):
                    self.value(part)
            case tree.Call(callee=tree.FunctionAddress(function=function)):
                self._call(node, function)
            case tree.Load():
                self._storage(node.place)
            case _:
                raise UnknownError

    def _call(self, node: tree.Call, function: Function) -> None:
        calls = self.view.calls
        body = calls.body(function) if calls is not None and function.defined else None
        if calls is None or body is None or not calls.only_computes(function):
            raise UnknownError
        for argument in node.arguments:
            self.value(argument)
        self.unsafe = True  # with other arguments it may not even end
        if any(isinstance(n, tree.Call) or isinstance(_type_of(n), Floating) for n in tree.walk(body.statement)):
            self._uncertain(_ROUNDING)

    # -- variables and what they hold -----------------------------------------------------------------------------

    def _storage(self, place: tree.Place) -> None:
        """Look at an object that the host would read."""
        if isinstance(place, tree.Opaque) or place.type.volatile or place.type.atomic:
            raise UnknownError
        match place:
            case tree.Named():
                self._variable(place.variable.entity)
            case tree.Part():
                self._storage(place.whole)
            case tree.Pointee():
                self._pointee(place.pointer)
            case _:
                raise UnknownError

    def _pointee(self, pointer: tree.Expression) -> None:
        """Look at what a pointer, or an array, leads to."""
        match pointer:
            case tree.Decay():
                self._storage(pointer.array)
            case tree.Offset():
                self._subscript(pointer.index)
                self._pointee(pointer.pointer)
            case tree.Load(place=tree.Named(variable=variable)):
                if isinstance(variable.type, Pointer) and variable.type.reference:
                    self._variable(variable.entity)
                else:
                    self._through(variable.entity or self.view.this)
            case _:
                raise UnknownError

    def _subscript(self, node: tree.Expression) -> None:
        before, self.hint = self.hint, ""
        self.value(node)
        if self.hint:  # the host's element may be anywhere
            raise UnknownError
        self.hint = before

    def _through(self, symbol: Entity | None) -> None:
        """Look at what a pointer variable leads to."""
        capture = self.view.captures.get(symbol) if symbol is not None else None
        if symbol is None or capture is None or capture.transport is not Transport.POINTER or capture.start is not None:
            raise UnknownError
        row = self.view.row(symbol)
        if row is None or row.flags & Map.LITERAL or symbol in self.view.changed or row.loops:
            raise UnknownError
        if row.size.value == 0 and not row.covers:
            self.pointers.append(self.view.host(symbol))
        elif not self.view.is_read(row):
            raise UnknownError
        self._uncertain(f"what '{symbol.name}' points to may differ on the device")

    def _variable(self, symbol: Entity | None) -> None:
        """Look at a variable that the host reads as a whole or in part."""
        if symbol is None:
            raise UnknownError
        if symbol in self.view.constants:
            return
        if symbol in self.view.device:
            self._uncertain(f"'{symbol.name}' is a variable of the device")
            return
        capture = self.view.captures.get(symbol)
        if capture is None or symbol in self.view.renamed:
            raise UnknownError
        if capture.transport in (Transport.LITERAL, Transport.WORDS):
            return
        row = self.view.row(symbol)
        if row is None or row.flags & Map.LITERAL or row.loops or not self.view.is_read(row):
            raise UnknownError
        whole = row.size in (SizeOf(self.view.host(symbol)), SizeOf(symbol.name)) and not row.adjustments
        copied = row.flags & Map.PRIVATE or (whole and self.view.is_fresh(symbol))
        if not copied or symbol in self.view.changed:
            self._uncertain(f"'{symbol.name}' may differ on the device")


def _is_computed(node: tree.Expression) -> bool:
    while isinstance(node, tree.Convert | tree.Unary):
        node = node.value if isinstance(node, tree.Convert) else node.operand
    return isinstance(node, tree.Binary | tree.Conditional) and isinstance(node.type, Floating)


def _may_stop(value: tree.Expression) -> bool:
    """Whether an expression could stop the host where the program does not compute it."""
    for node in tree.walk(value):
        if isinstance(node, tree.Binary) and node.operator in ("/", "%") and not constant(node.right):
            return True
        pointer = node.pointer if isinstance(node, tree.Pointee) else None
        if isinstance(pointer, tree.Offset) and constant(pointer.index) is None:
            return True
    return False


def _type_of(node: tree.Node) -> types.Type | None:
    """The type of an expression, or of a variable that is declared."""
    return node.variable.type if isinstance(node, tree.Declare) else getattr(node, "type", None)
