"""Values of complex constant expressions: nvcc takes complex initialisers only as two numbers."""

from __future__ import annotations

import math

from pycparser import c_ast

from ..ctype import is_complex
from ..sema import Sema
from ..sema.literals import float_constant

_OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def complex_value(sema: Sema, node: c_ast.Node) -> complex | None:
    """The value of an analysed arithmetic constant expression; None when it is none, or not finite."""
    try:
        value = _value(sema, node)
    except (ZeroDivisionError, OverflowError):
        return None
    if value is None or not (math.isfinite(complex(value).real) and math.isfinite(complex(value).imag)):
        return None
    return complex(value)


def _value(sema: Sema, node: c_ast.Node) -> complex | float | None:
    """Real values stay real: a real operand has no imaginary part."""
    match node:
        case c_ast.Constant() if node.type.startswith(("float", "double")):
            number = float_constant(node.value.rstrip())
            if number is not None and node.type.endswith("_Complex"):
                return complex(0, number)
            return number
        case c_ast.UnaryOp(op="-" | "+" | "~" as op):
            operand = _value(sema, node.expr)
            if operand is None or op == "+":
                return operand
            return operand.conjugate() if op == "~" else -operand
        case c_ast.BinaryOp() if node.op in _OPERATIONS and is_complex(sema.value_type(node)):
            left, right = _value(sema, node.left), _value(sema, node.right)
            return None if left is None or right is None else _OPERATIONS[node.op](left, right)
        case c_ast.Cast():
            return _value(sema, node.expr)
        case c_ast.FuncCall(name=c_ast.ID(name="__builtin_complex")):
            parts = [_value(sema, a) for a in node.args.exprs]
            return None if None in parts else complex(*parts)  # type: ignore[arg-type]
    number = sema.value(node)
    return None if number is None else float(number)
