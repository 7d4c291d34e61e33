"""Which thread runs which iteration of a loop (OpenMP 5.2, sections 11.5.3 and 11.6)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ..base.records import dataclass
from ..directives.model import Clause, Expr, ScheduleClause
from ..plan.constructs import Code, Over, Schedule, Sharing, runs_in_order
from ..plan.unit import KernelKind
from .launch import expression

_IN_CHUNKS = ("static", "dynamic")  # schedules whose chunks begin at multiples of the chunk size, if one is given


@dataclass(frozen=True)
class _Chunks:
    """The chunks of a loop.

    ``of_teams`` and ``of_threads`` are chunk sizes. They are None if no clause gives one, or if no program can observe
    it. ``even`` means one contiguous chunk each, and ``by_setting`` that ``omp_set_schedule`` decides. Both are set
    only if a program can observe that.
    """

    of_teams: Expr | None
    of_threads: Expr | None
    even: bool
    by_setting: bool

    @property
    def matter(self) -> bool:
        """Whether anything other than the number of iterations decides which thread runs an iteration."""
        return self.of_teams is not None or self.of_threads is not None or self.even


def _chunks_of(
    clauses: Sequence[Clause],
    observed: bool,
    free: Callable[[str, Expr | None], bool] = lambda _kind, _chunk: False,
) -> _Chunks:
    """The chunks that clauses ask for. ``observed`` is true if the loop's body can tell which thread runs it. ``free``
    takes a kind and a chunk size, and says whether no program could tell another schedule from it by other means."""
    of_teams = of_threads = None
    even = by_setting = False
    for clause in clauses:
        if not isinstance(clause, ScheduleClause):
            continue
        if clause.name == "dist_schedule":
            of_teams = clause.chunk
        elif observed or (clause.kind in _IN_CHUNKS and not free(clause.kind, clause.chunk)):
            of_threads = clause.chunk
        even = even or (clause.kind == "static" and clause.chunk is None and observed)
        by_setting = by_setting or (clause.kind == "runtime" and observed)
    return _Chunks(of_teams, of_threads, even, by_setting)


def schedule_of_region(
    kind: KernelKind,
    leaves: Sequence[str],
    clauses: Sequence[Clause],
    sharing: Sharing,
    code: Callable[[Expr], Code],
    is_one: Callable[[Expr], bool],
    *,
    observed: bool,
) -> tuple[Schedule, bool]:
    """(who runs which iteration of the loop that a region is, whether that depends on the exact launch shape).

    ``code`` is what the plan has of an expression, and ``is_one`` says whether it is the constant 1."""

    def in_turn(how: str, chunk: Expr | None) -> bool:
        """Whether threads may take one iteration each in turn, as without a clause.

        They may if no program can tell how many threads there are or where the chunks of a dynamic schedule begin."""
        if how == "dynamic" and "distribute" in leaves:
            return all(c.name not in ("num_teams", "dist_schedule") for c in clauses)
        alone = chunk is not None and is_one(chunk)
        return alone and (how == "dynamic" or expression(clauses, "num_threads") is None)

    if tuple(leaves) == ("target", "simd") or runs_in_order(clauses, sharing):
        return Schedule(Over.THREAD), False
    chunks = _chunks_of(clauses, observed, in_turn)
    over = Over.GRID if kind is KernelKind.WORKSHARING else Over.TEAMS
    if kind is KernelKind.PARALLEL or (chunks.matter and over is Over.GRID and "teams" not in leaves):
        over = Over.TEAM
    return Schedule(over, _code(chunks.of_teams, code), _code(chunks.of_threads, code), chunks.even), chunks.matter


def schedule_inside(
    leaves: Collection[str], clauses: Sequence[Clause], code: Callable[[Expr], Code], *, observed: bool
) -> Schedule:
    """Who runs which iteration of a loop inside a region, or in a function that regions call."""
    chunks = _chunks_of(clauses, observed)
    if "distribute" in leaves:
        over = Over.GRID if "for" in leaves else Over.TEAMS
    elif "for" in leaves:
        over = Over.TEAM
    else:
        over = Over.THREAD
    even = chunks.even or chunks.by_setting
    return Schedule(over, _code(chunks.of_teams, code), _code(chunks.of_threads, code), even, chunks.by_setting)


def _code(expr: Expr | None, code: Callable[[Expr], Code]) -> Code | None:
    return code(expr) if expr is not None else None
