"""How many bytes an iteration moves. Where these are few, larger blocks are faster."""

from __future__ import annotations

from collections.abc import Callable

from ..tree import nodes as tree
from ..tree.symbols import Function
from ..tree.types import Complex, Floating, Integer
from .accesses import Accesses
from .narrow import is_straight

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
