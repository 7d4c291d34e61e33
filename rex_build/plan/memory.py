"""Where variables of device code live."""

from __future__ import annotations

from pycparser import c_ast

from ..base.records import dataclass
from ..c.sema import Symbol


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
