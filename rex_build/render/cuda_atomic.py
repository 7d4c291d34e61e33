"""C11 atomic objects: every access of one is sequentially consistent (6.5.16.2p3, 7.17.3)."""

from __future__ import annotations

from pycparser import c_ast

from ..analysis.atomics import OPERATORS
from ..ctype import Function, Pointer, Record, Void, strip
from . import cuda_text as ct
from .cuda_calls import CallPrinter
from .cuda_text import Text
from .cuda_types import is_flattened

_OPERATORS = {**OPERATORS, "%": "rex_mod"}


class AtomicPrinter(CallPrinter):
    """Loads, stores and updates of objects whose type is ``_Atomic``."""

    def _address(self, operand: c_ast.Node) -> Text:
        raise NotImplementedError

    def _atomic_load(self, node: c_ast.Node) -> Text:
        return Text(f"rex_c_load({self._pointer_to(node)})", ct.POSTFIX)

    def _atomic_store(self, target: c_ast.Node, value: c_ast.Node) -> Text:
        t = strip(self._type(target))
        return Text(f"rex_c_store({self._pointer_to(target)}, {self._convert(value, t).at(ct.ASSIGN)})", ct.POSTFIX)

    def _atomic_update(self, target: c_ast.Node, op: str, value: str, *, gives_old: bool) -> Text:
        """``target op= value``"""
        t = self._type(target)
        if isinstance(t, Pointer) and (is_flattened(t) or isinstance(t.to, Void | Function)):
            raise self.error(target, f"arithmetic of the _Atomic pointer '{t}' is not supported")
        function = "rex_c_fetch_then" if gives_old else "rex_c_then_fetch"
        return Text(f"{function}<{_OPERATORS[op]}>({self._pointer_to(target)}, {value})", ct.POSTFIX)

    def _pointer_to(self, node: c_ast.Node) -> str:
        t = self._type(node)
        if isinstance(t, Record):
            raise self.error(node, f"reading or writing all of '{t}' is not supported")
        return self._address(node).at(ct.ASSIGN)
