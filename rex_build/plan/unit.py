"""The plan of a unit, with the target regions that become kernels, its data constructs, device code and target tasks,
what the host file needs around constructs, and a check that it holds together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum

from ..base.diagnostics import InternalError, Replacement, SourceSpan
from ..base.names import GeneratedNames
from ..base.records import dataclass, field, replace
from ..directives.combined import older_dependences
from ..directives.model import DependClause, Directive, ReductionClause
from .claims import Claim
from .constructs import (
    REDUCTION_LOCK,
    SHARED_MEMORY,
    Allocator,
    Code,
    DeviceConstruct,
    Entity,
    Escaping,
    LoopNest,
    Schedule,
    Sharing,
    TeamMemory,
)
from .host_expression import HostExpression
from .launch import LaunchShape
from .optimised import Optimised, TeamSteps
from .rows import MEMBER_OF_SHIFT, Capture, DataMapping, Extent, Map, Parameter, Role, Transport

REQUIRES_ENTRY, REQUIRES_SHARED_MEMORY = ".requires", 8  # an entry of the offload table that names no symbol


@dataclass(frozen=True)
class HostTask:
    """The task that encloses a construct with ``nowait`` or ``depend``: ``pragma`` is printed before its block.

    With ``after_all`` the task depends on all earlier tasks, so the host waits for these first.
    """

    pragma: str
    after_all: bool = False


@dataclass(frozen=True)
class HostCopy:
    """A private copy of a variable in a region's host version. It is ``initialised`` for ``firstprivate``. ``original``
    names the variable where its name alone does not."""

    name: str
    initialised: bool
    array: bool
    unset: bool = False  # the variable may have no value yet, because the region sets its copy before it uses it
    by_teams: bool = False  # each team has a copy of its own
    type: str = ""  # if it is not that of the variable, as that of a copy which may be a reference
    original: str = ""


@dataclass(frozen=True)
class HostLeague:
    """The teams of a region's host version, which run one after the other.

    With ``once``, the region does nothing but share out a loop, and the first team runs all of this loop.
    """

    teams: HostExpression
    once: bool


@dataclass(frozen=True)
class PlacedForm:
    """What a host compiler sees of a directive: lines in place of its pragma, and lines after its statement.

    The places are offsets in the preprocessed text: the pragma's ``#``, the end of its line, and one past its
    statement. A directive without a statement ends at ``pragma_end``.
    """

    start: int
    pragma_end: int
    end: int
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class HostVersion:
    """A target region as the host runs it when there is no device for it."""

    forms: tuple[PlacedForm, ...]  # of the region's own directive and of those inside
    team: bool  # constructs inside bind to the region's team, so it needs a team of its own, with one thread
    limit: HostExpression | None  # the most threads that a team of the region may have
    settings: bool  # the region changes settings of its task, so it needs a task of its own
    league: HostLeague | None  # the region's teams, where running one team would not do the same
    copies: tuple[HostCopy, ...]


@dataclass(frozen=True)
class HostRegion:
    """A target region that stays on the host, or one of a template of which no instantiation ``runs``. Its offsets mean
    the same as those of :class:`TargetRegion`."""

    span: SourceSpan
    start: int
    end: int
    host: HostVersion
    task: HostTask | None
    runs: bool = True


class KernelKind(Enum):
    """How a region runs on the device."""

    WORKSHARING = "worksharing"  # the loop is the kernel
    PARALLEL = "spmd"  # one `target parallel` region: every thread of the team runs the body
    TEAMS = "generic"  # the team's initial thread runs the body, nested parallel regions use the others
    SERIAL = "serial"  # as TEAMS, without any nested parallel region: one thread per team


@dataclass(frozen=True)
class Instances:
    """The instantiations of the template that a region is in, each with a kernel of its own.

    ``own`` are the template's parameters as arguments, as in ``<T, N>``. ``arguments`` are those of each instantiation,
    as in ``<double, 3>``, and ``scope`` is the namespace that the identities are in, as in ``::app::``.
    """

    own: str
    arguments: tuple[str, ...]
    scope: str


@dataclass(frozen=True)
class TargetRegion:
    """One region that becomes a kernel, or several if it is in a template."""

    index: int
    span: SourceSpan
    directive: str
    function: str
    kernel: str
    identity: str
    kind: KernelKind
    reason: str
    body: Code
    changed: frozenset[Entity]  # what the body changes, or may change through pointers
    nest: LoopNest | None
    schedule: Schedule | None
    sharing: Sharing
    mapping: DataMapping
    captures: tuple[Capture, ...]
    extents: tuple[Extent, ...]
    team_memory: TeamMemory
    launch: LaunchShape
    level: int  # what omp_get_level() returns in the body of a worksharing kernel
    places: bool  # the body, or a function it calls, can tell which thread or team runs it
    calls: bool  # the body calls functions of the unit, or perhaps of other units
    calls_other_units: bool  # the body, or a function it calls, may call functions of other units
    asks_settings: bool  # the body, or a function it calls, reads or changes settings of its task, as regions do
    makes_settings: bool  # the body, or a function it calls, changes settings of its task
    device: HostExpression
    condition: HostExpression | None
    task: HostTask | None
    allocators: tuple[Allocator, ...]  # of uses_allocators
    start: int  # offsets in the preprocessed text: the pragma's '#', the statement's first character, and one past it
    body_start: int
    end: int
    host: HostVersion  # what runs when there is no device for the region
    optimised: Optimised = Optimised()
    steps: TeamSteps | None = None
    counts_threads: bool = False  # only a clause's limit says how many threads a team has, and the body can tell it
    asked_threads: bool = False  # 'num_threads' says how many threads its own parallel region has
    instances: Instances | None = None
    changed_copies: frozenset[Entity] = frozenset()  # changed variables that no clause mentions, copied for the region
    in_order: bool = False  # it is in a run: its kernel is waited for after the run, if all its data is on the device
    in_callers_run: bool = False  # it is in no run itself, but in those that call its function
    own_rows: tuple[int, ...] = ()  # in a run, the rows of scalars that no other thread can reach

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of its kernels, in order."""
        return self.mapping.parameters

    def has(self, role: Role) -> bool:
        """Whether a kernel has a parameter for something."""
        return self.mapping.parameter(role) is not None

    @property
    def gathers(self) -> bool:
        """Whether what its own reductions combine is gathered apart from the originals, which all read first."""
        return any(r.reads_original for r in self.sharing.reductions)

    @property
    def reduced_elements(self) -> int:
        """How many scalars the region's own reductions combine."""
        return sum(r.count or 1 for r in self.sharing.reductions)

    @property
    def direct(self) -> tuple[str, str]:
        """The direct kernel's name and its host identity."""
        return self.kernel.removesuffix("kernel__") + "direct__", self.identity.removesuffix("id__") + "direct_id__"

    @property
    def collapsed(self) -> tuple[str, str]:
        """The name and the host identity of the collapsed kernel, or of the one with staged loops."""
        found = self.optimised.collapsed
        what = "staged" if found is not None and found.optimised.staged else "collapsed"
        return self.kernel.removesuffix("kernel__") + f"{what}__", self.identity.removesuffix("id__") + f"{what}_id__"

    @property
    def walking(self) -> tuple[str, str]:
        """The name and the host identity of the kernel for ``Walks``."""
        return self.kernel.removesuffix("kernel__") + "walking__", self.identity.removesuffix("id__") + "walking_id__"

    @property
    def walking_optimised(self) -> Optimised | None:
        """The transformations of the kernel for ``Walks``, or None if there is no such kernel."""
        return self.optimised.walks.optimised if self.optimised.walks is not None else None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What the transformations of its kernels rely on."""
        collapsed, walking = self.optimised.collapsed, self.walking_optimised
        others = (collapsed.optimised if collapsed is not None else None, walking)
        return (*self.optimised.claims, *(claim for one in others if one is not None for claim in one.claims))

    @property
    def kernels(self) -> tuple[tuple[str, str], ...]:
        """(name, host identity) of each kernel."""
        found = [(self.kernel, self.identity)]
        found += [self.direct] if self.optimised.direct is not None else []
        found += [self.collapsed] if self.optimised.collapsed is not None else []
        found += [self.walking] if self.walking_optimised is not None else []
        if (made := self.instances) is None:
            return tuple(found)
        return tuple(
            (f"{name}{number}", f"{made.scope}{identity}{arguments}::id")
            for number, arguments in enumerate(made.arguments, 1)
            for name, identity in found
        )

    def launched(self, identity: str) -> str:
        """What a launch names as the identity of the kernel: in a template, that of the instantiation."""
        return identity if self.instances is None else f"{identity}{self.instances.own}::id"


def within_shared_memory(regions: Sequence[TargetRegion]) -> list[TargetRegion]:
    """A unit's regions so that the variables of their teams fit into shared memory together.

    Kernels call parallel regions through pointers, so ptxas reserves for each kernel what all of them have.
    """
    found, room = list(regions), SHARED_MEMORY
    calling = [number for number, region in enumerate(found) if region.kind is KernelKind.TEAMS and not region.steps]
    for number in sorted(calling, key=lambda number: found[number].team_memory.bytes):
        memory = found[number].team_memory.within(room)
        found[number] = replace(found[number], team_memory=memory)
        room -= memory.bytes
    return found


# The target task of a construct, which the host makes around its block.

def target_task(
    directive: Directive, kept: Collection[str], variables: Callable[[], tuple[list[str], list[str]]] | None = None
) -> HostTask | None:
    """The target task of a construct with ``nowait``, ``depend`` or ``in_reduction``, or None without these clauses.

    ``variables`` gives (the variables that the task gets copies of, those that it shares). Without it, the task cannot
    be deferred. The names ``kept`` are neither. Inside the task, a variable in ``in_reduction`` is the host's private
    copy, which the construct then maps.

    Host compilers may not know ``inoutset``: ``inout`` stands for it, which orders more than is needed. They may not
    know ``omp_all_memory`` either: such a construct begins when all earlier tasks are done, and nothing else begins
    before it ends.
    """
    depends = [c for c in directive.all("depend") if isinstance(c, DependClause)]
    reductions = [c for c in directive.all("in_reduction") if isinstance(c, ReductionClause)]
    nowait = variables is not None and directive.has("nowait")
    if not depends and not reductions and not nowait:
        return None
    after_all = any(item.name == "omp_all_memory" for c in depends for item in c.items)
    deferred = nowait and not after_all
    words = ["task"] if deferred else ["task if(0) default(shared)"]
    words += [f"depend({text})" for text in map(_dependence, depends) if text]
    words += [f"in_reduction({c.operator}: {', '.join(item.text for item in c.items)})" for c in reductions]
    if deferred and variables is not None:
        reduced = {item.name for c in reductions for item in c.items}
        copied, shared = variables()
        if copied := [name for name in copied if name not in reduced and name not in kept]:
            words.append(f"firstprivate({', '.join(copied)})")
        if shared := [name for name in shared if name not in reduced]:
            words.append(f"shared({', '.join(shared)})")
    return HostTask(" ".join(words), after_all)


def _dependence(clause: DependClause) -> str:
    """The clause's argument for host compilers. It is empty if nothing is left of the clause."""
    kept = [item.text for item in clause.items if item.name != "omp_all_memory"]
    if clause.items and len(kept) < len(clause.items):
        return f"{clause.kind}: {', '.join(kept)}" if kept else ""
    return older_dependences(clause.text)


