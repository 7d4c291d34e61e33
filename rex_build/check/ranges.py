"""In which iterations of a loop an access is made, as far as conditions around it compare the counter with numbers.

For example, ``s[i + 3]`` in all iterations and ``s[i]`` under ``if (i < 3)`` are never one element in two of them.
"""

from __future__ import annotations

import math

from ..openmp.canonical import Level
from ..tree import nodes as tree
from ..tree.values import constant, is_value_of, unconverted
from .events import Use

_TURNED: dict[str, str] = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "=="}


def can_be_apart(body: tree.Node, level: Level, uses: tuple[Use, Use], distance: int) -> bool:
    """Whether the first of two accesses in a loop's ``body`` can be made ``distance`` iterations after the other."""
    if not level.increasing or level.step_value != 1 or not any(use.conditions for use in uses):
        return True
    (low, high), (low_2, high_2) = (_range(body, level, use) for use in uses)
    return max(low, low_2 + distance) <= min(high, high_2 + distance)


def _range(body: tree.Node, level: Level, use: Use) -> tuple[float, float]:
    """The least and the greatest value that the counter of a loop can have where an access is made."""
    first = level.first
    low = -math.inf if first is None else float(first)
    high = low + level.trips - 1 if first is not None and level.trips is not None else math.inf
    for condition in use.conditions:
        if not any(
            node.condition is condition and use.node in tree.walk(node.then)
            for node in tree.parts(body, tree.If)
        ):
            continue  # what stands under it may be made where it does not hold
        for operator, value in _comparisons(level, condition):
            low = max(low, value + (operator == ">")) if operator in (">", ">=", "==") else low
            high = min(high, value - (operator == "<")) if operator in ("<", "<=", "==") else high
    return low, high


def _comparisons(level: Level, condition: tree.Expression) -> list[tuple[str, int]]:
    """The comparisons of a loop's counter with numbers that hold where a condition does."""
    condition = unconverted(condition)
    if isinstance(condition, tree.ShortCircuit) and condition.operator == "&&":
        return [*_comparisons(level, condition.left), *_comparisons(level, condition.right)]
    if not isinstance(condition, tree.Binary) or condition.operator not in _TURNED:
        return []
    for side, other, operator in (
        (condition.left, condition.right, condition.operator),
        (condition.right, condition.left, _TURNED[condition.operator]),
    ):
        value = constant(other)
        if is_value_of(side, level.variable) and value is not None:
            return [(operator, value)]
    return []
