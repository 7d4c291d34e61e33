"""Prints arithmetic for flags of the unit that change what nvcc does.

Under ``-fwrapv``, signed arithmetic is done in the unsigned type. Under ``-ffp-contract=off``, products are calls, with
which nothing is fused. (nvcc's own option for that applies to whole images.)
"""

from __future__ import annotations

from itertools import product

from pycparser import c_ast

from ..sema import walk
from ..sema.conversions import integer_range, unsigned_of
from ..sema.conversions import usual_arithmetic as common_type
from ..sema.ctype import DOUBLE, FLOAT, INT, NARROW_FLOATS, CType, Pointer, strip
from ..sema.type_questions import is_integer, is_unsigned
from . import text as ct
from .conversions import to_unsigned
from .nodes import is_bool_text
from .objects import has_no_reference, member_path
from .scope import Scope
from .text import Text

_OPERATORS = {"+": "rex_add", "-": "rex_sub", "*": "rex_mul", "<<": "rex_shl"}


def special_operation(scope: Scope, op: str, left: c_ast.Node, a: Text, right: c_ast.Node, b: Text) -> Text | None:
    """``left op right``, whose texts are ``a`` and ``b``."""
    return _rounded_product(scope, op, left, a, right, b) or _wrapped_operation(scope, op, left, a, right, b)


def special_update(scope: Scope, target: c_ast.Node, op: str, value: c_ast.Node) -> Text | None:
    """``target op= value``"""
    if _rounded_product_type(scope, op, target, value) in (FLOAT, DOUBLE) and not is_integer(scope.value_type(target)):
        if isinstance(target, c_ast.StructRef) and has_no_reference(scope, target):
            return _changed_member(scope, target, op, value, scope.emit(value), old=False)
        return ct.call("rex_multiply", scope.emit(target), scope.emit(value))
    return wrapped_update(scope, target, op, value)


def _rounded_product(scope: Scope, op: str, left: c_ast.Node, a: Text, right: c_ast.Node, b: Text) -> Text | None:
    t = _rounded_product_type(scope, op, left, right)
    if t is None or (_is_constant(scope, left) and _is_constant(scope, right)):
        return None
    return ct.call(f"rex_product<{scope.declaration(t)}>", a, b)


def _rounded_product_type(scope: Scope, op: str, left: c_ast.Node, right: c_ast.Node) -> CType | None:
    """The type of a floating-point product that has to be rounded before it is added, or None for other operations."""
    if scope.unit.fuses or op != "*":
        return None
    t = strip(common_type(scope.value_type(left), scope.value_type(right)))
    return FLOAT if t in NARROW_FLOATS else t if t in (FLOAT, DOUBLE) else None


def _is_constant(scope: Scope, node: c_ast.Node) -> bool:
    """Whether the compiler knows the value, because the expression names no variable and no function."""
    symbols = (scope.sema.symbol(n) for n in walk(node) if isinstance(n, c_ast.ID))
    variables = (s for s in symbols if s is not None and not s.is_enumerator)
    return all("constexpr" in getattr(s.definition, "storage", ()) for s in variables)


def _wrapped_operation(
    scope: Scope, op: str, left: c_ast.Node, a: Text, right: c_ast.Node | int, b: Text
) -> Text | None:
    """``left op right``, whose texts are ``a`` and ``b``."""
    t = _overflowing_type(scope, op, left, right)
    if t is None:
        return None
    unsigned = unsigned_of(t)
    if op != "<<" and not isinstance(right, int):
        b = to_unsigned(scope, right, scope.value_type(right), b, unsigned, comparison=False)
    inner = _overflowing_type(scope, left.op, left.left, left.right) if isinstance(left, c_ast.BinaryOp) else None
    if inner == t and isinstance(a, ct.Cast):  # the left operand has just been converted back
        a = ct.name(a.operand.at(ct.UNARY))
    else:
        a = ct.Cast(scope.declaration(unsigned), a)
    return ct.Cast(scope.declaration(t), ct.binary(op, a, b))


def wrapped_negation(scope: Scope, operand: c_ast.Node) -> Text | None:
    t = _overflowing_type(scope, "-", 0, operand)
    if t is None:
        return None
    unsigned = ct.Cast(scope.declaration(unsigned_of(t)), scope.emit(operand))
    return ct.Cast(scope.declaration(t), ct.prefix("-", unsigned))


def wrapped_update(
    scope: Scope, target: c_ast.Node, op: str, value: c_ast.Node | int, old: bool = False
) -> Text | None:
    """``target op= value``. With ``old``, the result is the old value of ``target``."""
    if _overflowing_type(scope, op, target, value) is None:
        return None
    by = ct.name(str(value)) if isinstance(value, int) else scope.emit(value)
    if isinstance(target, c_ast.StructRef) and has_no_reference(scope, target):
        return _changed_member(scope, target, op, value, by, old)
    function = f"rex_wrapped{'_after' * old}<{_OPERATORS[op]}>"
    return ct.call(function, scope.emit(target), by)


def _changed_member(
    scope: Scope, target: c_ast.StructRef, op: str, value: c_ast.Node | int, by: Text, old: bool
) -> Text:
    """The same for a member to which no reference can be bound: the structure around it is evaluated once."""
    holder, before = scope.temporary(), scope.temporary()
    pointer = scope.value_type(target.name) if target.type == "->" else Pointer(scope.type(target.name))
    place = scope.emit(target.name) if target.type == "->" else ct.prefix("&", scope.emit(target.name))
    field = ct.member(ct.name(holder), member_path(scope, target), "->")
    new = None if isinstance(value, int) else _rounded_product(scope, op, target, field, value, by)
    new = new or _wrapped_operation(scope, op, target, field, value, by)
    assert new is not None
    text = f"{scope.declaration(pointer, holder)} = {place.at(ct.ASSIGN)}; "
    if old:
        text += f"const {scope.declaration(strip(scope.type(target)), before)} = {field.text}; "
    text += f"{ct.assignment(field, '=', new).text};"
    return ct.name(f"({{ {text}{f' {before};' if old else ''} }})")


def _overflowing_type(scope: Scope, op: str, left: c_ast.Node | int, right: c_ast.Node | int) -> CType | None:
    """The signed type in which ``left op right`` is computed, if the result may leave its range, or None."""
    if not scope.unit.wraps or op not in _OPERATORS:
        return None
    a, b = promoted_type(scope, left), promoted_type(scope, right)
    if not (is_integer(a) and is_integer(b)):
        return None
    t = strip(a if op == "<<" else common_type(a, b))
    if is_unsigned(t) or (op != "<<" and _stays_in(scope, t, op, left, right)):
        return None
    return t


def promoted_type(scope: Scope, node: c_ast.Node | int) -> CType:
    return INT if isinstance(node, int) else scope.sema._promoted(node, scope.value_type(node))


def _stays_in(scope: Scope, t: CType, op: str, left: c_ast.Node | int, right: c_ast.Node | int) -> bool:
    """Whether the result stays in the range of ``t``, according to the ranges of the operands."""
    results = []
    for x, y in product(_bounds(scope, left), _bounds(scope, right)):
        results.append(x + y if op == "+" else x - y if op == "-" else x * y)
    low, high = integer_range(t)
    return low <= min(results) and max(results) <= high


def _bounds(scope: Scope, node: c_ast.Node | int) -> tuple[int, int]:
    value = node if isinstance(node, int) else scope.sema.value(node)
    if value is not None:
        return value, value
    assert isinstance(node, c_ast.Node)
    return (0, 1) if is_bool_text(node) else integer_range(scope.value_type(node))
