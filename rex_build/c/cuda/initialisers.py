"""Prints initialisers, or assignments if C++ allows no such initialiser."""

from __future__ import annotations

from pycparser import c_ast

from ..sema.ctype import HALF_COMPLEX, NARROW_FLOATS, Array, CType, Field, Pointer, Record, RecordInfo, sizeof, strip
from ..sema.initialisers import Initialiser, members, read_initialiser
from ..sema.literals import string_units
from ..sema.type_questions import is_complex
from . import text as ct
from .conversions import convert
from .narrowing import bit_field_initialiser, complex_braces, narrow_constant, narrowed, union_bytes
from .nodes import is_plain
from .scope import Scope, Storage
from .strings import string_initialiser
from .text import Text
from .types import (
    first_name,
    innermost,
    is_absent,
    is_empty,
    is_volatile_record,
    member_name,
    without_const,
    without_volatile,
)

# Every union with bit-fields has a member of this name.
UNION_BYTES = "__rex_bytes"


def _is_flexible(member: Field) -> bool:
    return isinstance(member.type, Array) and member.type.length is None


def _empty_braces(t: CType) -> Text:
    """``{}``, except for a union without a size, for which nvcc 13 crashes."""
    return ct.braces(["{}"] if isinstance(t, Record) and t.info.kind == "union" and is_empty(t) else [])


def initialiser_text(scope: Scope, t: CType, init: c_ast.Node) -> str:
    """`` = ...`` for a declaration of an object of type ``t``."""
    initialiser = read_initialiser(scope.sema, t, init)
    if initialiser.value is None and not isinstance(t, Array | Record):
        return " = {}"
    if initialiser.value is not None and is_complex(t) and (parts := complex_braces(scope, initialiser.value, t)):
        return f" = {parts}"
    if initialiser.value is not None and (constant := narrow_constant(scope, initialiser.value, t)):
        return f" = {constant}"
    if initialiser.value is not None and not isinstance(t, Array):
        return f" = {convert(scope, initialiser.value, t).at(ct.ASSIGN)}"
    return f" = {braces(scope, initialiser).text}"


def braces(scope: Scope, init: Initialiser, anonymous: bool = False) -> Text:
    """An initialiser inside of braces, or the whole one of an aggregate, which may be an ``anonymous`` member."""
    t = init.type
    if init.value is not None:
        if isinstance(t, Array):
            return ct.name(string_initialiser(t, init.value))
        if init.bit_width is not None:
            return ct.name(bit_field_initialiser(scope, init.value, t, init.bit_width))
        return ct.name(narrowed(scope, init.value, t))
    if isinstance(t, Array | Record) and init.is_zero:
        return _empty_braces(t)
    if isinstance(t, Array):
        return ct.braces(_part_text(scope, init, i, t.of) for i in range(max(init.parts) + 1))
    return _record_braces(scope, init, t, anonymous) if isinstance(t, Record) else ct.braces([])


def _record_braces(scope: Scope, init: Initialiser, t: Record, anonymous: bool) -> Text:
    is_static = scope.storage is not Storage.AUTOMATIC
    if not anonymous and _needs_assignments(init, is_static):
        return _record_by_assignments(scope, t, init)
    if t.info.kind == "union":
        return _union_braces(scope, init, t, anonymous, is_static)
    fields = members(t)
    none = [i for i, f in enumerate(fields) if is_absent(f) or (_is_flexible(f) and i not in init.parts)]
    there = [(i, f) for i, f in enumerate(fields) if i not in none]
    return ct.braces(_part_text(scope, init, i, f.type, member_name(f) is None) for i, f in there)


def _union_braces(scope: Scope, init: Initialiser, t: Record, anonymous: bool, is_static: bool) -> Text:
    fields = members(t)
    ((index, part),) = init.parts.items()
    name = member_name(fields[index])
    alias = next((a for f, a in aliased(t.info) if f is fields[index]), "") if is_static else ""
    if whole := union_bytes(scope, part):
        return ct.braces([f".{alias if anonymous else UNION_BYTES} = {whole}"])
    if alias and name is None:
        return ct.braces([f".{alias} = {braces(scope, part, anonymous=True).text}"])
    if part.bit_width is not None and part.value is not None and name is not None:
        made = f"{scope.declaration(strip(t), 'rex_union')} = {{}};"
        value = convert(scope, part.value, part.type).at(ct.ASSIGN)
        return ct.call(f"[&] {{ {made} rex_union.{name} = {value}; return rex_union; }}")
    designator = f".{name} = " if index and name else ""
    return ct.braces([f"{designator}{braces(scope, part).text}"])


def _part_text(scope: Scope, init: Initialiser, index: int, t: CType, anonymous: bool = False) -> str:
    """The text in an aggregate's braces for the part with number ``index``."""
    part = init.parts.get(index)
    if part is not None:
        return braces(scope, part, anonymous).text
    if isinstance(t, Array | Record):
        return _empty_braces(t).text
    if strip(t) in NARROW_FLOATS:
        return f"{scope.declaration(strip(t))}::of(0x0)"
    if strip(t) == HALF_COMPLEX:  # before the program runs, nvcc knows no value of '{}'
        return "{rex_half::of(0x0), rex_half::of(0x0)}"
    if is_complex(t):  # without braces the next initialiser would be its imaginary part
        return "{}"
    return "nullptr" if isinstance(t, Pointer) else "0"


