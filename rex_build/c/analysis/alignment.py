"""Where objects stand that typedefs align less than their types want."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from ..sema import Sema, Symbol
from ..sema.ctype import Array, CType, LayoutError, Pointer, alignof, is_misaligned, sizeof


def loose_alignment(sema: Sema, node: c_ast.Node, is_aligned: Callable[[Symbol | None], bool] = lambda _: False) -> int:
    """The alignment in bytes of what an lvalue names, where a typedef of its type or of something that it is a part of
    says that it may be less than the type's own; 0 where none does. ``is_aligned`` tells variables for which no typedef
    matters."""
    alignment, is_loose = _alignment(sema, node, is_aligned)
    return alignment if is_loose else 0


def _alignment(sema: Sema, node: c_ast.Node, is_aligned: Callable[[Symbol | None], bool]) -> tuple[int, bool]:
    """(the alignment of what an lvalue names, as far as it is known; whether a typedef has a part in it)."""
    t = sema.type(node)
    match node:
        case c_ast.StructRef():
            if node.type == ".":
                around, is_loose = _alignment(sema, node.name, is_aligned)
            else:
                pointer = sema.value_type(node.name)
                around, is_loose = _of_type(pointer.to) if isinstance(pointer, Pointer) else (1, False)
            # That of the member's type says nothing where the structure is packed.
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
    except LayoutError:  # of a variable length
        return 1


def _at(alignment: int, distance: int) -> int:
    """The alignment that is left at a distance from something with that ``alignment``."""
    return min(alignment, distance & -distance) if distance else alignment
