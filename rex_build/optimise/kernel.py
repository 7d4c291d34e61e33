"""Which transformations the kernel of a region gets, whatever its language.

All instantiations of a template share one text, so what changes it must hold for all of them. What few kernels need is
imported when one needs it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial, reduce
from itertools import chain
from typing import TYPE_CHECKING

from ..base.records import replace
from ..openmp.regions import Planned
from ..plan.claims import Claim
from ..plan.constructs import Code, Entity, LoopNest, Sharing
from ..plan.launch_policy import (
    BLOCK_THREADS,
    BROADCAST_THREADS,
    LEAST_STAGED,
    LIGHT_THREADS,
    RESIDENT_THREADS,
    STAGED_THREADS,
)
from ..plan.optimised import (
    CollapsedKernel,
    DirectKernel,
    HoistedRead,
    Optimised,
    OwnArray,
    Reason,
    StagedLoop,
    TeamArray,
    Tiles,
    Walks,
    WideRead,
)
from ..plan.rows import Transport
from ..plan.unit import KernelKind
from ..tree import nodes as tree
from .accesses import Accesses, UnprovableError, members_of, shared_and_own
from .loads import MEMORY, Iteration, Loads, transformed, unknown_order
from .narrow import FOR_ATOMICS, FOR_NARROW, is_straight, moved_bytes, not_narrow
from .noalias import LOOPS_NEED_IT, Ranges
from .obstacle import (
    COUNTED,
    Decisions,
    Obstacle,
    ObstacleError,
    is_summed,
    listed,
    not_collapsed,
    not_once,
    not_spread,
    not_tiled,
)
from .side import Side
from .surroundings import Region, UncollapsibleError
from .team_arrays import own_arrays, team_arrays
from .walk import tiles_of, walks
from .wide import wide_reads

if TYPE_CHECKING:
    from .block import Blocked
    from .collapse import Collapse

_MOST_FOLLOWED = 12  # pointers; each takes two lookups at a launch


def optimise(side: Side, region: Planned) -> tuple[Optimised, ObstacleError | None]:
    """Decide every transformation of one region. The second value says why it is not known what memory it accesses."""
    region, followed = _following(side, region)
    made, unknown = _Kernel(side, region).optimised()
    return made, unknown or followed


def _following(side: Side, region: Planned) -> tuple[Planned, ObstacleError | None]:
    """(the region with the pointers in mapped objects that it loads, if one loop over the grid is its kernel; where it
    loads the first of these)"""
    first: ObstacleError | None = None
    while region.is_nest and len(region.loaded) < _MOST_FOLLOWED:
        try:
            for body in side.bodies(region):
                side.accesses(region, body)
        except UnprovableError as problem:
            capture = region.follow(*problem.loaded) if problem.loaded is not None else None
            if capture is not None:
                region, first = replace(region, loaded=(*region.loaded, capture)), first or problem
                continue
        break
    return region, first


class _Kernel:
    """The decisions about one region, in order."""

    def __init__(self, side: Side, region: Planned) -> None:
        self.side, self.region = side, region
        self.decisions = Decisions(side.off)
        self.unknown: ObstacleError | None = None
        # None if an iteration loads few bytes, so that a thread runs several.
        self.not_narrow: str | None = Obstacle.NO_NEST

    def optimised(self) -> tuple[Optimised, ObstacleError | None]:
        side, region, decisions = self.side, self.region, self.decisions
        nest = region.nest
        words = [c.symbol for c in region.captures if c.transport is Transport.WORDS]
        decisions.decide("byvalue", f"{Reason.PASSED}: {listed(words)}", None if words else Reason.NO_STRUCTURE)
        index32 = decisions.decide("index32", COUNTED, None if nest is not None else "no loop")
        block = self._block()
        of_memory = Decisions(side.off)
        broadcast = self._broadcast()
        ahead = not isinstance(broadcast, ObstacleError)
        memory = self._memory(region, of_memory, block=block is not None, ahead=ahead) or Optimised()
        several = self.not_narrow is None and (memory.direct is not None or bool(region.sharing.reductions))
        once = decisions.decide(
            "once", Reason.ONCE, not_once(region) or (Reason.SEVERAL if several and not region.several else None)
        )
        down = not several and "once" not in side.off and is_summed(region)
        obstacle = not_tiled(region, once or down, index32)
        tiles = Tiles.WIDE if obstacle is not None or several else self._tiles()
        special = {Tiles.NARROW: f": {Reason.NARROW}", Tiles.TURNED: f": {Reason.TURNED}"}.get(tiles, "")
        tiled = decisions.decide("tile", f"{Reason.TILE}{', and those below' if down else ''}{special}", obstacle)
        decisions.found += of_memory.found
        direct = memory.direct
        if once or tiled:
            direct = replace(direct or DirectKernel(once), once=once, tiles=tiles if tiled else None)
        block = self._with_block(block, direct, of_memory)
        collapsed, walking = self._other_kernels(memory, index32, once)
        memory = self._brought(broadcast, direct, memory)
        arrays = self._team_arrays()
        batched, wide = self._side_by_side(several, once, tiled)
        if arrays and not batched and all(map(is_straight, side.bodies(region))):
            batched = FOR_ATOMICS
        loops = frozenset[Code]() if "unroll" in side.off else side.unrolled()
        decisions.decide("unroll", Reason.UNROLL, None if loops else Reason.NO_SUCH_LOOP)
        of_others = self._claims(words, wide, arrays, block, once and index32) if side.claimed else ()
        moved = memory.moved if once and not region.several and not memory.broadcast else 0
        obstacle = (
            "a thread runs several iterations side by side" if batched or arrays
            else "rows that all threads read lie there" if memory.broadcast
            else None
        )  # fmt: skip
        own = self._own_arrays(LIGHT_THREADS if moved else region.launch.bound, obstacle)
        if own and collapsed is not None and not collapsed.optimised.staged:
            collapsed = replace(collapsed, optimised=replace(collapsed.optimised, own_arrays=own))
        if own and walking is not None and walking.optimised is not None:
            walking = replace(walking, optimised=replace(walking.optimised, own_arrays=own))
        memory = replace(memory, facts=tuple(decisions.found), direct=direct, index32=index32, collapsed=collapsed)
        memory = replace(memory, claims=(*memory.claims, *of_others), unrolled=loops, own_arrays=own)
        made = replace(memory, team_arrays=arrays, batched=batched, wide=wide, moved=moved, walks=walking)
        made = replace(made, block=block.kernel if block is not None else None)
        return made, self.unknown

    def _claims(
        self,
        words: Sequence[Entity],
        wide: Sequence[WideRead],
        arrays: Sequence[TeamArray],
        block: Blocked | None,
        counted: bool,
    ) -> list[Claim]:
        """What is relied on by what is not about loads and stores."""
        from . import claims

        side, text, nest = self.side, self.side.text(), self.region.nest
        found = [*claims.passed(words, side.span), *claims.wide(text, wide), *claims.team_arrays(text, arrays)]
        if block is not None:
            found += claims.block(text, block, side.calls.only_computes)
        if nest is not None and counted:
            found.append(claims.counted("once", nest.levels))
        return found

    def _refuse(self, name: str, problem: ObstacleError) -> None:
        """Leave a transformation out for what is in the user's code."""
        self.decisions.refuse([name], str(problem), self.side.span_of(problem.node), problem.remedy)

    # -- what is one thread's ---------------------------------------------------------------------------------------

    def _block(self) -> Blocked | None:
        """How a block may run what is one thread's, if memory does not overlap."""
        side, region, launch = self.side, self.region, self.region.launch
        obstacle = (
            "only for what one thread runs" if region.kind is not KernelKind.SERIAL or region.nest is not None
            else "switched off" if "block" in side.off
            else Obstacle.CLAUSES if launch.teams is not None or launch.default_teams != 1
            else Obstacle.ASKS_WHERE if region.places
            else "the region has a reduction" if region.sharing.returned
            else None
        )  # fmt: skip
        if obstacle is not None:
            self.decisions.refuse(["block"], obstacle)
            return None
        from .block import Blocked, in_block

        try:
            side.check()
            copied = {*region.sharing.named, *(c.symbol for c in region.captures if c.transport is Transport.LITERAL)}
            around = partial(self._around, None)
            first, *others = (in_block(around, side.text(), body, copied) for body in side.bodies(region))
            return reduce(Blocked.with_, others, first)
        except ObstacleError as problem:
            self._refuse("block", problem)
            return None

    def _with_block(
        self, block: Blocked | None, direct: DirectKernel | None, of_memory: Decisions
    ) -> Blocked | None:
        """A block's kernel, if there is a kernel for memory that does not overlap."""
        if block is None:
            return None
        if direct is None:
            self.decisions.refuse(["block"], of_memory.why_not("noalias"))
            return None
        names = ", ".join(f"'{name}'" for name in dict.fromkeys(loop.head.symbol.name for loop in block.kernel.loops))
        why = f"a block of {BLOCK_THREADS} threads shares the loops over {names} out, and runs the rest"
        self.decisions.apply("block", why)
        return block

    def _tiles(self) -> Tiles:
        """The shape of tiles in which neighbouring threads access neighbouring elements."""
        side, region = self.side, self.region
        around = self._around(region.nest)
        try:
            found = {tiles_of(around, region, body, around.accesses(body).items) for body in side.bodies(region)}
        except ObstacleError:
            return Tiles.WIDE
        return found.pop() if len(found) == 1 else Tiles.WIDE

    # -- other kernels ----------------------------------------------------------------------------------------------

    def _other_kernels(
        self, memory: Optimised, index32: bool, once: bool
    ) -> tuple[CollapsedKernel | None, Walks | None]:
        """(the kernel for few iterations of the distributed loops, that for long rows)"""
        side, region, decisions = self.side, self.region, self.decisions
        collapsed = self._collapsed(index32)
        if collapsed is not None:
            decisions.refuse(["stage"], "the inner loops share the grid")
        else:
            collapsed = self._staged(once and index32)
        if collapsed is not None:
            decisions.refuse(["walk"], "another kernel runs long rows")
            return collapsed, None
        shared, _ = shared_and_own(region.sharing, region.captures, region.nest, side.is_pointer)
        walking = walks(decisions, region, side.bodies(region), shared)
        if walking is not None and once and memory.direct is not None:
            walking = replace(walking, optimised=replace(memory, index32=index32))
        return None, walking

    def _collapsed(self, index32: bool) -> CollapsedKernel | None:
        """Decide whether loops inside the distributed ones are spread over the grid, too."""
        side, region, decisions, nest = self.side, self.region, self.decisions, self.region.nest
        obstacle = "switched off" if "collapse" in side.off else not_collapsed(region)
        if obstacle is None and not index32:
            obstacle = "needs 'index32'"
        if obstacle is not None or nest is None:
            decisions.refuse(["collapse"], obstacle or "no loop")
            return None

        from .collapsed import collapsed_kernel

        def memory(levels: LoopNest, sharing: Sharing, one: Collapse) -> Optimised | str:
            silent = Decisions(side.off)
            made = self._memory(replace(region, nest=levels, sharing=sharing), silent, one)
            return made if made is not None else silent.why_not("noalias")

        try:
            around, found = self._nests(nest)
        except ObstacleError as problem:
            self._refuse("collapse", problem)
            return None
        made = collapsed_kernel(decisions, side, found, region, memory)
        if made is None or not side.claimed:
            return made[0] if made is not None else None
        from . import claims

        kernel, one = made
        bodies = side.bodies(region)
        updates = (claims.exact("collapse", side.text(), bodies, r, around.pure) for r in region.sharing.reductions)
        spread = claims.spread(side.text(nest, one), nest.levels, one)
        of_kernel = (*kernel.optimised.claims, *spread, *chain.from_iterable(updates))
        return replace(kernel, optimised=replace(kernel.optimised, claims=of_kernel))

    def _nests(self, nest: LoopNest) -> tuple[Region, list[Collapse]]:
        """(what the proofs ask, the nests that may be collapsed in all instantiations, those with most levels first)

        Raises ObstacleError if there are none.
        """
        side = self.side
        if nest.inner:
            raise UncollapsibleError("the loops of the construct are not all collapsed", remedy="collapse all of them")
        from . import collapse

        around = self._around(nest)
        found: dict[int, Collapse] = {}
        for number, (outer, body) in enumerate(side.nests(nest)):
            made = {len(one.inner): one for one in collapse.collapses(around, outer, body)}
            both = ((n, one, made[n]) for n, one in found.items() if n in made)
            found = made if number == 0 else {n: one.with_(other) for n, one, other in both if one.is_like(other)}
        if not found:
            raise UncollapsibleError(Obstacle.DIFFER)
        return around, list(found.values())

    def _around(self, nest: LoopNest | None, more: Collection[Entity] = ()) -> Region:
        """What the proofs ask about the loops in a nest, where threads have ``more`` variables of their own."""
        side, region = self.side, self.region
        captures = region.all_captures
        memory, own = shared_and_own(region.sharing, captures, nest, side.is_pointer)
        members, calls = members_of(captures), side.calls

        def accesses(statement: tree.Statement) -> Accesses:
            return side.accesses(region, statement, more)

        pure, reductions = calls.only_computes, region.sharing.reductions
        return Region(memory.difference(more), {*own, *more}, reductions, members, accesses, calls, pure, side.language)

    def _staged(self, once: bool) -> CollapsedKernel | None:
        """Decide whether warps move the rows of inner loops together, which every thread runs by itself."""
        side, region, decisions = self.side, self.region, self.decisions
        nest = region.nest
        obstacle = not_collapsed(region) or (
            "needs 'once' and 'index32'" if not once
            else Obstacle.SEVERAL_LOOPS if nest is None or region.several or nest.inner
            else None
        )  # fmt: skip
        if obstacle is not None or nest is None or "stage" in side.off:
            decisions.refuse(["stage"], obstacle or "no loop")
            return None
        from .stage import Staged, staged

        silent = Decisions(side.off)
        optimised = self._memory(region, silent, needed=True)
        if optimised is None:
            decisions.refuse(["stage"], silent.why_not("noalias"))
            return None
        try:
            around = partial(self._around, nest)
            first, *others = (
                staged(side, around, nest.levels, body, side.accesses(region, body), optimised)
                for body in side.bodies(region)
            )
            found = reduce(Staged.with_, others, first)
        except ObstacleError as problem:
            self._refuse("stage", problem)
            return None
        loops = found.loops
        counted = (side.view.trip_counts((*nest.levels, loop.head), (loop.head,)) for loop in loops)
        counts = next((c.counts for c in counted if c.counts and not c.pointers), ())
        if not counts:
            decisions.refuse(["stage"], "the host does not know all trip counts")
            return None
        names = ", ".join(f"'{name}'" for name in dict.fromkeys(loop.head.symbol.name for loop in loops))
        enough = RESIDENT_THREADS if found.alone else STAGED_THREADS
        few = f"where '{nest.levels[0].symbol.name}' has fewer than {enough} iterations"
        decisions.apply("stage", f"a kernel whose warps move rows of the loops over {names} together, {few}")
        direct = replace(optimised.direct or DirectKernel(once=True), once=True, tiles=None)
        made = optimised.claims
        if side.claimed:
            from . import claims

            made = (*made, *claims.stage(loops))
        hoists = _outside(optimised.hoists, loops)
        optimised = replace(optimised, direct=direct, hoists=hoists, aligned=(), staged=loops, claims=made)
        return CollapsedKernel(nest, region.sharing, optimised, counts, (), enough, LEAST_STAGED, 32, STAGED_THREADS)

    def _broadcast(self) -> tuple[StagedLoop, ...] | ObstacleError:
        """The inner loops for which warps may bring what all their threads read, if memory does not overlap, or why
        there are none."""
        side, region, nest = self.side, self.region, self.region.nest
        obstacle = (
            "switched off" if "broadcast" in side.off
            else Obstacle.SEVERAL_LOOPS if nest is None or region.several or nest.inner or not region.is_nest
            else not_spread(region) or (None if region.sharing.reductions else not_once(region))
            or ("blocks have more threads" if region.launch.bound > BROADCAST_THREADS else None)
        )  # fmt: skip
        if obstacle is not None or nest is None:
            return ObstacleError(obstacle or "no loop")
        from .broadcast import broadcast, with_

        own = {*region.sharing.named, *(s for lv in nest.levels for s in (lv.symbol, *lv.same))}
        try:
            found = [
                broadcast(side, self._around(nest), own, body, side.accesses(region, body))
                for body in side.bodies(region)
            ]
            return reduce(with_, found) if found else ObstacleError("nothing instantiates the template")
        except ObstacleError as problem:
            return problem

    def _brought(
        self, loops: tuple[StagedLoop, ...] | ObstacleError, direct: DirectKernel | None, memory: Optimised
    ) -> Optimised:
        """What was decided about memory, and the ``loops`` for which the warps of the direct kernel bring rows."""
        if isinstance(loops, ObstacleError):
            self._refuse("broadcast", loops)
            return memory
        constant = memory.constant | (direct.constant if direct is not None else frozenset())
        reduces = bool(self.region.sharing.reductions)  # threads may run many iterations then, and all warps in step
        once = direct.once or reduces if direct is not None else reduces
        obstacle = (
            "needs 'once', without 'tile'" if not once or (direct is not None and direct.tiles is not None)
            else "a thread runs several iterations side by side" if reduces and self.not_narrow is None
            else Obstacle.MAY_BE_WRITTEN if any(r.symbol not in constant for loop in loops for r in loop.rows)
            else None
        )  # fmt: skip
        names = ", ".join(f"'{name}'" for name in dict.fromkeys(loop.head.symbol.name for loop in loops))
        why = f"warps bring the rows that all their threads read in the loops over {names}"
        if not self.decisions.decide("broadcast", why, obstacle):
            return memory
        return replace(memory, broadcast=loops, hoists=_outside(memory.hoists, loops), aligned=())

    # -- reductions, and several iterations of a thread -------------------------------------------------------------

    def _team_arrays(self) -> tuple[TeamArray, ...]:
        """Decide which reduced arrays a team has one copy of."""
        side, region, decisions = self.side, self.region, self.decisions
        if region.kind is not KernelKind.WORKSHARING or region.nest is None:
            decisions.refuse(["share"], Obstacle.NO_NEST)
            return ()
        if region.fixed_order:
            decisions.refuse(["share"], Obstacle.FIXED_ORDER)
            return ()
        try:
            found = team_arrays(side, region.nest, side.bodies(region), region.sharing.reductions)
        except ObstacleError as problem:
            self._refuse("share", problem)
            return ()
        names = listed({one.symbol for one in found})
        shared = decisions.decide("share", f"the threads of a team share one copy of what is reduced: {names}", None)
        return found if shared else ()

    def _own_arrays(self, threads: int, obstacle: str | None) -> tuple[OwnArray, ...]:
        """Decide which arrays of an iteration lie in shared memory, where teams have at most so many ``threads``, and
        there is no ``obstacle``."""
        side, region = self.side, self.region
        obstacle = obstacle if region.is_nest else Obstacle.NO_NEST
        found: tuple[OwnArray, ...] = ()
        try:
            if obstacle is None and region.nest is not None:
                found = own_arrays(side, region.nest, side.bodies(region), threads)
        except ObstacleError as problem:
            self._refuse("banks", problem)
            return ()
        own, tables = ({one.symbol for one in found if one.constant == constant} for constant in (False, True))
        said = [f"{Reason.BANKS}: {listed(own)}"] * bool(own) + [f"{Reason.TABLES}: {listed(tables)}"] * bool(tables)
        return found if self.decisions.decide("banks", "; ".join(said), obstacle) else ()

    def _side_by_side(self, several: bool, once: bool, tiled: bool) -> tuple[int, tuple[WideRead, ...]]:
        """(how many iterations a thread runs side by side, the elements that it loads for several at once)"""
        region, decisions = self.region, self.decisions
        obstacle = self.not_narrow or (
            "needs 'noalias'" if not several
            else "needs 'tile'" if once and not tiled
            else None
        )  # fmt: skip
        batched = FOR_NARROW * decisions.decide("batch", f"{Reason.SEVERAL}, {FOR_NARROW} side by side", obstacle)
        if obstacle is None:
            obstacle = "needs 'batch'" if not batched else Obstacle.FIXED_ORDER if region.fixed_order else None
        try:
            return batched, wide_reads(decisions, self.side, region, obstacle)
        except ObstacleError as problem:
            self._refuse("wide", problem)
            return batched, ()

    # -- loads and stores -------------------------------------------------------------------------------------------

    def _memory(
        self,
        region: Planned,
        decisions: Decisions,
        spread: Collapse | None = None,
        *,
        needed: bool = False,
        block: bool = False,
        ahead: bool = False,
    ) -> Optimised | None:
        """Decide the transformations of loads and stores.

        If loops are ``spread`` over the grid, or it is ``needed`` otherwise, what the kernel writes must not overlap
        anything, nor the memory that these loops' bounds read; there is nothing to decide where that cannot be tested.
        With ``block``, the threads of a block run what is one thread's, and some memory is read ``ahead`` of its use.
        """
        side, is_main, needed = self.side, not needed and spread is None, needed or spread is not None
        bodies = spread.iterations if spread is not None else side.bodies(region)
        problem: UnprovableError | None = None
        try:
            side.check()
            iterations = [Iteration(side.accesses(region, body), body) for body in bodies]
        except UnprovableError as unknown:
            problem = unknown
        self.unknown = problem if is_main else self.unknown
        if (obstacle := unknown_order(region)) is not None:
            problem = UnprovableError(obstacle)
        if problem is not None:
            decisions.refuse(MEMORY, str(problem), side.span_of(problem.node), problem.remedy)
            if is_main:
                self.not_narrow = not_narrow(region, side.off, bodies, None)
            return None
        sharing, captures = region.sharing, region.all_captures
        found = _together([one.found for one in iterations])
        if is_main:
            self.not_narrow = not_narrow(region, side.off, bodies, found)
        narrow = is_main and self.not_narrow is None
        mentioned = found.derived.union(found.roots, spread.read if spread is not None else ())
        used = [c for c in captures if c.symbol in mentioned]
        # Other pointers are made from those that are derived, so their type must stay.
        kept = found.written | (found.derived if side.retypes else found.derived.difference(found.roots))
        constant = frozenset(c.symbol for c in used if c.symbol not in kept)
        wanted = (
            LOOPS_NEED_IT if needed
            else "a block runs it" if block
            else "warps read ahead what all their threads read" if ahead
            else "loads of an iteration need not wait for stores of the one before" if narrow and constant
            else None
        )  # fmt: skip
        ranges = Ranges(
            region.mapping, sharing, captures, side.is_object, side.view.is_unaddressed, side.shared, side.promises
        )
        loads = Loads(found, iterations, used, constant, ranges, members_of(captures), side.text(), side.claimed)
        made = transformed(decisions, region, loads, wanted, needed=needed, waits=region.waits or block)
        if made is None or not region.is_nest:
            return made
        moved = [moved_bytes(one.found, one.body, side.only_computes) for one in iterations]
        return replace(made, moved=max(moved) if all(moved) else 0)


def _outside(hoists: Sequence[HoistedRead], loops: Sequence[StagedLoop]) -> tuple[HoistedRead, ...]:
    """The reads that are not made in front of one of the loops, which is printed as a call."""
    called = {loop.loop for loop in loops}
    return tuple(read for read in hoists if read.loop.loop not in called)


def _together(found: Sequence[Accesses]) -> Accesses:
    """What all instantiations access."""
    items = tuple(chain.from_iterable(accesses.items for accesses in found))
    derived = frozenset(chain.from_iterable(accesses.derived for accesses in found))
    return Accesses(items, derived)
