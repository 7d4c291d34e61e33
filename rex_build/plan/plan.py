"""The plan: every decision about a translation unit, taken once, before any text is printed.

Both sides of the host/device boundary print from the same plan, so they cannot disagree about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum

from pycparser import c_ast

from ..base.records import dataclass
from ..base.spans import SourceSpan
from ..c.analysis.devicecode import DeviceCode
from ..c.sema import Sema, Symbol
from ..c.sema.ctype import CType
from ..c.syntax.parse import OmpConstruct
from ..directives.model import Locator

# Map-type bits of libomptarget (omptarget.h, the same in LLVM 17 to 23).
MAP_TO, MAP_FROM, MAP_ALWAYS, MAP_DELETE, MAP_PTR_AND_OBJ = 0x1, 0x2, 0x4, 0x8, 0x10
MAP_TARGET_PARAM, MAP_RETURN_PARAM, MAP_PRIVATE, MAP_LITERAL = 0x20, 0x40, 0x80, 0x100
MAP_IMPLICIT, MAP_CLOSE, MAP_PRESENT, MAP_OMPX_HOLD = 0x200, 0x400, 0x1000, 0x2000
REQUIRES_ENTRY, REQUIRES_SHARED_MEMORY = ".requires", 8  # an entry of the offload table that is no symbol
MEMBER_OF_SHIFT = 48  # the 1-based index of the parent row stands in the top 16 bits


class KernelKind(Enum):
    """How a region runs on the device."""

    WORKSHARING = "worksharing"  # the loop is the kernel
    PARALLEL = "spmd"  # one `target parallel` region: every thread of the team runs the body
    TEAMS = "generic"  # the team's initial thread runs the body, nested parallel regions use the others
    SERIAL = "serial"  # as TEAMS, without any nested parallel region: one thread per team


class Transport(Enum):
    """How a captured variable reaches the kernel."""

    LITERAL = "literal"  # by value, in the low bytes of an 8-byte parameter
    POINTER = "pointer"  # the parameter is the (translated) value of a pointer, or the device address of an array
    ADDRESS = "address"  # the parameter is the device address of the variable's storage


@dataclass(frozen=True)
class RowLoop:
    """A loop of the host block around rows: ``type name`` from ``begin`` to before ``end``, all C texts.

    ``step_value`` is the constant step; None: ``step`` is an expression whose sign only the run knows.
    """

    type: str
    name: str
    begin: str
    end: str
    step: str = "1"
    step_value: int | None = 1


@dataclass(frozen=True)
class Cover:
    """Storage that belongs to a row whose extent is computed at run time."""

    pointer: str
    size: str
    loops: tuple[RowLoop, ...] = ()


@dataclass(frozen=True)
class MapRow:
    """One row of the offload arrays. ``base``, ``pointer`` and ``size`` (bytes) are C expressions.

    ``literal`` rows carry the bits of the expression ``base``, which then names a variable; ``constant_size``
    says that ``size`` is a constant expression. A row with ``loops`` stands for one row per iteration of them,
    outermost first; the rows of one iteration follow each other. With ``covers`` the row is the smallest storage that
    holds those, instead of ``pointer`` and ``size``.

    What the device holds decides about some rows. ``attach`` is the address of the base pointer, a variable that may be
    there on its own: then the row attaches it. A ``carrier`` is storage that a data construct maps for nothing but the
    pointers in it: where it is there as part of something else, it is not counted. Storage to ``refresh`` is
    transferred even where it is there, and pointers in it may be attached, which stay as they are. An object that may
    ``stand_in`` for itself is mapped implicitly, and as a copy where nothing but carriers of it is there; explicitly
    mapped storage, where that is to ``extend`` them, takes their place.
    """

    base: str
    pointer: str
    size: str
    flags: int
    note: str
    literal: bool = False
    constant_size: bool = True
    loops: tuple[RowLoop, ...] = ()
    covers: tuple[Cover, ...] = ()
    attach: str = ""
    carrier: bool = False
    refresh: bool = False
    stand_in: bool = False
    extend: bool = False


@dataclass(frozen=True)
class Allocator:
    """A handle that ``uses_allocators`` makes: what makes it for the kernel, and for the region's host version."""

    name: str
    device: str
    host: str


