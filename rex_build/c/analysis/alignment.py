"""Finds objects that typedefs align less strictly than their types require."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from ..sema import Sema, Symbol
from ..sema.ctype import Array, CType, LayoutError, Pointer, alignof, sizeof
from ..sema.type_questions import is_misaligned


def loose_alignment(sema: Sema, node: c_ast.Node, is_aligned: Callable[[Symbol | None], bool] = lambda _: False) -> int:
    """The alignment in bytes of the object that an lvalue names, if a typedef makes it less than its type's, else 0.

    The typedef may be that of its type, or of an object of which it is a part. ``is_aligned`` says for which variables
    typedefs do not matter.
    """
    alignment, is_loose = _alignment(sema, node, is_aligned)
    return alignment if is_loose else 0


def _alignment(sema: Sema, node: c_ast.Node, is_aligned: Callable[[Symbol | None], bool]) -> tuple[int, bool]:
    """(the known alignment of the object that an lvalue names, whether a typedef has lowered it)."""
    t = sema.type(node)
    match node:
        case c_ast.StructRef():
            if node.type == ".":
                around, is_loose = _alignment(sema, node.name, is_aligned)
            else:
                pointer = sema.value_type(node.name)
                around, is_loose = _of_type(pointer.to) if isinstance(pointer, Pointer) else (1, False)
            # In a packed structure, the alignment of the member's type does not matter.
            return _at(around, sum(f.offset for f in sema.member(node))), is_loose or is_misaligned(t)
        case c_ast.ArrayRef():
            array = next((n for n in (node.name, node.subscript) if isinstance(sema.type(n), Array)), None)
            if array is not None:
                around, is_loose = _alignment(sema, array, is_aligned)
                return _at(around, _size(t)), is_loose
            return _of_type(t)
        case c_ast.ID() if not is_aligned(sema.symbol(node)):
            return _of_type(t)
        case c_ast.UnaryOp(op="*"):
            return _of_type(t)
    return _of_type(t)[0], False


def _of_type(t: CType) -> tuple[int, bool]:
    try:
        return alignof(t), is_misaligned(t)
    except LayoutError:
        return 1, False


def _size(t: CType) -> int:
    try:
        return sizeof(t)
    except LayoutError:  # its length is variable
        return 1


def _at(alignment: int, distance: int) -> int:
    """The known alignment of an address at a distance of this many bytes from an address with ``alignment``."""
    return min(alignment, distance & -distance) if distance else alignment
