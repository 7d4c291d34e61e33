"""Initialisers and compound literals in C++, and the assignments that stand for them where C++ allows none."""

from __future__ import annotations

from ctypes import c_float

from pycparser import c_ast

from ..sema import walk
from ..sema.ctype import (
    BOOL,
    HALF,
    HALF_COMPLEX,
    NARROW_FLOATS,
    Array,
    CType,
    EnumType,
    Field,
    Pointer,
    Record,
    RecordInfo,
    Scalar,
    integer_promote,
    integer_range,
    is_arithmetic,
    is_complex,
    is_floating,
    is_integer,
    is_unsigned,
    sizeof,
    strip,
)
from ..sema.initialisers import Initialiser, members, read_initialiser
from ..sema.literals import narrow_bits, string_units
from . import text as ct
from .arithmetic import ArithmeticPrinter
from .base import ZERO, is_bool_text, is_plain
from .complex_constants import complex_parts
from .text import Text
from .types import first_name, is_absent, is_empty, is_empty_array, member_name, without_const

# A member of every union with bit-fields.
UNION_BYTES = "__rex_bytes"

_EXACT_INTEGERS = {"float": 2**24, "double": 2**53}


def _is_flexible(member: Field) -> bool:
    return isinstance(member.type, Array) and member.type.length is None


def _empty_braces(t: CType) -> str:
    """``{}``, at which nvcc 13 crashes for a union without a size."""
    return "{{}}" if isinstance(t, Record) and t.info.kind == "union" and is_empty(t) else "{}"


