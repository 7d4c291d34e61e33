"""Values of integer constant expressions (C11 6.6), on typed trees.

An operation whose result C leaves undefined has no value; :meth:`ConstantFolder.undefined_in` says why. A left shift is
taken as gcc takes it: bits that leave the type are lost, and its sign may change.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import ClassVar

from pycparser import c_ast

from ...tree.values import ARITHMETIC, BITWISE, COMPARISONS, Number, quotient
from .ctype import NARROW_FLOATS, Array, C, CType, LayoutError, Pointer, alignof, sizeof, strip
from .expressions import ExpressionTyper
from .literals import character_constant, float_constant, integer_constant, narrowed
from .symbols import Locate
from .traversal import walk
from .type_questions import (
    Layout,
    compatible,
    decay,
    integer_range,
    is_complex,
    is_floating,
    is_integer,
    is_unsigned,
    wrap,
)

_NAMED = {"false": 0, "true": 1, "nullptr": 0}
_AS_FLOAT = (C.FLOAT, *NARROW_FLOATS)  # what gcc computes with as float


def _converted(value: Number, t: CType) -> Number:
    """``value`` as type ``t`` holds it; floating values that an integer type cannot hold saturate, as in gcc."""
    if is_floating(t):
        rounded: float = struct.unpack("f", struct.pack("f", value))[0] if strip(t) in _AS_FLOAT else float(value)
        return rounded
    if not is_integer(t):
        return value
    if isinstance(value, int):
        return wrap(value, t)
    low, high = integer_range(t)
    if strip(t) == C.BOOL:
        return int(bool(value))
    return 0 if value != value else int(min(max(value, low), high))  # noqa: PLR0124


def _overflows(value: Number, t: CType) -> bool:
    """Whether the result of an operation on signed integers does not fit their type (C11 6.5p5)."""
    if not isinstance(value, int) or not is_integer(t) or is_unsigned(t):
        return False
    low, high = integer_range(t)
    return not low <= value <= high


class ConstantFolder(ExpressionTyper):
    """Folds constants. Address constants built on a constant pointer fold too, as in hand-written ``offsetof``."""

    def __init__(self, ast: c_ast.FileAST, locate: Locate | None, layout: Layout) -> None:
        self._undefined: dict[c_ast.Node, str] = {}
        super().__init__(ast, locate, layout)

    def undefined_in(self, expr: c_ast.Node) -> str:
        """A note about what C leaves undefined in an analysed expression without variables, or an empty text."""
        found = ""
        for node in walk(expr):
            if isinstance(node, c_ast.ID) and (symbol := self._symbols.get(node)) and symbol.value is None:
                return ""
            found = found or self._undefined.get(node, "")
        return f"{found}, which C leaves undefined" if found else ""

    def _without_value(self, node: c_ast.Node, why: str) -> Number | None:
        """No value, for an operation that C leaves undefined. The reason is noted."""
        self._undefined[node] = why
        return None

    def _constant(self, node: c_ast.Node) -> int | None:
        self._expr(node)
        return self._integer_value(node)

    def _integer_value(self, node: c_ast.Node) -> int | None:
        value = self._fold(node) if is_integer(self._types[node]) else None
        return value if isinstance(value, int) else None

    def _fold(self, node: c_ast.Node) -> Number | None:
        handler = self._FOLDERS.get(type(node).__name__)
        try:
            value = handler(self, node) if handler else None
            return None if value is None else _converted(value, self._types[node])
        except (LayoutError, OverflowError):
            return None

    def _fold_constant(self, node: c_ast.Constant) -> Number | None:
        if node.type in ("float", "double", "long double", "_Float16", "__bf16"):
            return float_constant(node.value)
        if node.type == "int _Complex":
            return None
        if node.value in _NAMED:
            return _NAMED[node.value]
        if node.value.endswith("'"):
            return character_constant(node.value)[0]
        found = integer_constant(node.value) if node.type != "string" else None
        return found[0] if found else None

    def _fold_id(self, node: c_ast.ID) -> Number | None:
        symbol = self._symbols.get(node)
        return symbol.value if symbol is not None else None

    def _operand_type(self, node: c_ast.Node) -> CType:
        return self._node_types[node] if isinstance(node, c_ast.Typename) else self._types[node]

    def _fold_unary(self, node: c_ast.UnaryOp) -> Number | None:
        match node.op:
            case "sizeof":
                return sizeof(self._operand_type(node.expr))
            case "_Alignof":
                if not isinstance(node.expr, c_ast.Typename):
                    return None  # an object's own may be stricter
                return alignof(self._operand_type(node.expr))
            case "&":
                return self._address(node.expr)
        value = self._fold(node.expr)
        if value is None:
            return None
        match node.op:
            case "-":
                t = self._types[node]
                return self._without_value(node, f"'-' overflows '{t}'") if _overflows(-value, t) else -value
            case "+":
                return value
            case "!":
                return int(not value)
            case "~" if isinstance(value, int):
                return ~value
        return None

    def _address(self, node: c_ast.Node) -> int | None:
        """The address of an lvalue reached from a constant pointer."""
        match node:
            case c_ast.StructRef():
                base = self._fold(node.name) if node.type == "->" else self._address(node.name)
                return int(base) + sum(f.offset for f in self._fields[node]) if base is not None else None
            case c_ast.ArrayRef():
                is_array = isinstance(self._types[node.name], Array)
                base = self._address(node.name) if is_array else self._fold(node.name)
                index = self._fold(node.subscript)
                return None if base is None or index is None else int(base) + int(index) * sizeof(self._types[node])
            case c_ast.UnaryOp(op="*"):
                base = self._fold(node.expr)
                return int(base) if base is not None else None
        return None

    def _fold_binary(self, node: c_ast.BinaryOp) -> Number | None:
        spine = [node]
        while isinstance(spine[-1].left, c_ast.BinaryOp):
            spine.append(spine[-1].left)
        value = self._fold(spine[-1].left)
        for n in reversed(spine):
            value = self._fold_operation(n, value)
            if value is not None:
                value = _converted(value, self._types[n])
        return value

    def _fold_operation(self, node: c_ast.BinaryOp, a: Number | None) -> Number | None:
        op = node.op
        if op in ("&&", "||"):
            if a is None:
                return None
            if bool(a) == (op == "||"):
                return int(op == "||")
            b = self._fold(node.right)
            return int(bool(b)) if b is not None else None
        b = self._fold(node.right) if a is not None else None
        if a is None or b is None:
            return None
        left, right, t = self._types[node.left], self._types[node.right], self._types[node]
        if is_complex(t):
            return None
        if isinstance(decay(left), Pointer) or isinstance(decay(right), Pointer):
            return self._fold_pointers(op, a, decay(left), b, decay(right))
        if op in ("<<", ">>"):
            return self._shift(node, int(a), int(b))
        common = self._arithmetic(node, node.left, strip(left), node.right, strip(right)) if op in COMPARISONS else t
        a, b = _converted(a, common), _converted(b, common)
        if op in COMPARISONS:
            return int(COMPARISONS[op](a, b))
        return self._calculate(node, a, b, common)

    def _shift(self, node: c_ast.BinaryOp, a: int, by: int) -> Number | None:
        t = self._types[node]
        if not 0 <= by < 8 * sizeof(t):
            return self._without_value(node, f"'{node.op}' shifts '{t}' by {by} bits")
        return BITWISE[node.op](a, by)

    def _calculate(self, node: c_ast.BinaryOp, a: Number, b: Number, t: CType) -> Number | None:
        """The result of an arithmetic or bitwise operation on operands of its type."""
        op = node.op
        if op in BITWISE:
            return BITWISE[op](int(a), int(b))
        if op in ARITHMETIC:
            value = ARITHMETIC[op](a, b)
        elif isinstance(a, float) or isinstance(b, float):
            return a / b if op == "/" and b != 0 else None
        elif b == 0:
            return self._without_value(node, f"'{op}' divides by zero")
        else:
            value = quotient(a, b)
        if _overflows(value, t):
            return self._without_value(node, f"'{op}' overflows '{t}'")
        return a - b * value if op == "%" else value

    @staticmethod
    def _fold_pointers(op: str, a: Number, left: CType, b: Number, right: CType) -> Number | None:
        if op in COMPARISONS:
            return int(COMPARISONS[op](a, b))
        if isinstance(left, Pointer) and isinstance(right, Pointer):
            return quotient(int(a - b), sizeof(left.to)) if op == "-" else None
        if isinstance(right, Pointer):
            return a * sizeof(right.to) + b
        assert isinstance(left, Pointer)
        return a + b * sizeof(left.to) * (1 if op == "+" else -1)

    def _fold_cast(self, node: c_ast.Cast) -> Number | None:
        value, t = self._fold(node.expr), self._types[node]
        if value is None or is_complex(t):
            return None
        if t in NARROW_FLOATS:
            return narrowed(float(value), t)
        return int(value) if isinstance(t, Pointer) else _converted(value, t)

    def _fold_ternary(self, node: c_ast.TernaryOp) -> Number | None:
        condition = self._fold(node.cond)
        if condition is None:
            return None
        branch = (node.iftrue or node.cond) if condition else node.iffalse
        return self._fold(branch)

    def _fold_call(self, node: c_ast.FuncCall) -> Number | None:
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        args = node.args.exprs if node.args is not None else []
        match name:
            case "offsetof" | "__builtin_offsetof":
                return self._member_designator(args[0], args[1])[1]
            case "__builtin_types_compatible_p":
                a, b = (strip(self._operand_type(arg)) for arg in args)
                return int(compatible(a, b))
            case "__builtin_constant_p":
                return int(self._fold(args[0]) is not None)
            case "__builtin_choose_expr":
                return self._fold(self._chosen[node])
            case "__builtin_expect":
                return self._fold(args[0])
            case "__builtin_bswap16" | "__builtin_bswap32" | "__builtin_bswap64":
                value, size = self._fold(args[0]), int(name[-2:]) // 8
                if value is None:
                    return None
                return int.from_bytes((int(value) % (1 << size * 8)).to_bytes(size, "little"), "big")
        return None

    def _fold_generic(self, node: c_ast.Node) -> Number | None:
        return self._fold(self._chosen[node])

    _FOLDERS: ClassVar[dict[str, Callable[[ConstantFolder, c_ast.Node], Number | None]]] = {
        "Constant": _fold_constant,
        "ID": _fold_id,
        "UnaryOp": _fold_unary,
        "BinaryOp": _fold_binary,
        "Cast": _fold_cast,
        "TernaryOp": _fold_ternary,
        "FuncCall": _fold_call,
        "GenericSelection": _fold_generic,
    }
