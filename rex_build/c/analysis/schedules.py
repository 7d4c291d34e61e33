"""What the clauses of loops say about who runs which iteration."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pycparser import c_ast

from ...base.records import dataclass
from ...directives.model import Clause, ReductionClause, ScheduleClause, conditional
from ...plan.sharing import Sharing

_IN_CHUNKS = ("static", "dynamic")  # kinds of schedules whose chunks, if asked for, begin at multiples of their size
IN_ORDER = "'ordered', 'linear', 'inscan', 'conditional': one thread runs the loop, which 'distribute' does not allow"


@dataclass(frozen=True)
class Chunks:
    """``of_teams`` and ``of_threads`` are chunk sizes, None where the clauses give none or nobody can tell. ``even``:
    one contiguous chunk each, where that can be told; ``by_setting``: ``omp_set_schedule`` decides, where that can."""

    of_teams: c_ast.Node | None
    of_threads: c_ast.Node | None
    even: bool
    by_setting: bool

    @property
    def matter(self) -> bool:
        """Whether anything but the number of iterations decides who runs one."""
        return self.of_teams is not None or self.of_threads is not None or self.even


def chunks_of(
    clauses: Sequence[Clause],
    observed: bool,
    free: Callable[[str, c_ast.Node | None], bool] = lambda _kind, _chunk: False,
) -> Chunks:
    """What ``schedule`` and ``dist_schedule`` ask for. ``observed``: the loop's body can tell which thread runs it;
    ``free`` says of a kind and its chunk size whether nobody could tell another schedule from it otherwise."""
    of_teams = of_threads = None
    even = by_setting = False
    for clause in clauses:
        if not isinstance(clause, ScheduleClause):
            continue
        chunk = clause.chunk.node if clause.chunk is not None else None
        if clause.name == "dist_schedule":
            of_teams = chunk
        elif observed or (clause.kind in _IN_CHUNKS and not free(clause.kind, chunk)):
            of_threads = chunk
        even = even or (clause.kind == "static" and chunk is None and observed)
        by_setting = by_setting or (clause.kind == "runtime" and observed)
    return Chunks(of_teams, of_threads, even, by_setting)


def runs_in_order(clauses: Sequence[Clause], sharing: Sharing) -> bool:
    """Whether a loop's iterations run one after the other: then ``ordered``, ``scan``, linear variables and
    ``lastprivate(conditional:)`` need nothing more."""
    in_order = any(c.name == "ordered" or (isinstance(c, ReductionClause) and c.modifier == "inscan") for c in clauses)
    return in_order or bool(sharing.linear or conditional(clauses))
