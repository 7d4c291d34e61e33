"""Prints arguments of calls, and other values that are passed as or cast to a type."""

from __future__ import annotations

from pycparser import c_ast

from ..analysis.device_names import local_name
from ..sema.ctype import C, CType, Function, Pointer, Record, Void, strip
from ..sema.initialisers import is_string, members
from ..sema.type_questions import compatible, is_arithmetic
from . import text as ct
from .conversions import convert, is_null, widened
from .operators import promoted_type
from .scope import Scope
from .text import Text, bare_string, is_bool_text, is_plain
from .types import is_empty


def _exact_double(node: c_ast.Node) -> str | None:
    """A long double constant as the double with the same value, or None if there is none."""
    if not (isinstance(node, c_ast.Constant) and node.type == "long double"):
        return None
    from fractions import Fraction  # few units have such constants

    text = str(node.value).rstrip("lL")
    try:
        return text if Fraction(text) == Fraction(float(text)) else None
    except (ValueError, OverflowError):  # it is hexadecimal, or infinite as a double
        return None


# The parameter of a variadic function for the address of the arguments behind its parameters.
MORE_ARGUMENTS = "__rex_more_arguments"


def passed_type(scope: Scope, argument: c_ast.Node) -> CType:
    """The type of an argument without a declared parameter, after the default promotions."""
    promoted = promoted_type(scope, argument)
    return C.DOUBLE if promoted == C.FLOAT else promoted


def argument_texts(
    scope: Scope, function: Function, args: list[c_ast.Node], exact: bool = False, library: bool = False
) -> list[str]:
    """The arguments, converted to the parameters' types. With ``exact``, no other C++ overload can be chosen."""
    named = len(function.params)
    texts = [argument_text(scope, a, p, exact) for a, p in zip(args, function.params, strict=False)]
    if function.variadic and not library:
        return [*texts, _packed_arguments(scope, args[named:])]
    return [*texts, *(argument_text(scope, a, None, exact) for a in args[named:])]


def _packed_arguments(scope: Scope, args: list[c_ast.Node]) -> str:
    """The address of the arguments behind the parameters, each with its type after the default promotions."""
    if not args:
        return "nullptr"
    types = [passed_type(scope, a) for a in args]
    values = ", ".join(convert(scope, a, t).at(ct.ASSIGN) for a, t in zip(args, types, strict=True))
    return f"rex_pack<{', '.join(map(scope.declaration, types))}>({values}).bytes"


def argument_text(scope: Scope, node: c_ast.Node, param: CType | None, exact: bool) -> str:
    if param is None:
        if is_string(node):
            return bare_string(node).text
        if is_null(scope, node) and isinstance(scope.value_type(node), Pointer):
            return "(void *)0"
        return widened(scope, node).at(ct.ASSIGN)
    if param == C.LONG_DOUBLE and (exact_text := _exact_double(node)):  # only nexttoward has such a parameter
        return exact_text
    t = strip(param)
    if is_empty(t):
        return nothing_of(scope, node)
    if isinstance(t, Record) and t.info.kind == "union" and not compatible(t, scope.value_type(node)):
        return union_of(scope, node, t).at(ct.ASSIGN)
    text = convert(scope, node, param)
    if exact and is_arithmetic(param):
        wanted = scope.declaration(strip(param))
        if _cpp_type(scope, node) != wanted and not ct.is_cast_to(text, wanted):
            text = ct.Cast(wanted, text)
    return text.at(ct.ASSIGN)


def nothing_of(scope: Scope, node: c_ast.Node) -> str:
    """A value without a size, as an argument or a result."""
    return "rex_nothing()" if is_plain(node) else f"({scope.discarded(node).text}, rex_nothing())"


def union_of(scope: Scope, node: c_ast.Node, t: Record) -> Text:
    """A union made from a value of one of its members: by a cast, or as an argument for a transparent union."""
    for position, member in enumerate(members(t)):
        if member.name is not None and member.bit_width is None and _is_taken(scope, node, strip(member.type)):
            designator = f".{local_name(member.name)} = " if position else ""
            value = convert(scope, node, member.type).at(ct.ASSIGN)
            return ct.braced(scope.declaration(t), ct.braces([f"{designator}{value}"]))
    raise scope.error(node, f"no member of '{t}' has the type '{scope.value_type(node)}'")


def _is_taken(scope: Scope, node: c_ast.Node, member: CType) -> bool:
    source = scope.value_type(node)
    if compatible(member, source) or not isinstance(member, Pointer):
        return compatible(member, source)
    if not isinstance(source, Pointer):
        return is_null(scope, node)
    to, of = strip(member.to), strip(source.to)
    return isinstance(to, Void) or isinstance(of, Void) or compatible(to, of)


def _cpp_type(scope: Scope, node: c_ast.Node) -> str:
    """The type that an arithmetic expression has in C++."""
    if is_bool_text(node):
        return "bool"
    if isinstance(node, c_ast.Constant) and node.type == "char":
        return "char"
    return scope.declaration(scope.value_type(node))
