"""What the applied transformations of a region rely on, as claims of the plan (plan/claims.py)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pycparser import c_ast

from ....base.records import replace
from ....base.spans import SourceSpan
from ....optimise.accesses import Access, Accesses
from ....optimise.claims import Text, counted, of_memory, spread
from ....optimise.collapse import Collapse
from ....plan.captures import Capture
from ....plan.claims import (
    Claim,
    ClaimKind,
    Watched,
    WatchedElement,
    WatchedFront,
    WatchedLoop,
    WatchedLoops,
    WatchedNeighbours,
    WatchedReads,
    WatchedUpdates,
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
from ...sema import Sema, assignments, locals_of, walk
from ...sema.ctype import strip
from ...sema.type_questions import is_scalar
from ...syntax.nodes import ParsedUnit
from ...syntax.parser import Cleanup
from .collapse import fronts_of
from .updates import updates_of

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
        written = [[loop.origin for loop in loops] for loops in found.loops]
        independent, *same = spread(found.inner, [list(map(_loop, loops)) for loops in written])
        self.found.append(independent)
        for before, loops in zip(fronts_of(nest.body, found), written, strict=True):
            self._front(before, loops[-1])
        self.found += same
        self.found.append(counted("collapse", (*nest.levels, *found.inner)))
        for reduction in reductions:
            self._updates("collapse", nest.body, reduction)

    def _front(self, before: Sequence[c_ast.Node], loop: c_ast.For) -> None:
        """What stands in front of a loop runs in each of its iterations. A condition there ends what runs at once."""
        marks = [n for n, part in enumerate(before) if isinstance(part, c_ast.If) and part.iftrue is None]
        begins, ends = [0, *(n + 1 for n in marks)], [*marks, len(before)]
        later: set[Entity] = set()
        for begin, end in reversed([*zip(begins, ends, strict=True)]):
            if part := before[begin:end]:
                self._repeated(part, loop, later)

    def _repeated(self, part: Sequence[c_ast.Node], loop: c_ast.For, later: set[Entity]) -> None:
        """Statements may run twice. What follows them changes the variables ``later``."""
        changed = dict.fromkeys(s for n in part for s in (*assignments(self.sema, n).symbols, *locals_of(self.sema, n)))
        unset = {*_unset(self.sema, part)}
        about = f"what stands in front of the loop over '{_counter(loop)}' gives the same each time"
        kept = tuple(s for s in changed if s not in unset)
        plain = all(_is_plain(n) for n in part) and all(is_scalar(strip(s.type)) for s in kept)
        fit = plain and later.isdisjoint(kept) and not any(s.has_static_storage for s in changed)
        later.update(changed)
        watched = WatchedFront(_loop(loop), tuple(part), kept) if fit and kept else None
        unchecked = "" if watched is not None else "it changes no numbers" if fit else "it changes more than numbers"
        self._add(ClaimKind.REPEATABLE, "collapse", about, part[0], watched, unchecked)

    def _updates(self, of: str, body: c_ast.Node, reduction: Reduction) -> None:
        updates = updates_of(self.sema, body, reduction)
        first = next(iter(updates), None)
        if first is not None and not reduction.count and reduction.functions is None:
            self._exact(of, reduction.symbol, reduction.operator, tuple(updates), first)

    def _exact(
        self, of: str, symbol: Entity, operator: str, statements: Sequence[c_ast.Node], place: c_ast.Node
    ) -> None:
        about = f"parts of what '{symbol.name}' combines may be combined first"
        watched = WatchedUpdates(symbol, symbol.type, operator, tuple(statements))
        self._add(ClaimKind.EXACT, of, about, place, watched)

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
        text = Text(self.unit.span_of, _element, lambda access: access.node)
        self.found += of_memory(text, found, used, direct, constant)

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


def _counter(loop: c_ast.For) -> str:
    init = loop.init
    if isinstance(init, c_ast.DeclList):
        return str(init.decls[0].name)
    target = init.lvalue if isinstance(init, c_ast.Assignment) else None
    return str(getattr(target, "name", "?"))


def _unset(sema: Sema, part: Sequence[c_ast.Node]) -> Iterator[Entity]:
    """The variables that statements declare and may leave without a value."""
    always = {n.lvalue.name for n in part if isinstance(n, c_ast.Assignment) and isinstance(n.lvalue, c_ast.ID)}
    bare = {n.name for one in part for n in walk(one) if isinstance(n, c_ast.Decl) and n.init is None}
    yield from (s for one in part for s in locals_of(sema, one) if s.name in bare - always)


def _is_plain(node: c_ast.Node) -> bool:
    """Whether a statement may run a second time in a block of its own."""
    return not any(
        isinstance(part, (c_ast.Label, c_ast.Goto, c_ast.Continue, c_ast.Break, Cleanup)) for part in walk(node)
    )
