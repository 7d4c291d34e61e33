"""Questions about types: of which kind they are, what they contain, how they are aligned, what devices have of them.
Conversions between types: promotions, common and compatible types, values that fit. Sections are those of C11.
"""

from __future__ import annotations

from pycparser import c_ast

from ...base.records import dataclass
from .ctype import (
    LONG_FLOATS,
    Array,
    C,
    CType,
    EnumType,
    Field,
    Function,
    Pointer,
    Record,
    RecordInfo,
    Scalar,
    Unsupported,
    VectorInfo,
    Void,
    alignof,
    own_alignment,
    plain_alignment,
    qualified,
    sizeof,
    strip,
)

INTEGER_RANKS = {
    "_Bool": 0, "char": 1, "signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 3,
    "unsigned int": 3, "long": 4, "unsigned long": 4, "long long": 5, "unsigned long long": 5, "__int128": 6,
    "unsigned __int128": 6,
}  # fmt: skip
_LONG_NAMES = (*LONG_FLOATS, *(f"_Complex {name}" for name in LONG_FLOATS))
_REFUSED_COMPLEX = ("__int128 _Complex", "unsigned __int128 _Complex")
_UNSIGNED_OF = {
    "int": C.UNSIGNED_INT,
    "long": C.UNSIGNED_LONG,
    "long long": C.UNSIGNED_LONG_LONG,
    "__int128": C.UNSIGNED_INT128,
}
_FLOATS = (C.HALF, C.BFLOAT, C.FLOAT, C.DOUBLE, C.LONG_DOUBLE)
_FLOAT_RANKS = {t.name: rank for rank, t in enumerate(_FLOATS)}
_RANGES = {"_Bool": (0, 1)}  # of the integer types that were asked for, by their names


def is_sizeless(t: CType) -> bool:
    """Whether objects of the type take no memory, as GNU C's structures without members and arrays without elements."""
    if isinstance(t, Array):
        return not is_variably_modified(t) and (t.length == 0 or (t.length is not None and is_sizeless(t.of)))
    return isinstance(t, Record) and t.info.is_complete and t.info.size == 0


def field_path(t: CType, name: str) -> tuple[Field, ...]:
    """The members on the way from ``t`` to its member ``name``, through anonymous records. Empty if there is none."""
    if isinstance(t, Record):
        named, anonymous = t.info.members
        if (found := named.get(name)) is not None:
            return (found,)
        for f in anonymous:
            if rest := field_path(f.type, name):
                return (f, *rest)
    return ()


def field(t: CType, name: str) -> Field | None:
    """The member ``name`` of a record, with its offset from the start of ``t``. It may be in anonymous members.

    The field's type has the qualifiers of the records on the way to it (6.5.2.3p3).
    """
    path = field_path(t, name)
    if not path:
        return None
    last, quals = path[-1], t.quals.union(*(f.type.quals for f in path))
    if len(path) == 1 and not t.quals:
        return last
    offset = sum(f.offset for f in path)
    packed = any(f.packed for f in path)
    return Field(last.name, qualified(last.type, quals), offset, last.bit_width, last.bit_offset, last.node, packed)


def is_ragged(t: CType) -> bool:
    """Whether a structure or union contains, at any depth, a part that is aligned less than its type is elsewhere."""
    return isinstance(t, Record) and t.info.is_complete and _is_misaligned(t, 0, own_alignment(t))


def _is_misaligned(t: CType, offset: int, align: int) -> bool:
    """Whether a part of a ``t`` is misaligned, if the ``t`` is ``offset`` bytes into an object aligned to ``align``."""
    if own_alignment(t) > align or offset % own_alignment(t) != 0:
        return True
    match t:
        case Record(info=info):
            fields = [f for f in info.fields if f.bit_width is None]
            return any(_is_misaligned(f.type, offset + f.offset, align) for f in fields)
        case Array(of=of):
            return _is_misaligned(of, offset, align)
    return False


def asked_alignment(t: CType) -> int:
    """The alignment in bytes that typedefs or ``_Atomic`` require beyond that of the plain type, or 0."""
    t = _aligned_part(t)
    if not t.align and "_Atomic" not in t.quals:
        return 0
    return alignof(t) if alignof(t) > plain_alignment(t) else 0


