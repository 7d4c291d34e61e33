"""What transformations rely on, as claims about one kernel, and how the check device verifies each of them.

A proof at compile time leaves a claim behind. ``explain --details`` and ``--json`` list them. Device code for the check
device that is made with ``--claims`` runs a region as it is written, and watches whether its claims hold.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

from ..base.diagnostics import SourceSpan
from ..base.records import dataclass
from .constructs import CanonicalLoop, Code, Entity, Type


class ClaimKind(Enum):
    """What is claimed. The value is its name in ``explain`` and in what the check device says."""

    INDEPENDENT = "independent iterations"  # they touch no element in conflict
    APART = "memory apart"  # what a kernel writes through one name it reaches through no other
    UNWRITTEN = "unwritten memory"  # nobody writes it while the kernel runs
    REPEATABLE = "repeatable"  # running statements again changes nothing
    EXACT = "exact update"  # the same in any order of the parts that are combined
    FITS = "fits"  # a number does not wrap
    SAME = "same value"  # in all iterations, or for all threads
    MAPPED = "mapped memory"  # a kernel touches nothing but what its region maps


CHECKS = {
    ClaimKind.INDEPENDENT: "by the elements that each iteration touches",
    ClaimKind.APART: "by the elements that are reached through each name",
    ClaimKind.UNWRITTEN: "by the elements that are read and written",
    ClaimKind.REPEATABLE: "the statements run twice, and the variables are compared",
    ClaimKind.EXACT: "the update is made both ways with the values that occur",
    ClaimKind.FITS: "computed in 128 bits",
    ClaimKind.SAME: "compared each time",
    ClaimKind.MAPPED: "the check device looks at each access anyway",
}


@dataclass(frozen=True)
class WatchedLoop:
    """A loop, and what each of its iterations runs."""

    loop: Code
    body: Code


@dataclass(frozen=True)
class WatchedLoops:
    """The loops of each level, outermost first. An iteration of the last level is one of all its loops.

    The levels are inside an iteration of the kernel's own loops. ``alone``, a loop is watched each time that it runs.
    What the iterations only combine with values, and a counter from around the loop, is ``left_out``.
    """

    levels: tuple[tuple[WatchedLoop, ...], ...]
    alone: bool
    left_out: tuple[Entity, ...] = ()


@dataclass(frozen=True)
class WatchedAccess:
    """An element that is accessed through one of the variables ``roots``, or a call that accesses their memory."""

    roots: tuple[Entity, ...]
    code: Code
    writes: bool
    calls: bool


@dataclass(frozen=True)
class WatchedAccesses:
    """The accesses of a kernel. Nothing is written behind ``roots`` that another name reaches."""

    accesses: tuple[WatchedAccess, ...]
    roots: frozenset[Entity]


@dataclass(frozen=True)
class WatchedUpdates:
    """The statements that combine a variable, or one of its ``elements``, with values. ``operator`` is the device
    library's tag, and ``type`` what is combined, if that is not an element."""

    symbol: Entity
    type: Type | None
    operator: str
    statements: tuple[Code, ...]
    elements: tuple[Code, ...] = ()


@dataclass(frozen=True)
class WatchedCounts:
    """Loops whose iterations are counted together in 32 bits."""

    levels: tuple[CanonicalLoop, ...]


@dataclass(frozen=True)
class WatchedTrips:
    """A loop that has the same number of iterations whenever the kernel comes to it."""

    loop: WatchedLoop
    level: CanonicalLoop


@dataclass(frozen=True)
class WatchedReads:
    """An element whose ``uses`` have one value each time that ``loop`` runs."""

    loop: WatchedLoop
    type: Type
    element: Code
    uses: tuple[Code, ...]


@dataclass(frozen=True)
class WatchedElement:
    """The mentions of one element: all of them are the same one in an iteration of the kernel."""

    uses: tuple[Code, ...]


@dataclass(frozen=True)
class WatchedNeighbours:
    """An element of each iteration of the kernel. That of the next iteration follows in memory."""

    element: Code


@dataclass(frozen=True)
class WatchedFront:
    """The statements in front of a loop, and the thread's own variables that they change."""

    loop: WatchedLoop
    statements: tuple[Code, ...]
    changed: tuple[Entity, ...]


Watched: TypeAlias = (
    WatchedLoops
    | WatchedAccesses
    | WatchedUpdates
    | WatchedCounts
    | WatchedTrips
    | WatchedReads
    | WatchedElement
    | WatchedNeighbours
    | WatchedFront
)


@dataclass(frozen=True)
class Claim:
    """One thing that a transformation relies on. ``supports`` is the transformation, ``about`` says what is claimed.

    ``watched`` is what the check device looks at, but for what is ``unchecked``. Without it, ``unchecked`` says why no
    run can tell, if the device does not look at that anyway.
    """

    kind: ClaimKind
    supports: str
    about: str
    span: SourceSpan
    watched: Watched | None = None
    unchecked: str = ""

    @property
    def check(self) -> str:
        """How the claim is verified."""
        if not self.unchecked:
            return CHECKS[self.kind]
        return f"{CHECKS[self.kind]}, but for {self.unchecked}" if self.watched else f"not checked: {self.unchecked}"


@dataclass(frozen=True)
class Watching:
    """A statement of which something is claimed, by the claims' names in device code. A loop has a ``body``."""

    claims: tuple[tuple[str, Claim], ...]
    body: Code | None = None
