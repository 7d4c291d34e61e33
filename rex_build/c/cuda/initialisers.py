"""Prints initialisers and compound literals, or assignments if C++ allows no such initialiser."""

from __future__ import annotations

import math
import operator

from pycparser import c_ast

from ..sema import Sema, walk
from ..sema.ctype import (
    NARROW_FLOATS,
    Array,
    C,
    CType,
    EnumType,
    Field,
    Pointer,
    Record,
    RecordInfo,
    Scalar,
    sizeof,
    strip,
)
from ..sema.expressions import declare_real
from ..sema.initialisers import Initialiser, members, read_initialiser
from ..sema.literals import float_constant, integer_constant, narrow_bits, string_units
from ..sema.type_questions import (
    innermost,
    integer_promote,
    integer_range,
    is_arithmetic,
    is_complex,
    is_floating,
    is_integer,
    is_unsigned,
    wrap,
)
from . import text as ct
from .conversions import convert
from .objects import base_of
from .scope import Scope, Storage, hoisted_object
from .text import Text, is_bool_text, is_plain, string_initialiser
from .types import (
    first_name,
    is_absent,
    is_empty,
    is_empty_array,
    is_volatile_record,
    member_name,
    without_const,
    without_volatile,
)

# Computes complex constant expressions, because nvcc accepts complex initialisers only as two numbers.

_OPERATIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def complex_parts(sema: Sema, node: c_ast.Node, target: CType) -> tuple[float, float] | tuple[int, int] | None:
    """The parts that an analysed arithmetic constant expression has in an object of type ``target``.

    None if it is no such expression, or not finite.
    """
    part = Scalar(declare_real(target))
    if not is_floating(part):
        parts = _integers(sema, node)
        return None if parts is None else (wrap(parts[0], part), wrap(parts[1], part))
    try:
        value = _value(sema, node)
    except (ZeroDivisionError, OverflowError):
        return None
    if value is None or not (math.isfinite(complex(value).real) and math.isfinite(complex(value).imag)):
        return None
    return complex(value).real, complex(value).imag


def _integers(sema: Sema, node: c_ast.Node) -> tuple[int, int] | None:
    """The parts of a constant that is made from integers with signs, sums, differences, products and casts."""
    t = sema.value_type(node)
    if not is_complex(t):
        number = sema.number(node)
        return None if number is None or not math.isfinite(number) else (int(number), 0)
    parts: tuple[int, int] | None = None
    match node:
        case c_ast.Constant() if (parsed := integer_constant(node.value.rstrip())) is not None:
            parts = (0, parsed[0])
        case c_ast.Cast():
            parts = _integers(sema, node.expr)
        case c_ast.UnaryOp(op="-" | "+" | "~" as op) if (operand := _integers(sema, node.expr)) is not None:
            parts = (-operand[0] if op == "-" else operand[0], operand[1] if op == "+" else -operand[1])
        case c_ast.BinaryOp(op="+" | "-" | "*" as op):
            left, right = _integers(sema, node.left), _integers(sema, node.right)
            if left is not None and right is not None:
                (a, b), (c, d) = left, right
                parts = {"+": (a + c, b + d), "-": (a - c, b - d), "*": (a * c - b * d, a * d + b * c)}[op]
    if parts is None or is_floating(t):
        return None
    kind = Scalar(declare_real(t))
    return wrap(parts[0], kind), wrap(parts[1], kind)


def _value(sema: Sema, node: c_ast.Node) -> complex | float | None:
    """The value. Real values stay real, because a real operand has no imaginary part."""
    match node:
        case c_ast.Constant(type="int _Complex"):
            parsed = integer_constant(node.value.rstrip())
            return complex(0, parsed[0]) if parsed is not None else None
        case c_ast.Constant() if node.type.startswith(("float", "double", "_Float16")):
            number = float_constant(node.value.rstrip())
            if number is not None and node.type.endswith("_Complex"):
                return complex(0, number)
            return number
        case c_ast.UnaryOp(op="-" | "+" | "~" as op):
            operand = _value(sema, node.expr)
            if operand is None or op == "+":
                return operand
            return operand.conjugate() if op == "~" else -operand
        case c_ast.BinaryOp() if node.op in _OPERATIONS and is_complex(sema.value_type(node)):
            left, right = _value(sema, node.left), _value(sema, node.right)
            return None if left is None or right is None else _OPERATIONS[node.op](left, right)
        case c_ast.Cast():
            return _value(sema, node.expr)
        case c_ast.FuncCall(name=c_ast.ID(name="__builtin_complex")):
            parts = [_value(sema, a) for a in node.args.exprs]
            return None if None in parts else complex(*parts)  # type: ignore[arg-type]
    number = sema.value(node)
    return None if number is None else float(number)


