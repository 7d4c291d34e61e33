"""Accesses to memory that threads share, as transformations ask for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from ..base.records import dataclass
from ..plan.constructs import Entity, LoopNest, Sharing
from ..plan.rows import Capture, Transport
from ..tree import nodes as tree
from ..tree.types import Array, Member, Pointer, is_reference
from .obstacle import Obstacle, ObstacleError

Members = Mapping[tuple[Entity, tuple[str, ...]], Entity]  # pointers in structures by value, each with its variable

class UnprovableError(ObstacleError):
    """Memory cannot be related to variables. The message says why. If it is a pointer in an object, ``loaded`` are the
    object's variable and the members on the way to the pointer."""

    def __init__(
        self, why: str, node: Any = None, remedy: str = "", loaded: tuple[Entity, tuple[str, ...]] | None = None
    ) -> None:
        super().__init__(why, node, remedy)
        self.loaded = loaded


@dataclass(frozen=True)
class Access:
    """A read or write (or both) of memory that belongs to the captured variable ``root``.

    ``node`` is the ``place``, or the call in the body of a function that makes the access.
    ``loops`` are the loops in the body around it; if the kernel waits, they are those that a thread runs by itself.
    ``certain`` is true if every iteration of the body makes the access. ``position`` is the access's number in the
    order of the text, and ``by`` makes it. ``seen`` is the place in terms of the body's variables, if that is known.
    """

    node: tree.Node
    root: Entity
    reads: bool
    writes: bool
    atomic: bool
    loops: tuple[Any, ...]
    certain: bool
    position: int
    place: tree.Place
    by: tree.Node
    seen: tree.Place | None


@dataclass(frozen=True)
class Accesses:
    """All accesses of a body, and the roots that are mentioned otherwise than by an access, as in ``p = a + i``."""

    items: tuple[Access, ...]
    derived: frozenset[Entity]

    @cached_property
    def roots(self) -> tuple[Entity, ...]:
        return tuple(dict.fromkeys(a.root for a in self.items))

    @cached_property
    def written(self) -> frozenset[Entity]:
        return frozenset(a.root for a in self.items if a.writes)


def members_of(captures: Sequence[Capture]) -> Members:
    """The pointers in structures that a region gets by value, or that it loads from mapped ones."""
    return {(c.of, c.path): c.symbol for c in captures if c.of is not None}


def shared_and_own(
    sharing: Sharing, captures: Sequence[Capture], nest: LoopNest | None, is_pointer: Callable[[Entity], bool]
) -> tuple[set[Entity], set[Entity]]:
    """(the captured variables whose memory threads share, the variables of which every thread has a copy)

    A pointer that is mapped itself stands for no memory: it is loaded from there, and may point anywhere.
    """
    by_value = (Transport.LITERAL, Transport.WORDS)
    memory = {
        c.symbol
        for c in captures
        if c.symbol not in sharing.named and c.transport not in by_value
        if c.transport is not Transport.ADDRESS or not is_pointer(c.symbol)
    }
    levels = {s for lv in nest.levels for s in (lv.symbol, *lv.same)} if nest is not None else set()
    return memory, {*sharing.named, *levels, *(c.symbol for c in captures if c.symbol not in memory)}


def check_pointers(memory: Collection[Entity], captures: Sequence[Capture], statement: tree.Statement) -> None:
    """Refuse a pointer whose type may not change, and one that is none in another instantiation."""
    addressed = {c.symbol for c in captures if c.transport is Transport.ADDRESS}
    for variable in dict.fromkeys(node.variable for node in tree.parts(statement, tree.Named)):
        entity, t = variable.entity, variable.type
        if entity is None or entity not in memory:
            continue
        kind = t.to if isinstance(t, Pointer) and t.reference else t
        if isinstance(kind, Pointer) and kind is not t:
            raise UnprovableError(f"the address of the pointer '{entity.name}' is taken")
        if isinstance(kind, Pointer) == (entity in addressed) and not isinstance(kind, Array):
            raise UnprovableError(f"'{entity.name}' has another kind of type in each instantiation")
    made = (part for aggregate in tree.parts(statement, tree.Aggregate) for part in aggregate.parts)
    captured = {  # a closure's
        part for path, part in made if path and isinstance(path[-1], Member) and is_reference(path[-1].type)
    }
    for node in tree.parts(statement, tree.AddressOf):
        found = node.place.variable if isinstance(node.place, tree.Named) and node not in captured else None
        if found is not None and found.entity in memory and isinstance(found.type, Pointer):
            raise UnprovableError(f"the address of the pointer '{found.name}' is taken", node.origin)


def check_types(found: Accesses) -> None:
    """Refuse places in the memory of several variables, whose parameters may get different types."""
    roots: dict[Any, Entity] = {}
    for access in found.items:
        if roots.setdefault(access.node, access.root) is not access.root and not isinstance(access.node, tree.Call):
            raise UnprovableError(Obstacle.LOADED_POINTER, access.node)
