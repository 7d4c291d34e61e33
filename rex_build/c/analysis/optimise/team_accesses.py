"""What the threads of a team access, and between which of these accesses they have to wait for each other.

The variables of a team that no pointer leads to are told apart by their names. All other memory counts as one place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from pycparser import c_ast

from ....plan.code import Entity
from ....plan.constructs import DeviceConstruct
from ....plan.loops import Over, Schedule
from ...sema import Sema, assignments, walk
from ...sema.ctype import Array, Pointer, strip
from ...syntax.nodes import OmpConstruct
from ...syntax.parser import StmtExpr
from .accesses import UnprovableError
from .team_calls import TeamCalls

_WHOLE = (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef, c_ast.UnaryOp, c_ast.CompoundLiteral, c_ast.Constant)
_STEPS = ("++", "--", "p++", "p--")
# All threads read, the first thread reads or writes, and the threads of a parallel region read or write.
READ, FIRST_READ, WROTE, REGION_READ, REGION_WROTE = "read", "first read", "wrote", "region read", "region wrote"
_AFTER = {  # the accesses to the same place before which each of these needs a barrier
    READ: frozenset((WROTE, REGION_WROTE)),
    FIRST_READ: frozenset((REGION_WROTE,)),
    WROTE: frozenset((READ, REGION_READ, REGION_WROTE)),
    REGION_READ: frozenset((WROTE, REGION_WROTE)),
    REGION_WROTE: frozenset((READ, FIRST_READ, WROTE, REGION_READ, REGION_WROTE)),
}


class Numbering(NamedTuple):
    """The loop variable's values in a parallel loop: its iterations go to the threads one after the other."""

    first: int
    step: int


class Act(NamedTuple):
    """An access to the variable ``place``, or to other memory if it is None.

    With ``own``, iterations of a parallel loop access only the element that has the loop variable's value as its index.
    In loops of the same numbering, the same thread then accesses the same element.
    """

    kind: str
    place: Entity | None = None
    own: Numbering | None = None


def needs_barrier(before: Collection[Act], then: Collection[Act]) -> bool:
    """Whether threads that have made accesses since their last barrier need one for the next accesses."""
    return any(
        old.kind in _AFTER[new.kind] and old.place is new.place and (old.own is None or old.own != new.own)
        for new in then
        for old in before
    )


