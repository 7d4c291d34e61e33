"""The transformations of a kernel, applied or not."""

from __future__ import annotations

from enum import Enum

from ..base.diagnostics import SourceSpan
from ..base.records import dataclass
from .claims import Claim, WatchedLoop
from .constructs import Atomic, CanonicalLoop, Code, Entity, LoopNest, Sharing, Type
from .host_expression import HostExpression
from .rows import Capture


class Reason:
    """Why transformations are applied, or have nothing to do, where several modules say so."""

    ONCE = "each thread runs one iteration, with no loop around it, where the grid has a thread for each"  # of ``once``
    SEVERAL = "each thread runs several iterations, because one loads few bytes"
    TILE = "each team runs a two-dimensional tile of the collapsed loops"
    NARROW = "tiles of 8 columns, as neighbouring elements are accessed along rows and columns"
    TURNED = "the first loop's iterations are the columns, as neighbouring elements are accessed along it"
    WALKS = "fewer threads at a time run several iterations each where rows that they walk along are long"
    NO_ROWS = "no inner loop walks along two rows of its own"
    UNROLL = "loops of constant length are unrolled, so that the arrays that they index lie in registers"
    NO_STRUCTURE = "no structure that is only read and surely not on the device"  # of ``byvalue``
    PASSED = "passed in parameters, not in mapped memory"
    BANKS = "arrays of the thread's own that data index lie in shared memory"
    TABLES = "constant arrays that data index are one for all threads"
    NO_SUCH_LOOP = "no loop of constant length indexes an array of the thread's own"
    ONCE_TEAMS = "each team runs one iteration, with no loop around it, where the grid has a team for each"


@dataclass(frozen=True)
class Optimisation:
    """What became of one transformation in one region. ``name`` is its name for ``--no-opt``.

    Of one that was left out, ``span`` is the place that prevents it. ``remedy`` is what would allow it, if the user can
    do something about it.
    """

    name: str
    applied: bool
    reason: str
    span: SourceSpan | None = None
    remedy: str = ""


@dataclass(frozen=True)
class OverlapTest:
    """Two mapped ranges that the host compares: their addresses and sizes in bytes. The kernel writes the first.

    A size is None if the region only gets a pointer: then constructs before the region have mapped what is behind it,
    and the runtime is asked which piece of memory that is. With ``objects``, both are variables and not memory behind
    pointers. Device code that leaves a variable is wrong.
    """

    first: HostExpression
    first_size: HostExpression | None
    second: HostExpression
    second_size: HostExpression | None
    objects: bool


class Tiles(Enum):
    """The shape of two-dimensional tiles of collapsed loops."""

    WIDE = "32 or 64 columns, the iterations of the last loop"
    NARROW = "8 columns"
    TURNED = "wide, and the columns are the iterations of the first of two loops"


@dataclass(frozen=True)
class DirectKernel:
    """A second kernel that makes assumptions. The host launches it only after checking that they hold.

    With ``once``, every iteration has a device thread, and the threads' numbers fit 32 bits; where teams share the
    iterations, every iteration has a team. With ``tiles``, the threads of a block form a two-dimensional tile, whose
    exact shape is a parameter; where the region has reductions, they run all iterations that lie in steps of the grid's
    height below theirs. ``pointers``
    are captures that become ``__restrict__``, ``constant`` those that are only read, and ``overlap_tests`` the
    comparisons that this needs. For pointers in mapped objects the host compares its own values. The kernel runs as the
    general one if those that it loads are not the ones ``expected``.
    """

    once: bool
    tiles: Tiles | None = None
    pointers: frozenset[Entity] = frozenset()
    constant: frozenset[Entity] = frozenset()
    overlap_tests: tuple[OverlapTest, ...] = ()
    expected: tuple[Capture, ...] = ()


