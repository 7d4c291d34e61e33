"""Prints operations on GNU C's vectors, which are a class of the device library."""

from __future__ import annotations

from pycparser import c_ast

from ..sema.ctype import CType, Scalar, strip
from ..sema.type_questions import as_vector, is_floating, is_unsigned
from . import text as ct
from .access import updated
from .conversions import convert
from .objects import UNALIGNED, access_of, is_in_ragged
from .scope import Scope
from .text import Text


def _element(t: CType) -> Scalar:
    """The type of a vector's elements."""
    vector = as_vector(t)
    assert vector is not None
    return vector.element


def shuffle(scope: Scope, node: c_ast.FuncCall, _form: str, args: list[c_ast.Node]) -> Text:
    """Elements of one or two vectors, chosen by constants or by another vector."""
    if node.name.name == "__builtin_shuffle":
        return ct.call("rex_shuffle", *vector_arguments(scope, [args[0], args[-2], args[-1]]))
    chosen = [scope.sema.value(a) for a in args[2:]]
    if None in chosen:
        raise scope.error(node, f"'{node.name.name}' with an index that is not constant is not supported")
    return ct.call(f"rex_shuffle<{', '.join(map(str, chosen))}>", *vector_arguments(scope, args[:2]))


def vector_arguments(scope: Scope, args: list[c_ast.Node]) -> list[Text]:
    return [convert(scope, a, scope.type(a)) for a in args]


def vector_operation(scope: Scope, op: str, left: c_ast.Node, right: c_ast.Node) -> Text:
    """``left op right``, in which one operand may be a number, or a vector that differs in sign."""
    kinds = [strip(t) for t in (scope.type(left), scope.type(right)) if as_vector(t) is not None]
    common = kinds[-1] if op in ct.COMPARISONS and is_unsigned(_element(kinds[-1])) else kinds[0]
    a = _vector_operand(scope, left, common)
    b = _vector_operand(scope, right, kinds[-1] if op in ("<<", ">>") else common)
    if op == "*" and not scope.unit.fuses and is_floating(_element(common)):
        return ct.call("rex_vector_product", a, b)
    return ct.binary(op, a, b)


def _vector_operand(scope: Scope, node: c_ast.Node, t: CType) -> Text:
    if as_vector(scope.type(node)) is not None:
        return convert(scope, node, t)
    value = convert(scope, node, _element(t))
    return ct.call(f"{scope.declaration(t)}::all", value)


def vector_update(scope: Scope, node: c_ast.Assignment, left: Text, t: CType) -> Text:
    op, value = node.op, node.rvalue
    other = scope.type(value) if op in ("<<=", ">>=") and as_vector(scope.type(value)) is not None else t
    right = _vector_operand(scope, value, strip(other))
    if access_of(scope, node.lvalue) == UNALIGNED or is_in_ragged(scope, node.lvalue):
        return updated(scope, UNALIGNED, node.lvalue, op[:-1], right.at(ct.ASSIGN), gives_old=False)
    if op == "*=" and not scope.unit.fuses and is_floating(_element(t)):
        return ct.call("rex_vector_multiply", left, right)
    return ct.assignment(left, op, right)