@dataclass(frozen=True)
class TeamMemory:
    """What a team's sequential part has in memory that all threads of the team reach: ``shared`` variables, in the
    block's shared memory but for those in ``heap``, which are too large for it; compound ``literals``."""

    shared: frozenset[Symbol] = frozenset()
    heap: frozenset[Symbol] = frozenset()
    literals: frozenset[c_ast.CompoundLiteral] = frozenset()


@dataclass(frozen=True)
class Escaping:
    """Variables of single threads that other threads may reach through pointers, so that they are on the device's heap:
    ``declared`` in device code, private ``copies`` that constructs make, compound ``literals``."""

    declared: frozenset[Symbol] = frozenset()
    copies: frozenset[Symbol] = frozenset()
    literals: frozenset[c_ast.CompoundLiteral] = frozenset()


@dataclass(frozen=True)
class Temporary:
    """A value computed once at the head of the host block: ``const type name = text;``."""

    type: str
    name: str
    text: str


@dataclass(frozen=True)
class Capture:
    """A variable of the enclosing program that a kernel uses.

    ``type`` is the type the kernel sees: the variable's own for LITERAL, a pointer for POINTER and ADDRESS.
    ``row`` is the (0-based) row that supplies the parameter. ``start``: the threads share the storage, to which the
    first of them gives that value; only the launch knows it.
    """

    symbol: Symbol
    transport: Transport
    type: CType
    row: int
    reason: str
    start: Capture | None = None


@dataclass(frozen=True)
class Extent:
    """The length of one dimension of a variable-length array, passed to the kernel as a literal.

    ``dimension`` is 0 for the outermost, which is passed only where the kernel asks for the array's size.
    """

    symbol: Symbol
    name: str
    host_text: str
    row: int
    dimension: int


@dataclass(frozen=True)
class DataMapping:
    """The rows of one construct and what they need. ``temporaries`` come before the arrays in the host block."""

    rows: tuple[MapRow, ...]
    temporaries: tuple[Temporary, ...] = ()

    @property
    def constant_sizes(self) -> bool:
        return all(row.constant_size for row in self.rows)

    @property
    def is_dynamic(self) -> bool:
        """Whether the number of rows, or one's extent, is known only at run time."""
        return any(row.loops or row.covers for row in self.rows)


@dataclass(frozen=True)
class Reduction:
    """``operator`` is the device library's tag (``rex_add``); ``type`` the type of what is combined.

    ``functions`` are combiner and initialiser of a user-defined reduction, which has no tag. Of an array or a section,
    ``count`` elements are combined, times ``length`` where only the run knows that (``whole``: as many as the
    variable-length array has); ``section`` is the first one's index where the list item has one.
    """

    symbol: Symbol
    operator: str
    type: CType
    functions: tuple[Symbol, Symbol] | None = None
    count: int = 0
    section: c_ast.Node | None = None
    locator: Locator | None = None  # the list item, when it is a section
    length: c_ast.Node | None = None
    whole: bool = False

    @property
    def is_variable(self) -> bool:
        """Whether only the run knows how many elements there are."""
        return self.whole or self.length is not None


@dataclass(frozen=True)
class Sharing:
    """Data-sharing attributes that one construct gives to variables (OpenMP 5.2, 5.4)."""

    private: tuple[Symbol, ...] = ()
    firstprivate: tuple[Symbol, ...] = ()
    lastprivate: tuple[Symbol, ...] = ()
    reductions: tuple[Reduction, ...] = ()
    linear: tuple[tuple[Symbol, c_ast.Node | None], ...] = ()  # with the step, None for 1
    alignments: tuple[tuple[Symbol, str], ...] = ()  # of private copies, in bytes: constant expressions

    @property
    def named(self) -> frozenset[Symbol]:
        """Every variable that gets a private copy."""
        return frozenset((*self.private, *self.firstprivate, *self.returned))

    @property
    def returned(self) -> tuple[Symbol, ...]:
        """The variables that get a value from the private copies at the end."""
        return (*(r.symbol for r in self.reductions), *self.lastprivate, *(s for s, _ in self.linear))


