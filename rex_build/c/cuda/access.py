"""Changes objects for which a plain read or write is not enough.

These are C11's atomic objects, for which every access is sequentially consistent (6.5.16.2p3, 7.17.3), and objects that
a typedef aligns less strictly than their type requires.
"""

from __future__ import annotations

from pycparser import c_ast

from ...openmp.atomics import OPERATORS
from ..sema.ctype import CType, Function, Pointer, Void, aligned, alignof, strip
from . import text as ct
from .addresses import address_of
from .conversions import convert, converted
from .objects import UNALIGNED, access_of, is_bit_field, loose_alignment_of, member_path
from .scope import Scope
from .text import Text
from .types import is_flattened

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
