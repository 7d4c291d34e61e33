"""What became of transformations, and what prevents one: the reason, its code, and what would allow it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..base.diagnostics import SourceSpan
from ..openmp.regions import Planned
from ..plan.constructs import Over, Sharing
from ..plan.launch import LaunchShape
from ..plan.optimised import Optimisation


class ObstacleError(Exception):
    """A transformation cannot be applied. The message says why, ``node`` is the code that prevents it, if one part of
    it does (the front end's, or a node of the tree), and ``remedy`` is what would allow it, if the user can do
    something about it."""

    def __init__(self, why: str, node: Any = None, remedy: str = "") -> None:
        super().__init__(why)
        self.node = node
        self.remedy = remedy or _REMEDIES.get(why, "")


def remedy_of(why: str) -> str:
    """What would allow a transformation that was left out for a reason without names."""
    return _REMEDIES.get(why, "")


class Obstacle:
    """Why transformations cannot be applied, where several modules say so."""

    LAST = "the last iteration writes variables of its own accord"
    CHUNKS = "the scheduler deals out chunks"
    ASKS_WHERE = "the body asks where it runs"
    CLAUSES = "clauses say how many teams or threads there are"
    FIXED_ORDER = "reductions are combined in a fixed order"
    NO_TRIP_COUNT = "the host does not know the trip count"
    LOADED_POINTER = "a pointer is loaded from memory or chosen at run time"
    FRONT_CHANGES = "a statement in front of an inner loop changes more than a variable"
    FRONT_ACTS = "a statement in front of an inner loop does more than compute"
    FRONT_LOOP = "another loop or construct stands in front of an inner loop"
    JUMPS = "jumps"
    SIDE_BY_SIDE = "loops side by side have different bounds"
    CONTINUE = "'continue' ends an iteration of one of several loops side by side"
    VOLATILE = "a volatile or _Atomic access"
    IN_EXPRESSION = "a statement inside an expression"
    UNKNOWN_CALL = "a call whose effects are not known"
    STORED_POINTER = "a pointer is stored in memory"
    FROM_INTEGER = "a pointer is made from an integer"
    DIFFER = "instantiations of the template differ"
    OWN_SIZE = "a parallel region of its own size"
    NO_NEST = "only for kernels that are one loop nest"
    SEVERAL_LOOPS = "several loops share the grid"
    OWN_CONSTRUCTS = "the body has constructs of its own"
    MAY_BE_WRITTEN = "rows that are read ahead may be written"


COUNT_PLAINLY = "count from 0 by '<', in steps of 1"  # a remedy

_SEPARATE = "put it into a region of its own, or into the innermost loop"
_REMEDIES = {
    Obstacle.CHUNKS: "leave out the chunk sizes of schedule and dist_schedule",
    Obstacle.ASKS_WHERE: "do not call omp_get_thread_num() and the like in the body",
    Obstacle.CLAUSES: "leave out num_teams, and num_threads where there is one team",
    Obstacle.FIXED_ORDER: "lower with --reduction=atomic",
    Obstacle.NO_TRIP_COUNT: "give the loop bounds that the host can compute before the launch",
    Obstacle.LOADED_POINTER: "load the pointer before the region, or keep the data in one array, a[i * n + j]",
    Obstacle.FRONT_CHANGES: _SEPARATE,
    Obstacle.FRONT_ACTS: _SEPARATE,
    Obstacle.FRONT_LOOP: _SEPARATE,
    Obstacle.JUMPS: "do without goto and return in the body",
    Obstacle.SIDE_BY_SIDE: "give them the same bounds, or put each into a region of its own",
    Obstacle.CONTINUE: "put the rest of the iteration into an if",
    Obstacle.VOLATILE: "do without volatile: atomic constructs serve data that others change",
    Obstacle.IN_EXPRESSION: "write it as a statement of its own",
    Obstacle.UNKNOWN_CALL: "do without it here, or call a function that this unit or a header defines",
    Obstacle.STORED_POINTER: "keep the pointer in a variable of the loop, or index the array",
    Obstacle.FROM_INTEGER: "index the array in place of it",
    Obstacle.OWN_SIZE: "leave out num_threads and if at the parallel region",
}


# What prevents transformations that change who runs which iteration.


def not_spread(region: Planned) -> str | None:
    """Why a kernel is not one loop nest whose iterations are spread evenly over the grid, or None if it is."""
    if not region.is_nest or region.schedule is None or region.schedule.over is not Over.GRID:
        return Obstacle.NO_NEST
    return Obstacle.CHUNKS if region.chunks else None


def not_once(region: Planned) -> str | None:
    """Why a thread may run several iterations, or None if the host can make sure that none does."""
    reduces = "a reduction: threads run many iterations" if region.sharing.reductions else None
    return not_spread(region) or reduces or _not_counted(region)


def is_summed(region: Planned) -> bool:
    """Whether threads may run the iterations below theirs in tiles and combine what they have found at the end."""
    fits = region.several and not region.fixed_order and not_spread(region) is None and _not_counted(region) is None
    return fits and bool(region.sharing.reductions) and is_plain_sum(region.sharing, region.launch)


def is_plain_sum(sharing: Sharing, launch: LaunchShape) -> bool:
    """Whether blocks of whole warps, in two dimensions, can combine what the threads have found."""
    threads = launch.threads
    whole = threads is None or threads.value is None or threads.value >= 32
    return whole and all(r.functions is None and not r.count for r in sharing.reductions)


def _not_counted(region: Planned) -> str | None:
    """Why the host does not know how many iterations there are."""
    return (
        "linear variables" if region.sharing.linear
        else f"the trip count is a hint: {region.launch.hint}" if region.launch.hint
        else None if region.launch.trip_counts
        else Obstacle.NO_TRIP_COUNT
    )  # fmt: skip


def not_tiled(region: Planned, once: bool, index32: bool) -> str | None:
    """Why teams may not run two-dimensional tiles of loops that share the grid."""
    return (
        "needs 'once' and 'index32'" if not (once and index32)
        else "no collapsed loops" if not region.several
        else Obstacle.ASKS_WHERE if region.places
        else Obstacle.OWN_CONSTRUCTS if region.constructs
        else Obstacle.LAST if region.sharing.lastprivate
        else None
    )  # fmt: skip


def not_walked(region: Planned) -> str | None:
    """Why it cannot be that fewer threads at a time run several iterations each."""
    return not_spread(region) or (
        Obstacle.NO_TRIP_COUNT if not region.launch.trip_counts or region.launch.followed
        else Obstacle.ASKS_WHERE if region.places
        else Obstacle.SEVERAL_LOOPS if region.nest is None or region.several or region.nest.inner
        else None
    )  # fmt: skip


def not_collapsed(region: Planned) -> str | None:
    """Why a kernel's inner loops cannot share its grid, whatever they do."""
    launch, sharing = region.launch, region.sharing
    one_team = launch.threads is not None and launch.default_teams == 1
    return not_spread(region) or (
        Obstacle.LAST if sharing.linear or sharing.lastprivate
        else Obstacle.ASKS_WHERE if region.places
        else Obstacle.CLAUSES if one_team or launch.teams_if is not None or launch.parallel_if is not None
        else Obstacle.FIXED_ORDER if region.fixed_order
        else Obstacle.NO_TRIP_COUNT if not launch.trip_counts
        else None
    )  # fmt: skip


COUNTED = "loop counters are computed in 32 bits where all iterations fit"  # of ``index32``


class Decisions:
    """The decisions in order. ``off`` are the names given to ``--no-opt``."""

    def __init__(self, off: Collection[str]) -> None:
        self.off = off
        self.found: list[Optimisation] = []

    def refuse(self, names: Sequence[str], why: str, span: SourceSpan | None = None, remedy: str = "") -> None:
        remedy = remedy or remedy_of(why)
        self.found.extend(
            Optimisation(n, False, "switched off") if n in self.off else Optimisation(n, False, why, span, remedy)
            for n in names
        )

    def apply(self, name: str, reason: str) -> None:
        self.found.append(Optimisation(name, True, reason))

    def why_not(self, name: str) -> str:
        """Why a transformation was left out."""
        return next(one.reason for one in self.found if one.name == name and not one.applied)

    def decide(self, name: str, reason: str, obstacle: str | None) -> bool:
        if obstacle is None and name not in self.off:
            self.apply(name, reason)
            return True
        self.refuse([name], obstacle or "")
        return False


def listed(symbols: Collection[object]) -> str:
    return ", ".join(sorted(str(getattr(s, "name", "")) for s in symbols))
