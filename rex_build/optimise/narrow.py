"""Says which loops move so few bytes in an iteration that a thread for each iteration is too little work."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..openmp.regions import Planned
from ..tree import nodes as tree
from ..tree.types import Floating, Integer
from .accesses import Accesses
from .obstacle import ASKS_WHERE, LAST, NO_TRIP_COUNT
from .planned import not_spread

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
        return LAST
    elements = {access.place.type for access in found.items} if found is not None else set()
    if not elements or not all(isinstance(e, Integer | Floating) and e.size <= NARROW for e in elements):
        return f"not all arrays have elements of at most {NARROW} bytes"
    if region.constructs or not all(map(is_straight, bodies)):
        return "the body has loops or constructs"
    if region.places:
        return ASKS_WHERE
    return None if region.launch.trip_counts and not region.launch.followed else NO_TRIP_COUNT


def is_straight(body: tree.Statement) -> bool:
    """Whether a body has no loops, and no labels, which a function can have only once."""
    return not any(isinstance(node, tree.Loop | tree.Switch | tree.Target) for node in tree.walk(body))
