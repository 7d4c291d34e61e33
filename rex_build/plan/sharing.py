"""The data-sharing attributes and reductions of one construct."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..base.records import dataclass
from ..directives.model import Clause, ReductionClause, conditional
from .code import Code, Entity, Type
from .host_expression import HostExpression

IN_ORDER = "'ordered', 'linear', 'inscan', 'conditional': one thread runs the loop, which 'distribute' does not allow"


@dataclass(frozen=True)
class Reduction:
    """The reduction of one variable, array or section.

    ``operator`` is the device library's tag, for example ``rex_add``, and ``type`` the type of what is combined. A
    user-defined reduction has no tag: its ``functions`` are the combiner and the initialiser. Of an array or a section,
    ``count`` elements are combined. If only the run knows how many, these are ``count`` times ``length``, or, with
    ``whole``, ``count`` times the number of elements of the variable-length array. ``section`` is the index of the
    section's first element, unless that is the first of all.

    ``own_size`` is the size of a private copy in bytes, if the initialiser reads ``omp_orig``. Nobody may combine
    anything with the original then until all have made their copies.

    ``row`` is the type of the reduced array's or pointer's elements in device code, where variable-length arrays are
    flat. It has ``row_length`` scalars or structures.
    """

    symbol: Entity
    operator: str
    type: Type
    row: Type
    row_length: int = 1
    functions: tuple[Entity, Entity] | None = None
    count: int = 0
    section: Code | None = None
    is_section: bool = False
    length: Code | None = None
    whole: bool = False
    own_size: HostExpression | None = None

    @property
    def reads_original(self) -> bool:
        return self.own_size is not None

    @property
    def is_variable(self) -> bool:
        """Whether the number of elements is known only when the program runs."""
        return self.whole or self.length is not None


@dataclass(frozen=True)
class Sharing:
    """The data-sharing attributes that one construct gives to variables (OpenMP 5.2, section 5.4)."""

    private: tuple[Entity, ...] = ()
    firstprivate: tuple[Entity, ...] = ()
    lastprivate: tuple[Entity, ...] = ()
    reductions: tuple[Reduction, ...] = ()
    linear: tuple[tuple[Entity, Code | None], ...] = ()  # each with its step; None is 1
    alignments: tuple[tuple[Entity, str], ...] = ()  # of private copies, in bytes, as constant expressions

    @cached_property
    def named(self) -> frozenset[Entity]:
        """Every variable that gets a private copy."""
        return frozenset((*self.private, *self.firstprivate, *self.returned))

    @cached_property
    def handed_on(self) -> tuple[Entity, ...]:
        """The variables whose first value all copies begin with, and whose original the last iteration, or section,
        changes. Nobody may change it until all have made their copies (OpenMP 5.2, section 5.4.5)."""
        return tuple(symbol for symbol in self.lastprivate if symbol in self.firstprivate)

    @cached_property
    def returned(self) -> tuple[Entity, ...]:
        """The variables that get a value from the private copies at the end."""
        return (*(r.symbol for r in self.reductions), *self.lastprivate, *(s for s, _ in self.linear))


NO_SHARING = Sharing()
READS_ORIGINAL = "a declared reduction whose initialiser reads 'omp_orig'"


def runs_in_order(clauses: Sequence[Clause], sharing: Sharing) -> bool:
    """Whether the iterations of a loop run one after the other.

    ``ordered``, ``scan``, linear variables and ``lastprivate(conditional:)`` then need nothing else.
    """
    in_order = any(c.name == "ordered" or (isinstance(c, ReductionClause) and c.modifier == "inscan") for c in clauses)
    return in_order or bool(sharing.linear or conditional(clauses))


def reads_original_problem(clause: ReductionClause, is_variable: bool) -> str:
    """Why a reduction whose initialiser reads ``omp_orig`` cannot be lowered, if it cannot be.

    The tasks of a group combine their copies with the original one after the other, but all begin with its first value.
    """
    if clause.name == "in_reduction":
        return f"{READS_ORIGINAL}, in tasks"
    return f"{READS_ORIGINAL}, of a length that only the run knows" if is_variable else ""
