"""What C says of the host's variables at a launch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence

from pycparser import c_ast

from ...base.records import dataclass
from ...openmp import host_bounds as decided
from ...plan.captures import Transport
from ...plan.code import Entity
from ...plan.host_expression import HostExpression, Member, Variable
from ...plan.launch import TripCounts
from ...plan.loops import CanonicalLoop
from ...tree.symbols import Function
from ...tree.types import Member as MemberOfRecord
from ..reading.statements import reader_of
from ..sema import Sema, Symbol, assignments, locals_of, walk
from ..sema.ctype import Array, strip
from ..sema.type_questions import is_arithmetic, is_integer, is_pointer, is_record
from ..syntax.nodes import OmpConstruct
from .host_expressions import host_trip_count, readable_trip_count
from .nesting import constructs_in
from .purity import is_pure

_FORKS = frozenset(("parallel", "teams", "task", "taskloop", "sections"))


@dataclass(frozen=True)
class HostView(decided.HostView):
    """What a region's host side sees of the region's variables. ``unaddressed`` gives the objects to which no pointer
    can lead."""

    sema: Sema
    unaddressed: Callable[[], Collection[Symbol]]

    def trip_counts(self, levels: Sequence[CanonicalLoop], unreached: Sequence[CanonicalLoop] = ()) -> TripCounts:
        """What the host knows about the iterations of ``levels``.

        The program may never compute the bounds of those that it may leave ``unreached``, so the host must be able to.
        """
        heads = [(level, [p for p in (level.lower, level.bound, level.step) if p is not None]) for level in levels]
        if any(is_pointer(level.symbol.type) for level, _ in heads):
            return TripCounts()
        if any(self._may_stop(part) for level, parts in heads if level in unreached for part in parts):
            return TripCounts()
        try:
            hint, pointers = self.hint(reader_of(self.sema).value(part) for _, parts in heads for part in parts)
        except decided.UnknownError:
            return TripCounts()
        counts = tuple(host_trip_count(level, self.sema) for level in levels)
        return TripCounts(counts, hint, pointers, tuple(readable_trip_count(level, self.sema) for level in levels))

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


def rounds(sema: Sema, function: Function) -> bool | None:
    """Whether devices may round otherwise in a function of the unit, or None if it does more than compute."""
    if function.name not in sema.functions or not is_pure(sema, function.name):
        return None
    parts = list(walk(sema.functions[function.name]))
    words = {word for p in parts if isinstance(p, c_ast.IdentifierType) for word in p.names}
    calls = any(isinstance(p, c_ast.FuncCall) for p in parts)
    return calls or not words.isdisjoint(("float", "double", "_Float16", "__bf16"))


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
