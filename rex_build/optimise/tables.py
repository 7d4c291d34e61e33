"""Finds constant arrays of numbers, of which one serves all threads and calls.

A thread that hands ``const double c[] = {0.1, 0.2};`` to another function would fill an array of its own in each call.
The array cannot change, so nobody can tell whose it is, but for who compares its address in two calls of one function.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree.types import Array, Floating, Integer
from .changes import mentions

_LEAST = 16  # bytes of a table: compilers choose among fewer elements


def tables(bodies: Iterable[tree.Statement]) -> frozenset[Entity]:
    """The constant arrays whose addresses functions hand on, in all instantiations of their bodies."""
    found: set[Entity] = set()
    others: set[Entity] = set()
    for body in bodies:
        for node in tree.parts(body, tree.Declare):
            if (entity := node.variable.entity) is not None and isinstance(node.variable.type, Array):
                (found if is_table(node) and _is_handed_on(body, node) else others).add(entity)
    return frozenset(found - others)


def _is_handed_on(body: tree.Statement, declared: tree.Declare) -> bool:
    """Whether an array is used other than by its elements."""
    of_elements = {
        pointee.pointer.pointer.array
        for pointee in tree.parts(body, tree.Pointee)
        if isinstance(pointee.pointer, tree.Offset) and isinstance(pointee.pointer.pointer, tree.Decay)
    }
    return any(use not in of_elements for use in mentions(body, declared.variable))


def is_table(node: tree.Declare) -> bool:
    """Whether an array of numbers is constant, and has constants."""
    kind, value = node.variable.type, node.initialiser
    if not isinstance(kind, Array) or kind.size is None or not isinstance(value, tree.Aggregate):
        return False
    of, is_long = kind.of, kind.size >= _LEAST
    is_plain = isinstance(of, Integer | Floating) and of.const and not (of.volatile or of.atomic)
    return is_plain and is_long and all(_is_number(part) for _, part in value.parts)


def _is_number(value: tree.Expression) -> bool:
    while isinstance(value, tree.Convert | tree.Unary):
        value = value.value if isinstance(value, tree.Convert) else value.operand
    return isinstance(value, tree.Constant) and value.value is not None
