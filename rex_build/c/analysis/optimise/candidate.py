"""What is known of a region before its transformations are decided."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ....base.records import dataclass
from ....optimise.obstacle import CHUNKS
from ....plan.captures import Capture
from ....plan.launch import LaunchShape
from ....plan.loops import LoopNest, Over, Schedule
from ....plan.region import KernelKind
from ....plan.rows import DataMapping
from ....plan.sharing import Sharing
from ...sema import Sema
from ...syntax.nodes import ParsedUnit
from ..host_bounds import HostView
from ..nesting import constructs_in


@dataclass(frozen=True)
class Candidate:
    """A region as far as it is planned: its ``body`` is the whole statement, in which the ``nest`` is.

    ``places`` is true if its body can tell which thread runs it, ``shared_memory`` if it can reach all memory of the
    host. ``view`` is what its host side sees. If it is ``claimed``, the plan says what transformations rely on.
    """

    unit: ParsedUnit
    view: HostView
    kind: KernelKind
    body: c_ast.Node
    nest: LoopNest | None
    schedule: Schedule | None
    sharing: Sharing
    captures: Sequence[Capture]
    mapping: DataMapping
    launch: LaunchShape
    places: bool
    shared_memory: bool
    claimed: bool

    @property
    def waits(self) -> bool:
        """Whether threads wait for each other inside the kernel, and see then what others have written."""
        return self.kind in (KernelKind.TEAMS, KernelKind.PARALLEL)

    @property
    def chunks(self) -> bool:
        """Whether a scheduler distributes the iterations in chunks."""
        schedule = self.schedule
        return schedule is None or schedule.team_chunk is not None or schedule.thread_chunk is not None or schedule.even


def not_spread(region: Candidate) -> str | None:
    """Why a kernel is not one loop nest whose iterations are spread evenly over the grid, or None if it is."""
    schedule = region.schedule
    if (
        region.kind is not KernelKind.WORKSHARING
        or region.nest is None
        or schedule is None
        or schedule.over is not Over.GRID
    ):
        return "only for kernels that are one loop nest"
    if region.chunks:
        return CHUNKS
    return None


# Constructs that do not depend on which thread of a block runs them.
_ANYWHERE = frozenset({"atomic", "critical", "simd", "flush", "nothing", "assume", "error"})


def has_regions(sema: Sema, nest: LoopNest | None) -> bool:
    """Whether a body has constructs for which the device library numbers a block's threads in one dimension."""
    found = constructs_in(sema, nest.body) if nest is not None else []
    return any(not _ANYWHERE.issuperset(c.directive.constructs) for c in found)