# The functions and variables of the unit that kernels use.

@dataclass(frozen=True)
class DeviceFunction:
    """A function of the device code. ``team`` is set if a team's sequential part calls another version of it."""

    variable: Entity
    code: Code
    team: TeamMemory | None = None


@dataclass(frozen=True)
class DeviceCode:
    """What the device text must define, apart from types, which are up to the front end's printer.

    In ``functions``, callees stand before callers. Those in ``declared_early`` are declared before any definition.
    ``globals`` are the file-scope variables that functions or initialisers of such variables use. ``system_headers``
    are the names of headers that provide types. ``elsewhere`` are the functions that other units of a separable device
    link define.
    """

    functions: tuple[DeviceFunction, ...] = ()
    declared_early: tuple[DeviceFunction, ...] = ()
    globals: tuple[Entity, ...] = ()
    system_headers: tuple[str, ...] = ()
    elsewhere: tuple[Entity, ...] = ()


# What is decided about a data construct.

@dataclass(frozen=True)
class DataConstruct:
    """``target data``, ``target enter data``, ``target exit data`` or ``target update``.

    ``end`` is one past the statement of ``target data``, and the end of the pragma for the others. For
    ``use_device_ptr`` and ``use_device_addr``, ``device_pointers`` lists (row, declaration of the variable that holds
    the device address, the cast that C++ needs), and ``renames`` lists what is replaced in the statement.
    """

    directive: str
    span: SourceSpan
    function: str
    mapping: DataMapping
    end_mapping: DataMapping | None
    device: HostExpression
    condition: HostExpression | None
    task: HostTask | None
    start: int
    pragma_end: int
    end: int
    device_pointers: tuple[tuple[int, str, str], ...] = ()
    renames: tuple[Replacement, ...] = ()