# Prints scalars inside of braces, where C++ forbids narrowing conversions and CUDA's constants are restricted.

_EXACT_INTEGERS = {"float": 2**24, "double": 2**53}


def narrowed(scope: Scope, node: c_ast.Node, target: CType) -> str:
    """A scalar inside of braces, converted without narrowing."""
    if is_complex(target) and (parts := complex_braces(scope, node, target)):
        return parts
    if constant := narrow_constant(scope, node, target):
        return constant
    text = convert(scope, node, target)
    target = strip(target)
    if not is_arithmetic(target):
        return text.at(ct.ASSIGN)
    wanted = scope.declaration(target)
    source = scope.value_type(node)
    if ct.is_cast_to(text, wanted) or not is_arithmetic(source) or not _narrows(scope, node, source, target):
        return text.at(ct.ASSIGN)
    return ct.Cast(wanted, text).text


def complex_braces(scope: Scope, node: c_ast.Node, t: CType) -> str | None:
    parts = complex_parts(scope.sema, node, t)
    if parts is not None and strip(t) == C.HALF_COMPLEX:
        from ctypes import c_float  # few programs need it

        halves = (narrow_bits(c_float(part).value, C.HALF) for part in parts)  # they are computed with as float
        return "{" + ", ".join(f"rex_half::of({bits:#x})" for bits in halves) + "}"
    return None if parts is None else f"{{{parts[0]!r}, {parts[1]!r}}}"


def narrow_constant(scope: Scope, node: c_ast.Node, t: CType) -> str | None:
    """The bits of a constant of a 16-bit floating type. CUDA cannot convert such constants before the program runs."""
    value = scope.sema.number(node) if strip(t) in NARROW_FLOATS else None
    return None if value is None else f"{scope.declaration(strip(t))}::of({narrow_bits(float(value), strip(t)):#x})"


def bit_field_initialiser(scope: Scope, node: c_ast.Node, target: CType, width: int) -> str:
    """The initialiser of a bit-field. A constant has to fit its width."""
    target = strip(target)
    value = scope.sema.value(node) if is_integer(scope.value_type(node)) else None
    if target == C.BOOL or (value is None and not _may_be_constant(scope, node)):
        return narrowed(scope, node, target)
    low, high = (0, 2**width - 1) if is_unsigned(target) else (-(2 ** (width - 1)), 2 ** (width - 1) - 1)
    if value is not None:
        return narrowed(scope, node, target) if low <= value <= high else str((value - low) % 2**width + low)
    wide = "unsigned long" if is_unsigned(target) else "long"
    unused = 64 - width
    shifted = ct.binary("<<", ct.Cast("unsigned long", ct.Cast(wide, scope.emit(node))), ct.name(str(unused)))
    kept = ct.binary(">>", ct.Cast(wide, shifted), ct.name(str(unused)))
    return ct.Cast(scope.declaration(target), kept).text


