"""Says which loops move so few bytes in an iteration that a thread for each iteration is too little work."""

from __future__ import annotations

from collections.abc import Collection

from pycparser import c_ast

from ....optimise.accesses import Accesses
from ....optimise.obstacle import ASKS_WHERE, LAST, NO_TRIP_COUNT
from ....optimise.planned import not_spread
from ....plan.loops import LoopNest
from ...sema import Sema, walk
from ...sema.ctype import Array, CType, Pointer, Scalar, sizeof, strip
from ..device_library import library_name
from ..purity import called_name
from .candidate import Candidate
from .memory import shared_and_own
from .team_arrays import is_straight

_NARROW = 2  # bytes of an element
_LITTLE = 24  # bytes that an iteration moves


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


def moved_bytes(sema: Sema, nest: LoopNest, found: Accesses) -> int:
    """The bytes that an iteration reads and writes, or 0 if they are many or nobody knows them."""
    if not is_straight(nest.body) or any(_is_long(sema, n) for n in walk(nest.body)):
        return 0
    kinds = [strip(sema.type(a.outer.origin)) for a in found.items]
    if not all(isinstance(kind, Scalar) for kind in kinds):
        return 0
    moved = sum(sizeof(kind) * (a.reads + a.writes) for a, kind in zip(found.items, kinds, strict=True))
    return moved if moved <= _LITTLE else 0


def _is_long(sema: Sema, node: c_ast.Node) -> bool:
    """Whether a node is a call of a function that may have loops."""
    name = called_name(sema, node) if isinstance(node, c_ast.FuncCall) else None
    return isinstance(node, c_ast.FuncCall) and (name is None or library_name(name) is None)
