"""What the plan takes from a front end as it is, pieces of the user's code, variables and types, and what it says of
OpenMP constructs inside device code: canonical loop nests and their schedules, data-sharing attributes and reductions.

Nothing outside of the front end looks into the former. They are compared, kept in sets, and given back to the front
end's printer (:mod:`.printer`). The C front end's code is nodes of its tree; that of C++ is ranges of the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cached_property
from typing import Any

from ..base.diagnostics import SourceSpan
from ..base.records import dataclass, replace
from ..directives.model import Clause, ReductionClause, conditional
from .host_expression import HostExpression

# In bytes. A block has 48 KiB of shared memory without special requests, and the device library needs some of it.
SHARED_MEMORY = 32 * 1024
SHARED_MEMORY_ALONE = 47 * 1024  # in kernels that use nothing of the device library's that is in shared memory
IN_ORDER = "'ordered', 'linear', 'inscan', 'conditional': one thread runs the loop, which 'distribute' does not allow"
READS_ORIGINAL = "a declared reduction whose initialiser reads 'omp_orig'"
REDUCTION_LOCK = "rex_reduction_lock"  # for reductions that the program declares


class Code:
    """A statement, an expression, a directive with its statement, or a function in device code.

    This class is a name for what a front end has for these. Its own classes need not know it.
    """

    __slots__ = ()


class Type:
    """The type of a variable or expression in device code."""

    __slots__ = ()


class Entity:
    """A variable or function of the program. It is compared by identity."""

    __slots__ = ()

    name: str
    type: Any  # a Type, of the class that the front end has for it


@dataclass(frozen=True)
class TypeFacts:
    """What a type means for private copies and for parameters.

    A ``flat`` array has lengths that only the run knows, and its elements stand one behind the other. A type without
    size is ``sizeless``. Elements of ``ragged`` arrays are not aligned as their type asks. ``alignment`` is what a
    declaration asks for, or 0. The device library's functions cannot take ``volatile`` or restrict pointers to the
    object, or to what a pointer leads to (``special``), and C++ cannot copy it if it is ``volatile_record``. Copying an
    object of a ``class`` may run functions. A ``deduced`` type is that of the value of which a variable is made.
    """

    is_array: bool = False
    is_pointer: bool = False
    is_flat: bool = False
    is_sizeless: bool = False
    is_ragged: bool = False
    is_special: bool = False
    is_volatile_record: bool = False
    is_class: bool = False
    is_deduced: bool = False
    alignment: int = 0


@dataclass(frozen=True)
class Allocator:
    """A handle that ``uses_allocators`` makes, with the texts that make it for the kernel and for the host version."""

    name: str
    device: HostExpression
    host: HostExpression


# Arrays in a team's memory of structures that ask for less than LEAST_ALIGNED bytes, as packed ones do, begin at a
# multiple of PACKED_ALIGNMENT. Otherwise nvcc moves such structures byte by byte.
LEAST_ALIGNED, PACKED_ALIGNMENT = 4, 16


@dataclass(frozen=True)
class TeamMemory:
    """The objects of a team's sequential part that are in memory which all threads of the team reach.

    ``shared`` variables are in the block's shared memory, except those in ``heap``, which are too large for it.
    ``literals`` are compound literals. ``sizes`` are those of the variables that may be in ``heap``, in bytes.
    """

    shared: frozenset[Entity] = frozenset()
    heap: frozenset[Entity] = frozenset()
    literals: frozenset[Code] = frozenset()
    sizes: tuple[tuple[Entity, int], ...] = ()

    @property
    def bytes(self) -> int:
        """The shared memory that the variables take."""
        return sum(size for symbol, size in self.sizes if symbol not in self.heap)

    def within(self, room: int) -> TeamMemory:
        """The same with the largest variables on the heap, as many as must go so that the others fit into ``room``."""
        total, heap = self.bytes, set(self.heap)
        for symbol, size in sorted(self.sizes, key=lambda one: (-one[1], one[0].name)):
            if total <= room:
                break
            if symbol not in heap:
                total -= size
                heap.add(symbol)
        return replace(self, heap=frozenset(heap))


@dataclass(frozen=True)
class Escaping:
    """Objects of single threads that are on the device's heap, because other threads may reach them through pointers.

    They are variables ``declared`` in device code, private ``copies`` that constructs make, and compound ``literals``.
    """

    declared: frozenset[Entity] = frozenset()
    copies: frozenset[Entity] = frozenset()
    literals: frozenset[Code] = frozenset()


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


@dataclass(frozen=True)
class Atomic:
    """One atomic operation: ``read``, ``write``, ``update`` or ``exchange`` on ``location``.

    ``operator`` is the device library's tag, and ``operand`` the other argument (None means the constant 1). With
    ``reversed``, the operation is ``operand op x``. ``captured`` receives the new or the old value.
    """

    operation: str
    location: Code
    operator: str | None
    operand: Code | None
    reversed: bool
    captured: Code | None
    captures_new: bool
    desired: Code | None = None  # for ``compare``: the new value of x if it equals ``operand``
    outcome: Code | None = None  # for ``compare``: receives whether it was equal
    on_failure: bool = False  # for ``compare``: ``captured`` is set only if it was not equal
    ordered: bool = False  # a memory order stronger than relaxed


class ConstructKind(Enum):
    """What the threads that meet a construct do."""

    PARALLEL = "parallel"  # a region of its own, with a loop if there is a nest
    LOOP = "loop"
    TASKLOOP = "taskloop"
    SECTIONS = "sections"
    SINGLE = "single"
    MASKED = "masked"
    CRITICAL = "critical"
    SCOPE = "scope"
    TASK = "task"  # runs at once
    TASKGROUP = "taskgroup"  # its tasks are complete when it ends
    TASKWAIT = "taskwait"
    BLOCK = "block"  # its body runs unchanged
    ATOMIC = "atomic"
    BARRIER = "barrier"
    FLUSH = "flush"
    ERROR = "error"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Dependence:
    """A list item of ``depend``, which the check device compares with those of other tasks.

    ``kind`` is ``in``, ``out`` or ``in_set``, or ``on_all`` if it is not known which storage it is. Device code
    may have no such ``variable``. ``steps`` lead from it to the first element: indices, or texts such as ``.x``.
    """

    kind: str
    name: str = ""
    variable: Entity | None = None
    steps: tuple[Code | str, ...] = ()


@dataclass(frozen=True)
class DeviceConstruct:
    """An OpenMP construct inside device code. Constructs that are directly nested are combined into one."""

    kind: ConstructKind
    span: SourceSpan
    sharing: Sharing
    body: Code | None
    nest: LoopNest | None = None
    schedule: Schedule | None = None
    nowait: bool = False  # nothing waits at its end
    num_threads: Code | None = None
    condition: Code | None = None  # of a region or a task
    lock: str | None = None
    atomic: Atomic | None = None
    filter: Code | None = None
    sections: tuple[Code, ...] = ()
    broadcast: tuple[Entity, ...] = ()  # copyprivate
    message: Code | None = None
    fatal: bool = True
    final: Code | None = None  # of a task
    depends: tuple[Dependence, ...] = ()  # of tasks and taskwait
    is_one_task: bool = False  # of a taskloop
