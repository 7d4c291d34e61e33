"""Prints definitions of structures, unions and enumeration constants."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ...base.indent import indent
from ...base.records import dataclass
from ..analysis.device_names import local_name
from ..analysis.used_code import UsedCode
from ..sema.ctype import Array, CType, Field, Record, RecordInfo, alignof, sizeof
from ..sema.layout import pragma_pack, record_attributes
from ..sema.type_questions import asked_alignment, is_misaligned, is_variably_modified
from ..source.gnu_text import AttributeList
from ..syntax.nodes import ParsedUnit
from .alignment import alignas_text, alignas_value
from .initialisers import UNION_BYTES, aliased
from .scope import Scope
from .types import holds_halves, innermost, is_absent, member_name, member_type

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
        least = max([min(own, pack or own), attributes.align, *(alignas_value(scope, a) for a in f.node.align or ())])
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
