"""What the applied transformations of a region rely on, as claims of the plan (plan/claims.py)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import chain

from pycparser import c_ast

from ....base.records import replace
from ....base.spans import SourceSpan
from ....optimise.accesses import Access, Accesses
from ....optimise.claims import Text, exact, of_memory, spread
from ....optimise.collapse import Collapse
from ....plan.captures import Capture
from ....plan.claims import (
    Claim,
    ClaimKind,
    Watched,
    WatchedElement,
    WatchedLoop,
    WatchedLoops,
    WatchedNeighbours,
    WatchedReads,
)
from ....plan.code import Code, Entity
from ....plan.loops import LoopNest
from ....plan.optimised import (
    BlockKernel,
    BlockLoop,
    DirectKernel,
    HoistedRead,
    Optimised,
    ScalarElement,
    StagedLoop,
    TeamArray,
    WideRead,
)
from ....plan.sharing import Reduction
from ....tree import nodes as tree
from ...reading.statements import reader_of
from ...sema import Sema
from ...syntax.nodes import ParsedUnit
from .collapse import fronts_of
from .updates import only_computes

_ELEMENT = (c_ast.ArrayRef, c_ast.StructRef, c_ast.UnaryOp, c_ast.ID)


def _element(access: Access) -> c_ast.Node | None:
    return access.node if isinstance(access.node, _ELEMENT) else None


class Claims:
    """Collects the claims of one kernel."""

    def __init__(self, unit: ParsedUnit, sema: Sema) -> None:
        self.unit, self.sema = unit, sema
        self.found: list[Claim] = []

    def _add(
        self,
        kind: ClaimKind,
        of: str,
        about: str,
        place: c_ast.Node | SourceSpan | None,
        watched: Watched | None = None,
        unchecked: str = "",
    ) -> None:
        span = place if isinstance(place, SourceSpan) else self.unit.span_of(place) if place is not None else None
        if span is not None:
            self.found.append(Claim(kind, of, about, span, watched, unchecked))

    def collapse(self, nest: LoopNest, found: Collapse, reductions: Sequence[Reduction]) -> None:
        """What it takes to spread inner loops over the grid."""
        assert isinstance(nest.body, c_ast.Node)
        self.found += spread(self._text(chain.from_iterable(fronts_of(nest.body, found))), nest.levels, found)
        for reduction in reductions:
            self._updates("collapse", nest.body, reduction)

    def _updates(self, of: str, body: c_ast.Node, reduction: Reduction) -> None:
        statement = reader_of(self.sema).statement(body)
        self.found += exact(of, self._text(), [statement], reduction, partial(only_computes, self.sema))

    def _text(self, fronts: Iterable[c_ast.Node] = ()) -> Text:
        """How code is printed. What stands in front of loops is printed with declarations of types between it."""
        ahead = list(fronts)

        def statements(part: Sequence[tree.Statement]) -> tuple[Code, ...]:
            first, last = part[0].origin, part[-1].origin
            return tuple(ahead[ahead.index(first) : ahead.index(last) + 1]) if first in ahead else (first,)

        def span(node: tree.Node | c_ast.Node) -> SourceSpan | None:
            return self.unit.span_of(node.origin if isinstance(node, tree.Node) else node)

        return Text(span, _element, lambda access: access.node, statements, lambda one: _loop(one.origin))

    def block(self, block: BlockKernel) -> None:
        """What it takes that the threads of a block share loops out."""
        for loop in block.loops:
            about = f"iterations over '{loop.head.symbol.name}' touch no element in conflict"
            self._add(ClaimKind.INDEPENDENT, "block", about, loop.head.span, _alone(loop))
            for one in loop.carried:
                assert isinstance(loop.body, c_ast.Node)
                reduction = Reduction(one.symbol, one.operator, one.type, one.type)
                self._updates("block", loop.body, reduction)

    def stage(self, loops: Sequence[StagedLoop]) -> None:
        """What it takes that a warp moves rows, and that its threads share out loops that leave nothing behind."""
        for loop in loops:
            if loop.apart:
                about = f"iterations over '{loop.head.symbol.name}' touch no element in conflict"
                self._add(ClaimKind.INDEPENDENT, "stage", about, loop.head.span, _alone(loop))

    def memory(
        self, found: Accesses, used: Sequence[Capture], direct: DirectKernel | None, constant: Collection[Entity]
    ) -> None:
        """What it takes that pointers are restrict, and that memory is only read."""
        self.found += of_memory(self._text(), found, used, direct, constant)

    def values(self, scalars: Sequence[ScalarElement], hoists: Sequence[HoistedRead]) -> None:
        """What it takes to keep elements in variables."""
        for one in scalars:
            about = f"an iteration uses one element of '{one.symbol.name}'"
            self._add(ClaimKind.SAME, "scalarise", about, _node(one.element), WatchedElement(one.uses))
        for read in hoists:
            about = f"a bound that '{read.symbol.name}' holds stays the same while its loop runs"
            watched = WatchedReads(_loop(read.loop), read.type, read.element, read.uses)
            self._add(ClaimKind.SAME, "hoist", about, _node(read.element), watched)

    def wide(self, reads: Sequence[WideRead]) -> None:
        for read in reads:
            about = f"elements of '{read.symbol.name}' that iterations read one after the other are neighbours"
            self._add(ClaimKind.SAME, "wide", about, _node(read.element), WatchedNeighbours(read.element))

    def team_arrays(self, arrays: Sequence[TeamArray]) -> None:
        for array in arrays:
            for statement, _ in array.updates[:1]:
                about = f"updates of '{array.symbol.name}' may be made in any order"
                unchecked = "the reduction clause allows any order of its updates"
                self._add(ClaimKind.EXACT, "share", about, _node(statement), unchecked=unchecked)


def with_claims(optimised: Optimised, claims: Claims) -> Optimised:
    return replace(optimised, claims=(*optimised.claims, *claims.found))


def _loop(loop: Code) -> WatchedLoop:
    assert isinstance(loop, c_ast.For | c_ast.While)
    return WatchedLoop(loop, loop.stmt)


def _alone(loop: BlockLoop | StagedLoop) -> WatchedLoops:
    combined = tuple(one.symbol for one in loop.carried) if isinstance(loop, BlockLoop) else ()
    return WatchedLoops(((_loop(loop.loop),),), alone=True, combined=combined)


def _node(code: object) -> c_ast.Node | None:
    return code if isinstance(code, c_ast.Node) else None