def is_misaligned(t: CType) -> bool:
    """Whether typedefs allow an object of type ``t`` to have less than the type's own alignment."""
    t = _aligned_part(t)
    if not t.align or (isinstance(t, Record) and not t.info.is_complete):
        return False
    return t.align < own_alignment(t)


def _aligned_part(t: CType) -> CType:
    """The part that a typedef may align: the array itself, or the innermost element of arrays."""
    while isinstance(t, Array) and not t.align:
        t = t.of
    return t


def innermost(t: CType) -> CType:
    """The element type of an array of arrays."""
    while isinstance(t, Array):
        t = t.of
    return t


def is_integer(t: CType) -> bool:
    """Whether it is an integer type, which includes enumerations and ``_Bool``."""
    return isinstance(t, EnumType) or (isinstance(t, Scalar) and t.name in INTEGER_RANKS)


def is_floating(t: CType) -> bool:
    """Whether it is a real or complex floating type."""
    return isinstance(t, Scalar) and t.name.removesuffix(" _Complex") not in INTEGER_RANKS


def is_complex(t: CType) -> bool:
    return isinstance(t, Scalar) and t.name.endswith("_Complex")


def is_unsigned(t: CType) -> bool:
    """Whether it is an unsigned integer type. Plain ``char`` is signed on x86-64."""
    if isinstance(t, EnumType):
        t = t.info.underlying
    return isinstance(t, Scalar) and (t.name.startswith("unsigned") or t.name == "_Bool")


def is_arithmetic(t: CType) -> bool:
    return isinstance(t, Scalar | EnumType)


def is_pointer(t: CType) -> bool:
    return isinstance(t, Pointer)


def is_scalar(t: CType) -> bool:
    """Whether it is an arithmetic or pointer type (6.2.5p21)."""
    return isinstance(t, Scalar | EnumType | Pointer)


def is_array(t: CType) -> bool:
    return isinstance(t, Array)


def is_record(t: CType) -> bool:
    return isinstance(t, Record)


def as_vector(t: CType) -> VectorInfo | None:
    """The description of a vector type, or None for other types."""
    return t.info if isinstance(t, Record) and isinstance(t.info, VectorInfo) else None


def is_void(t: CType) -> bool:
    return isinstance(t, Void)


def has_pointer(t: CType) -> bool:
    """Whether values of the type hold addresses: a pointer, or an array or structure with one."""
    t = innermost(t)
    return isinstance(t, Pointer) or (isinstance(t, Record) and any(has_pointer(f.type) for f in t.info.fields))


def is_of_variable_size(t: CType) -> bool:
    """Whether it is an array whose size only the run knows."""
    return isinstance(t, Array) and (t.length_expr is not None or is_of_variable_size(t.of))


def is_variably_modified(t: CType) -> bool:
    """Whether a variable-length array is part of the type (6.7.6p3)."""
    while True:
        match t:
            case Array(length_expr=expr) if expr is not None:
                return True
            case Array(of=inner) | Pointer(to=inner) | Function(result=inner):
                t = inner
            case _:
                return False


def variable_lengths(t: CType) -> list[c_ast.Node]:
    """The lengths in a type that only the run knows, outermost first."""
    found: list[c_ast.Node] = []
    while True:
        match t:
            case Array(of=inner, length_expr=expr):
                found += [expr] if expr is not None else []
                t = inner
            case Pointer(to=inner) | Function(result=inner):
                t = inner
            case _:
                return found


def refused_type(t: CType) -> str | None:
    """Why a type that is not derived from others cannot be used on the device, or None if it can."""
    if isinstance(t, Scalar) and (t.name.startswith("long double") or t.name in _REFUSED_COMPLEX):
        return f"'{t.alias if t.alias in _LONG_NAMES else t.name}' is not supported"
    if isinstance(t, Unsupported):
        return t.reason
    if "_Atomic" in t.quals and not is_lock_free(t):
        return f"'{t}', which no hardware changes at once, is not supported"
    if t.quals & {"__seg_fs", "__seg_gs"}:
        return "address spaces of the host ('__seg_fs', '__seg_gs') are not supported"
    return None


def is_lock_free(t: CType) -> bool:
    """Whether the hardware can read and write a ``t`` at once.

    For other atomic structures, compilers differ in size.
    """
    if isinstance(t, Record) and not t.info.is_complete:
        return True  # no object has this type yet, only pointers to it
    return sizeof(t) in (1, 2, 4, 8) and alignof(t) == sizeof(t)


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