@dataclass(frozen=True)
class TeamSteps:
    """How all threads of a team run a generic region's sequential part together.

    They wait for each other before the statements ``barriers`` and at the end of each iteration of the loops ``ends``.
    Only the first thread runs ``guarded`` statements. All threads compute the values of the assignments ``computed``,
    but only the first one assigns them; a barrier "before" such a value stands between the two. ``shared`` variables
    are in team memory, and of the others every thread has its own. With ``stateful``, parallel regions need the device
    library's state of teams and threads; without, what ``asks`` for numbers of threads and teams gets them from the
    hardware. The parallel regions with the bodies ``limited`` have one thread or all. Loops with the bodies ``beside``
    load from outside of the team's memory: a thread has several of their iterations on their way.
    """

    barriers: frozenset[Code]
    ends: frozenset[Code]
    guarded: frozenset[Code]
    computed: frozenset[Code]
    shared: frozenset[Entity]
    stateful: bool
    asks: bool = False
    limited: frozenset[Code] = frozenset()
    beside: frozenset[Code] = frozenset()


@dataclass(frozen=True)
class ScalarElement:
    """An element that an iteration keeps in a variable.

    ``element`` is the lvalue, and ``uses`` are all its mentions. ``member`` names the member of a structure, if it is
    one.
    """

    symbol: Entity
    type: Type
    element: Code
    uses: tuple[Code, ...]
    member: str = ""


@dataclass(frozen=True)
class HoistedRead:
    """A read in the condition of ``loop`` that is made once, before the loop.

    ``element`` is the lvalue, and ``uses`` are its mentions in the condition.
    """

    loop: WatchedLoop
    symbol: Entity
    type: Type
    element: Code
    uses: tuple[Code, ...]


WIDE, WIDE_IN_TURN = 8, 4  # iterations whose elements one access loads, and how many such groups run side by side


@dataclass(frozen=True)
class WideRead:
    """A narrow element that every iteration reads, and of which the next iteration's follows in memory.

    ``element`` is the lvalue, and ``uses`` are its mentions.
    """

    symbol: Entity
    element: Code
    uses: tuple[Code, ...]


@dataclass(frozen=True)
class StagedRow:
    """Neighbouring elements, one for each iteration of a loop, that a warp moves together.

    ``element`` is the lvalue, and ``uses`` are its mentions in the loop. They are ``written`` or read.
    """

    symbol: Entity
    type: Type
    element: Code
    uses: tuple[Code, ...]
    written: bool


@dataclass(frozen=True)
class StagedLoop:
    """A loop that each thread runs by itself, with the rows that a warp moves for it.

    Where its iterations are ``apart``, they leave nothing to each other. The rows are the ``same`` for all threads, or
    each thread has its own.
    """

    loop: Code
    head: CanonicalLoop
    body: Code
    rows: tuple[StagedRow, ...]
    apart: bool
    same: bool = False


@dataclass(frozen=True)
class Carried:
    """A variable that the iterations of a loop combine with values. ``operator`` is the device library's tag. A
    ``shared`` variable is one for all threads."""

    symbol: Entity
    type: Type
    operator: str
    shared: bool


@dataclass(frozen=True)
class BlockLoop:
    """A loop of which each thread of a block runs some iterations.

    ``ahead`` is the part of an iteration that computes what it adds to ``carried`` variables. It is None if no
    iteration reads them.
    """

    loop: Code
    head: CanonicalLoop
    body: Code
    ahead: Code | None
    carried: tuple[Carried, ...]


@dataclass(frozen=True)
class BlockKernel:
    """How a block of threads runs a region that is one thread's: it shares out ``loops``, and runs the rest together,
    in ``steps``."""

    loops: tuple[BlockLoop, ...]
    steps: TeamSteps


@dataclass(frozen=True)
class TeamArray:
    """A reduced array of which the threads of a team share one copy, if it has at most ``room`` elements. Threads
    update the original of a longer one. ``updates`` are the statements that do so, each with its atomic operation.
    Those that are ``repeatable`` do nothing else. ``operator`` is the device library's tag for the reduction."""

    symbol: Entity
    room: int
    updates: tuple[tuple[Code, Atomic], ...]
    operator: str
    repeatable: frozenset[Code]


@dataclass(frozen=True)
class OwnArray:
    """An array of the thread's own that lies in shared memory, in which each thread has words of its own in one bank.
    It is ``initialised`` where it is declared, or has no value yet. A ``constant`` one is the same for all threads,
    which share it in global memory."""

    symbol: Entity
    initialised: bool
    constant: bool = False


