"""What GNU attributes and ``#pragma pack`` do to the layout of records. The parser blanks both away."""

from __future__ import annotations

import re
from functools import partial

from .cparse import ParsedUnit
from .ctype import RecordInfo
from .diagnostics import InputError, error_at
from .sema import Sema

_PACKED = re.compile(r"__packed__|\bpacked\b")
_MAX_ALIGN = 16  # what aligned without a value means on x86-64


_VECTOR = re.compile(r"vector_size|\bmode\b|__mode__")
_END_OF_NAME = re.compile(r"[;=,\[{]")


def declared_with(unit: ParsedUnit) -> tuple[frozenset[str], frozenset[str]]:
    """Names whose declarations the parser sees incompletely: (vector types and variables, thread-local variables)."""
    vectors: set[str] = set()
    threads: set[str] = set()
    for attribute in unit.layout_attributes:
        is_vector = attribute.text.startswith("__attribute") and _VECTOR.search(attribute.text)
        if is_vector or attribute.text in ("__thread", "_Thread_local"):
            name = _declared_name(unit.pre.text, attribute.offset, attribute.offset + len(attribute.text))
            (vectors if is_vector else threads).add(name)
    return frozenset(vectors), frozenset(threads)


def _declared_name(text: str, start: int, end: int) -> str:
    """The identifier that a declaration with an attribute declares: the last one after it, else the last before it."""
    stop = _END_OF_NAME.search(text, end)
    after = re.findall(r"[A-Za-z_]\w*", text[end : stop.start() if stop else len(text)])
    if after:
        return str(after[-1])
    before = re.findall(r"[A-Za-z_]\w*", text[max(start - 200, 0) : start])
    return str(before[-1]) if before else ""


def sema_of(unit: ParsedUnit) -> Sema:
    """A unit's symbols and types, with the layout that its attributes ask for."""
    sema = Sema(unit.ast, unit.span_of)
    sema.record_layout = partial(record_layout, unit)
    sema.user_reductions = unit.reductions
    return sema


def layout_attributes(unit: ParsedUnit, info: RecordInfo) -> str:
    """GNU attributes before or after a record's members that change its layout, as they are written.

    Raises InputError for such an attribute on a member.
    """
    found = [a for a in unit.layout_attributes if a.text.startswith("__attribute")]
    if not found or getattr(info.node, "coord", None) is None:
        return ""
    assert info.node is not None
    text = unit.pre.text
    start = unit.offset_of(info.node)
    opening = text.find("{", start)
    closing = _closing_brace(text, opening)
    # Attributes may stand before the tag, which is where the node is said to be.
    start = max(text.rfind(info.kind, 0, opening), 0)
    end = text.find(";", closing)
    inside = [a for a in found if opening < a.offset < closing]
    if inside:
        span = unit.pre.span_at(unit.pre.line_at(inside[0].offset), 1)
        raise error_at(span, "a layout attribute on a member is not supported in device code")
    return " ".join(" ".join(a.text.split()) for a in found if start <= a.offset < end)


def pragma_pack(unit: ParsedUnit, info: RecordInfo) -> int:
    """The ``#pragma pack`` value in force at a record's definition, in bytes; 0 for none."""
    pragmas = [a for a in unit.layout_attributes if a.text.startswith("#")]
    if not pragmas or getattr(info.node, "coord", None) is None:
        return 0
    assert info.node is not None
    start = unit.offset_of(info.node)
    value, saved = 0, [0]
    for pragma in pragmas:
        if pragma.offset > start:
            break
        arguments = re.findall(r"\w+", pragma.text.split("(", 1)[-1])
        if "push" in arguments:
            saved.append(value)
        numbers = [int(a) for a in arguments if a.isdigit()]
        if numbers:
            value = numbers[-1]
        elif "pop" in arguments:
            value = saved.pop() if saved else 0
        elif "push" not in arguments:
            value = 0
    return value


def record_layout(unit: ParsedUnit, info: RecordInfo) -> tuple[int, int]:
    """(most a member is aligned to, least the record is aligned to), in bytes; 0 where nothing says so.

    For a record with attributes on its members, which device code refuses, the natural layout is taken.
    """
    opening = unit.pre.text.find("{", unit.offset_of(info.node)) if info.node is not None else -1
    if opening < 0:
        return 0, 0
    try:
        attributes = layout_attributes(unit, info)
    except InputError:  # the refusal is for whoever prints the record
        return 0, 0
    pack = 1 if _PACKED.search(attributes) else pragma_pack(unit, info)
    align = 0
    for match in re.finditer(r"aligned(?:__)?\s*(?:\(\s*(\d+)\s*\))?", attributes):
        align = max(align, int(match[1]) if match[1] else _MAX_ALIGN)
    return pack, align


def _closing_brace(text: str, opening: int) -> int:
    depth = 0
    for at in range(opening, len(text)):
        if text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return at
    return len(text)
