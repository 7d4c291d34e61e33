"""What prevents transformations that change who runs which iteration."""

from __future__ import annotations

from ..openmp.regions import Planned
from ..plan.loops import Over
from .obstacle import ASKS_WHERE, CHUNKS, CLAUSES, FIXED_ORDER, LAST, NO_TRIP_COUNT, TEAMS_GIVEN

NO_NEST = "only for kernels that are one loop nest"
SEVERAL_LOOPS = "several loops share the grid"
OWN_CONSTRUCTS = "the body has constructs of its own"


def not_spread(region: Planned) -> str | None:
    """Why a kernel is not one loop nest whose iterations are spread evenly over the grid, or None if it is."""
    if not region.is_nest or region.schedule is None or region.schedule.over is not Over.GRID:
        return NO_NEST
    return CHUNKS if region.chunks else None


def not_once(region: Planned) -> str | None:
    """Why a thread may run several iterations, or None if the host can make sure that none does."""
    return not_spread(region) or (
        "a reduction: threads run many iterations" if region.sharing.reductions
        else "linear variables" if region.sharing.linear
        else f"the trip count is a hint: {region.launch.hint}" if region.launch.hint
        else None if region.launch.trip_counts
        else NO_TRIP_COUNT
    )  # fmt: skip


def not_tiled(region: Planned, once: bool, index32: bool) -> str | None:
    """Why teams may not run two-dimensional tiles of loops that share the grid."""
    return (
        "needs 'once' and 'index32'" if not (once and index32)
        else "no collapsed loops" if not region.several
        else TEAMS_GIVEN if region.launch.teams is not None
        else ASKS_WHERE if region.places
        else OWN_CONSTRUCTS if region.constructs
        else LAST if region.sharing.lastprivate
        else None
    )  # fmt: skip


def not_walked(region: Planned) -> str | None:
    """Why it cannot be that fewer threads at a time run several iterations each."""
    return not_spread(region) or (
        NO_TRIP_COUNT if not region.launch.trip_counts or region.launch.followed
        else TEAMS_GIVEN if region.launch.teams is not None
        else ASKS_WHERE if region.places
        else SEVERAL_LOOPS if region.nest is None or region.several or region.nest.inner
        else None
    )  # fmt: skip


def not_collapsed(region: Planned) -> str | None:
    """Why a kernel's inner loops cannot share its grid, whatever they do."""
    launch, sharing = region.launch, region.sharing
    one_team = launch.threads is not None and launch.default_teams == 1
    return not_spread(region) or (
        LAST if sharing.linear or sharing.lastprivate
        else ASKS_WHERE if region.places
        else CLAUSES if one_team or launch.teams_if is not None or launch.parallel_if is not None
        else FIXED_ORDER if region.fixed_order
        else NO_TRIP_COUNT if not launch.trip_counts
        else None
    )  # fmt: skip
