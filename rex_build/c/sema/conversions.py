"""Conversions between types: promotions, common and compatible types, values that fit. Sections are those of C11."""

from __future__ import annotations

from pycparser import c_ast

from ...base.records import dataclass
from .ctype import Array, C, CType, EnumType, Function, Pointer, RecordInfo, Scalar, sizeof, strip
from .type_questions import INTEGER_RANKS, is_complex, is_floating, is_unsigned

_UNSIGNED_OF = {
    "int": C.UNSIGNED_INT,
    "long": C.UNSIGNED_LONG,
    "long long": C.UNSIGNED_LONG_LONG,
    "__int128": C.UNSIGNED_INT128,
}
_FLOATS = (C.HALF, C.BFLOAT, C.FLOAT, C.DOUBLE, C.LONG_DOUBLE)
_FLOAT_RANKS = {t.name: rank for rank, t in enumerate(_FLOATS)}


def decay(t: CType) -> CType:
    """The type that a value of this type has in an expression. Arrays and functions become pointers (6.3.2.1)."""
    if isinstance(t, Array):
        return Pointer(t.of)
    if isinstance(t, Function):
        return Pointer(t)
    return t


def integer_promote(t: CType, bit_width: int | None = None) -> CType:
    """The promoted integer type (6.3.1.1). ``bit_width`` is given for bit-fields. Other types lose their qualifiers."""
    if isinstance(t, EnumType):
        t = t.info.underlying
    if not isinstance(t, Scalar) or t.name not in INTEGER_RANKS:
        return strip(t)
    if bit_width is not None and (bit_width < 32 or (bit_width == 32 and not is_unsigned(t))):
        return C.INT
    if bit_width == 32:
        return C.UNSIGNED_INT
    return C.INT if INTEGER_RANKS[t.name] < INTEGER_RANKS["int"] else strip(t)


def usual_arithmetic(a: CType, b: CType) -> CType:
    """The common type of two arithmetic operands (6.3.1.8).

    As in gcc, the parts of complex integers are not promoted.
    """
    a, b = integer_promote(a), integer_promote(b)
    if not isinstance(a, Scalar) or not isinstance(b, Scalar):
        raise TypeError(f"no common arithmetic type of '{a}' and '{b}'")
    if a.name == b.name:
        return a if a.alias == b.alias else Scalar(a.name)
    if is_complex(a) or is_complex(b):
        x, y = (Scalar(t.name.removesuffix(" _Complex")) for t in (a, b))
        return Scalar(_common_real(x, y).name + " _Complex")
    return _common_real(a, b)


def _common_real(a: Scalar, b: Scalar) -> Scalar:
    if is_floating(a) or is_floating(b):
        if {a.name, b.name} == {"_Float16", "__bf16"}:
            raise TypeError("neither has all values of the other")
        return _FLOATS[max(_FLOAT_RANKS.get(t.name, -1) for t in (a, b))]
    low, high = sorted((a, b), key=lambda t: INTEGER_RANKS[t.name])
    if INTEGER_RANKS[low.name] == INTEGER_RANKS[high.name]:
        return a if is_unsigned(a) else b
    if is_unsigned(high) or not is_unsigned(low) or sizeof(high) > sizeof(low):
        return high
    return _UNSIGNED_OF[high.name]


def unsigned_of(t: CType) -> CType:
    """The unsigned type of a promoted signed one."""
    assert isinstance(t, Scalar)
    return _UNSIGNED_OF[t.name]


def compatible(a: CType, b: CType) -> bool:
    """Whether two types are compatible (6.2.7). Qualifiers matter."""
    if a is b:
        return True
    if a.quals != b.quals:
        return False
    match a, b:
        case EnumType(info=x), EnumType(info=y):
            return x is y
        case (EnumType(info=info), Scalar(name=name)) | (Scalar(name=name), EnumType(info=info)):
            return info.underlying.name == name
        case Pointer(to=x), Pointer(to=y):
            return compatible(x, y)
        case Array(), Array():
            same = a.length is None or b.length is None or a.length == b.length
            return same and compatible(a.of, b.of)
        case Function(), Function():
            if not compatible(a.result, b.result):
                return False
            if not (a.prototyped and b.prototyped):
                return True
            return (
                a.variadic == b.variadic
                and len(a.params) == len(b.params)
                and all(compatible(strip(x), strip(y)) for x, y in zip(a.params, b.params, strict=True))
            )
    return a == b


