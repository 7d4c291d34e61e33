"""Where variables of device code live."""

from __future__ import annotations

from collections.abc import Mapping

from ..base.records import dataclass
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


def too_large(sizes: Mapping[Entity, int], room: int = SHARED_MEMORY) -> frozenset[Entity]:
    """The largest variables, as many as must go so that the others fit into shared memory."""
    total, found = sum(sizes.values()), set[Entity]()
    for symbol in sorted(sizes, key=lambda s: (-sizes[s], s.name)):
        if total <= room:
            break
        total -= sizes[symbol]
        found.add(symbol)
    return frozenset(found)


@dataclass(frozen=True)
class TeamMemory:
    """The objects of a team's sequential part that are in memory which all threads of the team reach.

    ``shared`` variables are in the block's shared memory, except those in ``heap``, which are too large for it.
    ``literals`` are compound literals.
    """

    shared: frozenset[Entity] = frozenset()
    heap: frozenset[Entity] = frozenset()
    literals: frozenset[Code] = frozenset()


@dataclass(frozen=True)
class Escaping:
    """Objects of single threads that are on the device's heap, because other threads may reach them through pointers.

    They are variables ``declared`` in device code, private ``copies`` that constructs make, and compound ``literals``.
    """

    declared: frozenset[Entity] = frozenset()
    copies: frozenset[Entity] = frozenset()
    literals: frozenset[Code] = frozenset()
