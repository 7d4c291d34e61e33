"""Prints ``++`` and ``--``, which C++ lacks for bool, ``void *``, flattened arrays and classes."""

from __future__ import annotations

from pycparser import c_ast

from ..sema.ctype import BOOL, CHAR, SHORT, SIGNED_CHAR, CType, Pointer, Void, strip
from ..sema.type_questions import as_vector, is_complex
from ..syntax.parser import StmtExpr
from . import text as ct
from .access import updated
from .arithmetic import wrapped_update
from .complex_numbers import complex_step
from .flattening import extent_product, extents_of
from .literals import keep_changed_literal
from .objects import UNALIGNED, VOLATILE, access_of, is_bit_field, is_in_ragged
from .pointers import as_bytes
from .scope import Scope
from .text import Text
from .types import is_flattened
from .values import value_of

# For these types nvcc 13 assumes that ++ stays in range, while C converts a sum of type int.
_NARROW_SIGNED = (CHAR, SIGNED_CHAR, SHORT)


def needs_no_old_value(scope: Scope, t: CType) -> bool:
    """Whether ``x++`` of an object of type ``t`` is shorter as ``++x``, if its value is not used."""
    return scope.unit.wraps or strip(t) in (BOOL, *_NARROW_SIGNED) or is_flattened(t) or strip(t) == Pointer(Void())


def step(scope: Scope, node: c_ast.UnaryOp, op: str) -> Text:
    """The operation ``op`` on the operand of ``node``: ``++``, ``--``, ``p++`` or ``p--``."""
    operand = node.expr
    t = scope.type(operand)
    sign, gives_old = op[-1], op[0] == "p"
    refuse_part(scope, operand)
    keep_changed_literal(scope, operand)
    access = access_of(scope, operand)
    if as_vector(t) is not None and (access == UNALIGNED or is_in_ragged(scope, operand)):
        one = f"{scope.declaration(strip(t))}::all(1)"
        return updated(scope, UNALIGNED, operand, sign, one, gives_old=gives_old)
    if access is not None:
        return updated(scope, access, operand, sign, "1", gives_old=gives_old)
    target = scope.emit(operand)
    if is_complex(t):
        return complex_step(scope, t, target, op)
    if isinstance(t, Pointer) and isinstance(t.to, Void):
        return _void_pointer_step(scope.declaration(strip(t)), target, sign, gives_old)
    if is_flattened(t):
        row = extent_product(extents_of(scope, operand))
        new = ct.assignment(target, f"{sign}=", row)
        return ct.binary(_BACK[sign], new, row) if gives_old else new
    if strip(t) == BOOL:
        return _bool_step(scope, target, sign, gives_old)
    if strip(t) in _NARROW_SIGNED:
        new = ct.assignment(target, f"{sign}=", ct.ONE)
        if not gives_old:
            return new
        if not is_bit_field(scope, operand):
            return ct.Cast(scope.declaration(strip(t)), ct.binary(_BACK[sign], new, ct.ONE))
    if (wrapped := wrapped_update(scope, operand, sign, 1, gives_old)) is not None:
        return wrapped
    return Text(target.at(ct.POSTFIX) + op[1:], ct.POSTFIX) if gives_old else ct.prefix(op, target)


_BACK = {"+": "-", "-": "+"}


def _void_pointer_step(kind: str, target: Text, sign: str, gives_old: bool) -> Text:
    stepped = ct.Cast(kind, ct.binary(sign, as_bytes(target), ct.ONE))
    new = ct.assignment(target, "=", stepped)
    return ct.Cast(kind, ct.binary(_BACK[sign], as_bytes(new), ct.ONE)) if gives_old else new


def _bool_step(scope: Scope, target: Text, sign: str, gives_old: bool) -> Text:
    new = ct.assignment(target, "=", ct.binary("!=", ct.binary(sign, target, ct.ONE), ct.ZERO))
    if not gives_old:
        return new
    old = scope.temporary()
    return ct.name(f"({{ const bool {old} = {target.text}; {new.text}; {old}; }})")


def refuse_part(scope: Scope, target: c_ast.Node) -> None:
    """Refuse to change a part of a complex number that is read and written as a whole, or of a value, as gcc allows."""
    if isinstance(value_of(scope.sema, target), StmtExpr):
        raise scope.error(target, "a change of a part of a statement expression's value is not supported")
    is_part = isinstance(target, c_ast.UnaryOp) and target.op in ("__real__", "__imag__")
    if is_part and access_of(scope, target.expr) not in (None, VOLATILE):
        what = f"a change of a part of an object of type '{scope.type(target.expr)}'"
        raise scope.error(target, f"{what} is not supported")