def composite(a: CType, b: CType) -> CType:
    """The composite of two compatible types (6.2.7p3), which has what is known from either."""
    match a, b:
        case Array(), Array():
            known = a if a.length is not None or (a.length_expr is not None and b.length is None) else b
            return Array(composite(a.of, b.of), known.length, known.length_expr)
        case Pointer(), Pointer():
            to = composite(a.to, b.to)
            return a if to is a.to else Pointer(to, quals=a.quals)
        case Function(), Function():
            if not a.prototyped and b.prototyped:
                return b
            if a.prototyped and b.prototyped and len(a.params) == len(b.params):
                params = tuple(composite(x, y) for x, y in zip(a.params, b.params, strict=True))
                return Function(composite(a.result, b.result), params, a.variadic)
    return a


_RANGES = {"_Bool": (0, 1)}  # of the integer types that were asked for, by their names


def integer_range(t: CType) -> tuple[int, int]:
    """Smallest and largest value of an integer type."""
    if isinstance(t, EnumType):
        t = t.info.underlying
    assert isinstance(t, Scalar)
    if t.name not in _RANGES:
        bits = sizeof(t) * 8
        signed = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        _RANGES[t.name] = (0, 2**bits - 1) if is_unsigned(t) else signed
    return _RANGES[t.name]


def wrap(value: int, t: CType) -> int:
    """``value`` converted to the integer type ``t`` (modulo 2^N; ``_Bool`` is 0 or 1)."""
    low, high = integer_range(t)
    if strip(t) == C.BOOL:
        return int(value != 0)
    return (value - low) % (high - low + 1) + low


# What attributes, pragmas and flags say about declarations and types. The parser does not see them.

@dataclass(frozen=True)
class DeclaredAttributes:
    """What attributes say about a variable, a member, a typedef or a function.

    ``why_not`` is the reason if devices do not have the type. The others are the least alignment in bytes, whether a
    member needs no alignment (packed), the function to call at the end of the scope (cleanup), the size in bytes of the
    vector that the type becomes (-1 if not known), the machine mode, and the function of which a function is an alias.
    """

    why_not: str | None = None
    align: int = 0
    packed: bool = False
    cleanup: str = ""
    alias: str = ""
    vector: int = 0
    mode: str = ""


NO_ATTRIBUTES = DeclaredAttributes()


class Layout:
    """The answers for a unit without attributes. A subclass gives the answers for a unit."""

    def __init__(self, unnamed_members: bool = False) -> None:
        """With ``unnamed_members``, a member without a name may have a structure type with a tag (-fms-extensions)."""
        self.unnamed_members = unnamed_members

    @property
    def enumerators_agree(self) -> bool:
        """Whether all enumerators get the same type if one of them needs more than an ``int``."""
        return False

    def of_record(self, _info: RecordInfo) -> tuple[int, int]:
        """(greatest alignment of members, least alignment of the record) in bytes, each 0 if nothing sets it."""
        return 0, 0

    def is_packed_enum(self, _node: c_ast.Enum) -> bool:
        """Whether an enumeration is as small as its values allow."""
        return False

    def of_declaration(self, _node: c_ast.Node) -> DeclaredAttributes:
        """What attributes say about the declaration of a variable, a member, a typedef or a function."""
        return NO_ATTRIBUTES

    def of_type_name(self, _node: c_ast.Typename) -> DeclaredAttributes:
        """What attributes say about the name of a type in parentheses, as in a cast."""
        return NO_ATTRIBUTES
