"""In which iterations of a loop an access is made, as far as conditions around it compare the counter with numbers.

For example, ``s[i + 3]`` in all iterations and ``s[i]`` under ``if (i < 3)`` are never one element in two of them.
"""

from __future__ import annotations

import math

from pycparser import c_ast

from ...plan.loops import CanonicalLoop
from ..sema import Sema, walk
from .uses import Use, without_casts

_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "=="}


def can_be_apart(sema: Sema, body: c_ast.Node, level: CanonicalLoop, uses: tuple[Use, Use], distance: int) -> bool:
    """Whether the first of two accesses in a loop's ``body`` can be made ``distance`` iterations after the other."""
    if not level.increasing or level.step_value != 1 or not any(use.conditions for use in uses):
        return True
    (low, high), (low_2, high_2) = (_range(sema, body, level, use) for use in uses)
    return max(low, low_2 + distance) <= min(high, high_2 + distance)


def _range(sema: Sema, body: c_ast.Node, level: CanonicalLoop, use: Use) -> tuple[float, float]:
    """The least and the greatest value that the counter of a loop can have where an access is made."""
    first = sema.value(level.lower) if isinstance(level.lower, c_ast.Node) else None
    low = -math.inf if first is None else float(first)
    high = low + level.trips - 1 if first is not None and level.trips is not None else math.inf
    for condition in use.conditions:
        if not any(
            type(node) is c_ast.If and node.cond is condition and any(part is use.node for part in walk(node.iftrue))
            for node in walk(body)
        ):
            continue  # what stands under it may be made where it does not hold
        for operator, value in _comparisons(sema, level, condition):
            low = max(low, value + (operator == ">")) if operator in (">", ">=", "==") else low
            high = min(high, value - (operator == "<")) if operator in ("<", "<=", "==") else high
    return low, high


def _comparisons(sema: Sema, level: CanonicalLoop, condition: c_ast.Node) -> list[tuple[str, int]]:
    """The comparisons of a loop's counter with numbers that hold where a condition does."""
    if not isinstance(condition, c_ast.BinaryOp):
        return []
    if condition.op == "&&":
        return [*_comparisons(sema, level, condition.left), *_comparisons(sema, level, condition.right)]
    if condition.op not in _TURNED:
        return []
    for side, other, operator in (
        (condition.left, condition.right, condition.op),
        (condition.right, condition.left, _TURNED[condition.op]),
    ):
        counter = without_casts(side)
        value = sema.value(other) if sema.is_typed(other) else None
        if isinstance(counter, c_ast.ID) and sema.symbol(counter) is level.symbol and value is not None:
            return [(operator, value)]
    return []
