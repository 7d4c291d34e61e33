"""How many teams and threads a launch has."""

from __future__ import annotations

from enum import Enum

from ..base.records import dataclass
from ..tools.backends import CUDA
from .host_expression import HostExpression, product

MAX_THREADS = CUDA.limits.threads  # per block
LEAST_THREADS = 32  # per block, where a small trip count is spread over many blocks
LEAST_TILE = 64  # the same where blocks are tiles, which are as wide


class SerialLaunch(Enum):
    """When a launch takes fewer threads than the grid has for its loop.

    One thread then runs, in order, all iterations that belong to one team or thread of the program.
    """

    NEVER = "never"
    ONE_TEAM = "threads are teams: where there is only one"
    LIMITED_TEAMS = "threads are teams, which can be told how many they are: where their number is limited"
    ONE_THREAD = "blocks are parts of a team: where that has one thread"


@dataclass(frozen=True)
class TripCounts:
    """The iterations of some loops, outermost first, as the host computes them: empty if it cannot.

    ``hint`` says why the device may count otherwise; it is empty if the counts are exact. Pointers in ``pointers`` are
    followed only if they are addresses of mapped host memory. ``readable`` are the counts as a reader would write them,
    such as ``n - 1``; it may be empty.
    """

    counts: tuple[HostExpression, ...] = ()
    hint: str = ""
    pointers: tuple[HostExpression, ...] = ()
    readable: tuple[HostExpression, ...] = ()


@dataclass(frozen=True)
class LaunchShape:
    """The shape of a launch.

    ``threads`` and ``teams`` come from clauses; None means that the policy decides. They are never changed, but where
    ``threads`` is a ``limit``, as ``thread_limit`` gives, a short loop has fewer. The policy starts from
    ``default_threads`` and ``default_teams``, and ``thread_cap`` is the most threads that it uses for a nest of this
    depth (0: no cap). ``trip_counts`` are the iterations of the associated loops, if the host can know them. ``bound``
    is the bound on threads per block for ``__launch_bounds__``, known when the kernel is compiled.
    """

    threads: HostExpression | None
    teams: HostExpression | None
    default_threads: int
    default_teams: int
    trip_counts: tuple[HostExpression, ...]
    thread_cap: int
    bound: int
    reason: str
    parallel_if: HostExpression | None = None  # of if(parallel: e): when it is false, a team has one thread
    teams_if: HostExpression | None = None  # of if(teams: e) without num_teams: when it is false, there is one team
    limit: bool = False  # ``threads`` is the most that a block may have
    spread: int = 0  # a small trip count is spread over this many blocks, each with fewer threads
    hint: str = ""  # why the device may have other trip counts: they shape the grid then, and bound nothing
    followed: tuple[HostExpression, ...] = ()  # pointers in a hint, which may lead to memory of the device only
    most_teams: int = 0  # the policy makes no more blocks (0: no such bound)
    light_threads: int = 0  # the policy starts from these with at most ``light_trips`` iterations
    light_trips: int = 0
    most_threads: int = 0  # the policy adds no block beyond this many threads in all (0: no such bound)
    icv_teams: bool = False  # OMP_NUM_TEAMS and omp_set_num_teams() limit the teams
    icv_threads: bool = False  # OMP_TEAMS_THREAD_LIMIT and omp_set_teams_thread_limit() limit the threads of a team
    serial_launch: SerialLaunch = SerialLaunch.NEVER
    readable_counts: tuple[HostExpression, ...] = ()  # the trip counts as a reader would write them, to be shown

    @property
    def exact_threads(self) -> int | None:
        """The threads per block, if they are the same constant in every launch."""
        constant = self.threads is not None and self.threads.value is not None
        of_teams = self.serial_launch in (SerialLaunch.ONE_TEAM, SerialLaunch.LIMITED_TEAMS)
        varies = self.icv_threads or of_teams or self.parallel_if is not None or self.limit
        return self.bound if constant and not varies else None

    @property
    def is_exact(self) -> bool:
        """Whether the host surely has the trip counts that the device will have."""
        return bool(self.trip_counts) and not self.hint

    @property
    def trip_count(self) -> HostExpression | None:
        """The number of iterations to cover, if the host can know it."""
        return product(self.trip_counts) if self.trip_counts else None
