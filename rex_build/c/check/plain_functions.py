"""Functions of the host that change nothing but numbers: they cannot hand on where an object is.

A call of one need not be followed while what it can reach is not on the device, and has not been. In most files these
are most functions, and whether a function is one of them is read from its text and the types of its parameters, which
takes far less time than to go through its tree.
"""

from __future__ import annotations

from pycparser import c_ast

from ...base.patterns import regex
from ..sema import Sema, Symbol
from ..sema.ctype import Array, CType, Function, Pointer, Record, Void, strip
from ..sema.type_questions import is_arithmetic
from ..source.tokens import statement_end
from ..syntax.nodes import ParsedUnit

_NAME = regex(r"[A-Za-z_]\w*")
# Directives, pointers to pointers, and what keeps an address or leaves a function in another way.
_MORE = regex(r"#|\*\s*\*|\b(?:static|goto|asm|__asm__|__asm|typeof|__typeof__|__auto_type)\b")
# Functions of the system that give, take or keep memory, end the program, or concern devices or threads.
_SPECIAL = regex(
    r"(?:\w*alloc|free|exit|_Exit|abort|quick_exit|\w*jmp|setv?buf|mmap|munmap)$|omp_|acc_|cuda|pthread_|thrd_"
)


class PlainFunctions:
    """The plain functions of a unit."""

    def __init__(self, unit: ParsedUnit, sema: Sema) -> None:
        self._unit, self._sema = unit, sema
        self._known: dict[str, frozenset[str] | None] = {}
        self._plain_types: dict[CType, bool] = {}

    def names_in(self, name: str) -> frozenset[str] | None:
        """The names in a function of the unit and in those that it calls, or None if it is not plain."""
        if name not in self._known:
            self._known[name] = None  # while it is looked at: one that calls itself is not plain
            self._known[name] = self._find(self._sema.functions[name])
        return self._known[name]

    def _find(self, function: c_ast.FuncDef) -> frozenset[str] | None:
        text = self._unit.pre.text
        start = self._unit.offset_of(function.body)
        body = text[start : statement_end(text, start)]
        if _MORE.search(body) is not None or not self._has_plain_types(function.decl.name):
            return None
        names = set(_NAME.findall(body))
        for name in [*names]:
            symbol = self._sema.file_symbol(name)
            if symbol is None or symbol.is_typedef or symbol.is_enumerator:
                continue
            if symbol.is_variable:
                if not self._is_plain(symbol.type) and not self._is_of_system(symbol):
                    return None
            elif _SPECIAL.match(name):
                return None
            elif name in self._sema.functions and not self._is_of_system(symbol):
                inside = self.names_in(name)
                if inside is None:
                    return None
                names |= inside
            elif not self._is_of_system(symbol):
                return None
        return frozenset(names)

    def _has_plain_types(self, name: str) -> bool:
        """Whether a function gets and gives only numbers, and addresses of numbers."""
        symbol = self._sema.file_symbol(name)
        kind = strip(symbol.type) if symbol is not None else None
        if not isinstance(kind, Function) or not kind.prototyped or kind.variadic:
            return False
        result = strip(kind.result)
        if isinstance(result, Pointer) or not (isinstance(result, Void) or self._is_plain(result)):
            return False
        given = (strip(one) for one in kind.params)
        return all(self._is_plain(one.to if isinstance(one, Pointer) else one) for one in given)

    def _is_plain(self, kind: CType) -> bool:
        """Whether objects of a type have no addresses in them."""
        kind = strip(kind)
        while isinstance(kind, Array):
            kind = strip(kind.of)
        if not isinstance(kind, Record):
            return is_arithmetic(kind)
        if kind not in self._plain_types:
            fields = kind.info.fields
            self._plain_types[kind] = fields is not None and all(self._is_plain(one.type) for one in fields)
        return self._plain_types[kind]

    def _is_of_system(self, symbol: Symbol) -> bool:
        coord = getattr(symbol.node, "coord", None)
        return coord is not None and self._unit.pre.origin_of(coord.line)[0].system
