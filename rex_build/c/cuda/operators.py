"""Unary and binary operators, steps and assignments."""

from __future__ import annotations

from pycparser import c_ast

from ..sema.ctype import (
    BOOL,
    CHAR,
    HALF_COMPLEX,
    SHORT,
    SIGNED_CHAR,
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
from .arithmetic import special_operation, special_update, wrapped_negation, wrapped_update
from .complex_numbers import complex_operation, complex_step, complex_update, half_part
from .conversions import convert, not_volatile, same_sign, tested
from .flattening import extent_product, extents_of, flat_element, is_flat
from .nodes import is_bool_text
from .objects import UNALIGNED, VOLATILE, access_of, is_in_ragged
from .pointers import as_bytes, pointer_operation
from .scope import Scope
from .sizes import size_of
from .text import Text
from .types import is_flattened
from .vectors import vector_operation, vector_update

# Expressions that compilers do not warn of when their value is not used.
NARROW_SIGNED = (CHAR, SIGNED_CHAR, SHORT)


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
            return ct.cast("void", scope.emit(operand))
        return ct.prefix("*", scope.emit(operand))
    if op in ("p++", "p--", "++", "--"):
        return step(scope, node, op)
    if op == "!":
        return ct.prefix("!", tested(scope, operand))
    if op == "&&":  # the address of a label, which has no type
        raise scope.error(node, f"'{op}' is not supported")
    is_vector = as_vector(scope.type(operand)) is not None
    if op == "~" and not is_vector and (is_bool_text(operand) or scope.value_type(operand) == BOOL):
        return ct.prefix("~", ct.cast("int", scope.emit(operand)))
    if op in ("__real__", "__imag__"):
        if strip(scope.type(operand)) == HALF_COMPLEX:
            return half_part(scope, operand, op.strip("_")[:2])
        if is_complex(scope.type(operand)):
            part = "REX_REAL" if op == "__real__" else "REX_IMAG"
            text = scope.place(operand) if access_of(scope, operand) == VOLATILE else scope.emit(operand)
            return Text(f"{part}({text.at(ct.ASSIGN)})", ct.POSTFIX)
        return scope.emit(operand) if op == "__real__" else ct.name("0")
    if op == "-" and not is_vector and (wrapped := wrapped_negation(scope, operand)) is not None:
        return wrapped
    return ct.prefix(op, convert(scope, operand, scope.type(operand)) if is_vector else scope.emit(operand))


def step(scope: Scope, node: c_ast.UnaryOp, op: str) -> Text:
    """``++`` and ``--``, which C++ lacks for bool, ``void *`` and flattened arrays."""
    operand = node.expr
    t = scope.type(operand)
    sign = op[-1]
    _refuse_part(scope, operand)
    access = access_of(scope, operand)
    if as_vector(t) is not None and (access == UNALIGNED or is_in_ragged(scope, operand)):
        one = f"{scope.declaration(strip(t))}::all(1)"
        return updated(scope, UNALIGNED, operand, sign, one, gives_old=op[0] == "p")
    if access is not None:
        return updated(scope, access, operand, sign, "1", gives_old=op[0] == "p")
    target = scope.emit(operand)
    if is_complex(t):
        return complex_step(scope, t, target, op)
    if isinstance(t, Pointer) and (is_flattened(t) or isinstance(t.to, Void)):
        if isinstance(t.to, Void):
            stepped = ct.cast(scope.declaration(strip(t)), ct.binary(sign, as_bytes(target), ct.name("1")))
            new = ct.assignment(target, "=", stepped)
        else:
            row = extent_product(extents_of(scope, operand))
            new = ct.assignment(target, f"{sign}=", row)
        if op[0] != "p":
            return new
        back = "-" if sign == "+" else "+"
        if isinstance(t.to, Void):
            return ct.cast(scope.declaration(strip(t)), ct.binary(back, as_bytes(new), ct.name("1")))
        return ct.binary(back, new, row)
    if strip(t) == BOOL:
        stepped = ct.binary("!=", ct.binary(sign, target, ct.name("1")), ct.ZERO)
        new = ct.assignment(target, "=", stepped)
        if op[0] != "p":
            return new
        old = scope.temporary()
        return ct.name(f"({{ const bool {old} = {target.text}; {new.text}; {old}; }})")
    if strip(t) in NARROW_SIGNED:  # C converts the sum; nvcc 13 takes for granted that ++ leaves it in range
        new = ct.assignment(target, f"{sign}=", ct.name("1"))
        is_bit_field = isinstance(operand, c_ast.StructRef) and scope.sema.member(operand)[-1].bit_width is not None
        if op[0] != "p":
            return new
        if not is_bit_field:
            return ct.cast(scope.declaration(strip(t)), ct.binary("-" if sign == "+" else "+", new, ct.name("1")))
    if (wrapped := wrapped_update(scope, operand, sign, 1, op[0] == "p")) is not None:
        return wrapped
    if op[0] == "p":
        return Text(target.at(ct.POSTFIX) + op[1:], ct.POSTFIX)
    return ct.prefix(op, target)


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
            a = ct.cast("int", a) if bools[0] else a
            b = ct.cast("int", b) if bools[1] else b
        a, b = same_sign(scope, node.left, a, node.right, b, comparison=True)
    elif op not in ("<<", ">>"):
        a, b = same_sign(scope, node.left, a, node.right, b, comparison=False)
    return special_operation(scope, op, node.left, a, node.right, b) or ct.binary(op, a, b)


def assignment(scope: Scope, node: c_ast.Assignment) -> Text:
    target, op, value = node.lvalue, node.op, node.rvalue
    t = scope.type(target)
    _refuse_part(scope, target)
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
            return ct.assignment(left, "=", ct.cast(scope.declaration(strip(t)), moved))
    if is_complex(t) or is_complex(scope.type(value)):
        return complex_update(scope, node, left, t)
    if as_vector(t) is not None:
        return vector_update(scope, node, left, strip(t))
    return special_update(scope, target, op[:-1], value) or ct.assignment(left, op, scope.emit(value))


def _refuse_part(scope: Scope, target: c_ast.Node) -> None:
    """A change of a part of a complex number that is read and written as a whole."""
    is_part = isinstance(target, c_ast.UnaryOp) and target.op in ("__real__", "__imag__")
    if is_part and access_of(scope, target.expr) not in (None, VOLATILE):
        what = f"a change of a part of an object of type '{scope.type(target.expr)}'"
        raise scope.error(target, f"{what} is not supported")
