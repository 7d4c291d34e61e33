"""C functions, variables and types printed as CUDA C++ (C++17 that nvcc and g++ take without warnings)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from ...plan.device_code import DeviceCode
from ..analysis.device_names import local_name
from ..sema import Sema, Symbol
from ..sema.ctype import (
    Array,
    CType,
    Field,
    Record,
    RecordInfo,
    alignof,
    asked_alignment,
    is_misaligned,
    is_sizeless,
    is_variably_modified,
    is_void,
    sizeof,
)
from ..sema.layout import layout_attributes, pragma_pack
from ..syntax.nodes import ParsedUnit
from .base import heap_object
from .calls import MORE_ARGUMENTS
from .initialisers import UNION_BYTES, aliased
from .statements import StatementPrinter, can_complete
from .surroundings import PrintedUnit, Surroundings
from .types import (
    TypePrinter,
    alignas,
    holds_halves,
    innermost,
    is_absent,
    is_const,
    member_name,
    member_type,
    stored_type,
    without_const,
)

_PACKED = re.compile(r"(?:\b_*gnu_*\s*::\s*)?\b(?:packed|__packed__)\b")
_ANYWHERE = Surroundings()


class CudaPrinter(StatementPrinter):
    """Prints the C of one unit as CUDA C++."""

    def __init__(
        self, unit: PrintedUnit, names: Mapping[Symbol, str] | None = None, around: Surroundings = _ANYWHERE
    ) -> None:
        super().__init__(unit, around, names or {})

    def with_names(self, more: Mapping[Symbol, str], **facts: Any) -> CudaPrinter:
        """A printer like this one that prints ``more`` symbols in another way. ``facts`` are the surroundings' that are
        others where it prints."""
        other = copy(self)
        other.symbol_names = {**self.symbol_names, **more}
        other.extents = dict(self.extents)
        other.types = TypePrinter(self.device_names, other._refuse)
        other.around = replace(self.around, **facts)
        return other

    def with_extents(self, extents: Mapping[Symbol, tuple[str, ...]], outermost: Mapping[Symbol, str]) -> CudaPrinter:
        """A printer like this one for code that knows the extents of flattened arrays by these texts alone."""
        other = self.with_names({})
        other.extents, other.outer_extents = dict(extents), dict(outermost)
        return other

    # ---- functions ----

    def prototype(self, funcdef: c_ast.FuncDef) -> str:
        """``static __device__ int f(int n)``, without semicolon."""
        decl = funcdef.decl
        symbol = self.sema.file_symbol(decl.name)
        assert symbol is not None
        self._where = funcdef
        function = self.sema.function_type(funcdef)
        parameters = self.sema.parameters(funcdef)
        texts = [self.types.variable(p.type, self._parameter(p)) for p in parameters]
        if len(parameters) < len(function.params):
            named = iter(texts)
            nodes = zip(decl.type.args.params, function.params, strict=not function.variadic)
            texts = [next(named) if getattr(p, "name", None) else self.types.variable(t) for p, t in nodes]
        if function.variadic:
            texts.append(f"[[maybe_unused]] void *{MORE_ARGUMENTS}")
        words = ['extern "C" __device__' if symbol in self.unit.shared else "static __device__"]
        if decl.name in self.unit.kept_as_calls:
            words.append("REX_OUTLINED")
        elif "inline" in decl.funcspec:
            words.append("inline")
        if "_Noreturn" in decl.funcspec:
            words.insert(0, "[[noreturn]]")
        text = f"{self.symbol_text(symbol)}({', '.join(texts)})"
        return f"{' '.join(words)} {self.types.variable(function.result, text)}"

    def function(self, funcdef: c_ast.FuncDef) -> str:
        """The definition of a function, with its line marker."""
        self.sema.analyse(funcdef)
        names, self.symbol_names = self.symbol_names, {**self.symbol_names, **self.declared_again(funcdef.body)}
        self.symbol_names |= {
            p: f"{self.device_names.symbol(p)}__rex_aligned"
            for p in self.sema.parameters(funcdef)
            if self._is_aligned_copy(p) and p not in names
        }
        head = self.prototype(funcdef)
        self._result = self.sema.function_type(funcdef).result
        self.function_name = funcdef.decl.name
        parameters = self.sema.parameters(funcdef)
        bound = [line for p in parameters for line in self.bind_extents(p, self._parameter(p))]
        for p in (p for p in parameters if self._is_copied(p)):
            t = without_const(p.type)
            if p in self.unit.escaping.declared and p not in self.around.team_memory.shared:
                bound += heap_object(self, p.name, t, asked_alignment(t))
            else:
                storage = "REX_TEAM_SHARED " if p in self.around.team_memory.shared else ""
                bound.append(f"{storage}{alignas(t)}{self.declaration(t, self.symbol_text(p))}")
            bound.append(f"{self.symbol_text(p)} = {self._parameter(p)}")
        extents = "".join(f"    {line};\n" for line in bound)
        body = self._body_text(funcdef.body.block_items or [], funcdef.body, 1)
        if not is_void(self._result) and can_complete(funcdef.body):
            body += "    return {};\n"  # C lets a function end without a value that nobody reads, C++ does not
        text = f"{self._mark(funcdef.decl)}{head}\n{{\n{extents}{body}}}\n"
        self._result = self.function_name = None
        self.symbol_names = names
        return text

    def _is_copied(self, parameter: Symbol) -> bool:
        """Whether the value of a parameter is kept where other threads reach it, or aligned as no parameter is."""
        is_reached = parameter in self.around.team_memory.shared or parameter in self.unit.escaping.declared
        return is_reached or self._is_aligned_copy(parameter)

    @staticmethod
    def _is_aligned_copy(parameter: Symbol) -> bool:
        return "_Atomic" in parameter.type.quals and asked_alignment(parameter.type) > 0

    def _parameter(self, symbol: Symbol) -> str:
        return self.device_names.symbol(symbol) if self._is_copied(symbol) else self.symbol_text(symbol)

    def declared_again(self, body: c_ast.Node) -> dict[Symbol, str]:
        """File-scope names that blocks make known again, where a local variable may hide them."""
        again = (s for s in self.sema.declared_again(body) if s not in self.device_names.system_symbols)
        texts = {symbol: self.symbol_text(symbol) for symbol in again}
        return {symbol: f"::{text}" for symbol, text in texts.items() if text.isidentifier()}

    # ---- variables ----

    def global_variable(self, symbol: Symbol, name: str, linkage: str) -> str:
        """The definition of a device variable for a variable of static storage, with its initialiser.

        ``linkage`` is what stands before ``__device__``: ``static``, ``extern "C"`` or nothing.
        """
        definition = self._where = symbol.definition
        t = stored_type(symbol.type)
        if isinstance(t, Array) and t.length is None and t.length_expr is None:
            raise self.error(symbol.node or c_ast.ID(symbol.name), f"the size of '{symbol.name}' is not known")
        if is_sizeless(t):
            return f"{linkage} __device__ {self.types.variable(t, name)};\n"
        declared = self.declaration(t, name)
        saved, self._hoisted, self._hoist_static = self._hoisted, [], True
        self.function_name = symbol.function
        init = " = {}" if is_const(t) else ""
        if isinstance(definition, c_ast.Decl):
            self.sema.analyse(definition)
            if definition.init is not None:
                init = self._initialiser_text(t, definition.init)
        before = "".join(f"{line}\n" for line in self._hoisted)
        self._hoisted, self._hoist_static, self.function_name = saved, False, None
        alignment = self._alignas(definition) if isinstance(definition, c_ast.Decl) else ""
        if linkage != "static" and is_const(t):  # which C++ would keep to its unit
            before += f"extern __device__ {declared};\n"
        words = f"{linkage} {alignment}__device__".strip()
        return f"{before}{words} {declared}{init};\n"

    # ---- types ----

    def record(self, info: RecordInfo, attributes: str = "", pack: int = 0, is_initialised: bool = False) -> str:
        """The definition of a structure or union, its size asserted to be the host's.

        ``pack`` is the ``#pragma pack`` value in force where the record is defined, 0 for none. ``is_initialised``:
        static objects of the type have initialisers.
        """
        self._where = info.node
        self._is_initialised = is_initialised
        packed = [f for f in info.fields if info.pack or self._is_packed(f)]
        for f in info.fields:
            if (f.bit_width is not None and is_misaligned(f.type)) or (f in packed and asked_alignment(f.type)):
                what = f"the type '{f.type}' of a member, which an attribute aligns,"
                raise self.error(f.node, f"{what} is not supported here")
            element = innermost(f.type)
            if isinstance(f.type, Array) and "_Atomic" in element.quals and asked_alignment(element):
                what = f"the member '{f.name}', an array of '{element}', which not all compilers align alike,"
                raise self.error(f.node, f"{what} is not supported")
        if varying := next((f for f in info.fields if is_variably_modified(f.type)), None):
            raise self.error(varying.node, f"the member '{varying.name}' of variable size is not supported")
        # The attribute packs no classes with constructors, but the pragma.
        self._is_packed_by_pragma = bool(_PACKED.search(attributes)) and any(holds_halves(f.type) for f in info.fields)
        body = self._members(info, 1) if info.fields else "    char __rex_nothing[0];\n"
        if info.kind == "union" and any(f.bit_width is not None for f in info.fields):
            body += f"    unsigned char {UNION_BYTES}[{info.size}];\n"
        if self._is_packed_by_pragma:
            attributes, pack = _PACKED.sub("", attributes), 1
            attributes = re.sub(r"__attribute__\(\(\s*\)\)|\[\[\s*\]\]", "", attributes).strip()
        name = self.device_names.record(info)
        keyword, tag = name.split(" ", 1)
        head = f"{keyword} {attributes + ' ' if attributes else ''}{tag}"
        text = f"{head} {{\n{body}}};\n"
        if pack:
            text = f"#pragma pack(push, {pack})\n{text}#pragma pack(pop)\n"
        facts = [f"sizeof({name}) == {info.size}"]
        if packed and not info.pack:
            places = [f for f in info.fields if f.name is not None and f.bit_width is None]
            facts += [f"__builtin_offsetof({name}, {local_name(f.name)}) == {f.offset}" for f in places if f.name]
        asserted = [f'static_assert({fact}, "the layout of {name} differs from the host\'s");\n' for fact in facts]
        return text + "".join(asserted)

    def _is_packed(self, f: Field) -> bool:
        """Whether a member is, or as a record without a name has, what an attribute packs or a typedef aligns less."""
        if f.is_anonymous_record and isinstance(f.type, Record):
            return f.type.info.pack > 0 or any(map(self._is_packed, f.type.info.fields))
        return self.sema.layout.of_declaration(f.node).packed or is_misaligned(f.type)

    def _members(self, info: RecordInfo, depth: int) -> str:
        fields = {f.node: f for f in info.fields}
        named = [(f, alias) for f, alias in aliased(info) if self._is_initialised and (depth > 1 or f.name is None)]
        aliases = {f.node: alias for f, alias in named}
        out = []
        last: Field | None = None
        for decl in getattr(info.node, "decls", None) or ():
            if decl in fields:
                last = fields[decl]
                out.append(self._member(last, depth, info.pack))
                if decl in aliases:
                    out.append(self._member(last, depth, info.pack, aliases[decl]))
            elif isinstance(decl, c_ast.Decl) and decl.bitsize is not None:  # of no width
                t = self.sema.resolve_type(decl)
                widths = _filler(last, alignof(t)) if info.pack and last is not None else []
                texts = [f"unsigned char : {w}" for w in widths] if info.pack else [f"{self.declaration(t)} : 0"]
                out += [f"{'    ' * depth}{text};\n" for text in texts]
        return "".join(out)

    def _member(self, f: Field, depth: int, pack: int, alias: str = "") -> str:
        """A member's declaration, or that of another one in its place, with the name ``alias``."""
        pad = "    " * depth
        if f.is_anonymous_record and isinstance(f.type, Record):
            if is_absent(f):
                return ""
            least = f.type.info.least_align
            alignment = self._alignas(f.node, least if least == f.type.info.align else 0)
            inner = self._members(f.type.info, depth + 1)
            # As the structure around it may be, by a pragma that is not about this one.
            by_pragma = holds_halves(f.type) or self._is_packed_by_pragma
            packed = "__attribute__((packed)) " if f.type.info.pack == 1 and not by_pragma else ""
            alias = alias or member_name(f) or ""
            text = f"{pad}{f.type.info.kind} {packed}{alignment}{{\n{inner}{pad}}}{alias and ' '}{alias};\n"
            own = f.type.info.pack or ""
            return f"#pragma pack(push)\n#pragma pack({own})\n{text}#pragma pack(pop)\n" if by_pragma else text
        if alias:
            return f"{pad}unsigned char {alias}[{(f.bit_width or 0) + 7 >> 3}];\n"
        alignment, packed = self._alignas(f.node), ""
        attributes = self.sema.layout.of_declaration(f.node)
        if attributes.packed or is_misaligned(f.type):
            own = 1 if attributes.packed or not is_misaligned(f.type) else alignof(f.type)
            least = max([min(own, pack or own), attributes.align, *map(self._alignas_value, f.node.align or ())])
            least = least if least > 1 else 0
            alignment, packed = "", f" __attribute__((packed{f', aligned({least})' if least else ''}))"
        text = self.declaration(member_type(f.type), local_name(f.name) if f.name else "")
        width = f" : {f.bit_width}" if f.bit_width is not None else ""
        return f"{pad}{alignment}{text}{width}{packed};\n"