# The plan: every decision about a translation unit, taken once, before any text is printed.
#
# Host text and device text are printed from the same plan, so they cannot disagree.
#
# A front end fills the plan. The user's code in kernels, variables and types are its own (:mod:`.constructs`), and it
# prints them for the renderers (:mod:`.printer`). Everything else is plain data: kinds, names, offsets, rows, launch
# shapes, reasons.


@dataclass(frozen=True)
class DeclareTargetVariable:
    """A variable with static storage that lives on the device. ``device_name`` is its symbol in the image.

    Of a ``link`` variable, only a pointer lives on the device, and a mapping sets this pointer. ``device_name`` is then
    the pointer's name, on the host too. The address of a function's variable is known only in the function. So its
    entry stands in the place of the directive that declares it, and ``place`` is the offset of this directive.
    """

    symbol: Entity
    device_name: str
    entry: bool  # it has an entry: this unit defines it, or has a pointer of its own, and its size is not zero
    link: bool = False
    place: int | None = None
    static_function: str = ""  # the static function that it is in, which a compiler may leave out


@dataclass(frozen=True)
class CallingRun:
    """Statements that are a run with calls, from ``start`` to ``end``.

    With ``external`` they call functions that are not static. In code for shared libraries these may be others than the
    unit's, and then they are no run. ``is_block`` is false if they declare something.
    """

    start: int
    end: int
    external: bool
    is_block: bool


