"""Prints unary and binary operators, and assignments."""

from __future__ import annotations

from pycparser import c_ast

from ..sema.ctype import BOOL, HALF_COMPLEX, Pointer, Record, Void, strip
from ..sema.type_questions import as_vector, is_complex
from . import text as ct
from .access import stored, updated
from .addresses import address_of
from .arithmetic import special_operation, special_update, wrapped_negation
from .complex_numbers import complex_operation, complex_update, half_part
from .conversions import convert, not_volatile, same_sign, tested
from .flattening import extent_product, extents_of, flat_element, is_flat
from .literals import keep_changed_literal
from .nodes import is_bool_text
from .objects import UNALIGNED, VOLATILE, access_of
from .pointers import as_bytes, pointer_operation
from .scope import Scope
from .sizes import size_of
from .steps import refuse_part, step
from .text import Text
from .types import is_flattened
from .vectors import vector_operation, vector_update
from .wide_bit_fields import cut, refuse_mixed


def unary_operation(scope: Scope, node: c_ast.UnaryOp) -> Text:
    return _UNARY.get(node.op, _plain_unary)(scope, node)


def _address(scope: Scope, node: c_ast.UnaryOp) -> Text:
    return address_of(scope, node.expr)


def _dereference(scope: Scope, node: c_ast.UnaryOp) -> Text:
    if is_flat(scope, node.expr):
        return flat_element(scope, node)
    if isinstance(scope.type(node), Void):  # nothing is read
        return ct.Cast("void", scope.emit(node.expr))
    return ct.prefix("*", scope.emit(node.expr))


def _step(scope: Scope, node: c_ast.UnaryOp) -> Text:
    return step(scope, node, node.op)


def _not(scope: Scope, node: c_ast.UnaryOp) -> Text:
    return ct.prefix("!", tested(scope, node.expr))


def _address_of_label(scope: Scope, node: c_ast.UnaryOp) -> Text:  # it has no type
    raise scope.error(node, f"'{node.op}' is not supported")


def _part(scope: Scope, node: c_ast.UnaryOp) -> Text:
    """The real or the imaginary part of a number."""
    operand, is_real = node.expr, node.op == "__real__"
    t = scope.type(operand)
    if strip(t) == HALF_COMPLEX:
        return half_part(scope, operand, "re" if is_real else "im")
    if not is_complex(t):
        return scope.emit(operand) if is_real else ct.ZERO
    text = scope.place(operand) if access_of(scope, operand) == VOLATILE else scope.emit(operand)
    return ct.call("REX_REAL" if is_real else "REX_IMAG", text)


def _plain_unary(scope: Scope, node: c_ast.UnaryOp) -> Text:
    op, operand = node.op, node.expr
    if as_vector(scope.type(operand)) is not None:
        return ct.prefix(op, convert(scope, operand, scope.type(operand)))
    if op == "~" and (is_bool_text(operand) or scope.value_type(operand) == BOOL):
        return ct.prefix("~", ct.Cast("int", scope.emit(operand)))
    wrapped = wrapped_negation(scope, operand) if op == "-" else None
    return cut(scope, node, wrapped or ct.prefix(op, scope.emit(operand)))


_UNARY = {
    "sizeof": size_of,
    "_Alignof": size_of,
    "&": _address,
    "*": _dereference,
    "++": _step,
    "--": _step,
    "p++": _step,
    "p--": _step,
    "!": _not,
    "&&": _address_of_label,
    "__real__": _part,
    "__imag__": _part,
}


def binary_operation(scope: Scope, node: c_ast.BinaryOp) -> Text:
    op = node.op
    if op in ("&&", "||"):
        return ct.binary(op, tested(scope, node.left), tested(scope, node.right))
    left, right = scope.value_type(node.left), scope.value_type(node.right)
    if isinstance(left, Pointer) or isinstance(right, Pointer):
        return pointer_operation(scope, node, left, right)
    if as_vector(left) is not None or as_vector(right) is not None:
        return vector_operation(scope, op, node.left, node.right)
    a, b = scope.emit(node.left), scope.emit(node.right)
    if is_complex(left) or is_complex(right):
        left, right = scope.sema._promoted(node.left, left), scope.sema._promoted(node.right, right)
        return complex_operation(scope, op, a, left, b, right)
    if op in ct.COMPARISONS:
        bools = is_bool_text(node.left) or left == BOOL, is_bool_text(node.right) or right == BOOL
        if bools[0] != bools[1]:
            a = ct.Cast("int", a) if bools[0] else a
            b = ct.Cast("int", b) if bools[1] else b
        a, b = same_sign(scope, node.left, a, node.right, b, comparison=True)
    elif op not in ("<<", ">>"):
        a, b = same_sign(scope, node.left, a, node.right, b, comparison=False)
    return cut(scope, node, special_operation(scope, op, node.left, a, node.right, b) or ct.binary(op, a, b))


def assignment(scope: Scope, node: c_ast.Assignment) -> Text:
    target, op, value = node.lvalue, node.op, node.rvalue
    t = scope.type(target)
    refuse_part(scope, target)
    keep_changed_literal(scope, target)
    if (access := access_of(scope, target)) is not None:
        if op == "=":
            return stored(scope, access, target, value)
        if as_vector(t) is not None and access == UNALIGNED:
            return vector_update(scope, node, ct.name(""), strip(t))
        if is_complex(scope.type(value)) and not is_complex(t):
            raise scope.error(node, f"'{op}' of a '{strip(t)}' and a complex number is not supported here")
        return updated(scope, access, target, op[:-1], scope.emit(value).at(ct.ASSIGN), gives_old=False)
    refuse_mixed(scope, node, op[:-1], target, value)
    left = scope.emit(target)
    if isinstance(t, Record) and "volatile" in t.quals:  # C++ cannot assign volatile objects of class type
        left = not_volatile(scope, target, t)
    if op == "=":
        return ct.assignment(left, "=", convert(scope, value, t))
    if isinstance(t, Pointer):
        if is_flattened(t):
            row = extent_product(extents_of(scope, target))
            return ct.assignment(left, op, ct.binary("*", scope.emit(value), row))
        if isinstance(t.to, Void):
            moved = ct.binary(op[0], as_bytes(left), scope.emit(value))
            return ct.assignment(left, "=", ct.Cast(scope.declaration(strip(t)), moved))
    if is_complex(t) or is_complex(scope.type(value)):
        return complex_update(scope, node, left, t)
    if as_vector(t) is not None:
        return vector_update(scope, node, left, strip(t))
    return special_update(scope, target, op[:-1], value) or ct.assignment(left, op, scope.emit(value))