@dataclass(frozen=True)
class CanonicalLoop:
    """The facts of one canonical loop (OpenMP 5.2, 4.4.1).

    ``step_value`` is the magnitude of a constant step; otherwise the magnitude is ``step``, negated when
    ``step_negated``. ``relation`` is written with the loop variable on the left.
    """

    symbol: Symbol
    type: CType
    declared: bool
    lower: c_ast.Node
    bound: c_ast.Node
    step: c_ast.Node | None  # None: the constant ``step_value``
    step_value: int | None
    step_negated: bool
    increasing: bool
    relation: str
    span: SourceSpan


@dataclass(frozen=True)
class LoopNest:
    """The loops that one directive associates with itself, outermost first, and what an iteration of them runs.

    ``inner`` are loops in ``body`` that belong to the nest, but cannot be collapsed with the others.
    """

    levels: tuple[CanonicalLoop, ...]
    body: c_ast.Node
    inner: tuple[CanonicalLoop, ...] = ()


@dataclass(frozen=True)
class Schedule:
    """Who runs which iteration. Chunks are expressions in iterations, None where the clause gives none."""

    over: str  # "grid", "teams", "team": whose threads share the iterations; "thread", "first": one runs all in order
    team_chunk: c_ast.Node | None = None  # dist_schedule(static, c)
    thread_chunk: c_ast.Node | None = None  # schedule(static, c)
    even: bool = False  # schedule(static) or dist_schedule(static), observed: contiguous chunks, one each
    runtime: bool = False  # ... unless omp_set_schedule() has asked for chunks: schedule(runtime), observed


@dataclass(frozen=True)
class Atomic:
    """One atomic operation: ``read``, ``write``, ``update`` or ``exchange`` on ``location``.

    ``operator`` is the device library's tag and ``operand`` its other argument (None: the constant 1); ``reversed``
    means ``operand op x``. ``captured`` receives the new or the old value.
    """

    operation: str
    location: c_ast.Node
    operator: str | None
    operand: c_ast.Node | None
    reversed: bool
    captured: c_ast.Node | None
    captures_new: bool
    desired: c_ast.Node | None = None  # ``compare``: what x becomes when it equals ``operand``
    outcome: c_ast.Node | None = None  # ``compare``: receives whether it did
    on_failure: bool = False  # ``compare``: ``captured`` is set only when it did not
    ordered: bool = False  # a memory order stronger than relaxed

    def capturing(self, into: c_ast.Node, new: bool) -> Atomic:
        return replace(self, captured=into, captures_new=new)


@dataclass(frozen=True)
class DeviceConstruct:
    """An OpenMP construct inside device code, directly nested ones combined.

    ``kind`` is ``parallel`` (a region of its own, with a loop when ``nest`` is set), ``loop``, ``sections``,
    ``single``, ``masked``, ``critical``, ``scope``, ``task`` (runs where it is met), ``atomic``, ``barrier``,
    ``flush``, ``error``, ``block`` (its body runs as it stands) or ``nothing``.
    """

    kind: str
    span: SourceSpan
    sharing: Sharing
    body: c_ast.Node | None
    nest: LoopNest | None = None
    schedule: Schedule | None = None
    nowait: bool = False
    num_threads: c_ast.Node | None = None
    condition: c_ast.Node | None = None
    lock: str | None = None
    atomic: Atomic | None = None
    filter: c_ast.Node | None = None
    sections: tuple[c_ast.Node, ...] = ()
    broadcast: tuple[Symbol, ...] = ()  # copyprivate
    message: c_ast.Node | None = None
    fatal: bool = True
    final: c_ast.Node | None = None  # of a task


class InOrder(Enum):
    """When a launch takes fewer threads than the grid has for its loop, because what would be one thread runs it in
    order."""

    NEVER = "never"
    ONE_TEAM = "threads are teams: where there is only one"
    LIMITED_TEAMS = "threads are teams, which can be told how many they are: where their number is limited"
    ONE_THREAD = "blocks are parts of a team: where that has one thread"