@dataclass(frozen=True)
class TranslationUnitPlan:
    """Everything decided about one unit. Offsets are into the preprocessed text."""

    unit: str
    source_name: str
    regions: tuple[TargetRegion, ...]
    host_regions: tuple[HostRegion, ...]
    data: tuple[DataConstruct, ...]
    variables: tuple[DeclareTargetVariable, ...]
    declarations: tuple[str, ...]  # lines that declare what the host compiler's omp.h does not have yet
    host_forms: tuple[PlacedForm, ...]  # of directives outside of regions
    replacements: tuple[Replacement, ...]  # of words in the host's text
    # Offsets: where the first statement of main can stand, and main's last brace. That is None in C++, where
    # declarations may follow a statement.
    main_body: tuple[int, int | None] | None
    constructs: Mapping[Code, DeviceConstruct]  # all that are nested in kernels and in functions that they call
    shared_memory: bool  # requires unified_shared_memory
    separable: bool  # other units' functions may be called, and calls by address may lead to them
    shared: frozenset[Entity]  # declare target names that other units of a separable device link know, too
    code: DeviceCode = DeviceCode()  # the functions and variables of the unit that kernels use, unless they are text
    escaping: Escaping = Escaping()
    kept_as_calls: frozenset[str] = frozenset()  # functions that are not inlined
    ordered: bool = False  # reductions combine partial results in the same order in every run
    elsewhere: tuple[tuple[str, SourceSpan], ...] = ()  # symbols that other units have to define, with their first use
    indirect: tuple[Entity, ...] = ()  # functions that host pointers may mean on the device (declare target indirect)
    functions_table: str = ""  # the array of their host addresses, on the host and in the image
    recursive: bool = False  # functions of the device code may call themselves, so the stack's size is not known
    makes_settings: bool = False  # tasks on the device have settings of their own
    wraps: bool = False  # signed overflow wraps around (-fwrapv)
    names: GeneratedNames = GeneratedNames()
    definitions: tuple[str, ...] = ()  # lines that the host file ends with, before the offload table
    shared_code: tuple[tuple[int, int], ...] = ()  # functions that other units may have, too: their statics are one
    waits: tuple[tuple[int, int], ...] = ()  # the extents of statements behind which kernels are waited for
    calling_runs: tuple[CallingRun, ...] = ()
    claims: bool = False  # device code is for the check device, and watches what transformations rely on
    unrolled: frozenset[Code] = frozenset()  # loops of which all iterations are written out
    tables: frozenset[Entity] = frozenset()  # constant arrays of functions, of which one serves all calls
    in_regions: frozenset[Code] = frozenset()  # definitions of functions that only regions of whole teams call
    in_sequence: Mapping[Code, TeamMemory] = field(default_factory=dict)  # those with one version, which is for teams
    fuses: bool = True  # products are fused with sums (not under -ffp-contract=off)
    rounds: bool = True  # quotients and square roots are rounded as IEEE 754 says (not under -ffast-math)

    @property
    def locks(self) -> tuple[str, ...]:
        """The locks that device code takes."""
        sharings = [*(c.sharing for c in self.constructs.values()), *(r.sharing for r in self.regions)]
        is_declared = any(r.functions is not None for sharing in sharings for r in sharing.reductions)
        named = sorted({c.lock for c in self.constructs.values() if c.lock})
        return (*named, *([REDUCTION_LOCK] if is_declared else []))

    @property
    def team_functions(self) -> Mapping[Entity, TeamMemory]:
        """The functions of which a team's sequential part calls another version."""
        return {f.variable: f.team for f in self.code.functions if f.team is not None}

    @property
    def entries(self) -> tuple[str, ...]:
        """The names in the offload table, in order: kernels, then variables."""
        found = tuple(name for r in self.regions for name, _ in r.kernels)
        found += tuple(v.device_name for v in self.variables if v.entry and v.place is None)
        found += (self.functions_table,) if self.indirect else ()
        found += tuple(v.device_name for v in self.variables if v.place is not None)
        # This entry is never the first one: older runtimes would then take the table for one of the newer format.
        return (*found, REQUIRES_ENTRY) if found and self.shared_memory else found

    @property
    def looked_up(self) -> tuple[str, ...]:
        """The names of the device's variables in the offload table."""
        kernels = {name for r in self.regions for name, _ in r.kernels}
        return tuple(name for name in self.entries if name not in kernels and name != REQUIRES_ENTRY)