class TeamPlaces:
    """Where the accesses of a region go.

    Of the variables in ``own`` every thread has a copy. Those in ``apart`` are the team's, and no pointer leads
    to them.
    """

    def __init__(self, sema: Sema, own: Collection[Entity], apart: Collection[Entity], calls: TeamCalls) -> None:
        self.sema, self.own, self.apart, self.calls = sema, own, frozenset(apart), calls

    def is_own(self, node: c_ast.Node) -> bool:
        """Whether an lvalue is part of a variable of which every thread has its own."""
        root = self._root(node)
        return root is not None and root in self.own

    def place(self, node: c_ast.Node) -> Entity | None:
        """The place of an lvalue that is not a thread's own."""
        root = self._root(node)
        return root if root in self.apart else None

    def is_known(self, lvalue: c_ast.Node) -> bool:
        """Whether an lvalue has a form of which ``place`` and ``is_own`` know where it is."""
        return isinstance(self._whole(lvalue), _WHOLE)

    def _root(self, node: c_ast.Node) -> Entity | None:
        """The variable that an lvalue is part of, if no pointer leads there."""
        whole = self._whole(node)
        return self.sema.symbol(whole) if isinstance(whole, c_ast.ID) else None

    def _whole(self, node: c_ast.Node) -> c_ast.Node:
        """The lvalue that an lvalue is part of: a variable, or where a pointer leads."""
        while True:
            match node:
                case c_ast.ArrayRef():
                    is_base = isinstance(strip(self.sema.type(node.name)), (Pointer, Array))
                    base = node.name if is_base else node.subscript
                    if not isinstance(strip(self.sema.type(base)), Array):
                        return node
                    node = base
                case c_ast.StructRef(type="."):
                    node = node.name
                case c_ast.StructRef() if isinstance(strip(self.sema.type(node.name)), Array):
                    node = node.name
                case c_ast.UnaryOp(op="*") if isinstance(strip(self.sema.type(node.expr)), Array):
                    node = node.expr
                case c_ast.UnaryOp(op="__real__" | "__imag__"):
                    node = node.expr
                case _:
                    return node

    def of_region(self, node: OmpConstruct, construct: DeviceConstruct, private: Collection[Entity]) -> frozenset[Act]:
        """The accesses of a parallel region, whose threads have ``private`` variables of their own."""
        assert construct.body is not None
        changed = assignments(self.sema, node).symbols
        named = (self.sema.symbol(n) for n in self.sema.parts(node, clauses=True).of(c_ast.ID))
        mentioned = {*named, *construct.sharing.named}
        acts = set()
        for place in self.apart & mentioned:
            own = self._numbering(construct, place)
            acts.add(Act(REGION_READ, place, own))
            if place in changed:
                acts.add(Act(REGION_WROTE, place, own))
        inside = set(walk(node))
        clauses = [n for n in self.sema.parts(node, clauses=True).nodes if n not in inside]
        reads, writes = self._elsewhere([*walk(construct.body), *clauses], private)
        combined = {r.symbol for r in construct.sharing.reductions if r.count}
        writes = writes or not self.apart.issuperset(combined.union(construct.sharing.lastprivate))
        acts |= {Act(REGION_READ)} if reads else set()
        acts |= {Act(REGION_WROTE)} if writes else set()
        return frozenset(acts)

    def _numbering(self, construct: DeviceConstruct, place: Entity) -> Numbering | None:
        """The numbering of a loop whose iterations access only their own elements of an array."""
        nest, body = construct.nest, construct.body
        if nest is None or len(nest.levels) != 1 or nest.inner or construct.schedule != Schedule(Over.TEAM):
            return None
        level = nest.levels[0]
        first = self.sema.value(level.lower)
        if first is None or level.step_value is None or place in construct.sharing.named:
            return None
        uses = {n for n in walk(body) if isinstance(n, c_ast.ID) and self.sema.symbol(n) is place}
        for part in walk(body):
            match part:
                case c_ast.ArrayRef(name=c_ast.ID(), subscript=c_ast.ID()):
                    indexed = self.sema.symbol(part.subscript) is level.symbol
                    if indexed and not isinstance(strip(self.sema.type(part)), Array):
                        uses.discard(part.name)
        return None if uses else Numbering(first, level.step_value if level.increasing else -level.step_value)

    def _elsewhere(self, parts: Iterable[c_ast.Node], private: Collection[Entity]) -> tuple[bool, bool]:
        """Whether the parts of a parallel region may (read, write) other memory than the team's variables and its
        threads' own."""
        reads = writes = False
        for part in parts:
            match part:
                case OmpConstruct() | StmtExpr():
                    reads = writes = True
                case c_ast.FuncCall():
                    may_read, may_write = self._call(part)
                    reads, writes = reads or may_read, writes or may_write
                case c_ast.ID():
                    symbol = self.sema.symbol(part)
                    is_variable = symbol is not None and symbol.is_variable
                    reads = reads or (is_variable and symbol not in self.own and symbol not in self.apart)
                case c_ast.ArrayRef() | c_ast.StructRef(type="->") | c_ast.UnaryOp(op="*"):
                    reads = reads or not (self.is_own(part) or self.place(part) is not None)
            if changes(part):
                target = part.lvalue if isinstance(part, c_ast.Assignment) else part.expr
                writes = writes or not (self._root(target) in private or self.place(target) is not None)
        return reads, writes

    def _call(self, call: c_ast.FuncCall) -> tuple[bool, bool]:
        """Whether a call may (read, write) memory."""
        try:
            effects = self.calls.effects(call)
        except UnprovableError:
            return True, True
        return bool(effects.reads), bool(effects.writes)


def changes(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Assignment) or (isinstance(node, c_ast.UnaryOp) and node.op in _STEPS)