class InitialiserPrinter(ArithmeticPrinter):
    """Initialisers."""

    def _initialiser_text(self, t: CType, init: c_ast.Node) -> str:
        """`` = ...`` for a declaration of an object of type ``t``."""
        initialiser = read_initialiser(self.sema, t, init)
        if initialiser.value is None and not isinstance(t, Array | Record):
            return " = {}"
        if initialiser.value is not None and is_complex(t) and (parts := self._complex_parts(initialiser.value, t)):
            return f" = {parts}"
        if initialiser.value is not None and (constant := self._narrow_constant(initialiser.value, t)):
            return f" = {constant}"
        if initialiser.value is not None and not isinstance(t, Array):
            return f" = {self._convert(initialiser.value, t).at(ct.ASSIGN)}"
        return f" = {self.braces(initialiser)}"

    def braces(self, init: Initialiser, anonymous: bool = False) -> str:
        """An initialiser as it stands inside braces, or the whole of an aggregate's; of an ``anonymous`` member."""
        t = init.type
        if init.value is not None:
            if isinstance(t, Array):
                return self._string_initialiser(t, init.value)
            if init.bit_width is not None:
                return self._bit_field(init.value, t, init.bit_width)
            return self._narrowed(init.value, t)
        if isinstance(t, Array | Record) and init.is_zero:
            return _empty_braces(t)
        if isinstance(t, Array):
            parts = [self._part(init, i, t.of) for i in range(max(init.parts) + 1)]
            return "{" + ", ".join(parts) + "}"
        if isinstance(t, Record):
            fields = members(t)
            is_static = self._hoist_static or self._static_local_init
            if not anonymous and _needs_assignments(init, is_static):
                return self._assigned(t, init)
            if t.info.kind == "union":
                ((index, part),) = init.parts.items()
                name = member_name(fields[index])
                alias = next((a for f, a in aliased(t.info) if f is fields[index]), "") if is_static else ""
                if whole := self._union_bytes(part):
                    return f"{{.{alias if anonymous else UNION_BYTES} = {whole}}}"
                if alias and name is None:
                    return f"{{.{alias} = {self.braces(part, anonymous=True)}}}"
                if part.bit_width is not None and part.value is not None and name is not None:
                    made = f"{self.declaration(strip(t), 'rex_union')} = {{}};"
                    value = self._convert(part.value, part.type).at(ct.ASSIGN)
                    return f"[&] {{ {made} rex_union.{name} = {value}; return rex_union; }}()"
                designator = f".{name} = " if index and name else ""
                return f"{{{designator}{self.braces(part)}}}"
            none = [i for i, f in enumerate(fields) if is_absent(f) or (_is_flexible(f) and i not in init.parts)]
            there = [(i, f) for i, f in enumerate(fields) if i not in none]
            parts = [self._part(init, i, f.type, member_name(f) is None) for i, f in there]
            return "{" + ", ".join(parts) + "}"
        return "{}"

    def _part(self, init: Initialiser, index: int, t: CType, anonymous: bool = False) -> str:
        part = init.parts.get(index)
        if part is not None:
            return self.braces(part, anonymous)
        if isinstance(t, Array | Record):
            return _empty_braces(t)
        if strip(t) in NARROW_FLOATS:
            return f"{self.declaration(strip(t))}::of(0x0)"
        if strip(t) == HALF_COMPLEX:  # of '{}' nvcc knows no value before the program runs
            return "{rex_half::of(0x0), rex_half::of(0x0)}"
        if is_complex(t):  # without braces the next initialiser would be its imaginary part
            return "{}"
        return "nullptr" if isinstance(t, Pointer) else "0"

    def _narrowed(self, node: c_ast.Node, target: CType) -> str:
        """A scalar inside braces, where C++ forbids narrowing conversions."""
        if is_complex(target) and (parts := self._complex_parts(node, target)):
            return parts
        if constant := self._narrow_constant(node, target):
            return constant
        text = self._convert(node, target)
        target = strip(target)
        if not is_arithmetic(target):
            return text.at(ct.ASSIGN)
        wanted = self.declaration(target)
        source = self._value_type(node)
        if text.text.startswith(f"({wanted})") or not is_arithmetic(source) or not self._narrows(node, source, target):
            return text.at(ct.ASSIGN)
        return ct.cast(wanted, text).text

    def _complex_parts(self, node: c_ast.Node, t: CType) -> str | None:
        parts = complex_parts(self.sema, node, t)
        if parts is not None and strip(t) == HALF_COMPLEX:
            halves = (narrow_bits(c_float(part).value, HALF) for part in parts)  # computed with as float
            return "{" + ", ".join(f"rex_half::of({bits:#x})" for bits in halves) + "}"
        return None if parts is None else f"{{{parts[0]!r}, {parts[1]!r}}}"

    def _narrow_constant(self, node: c_ast.Node, t: CType) -> str | None:
        """A constant of a floating type of 16 bits as its bits: CUDA knows no conversion before the program runs."""
        value = self.sema.number(node) if strip(t) in NARROW_FLOATS else None
        return None if value is None else f"{self.declaration(strip(t))}::of({narrow_bits(float(value), strip(t)):#x})"

    def _bit_field(self, node: c_ast.Node, target: CType, width: int) -> str:
        """The initialiser of a bit-field: a constant has to fit its width."""
        target = strip(target)
        value = self.sema.value(node) if is_integer(self._value_type(node)) else None
        if target == BOOL or (value is None and not self._may_be_constant(node)):
            return self._narrowed(node, target)
        low, high = (0, 2**width - 1) if is_unsigned(target) else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
        if value is not None:
            return self._narrowed(node, target) if low <= value <= high else str((value - low) % 2**width + low)
        wide = "unsigned long" if is_unsigned(target) else "long"
        unused = 64 - width
        shifted = ct.binary("<<", ct.cast("unsigned long", ct.cast(wide, self._emit(node))), ct.name(str(unused)))
        kept = ct.binary(">>", ct.cast(wide, shifted), ct.name(str(unused)))
        return ct.cast(self.declaration(target), kept).text

    def _union_bytes(self, part: Initialiser) -> str | None:
        """The bytes of a union whose bit-field a constant initialises; nvcc has no other way to store them."""
        if part.bit_width is None or part.value is None or not is_integer(self._value_type(part.value)):
            return None
        value = self.sema.value(part.value)
        if value is None:
            return None
        value = int(value != 0) if strip(part.type) == BOOL else value % 2**part.bit_width
        return "{" + ", ".join(str(b) for b in value.to_bytes((part.bit_width + 7) // 8, "little")) + "}"

    def _assigned(self, t: Record, init: Initialiser) -> str:
        """A record made by assignments to its members, for what C++ has no braces."""
        if self._hoist_static or self._static_local_init:
            assert self._where is not None
            raise self.error(self._where, "this initialiser of an anonymous member is not supported")
        made = f"{self.declaration(without_const(t), 'rex_record')}; memset(&rex_record, 0, sizeof(rex_record));"
        stores = "".join(f" {text};" for text in self._member_assignments("rex_record", init))
        return f"[&] {{ {made}{stores} return rex_record; }}()"

    def _member_assignments(self, target: str, init: Initialiser, offset: int = 0) -> list[str]:
        """Assignments to the members of a record; those of its anonymous members, which are ``offset`` bytes behind the
        record's beginning, are named like its own."""
        assert isinstance(init.type, Record)
        fields = members(init.type)
        out: list[str] = []
        for index, part in sorted(init.parts.items()):
            name = member_name(fields[index])
            at = offset + fields[index].offset
            if name is None and part.value is not None:
                place = ct.cast(self.types.pointer_to(strip(part.type)), ct.name(f"((char *)&{target} + {at})"))
                value = self._convert(part.value, part.type)  # the record may be packed
                out.append(f"rex_unaligned_store({place.text}, {value.at(ct.ASSIGN)})")
            elif name is None:
                out += self._member_assignments(target, part, at)
            else:
                out += self.assignments(f"{target}.{name}", part)
        return out

    def _may_be_constant(self, node: c_ast.Node) -> bool:
        """Whether C++ may know the value of an expression that is no constant in C."""
        ids = [n for n in walk(node) if isinstance(n, c_ast.ID)]
        return all((s := self.sema.symbol(n)) is not None and "const" in s.type.quals for n in ids)

    def _narrows(self, node: c_ast.Node, source: CType, target: CType) -> bool:
        source = integer_promote(source) if isinstance(source, EnumType) else source
        target = target.info.underlying if isinstance(target, EnumType) else target
        if is_bool_text(node):
            return not is_integer(target)
        if source == target:
            return False
        if not isinstance(target, Scalar) or not isinstance(source, Scalar):
            return True
        value = self.sema.value(node) if is_integer(source) else None
        if is_floating(target):
            if is_floating(source):
                literal = node.expr if isinstance(node, c_ast.UnaryOp) and node.op in "+-" else node
                return sizeof(source) > sizeof(target) and not isinstance(literal, c_ast.Constant)
            return value is None or abs(value) > _EXACT_INTEGERS.get(target.name, 0)
        if target == BOOL or is_floating(source):
            return True
        low, high = integer_range(target)
        if value is not None:
            return not low <= value <= high
        source_low, source_high = integer_range(source)
        return not (low <= source_low and source_high <= high)

    def assignments(self, target: str, init: Initialiser) -> list[str]:
        """Assignments that give an object declared without initialiser its first value."""
        t = init.type
        if init.value is not None and not isinstance(t, Array):
            return [f"{target} = {self._convert(init.value, t).at(ct.ASSIGN)}"]
        if isinstance(t, Record):
            return [f"{target} = ({self.declaration(without_const(t))}){self.braces(init)}"]
        if not isinstance(t, Array):
            return [f"{target} = {'nullptr' if isinstance(t, Pointer) else '0'}"]
        if init.value is not None:
            assert isinstance(init.value, c_ast.Constant)
            element, units = string_units(init.value.value)
            used = len([*units, 0][: t.length])
            size = sizeof(element)
            return [f"memcpy({target}, {init.value.value}, {used * size})", *self._clear(target, used, t, size)]
        out: list[str] = []
        if t.length is not None and len(init.parts) < t.length:
            out.append(f"memset({target}, 0, sizeof({self.declaration(without_const(t))}))")
        for index, part in sorted(init.parts.items()):
            if out[:1] and out[0].startswith("memset") and part.is_zero:
                continue
            out += self.assignments(f"{target}[{index}]", part)
        return out

    @staticmethod
    def _clear(target: str, used: int, t: Array, size: int) -> list[str]:
        rest = (t.length or used) - used
        return [f"memset({target} + {used}, 0, {rest * size})"] if rest > 0 else []

    def initial_effects(self, t: CType, init: c_ast.Node | None) -> list[Text]:
        """What the initialiser of an object of type ``t``, which has no size, does."""
        values, parts = [], [read_initialiser(self.sema, t, init)] if init is not None else []
        while parts:
            part = parts.pop()
            values += [part.value] if part.value is not None and not is_plain(part.value) else []
            parts += [inner for _, inner in sorted(part.parts.items(), reverse=True)]
        return [self._discarded(value) for value in values]

    # ---- compound literals ----

    def _emit_compound_literal(self, node: c_ast.CompoundLiteral) -> Text:
        t = without_const(self._type(node))
        if node not in self._kept or not isinstance(t, Record) or is_empty(t):
            return self._literal(node, t, node.init)
        if self._hoist_static:
            return ct.name(self._hoist(node, t, self._initialiser_text(t, node.init)))
        return ct.assignment(ct.name(self._hoist(node, t, "")), "=", self._literal(node, t, node.init))

    def _literal(self, node: c_ast.Node, t: CType, init: c_ast.Node) -> Text:
        t = without_const(t)
        if isinstance(t, Array):
            return self._array_literal(node, t, init)
        if isinstance(t, Record):
            made = self.braces(read_initialiser(self.sema, t, init))
            return Text(made if made.startswith("[&]") else f"({self.declaration(t)}){made}", ct.POSTFIX)
        value = read_initialiser(self.sema, t, init).value
        text = self._convert(value, t) if value is not None else ZERO
        return ct.cast(self.declaration(t), text)

    def _literal_address(self, node: c_ast.CompoundLiteral) -> Text:
        t = without_const(self._type(node))
        if is_empty(t):
            pointer = ct.cast(self.types.pointer_to(t), ct.name(f"&{self._hoist(node, t, '')}"))
            effects = [effect.at(ct.ASSIGN) for effect in self.initial_effects(t, node.init)]
            return Text(", ".join([*effects, pointer.text]), ct.COMMA if effects else pointer.prec)
        if isinstance(t, Array):
            return ct.cast(self.types.pointer_to(t), self._array_literal(node, t, node.init))
        if self._hoist_static:
            return ct.prefix("&", ct.name(self._hoist(node, t, self._initialiser_text(t, node.init))))
        name = self._hoist(node, t, "")
        return ct.prefix("&", ct.assignment(ct.name(name), "=", self._literal(node, t, node.init)))

    def _array_literal(self, node: c_ast.Node, t: Array, init: c_ast.Node) -> Text:
        if self._hoist_static and not is_empty_array(t):
            return ct.name(self._hoist(node, t, self._initialiser_text(t, init)))
        name = self._hoist(node, t, "")
        if is_empty_array(t):
            effects = [effect.at(ct.ASSIGN) for effect in self.initial_effects(t, init)]
            return Text(", ".join([*effects, f"({self.types.pointer_to(t.of)}){name}"]), ct.COMMA)
        assignments = [Text(e, ct.ASSIGN).text for e in self.assignments(name, read_initialiser(self.sema, t, init))]
        return Text(", ".join([*assignments, name]), ct.COMMA)


def aliased(info: RecordInfo) -> list[tuple[Field, str]]:
    """The members of a union that initialisers in C++ have no name for, each with the name of a member beside it:
    records without a name (the first member needs none), and bit-fields, in whose place are bytes."""
    found = []
    for index, f in enumerate(members(Record(info)) if info.kind == "union" else ()):
        first = first_name(f)
        if first is not None and (f.bit_width is not None or (index and member_name(f) is None)):
            found.append((f, f"__rex_of_{first}"))
    return found


def _needs_assignments(init: Initialiser, has_aliases: bool, anonymous: bool = False) -> bool:
    """Whether a record's initialiser leads, through anonymous members alone, to what braces cannot say in C++: to a
    whole anonymous member, or, without aliases, to one of a union that is not its first, or to a bit-field of an
    anonymous union."""
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