def _record_by_assignments(scope: Scope, t: Record, init: Initialiser) -> Text:
    """A record that is made by assignments to its members, because braces cannot express its initialiser in C++."""
    if scope.storage is not Storage.AUTOMATIC:
        assert scope.body.where is not None
        raise scope.error(scope.body.where, "this initialiser of an anonymous member is not supported")
    made = f"{scope.declaration(without_const(t), 'rex_record')}; memset(&rex_record, 0, sizeof(rex_record));"
    stores = "".join(f" {text};" for text in _member_assignments(scope, "rex_record", init))
    return ct.call(f"[&] {{ {made}{stores} return rex_record; }}")


def _member_assignments(scope: Scope, target: str, init: Initialiser, offset: int = 0) -> list[str]:
    """Assignments to the members of a record.

    Members of its anonymous members are named like its own. These are ``offset`` bytes after the record's beginning.
    """
    assert isinstance(init.type, Record)
    fields = members(init.type)
    out: list[str] = []
    for index, part in sorted(init.parts.items()):
        name = member_name(fields[index])
        at = offset + fields[index].offset
        if name is None and part.value is not None:
            place = ct.Cast(scope.types.pointer_to(strip(part.type)), ct.name(f"((char *)&{target} + {at})"))
            value = convert(scope, part.value, part.type)  # the record may be packed
            out.append(f"rex_unaligned_store({place.text}, {value.at(ct.ASSIGN)})")
        elif name is None:
            out += _member_assignments(scope, target, part, at)
        else:
            out += assignment_texts(scope, f"{target}.{name}", part)
    return out


def assignment_texts(scope: Scope, target: str, init: Initialiser) -> list[str]:
    """Assignments that give an object its first value, if it is declared without an initialiser."""
    t = init.type
    if isinstance(t, Record) and is_volatile_record(t):  # C++ cannot assign to it
        t = without_volatile(t)
        target = f"*({scope.declaration(Pointer(t))})&{target}"
    if init.value is not None and not isinstance(t, Array):
        return [f"{target} = {convert(scope, init.value, t).at(ct.ASSIGN)}"]
    if isinstance(t, Record):
        return [f"{target} = ({scope.declaration(without_const(t))}){braces(scope, init).text}"]
    if not isinstance(t, Array):
        return [f"{target} = {'nullptr' if isinstance(t, Pointer) else '0'}"]
    if init.value is not None:
        assert isinstance(init.value, c_ast.Constant)
        element, units = string_units(init.value.value)
        used = len([*units, 0][: t.length])
        size = sizeof(element)
        copy = f"memcpy({_memory(target, t)}, {init.value.value}, {used * size})"
        return [copy, *_clear_rest(target, used, t, size)]
    out: list[str] = []
    is_cleared = t.length is not None and len(init.parts) < t.length
    if is_cleared:
        out.append(f"memset({_memory(target, t)}, 0, sizeof({scope.declaration(without_const(t))}))")
    for index, part in sorted(init.parts.items()):
        if not (is_cleared and part.is_zero):
            out += assignment_texts(scope, f"{target}[{index}]", part)
    return out


def _memory(target: str, t: Array) -> str:
    """An array as an argument for memset and memcpy, which take no pointers to volatile."""
    return f"(void *)({target})" if "volatile" in innermost(t).quals else target


def _clear_rest(target: str, used: int, t: Array, size: int) -> list[str]:
    rest = (t.length or used) - used
    return [f"memset({_memory(f'{target} + {used}', t)}, 0, {rest * size})"] if rest > 0 else []


def initial_effects(scope: Scope, t: CType, init: c_ast.Node | None) -> list[Text]:
    """The side effects of the initialiser of an object of type ``t``, which has no size."""
    values, parts = [], [read_initialiser(scope.sema, t, init)] if init is not None else []
    while parts:
        part = parts.pop()
        values += [part.value] if part.value is not None and not is_plain(part.value) else []
        parts += [inner for _, inner in sorted(part.parts.items(), reverse=True)]
    return [scope.discarded(value) for value in values]


def aliased(info: RecordInfo) -> list[tuple[Field, str]]:
    """The members of a union that initialisers in C++ cannot name, each with the name of a member in its place.

    They are records without a name (except the first member), and bit-fields, which are replaced by bytes.
    """
    found = []
    for index, f in enumerate(members(Record(info)) if info.kind == "union" else ()):
        first = first_name(f)
        if first is not None and (f.bit_width is not None or (index and member_name(f) is None)):
            found.append((f, f"__rex_of_{first}"))
    return found


def _needs_assignments(init: Initialiser, has_aliases: bool, anonymous: bool = False) -> bool:
    """Whether braces cannot express a record's initialiser in C++.

    That is so if anonymous members lead to a whole anonymous member, or, without aliases, to a member of a union that
    is not its first, or to a bit-field of an anonymous union.
    """
    if not isinstance(init.type, Record) or init.value is not None:
        return False
    fields = members(init.type)
    for index, part in init.parts.items():
        within = member_name(fields[index]) is None
        unnamed = (within and index) or (anonymous and part.bit_width is not None)
        if init.type.info.kind == "union" and unnamed and not has_aliases:
            return True
        if within and (part.value is not None or _needs_assignments(part, has_aliases, True)):
            return True
    return False
