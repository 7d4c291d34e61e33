"""What operators compute in C, and in the clauses of both languages: each converts its operands to one type."""

from __future__ import annotations

from typing import Literal, cast

from . import nodes as tree
from .types import Complex, Floating, Pointer, Type, Unknown, common, promoted
from .values import COMPARISONS


class NotReadError(Exception):
    """A reader does not understand a part of the program. What is around it becomes Opaque."""


def converted(value: tree.Expression, to: Type) -> tree.Expression:
    """A value as the type that its context asks for."""
    return value if value.type == to or isinstance(to, Unknown) else tree.Convert(to, value)


def as_operand(value: tree.Expression, to: Type) -> tree.Expression:
    """An operand as the type in which its operator computes: an integer is promoted first."""
    promotes = isinstance(to, Floating | Complex)
    return converted(converted(value, promoted(value.type)) if promotes else value, to)


def taken_as(operator: str, left: Type, right: Type) -> tuple[Type, Type]:
    """The types to which an operator on numbers, or a comparison, converts its operands. It computes in the first."""
    if operator in ("<<", ">>"):
        return promoted(left), promoted(right)
    pointers = [one for one in (left, right) if isinstance(one, Pointer) and operator in COMPARISONS]
    kind = pointers[0] if pointers else common(promoted(left), promoted(right))
    if isinstance(kind, Unknown):
        raise NotReadError(kind.why)
    return kind, kind


def operation(
    t: Type, operator: str, left: tree.Expression, right: tree.Expression, origin: object = None
) -> tree.Expression:
    """An operator with two operands. ``t`` is the type of its result where no number is computed."""
    if operator in ("&&", "||"):
        return tree.ShortCircuit(t, cast('Literal["&&", "||"]', operator), left, right, origin=origin)
    if operator in ("+", "-") and isinstance(t, Pointer):
        if not isinstance(left.type, Pointer):
            left, right = right, left
        return tree.Offset(t, left, right, operator == "-", origin=origin)
    if operator == "-" and isinstance(left.type, Pointer):
        return tree.Distance(t, left, right, origin=origin)
    kind, other = taken_as(operator, left.type, right.type)
    result = t if operator in COMPARISONS else kind
    number = cast("tree.Arithmetic", operator)
    return tree.Binary(result, number, as_operand(left, kind), as_operand(right, other), origin=origin)
