"""Prints C as CUDA C++ (C++17 that nvcc and g++ accept without warnings). Here its parts come together.

:class:`DevicePrinter` is the C front end's :class:`~rex_build.plan.printer.Printer`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.layers import Layers
from ...plan.code import TypeFacts
from ...plan.device_code import DeviceFunction
from ...plan.loops import CanonicalLoop
from ...plan.printer import Surroundings
from ..analysis.device_names import local_name
from ..analysis.loops import iteration_range, iteration_value, trip_count
from ..analysis.unit import PlannedUnit
from ..sema import Symbol, free_variables, symbols_of
from ..sema.ctype import INT, Array, CType, Pointer, qualified, strip
from ..sema.type_questions import asked_alignment, is_array, is_pointer, is_ragged, is_sizeless, is_variably_modified
from ..syntax.nodes import ParsedUnit
from . import text as ct
from .access import assigned
from .conversions import convert
from .expressions import discarded, emit, place
from .flattening import element_count
from .functions import declared_again, definition, prototype, render_global
from .printed_unit import PrintedUnit
from .records import render_types
from .scope import Body, Grammar, Scope
from .statements import inner_text, lines_of, statement_text
from .storage import heap_object
from .types import alignas, dimensions, innermost, is_volatile_record

if TYPE_CHECKING:
    from ...plan.printer import Printer

_GRAMMAR = Grammar(emit, place, discarded, lines_of, statement_text, inner_text)


class DevicePrinter(Scope):
    """What the renderers ask, answered by the modules of this folder."""

    __slots__ = ()

    @property
    def printed(self) -> set[Symbol]:
        return self.unit.printed

    def with_lengths(self, rows: Mapping[Symbol, tuple[str, ...]], whole: Mapping[Symbol, str]) -> Scope:
        inner = self.with_names({})
        extents = {symbol: tuple(map(_length, names)) for symbol, names in rows.items()}
        inner.extents = Layers(extents)
        inner.outer_extents = Layers({symbol: _length(name) for symbol, name in whole.items()})
        inner.lengths = {}
        for symbol, texts in extents.items():
            dims = dimensions(symbol.type.to if isinstance(symbol.type, Pointer) else symbol.type)
            first = [inner.outer_extents[symbol]] if symbol in whole else []
            known = zip(reversed(dims), reversed([*first, *texts]), strict=False)  # the outermost one may be missing
            inner.lengths.update((dim, text) for dim, text in known if isinstance(dim, c_ast.Node))
        return inner

    # ---- code ----

    def argument(self, code: c_ast.Node) -> str:
        return self.emit(code).at(ct.ASSIGN)

    def converted(self, code: c_ast.Node, target: CType) -> str:
        return convert(self, code, target).at(ct.ASSIGN)

    def assigned(self, target: c_ast.Node, value: str, source: CType | None) -> str:
        return assigned(self, target, value, source or INT)

    def trip_count(self, level: CanonicalLoop) -> str:
        return trip_count(level, self.sema, self.expression)

    def iteration_value(self, level: CanonicalLoop, counter: str) -> str:
        return iteration_value(level, counter, self.expression, self.declaration(cast("CType", level.type)))

    def iteration_range(self, level: CanonicalLoop, name: str) -> list[str]:
        return iteration_range(level, name, self.sema, self.expression)

    # ---- names ----

    def own_name(self, symbol: Symbol) -> str:
        return self.unit.device_names.symbol(symbol)

    def member_name(self, name: str) -> str:
        return local_name(name)

    def declared_names(self, code: c_ast.Node) -> set[str]:
        items = code.block_items or [] if isinstance(code, c_ast.Compound) else [code]
        lists = (item.decls if isinstance(item, c_ast.DeclList) else [item] for item in items)
        named = (d for decls in lists for d in decls if isinstance(d, c_ast.Decl) and d.name is not None)
        return {self.own_name(self.sema.declared[d]) for d in named}

    def declared_again(self, code: c_ast.Node) -> dict[Symbol, str]:
        return declared_again(self, code)

    def mentions(self, code: c_ast.Node) -> set[Symbol]:
        return {reference.symbol for reference in free_variables(self.sema, code)}

    # ---- types ----

    def variable(self, t: CType, name: str, const: bool = False) -> str:
        kind = qualified(t, frozenset({"const"})) if const else t
        return alignas(kind) + self.declaration(kind, name)

    def copy(self, t: CType, name: str) -> str:
        return alignas(t) + self.types.variable(t, name)

    def heap_object(self, t: CType, name: str, alignment: int | str | None) -> list[str]:
        return heap_object(self, name, t, alignment)

    def assignable(self, t: CType) -> CType:
        if isinstance(t, Array):
            return Array(self.assignable(t.of), t.length, t.length_expr)
        return strip(t)

    def pointer(self, t: CType, name: str = "") -> str:
        return self.declaration(Pointer(t), name)

    def pointer_parameter(self, t: CType, name: str, to_const: bool, restrict: bool) -> str:
        if to_const and isinstance(t, Pointer):
            t = Pointer(qualified(t.to, frozenset({"const"})))
        # What the user says by restrict is no more true in a kernel, whose other pointers are not based on this one.
        own = qualified(strip(t), t.quals - {"restrict"}) if "restrict" in t.quals else t
        return self.declaration(own, "__restrict__ " * restrict + name)

    def element(self, t: CType) -> str:
        return self.declaration(strip(innermost(t)))

    def array(self, t: CType, length: int) -> CType:
        return Array(t, length)

    def facts(self, t: CType) -> TypeFacts:
        reduced = innermost(t)  # a section of what a pointer leads to is reduced like an array
        quals = reduced.quals | (innermost(reduced.to).quals if isinstance(reduced, Pointer) else frozenset())
        return TypeFacts(
            is_array=is_array(t),
            is_pointer=is_pointer(t),
            is_flat=is_variably_modified(t),
            is_sizeless=is_sizeless(t),
            is_ragged=is_ragged(t),
            is_special=bool(quals & {"volatile", "restrict"}),
            is_volatile_record=is_volatile_record(t),
            alignment=asked_alignment(t),
        )

    def flat_length(self, symbol: Symbol) -> str | None:
        return element_count(self, symbol)

    # ---- file scope ----

    def type_definitions(self) -> str:
        assert self.unit.parsed is not None
        return render_types(self.unit.parsed, self, self.unit.code)

    def prototype(self, function: DeviceFunction) -> str:
        return prototype(self, function.code)

    def definition(self, function: DeviceFunction) -> str:
        return definition(self, function.code)

    def global_variable(self, symbol: Symbol, name: str, linkage: str = "static") -> str:
        return render_global(self, symbol, name, linkage)


def _length(name: str) -> ct.Text:
    return ct.Cast("long", ct.name(name))


def _refuse_construct(node: Any, _scope: object, _depth: int) -> str:
    raise error_at(node.directive.span, f"'{node.directive.name}' is not supported in device code")


def unit_scope(unit: PrintedUnit) -> DevicePrinter:
    """The scope in which all code of a unit is printed."""
    return DevicePrinter(_GRAMMAR, unit, Surroundings(_refuse_construct), Layers({}), Body())


def device_printer(planned: PlannedUnit, unit: ParsedUnit) -> Printer:
    """The printer of a planned unit, for the renderers."""
    plan = planned.plan
    shared = frozenset(symbols_of(plan.shared))
    printed = PrintedUnit(
        planned.sema,
        planned.code,
        unit.span_of,
        plan.wraps,
        plan.fuses,
        shared,
        plan.kept_as_calls,
        plan.escaping,
        plan.unrolled,
        unit,
    )
    return cast("Printer", unit_scope(printed))  # what it gets are its own symbols, types and nodes
