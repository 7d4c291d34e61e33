"""Prints C as CUDA C++ (C++17 that nvcc and g++ accept without warnings). Here its parts come together.

:class:`DevicePrinter` is the C front end's :class:`~rex_build.plan.printer.FilePrinter`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.layers import Layers
from ...plan.constructs import CanonicalLoop, TypeFacts
from ...plan.printer import Surroundings
from ...plan.unit import DeviceFunction
from ..analysis.device_names import local_name
from ..analysis.loops import iteration_value, trip_count
from ..analysis.unit import PlannedUnit
from ..sema import Symbol, free_variables, globals_declared_again, symbols_of
from ..sema.ctype import Array, C, CType, Pointer, qualified, strip
from ..sema.type_questions import (
    asked_alignment,
    innermost,
    is_array,
    is_pointer,
    is_ragged,
    is_sizeless,
    is_variably_modified,
    is_void,
)
from ..syntax.nodes import ParsedUnit
from . import text as ct
from .access import assigned
from .arguments import MORE_ARGUMENTS
from .conversions import convert
from .declarations import bind_extents, render_types
from .expressions import discarded, emit, place
from .initialisers import initialiser_text
from .objects import element_count
from .scope import Body, Grammar, PrintedUnit, Scope, Storage, alignas_text, heap_object, heap_variable, line_mark
from .statements import body_text, can_complete, inner_text, lines_of, statement_text
from .types import alignas, dimensions, is_const, is_volatile_record, stored_type, without_const

if TYPE_CHECKING:
    from ...plan.printer import FilePrinter


# Prints definitions of functions, and of variables with static storage.

def prototype(scope: Scope, funcdef: c_ast.FuncDef) -> str:
    """``static __device__ int f(int n)``, without semicolon."""
    decl = funcdef.decl
    symbol = scope.sema.file_symbol(decl.name)
    assert symbol is not None
    scope.body.where = funcdef
    function = scope.sema.function_type(funcdef)
    parameters = scope.sema.parameters(funcdef)
    texts = [scope.types.variable(p.type, _parameter_name(scope, p)) for p in parameters]
    if len(parameters) < len(function.params):
        named = iter(texts)
        nodes = zip(decl.type.args.params, function.params, strict=not function.variadic)
        texts = [next(named) if getattr(p, "name", None) else scope.types.variable(t) for p, t in nodes]
    if function.variadic:
        texts.append(f"[[maybe_unused]] void *{MORE_ARGUMENTS}")
    words = ['extern "C" __device__' if symbol in scope.unit.shared else "static __device__"]
    if decl.name in scope.unit.kept_as_calls:
        words.append("REX_OUTLINED")
    elif "inline" in decl.funcspec:
        words.append("inline")
    if "_Noreturn" in decl.funcspec:
        words.insert(0, "[[noreturn]]")
    text = f"{scope.symbol_text(symbol)}({', '.join(texts)})"
    return f"{' '.join(words)} {scope.types.variable(function.result, text)}"


def definition(scope: Scope, funcdef: c_ast.FuncDef) -> str:
    """The definition of a function, with its line marker."""
    scope.sema.analyse(funcdef)
    parameters = scope.sema.parameters(funcdef)
    names = declared_again(scope, funcdef.body)
    names |= {p: scope.unit.device_names.symbol(p) for p in parameters if _is_aligned_copy(p) and p not in scope.names}
    result = scope.sema.function_type(funcdef).result
    body_facts = Body(result=result)
    symbol = scope.sema.decl_symbol(funcdef.decl)
    head = prototype(scope.with_names({**names, symbol: scope.symbol_text(symbol)}, body_facts), funcdef)
    scope = scope.with_names(names, body_facts)
    bound = [line for p in parameters for line in bind_extents(scope, p, _parameter_name(scope, p))]
    for p in (p for p in parameters if _is_copied(scope, p)):
        bound += _parameter_copy(scope, p)
    extents = "".join(f"    {line};\n" for line in bound)
    extents = f"    {scope.around.first_line}\n{extents}" if scope.around.first_line else extents
    body = body_text(scope, funcdef.body.block_items or [], funcdef.body, 1)
    if not is_void(result) and can_complete(funcdef.body):
        body += "    return {};\n"  # C allows a missing value that no caller uses, C++ does not
    return f"{line_mark(scope, funcdef.decl)}{head}\n{{\n{extents}{body}}}\n"


def _parameter_copy(scope: Scope, p: Symbol) -> list[str]:
    """The statements that copy a parameter to where other threads reach it, or where it has its alignment."""
    t = without_const(p.type)
    if p in scope.unit.escaping.declared and p not in scope.around.team_memory.shared:
        lines = heap_variable(scope, p, t, asked_alignment(t))
        name = scope.symbol_text(p)
    else:
        name = scope.symbol_text(p)
        storage = "REX_TEAM_SHARED " if p in scope.around.team_memory.shared else ""
        lines = [f"{storage}{alignas(t)}{scope.declaration(t, name)}"]
    return [*lines, f"{name} = {_parameter_name(scope, p)}"]


def _is_copied(scope: Scope, parameter: Symbol) -> bool:
    """Whether a parameter is copied, because other threads reach it or because parameters lack its alignment."""
    is_reached = parameter in scope.around.team_memory.shared or parameter in scope.unit.escaping.declared
    return is_reached or _is_aligned_copy(parameter)


def _is_aligned_copy(parameter: Symbol) -> bool:
    return "_Atomic" in parameter.type.quals and asked_alignment(parameter.type) > 0


def _parameter_name(scope: Scope, symbol: Symbol) -> str:
    return f"{symbol.name}__rex_parameter" if _is_copied(scope, symbol) else scope.symbol_text(symbol)


def declared_again(scope: Scope, body: c_ast.Node) -> dict[Symbol, str]:
    """File-scope names that blocks declare again, because a local variable may hide them."""
    again = (s for s in globals_declared_again(scope.sema, body) if s not in scope.unit.device_names.system_symbols)
    texts = {symbol: scope.name_of(symbol) for symbol in again}
    return {symbol: f"::{text}" for symbol, text in texts.items() if text.isidentifier()}


def render_global(scope: Scope, symbol: Symbol, name: str, linkage: str = "static") -> str:
    """``static __device__ T name = init;``, the device variable for a variable with static storage.

    ``linkage`` stands in front of ``__device__``: ``static``, ``extern "C"`` or nothing.
    """
    definition = symbol.definition
    before: list[str] = []
    scope = scope.in_static(Storage.STATIC, Body(definition, hoisted=before))
    t = stored_type(symbol.type)
    if isinstance(t, Array) and t.length is None and t.length_expr is None:
        raise scope.error(symbol.node or c_ast.ID(symbol.name), f"the size of '{symbol.name}' is not known")
    if is_sizeless(t):
        return f"{linkage} __device__ {scope.types.variable(t, name)};\n"
    declared = scope.declaration(t, name)
    init = " = {}" if is_const(t) else ""
    alignment = ""
    if isinstance(definition, c_ast.Decl):
        scope.sema.analyse(definition)
        if definition.init is not None:
            init = initialiser_text(scope, t, definition.init)
        alignment = alignas_text(scope, definition)
    if linkage != "static" and is_const(t):  # in C++ it would be local to its unit
        before.append(f"extern __device__ {declared};")
    # C++ wants alignas in front of all specifiers, but not in front of extern "C".
    words = f"{alignment}static __device__" if linkage == "static" else f"{linkage} {alignment}__device__".strip()
    return "".join(f"{line}\n" for line in before) + f"{words} {declared}{init};\n"


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
        return assigned(self, target, value, source or C.INT)

    def trip_count(self, level: CanonicalLoop) -> str:
        return trip_count(level, self.sema, self.expression)

    def iteration_value(self, level: CanonicalLoop, counter: str) -> str:
        return iteration_value(level, counter, self.expression, self.declaration(cast("CType", level.type)))

    # ---- names ----

    def own_name(self, symbol: Symbol) -> str:
        return self.unit.device_names.symbol(symbol)

    def in_words(self, t: CType, name: str, shared: bool) -> str:  # noqa: ARG002
        return self.variable(t, name)

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


def device_printer(planned: PlannedUnit, unit: ParsedUnit) -> FilePrinter:
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
        plan.tables,
        unit,
    )
    return cast("FilePrinter", unit_scope(printed))  # what it gets are its own symbols, types and nodes
