"""What all parts of the expression printer share: state, names, errors, temporaries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pycparser import c_ast

from ..sema import Symbol
from ..sema.ctype import CType, Pointer, Scalar, asked_alignment, decay, strip
from . import text as ct
from .surroundings import PrintedUnit, Surroundings
from .text import Text
from .types import TypePrinter, alignas

ZERO = ct.name("0")
CHAR = Scalar("char")


def is_bool_text(node: c_ast.Node) -> bool:
    """Whether C++ gives the expression type bool where C gives int."""
    if isinstance(node, c_ast.BinaryOp):
        return node.op in ct.COMPARISONS or node.op in ("&&", "||")
    return isinstance(node, c_ast.UnaryOp) and node.op == "!"


def is_plain(node: c_ast.Node) -> bool:
    """Whether printing the expression twice costs and changes nothing."""
    return isinstance(node, c_ast.ID | c_ast.Constant)


class PrinterBase:
    """Prints code of one unit. ``symbol_names`` gives what symbols print as that have other names than their own, with
    parentheses where they need them. ``extents`` gives, for symbols of variably modified type, the inner extents as
    64-bit values (dimensions 1 to n-1 of an array): they are printed flattened.

    Temporaries that C keeps alive until the end of the block (compound literals whose address is taken) are declared
    before the statement: their declarations collect in ``_hoisted``.
    """

    def __init__(self, unit: PrintedUnit, around: Surroundings, names: Mapping[Symbol, str]) -> None:
        self.unit = unit
        self.around = around
        self.sema = unit.sema
        self.device_names = unit.device_names
        self.symbol_names = names
        self.extents: dict[Symbol, tuple[str, ...]] = {}
        self.outer_extents: dict[Symbol, str] = {}  # of captured arrays whose whole size a kernel asks for
        self.types = TypePrinter(self.device_names, self._refuse)
        self.function_name: str | None = None
        self._where: c_ast.Node | None = None
        self._is_initialised = False  # the record being printed is that of static objects with initialisers
        self._is_packed_by_pragma = False  # that record
        self._hoisted: list[str] | None = None
        self._hoist_static = False
        self._static_local_init = False
        self._copied: set[c_ast.Node] = set()  # values that pointers to parts of are taken
        self._kept: set[c_ast.Node] = set()  # compound literals that pointers to parts of are taken
        self._subscripted: set[c_ast.Node] = set()  # arrays of which one element is read
        self._designated: set[c_ast.Node] = set()  # elements of values whose parts addresses are taken of
        self._valued: set[c_ast.Node] = set()  # last statements of statement expressions whose value is used
        self._depth = 0

    def _emit(self, node: c_ast.Node) -> Text:
        raise NotImplementedError

    def _discarded(self, node: c_ast.Node) -> Text:
        raise NotImplementedError

    def _block_text(self, items: list[c_ast.Node], depth: int) -> str:
        raise NotImplementedError

    def error(self, node: Any, message: str) -> Exception:
        """An error at the node's place, ready to raise."""
        return self.sema.error(node, f"{message} in device code")

    def _refuse(self, reason: str) -> Exception:
        return self.error(self._where, reason)

    def declaration(self, t: CType, name: str = "") -> str:
        """The C++ text that declares ``name``; an abstract type when ``name`` is empty."""
        return self.types.declaration(t, name)

    def _type(self, node: c_ast.Node) -> CType:
        return self.sema.type(node)

    def _value_type(self, node: c_ast.Node) -> CType:
        return strip(decay(self.sema.type(node)))

    def symbol_text(self, symbol: Symbol) -> str:
        """What an identifier prints as."""
        text = self.symbol_names.get(symbol)
        if text is not None:
            return text
        if symbol.kind == "enumerator":
            return self.device_names.enumerator(symbol)
        return self.device_names.symbol(symbol)

    def _hoist(self, node: c_ast.Node, t: CType, init: str) -> str:
        if self._hoisted is None:
            raise self.error(node, "a compound literal whose address is taken is not supported here")
        name = self._temporary_name("literal")
        if self._hoist_static:
            self._hoisted.append(f"static {alignas(t)}__device__ {self.types.variable(t, name)}{init};")
        elif node in self.unit.escaping.literals:
            self._hoisted += [f"{line};" for line in heap_object(self, name, t, asked_alignment(t))]
            return on_heap(name)
        else:
            storage = "REX_TEAM_SHARED" if node in self.around.team_memory.literals else "[[maybe_unused]]"
            self._hoisted.append(f"{storage} {alignas(t)}{self.types.variable(t, name)};")
        return name

    def _temporary_name(self, stem: str = "value") -> str:
        return f"rex_{stem}_{next(self.unit.serials)}"


def on_heap(name: str) -> str:
    """What stands for a variable on the device's heap."""
    return f"(*{name}__at)"


def heap_object(printer: PrinterBase, name: str, t: CType, alignment: int | str | None) -> list[str]:
    """Declarations of a variable on the device's heap: ``name__at`` points to it."""
    asked = f", {alignment}" if alignment else ""
    return [
        f"rex_local_array<{printer.declaration(t)}> {name}__storage(1{asked})",
        f"{printer.declaration(Pointer(t), f'const {name}__at')} = {name}__storage.elements",
    ]