def union_bytes(scope: Scope, part: Initialiser) -> str | None:
    """The bytes of a union whose bit-field a constant initialises. nvcc cannot store them in another way."""
    if part.bit_width is None or part.value is None or not is_integer(scope.value_type(part.value)):
        return None
    value = scope.sema.value(part.value)
    if value is None:
        return None
    value = int(value != 0) if strip(part.type) == C.BOOL else value % 2**part.bit_width
    return "{" + ", ".join(str(b) for b in value.to_bytes((part.bit_width + 7) // 8, "little")) + "}"


def _may_be_constant(scope: Scope, node: c_ast.Node) -> bool:
    """Whether C++ may know the value of an expression that is no constant in C, and check it for narrowing."""
    ids = [n for n in walk(node) if isinstance(n, c_ast.ID)]
    return all((s := scope.sema.symbol(n)) is not None and "const" in s.type.quals for n in ids)


def _narrows(scope: Scope, node: c_ast.Node, source: CType, target: CType) -> bool:
    source = integer_promote(source) if isinstance(source, EnumType) else source
    target = target.info.underlying if isinstance(target, EnumType) else target
    if is_bool_text(node):
        return not is_integer(target)
    if source == target:
        return False
    if not isinstance(target, Scalar) or not isinstance(source, Scalar):
        return True
    value = scope.sema.value(node) if is_integer(source) else None
    if is_floating(target):
        if is_floating(source):
            literal = node.expr if isinstance(node, c_ast.UnaryOp) and node.op in "+-" else node
            return sizeof(source) > sizeof(target) and not isinstance(literal, c_ast.Constant)
        return value is None or abs(value) > _EXACT_INTEGERS.get(target.name, 0)
    if target == C.BOOL or is_floating(source):
        return True
    low, high = integer_range(target)
    if value is not None:
        return not low <= value <= high
    source_low, source_high = integer_range(source)
    return not (low <= source_low and source_high <= high)


# Prints initialisers, or assignments if C++ allows no such initialiser.

# Every union with bit-fields has a member of this name.
UNION_BYTES = "__rex_bytes"


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
    flexible = [isinstance(f.type, Array) and f.type.length is None for f in fields]
    none = [i for i, f in enumerate(fields) if is_absent(f) or (flexible[i] and i not in init.parts)]
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
    if strip(t) == C.HALF_COMPLEX:  # before the program runs, nvcc knows no value of '{}'
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


# Prints compound literals, as values or as objects that live until the end of the block.

def compound_literal(scope: Scope, node: c_ast.CompoundLiteral) -> Text:
    t = without_const(scope.type(node))
    if node not in scope.body.pointed_into or isinstance(t, Array) or is_empty(t):
        return literal_of(scope, node, t, node.init)
    if scope.is_static:
        return ct.name(hoisted_object(scope, node, t, initialiser_text(scope, t, node.init)))
    return ct.assignment(ct.name(hoisted_object(scope, node, t, "")), "=", literal_of(scope, node, t, node.init))


def keep_changed_literal(scope: Scope, target: c_ast.Node) -> None:
    """Make an object of a compound literal of which a part is changed, as in ``(int){1} += 2``."""
    base = base_of(scope.sema, target)
    if isinstance(base, c_ast.CompoundLiteral):
        scope.body.pointed_into.add(base)


def literal_of(scope: Scope, node: c_ast.Node, t: CType, init: c_ast.Node) -> Text:
    t = without_const(t)
    if isinstance(t, Array):
        return _array_literal(scope, node, t, init)
    if isinstance(t, Record):
        return ct.braced(scope.declaration(t), braces(scope, read_initialiser(scope.sema, t, init)))
    value = read_initialiser(scope.sema, t, init).value
    text = convert(scope, value, t) if value is not None else ct.ZERO
    return ct.Cast(scope.declaration(t), text)


def literal_address(scope: Scope, node: c_ast.CompoundLiteral) -> Text:
    t = without_const(scope.type(node))
    if is_empty(t):
        pointer = ct.Cast(scope.types.pointer_to(t), ct.name(f"&{hoisted_object(scope, node, t, '')}"))
        effects = initial_effects(scope, t, node.init)
        return ct.comma([*effects, pointer]) if effects else pointer
    if isinstance(t, Array):
        return ct.Cast(scope.types.pointer_to(t), _array_literal(scope, node, t, node.init))
    if scope.is_static:
        return ct.prefix("&", ct.name(hoisted_object(scope, node, t, initialiser_text(scope, t, node.init))))
    name = hoisted_object(scope, node, t, "")
    return ct.prefix("&", ct.assignment(ct.name(name), "=", literal_of(scope, node, t, node.init)))


def _array_literal(scope: Scope, node: c_ast.Node, t: Array, init: c_ast.Node) -> Text:
    if scope.is_static and not is_empty_array(t):
        return ct.name(hoisted_object(scope, node, t, initialiser_text(scope, t, init)))
    name = hoisted_object(scope, node, t, "")
    if is_empty_array(t):
        return ct.comma([*initial_effects(scope, t, init), ct.Cast(scope.types.pointer_to(t.of), ct.name(name))])
    assignments = assignment_texts(scope, name, read_initialiser(scope.sema, t, init))
    return ct.comma([*(Text(text, ct.ASSIGN) for text in assignments), ct.name(name)])