@dataclass(frozen=True)
class Walks:
    """Rows that each thread walks along by itself, behind ``pointers``.

    Where there are more than twice ``threads`` iterations, and two of the pointers lead to at least ``row`` bytes for
    each of them, the grid has only ``threads`` threads. Each runs several iterations. ``optimised`` are the
    transformations of the kernel for that; without, it is the one that is launched otherwise if iterations are many.
    """

    pointers: tuple[HostExpression, ...]
    row: int
    threads: int
    optimised: Optimised | None = None


@dataclass(frozen=True)
class CollapsedKernel:
    """A kernel that spreads loops inside the distributed ones over the grid, too, like ``collapse``.

    ``nest`` has all the levels, ``sharing`` the private copies and ``optimised`` the transformations of this kernel, of
    which only the ``direct`` kernel is printed. The host launches it if its ranges do not overlap, if the
    ``conditions`` hold, and if the distributed loops have fewer than ``enough`` iterations and the others at least
    ``least``. ``counts`` are the trip counts in the order of the levels. The host may compute these and the conditions
    only if what the ``pointers`` lead to is on the device. A block has at most ``threads``, and the grid at most
    ``most_threads`` (0: no such bound).

    If it has ``staged`` loops, these are not spread, but warps move their rows together. Then the last of ``counts`` is
    that of one of them. A block is a warp, and fewer iterations share it where the grid has fewer than
    ``most_threads`` so.
    """

    nest: LoopNest
    sharing: Sharing
    optimised: Optimised
    counts: tuple[HostExpression, ...]
    conditions: tuple[HostExpression, ...]
    enough: int
    least: int
    threads: int
    most_threads: int
    pointers: tuple[HostExpression, ...] = ()


@dataclass(frozen=True)
class Optimised:
    """The transformations of one region (see optimise/).

    ``scalars`` apply to the ``direct`` kernel. If that has ``__restrict__`` pointers, so do ``hoists``; otherwise
    ``hoists`` and ``constant`` apply to both kernels. In a loop over the grid, and along the rows of tiles, a thread
    runs ``batched`` iterations side by side (0: as the compiler likes). Compilers load nothing ahead of a store that a
    test stands behind, so there is none between these iterations. Of neighbouring iterations, one access loads the
    elements ``wide``. An iteration moves ``moved`` bytes (0: many, or nobody knows). Of
    ``aligned`` variables, each with a number of bytes, the kernel tests whether they are, and has its loop twice; it is
    the direct kernel if there is one. ``staged`` loops stand in kernels whose blocks are warps, and
    ``broadcast`` ones, whose rows are the same for all threads, in the direct kernel if there is one. ``block`` says
    how a block runs the direct kernel of a region that is one thread's. ``unrolled`` are loops of which all iterations
    are written out. ``own_arrays`` lie in shared memory. ``claims`` are what all of this relies on.
    """

    facts: tuple[Optimisation, ...] = ()
    direct: DirectKernel | None = None
    constant: frozenset[Entity] = frozenset()
    scalars: tuple[ScalarElement, ...] = ()
    hoists: tuple[HoistedRead, ...] = ()
    index32: bool = True
    collapsed: CollapsedKernel | None = None
    team_arrays: tuple[TeamArray, ...] = ()
    batched: int = 0
    wide: tuple[WideRead, ...] = ()
    moved: int = 0
    aligned: tuple[tuple[Entity, int], ...] = ()
    staged: tuple[StagedLoop, ...] = ()
    broadcast: tuple[StagedLoop, ...] = ()
    walks: Walks | None = None
    block: BlockKernel | None = None
    unrolled: frozenset[Code] = frozenset()
    own_arrays: tuple[OwnArray, ...] = ()
    claims: tuple[Claim, ...] = ()

    @property
    def expected(self) -> tuple[Capture, ...]:
        """The pointers that kernels of the region load, and compare with what the host expects."""
        others = (self.collapsed.optimised if self.collapsed is not None else None,
                  self.walks.optimised if self.walks is not None else None)  # fmt: skip
        kernels = (self.direct, *(one.direct for one in others if one is not None))
        return tuple(dict.fromkeys(c for kernel in kernels if kernel is not None for c in kernel.expected))
