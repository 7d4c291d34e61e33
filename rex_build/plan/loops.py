"""Canonical loop nests and their schedules."""

from __future__ import annotations

from enum import Enum

from ..base.records import dataclass
from ..base.spans import SourceSpan
from .code import Code, Entity, Type


@dataclass(frozen=True)
class CanonicalLoop:
    """One canonical loop (OpenMP 5.2, section 4.4.1).

    ``step_value`` is the magnitude of a constant step. Otherwise the step is the expression ``step``, which is
    subtracted if ``step_negated``. ``relation`` has the loop variable on its left.
    ``same`` are variables of other loops that run within its iterations and have the same values.
    ``trips`` is the number of iterations, if it is constant. Of a loop with at most ``narrow_counts`` iterations, every
    value can be computed with a counter of type ``int``. ``limits`` are relations of the variable to parts of the head
    that hold in every iteration, which a compiler may be told.
    """

    symbol: Entity
    type: Type
    declared: bool
    lower: Code
    bound: Code
    step: Code | None  # None means the constant ``step_value``
    step_value: int | None
    step_negated: bool
    increasing: bool
    relation: str
    trips: int | None
    narrow_counts: int
    limits: tuple[tuple[str, Code], ...]
    span: SourceSpan
    same: tuple[Entity, ...] = ()


@dataclass(frozen=True)
class LoopNest:
    """The loops that belong to one directive, outermost first, and the ``body`` that each iteration runs.

    ``inner`` are loops in ``body`` that belong to the nest but cannot be collapsed with the others.
    If it ``counts_in_32_bits``, there are surely at most 2^31 iterations, and the variables have at most 32 bits.
    """

    levels: tuple[CanonicalLoop, ...]
    body: Code
    inner: tuple[CanonicalLoop, ...] = ()
    counts_in_32_bits: bool = False


class Over(Enum):
    """Whose threads share the iterations of a loop, or which single thread runs all of them in order."""

    GRID = "grid"
    TEAMS = "teams"
    TEAM = "team"
    THREAD = "thread"  # each thread that comes to the loop
    FIRST = "first"  # the first one of a team


@dataclass(frozen=True)
class Schedule:
    """Which thread runs which iteration. Chunk sizes are expressions in iterations, or None if no clause has one."""

    over: Over
    team_chunk: Code | None = None  # dist_schedule(static, c)
    thread_chunk: Code | None = None  # schedule(static, c)
    even: bool = False  # one contiguous chunk each: a static schedule whose effect the program can observe
    runtime: bool = False  # the same, unless omp_set_schedule() has set a chunk size: schedule(runtime)

    @property
    def chunked(self) -> bool:
        """Whether iterations are dealt out in chunks, and not in a stride of all threads."""
        return self.thread_chunk is not None or self.team_chunk is not None or self.even

    @property
    def by_team(self) -> bool:
        """Whether teams get chunks, and their threads get shares of these."""
        return self.chunked and self.over is Over.GRID
