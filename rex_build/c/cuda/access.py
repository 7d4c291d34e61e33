"""Objects that more is done for than to read or write them: C11 atomic ones, whose every access is sequentially
consistent (6.5.16.2p3, 7.17.3), and those that a typedef aligns less than their type wants."""

from __future__ import annotations

from pycparser import c_ast

from ..analysis.alignment import loose_alignment
from ..analysis.atomics import OPERATORS, is_atomic_access, is_object
from ..sema.ctype import Array, Function, Pointer, Scalar, Void, aligned, alignof, is_complex, strip
from . import text as ct
from .calls import CallPrinter
from .text import Text
from .types import holds_halves, is_flattened, member_name

_OPERATORS = {**OPERATORS, "%": "rex_mod"}


# What the functions' names begin with.
_ATOMIC, UNALIGNED, VOLATILE = "rex_c", "rex_unaligned", "rex_volatile"


class AccessPrinter(CallPrinter):
    """Loads, stores and updates of such objects: calls of functions with one of three prefixes."""

    def _address(self, operand: c_ast.Node) -> Text:
        raise NotImplementedError

    def _access(self, node: c_ast.Node) -> str | None:
        """What the functions' names begin with that read and write an object, None for a plain one."""
        if is_atomic_access(self.sema, node):
            return _ATOMIC
        t = self._type(node) if is_object(node) else None
        is_class = isinstance(t, Scalar) and (holds_halves(t) or is_complex(t))  # in C++
        if t is not None and not isinstance(t, Array):
            if self._loose_alignment(node) or (is_class and self._is_in_ragged(node)):
                return UNALIGNED
            if is_complex(t) and "volatile" in t.quals:
                return VOLATILE
        return None

    def _loose_alignment(self, node: c_ast.Node) -> int:
        """The alignment in bytes of what an lvalue names if that is, or is part of, what a typedef aligns less than its
        type wants; 0 for others. Variables that device code declares are aligned as C++ does it."""
        return loose_alignment(self.sema, node, lambda symbol: symbol not in self.symbol_names)

    def assigned(self, target: c_ast.Node, value: str) -> str:
        """The assignment of a value, given as text, to an object of any kind."""
        access = self._access(target)
        return f"{self._emit(target).text} = {value}" if access is None else self._store(access, target, value).text

    def _loaded(self, access: str, node: c_ast.Node) -> Text:
        if access == UNALIGNED and self._is_bit_field(node):
            assert isinstance(node, c_ast.StructRef)
            return Text(f"{self._holder_of(node)}.{self._member_name(node)}", ct.POSTFIX)
        return Text(f"{access}_load{self._pieces(access, node)}({self._address(node).at(ct.ASSIGN)})", ct.POSTFIX)

    def _stored(self, access: str, target: c_ast.Node, value: c_ast.Node) -> Text:
        return self._store(access, target, self._convert(value, strip(self._type(target))).at(ct.ASSIGN))

    def _store(self, access: str, target: c_ast.Node, value: str) -> Text:
        if access == UNALIGNED and self._is_bit_field(target):
            return self._bit_field_changed(target, "=", value, gives_old=False)
        pieces = self._pieces(access, target)
        return Text(f"{access}_store{pieces}({self._address(target).at(ct.ASSIGN)}, {value})", ct.POSTFIX)

    def _updated(self, access: str, target: c_ast.Node, op: str, value: str, *, gives_old: bool) -> Text:
        """``target op= value``"""
        t = self._type(target)
        if isinstance(t, Pointer) and (is_flattened(t) or isinstance(t.to, Void | Function)):
            raise self.error(target, f"arithmetic of a pointer of type '{t}' is not supported")
        if access == UNALIGNED and self._is_bit_field(target):
            return self._bit_field_changed(target, f"{op}=", value, gives_old=gives_old)
        function = "fetch_then" if gives_old else "then_fetch"
        pointer = self._address(target).at(ct.ASSIGN)
        arguments = self._pieces(access, target, _OPERATORS[op])
        return Text(f"{access}_{function}{arguments}({pointer}, {value})", ct.POSTFIX)

    def _pieces(self, access: str, node: c_ast.Node, *arguments: str) -> str:
        """The template arguments: others, and where that is more than one the alignment of an object that need not be
        aligned as its type wants."""
        alignment = self._loose_alignment(node) if access == UNALIGNED else 0
        if alignment > 1:
            alignment = min(alignment, alignof(aligned(self._type(node), 0)))
        texts = [*arguments, *([str(alignment)] if alignment > 1 else [])]
        return f"<{', '.join(texts)}>" if texts else ""

    def _member_name(self, node: c_ast.StructRef) -> str:
        return ".".join(name for f in self.sema.member(node) if (name := member_name(f)) is not None)

    def _is_bit_field(self, node: c_ast.Node) -> bool:
        return isinstance(node, c_ast.StructRef) and self.sema.member(node)[-1].bit_width is not None

    def _bit_field_changed(self, node: c_ast.Node, op: str, value: str, *, gives_old: bool) -> Text:
        """An assignment to a bit-field, made to a copy of the bytes that hold it: those are no other variable's."""
        assert isinstance(node, c_ast.StructRef)
        path = self.sema.member(node)
        first = 8 * sum(f.offset for f in path) + path[-1].bit_offset
        last = first + (path[-1].bit_width or 1) - 1
        holder = self._emit(node.name) if node.type == "->" else self._address(node.name)
        field = f"rex_holder.{self._member_name(node)}"
        change = f"return {field} {op} {value};"
        if gives_old:
            change = f"const auto rex_old = {field}; {field} {op} {value}; return rex_old;"
        arguments = f"{holder.at(ct.ASSIGN)}, [&](auto &rex_holder) {{ {change} }}"
        return Text(f"rex_unaligned_bit_field<{first // 8}, {last // 8}>({arguments})", ct.POSTFIX)

    def _holder_of(self, node: c_ast.StructRef) -> str:
        """The structure that a member is of, as a copy."""
        if node.type == ".":
            return self._loaded(UNALIGNED, node.name).text
        holder = c_ast.UnaryOp("*", node.name, node.coord)
        self.sema.analyse(holder)
        return self._loaded(UNALIGNED, holder).text
