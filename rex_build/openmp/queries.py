"""The functions of OpenMP by which a program can tell what runs it."""

from __future__ import annotations

from ..base.records import dataclass

# Which thread or team runs an iteration.
PLACES = frozenset(
    (
        "omp_get_thread_num",
        "omp_get_num_threads",
        "omp_get_max_threads",
        "omp_get_team_num",
        "omp_get_num_teams",
        "omp_get_team_size",
        "omp_get_ancestor_thread_num",
        "omp_get_thread_limit",
        "omp_get_level",
        "omp_get_active_level",
        "omp_in_parallel",
    )
)
THREADS = frozenset(
    (
        "omp_get_thread_num",
        "omp_get_num_threads",
        "omp_get_max_threads",
        "omp_get_team_size",
        "omp_get_ancestor_thread_num",
    )
)
TEAMS = frozenset(("omp_get_num_teams", "omp_get_team_num"))
# What only the host knows.
FACTS = frozenset(("omp_get_num_devices", "omp_get_initial_device", "omp_get_device_num", "omp_get_num_procs"))
SETTERS = frozenset(("omp_set_num_threads", "omp_set_schedule", "omp_set_max_active_levels", "omp_set_nested"))
HOST_SETTERS = SETTERS | {"omp_set_dynamic", "omp_set_default_device"}  # of what host tasks have
TASKS = frozenset(("omp_in_explicit_task", "omp_in_final"))  # of which tasks keep a record
RECORDED = SETTERS | TASKS
# Those that write nothing but what their arguments lead to.
READING = PLACES | FACTS | TASKS | {"omp_is_initial_device", "omp_get_wtime", "omp_get_wtick", "omp_get_default_device"}
SETTINGS = SETTERS | TASKS | {"omp_get_max_threads", "omp_get_schedule", "omp_get_max_active_levels"}
LIMITS = frozenset(
    ("omp_get_max_teams", "omp_set_num_teams", "omp_get_teams_thread_limit", "omp_set_teams_thread_limit")
)
TEAM_LIMITS = "rex_team_limits"  # the host's array of what these get and set


@dataclass(frozen=True)
class Asked:
    """What code, with all that it reaches, asks of OpenMP.

    ``functions`` are those of OpenMP that are called. There may be ``constructs`` in functions that the code reaches.
    With ``elsewhere``, it may call functions of other units, which may ask for anything.
    """

    functions: frozenset[str]
    constructs: bool
    elsewhere: bool

    def may(self, names: frozenset[str]) -> bool:
        """Whether one of these functions may be called."""
        return self.elsewhere or not names.isdisjoint(self.functions)

    @property
    def observes_place(self) -> bool:
        """Whether the code can tell which thread or team runs it. A construct in a function depends on its team."""
        return self.constructs or self.may(PLACES)