@dataclass(frozen=True)
class LaunchShape:
    """Launch geometry. Texts are C expressions; None means the policy decides.

    ``threads``/``teams`` come from clauses and are never changed. ``default_threads`` and ``default_teams`` are what
    the policy starts from, ``thread_cap`` the most it uses for a nest this deep (0: no cap), ``trip_counts`` the
    iterations of the associated loops when the host can know them. ``bound`` is the compile-time bound on threads per
    block for ``__launch_bounds__``.
    """

    threads: str | None
    teams: str | None
    default_threads: int
    default_teams: int
    trip_counts: tuple[str, ...]
    thread_cap: int
    bound: int
    reason: str
    parallel_if: str | None = None  # if(parallel: e): one thread per team when false
    teams_if: str | None = None  # if(teams: e) without num_teams: one team when false
    spread: int = 0  # blocks that a small trip count is spread over, by giving them fewer threads
    most_threads: int = 0  # threads in all beyond which the policy adds no block (0: no such bound)
    icv_teams: bool = False  # OMP_NUM_TEAMS and omp_set_num_teams() limit the teams
    icv_threads: bool = False  # OMP_TEAMS_THREAD_LIMIT and omp_set_teams_thread_limit() limit the threads of a team
    in_order: InOrder = InOrder.NEVER

    @property
    def exact_threads(self) -> int | None:
        """Threads per block, where they are the same constant in every launch."""
        constant = self.threads is not None and self.threads.strip("()").isdigit()
        of_teams = self.in_order in (InOrder.ONE_TEAM, InOrder.LIMITED_TEAMS)
        varies = self.icv_threads or of_teams or self.parallel_if is not None
        return self.bound if constant and not varies else None

    @property
    def trip_count(self) -> str | None:
        """The iterations to cover, if known."""
        return " * ".join(self.trip_counts) or None


@dataclass(frozen=True)
class HostTask:
    """The task that encloses a construct with ``nowait`` or ``depend``: the pragma to print before its block.

    ``after_all``: it depends on all earlier tasks, which are waited for.
    """

    pragma: str
    after_all: bool = False


@dataclass(frozen=True)
class HostCopy:
    """A private copy of a variable in a region's host version; ``initialised`` for firstprivate."""

    name: str
    initialised: bool
    array: bool
    unset: bool = False  # the variable may have no value yet: the region sets its copy before it uses it
    by_teams: bool = False  # each team has one


@dataclass(frozen=True)
class HostLeague:
    """The teams of a region's host version: ``teams`` is C text. They run one after the other; ``once``: all that the
    region does is to share out a loop, which the first of them runs."""

    teams: str
    once: bool


@dataclass(frozen=True)
class Optimisation:
    """What became of one transformation in one region. ``name`` is what ``--no-opt`` takes."""

    name: str
    applied: bool
    reason: str


@dataclass(frozen=True)
class Apart:
    """Two mapped ranges that the host compares: where each begins and how many bytes it has; the first is written.
    ``objects``: both are of variables, not of what pointers point to, and device code that leaves one is wrong."""

    first: str
    first_size: str
    second: str
    second_size: str
    objects: bool


@dataclass(frozen=True)
class DirectKernel:
    """A second kernel, for launches of which the host has seen that what the kernel takes for granted is so.

    ``once``: every iteration has a device thread, and their numbers fit 32 bits. ``tiling`` is the row that carries the
    shape of two-dimensional tiles, in which the threads of a block then lie. ``pointers`` are captures that become
    ``__restrict__``, ``constant`` those that are only read, ``apart`` what the host compares for that.
    """

    once: bool
    tiling: int | None
    pointers: frozenset[Symbol] = frozenset()
    constant: frozenset[Symbol] = frozenset()
    apart: tuple[Apart, ...] = ()


@dataclass(frozen=True)
class TeamSteps:
    """How all threads of a team run a generic region's sequential part together.

    They wait for each other before the statements ``barriers`` and at the end of each iteration of the loops ``ends``;
    ``guarded`` statements are the first thread's. ``shared`` variables live in team memory, the others in every thread.
    ``stateful``: parallel regions need the device library's record of where they run.
    """

    barriers: frozenset[c_ast.Node]
    ends: frozenset[c_ast.Node]
    guarded: frozenset[c_ast.Node]
    shared: frozenset[Symbol]
    stateful: bool


