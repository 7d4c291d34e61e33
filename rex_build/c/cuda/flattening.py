"""Flattens variable-length arrays and pointers to them: ``a[i][j]`` becomes ``a[i * extent + j]``."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ..sema import Symbol
from ..sema.ctype import Array, Pointer
from . import text as ct
from .scope import Scope
from .text import Text
from .types import dimensions, is_flattened


def is_flat(scope: Scope, node: c_ast.Node) -> bool:
    """Whether the expression is an array or a pointer to one, and printed as a pointer to its innermost elements."""
    t = scope.type(node)
    if is_flattened(t):
        return True
    if isinstance(t, Array):
        is_row = isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*")
        return is_row and is_flat(scope, pointer_and_index(scope, node)[0])
    if isinstance(t, Pointer) and isinstance(t.to, Array):
        if isinstance(node, c_ast.BinaryOp):
            return any(isinstance(scope.value_type(n), Pointer) and is_flat(scope, n) for n in node)
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            return is_flat(scope, node.expr)
    return False


def extents_of(scope: Scope, node: c_ast.Node, whole: bool = False) -> list[Text]:
    """The extents inside one element of the flattened ``node``, as long values. With ``whole``, of the array itself."""
    if isinstance(node, c_ast.UnaryOp) and node.op == "&" and isinstance(node.expr, c_ast.ID):
        return extents_of(scope, node.expr, whole=True)
    t = scope.type(node)
    symbol = scope.sema.symbol(node) if isinstance(node, c_ast.ID) else None
    known = scope.extents.get(symbol) if symbol is not None else None
    if known is not None and not whole:
        return list(known)
    dims = dimensions(t.to if isinstance(t, Pointer) else t)
    if isinstance(t, Array) and not whole:
        dims = dims[1:]
    if known is not None:
        outermost = scope.outer_extents.get(symbol) if symbol is not None else None
        first = [outermost] if outermost is not None else extent_texts(scope, node, dims[:1])
        return [*first, *known]
    return extent_texts(scope, node, dims)


def extent_texts(scope: Scope, node: c_ast.Node, dims: tuple[int | c_ast.Node | None, ...]) -> list[Text]:
    texts = []
    for dim in dims:
        if dim is None or (isinstance(dim, c_ast.ID) and dim.name == "*"):
            raise scope.error(node, "the extent of this array is not known")
        if isinstance(dim, int):
            texts.append(ct.number(dim))
        else:
            texts.append(fixed_length(scope, node, dim) or ct.Cast("long", scope.emit(dim)))
    return texts


def fixed_length(scope: Scope, node: c_ast.Node, dim: c_ast.Node) -> Text | None:
    """The value that a length of ``node``'s type got where that was declared, or None if it is evaluated here."""
    if dim in scope.sema.fixed_lengths and dim not in scope.lengths:
        message = "a type whose length only the run knows, declared outside of the region, is not supported"
        raise scope.error(node, message)
    return scope.lengths.get(dim)


def extent_product(extents: Sequence[Text]) -> Text:
    product = extents[0]
    for extent in extents[1:]:
        product = ct.binary("*", product, extent)
    return product


def element_count(scope: Scope, symbol: Symbol) -> str | None:
    """The number of elements of an array whose extents only the run knows, or None if they are not known here."""
    outermost = scope.outer_extents.get(symbol)
    return None if outermost is None else extent_product((outermost, *(scope.extents.get(symbol) or ()))).text


def flat_parts(scope: Scope, node: c_ast.Node) -> tuple[Text, Text | None, list[Text]]:
    """The pointer to which a flat expression decays: (base, offset in elements of its target, the target's extents)."""
    if isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*"):
        pointer, subscript = pointer_and_index(scope, node)
        if is_flat(scope, pointer):
            index = _index(scope, subscript)
            base, offset, extents = flat_parts(scope, pointer)
            offset = _offset_plus(offset, index)
            # The row decays to a pointer to its first part.
            if offset is not None:
                offset = ct.binary("*", offset, extents[0])
            return base, offset, extents[1:]
    if isinstance(node, c_ast.BinaryOp) and node.op in "+-":
        pointer, index_node = node.left, node.right
        if not isinstance(scope.value_type(pointer), Pointer):
            pointer, index_node = index_node, pointer
        base, offset, extents = flat_parts(scope, pointer)
        if node.op == "+":
            return base, _offset_plus(offset, _index(scope, index_node)), extents
        index = scope.emit(index_node)
        return base, ct.prefix("-", index) if offset is None else ct.binary("-", offset, index), extents
    if isinstance(node, c_ast.UnaryOp) and node.op == "&" and isinstance(node.expr, c_ast.ArrayRef):
        pointer, subscript = pointer_and_index(scope, node.expr)
        index = _index(scope, subscript)
        base, offset, extents = flat_parts(scope, pointer)
        return base, _offset_plus(offset, index), extents
    return scope.emit(node), None, extents_of(scope, node)


def pointer_and_index(scope: Scope, node: c_ast.ArrayRef | c_ast.UnaryOp) -> tuple[c_ast.Node, c_ast.Node | None]:
    """The pointer and the index of ``pointer[index]``, which C allows in either order, or of ``*pointer``."""
    if isinstance(node, c_ast.UnaryOp):
        return node.expr, None
    if isinstance(scope.value_type(node.name), Pointer):
        return node.name, node.subscript
    return node.subscript, node.name


def _index(scope: Scope, node: c_ast.Node | None) -> Text | None:
    """The number that is added to a pointer, or None."""
    is_zero = node is None or (isinstance(node, c_ast.Constant) and scope.sema.value(node) == 0)
    return scope.emit(node) if node is not None and not is_zero else None


def _offset_plus(offset: Text | None, index: Text | None) -> Text | None:
    if offset is None or index is None:
        return index or offset
    return ct.binary("+", offset, index)


def flat_element(scope: Scope, node: c_ast.ArrayRef | c_ast.UnaryOp) -> Text:
    """``a[i][j]`` of a flattened ``a``: an element, or a pointer to the first one if it is a row."""
    pointer, subscript = pointer_and_index(scope, node)
    index = _index(scope, subscript)
    base, offset, extents = flat_parts(scope, pointer)
    offset = _offset_plus(offset, index)
    if isinstance(scope.type(node), Array):
        return _moved_pointer(base, offset, extents)
    return ct.element(base, offset or ct.ZERO)


def flat_pointer(scope: Scope, node: c_ast.Node) -> Text:
    """A sum of a pointer to flattened rows and a number."""
    return _moved_pointer(*flat_parts(scope, node))


def _moved_pointer(base: Text, offset: Text | None, extents: list[Text]) -> Text:
    if offset is None:
        return base
    return ct.binary("+", base, ct.binary("*", offset, extent_product(extents)) if extents else offset)
