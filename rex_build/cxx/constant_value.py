"""The values of expressions of integers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..base.patterns import regex

if TYPE_CHECKING:
    import ast

_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
}
_SUFFIX = regex(r"(?<=[0-9])[uUlLzZ]+\b")


def constant_value(text: str) -> int | None:
    """The value of a C++ expression of decimal integers, ``+ - * /`` and parentheses, or None if it is another one."""
    if text.isdigit():
        return int(text)
    import ast

    try:
        return _value(ast.parse(_SUFFIX.sub("", text).strip(), mode="eval").body)
    except (SyntaxError, KeyError, ValueError, ZeroDivisionError):
        return None


def _value(node: ast.AST) -> int:
    import ast

    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op).__name__](_value(node.left), _value(node.right))
    raise ValueError(node)
