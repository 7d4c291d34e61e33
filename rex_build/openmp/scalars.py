"""How a scalar of which a region has copies reaches the kernel: by value, or in storage that its threads share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property

from ..base.records import dataclass
from ..plan.code import Entity
from ..plan.region import KernelKind
from ..plan.sharing import Sharing


@dataclass(frozen=True)
class Accesses:
    """What a region's body does with variables from outside.

    It changes those in ``changed``, and takes the addresses of those in ``addressed``. ``ordered`` gives those whose
    accesses by different threads it may order, as atomics do; None means all. They are found when somebody asks.
    """

    changed: Collection[Entity]
    addressed: Collection[Entity]
    find_ordered: Callable[[], Collection[Entity] | None]

    @cached_property
    def ordered(self) -> Collection[Entity] | None:
        return self.find_ordered()


def needs_storage(
    symbol: Entity,
    kind: KernelKind,
    leaves: Sequence[str],
    sharing: Sharing,
    innermost: Sharing,
    accesses: Accesses,
    *,
    is_volatile: bool,
) -> bool:
    """Whether threads that share a firstprivate scalar of the region could see each other's changes to it.

    ``sharing`` is the region's, and ``innermost`` what the innermost of its constructs says alone.
    """
    if symbol not in accesses.changed and symbol not in {r.symbol for r in sharing.reductions}:
        return symbol in sharing.lastprivate
    copied = symbol in {*sharing.firstprivate, *sharing.private}
    if copied and symbol in {*innermost.firstprivate, *innermost.private} and len(leaves) > 1:
        return False
    if kind is not KernelKind.PARALLEL and symbol not in sharing.returned and not is_volatile:
        # Reading what another thread wrote would be a data race here, so a copy for each thread does as well.
        ordered = None if symbol in accesses.addressed else accesses.ordered
        if ordered is not None and symbol not in ordered:
            return False
    if kind in (KernelKind.SERIAL, KernelKind.TEAMS):
        return "teams" in leaves
    return True
