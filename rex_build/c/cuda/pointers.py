"""Prints arithmetic and comparisons of pointers."""

from __future__ import annotations

from pycparser import c_ast

from ..sema.ctype import CType, Pointer, Void
from . import text as ct
from .conversions import convert, is_null, same_pointer
from .flattening import extent_product, flat_parts, flat_pointer, is_flat
from .scope import Scope
from .text import Text


def as_bytes(pointer: Text) -> Text:
    return ct.Cast("char *", pointer)


def pointer_operation(scope: Scope, node: c_ast.BinaryOp, left: CType, right: CType) -> Text:
    op = node.op
    if op in ct.COMPARISONS:
        return _pointer_comparison(scope, node, left, right)
    flat = [n for n, t in ((node.left, left), (node.right, right)) if isinstance(t, Pointer) and is_flat(scope, n)]
    if flat:
        if len(flat) < 2:
            return flat_pointer(scope, node)
        difference = ct.binary("-", scope.emit(node.left), scope.emit(node.right))
        extents = flat_parts(scope, flat[0])[2]
        return ct.binary("/", difference, extent_product(extents)) if extents else difference
    a, b = scope.emit(node.left), scope.emit(node.right)
    pointers = [t for t in (left, right) if isinstance(t, Pointer)]
    if any(isinstance(t.to, Void) for t in pointers):
        a = as_bytes(a) if isinstance(left, Pointer) else a
        b = as_bytes(b) if isinstance(right, Pointer) else b
        result = ct.binary(op, a, b)
        return result if len(pointers) == 2 else ct.Cast(scope.declaration(pointers[0]), result)
    if len(pointers) == 2 and not same_pointer(scope, left, right):
        b = ct.Cast(scope.declaration(left), b)
    return ct.binary(op, a, b)


def _pointer_comparison(scope: Scope, node: c_ast.BinaryOp, left: CType, right: CType) -> Text:
    sides = []
    for side, t, other in ((node.left, left, right), (node.right, right, left)):
        if isinstance(other, Pointer) and is_null(scope, side):
            null = ct.name("nullptr")
            sides.append(null if node.op in ("==", "!=") else ct.Cast(scope.declaration(other), ct.ZERO))
        elif isinstance(t, Pointer):
            sides.append(scope.emit(side))
        else:
            sides.append(convert(scope, side, other))
    if isinstance(left, Pointer) and isinstance(right, Pointer):
        nulls = is_null(scope, node.left) or is_null(scope, node.right)
        voids = isinstance(left.to, Void) or isinstance(right.to, Void)
        if not nulls and not voids and not same_pointer(scope, left, right):
            sides[1] = ct.Cast(scope.declaration(left), sides[1])
    return ct.binary(node.op, sides[0], sides[1])
