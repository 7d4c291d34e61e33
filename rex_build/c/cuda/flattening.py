"""Variable-length arrays and pointers to them, flattened: ``a[i][j]`` becomes ``a[i * extent + j]``."""

from __future__ import annotations

import re

from pycparser import c_ast

from ..sema.ctype import Array, Pointer
from . import text as ct
from .base import ZERO, PrinterBase
from .text import Text
from .types import dimensions, is_flattened

_CONVERTED = re.compile(r"\(long\)\w+")


def _extent(text: str) -> Text:
    if _CONVERTED.fullmatch(text):
        return Text(text, ct.UNARY)
    return Text(text, ct.PRIMARY if text.isidentifier() or text.isdigit() else ct.COMMA)


class FlatArrays(PrinterBase):
    """Accesses to flattened arrays."""

    def _is_flat(self, node: c_ast.Node) -> bool:
        """Whether the expression is an array or a pointer to one, printed as a pointer to its innermost elements."""
        t = self._type(node)
        if is_flattened(t):
            return True
        if isinstance(t, Array):
            is_row = isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*")
            return is_row and self._is_flat(self._pointer_and_index(node)[0])
        if isinstance(t, Pointer) and isinstance(t.to, Array):
            if isinstance(node, c_ast.BinaryOp):
                return any(isinstance(self._value_type(n), Pointer) and self._is_flat(n) for n in node)
            if isinstance(node, c_ast.UnaryOp) and node.op == "&":
                return self._is_flat(node.expr)
        return False

    def _extents_of(self, node: c_ast.Node, whole: bool = False) -> list[str]:
        """The extents inside one element of the flattened ``node`` (``whole``: of the array itself), as long values."""
        if isinstance(node, c_ast.UnaryOp) and node.op == "&" and isinstance(node.expr, c_ast.ID):
            return self._extents_of(node.expr, whole=True)
        t = self._type(node)
        symbol = self.sema.symbol(node) if isinstance(node, c_ast.ID) else None
        known = self.extents.get(symbol) if symbol is not None else None
        if known is not None and not whole:
            return list(known)
        dims = dimensions(t.to if isinstance(t, Pointer) else t)
        if isinstance(t, Array) and not whole:
            dims = dims[1:]
        if known is not None:
            outermost = self.outer_extents.get(symbol) if symbol is not None else None
            first = [outermost] if outermost is not None else self._extent_texts(node, dims[:1])
            return [*first, *known]
        return self._extent_texts(node, dims)

    def _extent_texts(self, node: c_ast.Node, dims: tuple[int | c_ast.Node | None, ...]) -> list[str]:
        texts = []
        for dim in dims:
            if dim is None or (isinstance(dim, c_ast.ID) and dim.name == "*"):
                raise self.error(node, "the extent of this array is not known")
            texts.append(str(dim) if isinstance(dim, int) else ct.cast("long", self._emit(dim)).text)
        return texts

    @staticmethod
    def _product(extents: list[str]) -> Text:
        product = _extent(extents[0])
        for extent in extents[1:]:
            product = ct.binary("*", product, _extent(extent))
        return product

    def _flat(self, node: c_ast.Node) -> tuple[Text, Text | None, list[str]]:
        """The pointer that a flat expression decays to: base, offset in what it points to, extents of that."""
        if isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*"):
            pointer, index = self._pointer_and_index(node)
            if self._is_flat(pointer):
                base, offset, extents = self._flat(pointer)
                offset = self._plus(offset, index)
                # The row decays to a pointer to its first part.
                if offset is not None:
                    offset = ct.binary("*", offset, _extent(extents[0]))
                return base, offset, extents[1:]
        if isinstance(node, c_ast.BinaryOp) and node.op in "+-":
            pointer, index_node = node.left, node.right
            if not isinstance(self._value_type(pointer), Pointer):
                pointer, index_node = index_node, pointer
            base, offset, extents = self._flat(pointer)
            index = self._emit(index_node)
            if node.op == "-":
                return base, ct.prefix("-", index) if offset is None else ct.binary("-", offset, index), extents
            return base, self._plus(offset, index), extents
        if isinstance(node, c_ast.UnaryOp) and node.op == "&" and isinstance(node.expr, c_ast.ArrayRef):
            pointer, index = self._pointer_and_index(node.expr)
            base, offset, extents = self._flat(pointer)
            return base, self._plus(offset, index), extents
        return self._emit(node), None, self._extents_of(node)

    def _pointer_and_index(self, node: c_ast.ArrayRef | c_ast.UnaryOp) -> tuple[c_ast.Node, Text]:
        if isinstance(node, c_ast.UnaryOp):
            return node.expr, ZERO
        if isinstance(self._value_type(node.name), Pointer):
            return node.name, self._emit(node.subscript)
        return node.subscript, self._emit(node.name)

    @staticmethod
    def _plus(offset: Text | None, index: Text) -> Text | None:
        if offset is None:
            return None if index == ZERO else index
        return offset if index == ZERO else ct.binary("+", offset, index)

    def _flat_element(self, node: c_ast.ArrayRef | c_ast.UnaryOp) -> Text:
        """``a[i][j]`` of a flattened ``a``: an element, or a pointer to the first one when rows remain."""
        pointer, index = self._pointer_and_index(node)
        base, offset, extents = self._flat(pointer)
        offset = self._plus(offset, index)
        if isinstance(self._type(node), Array):
            return self._moved(base, offset, extents)
        return Text(f"{base.at(ct.POSTFIX)}[{offset.text if offset is not None else '0'}]", ct.POSTFIX)

    def _flat_pointer(self, node: c_ast.Node) -> Text:
        """Pointer arithmetic on flattened rows."""
        return self._moved(*self._flat(node))

    def _moved(self, base: Text, offset: Text | None, extents: list[str]) -> Text:
        if offset is None:
            return base
        return ct.binary("+", base, ct.binary("*", offset, self._product(extents)) if extents else offset)