def _filler(last: Field, alignment: int) -> list[int]:
    """The widths in bits, each of one byte or less, from the end of a member to a multiple of ``alignment`` bytes.

    In packed records gcc goes there at a bit-field of no width, nvcc does not.
    """
    width = sizeof(last.type) * 8 if last.bit_width is None else last.bit_width
    end = last.offset * 8 + last.bit_offset + width
    missing = -end % (alignment * 8)
    return [w for w in (missing % 8, *[8] * (missing // 8)) if w]


def render_global(printer: CudaPrinter, symbol: Symbol, name: str, linkage: str = "static") -> str:
    """``static __device__ T name = init;`` for a file-scope variable of the user's."""
    return printer.global_variable(symbol, name, linkage)


def render_types(unit: ParsedUnit, sema: Sema, code: DeviceCode) -> str:
    """Enumeration constants and the definitions of structures and unions."""
    printer = CudaPrinter(PrintedUnit(sema))
    names = printer.device_names
    parts = []
    for symbol in code.enumerators:
        t: CType = symbol.type
        parts.append(
            f"[[maybe_unused]] static constexpr {printer.declaration(t, names.enumerator(symbol))} = {symbol.value};\n"
        )
    held = _anonymous_members(code.records)
    parts += [f"{names.record(info)};\n" for info in code.forward if info not in held]
    for info in code.records:
        if info not in held:
            attributes = layout_attributes(unit, sema, info)
            parts.append(printer.record(info, attributes, pragma_pack(unit, info), info in code.initialised))
    return "".join(parts)


def _anonymous_members(records: Sequence[RecordInfo]) -> set[RecordInfo]:
    """Records that are defined inside another as an anonymous member, and have no name of their own."""
    return {
        f.type.info
        for info in records
        for f in info.fields
        if f.is_anonymous_record and isinstance(f.type, Record) and f.node.type is f.type.info.node
        if f.type.info.tag is None
    }
