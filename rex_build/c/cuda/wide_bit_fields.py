"""Arithmetic with bit-fields that are wider than ``int``.

In gcc's C such a bit-field has a type of its own width, and is not promoted: the sum of two of 40 bits is known modulo
2^40. In C++ it has the type with which it is declared. So results are cut to the width, here for all operators.
"""

from __future__ import annotations

from pycparser import c_ast

from ..sema.conversions import integer_promote
from ..sema.ctype import sizeof, strip
from ..sema.type_questions import is_integer, is_unsigned
from . import text as ct
from .scope import Scope
from .text import Text

_Kind = tuple[int, bool]  # how many bits, and whether it is unsigned
_RESULTS = ("+", "-", "*", "&", "|", "^", "/", "%")
_BY_VALUE = ("/", "%", "<", "<=", ">", ">=", "==", "!=")


def cut(scope: Scope, node: c_ast.Node, text: Text) -> Text:
    """The result of an operator, whose text is C++ of the declared types."""
    if isinstance(node, c_ast.BinaryOp):
        refuse_mixed(scope, node, node.op, node.left, node.right)
    found = _wide(scope, node)
    if found is None or (isinstance(node, c_ast.BinaryOp) and node.op == ">>"):
        return text
    bits, unsigned = found
    if unsigned:
        return ct.binary("&", ct.Cast("unsigned long", text), ct.name(f"{(1 << bits) - 1:#x}UL"))
    moved = ct.binary("<<", ct.Cast("unsigned long", text), ct.name(str(64 - bits)))
    return ct.binary(">>", ct.Cast("long", moved), ct.name(str(64 - bits)))


def refuse_mixed(scope: Scope, node: c_ast.Node, op: str, one: c_ast.Node, other: c_ast.Node) -> None:
    """Refuse operands of which C converts one to another sign in the bit-field's type, where that is seen."""
    if op not in _BY_VALUE or (_wide(scope, one) is None and _wide(scope, other) is None):
        return
    left, right = _kind(scope, one), _kind(scope, other)
    if left is None or right is None or left[1] == right[1]:
        return
    negative = other if left[1] else one
    value = scope.sema.value(negative)
    bits, unsigned = _common(left, right)
    if (unsigned and bits < 64 and (value is None or value < 0)) or not unsigned:
        raise scope.error(node, f"'{op}' of a bit-field of {bits} bits and a value of another sign is not supported")


def _wide(scope: Scope, node: c_ast.Node | None) -> _Kind | None:
    """The type of an expression if it is that of a bit-field which is wider than ``int``."""
    known = scope.sema.answers(_wide)
    if node is not None and node not in known:
        known[node] = _new_wide(scope, node)
    return known[node] if node is not None else None


def _new_wide(scope: Scope, node: c_ast.Node) -> _Kind | None:
    match node:
        case c_ast.StructRef():
            width = scope.sema.member(node)[-1].bit_width
            t = strip(scope.value_type(node))
            return (width, is_unsigned(t)) if width is not None and 32 < width < 8 * sizeof(t) else None
        case c_ast.Assignment():
            return _wide(scope, node.lvalue)
        case c_ast.UnaryOp(op="+" | "-" | "~" | "++" | "--" | "p++" | "p--"):
            return _wide(scope, node.expr)
        case c_ast.BinaryOp(op="<<" | ">>"):
            return _wide(scope, node.left)
        case c_ast.BinaryOp() if node.op in _RESULTS:
            return _wider(scope, node.left, node.right)
        case c_ast.TernaryOp():
            return _wider(scope, node.iftrue or node.cond, node.iffalse)
        case c_ast.ExprList():
            return _wide(scope, node.exprs[-1])
    return None


def _wider(scope: Scope, one: c_ast.Node, other: c_ast.Node) -> _Kind | None:
    """The common type of two operands if it is that of a bit-field."""
    wide = (_wide(scope, one), _wide(scope, other))
    left, right = _kind(scope, one), _kind(scope, other)
    if wide == (None, None) or left is None or right is None:
        return None
    common = _common(left, right)
    return common if any(found is not None and found[0] == common[0] for found in wide) else None


def _common(one: _Kind, other: _Kind) -> _Kind:
    return (one[0], one[1] or other[1]) if one[0] == other[0] else max(one, other)


def _kind(scope: Scope, node: c_ast.Node) -> _Kind | None:
    wide = _wide(scope, node)
    t = scope.value_type(node)
    if wide is not None or not is_integer(t):
        return wide
    promoted = strip(integer_promote(t))
    return 8 * sizeof(promoted), is_unsigned(promoted)
