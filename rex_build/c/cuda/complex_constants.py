"""Computes complex constant expressions, because nvcc accepts complex initialisers only as two numbers."""

from __future__ import annotations

import math

from pycparser import c_ast

from ..sema import Sema
from ..sema.conversions import wrap
from ..sema.ctype import CType, Scalar
from ..sema.expressions import declare_real
from ..sema.literals import float_constant, integer_constant
from ..sema.type_questions import is_complex, is_floating

_OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def complex_parts(sema: Sema, node: c_ast.Node, target: CType) -> tuple[float, float] | tuple[int, int] | None:
    """The parts that an analysed arithmetic constant expression has in an object of type ``target``.

    None if it is no such expression, or not finite.
    """
    part = Scalar(declare_real(target))
    if not is_floating(part):
        parts = _integers(sema, node)
        return None if parts is None else (wrap(parts[0], part), wrap(parts[1], part))
    try:
        value = _value(sema, node)
    except (ZeroDivisionError, OverflowError):
        return None
    if value is None or not (math.isfinite(complex(value).real) and math.isfinite(complex(value).imag)):
        return None
    return complex(value).real, complex(value).imag


def _integers(sema: Sema, node: c_ast.Node) -> tuple[int, int] | None:
    """The parts of a constant that is made from integers with signs, sums, differences, products and casts."""
    t = sema.value_type(node)
    if not is_complex(t):
        number = sema.number(node)
        return None if number is None or not math.isfinite(number) else (int(number), 0)
    parts: tuple[int, int] | None = None
    match node:
        case c_ast.Constant() if (parsed := integer_constant(node.value.rstrip())) is not None:
            parts = (0, parsed[0])
        case c_ast.Cast():
            parts = _integers(sema, node.expr)
        case c_ast.UnaryOp(op="-" | "+" | "~" as op) if (operand := _integers(sema, node.expr)) is not None:
            parts = (-operand[0] if op == "-" else operand[0], operand[1] if op == "+" else -operand[1])
        case c_ast.BinaryOp(op="+" | "-" | "*" as op):
            left, right = _integers(sema, node.left), _integers(sema, node.right)
            if left is not None and right is not None:
                (a, b), (c, d) = left, right
                parts = {"+": (a + c, b + d), "-": (a - c, b - d), "*": (a * c - b * d, a * d + b * c)}[op]
    if parts is None or is_floating(t):
        return None
    kind = Scalar(declare_real(t))
    return wrap(parts[0], kind), wrap(parts[1], kind)


def _value(sema: Sema, node: c_ast.Node) -> complex | float | None:
    """The value. Real values stay real, because a real operand has no imaginary part."""
    match node:
        case c_ast.Constant(type="int _Complex"):
            parsed = integer_constant(node.value.rstrip())
            return complex(0, parsed[0]) if parsed is not None else None
        case c_ast.Constant() if node.type.startswith(("float", "double", "_Float16")):
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