@dataclass(frozen=True)
class ScalarElement:
    """An element that an iteration keeps in a variable: ``element`` is the lvalue, ``uses`` every mention of it.
    ``member`` names the member of a structure, if it is one."""

    symbol: Symbol
    type: CType
    element: c_ast.Node
    uses: tuple[c_ast.Node, ...]
    member: str = ""


@dataclass(frozen=True)
class HoistedRead:
    """A read in the condition of ``loop`` that is made once, before it: ``element`` is the lvalue, ``uses`` are its
    mentions there."""

    loop: c_ast.Node
    symbol: Symbol
    type: CType
    element: c_ast.Node
    uses: tuple[c_ast.Node, ...]


@dataclass(frozen=True)
class Optimised:
    """The transformations of one region (see ``analysis.optimise``). ``scalars`` are for the ``direct`` kernel, and so
    are ``loads`` where that one has ``__restrict__`` pointers; else they and ``constant`` are for both kernels."""

    facts: tuple[Optimisation, ...] = ()
    direct: DirectKernel | None = None
    constant: frozenset[Symbol] = frozenset()
    loads: frozenset[c_ast.Node] = frozenset()
    scalars: tuple[ScalarElement, ...] = ()
    hoists: tuple[HoistedRead, ...] = ()  # as ``loads``
    index32: bool = True


@dataclass(frozen=True)
class TargetRegion:
    """One region that becomes a kernel."""

    index: int
    construct: OmpConstruct
    span: SourceSpan
    directive: str
    function: str
    kernel: str
    identity: str
    kind: KernelKind
    reason: str
    body: c_ast.Node
    nest: LoopNest | None
    schedule: Schedule | None
    sharing: Sharing
    mapping: DataMapping
    captures: tuple[Capture, ...]
    extents: tuple[Extent, ...]
    team_memory: TeamMemory
    shape_row: int | None  # the row that carries the launch shape as a literal, when the kernel needs it
    facts_row: int | None  # the first of the rows with the device's number and kin, when the kernel asks for them
    limits_row: int | None  # the row with the limits of teams, when the kernel asks for or sets them
    launch: LaunchShape
    level: int  # omp_get_level() in the body of a worksharing kernel
    places: bool  # the body can tell which thread or team runs it
    calls: bool  # ... through functions it calls
    leads_out: bool  # the body, or a function it calls, may call functions of other units
    asks_settings: bool  # the body, or a function it calls, asks for or makes settings of its task
    makes_settings: bool  # ... makes them
    device: str
    condition: str | None
    task: HostTask | None
    allocators: tuple[Allocator, ...]  # uses_allocators
    start: int  # offsets in the preprocessed text: the pragma's '#', the statement's first character, and one past it
    body_start: int
    end: int
    fallback: tuple[tuple[int, int, str], ...]  # replacements inside [start, end) that make the host version
    host_team: bool  # constructs in it bind to its team, so the host version needs one of its own, of one thread
    host_limit: str | None  # the most threads that its host version may have in a team, as C text
    host_settings: bool  # it makes settings of its task, which its host version needs
    league: HostLeague | None  # the teams of its host version, where one is not the same
    copies: tuple[HostCopy, ...]  # that the host version needs
    optimised: Optimised = Optimised()
    steps: TeamSteps | None = None
    partials_row: int | None = None  # the row with a place for each block's partial results, for ordered reductions

    @property
    def reduced_elements(self) -> int:
        """What the region's own reductions combine, in scalars."""
        return sum(r.count or 1 for r in self.sharing.reductions)

    @property
    def direct(self) -> tuple[str, str]:
        """The direct kernel's name and its host identity."""
        return self.kernel.removesuffix("kernel__") + "direct__", self.identity.removesuffix("id__") + "direct_id__"

    @property
    def kernels(self) -> tuple[tuple[str, str], ...]:
        """(name, host identity) of each kernel."""
        general = (self.kernel, self.identity)
        return (general, self.direct) if self.optimised.direct is not None else (general,)


