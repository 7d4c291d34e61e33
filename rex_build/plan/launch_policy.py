"""Decides how many teams and threads a region gets. Only this module knows the numbers.

A user's clause is never changed, only clamped to what the hardware accepts. But ``thread_limit`` is a bound: under it
short loops get smaller blocks as well, if the program cannot tell. Without clauses:

- A loop nest gets 256 threads per block, or 128 if two or more loops are nested inside, because such bodies need more
  registers. This is rounded to the trip count in steps of a warp.
- There are as many blocks as cover the trip count once.
- A loop too short to give every multiprocessor two such blocks gets smaller blocks. Those that may be tiles have 64
  threads at least, others a warp. So loops over rows, of which each thread reads one, use more multiprocessors.
- A loop whose iterations move few bytes, and all of them no more than a cache holds, gets 512 threads per block. A GPU
  starts about one block in a clock, which takes longer than 256 threads need to move 16 bytes each in that cache.
- A region with reductions gets no more blocks than a large GPU runs at a time. Each block ends with one atomic
  operation per variable, so there are fewer of these if each thread runs more iterations. If there are loops in an
  iteration, it gets four times as many: iterations take longer then, and some longer than others, and a block that
  starts when another ends evens that out.
- Threads that walk along two long rows each are fewer than run at a time, so that their lines stay in the caches.

The numbers were measured on an H200 (docs/performance.md).
"""

from __future__ import annotations

from ..base.records import replace
from ..tools.backends import CUDA
from .host_expression import HostExpression, Number
from .launch import MAX_THREADS, LaunchShape, TripCounts
from .unit import KernelKind

LOOP_THREADS = 256
LIGHT_THREADS = 512  # for iterations that move few bytes
CACHED = 32 << 20  # bytes that surely stay in the cache of a large GPU (50 MB) from one kernel to the next
TEAM_THREADS = 128
DEFAULT_TEAMS = 128  # if neither a clause nor a trip count says how many
HINTED_TEAMS = 1 << 18  # a wrong hint starts no more than these, which takes a fraction of a millisecond
SPREAD_BLOCKS = 2 * CUDA.limits.multiprocessors  # blocks shrink to LEAST_THREADS to make as many
STAGED_THREADS = 5 * 32 * CUDA.limits.multiprocessors  # of warps with stages (cuda/rex_rows.h), what runs at a time
BLOCK_THREADS = 1024  # of the block that runs what is one thread's (include/rex_block.h)
BROADCAST_THREADS = 256  # of a block: cuda/rex_rows.h has room for the rows of so many threads' warps
LEAST_STAGED = 32  # inner iterations for which stages are worth while
LEAST_COLLAPSED = 16  # inner iterations for which it is worth while to spread them over the grid, too
LONG_ROW = 80  # bytes of rows for which WALKING_THREADS are faster than RESIDENT_THREADS: with 64 they are not
WALKING_THREADS = 3 * 256 * CUDA.limits.multiprocessors  # whose lines of two walks fit the caches at a time
RESIDENT_THREADS = CUDA.limits.multiprocessors * CUDA.limits.resident_threads  # what runs at a time
UNEVEN_THREADS = 4 * RESIDENT_THREADS  # of reductions whose iterations have loops


def most_threads_of(depth: int) -> int:
    """The most threads of a block that the policy gives a loop with ``depth`` loops nested inside."""
    return 128 if depth >= 2 else LOOP_THREADS


def for_batches(launch: LaunchShape) -> LaunchShape:
    """The shape for a kernel whose threads run several iterations: no more threads than run at a time."""
    if launch.most_threads or launch.teams is not None or not launch.trip_counts:
        return launch
    reason = f"{launch.reason}, at most {RESIDENT_THREADS} threads in all, each with several iterations"
    return replace(launch, most_threads=RESIDENT_THREADS, reason=reason)


def for_light(launch: LaunchShape, moved: int) -> LaunchShape:
    """The shape for a kernel whose threads run one iteration each, which moves at most ``moved`` bytes."""
    if launch.threads is not None or launch.default_threads != LOOP_THREADS:
        return launch
    most = CACHED // moved
    reason = f"{launch.reason}; {LIGHT_THREADS} threads for at most {most} iterations, which stay in the cache"
    return replace(launch, light_threads=LIGHT_THREADS, light_trips=most, bound=LIGHT_THREADS, reason=reason)


def shape(
    kind: KernelKind,
    *,
    teams: HostExpression | None,
    threads: HostExpression | None,
    most_threads: int | None,
    single_team: bool,
    counts: TripCounts,
    depth: int,
    parallel_if: HostExpression | None,
    reduces: bool = False,
    fewer: bool = False,
) -> LaunchShape:
    """Decide a region's launch shape.

    ``teams`` and ``threads`` are the clauses' expressions, and ``most_threads`` bounds the latter, if that is known.
    With ``single_team`` the construct has one team, by definition or because of what its body asks. ``depth`` counts
    the loops nested inside the associated ones. With ``reduces`` the grid's threads combine values at the end.
    With ``fewer`` a team may have fewer threads than ``threads``. ``counts`` says what the host knows about the
    loops' iterations.
    """
    if threads is not None and (threads.value or 0) > MAX_THREADS:
        threads = Number(MAX_THREADS)
    if kind is KernelKind.WORKSHARING:
        default, cap = LOOP_THREADS, most_threads_of(depth) if depth else 0
        reason = f"loop nest: {default} threads" + (f", capped at {cap} for {depth} nested loops" if cap else "")
    elif kind is KernelKind.SERIAL:
        default, cap, reason = 1, 0, "sequential body: one thread per team"
        threads = None
    else:
        default, cap, reason = TEAM_THREADS, 0, f"{TEAM_THREADS} threads per team"
    if threads is not None:
        reason = "threads from a clause, " + ("fewer for a short loop" if fewer else "unchanged")
    bound = min(most_threads or MAX_THREADS, MAX_THREADS) if threads is not None else default
    only_one = single_team and teams is None
    if teams is not None:
        reason += "; teams from a clause, unchanged"
    elif only_one:
        reason += "; one team"
    else:
        reason += "; teams cover the trip count" if counts.counts else ""
        reason += f", which is a hint ({counts.hint}): at most {HINTED_TEAMS} teams" if counts.hint else ""
    is_spread = kind is KernelKind.WORKSHARING and teams is None and not only_one and (threads is None or fewer)
    most = (UNEVEN_THREADS if depth else RESIDENT_THREADS) if reduces and kind is KernelKind.WORKSHARING else 0
    if most and teams is None:
        reason += f", at most {most} threads in all because of the reduction"
    return LaunchShape(
        threads=threads,
        teams=teams,
        default_threads=default,
        default_teams=1 if only_one else DEFAULT_TEAMS,
        trip_counts=counts.counts,
        hint=counts.hint,
        followed=counts.pointers,
        readable_counts=counts.readable,
        most_teams=HINTED_TEAMS if counts.hint else 0,
        thread_cap=cap,
        bound=max(1, bound),
        reason=reason,
        parallel_if=parallel_if,
        most_threads=most,
        limit=is_spread and threads is not None,
        spread=SPREAD_BLOCKS if is_spread else 0,
    )
