"""Says which loops move so few bytes in an iteration that a thread for each iteration is too little work."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from ..openmp.regions import Planned
from ..tree import nodes as tree
from ..tree.symbols import Function
from ..tree.types import Complex, Floating, Integer
from .accesses import Accesses
from .obstacle import Obstacle, not_spread

NARROW = 2  # bytes of an element, at most
FOR_NARROW, FOR_ATOMICS = 8, 4  # iterations side by side


def not_narrow(
    region: Planned, off: Collection[str], bodies: Iterable[tree.Statement], found: Accesses | None
) -> str | None:
    """Why threads should not run several iterations, or None if one iteration loads few bytes.

    Then a thread for each would have too little on its way from memory. ``found`` is what all instantiations of the
    ``bodies`` access, if that is known.
    """
    if "batch" in off:
        return "switched off"
    if (obstacle := not_spread(region)) is not None:
        return obstacle
    if region.sharing.linear or region.sharing.lastprivate:
        return Obstacle.LAST
    elements = {access.place.type for access in found.items} if found is not None else set()
    if not elements or not all(isinstance(e, Integer | Floating) and e.size <= NARROW for e in elements):
        return f"not all arrays have elements of at most {NARROW} bytes"
    if region.constructs or not all(map(is_straight, bodies)):
        return "the body has loops or constructs"
    if region.places:
        return Obstacle.ASKS_WHERE
    return None if region.launch.trip_counts and not region.launch.followed else Obstacle.NO_TRIP_COUNT


def is_straight(body: tree.Statement) -> bool:
    """Whether a body has no loops, and no labels, which a function can have only once."""
    return not any(isinstance(node, tree.Loop | tree.Switch | tree.Target) for node in tree.walk(body))


# How many bytes an iteration moves. Where these are few, larger blocks are faster.

_LITTLE = 24  # bytes


def moved_bytes(found: Accesses, body: tree.Statement, computes: Callable[[Function], bool]) -> int:
    """The bytes that an iteration reads and writes, or 0 if they are many or nobody knows them, as in loops and in
    functions that do not only compute."""
    if not is_straight(body):
        return 0
    for node in tree.walk(body):
        if isinstance(node, tree.Call):
            callee = node.callee
            if not (isinstance(callee, tree.FunctionAddress) and computes(callee.function)):
                return 0
    kinds = [access.place.type for access in found.items]
    if not all(isinstance(kind, Integer | Floating | Complex) for kind in kinds):
        return 0
    moved = sum((kind.size or 0) * (a.reads + a.writes) for a, kind in zip(found.items, kinds, strict=True))
    return moved if moved <= _LITTLE else 0
