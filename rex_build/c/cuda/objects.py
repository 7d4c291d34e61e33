"""Finds what kind of object an lvalue names, because some cannot be read by their names alone."""

from __future__ import annotations

from pycparser import c_ast

from ..analysis.alignment import loose_alignment
from ..analysis.atomics import is_atomic_access
from ..analysis.forms import is_object
from ..sema.ctype import Array, Pointer, Record, Scalar
from ..sema.type_questions import is_complex, is_ragged
from .scope import Scope
from .types import holds_halves, member_name
from .values import base_of

# The prefixes of functions that read and write such objects.
_ATOMIC, UNALIGNED, VOLATILE = "rex_c", "rex_unaligned", "rex_volatile"


def is_in_ragged(scope: Scope, node: c_ast.Node) -> bool:
    """Whether an lvalue is part of a structure in which something is not aligned."""
    found = False
    while isinstance(node, c_ast.StructRef | c_ast.ArrayRef):
        base = scope.value_type(node.name)
        is_member = isinstance(node, c_ast.StructRef)
        found |= is_member and is_ragged(base.to if isinstance(base, Pointer) else base)
        if isinstance(base, Pointer) and not isinstance(scope.type(node.name), Array):
            return found
        node = node.name
    return found and isinstance(node, c_ast.ID | c_ast.UnaryOp)


def access_of(scope: Scope, node: c_ast.Node) -> str | None:
    """The prefix of the functions that read and write an object, or None for a plain object."""
    if not is_object(node):
        return None
    if is_atomic_access(scope.sema, node):
        return _ATOMIC
    t = scope.type(node)
    is_class = isinstance(t, Scalar) and (holds_halves(t) or is_complex(t))  # it is a class in C++
    if not isinstance(t, Array):
        if loose_alignment_of(scope, node) or (is_class and is_in_ragged(scope, node)):
            if isinstance(base_of(scope.sema, node), c_ast.FuncCall):
                what = "a member out of alignment of a value that a function returns"
                raise scope.error(node, f"{what} is not supported")
            return UNALIGNED
        if is_complex(t) and "volatile" in t.quals:
            return VOLATILE
    return None


def loose_alignment_of(scope: Scope, node: c_ast.Node) -> int:
    """The alignment in bytes of an lvalue's object if a typedef makes it less than its type requires, or 0.

    The typedef may be that of an object of which it is a part. Variables that device code declares have C++'s
    alignment.
    """
    t = scope.type(node)
    if isinstance(t, Scalar | Pointer) and not t.align and _is_in_plain_arrays(scope, node):
        return 0  # no typedef aligns it or what it is part of
    return loose_alignment(scope.sema, node, lambda symbol: symbol not in scope.names)


def _is_in_plain_arrays(scope: Scope, node: c_ast.Node) -> bool:
    """Whether an lvalue is part of nothing but arrays that no typedef aligns."""
    while isinstance(node, c_ast.ArrayRef):
        t = scope.type(node.name)
        if isinstance(t, Pointer):
            return True
        if not isinstance(t, Array) or t.align:
            return False
        node = node.name
    return isinstance(node, c_ast.ID | c_ast.UnaryOp)


def member_path(scope: Scope, node: c_ast.StructRef) -> str:
    return ".".join(name for f in scope.sema.member(node) if (name := member_name(f)) is not None)


def is_bit_field(scope: Scope, node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.StructRef) and scope.sema.member(node)[-1].bit_width is not None


def has_no_reference(scope: Scope, node: c_ast.Node) -> bool:
    """Whether C++ has no reference to an object: it is a bit-field, or a member that is packed."""
    if not isinstance(node, c_ast.StructRef):
        return False
    holder = scope.type(node.name) if node.type == "." else scope.value_type(node.name)
    *around, field = scope.sema.member(node)
    record = around[-1].type if around else holder.to if isinstance(holder, Pointer) else holder
    is_packed = isinstance(record, Record) and record.info.pack > 0
    return is_packed or is_bit_field(scope, node) or scope.sema.layout.of_declaration(field.node).packed
