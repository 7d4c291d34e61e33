"""Finds arrays whose elements a GPU can load and store with one access, if the array begins at an aligned address.

A structure of four floats needs an alignment of 4 in C, and nvcc makes four accesses of it. On the device arrays begin
at multiples of 256, but the region may get a pointer into one. So the kernel tests the address and has its loop twice.
"""

from __future__ import annotations

from pycparser import c_ast

from ....optimise.accesses import Access, Accesses
from ....plan.code import Entity
from ...sema import walk
from ...sema.ctype import Array, CType, Pointer, Record, Scalar, alignof, sizeof, strip

_WIDEST = 16  # bytes of an access
_LONGEST_ROW = 64  # bytes of a row such as double[4] that is accessed at once; longer ones are matrices
_LARGEST = 1500  # nodes of a body that nvcc may have to compile twice


def aligned(found: Accesses, body: c_ast.Node) -> tuple[tuple[Entity, int], ...]:
    """The variables, and to how many bytes they have to be aligned for that."""
    if sum(1 for _ in walk(body)) > _LARGEST or any(isinstance(n, c_ast.Label) for n in walk(body)):
        return ()
    out: list[tuple[Entity, int]] = []
    for root in found.roots:
        kind = strip(root.type)
        element = strip(kind.to) if isinstance(kind, Pointer) else strip(kind.of) if isinstance(kind, Array) else None
        if element is None or not _is_compact(element):
            continue
        size = sizeof(element)
        width = min(size & -size, _WIDEST)
        if width > alignof(element) >= 4 and _has_neighbours([a for a in found.items if a.root is root]):
            out.append((root, width))
    return tuple(out)


def _is_compact(element: CType) -> bool:
    """Whether an element is a structure, or a short row of numbers."""
    if isinstance(element, Array):
        return isinstance(strip(element.of), Scalar) and element.length is not None and sizeof(element) <= _LONGEST_ROW
    return isinstance(element, Record) and element.info.kind == "struct" and element.info.is_complete


def _has_neighbours(accesses: list[Access]) -> bool:
    """Whether several parts of an element are accessed. Functions that get its address are believed to do that."""
    parts = {_part(a.node) for a in accesses if not a.atomic}
    return "" in parts or len(parts) > 1


def _part(node: c_ast.Node) -> str:
    """The member or the constant subscript by which an access names a part of an element; "" for all of it."""
    match node:
        case c_ast.StructRef():
            return str(node.field.name)
        case c_ast.ArrayRef(name=c_ast.ArrayRef() | c_ast.UnaryOp(), subscript=c_ast.Constant()):
            return str(node.subscript.value)
    return ""
