"""Says which loops move so few bytes in an iteration that a thread for each iteration is too little work."""

from __future__ import annotations

from collections.abc import Collection

from ....optimise.obstacle import ASKS_WHERE, LAST, NO_TRIP_COUNT
from ....optimise.planned import not_spread
from ...sema.ctype import Array, CType, Pointer, Scalar, sizeof, strip
from .candidate import Candidate
from .memory import shared_and_own
from .team_arrays import is_straight

_NARROW = 2  # bytes of an element


def not_narrow(region: Candidate, off: Collection[str]) -> str | None:
    """Why threads should not run several iterations, or None if one iteration loads few bytes.

    Then a thread for each would have too little on its way from memory.
    """
    nest = region.nest
    if "batch" in off:
        return "switched off"
    if (obstacle := not_spread(region)) is not None or nest is None:
        return obstacle
    memory, _ = shared_and_own(region.sharing, region.captures, nest)
    elements = [_element(c.symbol.type) for c in region.captures if c.symbol in memory]
    if not elements or not all(isinstance(e, Scalar) and sizeof(e) <= _NARROW for e in elements):
        return f"not all arrays have elements of at most {_NARROW} bytes"
    if not is_straight(nest.body) or region.constructs:
        return "the body has loops or constructs"
    if region.places:
        return ASKS_WHERE
    if region.sharing.linear or region.sharing.lastprivate:
        return LAST
    return None if region.launch.trip_counts and not region.launch.followed else NO_TRIP_COUNT


def _element(kind: CType) -> CType:
    """The type of what a pointer leads to, or of an array's elements."""
    kind = strip(kind)
    if isinstance(kind, Pointer):
        kind = strip(kind.to)
    while isinstance(kind, Array):
        kind = strip(kind.of)
    return kind
