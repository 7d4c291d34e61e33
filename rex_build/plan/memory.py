"""Where variables of device code live."""

from __future__ import annotations

from ..base.records import dataclass, replace
from .code import Code, Entity
from .host_expression import HostExpression


@dataclass(frozen=True)
class Allocator:
    """A handle that ``uses_allocators`` makes, with the texts that make it for the kernel and for the host version."""

    name: str
    device: HostExpression
    host: HostExpression


# In bytes. A block has 48 KiB of shared memory without special requests, and the device library needs some of it.
SHARED_MEMORY = 32 * 1024
SHARED_MEMORY_ALONE = 47 * 1024  # in kernels that use nothing of the device library's that is in shared memory


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
