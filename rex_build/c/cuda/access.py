"""Prints identifiers, constants, addresses and subscripts, and accesses of objects that need more than a name."""

from __future__ import annotations

from pycparser import c_ast

from ...openmp.atomics import OPERATORS
from ..analysis.device_library import is_overloaded
from ..sema import Symbol
from ..sema.ctype import Array, C, CType, Function, Pointer, Record, Void, aligned, alignof, strip
from ..sema.expressions import declare_real
from ..sema.initialisers import is_string, read_initialiser
from ..sema.type_questions import is_arithmetic, is_sizeless
from . import text as ct
from .conversions import convert, converted, to_arithmetic
from .initialisers import literal_address
from .objects import (
    UNALIGNED,
    access_of,
    base_of,
    element_of_value,
    is_bit_field,
    is_flat,
    loose_alignment_of,
    member_path,
    pointer_and_index,
)
from .scope import Scope
from .text import Text, known_escapes, string_bytes
from .types import is_empty, is_empty_array, is_flattened, without_const

# Prints addresses of objects, and subscripts.

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
    return ct.Cast("int", text) if t == C.CHAR else text


# Changes objects for which a plain read or write is not enough.
#
# These are C11's atomic objects, for which every access is sequentially consistent (6.5.16.2p3, 7.17.3), and objects
# that a typedef aligns less strictly than their type requires.

_OPERATORS = {**OPERATORS, "%": "rex_mod"}


def assigned(scope: Scope, target: c_ast.Node, value: str, source: CType) -> str:
    """The assignment of a value of type ``source``, given as text, to an object of any kind."""
    access = access_of(scope, target)
    value = converted(scope, ct.name(value), strip(source), strip(scope.type(target))).at(ct.ASSIGN)
    return f"{scope.emit(target).text} = {value}" if access is None else _store(scope, access, target, value).text


def loaded(scope: Scope, access: str, node: c_ast.Node) -> Text:
    if access == UNALIGNED and is_bit_field(scope, node):
        assert isinstance(node, c_ast.StructRef)
        return ct.member(_holder_copy(scope, node), member_path(scope, node))
    return ct.call(f"{access}_load{_template_arguments(scope, access, node)}", address_of(scope, node))


def stored(scope: Scope, access: str, target: c_ast.Node, value: c_ast.Node) -> Text:
    return _store(scope, access, target, convert(scope, value, strip(scope.type(target))).at(ct.ASSIGN))


def _store(scope: Scope, access: str, target: c_ast.Node, value: str) -> Text:
    if access == UNALIGNED and is_bit_field(scope, target):
        return _bit_field_changed(scope, target, "=", value, gives_old=False)
    pieces = _template_arguments(scope, access, target)
    return ct.call(f"{access}_store{pieces}", address_of(scope, target), value)


def updated(scope: Scope, access: str, target: c_ast.Node, op: str, value: str, *, gives_old: bool) -> Text:
    """``target op= value``"""
    t = scope.type(target)
    if isinstance(t, Pointer) and (is_flattened(t) or isinstance(t.to, Void | Function)):
        raise scope.error(target, f"arithmetic of a pointer of type '{t}' is not supported")
    if access == UNALIGNED and is_bit_field(scope, target):
        return _bit_field_changed(scope, target, f"{op}=", value, gives_old=gives_old)
    function = "fetch_then" if gives_old else "then_fetch"
    pointer = address_of(scope, target)
    arguments = _template_arguments(scope, access, target, _OPERATORS[op])
    return ct.call(f"{access}_{function}{arguments}", pointer, value)


def _template_arguments(scope: Scope, access: str, node: c_ast.Node, *arguments: str) -> str:
    """The template arguments, with the alignment of an object that may have less than its type requires, if above 1."""
    alignment = loose_alignment_of(scope, node) if access == UNALIGNED else 0
    if alignment > 1:
        alignment = min(alignment, alignof(aligned(scope.type(node), 0)))
    texts = [*arguments, *([str(alignment)] if alignment > 1 else [])]
    return f"<{', '.join(texts)}>" if texts else ""


