"""The values of expressions that are the same in every run."""

from __future__ import annotations

import operator
from collections.abc import Callable

from . import nodes as tree
from .symbols import Variable
from .types import BOOL, Floating, Integer, Type

Number = int | float
ARITHMETIC: dict[str, Callable[[Number, Number], Number]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
}  # fmt: skip
BITWISE: dict[str, Callable[[int, int], int]] = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def constant(value: tree.Expression) -> int | None:
    """The integer that an expression always is, or None if it is not known. A signed overflow has no value."""
    match value:
        case tree.Constant(type=Integer(), value=int() as number):
            return number
        case tree.Load(place=tree.Named(variable=variable)):
            return variable.value
        case tree.Convert(type=Integer() as kind):
            inner = constant(value.value)
            return converted(inner, kind) if inner is not None else None
        case tree.Unary(operator="!", operand=operand):
            inner = constant(operand)
            return int(not inner) if inner is not None else None
        case tree.Unary(operator="-" | "~", operand=operand):
            inner = constant(operand)
            return _computed(-inner if value.operator == "-" else ~inner, value.type) if inner is not None else None
        case tree.Binary(left=left, right=right):
            one, other = constant(left), constant(right)
            return _binary(value, one, other) if one is not None and other is not None else None
        case tree.ShortCircuit(left=left, right=right):
            one = constant(left)
            if one is None or bool(one) == (value.operator == "||"):
                return None if one is None else int(bool(one))
            other = constant(right)
            return None if other is None else int(bool(other))
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            asked = constant(condition)
            return None if asked is None else constant(then if asked else otherwise)
        case _:
            return None


def converted(number: int, kind: Integer) -> int:
    """An integer as another type has it."""
    if kind.boolean:
        return int(number != 0)
    rest = number & ((1 << kind.bits) - 1)
    return rest - (1 << kind.bits) if kind.signed and rest > kind.greatest else rest


def has_all(kind: Type, other: Type) -> bool:
    """Whether a type has all values of another one."""
    if isinstance(kind, Integer) and isinstance(other, Integer):
        return kind.least <= other.least and other.greatest <= kind.greatest
    if isinstance(kind, Floating) and isinstance(other, Floating):
        return kind.digits >= other.digits and kind.size >= other.size
    return kind == other


def unconverted(value: tree.Expression) -> tree.Expression:
    """A value without what converts it."""
    while isinstance(value, tree.Convert | tree.Ending):
        value = value.value
    return value


def as_written(value: tree.Expression) -> tree.Expression:
    """A value without the conversion that the language adds."""
    return value.value if isinstance(value, tree.Convert) and not value.written else value


def is_value_of(value: tree.Expression, variable: Variable) -> bool:
    """Whether an expression is the value of a variable."""
    value = unconverted(value)
    return isinstance(value, tree.Load) and isinstance(value.place, tree.Named) and value.place.variable is variable


def widened(value: tree.Expression) -> tree.Expression:
    """A value without the conversions around it that change no value."""
    while isinstance(value, tree.Convert) and has_all(value.type, value.value.type):
        value = value.value
    return value


def asked(condition: tree.Expression) -> tree.Expression:
    """A condition without the conversions around it after which it is zero as often as before."""
    while isinstance(condition, tree.Convert) and isinstance(condition.value.type, Integer):
        if not has_all(condition.type, condition.value.type) and condition.type != BOOL:
            break
        condition = condition.value
    return condition


def _computed(number: int, kind: Type) -> int | None:
    """The result of an operation, which wraps in unsigned types."""
    if not isinstance(kind, Integer):
        return None
    fits = kind.least <= number <= kind.greatest
    return number if fits else None if kind.signed else converted(number, kind)


def _binary(value: tree.Binary, one: int, other: int) -> int | None:
    if value.operator in COMPARISONS:
        return int(COMPARISONS[value.operator](one, other))
    if value.operator in ARITHMETIC:
        return _computed(int(ARITHMETIC[value.operator](one, other)), value.type)
    if value.operator in BITWISE:
        shifts = value.operator in ("<<", ">>")
        if shifts and (one < 0 or not isinstance(value.type, Integer) or not 0 <= other < value.type.bits):
            return None
        return _computed(BITWISE[value.operator](one, other), value.type)
    if other == 0:
        return None
    whole = quotient(one, other)
    return _computed(whole if value.operator == "/" else one - whole * other, value.type)


def quotient(one: int, other: int) -> int:
    """A quotient of integers, truncated toward zero."""
    found = abs(one) // abs(other)
    return found if (one < 0) == (other < 0) else -found
