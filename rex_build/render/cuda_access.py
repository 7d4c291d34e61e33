"""Objects that more is done for than to read or write them: C11 atomic ones, whose every access is sequentially
consistent (6.5.16.2p3, 7.17.3), and those that a typedef aligns less than their type wants."""

from __future__ import annotations

from pycparser import c_ast

from ..analysis.atomics import OPERATORS, is_atomic_access
from ..ctype import Array, Function, Pointer, Void, is_misaligned, strip
from . import cuda_text as ct
from .cuda_calls import CallPrinter
from .cuda_text import Text
from .cuda_types import is_flattened

_OPERATORS = {**OPERATORS, "%": "rex_mod"}


_ATOMIC, UNALIGNED = "rex_c", "rex_unaligned"  # what the functions' names begin with


class AccessPrinter(CallPrinter):
    """Loads, stores and updates of such objects: calls of functions with one of two prefixes."""

    def _address(self, operand: c_ast.Node) -> Text:
        raise NotImplementedError

    def _access(self, node: c_ast.Node) -> str | None:
        """What the functions' names begin with that read and write an object, None for a plain one."""
        if is_atomic_access(self.sema, node):
            return _ATOMIC
        is_lvalue = isinstance(node, c_ast.ID | c_ast.ArrayRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*")
        t = self._type(node) if is_lvalue else None
        return UNALIGNED if t is not None and is_misaligned(t) and not isinstance(t, Array) else None

    def assigned(self, target: c_ast.Node, value: str) -> str:
        """The assignment of a value, given as text, to an object of any kind."""
        access = self._access(target)
        return f"{self._emit(target).text} = {value}" if access is None else self._store(access, target, value).text

    def _loaded(self, access: str, node: c_ast.Node) -> Text:
        return Text(f"{access}_load({self._address(node).at(ct.ASSIGN)})", ct.POSTFIX)

    def _stored(self, access: str, target: c_ast.Node, value: c_ast.Node) -> Text:
        return self._store(access, target, self._convert(value, strip(self._type(target))).at(ct.ASSIGN))

    def _store(self, access: str, target: c_ast.Node, value: str) -> Text:
        return Text(f"{access}_store({self._address(target).at(ct.ASSIGN)}, {value})", ct.POSTFIX)

    def _updated(self, access: str, target: c_ast.Node, op: str, value: str, *, gives_old: bool) -> Text:
        """``target op= value``"""
        t = self._type(target)
        if isinstance(t, Pointer) and (is_flattened(t) or isinstance(t.to, Void | Function)):
            raise self.error(target, f"arithmetic of a pointer of type '{t}' is not supported")
        function = "fetch_then" if gives_old else "then_fetch"
        pointer = self._address(target).at(ct.ASSIGN)
        return Text(f"{access}_{function}<{_OPERATORS[op]}>({pointer}, {value})", ct.POSTFIX)
