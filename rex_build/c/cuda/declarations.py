"""Prints definitions of types, and local declarations."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ...base.names import indent
from ...base.records import dataclass
from ...plan.constructs import LEAST_ALIGNED, PACKED_ALIGNMENT
from ...plan.printer import on_heap
from ..analysis.device_names import local_name
from ..analysis.devicecode import UsedCode
from ..sema import Symbol
from ..sema.ctype import Array, CType, Field, Function, Pointer, Record, RecordInfo, Scalar, alignof, sizeof
from ..sema.initialisers import read_initialiser
from ..sema.layout import pragma_pack, record_attributes
from ..sema.type_questions import (
    asked_alignment,
    innermost,
    is_misaligned,
    is_sizeless,
    is_variably_modified,
    refused_type,
    variable_lengths,
)
from ..source.gnu_text import AttributeList
from ..syntax.nodes import ParsedUnit
from ..syntax.parser import Cleanup
from . import text as ct
from .conversions import convert
from .initialisers import UNION_BYTES, aliased, assignment_texts, initial_effects, initialiser_text
from .objects import extent_product, fixed_length
from .scope import (
    Scope,
    Storage,
    alignas_text,
    heap_object,
    heap_variable,
    line_mark,
)
from .text import Text
from .types import (
    dimensions,
    holds_halves,
    is_absent,
    is_flattened,
    member_name,
    member_type,
    stored_type,
    without_const,
)

# Prints definitions of structures, unions and enumeration constants.

_WITHOUT_EFFECT = frozenset(("transparent_union",))  # on a layout; C++ lacks it


@dataclass(frozen=True)
class _Whole:
    """The decisions about a whole record whose members are printed."""

    is_initialised: bool  # static objects of the type have initialisers
    by_pragma: bool  # a pragma packs it, as the attribute does not pack classes with constructors


def record_definition(
    scope: Scope,
    info: RecordInfo,
    attributes: Sequence[AttributeList] = (),
    pack: int = 0,
    is_initialised: bool = False,
) -> str:
    """The definition of a structure or union, with an assertion that its size is the host's.

    ``attributes`` are those of the user's definition. ``pack`` is the value of ``#pragma pack`` there, or 0.
    ``is_initialised`` is true if static objects of the type have initialisers.
    """
    scope.body.where = info.node
    packed = [f for f in info.fields if info.pack or _is_packed(scope, f)]
    for f in info.fields:
        if (f.bit_width is not None and is_misaligned(f.type)) or (f in packed and asked_alignment(f.type)):
            what = f"the type '{f.type}' of a member, which an attribute aligns,"
            raise scope.error(f.node, f"{what} is not supported here")
        element = innermost(f.type)
        if isinstance(f.type, Array) and "_Atomic" in element.quals and asked_alignment(element):
            what = f"the member '{f.name}', an array of '{element}', which not all compilers align alike,"
            raise scope.error(f.node, f"{what} is not supported")
    if varying := next((f for f in info.fields if is_variably_modified(f.type)), None):
        raise scope.error(varying.node, f"the member '{varying.name}' of variable size is not supported")
    # The attribute does not pack classes with constructors, but the pragma does.
    by_pragma = any(a.names("packed") for a in attributes) and any(holds_halves(f.type) for f in info.fields)
    whole = _Whole(is_initialised, by_pragma)
    body = _member_lines(scope, whole, info, 1) if info.fields else "    char __rex_nothing[0];\n"
    if info.kind == "union" and any(f.bit_width is not None for f in info.fields):
        body += f"    unsigned char {UNION_BYTES}[{info.size}];\n"
    pack = 1 if by_pragma else pack
    written = _attributes_text(attributes, _WITHOUT_EFFECT | {"packed"} if by_pragma else _WITHOUT_EFFECT)
    name = scope.unit.device_names.record(info)
    keyword, tag = name.split(" ", 1)
    head = f"{keyword} {written + ' ' if written else ''}{tag}"
    text = f"{head} {{\n{body}}};\n"
    if pack:
        text = f"#pragma pack(push, {pack})\n{text}#pragma pack(pop)\n"
    facts = [f"sizeof({name}) == {info.size}"]
    if packed and not info.pack:
        places = [f for f in info.fields if f.name is not None and f.bit_width is None]
        facts += [f"__builtin_offsetof({name}, {local_name(f.name)}) == {f.offset}" for f in places if f.name]
    asserted = [f'static_assert({fact}, "the layout of {name} differs from the host\'s");\n' for fact in facts]
    return text + "".join(asserted)


def _attributes_text(lists: Sequence[AttributeList], without: frozenset[str]) -> str:
    """Lists of attributes as they are written, but without the attributes of some names."""
    texts = []
    for attributes in lists:
        text = attributes.text
        for attribute in reversed(attributes.attributes):
            if attribute.name in without:
                text = text[: attribute.start] + text[attribute.end :]
        if any(attribute.name not in without for attribute in attributes.attributes):
            texts.append(" ".join(text.split()))
    return " ".join(texts)


def _is_packed(scope: Scope, f: Field) -> bool:
    """Whether an attribute packs a member or a typedef aligns it less, or a member of it if it is an unnamed record."""
    if f.is_anonymous_record and isinstance(f.type, Record):
        return f.type.info.pack > 0 or any(_is_packed(scope, inner) for inner in f.type.info.fields)
    return scope.sema.layout.of_declaration(f.node).packed or is_misaligned(f.type)


def _member_lines(scope: Scope, whole: _Whole, info: RecordInfo, depth: int) -> str:
    fields = {f.node: f for f in info.fields}
    named = [(f, alias) for f, alias in aliased(info) if whole.is_initialised and (depth > 1 or f.name is None)]
    aliases = {f.node: alias for f, alias in named}
    out = []
    last: Field | None = None
    for decl in getattr(info.node, "decls", None) or ():
        if decl in fields:
            last = fields[decl]
            out.append(_member_line(scope, whole, last, depth, info.pack))
            if decl in aliases:
                out.append(_member_line(scope, whole, last, depth, info.pack, aliases[decl]))
        elif isinstance(decl, c_ast.Decl) and decl.bitsize is not None:  # its width is 0
            t = scope.sema.resolve_type(decl)
            widths = _filler(last, alignof(t)) if info.pack and last is not None else []
            texts = [f"unsigned char : {w}" for w in widths] if info.pack else [f"{scope.declaration(t)} : 0"]
            out += [f"{indent(depth)}{text};\n" for text in texts]
    return "".join(out)


def _member_line(scope: Scope, whole: _Whole, f: Field, depth: int, pack: int, alias: str = "") -> str:
    """The declaration of a member, or of a member in its place with the name ``alias``."""
    pad = indent(depth)
    if f.is_anonymous_record and isinstance(f.type, Record):
        if is_absent(f):
            return ""
        least = f.type.info.least_align
        alignment = alignas_text(scope, f.node, least if least == f.type.info.align else 0)
        inner = _member_lines(scope, whole, f.type.info, depth + 1)
        # The structure around it may be packed by a pragma that does not apply to this one.
        by_pragma = holds_halves(f.type) or whole.by_pragma
        packed = "__attribute__((packed)) " if f.type.info.pack == 1 and not by_pragma else ""
        alias = alias or member_name(f) or ""
        text = f"{pad}{f.type.info.kind} {packed}{alignment}{{\n{inner}{pad}}}{alias and ' '}{alias};\n"
        own = f.type.info.pack or ""
        return f"#pragma pack(push)\n#pragma pack({own})\n{text}#pragma pack(pop)\n" if by_pragma else text
    if alias:
        return f"{pad}unsigned char {alias}[{(f.bit_width or 0) + 7 >> 3}];\n"
    alignment, packed = alignas_text(scope, f.node), ""
    attributes = scope.sema.layout.of_declaration(f.node)
    if attributes.packed or is_misaligned(f.type):
        own = 1 if attributes.packed or not is_misaligned(f.type) else alignof(f.type)
        asked = (scope.sema.alignas_value(a) for a in f.node.align or ())
        least = max([min(own, pack or own), attributes.align, *asked])
        least = least if least > 1 else 0
        alignment, packed = "", f" __attribute__((packed{f', aligned({least})' if least else ''}))"
    text = scope.declaration(member_type(f.type), local_name(f.name) if f.name else "")
    width = f" : {f.bit_width}" if f.bit_width is not None else ""
    return f"{pad}{alignment}{text}{width}{packed};\n"


def _filler(last: Field, alignment: int) -> list[int]:
    """The widths in bits, each at most a byte, that fill the space after a member to a multiple of ``alignment`` bytes.

    In packed records, a bit-field of width 0 moves to that place with gcc, but not with nvcc.
    """
    width = sizeof(last.type) * 8 if last.bit_width is None else last.bit_width
    end = last.offset * 8 + last.bit_offset + width
    missing = -end % (alignment * 8)
    return [w for w in (missing % 8, *[8] * (missing // 8)) if w]


def render_types(unit: ParsedUnit, scope: Scope, code: UsedCode) -> str:
    """Enumeration constants and the definitions of structures and unions."""
    names = scope.unit.device_names
    parts = []
    for symbol in code.enumerators:
        t: CType = symbol.type
        parts.append(
            f"[[maybe_unused]] static constexpr {scope.declaration(t, names.enumerator(symbol))} = {symbol.value};\n"
        )
    held = _anonymous_members(code.records)
    parts += [f"{names.record(info)};\n" for info in code.forward if info not in held]
    for info in code.records:
        if info not in held:
            attributes = record_attributes(unit, scope.sema, info)
            parts.append(record_definition(scope, info, attributes, pragma_pack(unit, info), info in code.initialised))
    return "".join(parts)


def _anonymous_members(records: Sequence[RecordInfo]) -> set[RecordInfo]:
    """The records without a name that are defined as anonymous members of others."""
    return {
        f.type.info
        for info in records
        for f in info.fields
        if f.is_anonymous_record and isinstance(f.type, Record) and f.node.type is f.type.info.node
        if f.type.info.tag is None
    }


# Prints local declarations.

def joined_declarations(scope: Scope, decls: list[c_ast.Decl]) -> str | None:
    """``int i = 0, j = 1``, or None if the declarations need statements of their own."""
    symbols = [scope.sema.decl_symbol(d) for d in decls]
    types = [s.type for s in symbols]
    if any("static" in d.storage or is_variably_modified(t) for d, t in zip(decls, types, strict=True)):
        return None
    if any(scope.sema.asked_alignment(d) for d in decls):
        return None
    if (scope.around.team_memory.shared | scope.unit.escaping.declared).intersection(symbols):
        return None
    if len(decls) > 1 and any(not isinstance(t, Scalar) or t != types[0] for t in types):
        return None
    parts: list[str] = []
    for decl, symbol in zip(decls, symbols, strict=True):
        name = scope.symbol_text(symbol)
        t = symbol.type if decl.init is not None else without_const(symbol.type)
        init = initialiser_text(scope, t, decl.init) if decl.init is not None else ""
        parts.append((name if parts else scope.declaration(t, name)) + init)
    return ", ".join(parts)


def declares_object(scope: Scope, node: c_ast.Node) -> bool:
    if not isinstance(node, c_ast.Decl) or node.name is None or "extern" in node.storage:
        return False
    return not isinstance(scope.sema.decl_symbol(node).type, Function)


def declaration_lines(scope: Scope, node: c_ast.Decl, depth: int, split: bool, guard: bool = False) -> str:
    if not declares_object(scope, node):
        return ""
    mark, pad = line_mark(scope, node), indent(depth)
    symbol = scope.sema.decl_symbol(node)
    if (own := scope.around.own_arrays.get(symbol)) is not None:
        plain = scope.with_names({symbol: own[0]}, own_arrays={})
        return declaration_lines(plain, node, depth, split, guard) + f"{pad}{own[1]};\n"
    t, name = symbol.type, scope.symbol_text(symbol)
    reason = refused_type(innermost(t))
    if reason:
        raise scope.error(node, reason)
    if isinstance(t, Array) and is_flattened(t):
        lines = _local_array(scope, symbol, t, name, scope.sema.asked_alignment(node))
        return mark + "".join(f"{pad}{line};\n" for line in lines)
    alignment = alignas_text(scope, node)
    if symbol.is_static and symbol in scope.names:
        return ""  # it is a declare target variable
    if symbol.is_static or symbol in scope.around.tables or symbol in scope.unit.tables:
        return f"{mark}{pad}{alignment}{_static_local(scope, node, symbol, name)};\n"
    if is_sizeless(t):
        lines = [alignment + scope.types.variable(t, name)]
        lines += [effect.text for effect in initial_effects(scope, t, node.init)]
        return mark + "".join(f"{pad}{line};\n" for line in lines)
    extents = "".join(f"{pad}{line};\n" for line in bind_extents(scope, symbol, name, split))
    in_team = symbol in scope.around.team_memory.shared
    if symbol in (scope.around.team_memory.heap if in_team else scope.unit.escaping.declared):
        lines = []
        if split:
            stem = scope.temporary(symbol.name)
            name = on_heap(stem)
            scope.names[symbol] = name
            scope.body.at_start += heap_object(scope, stem, without_const(t), scope.sema.asked_alignment(node))
        else:
            lines = heap_variable(scope, symbol, without_const(t), scope.sema.asked_alignment(node))
            name = scope.symbol_text(symbol)
        if node.init is not None:
            lines += assignment_texts(scope, name, read_initialiser(scope.sema, without_const(t), node.init))
        return extents + mark + "".join(f"{pad}{line};\n" for line in lines)
    if in_team:
        if isinstance(t, Array) and isinstance(innermost(t), Record) and alignof(innermost(t)) < LEAST_ALIGNED:
            alignment = alignas_text(scope, node, PACKED_ALIGNMENT)
        alignment, split = f"REX_TEAM_SHARED {alignment}", True
    if node.init is None:
        return f"{extents}{mark}{pad}{alignment}{scope.declaration(without_const(t), name)};\n"
    if not split:
        init = initialiser_text(scope, t, node.init)
        return f"{extents}{mark}{pad}{alignment}{scope.declaration(stored_type(t), name)}{init};\n"
    t = without_const(t)
    assignments = assignment_texts(scope, name, read_initialiser(scope.sema, t, node.init))
    if guard and assignments:
        assignments = ["if (rex_team_first()) {", *(f"    {a};" for a in assignments), "}"]
        declared = f"{pad}{alignment}{scope.declaration(t, name)};\n"
        return extents + mark + declared + "".join(f"{pad}{line}\n" for line in assignments)
    lines = [alignment + scope.declaration(t, name), *assignments]
    return extents + mark + "".join(f"{pad}{line};\n" for line in lines)


def cleanup_lines(scope: Scope, node: Cleanup, depth: int, split: bool) -> str:
    """An object that makes the call when the scope is left, in whatever way."""
    if split:
        what = f"a jump past the declaration of '{node.call.args.exprs[0].expr.name}', which has a clean-up,"
        raise scope.error(node, f"{what} is not supported")
    call = scope.discarded(node.call).text
    return f"{indent(depth)}rex_at_end {scope.temporary('cleanup')}{{[&] {{ {call}; }}}};\n"


def _local_array(scope: Scope, symbol: Symbol, t: Array, name: str, alignment: int) -> list[str]:
    """A variable-length array: storage on the device's heap, freed at the end of the block, and a flat pointer to it.

    ``alignment`` is in bytes, or 0 for the type's own.
    """
    extents: list[Text] = []
    lines: list[str] = []
    for number, dim in enumerate(dimensions(t)):
        if isinstance(dim, int):
            extents.append(ct.number(dim))
            continue
        if dim is None or (isinstance(dim, c_ast.ID) and dim.name == "*"):
            raise scope.error(symbol.node or c_ast.ID(name), f"an extent of '{symbol.name}' is not known")
        extents.append(ct.name(f"{name}__rex_extent{number}"))
        lines.append(f"const long {extents[-1].text} = {_length(scope, symbol, dim, extents[-1])}")
    element = without_const(innermost(t))
    asked = f", {alignment}" if alignment else ""
    lines.append(
        f"rex_local_array<{scope.declaration(element)}> {name}__rex_storage({extent_product(extents).text}{asked})"
    )
    lines.append(f"{scope.declaration(Pointer(element), name)} = {name}__rex_storage.elements")
    scope.extents[symbol] = tuple(extents[1:])
    scope.outer_extents[symbol] = extents[0]
    return lines


def _length(scope: Scope, symbol: Symbol, dim: c_ast.Node, name: Text) -> str:
    """The value of a length in the declaration of ``symbol``, which gets a ``name``."""
    if scope.sema.fixed_lengths.get(dim) is symbol.node:
        scope.lengths[dim] = name
        known = None
    else:
        known = fixed_length(scope, symbol.node or dim, dim)
    return (known or convert(scope, dim, Scalar("long"))).at(ct.ASSIGN)


def typedef_lines(scope: Scope, node: c_ast.Typedef, depth: int) -> str:
    """Constants for the lengths in a typedef. It is evaluated once, whatever happens to its variables later.

        typedef int row[n];   ->   const long row__rex_length0 = n;

    The types themselves are spelt out wherever they are used.
    """
    taken = {text.text for text in scope.lengths.values()}
    lengths = variable_lengths(scope.sema.decl_symbol(node).type)
    own = (dim for dim in lengths if scope.sema.fixed_lengths[dim] is node)  # not those of typedefs that it uses
    lines = ""
    for number, dim in enumerate(own):
        name = f"{node.name}__rex_length{number}"
        known = scope.lengths.get(dim) or ct.name(scope.temporary("length") if name in taken else name)
        value = convert(scope, dim, Scalar("long")).at(ct.ASSIGN)
        lines += f"{indent(depth)}[[maybe_unused]] const long {known.text} = {value};\n"
        scope.lengths[dim] = known
    return line_mark(scope, node) + lines if lines else ""


def _static_local(scope: Scope, node: c_ast.Decl, symbol: Symbol, name: str) -> str:
    inner = scope.in_static(Storage.STATIC_LOCAL)
    init = initialiser_text(inner, symbol.type, node.init) if node.init is not None else " = {}"
    if is_sizeless(symbol.type):
        return f"static {scope.types.variable(symbol.type, name)}"
    return f"static {scope.declaration(stored_type(symbol.type), name)}{init}"


def bind_extents(scope: Scope, symbol: Symbol, name: str, split: bool = False) -> list[str]:
    """Declarations that hold the current extents of what a pointer of variably modified type points to."""
    t = symbol.type
    if not is_variably_modified(t):
        return []
    is_flat = isinstance(t, Pointer) and is_flattened(t)
    lines: list[str] = []
    extents: list[Text] = []
    for number, dim in enumerate(dimensions(t.to) if isinstance(t, Pointer) and is_flat else variable_lengths(t), 1):
        if isinstance(dim, int):
            extents.append(ct.number(dim))
            continue
        if dim is None or (isinstance(dim, c_ast.ID) and dim.name == "*"):
            raise scope.error(symbol.node or c_ast.ID(name), f"an extent of '{symbol.name}' is not known")
        if not is_flat and scope.sema.fixed_lengths.get(dim) is not symbol.node:
            continue
        extent = f"{name}__rex_extent{number}"
        value = _length(scope, symbol, dim, ct.name(extent))
        lines += [f"long {extent}", f"{extent} = {value}"] if split else [f"const long {extent} = {value}"]
        extents.append(ct.name(extent))
    if is_flat:
        scope.extents[symbol] = tuple(extents)
    return lines
