"""Launch geometry."""

from __future__ import annotations

from enum import Enum

from ..base.records import dataclass
from .host_expression import HostExpression, product


class SerialLaunch(Enum):
    """When a launch takes fewer threads than the grid has for its loop, because what would be one thread runs it in
    order."""

    NEVER = "never"
    ONE_TEAM = "threads are teams: where there is only one"
    LIMITED_TEAMS = "threads are teams, which can be told how many they are: where their number is limited"
    ONE_THREAD = "blocks are parts of a team: where that has one thread"


@dataclass(frozen=True)
class LaunchShape:
    """Launch geometry. None means the policy decides.

    ``threads``/``teams`` come from clauses and are never changed. ``default_threads`` and ``default_teams`` are what
    the policy starts from, ``thread_cap`` the most it uses for a nest this deep (0: no cap), ``trip_counts`` the
    iterations of the associated loops when the host can know them. ``bound`` is the compile-time bound on threads per
    block for ``__launch_bounds__``.
    """

    threads: HostExpression | None
    teams: HostExpression | None
    default_threads: int
    default_teams: int
    trip_counts: tuple[HostExpression, ...]
    thread_cap: int
    bound: int
    reason: str
    parallel_if: HostExpression | None = None  # if(parallel: e): one thread per team when false
    teams_if: HostExpression | None = None  # if(teams: e) without num_teams: one team when false
    spread: int = 0  # blocks that a small trip count is spread over, by giving them fewer threads
    most_threads: int = 0  # threads in all beyond which the policy adds no block (0: no such bound)
    icv_teams: bool = False  # OMP_NUM_TEAMS and omp_set_num_teams() limit the teams
    icv_threads: bool = False  # OMP_TEAMS_THREAD_LIMIT and omp_set_teams_thread_limit() limit the threads of a team
    serial_launch: SerialLaunch = SerialLaunch.NEVER

    @property
    def exact_threads(self) -> int | None:
        """Threads per block, where they are the same constant in every launch."""
        constant = self.threads is not None and self.threads.value is not None
        of_teams = self.serial_launch in (SerialLaunch.ONE_TEAM, SerialLaunch.LIMITED_TEAMS)
        varies = self.icv_threads or of_teams or self.parallel_if is not None
        return self.bound if constant and not varies else None

    @property
    def trip_count(self) -> HostExpression | None:
        """The iterations to cover, if known."""
        return product(self.trip_counts) if self.trip_counts else None