# Checks that a plan is legal. A violation is a bug in rex-build, found before a C compiler sees the text.

def check_plan(plan: TranslationUnitPlan) -> None:
    """Raise InternalError when the plan contradicts itself."""
    names = plan.entries
    if len(set(names)) != len(names):
        raise InternalError("two offload entries have one name")
    for region in plan.regions:
        _check_region(region)
    for data in plan.data:
        for number, row in enumerate(data.mapping.rows, 1):
            if row.flags & Map.TARGET_PARAM:
                raise InternalError(f"{data.span}: row {number} of a data construct is a kernel parameter")


def _check_region(region: TargetRegion) -> None:
    rows = region.mapping.rows
    suppliers = [number for number, row in enumerate(rows) if row.flags & Map.TARGET_PARAM]
    taken = [parameter.row for parameter in region.parameters]
    if taken != suppliers:
        raise InternalError(f"{region.span}: kernel parameters {taken} do not match rows {suppliers}")
    if len({c.symbol for c in region.captures}) != len(region.captures):
        raise InternalError(f"{region.span}: a variable is captured twice")
    for capture in region.captures:
        if capture.transport is Transport.WORDS:
            continue
        parameter = region.mapping.parameter(Role.VARIABLE, capture.symbol)
        if parameter is None:
            raise InternalError(f"{region.span}: no kernel parameter brings '{capture.symbol.name}'")
        literal = bool(rows[parameter.row].flags & Map.LITERAL)
        if capture.transport is Transport.LITERAL and not literal:
            raise InternalError(f"{region.span}: '{capture.symbol.name}' is a literal without a literal row")
    for number, row in enumerate(rows):
        parent = row.flags >> MEMBER_OF_SHIFT
        if parent > number:
            raise InternalError(f"{region.span}: row {number + 1} names the later row {parent} as its parent")