@dataclass(frozen=True)
class HostRegion:
    """A target region that stays on the host: the last seven as for :class:`TargetRegion`."""

    span: SourceSpan
    start: int
    end: int
    fallback: tuple[tuple[int, int, str], ...]
    host_team: bool
    host_limit: str | None
    host_settings: bool
    league: HostLeague | None
    copies: tuple[HostCopy, ...]
    task: HostTask | None


@dataclass(frozen=True)
class DataConstruct:
    """``target data``, ``target enter data``, ``target exit data`` or ``target update``.

    For ``target data``, ``end`` is one past its statement; otherwise it is the end of the pragma. For
    use_device_ptr and use_device_addr, ``device_pointers`` lists (row, declaration of the variable that holds the
    device address), and ``renames`` the replacements (start, end, text) that the statement needs.
    """

    directive: str
    span: SourceSpan
    function: str
    mapping: DataMapping
    end_mapping: DataMapping | None
    device: str
    condition: str | None
    task: HostTask | None
    start: int
    pragma_end: int
    end: int
    device_pointers: tuple[tuple[int, str], ...] = ()
    renames: tuple[tuple[int, int, str], ...] = ()


@dataclass(frozen=True)
class DeclareTargetVariable:
    """A variable of static storage that lives on the device. ``device_name`` is its symbol in the image.

    Of a ``link`` variable only a pointer lives there, which a mapping sets: ``device_name`` is the pointer's name, on
    the host too. Of a function's variable only the function knows the address: ``place`` is the offset of the
    directive that declares it, in whose place its entry stands.
    """

    symbol: Symbol
    device_name: str
    entry: bool  # this unit has the variable's definition (or a pointer of its own), and it has a size: a table entry
    link: bool = False
    place: int | None = None


@dataclass(frozen=True)
class TranslationUnitPlan:
    """Everything decided about one unit. Offsets are into the preprocessed text."""

    unit: str
    source_name: str
    regions: tuple[TargetRegion, ...]
    host_regions: tuple[HostRegion, ...]
    data: tuple[DataConstruct, ...]
    variables: tuple[DeclareTargetVariable, ...]
    declarations: tuple[str, ...]  # of what the host compiler's omp.h does not have yet, as lines
    removed_pragmas: tuple[tuple[int, int], ...]  # declare target and its kin
    respelled: tuple[tuple[int, int, str], ...]  # (start, end, text): pragmas outside regions in the host's spelling
    main_body: tuple[int, int] | None  # offsets of where the first statement of main can stand, and of its last brace
    code: DeviceCode  # what kernels use of the unit: functions, types, constants
    constructs: Mapping[OmpConstruct, DeviceConstruct]  # everything nested in kernels and in those functions
    locks: tuple[str, ...]
    shared_memory: bool  # requires unified_shared_memory
    ordered: bool  # reductions combine partial results in the same order in every run
    sema: Sema
    shared: frozenset[Symbol]  # declare target names that other units of a separable device link know too
    escaping: Escaping
    team_functions: Mapping[Symbol, TeamMemory]  # that a team's sequential part calls in a version of their own
    outlined: frozenset[str]  # functions that are not to be inlined

    indirect: tuple[Symbol, ...] = ()  # functions that host pointers may mean on the device (declare target indirect)
    functions_table: str = ""  # the array of their host addresses, on the host and in the image
    recursive: bool = False  # functions of the device code may call themselves: their stacks have no known size
    makes_settings: bool = False  # tasks on the device have settings of their own
    wraps: bool = False  # signed overflow wraps around (-fwrapv)
    fuses: bool = True  # products with sums (not under -ffp-contract=off)

    @property
    def entries(self) -> tuple[str, ...]:
        """Names in the offload entries table, in order: kernels, then variables."""
        found = tuple(name for r in self.regions for name, _ in r.kernels)
        found += tuple(v.device_name for v in self.variables if v.entry and v.place is None)
        found += (self.functions_table,) if self.indirect else ()
        found += tuple(v.device_name for v in self.variables if v.place is not None)
        # Never the first one: older runtimes would take the table for the newer format.
        return (*found, REQUIRES_ENTRY) if found and self.shared_memory else found
