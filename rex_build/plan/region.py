"""A target region that becomes a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ..base.records import dataclass, replace
from ..base.spans import SourceSpan
from .captures import Capture
from .claims import Claim
from .code import Code, Entity
from .host import HostTask, HostVersion
from .host_expression import HostExpression
from .launch import LaunchShape
from .loops import LoopNest, Schedule
from .memory import SHARED_MEMORY, Allocator, TeamMemory
from .optimised import Optimised, TeamSteps
from .rows import DataMapping, Extent, Parameter, Role
from .sharing import Sharing


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
