"""Prints addresses of objects, and subscripts."""

from __future__ import annotations

from pycparser import c_ast

from ..sema import Symbol
from ..sema.ctype import CHAR, Array, CType, Function, Record, strip
from ..sema.initialisers import is_string
from ..sema.type_questions import is_sizeless
from . import text as ct
from .flattening import is_flat, pointer_and_index
from .literals import literal_address
from .scope import Scope
from .text import Text
from .types import is_empty, is_empty_array
from .values import base_of, element_of_value


def address_of(scope: Scope, operand: c_ast.Node) -> Text:
    if isinstance(operand, c_ast.CompoundLiteral):
        return literal_address(scope, operand)
    t = scope.type(operand)
    if isinstance(t, Function):
        return scope.emit(operand)
    if isinstance(t, Array) and is_flat(scope, operand):
        return scope.emit(operand)
    symbol = scope.sema.symbol(operand) if isinstance(operand, c_ast.ID) else None
    if symbol is not None and is_sizeless(symbol.type):
        return stand_in_address(scope, symbol)
    if isinstance(operand, c_ast.UnaryOp) and operand.op == "*":
        return scope.emit(operand.expr)
    if isinstance(t, Array) and symbol in scope.names and not scope.is_static:
        return ct.Cast(scope.types.pointer_to(t), scope.emit(operand))  # or to the array's first element
    if isinstance(base := base_of(scope.sema, operand), c_ast.CompoundLiteral):
        scope.body.pointed_into.add(base)
    if (element := element_of_value(scope.sema, operand)) is not None:  # C++ has no address of it
        if element is operand:
            array, index = pointer_and_index(scope, element)
            assert index is not None
            offset = scope.emit(index)
            return ct.binary("+", scope.emit(array), offset)
        scope.body.designated.add(element)
    if is_string(operand):
        return ct.Cast(scope.types.pointer_to(t), Text(f"&{operand.value}", ct.UNARY))
    if scope.is_static and isinstance(operand, c_ast.ArrayRef) and isinstance(scope.type(operand.name), Array):
        return _constant_address(scope, operand) or ct.binary(
            "+", scope.emit(operand.name), subscript(scope, operand.subscript)
        )
    if symbol is not None:
        return ct.prefix("&", ct.name(scope.symbol_text(symbol)))
    return ct.prefix("&", scope.place(operand))


def has_stand_in(t: CType) -> bool:
    """Whether a variable is declared as another object, which is no array that decays to the same pointer."""
    is_row = isinstance(t, Array) and not isinstance(t.of, Array) and not is_empty(t.of)
    return is_empty(t) or (is_empty_array(t) and not is_row)


def stand_in_address(scope: Scope, symbol: Symbol) -> Text:
    """The address of a variable without a size, for which another object is declared."""
    name = ct.name(scope.symbol_text(symbol))
    t = strip(symbol.type) if isinstance(symbol.type, Record) else symbol.type
    of_array = isinstance(t, Array) and not scope.is_static  # its name may be a pointer's
    return ct.Cast(scope.types.pointer_to(t), name if of_array else ct.prefix("&", name))


def _constant_address(scope: Scope, node: c_ast.ArrayRef) -> Text | None:
    """``&a[1][2][3]``, counted from the very first element. nvcc accepts only this form as a constant."""
    base: c_ast.Node = node
    subscripts = []
    while isinstance(base, c_ast.ArrayRef) and isinstance(scope.type(base.name), Array):
        subscripts.append(scope.sema.value(base.subscript))
        base = base.name
    kind, flat = scope.type(base), 0
    for value in reversed(subscripts):
        if value is None or not isinstance(kind, Array):
            return None
        flat, kind = flat * (kind.length or 0) + value, kind.of
    if isinstance(kind, Array):
        return None
    first = Text(scope.emit(base).at(ct.POSTFIX) + "[0]" * len(subscripts), ct.POSTFIX)
    return ct.binary("+", ct.prefix("&", first), ct.name(str(flat)))


def subscript(scope: Scope, node: c_ast.Node) -> Text:
    text = scope.emit(node)
    t = scope.value_type(node)
    return ct.Cast("int", text) if t == CHAR else text
