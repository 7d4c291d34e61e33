"""What the host knows at a launch about the number of iterations.

The kernel computes its loops' bounds from what is on the device. The host computes them from its own variables. Where
both surely have the same value, the count is *exact*. Elsewhere it is a *hint*, which shapes the grid but bounds
nothing: for example, ``s.n`` of a structure that an enclosing construct has mapped may have been changed since. The
host reads only what is surely there. Expressions that could stop it, such as a division by a hint, give no hint.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

from pycparser import c_ast

from ...base.records import dataclass
from ...plan.captures import Capture, Transport
from ...plan.code import Entity
from ...plan.host_expression import HostExpression, Member, SizeOf, Variable
from ...plan.launch import TripCounts
from ...plan.loops import CanonicalLoop
from ...plan.rows import (
    MAP_LITERAL,
    MAP_PRIVATE,
    MAP_PTR_AND_OBJ,
    MAP_TO,
    MEMBER_OF_SHIFT,
    DataMapping,
    MapRow,
    Role,
)
from ...tree.types import Member as MemberOfRecord
from ..sema import Sema, Symbol, assignments, locals_of, walk
from ..sema.ctype import Array, strip
from ..sema.type_questions import is_arithmetic, is_floating, is_integer, is_pointer, is_record
from ..syntax.nodes import OmpConstruct
from .host_expressions import host_trip_count, readable_trip_count
from .nesting import constructs_in
from .purity import called_name, is_pure

_FORKS = frozenset(("parallel", "teams", "task", "taskloop", "sections"))


class _UnknownError(Exception):
    """The host cannot compute an expression."""


@dataclass(frozen=True)
class HostView:
    """What a region's host side sees of the region's variables.

    ``changed`` are variables that the region may change, ``constants`` those that never change, ``device`` those that
    the device has of its own, and ``renamed`` those whose name means a device address here. ``fresh`` gives those
    that are surely not on the device before the region, and ``unaddressed`` the objects to which no pointer can lead.
    """

    sema: Sema
    captures: Mapping[Entity, Capture]
    mapping: DataMapping
    changed: Collection[Symbol]
    constants: Collection[Symbol]
    device: Collection[Symbol]
    renamed: Collection[Symbol]
    fresh: Callable[[], Collection[Symbol]]
    unaddressed: Callable[[], Collection[Symbol]]

    def trip_counts(self, levels: Sequence[CanonicalLoop], unreached: Sequence[CanonicalLoop] = ()) -> TripCounts:
        """What the host knows about the iterations of ``levels``.

        The program may never compute the bounds of those that it may leave ``unreached``, so the host must be able to.
        """
        visitor = _Visitor(self)
        try:
            for level in levels:
                if is_pointer(level.symbol.type):
                    return TripCounts()
                for part in (level.lower, level.bound, level.step) if level in unreached else ():
                    if part is not None and self._may_stop(part):
                        return TripCounts()
                for part in (level.lower, level.bound, level.step):
                    if part is not None:
                        visitor.value(part)
        except _UnknownError:
            return TripCounts()
        if visitor.hint and visitor.unsafe:
            return TripCounts()
        counts = tuple(host_trip_count(level, self.sema) for level in levels)
        readable = tuple(readable_trip_count(level, self.sema) for level in levels)
        return TripCounts(counts, visitor.hint, tuple(dict.fromkeys(visitor.pointers)), readable)

    def _may_stop(self, node: c_ast.Node) -> bool:
        """Whether an expression could stop the host where the program does not compute it."""
        value = self.sema.value
        return any(
            (isinstance(n, c_ast.BinaryOp) and n.op in ("/", "%") and not value(n.right))
            or (isinstance(n, c_ast.ArrayRef) and value(n.subscript) is None)
            for n in walk(node)
        )

    def has_value(self, symbol: Entity) -> bool:
        """Whether the host has the value that every thread gets of an integer."""
        capture = self.captures.get(symbol)
        is_literal = capture is not None and capture.transport is Transport.LITERAL
        return is_literal and symbol not in self.changed and is_integer(strip(symbol.type))

    def atom(self, atom: Hashable) -> HostExpression | None:
        """What the host computes for an atom of a polynomial, a variable or member of which it has every thread's
        value, else None."""
        if isinstance(atom, Symbol):
            return Variable(atom.name) if self.has_value(atom) else None
        return self._member(atom)

    def _member(self, atom: Hashable) -> HostExpression | None:
        if not isinstance(atom, tuple) or not isinstance(atom[0], MemberOfRecord):
            return None
        member, _, around = atom
        if not isinstance(around, Symbol):
            inner = self._member(around)
        else:
            capture = self.captures.get(around)
            by_value = capture is not None and capture.transport is Transport.WORDS
            inner = Variable(around.name) if by_value else None
        return Member(inner, member.name) if inner is not None else None

    def row(self, symbol: Symbol) -> MapRow | None:
        """The row that supplies the parameter of a variable."""
        parameter = self.mapping.parameter(Role.VARIABLE, symbol)
        return self.mapping.rows[parameter.row] if parameter is not None else None

    def is_read(self, row: MapRow) -> bool:
        """Whether the launch reads the host's storage of a row, or of a part of it: to copy it to the device, or to
        follow a pointer in it to a section, such as ``p->x[0:n]``."""
        number = self.mapping.rows.index(row) + 1
        parts = [r for r in self.mapping.rows if r.flags >> MEMBER_OF_SHIFT == number and not r.loops]
        copied = bool(row.flags & MAP_TO) and not row.covers
        return copied or any(part.flags & (MAP_TO | MAP_PTR_AND_OBJ) for part in parts)


class _Visitor:
    """Looks at the expressions of bounds. ``unsafe`` is true if garbage in a hint could stop the host."""

    def __init__(self, view: HostView) -> None:
        self.view, self.sema = view, view.sema
        self.hint = ""
        self.unsafe = False
        self.pointers: list[HostExpression] = []

    def _uncertain(self, why: str) -> None:
        self.hint = self.hint or why

    def value(self, node: c_ast.Node) -> None:
        """Look at an expression whose value is used. Raises _UnknownError."""
        if self.sema.value(node) is not None:
            return
        match node:
            case c_ast.Constant() | c_ast.Typename():
                return
            case c_ast.UnaryOp(op="sizeof" | "_Alignof"):
                raise _UnknownError
            case c_ast.UnaryOp(op="+" | "-" | "~" | "!"):
                self.value(node.expr)
            case c_ast.Cast():
                self.value(node.expr)
            case c_ast.BinaryOp():
                self.value(node.left)
                self.value(node.right)
                if node.op in ("/", "%") and not self.sema.value(node.right):
                    self.unsafe = True
                computed = any(map(self._is_computed, (node.left, node.right)))  # devices may fuse it with this
                if computed and is_floating(strip(self.sema.value_type(node))):
                    self._uncertain("devices may round floating-point arithmetic otherwise")
            case c_ast.TernaryOp():
                for part in (node.cond, node.iftrue, node.iffalse):
                    if part is None:
                        raise _UnknownError
                    self.value(part)
            case c_ast.FuncCall():
                self._call(node)
            case c_ast.ID() | c_ast.StructRef() | c_ast.ArrayRef() | c_ast.UnaryOp(op="*"):
                kind = self.sema.type(node)
                if not is_arithmetic(strip(kind)):
                    raise _UnknownError
                self._storage(node)
            case _:
                raise _UnknownError

    def _is_computed(self, node: c_ast.Node) -> bool:
        while isinstance(node, (c_ast.Cast, c_ast.UnaryOp)):
            node = node.expr
        return isinstance(node, (c_ast.BinaryOp, c_ast.TernaryOp)) and is_floating(strip(self.sema.value_type(node)))

    def _call(self, node: c_ast.FuncCall) -> None:
        name = called_name(self.sema, node)
        if name is None or name not in self.sema.functions or not is_pure(self.sema, name):
            raise _UnknownError
        for argument in node.args.exprs if node.args is not None else ():
            self.value(argument)
        self.unsafe = True  # with other arguments it may not even end
        parts = list(walk(self.sema.functions[name]))
        calls = any(isinstance(p, c_ast.FuncCall) for p in parts)
        words = {word for p in parts if isinstance(p, c_ast.IdentifierType) for word in p.names}
        if calls or not words.isdisjoint(("float", "double", "_Float16", "__bf16")):
            self._uncertain("devices may round floating-point arithmetic otherwise")

    # -- variables and what they hold -----------------------------------------------------------------------------

    def _storage(self, node: c_ast.Node) -> None:
        """Look at an lvalue that the host would read."""
        if {"volatile", "_Atomic"} & set(self.sema.type(node).quals):
            raise _UnknownError
        match node:
            case c_ast.ID():
                symbol = self.sema.symbol(node)
                if symbol is None:
                    raise _UnknownError
                if not symbol.is_enumerator:
                    self._variable(symbol)
            case c_ast.StructRef(type="."):
                self._storage(node.name)
            case c_ast.ArrayRef():
                self._subscript(node.subscript)
                self._pointee(node.name)
            case c_ast.StructRef():
                self._pointee(node.name)
            case c_ast.UnaryOp(op="*"):
                self._pointee(node.expr)
            case _:
                raise _UnknownError

    def _subscript(self, node: c_ast.Node) -> None:
        before, self.hint = self.hint, ""
        self.value(node)
        if self.hint:  # the host's element may be anywhere
            raise _UnknownError
        self.hint = before

    def _pointee(self, node: c_ast.Node) -> None:
        """Look at what a pointer, or an array, leads to."""
        if isinstance(strip(self.sema.type(node)), Array):
            self._storage(node)
            return
        symbol = self.sema.symbol(node) if isinstance(node, c_ast.ID) else None
        capture = self.view.captures.get(symbol) if symbol is not None else None
        if symbol is None or capture is None or capture.transport is not Transport.POINTER or capture.start is not None:
            raise _UnknownError
        row = self.view.row(symbol)
        if row is None or row.flags & MAP_LITERAL or symbol in self.view.changed or row.loops:
            raise _UnknownError
        if row.size.value == 0 and not row.covers:
            self.pointers.append(Variable(symbol.name))
        elif not self.view.is_read(row):
            raise _UnknownError
        self._uncertain(f"what '{symbol.name}' points to may differ on the device")

    def _variable(self, symbol: Symbol) -> None:
        """Look at a variable that the host reads as a whole or in part."""
        if symbol in self.view.constants:
            return
        if symbol in self.view.device:
            self._uncertain(f"'{symbol.name}' is a variable of the device")
            return
        capture = self.view.captures.get(symbol)
        if capture is None or is_pointer(symbol.type) or symbol in self.view.renamed:
            raise _UnknownError
        if capture.transport in (Transport.LITERAL, Transport.WORDS):
            return
        row = self.view.row(symbol)
        if row is None or row.flags & MAP_LITERAL or not row.flags & MAP_TO or row.loops or row.covers:
            raise _UnknownError
        whole = row.size in (SizeOf(Variable(symbol.name)), SizeOf(symbol.name)) and not row.adjustments
        copied = row.flags & MAP_PRIVATE or (whole and symbol in self.view.fresh())
        if not copied or symbol in self.view.changed:
            self._uncertain(f"'{symbol.name}' may differ on the device")


def fresh_variables(
    sema: Sema, function: c_ast.FuncDef, construct: OmpConstruct, mapped_elsewhere: Collection[Symbol]
) -> frozenset[Symbol]:
    """The variables of a function that are surely not on a device when the region ``construct`` begins.

    No data construct maps them, no other function can, and no other construct is in flight.
    """
    constructs = constructs_in(sema, function.body)
    forks = [c for c in constructs if c is not construct and _FORKS.intersection(c.directive.constructs)]
    if any(construct in constructs_in(sema, c) for c in forks if not c.directive.is_target):
        return frozenset()
    if any("target" in c.directive.constructs and c.directive.has("nowait") for c in constructs):
        return frozenset()
    own = {*locals_of(sema, function.body), *sema.parameters(function)}
    addressed = assignments(sema, function.body).address_taken
    return frozenset(
        s
        for s in own
        if s.is_variable
        and not s.has_static_storage
        and s not in mapped_elsewhere
        and s not in addressed
        and (is_record(strip(s.type)) or is_arithmetic(strip(s.type)) or isinstance(strip(s.type), Array))
    )