def _bit_field_changed(scope: Scope, node: c_ast.Node, op: str, value: str, *, gives_old: bool) -> Text:
    """An assignment to a bit-field. It is made to a copy of the bytes that hold it, which hold no other variable."""
    assert isinstance(node, c_ast.StructRef)
    path = scope.sema.member(node)
    first = 8 * sum(f.offset for f in path) + path[-1].bit_offset
    last = first + (path[-1].bit_width or 1) - 1
    holder = scope.emit(node.name) if node.type == "->" else address_of(scope, node.name)
    field = f"rex_holder.{member_path(scope, node)}"
    change = f"return {field} {op} {value};"
    if gives_old:
        change = f"const auto rex_old = {field}; {field} {op} {value}; return rex_old;"
    lambda_text = f"[&](auto &rex_holder) {{ {change} }}"
    return ct.call(f"rex_unaligned_bit_field<{first // 8}, {last // 8}>", holder, lambda_text)


def _holder_copy(scope: Scope, node: c_ast.StructRef) -> Text:
    """A copy of the structure to which a member belongs."""
    if node.type == ".":
        return loaded(scope, UNALIGNED, node.name)
    holder = c_ast.UnaryOp("*", node.name, node.coord)
    scope.sema.analyse(holder)
    return loaded(scope, UNALIGNED, holder)


# Prints identifiers and constants.

def identifier(scope: Scope, node: c_ast.ID) -> Text:
    if (function := scope.sema.function_name(node)) is not None:  # in C++ it would be the kernel's
        return ct.name(f'"{function}"')
    symbol = scope.sema.symbol(node)
    if symbol is None:
        return ct.name(node.name)
    if (constant := _constexpr_value(scope, symbol)) is not None:
        return constant
    if symbol.is_enumerator and symbol in scope.unit.device_names.system_symbols and symbol.value is not None:
        return ct.number(symbol.value)
    text = scope.symbol_text(symbol)
    if symbol.is_variable and has_stand_in(symbol.type):
        if scope.is_static and isinstance(symbol.type, Array):  # nvcc accepts only the pointer as a constant
            return ct.Cast(scope.types.pointer_to(symbol.type.of), ct.name(f"&{text}"))
        return ct.name(f"(*{stand_in_address(scope, symbol).text})")
    if symbol.is_function and symbol in scope.unit.device_names.system_symbols and is_overloaded(symbol.name):
        return ct.Cast(scope.declaration(Pointer(symbol.type)), ct.name(text))  # C++ has several functions of this name
    if symbol.is_function and symbol.name != node.name and symbol.name in scope.sema.functions:
        text = f"::{text}"  # it is an alias
    return ct.name(text)


def _constexpr_value(scope: Scope, symbol: Symbol) -> Text | None:
    """The value of a C23 ``constexpr`` number, which may be used where C++ needs a constant, or None."""
    decl = symbol.definition
    if decl is None or "constexpr" not in getattr(decl, "storage", ()) or not is_arithmetic(symbol.type):
        return None
    if symbol.value is not None:
        number = ct.number(symbol.value, "ULL" if symbol.value > 0x7FFFFFFFFFFFFFFF else "")
        return number if strip(symbol.type) == C.INT else ct.Cast(scope.declaration(strip(symbol.type)), number)
    if symbol.is_global:
        scope.sema.analyse(decl)
    value = read_initialiser(scope.sema, symbol.type, decl.init).value
    number = to_arithmetic(scope, value, strip(symbol.type)) if value is not None else ct.ZERO
    return ct.Cast(scope.declaration(strip(symbol.type)), number)


def constant(scope: Scope, node: c_ast.Constant) -> Text:
    if node.type == "string":
        t = scope.type(node)
        assert isinstance(t, Array)
        return ct.Cast(scope.types.pointer_to(without_const(t.of)), ct.name(known_escapes(node.value)))
    if node.type.endswith("_Complex"):
        t = C.FLOAT_COMPLEX if scope.type(node) == C.HALF_COMPLEX else scope.type(node)
        return ct.call(f"rex_complex<{declare_real(t)}>", "0", node.value.rstrip())
    if node.value[-1] == "'" and (node.value[0] != "'" or len(string_bytes(node.value)) != 1):
        return ct.name(str(scope.sema.value(node)))  # it is wide, or has several characters
    return ct.name(known_escapes(node.value) if node.value[0] == "'" else node.value)
