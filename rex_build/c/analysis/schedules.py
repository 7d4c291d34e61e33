"""What the clauses of a loop say about which thread runs which iteration."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pycparser import c_ast

from ...base.records import dataclass
from ...directives.model import Clause, ScheduleClause

_IN_CHUNKS = ("static", "dynamic")  # schedules whose chunks begin at multiples of the chunk size, if one is given


@dataclass(frozen=True)
class Chunks:
    """The chunks of a loop.

    ``of_teams`` and ``of_threads`` are chunk sizes. They are None if no clause gives one, or if no program can observe
    it. ``even`` means one contiguous chunk each, and ``by_setting`` that ``omp_set_schedule`` decides. Both are set
    only if a program can observe that.
    """

    of_teams: c_ast.Node | None
    of_threads: c_ast.Node | None
    even: bool
    by_setting: bool

    @property
    def matter(self) -> bool:
        """Whether anything other than the number of iterations decides which thread runs an iteration."""
        return self.of_teams is not None or self.of_threads is not None or self.even


def chunks_of(
    clauses: Sequence[Clause],
    observed: bool,
    free: Callable[[str, c_ast.Node | None], bool] = lambda _kind, _chunk: False,
) -> Chunks:
    """The chunks that ``schedule`` and ``dist_schedule`` ask for.

    ``observed`` is true if the loop's body can tell which thread runs it. ``free`` takes a kind and a chunk size, and
    says whether no program could tell another schedule from it by other means.
    """
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
