"""Prints ``sizeof`` and ``_Alignof``."""

from __future__ import annotations

from pycparser import c_ast

from ..sema.ctype import Array, Function, Void, alignof
from . import text as ct
from .alignment import declared_alignment
from .flattening import extent_product, extent_texts, extents_of, flat_parts, pointer_and_index
from .scope import Scope
from .text import Text
from .types import dimensions, innermost, is_flattened, without_const


def size_of(scope: Scope, node: c_ast.UnaryOp) -> Text:
    if node.op == "_Alignof":
        return ct.name(str(_alignment_of(scope, node.expr)))
    operand = node.expr
    is_type = isinstance(operand, c_ast.Typename)
    t = scope.sema.resolve_type(operand) if is_type else scope.type(operand)
    if isinstance(t, Void | Function):
        return ct.ONE
    if not (isinstance(t, Array) and is_flattened(t)):
        return Text(f"sizeof({scope.declaration(without_const(t))})", ct.UNARY)
    text = Text(f"sizeof({scope.declaration(without_const(innermost(t)))})", ct.UNARY)
    if is_type:
        extents = extent_texts(scope, operand, dimensions(t))
    elif isinstance(operand, c_ast.ArrayRef | c_ast.UnaryOp):
        extents = flat_parts(scope, pointer_and_index(scope, operand)[0])[2]
    else:
        extents = extents_of(scope, operand, whole=True)
    return ct.binary("*", text, extent_product(extents))


def _alignment_of(scope: Scope, operand: c_ast.Node) -> int:
    """The alignment in bytes of a type or, as in GNU C, of the object of an expression."""
    if isinstance(operand, c_ast.Typename):
        return alignof(scope.sema.resolve_type(operand))
    if isinstance(scope.type(operand), Function):
        raise scope.error(operand, "the alignment of a function is not supported")
    own = alignof(scope.type(operand))
    if isinstance(operand, c_ast.StructRef):
        member = scope.sema.member(operand)[-1]
        if member.bit_width is not None or member.offset % own:
            raise scope.error(operand, "the alignment of this member is not supported")
        return max(own, declared_alignment(scope, member.node))
    symbol = scope.sema.symbol(operand) if isinstance(operand, c_ast.ID) else None
    decl = symbol.definition if symbol is not None else None
    return max(own, declared_alignment(scope, decl)) if isinstance(decl, c_ast.Decl) else own
