"""What the applied transformations of a region rely on, as claims of the plan (plan/claims.py)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from pycparser import c_ast

from ....base.records import replace
from ....base.spans import SourceSpan
from ....optimise.accesses import Access
from ....optimise.claims import exact, spread
from ....optimise.collapse import Collapse
from ....optimise.text import Text
from ....plan.claims import Claim, ClaimKind, Watched, WatchedLoop, WatchedLoops, WatchedNeighbours
from ....plan.code import Code, Type
from ....plan.loops import LoopNest
from ....plan.optimised import BlockKernel, BlockLoop, Optimised, StagedLoop, TeamArray, WideRead
from ....plan.sharing import Reduction
from ....tree import nodes as tree
from ...reading.statements import reader_of
from ...sema import Sema
from ...sema.ctype import Scalar, strip
from ...syntax.nodes import ParsedUnit
from .accesses import calls_of
from .collapse import fronts_of

_ELEMENT = (c_ast.ArrayRef, c_ast.StructRef, c_ast.UnaryOp, c_ast.ID)


def text_of(unit: ParsedUnit, sema: Sema, fronts: Iterable[c_ast.Node] = ()) -> Text:
    """How code is printed. What stands in front of loops is printed with declarations of types between it."""
    ahead = list(fronts)

    def span(node: tree.Node | c_ast.Node) -> SourceSpan | None:
        return unit.span_of(node.origin if isinstance(node, tree.Node) else node)

    def element(access: Access) -> c_ast.Node | None:
        return access.outer.origin if isinstance(access.outer.origin, _ELEMENT) else None

    def kind(access: Access, _has_value: bool) -> Type | None:
        found = strip(sema.type(access.outer.origin))
        return found if isinstance(found, Scalar) else None

    def statements(part: Sequence[tree.Statement]) -> tuple[Code, ...]:
        first, last = part[0].origin, part[-1].origin
        return tuple(ahead[ahead.index(first) : ahead.index(last) + 1]) if first in ahead else (first,)

    def loop(one: tree.Loop) -> WatchedLoop:
        return _loop(one.origin)

    return Text(span, element, lambda access: access.outer.origin, kind, statements, loop)


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
        text = text_of(self.unit, self.sema, chain.from_iterable(fronts_of(nest.body, found)))
        self.found += spread(text, nest.levels, found)
        for reduction in reductions:
            self._updates("collapse", nest.body, reduction)

    def _updates(self, of: str, body: c_ast.Node, reduction: Reduction) -> None:
        statement = reader_of(self.sema).statement(body)
        text = text_of(self.unit, self.sema)
        self.found += exact(of, text, [statement], reduction, calls_of(self.sema).only_computes)

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
    left_out = [one.symbol for one in loop.carried] if isinstance(loop, BlockLoop) else []
    if not loop.head.declared:
        left_out.append(loop.head.symbol)
    return WatchedLoops(((_loop(loop.loop),),), alone=True, left_out=tuple(left_out))


def _node(code: object) -> c_ast.Node | None:
    return code if isinstance(code, c_ast.Node) else None
