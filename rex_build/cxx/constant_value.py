"""The values of expressions of integers."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from ..base.patterns import regex

_OPERATORS: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
}
_SUFFIX = regex(r"(?<=[0-9])[uUlLzZ]+\b")


def constant_value(text: str) -> int | None:
    """The value of a C++ expression of decimal integers, ``+ - * /`` and parentheses, or None if it is another one."""
    if text.isdigit():
        return int(text)
    try:
        return _value(ast.parse(_SUFFIX.sub("", text).strip(), mode="eval").body)
    except (SyntaxError, KeyError, ValueError, ZeroDivisionError):
        return None


def _value(node: ast.AST) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    raise ValueError(node)
