"""Unary and binary operators, and assignments."""

from __future__ import annotations

from pycparser import c_ast

from ..sema.ctype import (
    BOOL,
    HALF_COMPLEX,
    Pointer,
    Record,
    Void,
    as_vector,
    is_complex,
    strip,
)
from . import text as ct
from .access import stored, updated
from .addresses import address_of
from .arithmetic import special_operation, special_update, wrapped_negation
from .complex_numbers import complex_operation, complex_update, half_part
from .conversions import convert, not_volatile, same_sign, tested
from .flattening import extent_product, extents_of, flat_element, is_flat
from .nodes import is_bool_text
from .objects import UNALIGNED, VOLATILE, access_of
from .pointers import as_bytes, pointer_operation
from .scope import Scope
from .sizes import size_of
from .steps import refuse_part, step
from .text import Text
from .types import is_flattened
from .vectors import vector_operation, vector_update


def unary_operation(scope: Scope, node: c_ast.UnaryOp) -> Text:
    op, operand = node.op, node.expr
    if op in ("sizeof", "_Alignof"):
        return size_of(scope, node)
    if op == "&":
        return address_of(scope, operand)
    if op == "*":
        if is_flat(scope, operand):
            return flat_element(scope, node)
        if isinstance(scope.type(node), Void):  # which nothing is read of
            return ct.Cast("void", scope.emit(operand))
        return ct.prefix("*", scope.emit(operand))
    if op in ("p++", "p--", "++", "--"):
        return step(scope, node, op)
    if op == "!":
        return ct.prefix("!", tested(scope, operand))
    if op == "&&":  # the address of a label, which has no type
        raise scope.error(node, f"'{op}' is not supported")
    is_vector = as_vector(scope.type(operand)) is not None
    if op == "~" and not is_vector and (is_bool_text(operand) or scope.value_type(operand) == BOOL):
        return ct.prefix("~", ct.Cast("int", scope.emit(operand)))
    if op in ("__real__", "__imag__"):
        if strip(scope.type(operand)) == HALF_COMPLEX:
            return half_part(scope, operand, op.strip("_")[:2])
        if is_complex(scope.type(operand)):
            part = "REX_REAL" if op == "__real__" else "REX_IMAG"
            text = scope.place(operand) if access_of(scope, operand) == VOLATILE else scope.emit(operand)
            return ct.call(part, text)
        return scope.emit(operand) if op == "__real__" else ct.ZERO
    if op == "-" and not is_vector and (wrapped := wrapped_negation(scope, operand)) is not None:
        return wrapped
    return ct.prefix(op, convert(scope, operand, scope.type(operand)) if is_vector else scope.emit(operand))


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
    return special_operation(scope, op, node.left, a, node.right, b) or ct.binary(op, a, b)


def assignment(scope: Scope, node: c_ast.Assignment) -> Text:
    target, op, value = node.lvalue, node.op, node.rvalue
    t = scope.type(target)
    refuse_part(scope, target)
    if (access := access_of(scope, target)) is not None:
        if op == "=":
            return stored(scope, access, target, value)
        if as_vector(t) is not None and access == UNALIGNED:
            return vector_update(scope, node, ct.name(""), strip(t))
        if is_complex(scope.type(value)) and not is_complex(t):
            raise scope.error(node, f"'{op}' of a '{strip(t)}' and a complex number is not supported here")
        return updated(scope, access, target, op[:-1], scope.emit(value).at(ct.ASSIGN), gives_old=False)
    left = scope.emit(target)
    if isinstance(t, Record) and "volatile" in t.quals:  # C++ assigns no volatile objects of class type
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
