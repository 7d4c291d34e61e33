"""Where the addresses of variables of single threads go: which other threads may get.

On a GPU every thread has its own stack, and the address of a variable on it means another place to every other thread.
Variables that other threads may reach are therefore on the device's heap. Others whose address is taken stay on the
stack, where they cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from ..plan.constructs import DeviceConstruct, Entity, LoopNest, Sharing
from ..plan.rows import Transport
from ..plan.unit import KernelKind, TargetRegion
from ..tree import nodes as tree
from ..tree.symbols import Function

if TYPE_CHECKING:
    from .addresses import AddressFlow


def has_one_thread(region: TargetRegion) -> bool:
    one_team = region.launch.teams is None and region.launch.default_teams == 1
    return region.kind is KernelKind.SERIAL and one_team


def shared_in_teams(regions: Iterable[TargetRegion]) -> set[Entity]:
    return {s for r in regions for s in (*r.team_memory.shared, *r.team_memory.heap)}


def private_copies(regions: Sequence[TargetRegion], constructs: Mapping[Any, DeviceConstruct]) -> set[Entity]:
    """The variables of which constructs make private copies."""
    nests: list[LoopNest | None] = [*(r.nest for r in regions), *(c.nest for c in constructs.values())]
    copies = {s for sharing, _ in _sharings(regions, constructs) for s in sharing.named}
    return copies | {level.symbol for nest in nests if nest is not None for level in nest.levels}


def passed_by_value(regions: Iterable[TargetRegion], is_array: Callable[[Entity], bool]) -> set[Entity]:
    """The variables whose values threads get as parameters of their kernel."""
    return {
        capture.symbol
        for region in regions
        for capture in region.captures
        if capture.transport is not Transport.ADDRESS and capture.symbol not in region.team_memory.shared
        if not is_array(capture.symbol)
    }


def _sharings(
    regions: Iterable[TargetRegion], constructs: Mapping[Any, DeviceConstruct]
) -> list[tuple[Sharing, tuple[Entity, ...]]]:
    return [*((r.sharing, ()) for r in regions), *((c.sharing, c.broadcast) for c in constructs.values())]


def address_flow(
    regions: Sequence[TargetRegion], constructs: Mapping[Any, DeviceConstruct],
    body: Callable[[Function], tree.Body | None], is_library: Callable[[Function], bool], by_value: AbstractSet[Entity],
    elsewhere: AbstractSet[Entity], separable: bool, trusting: bool = False,
) -> AddressFlow:  # fmt: skip
    """Where addresses go by what the constructs say. The code comes next. ``elsewhere`` are variables of functions that
    also exist in shared memory."""
    from ..tree.points_to import WORLD
    from .addresses import AddressFlow

    copies, shared = private_copies(regions, constructs), shared_in_teams(regions)
    flow = AddressFlow(body, is_library, by_value, copies, shared, elsewhere, separable, trusting)
    for sharing, broadcast in _sharings(regions, constructs):
        for symbol in (*broadcast, *sharing.lastprivate, *(r.symbol for r in sharing.reductions)):
            flow.copy(symbol, WORLD)  # other threads get its value
            flow.copy(WORLD, symbol)
        for symbol in sharing.firstprivate:
            flow.copy(WORLD, symbol)
    for symbol in by_value:
        flow.copy(WORLD, symbol)
    return flow
