"""Prints identifiers and constants."""

from __future__ import annotations

from pycparser import c_ast

from ..analysis.device_library import is_overloaded
from ..sema import Symbol
from ..sema.ctype import FLOAT_COMPLEX, HALF_COMPLEX, INT, Array, Pointer, strip
from ..sema.expressions import declare_real
from ..sema.initialisers import read_initialiser
from ..sema.type_questions import is_arithmetic
from . import text as ct
from .addresses import has_stand_in, stand_in_address
from .conversions import to_arithmetic
from .scope import Scope
from .strings import known_escapes, string_bytes
from .text import Text
from .types import without_const


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
        return number if strip(symbol.type) == INT else ct.Cast(scope.declaration(strip(symbol.type)), number)
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
        t = FLOAT_COMPLEX if scope.type(node) == HALF_COMPLEX else scope.type(node)
        return ct.call(f"rex_complex<{declare_real(t)}>", "0", node.value.rstrip())
    if node.value[-1] == "'" and (node.value[0] != "'" or len(string_bytes(node.value)) != 1):
        return ct.name(str(scope.sema.value(node)))  # it is wide, or has several characters
    return ct.name(known_escapes(node.value) if node.value[0] == "'" else node.value)
