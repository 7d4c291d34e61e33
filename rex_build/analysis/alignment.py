"""Where objects stand that typedefs align less than their types want."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from ..ctype import Array, CType, LayoutError, Pointer, alignof, is_misaligned, sizeof
from ..sema import Sema, Symbol


def loose_alignment(
    sema: Sema, node: c_ast.Node, is_aligned: Callable[[Symbol | None], bool] = lambda _: False
) -> int:
    """The alignment in bytes of what an lvalue names, where a typedef of its type or of something that it is a part of
    says that it may be less than the type's own; 0 where none does. ``is_aligned`` tells variables for which no typedef
    matters."""
    match node:
        case c_ast.StructRef():
            if node.type == ".":
                around = loose_alignment(sema, node.name, is_aligned)
            else:
                pointer = sema.value_type(node.name)
                around = _of_type(pointer.to) if isinstance(pointer, Pointer) else 0
            offset = sum(f.offset for f in sema.member(node))
            return _at(around, offset) if around else _of_type(sema.type(node))
        case c_ast.ArrayRef():
            array = next((n for n in (node.name, node.subscript) if isinstance(sema.type(n), Array)), None)
            if array is None:
                return _of_type(sema.type(node))
            return _at(loose_alignment(sema, array, is_aligned), _size(sema.type(node)))
        case c_ast.ID():
            return 0 if is_aligned(sema.symbol(node)) else _of_type(sema.type(node))
        case c_ast.UnaryOp(op="*"):
            return _of_type(sema.type(node))
    return 0


def _of_type(t: CType) -> int:
    return alignof(t) if is_misaligned(t) else 0


def _size(t: CType) -> int:
    try:
        return sizeof(t)
    except LayoutError:  # of a variable length
        return 1


def _at(alignment: int, distance: int) -> int:
    """The alignment that is left at a distance from something with that ``alignment``."""
    return min(alignment, distance & -distance) if distance else alignment
