"""Where variables of device code live."""

from __future__ import annotations

from pycparser import c_ast

from ..base.records import dataclass
from ..c.sema import Symbol
from .host_expression import HostExpression


@dataclass(frozen=True)
class Allocator:
    """A handle that ``uses_allocators`` makes, with the texts that make it for the kernel and for the host version."""

    name: str
    device: HostExpression
    host: HostExpression


@dataclass(frozen=True)
class TeamMemory:
    """The objects of a team's sequential part that are in memory which all threads of the team reach.

    ``shared`` variables are in the block's shared memory, except those in ``heap``, which are too large for it.
    ``literals`` are compound literals.
    """

    shared: frozenset[Symbol] = frozenset()
    heap: frozenset[Symbol] = frozenset()
    literals: frozenset[c_ast.CompoundLiteral] = frozenset()


@dataclass(frozen=True)
class Escaping:
    """Objects of single threads that are on the device's heap, because other threads may reach them through pointers.

    They are variables ``declared`` in device code, private ``copies`` that constructs make, and compound ``literals``.
    """

    declared: frozenset[Symbol] = frozenset()
    copies: frozenset[Symbol] = frozenset()
    literals: frozenset[c_ast.CompoundLiteral] = frozenset()
