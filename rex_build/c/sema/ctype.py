"""C types with their x86-64 SysV (LP64) layout, conversions and spelling.

Types are frozen values compared structurally; records and enumerations carry an identity object
(:class:`RecordInfo`, :class:`EnumInfo`) because two declarations of one tag are one type. Sizes, alignments and
offsets are in bytes. Section numbers are those of C11.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field as dataclass_field
from typing import TypeVar

from pycparser import c_ast, c_generator

from ...base.records import dataclass
from ...plan.code import Type

Quals = frozenset[str]
NO_QUALS: Quals = frozenset()

_QUAL_ORDER = ("const", "volatile", "restrict", "_Atomic", "__seg_fs", "__seg_gs")


class LayoutError(Exception):
    """A size or alignment is not a constant, because the type is incomplete or of variable length."""


@dataclass(frozen=True)
class CType(Type):
    """The base class of all types.

    ``alias`` is the typedef name with which the type was written. ``align`` is the alignment in bytes that a typedef
    gives it, or 0 for the type's own. Neither takes part in comparisons.
    """

    quals: Quals = dataclass_field(default=NO_QUALS, kw_only=True)
    alias: str | None = dataclass_field(default=None, kw_only=True, compare=False)
    align: int = dataclass_field(default=0, kw_only=True, compare=False)

    def __str__(self) -> str:
        return declare(self)


@dataclass(frozen=True)
class Void(CType):
    """``void``."""


@dataclass(frozen=True)
class Scalar(CType):
    """An arithmetic type by its canonical name, a key of the module's size table (``unsigned long``, ``float``)."""

    name: str


@dataclass(frozen=True)
class Pointer(CType):
    """Pointer to ``to``."""

    to: CType


@dataclass(frozen=True)
class Array(CType):
    """Array of ``of``. The element type has the qualifiers (6.7.3p9), never the array.

    If both ``length`` and ``length_expr`` are None, it is an incomplete array or a flexible array member. If
    ``length_expr`` is set, it is a variable-length array (an ``ID`` named ``*`` stands for ``[*]``).
    """

    of: CType
    length: int | None
    length_expr: c_ast.Node | None = None


@dataclass(frozen=True)
class Record(CType):
    """A structure or union type."""

    info: RecordInfo


@dataclass(frozen=True)
class EnumType(CType):
    """An enumerated type."""

    info: EnumInfo


@dataclass(frozen=True)
class Function(CType):
    """Function type. ``params`` are adjusted: arrays and functions are pointers, top-level qualifiers do not matter.

    ``prototyped`` is False for ``int f()`` and K&R definitions.
    """

    result: CType
    params: tuple[CType, ...]
    variadic: bool = False
    prototyped: bool = True


@dataclass(frozen=True)
class Unsupported(CType):
    """A type of host code of which nothing more is known.

    ``reason`` is the message if a device needs the type, and ``note`` says where the cause is.
    """

    reason: str
    note: str = ""


@dataclass(frozen=True)
class Field:
    """A member. ``offset`` is in bytes from the start of the record.

    For bit-fields, ``bit_width`` is set, ``offset`` is the byte that holds the first bit, and ``bit_offset`` (0 to 7)
    is the bit within that byte. ``name`` is None for anonymous structures and unions, and for padding bit-fields.
    """

    name: str | None
    type: CType
    offset: int
    bit_width: int | None
    bit_offset: int
    node: c_ast.Decl

    @property
    def is_anonymous_record(self) -> bool:
        return self.name is None and isinstance(self.type, Record)


@dataclass(frozen=True)
class MemberDecl:
    """A member as it is declared, before layout.

    ``align`` is the value of _Alignas, or 0 without one. If it is ``packed``, it needs no alignment.
    """

    name: str | None
    type: CType
    bit_width: int | None
    align: int
    node: c_ast.Decl
    packed: bool = False


class RecordInfo:
    """The identity of one structure or union.

    ``node`` is the ``Struct`` or ``Union`` node that defines it, or None while the type is incomplete. ``loader`` loads
    and lays out the members on first use. ``is_global`` is true if the tag has file scope. ``typedef_name`` is the
    first typedef of a record without a tag.
    """

    __slots__ = (
        "_align",
        "_fields",
        "_size",
        "is_global",
        "kind",
        "least_align",
        "loader",
        "node",
        "pack",
        "tag",
        "typedef_name",
    )

    def __init__(self, kind: str, tag: str | None, is_global: bool = True) -> None:
        self.kind = kind
        self.tag = tag
        self.is_global = is_global
        self.typedef_name: str | None = None
        self.node: c_ast.Node | None = None
        self.loader: Callable[[RecordInfo], Sequence[MemberDecl]] | None = None
        self.pack = 0
        self.least_align = 0
        self._fields: tuple[Field, ...] | None = None
        self._size = 0
        self._align = 1

    def __repr__(self) -> str:
        return f"<{self.kind} {self.tag or self.typedef_name or '<anonymous>'}>"

    @property
    def is_complete(self) -> bool:
        return self.node is not None

    @property
    def fields(self) -> tuple[Field, ...]:
        """The members in order, including padding bit-fields. There are none while the type is incomplete."""
        self._lay_out()
        return self._fields or ()

    @property
    def size(self) -> int:
        self._lay_out()
        return self._size

    @property
    def align(self) -> int:
        self._lay_out()
        return self._align

    def _lay_out(self) -> None:
        if self._fields is None and self.loader is not None and self.node is not None:
            loader, self.loader = self.loader, None  # a record that contains itself is incomplete here
            try:
                members = loader(self)
            except BaseException:  # the next caller gets the error too
                self.loader = loader
                raise
            self._fields, self._size, self._align = _layout(self.kind == "union", members, self.pack, self.least_align)


class VectorInfo(RecordInfo):
    """The identity of one of GNU C's vector types.

    Apart from arithmetic, whole vectors are treated like structures whose only member is an array named ``at``.
    """

    __slots__ = ("element", "length")

    def __init__(self, element: Scalar, length: int) -> None:
        super().__init__("struct", None)
        self.element = element
        self.length = length
        node = c_ast.Decl("at", [], [], [], [], None, None, None)
        self._fields = (Field("at", Array(element, length), 0, None, 0, node),)
        self._size = self._align = length * sizeof(element)

    @property
    def is_complete(self) -> bool:
        return True


_vectors: dict[tuple[str, int], VectorInfo] = {}


def vector_of(element: Scalar, length: int) -> Record:
    """The vector type of ``length`` elements."""
    key = element.name, length
    if key not in _vectors:
        _vectors[key] = VectorInfo(Scalar(element.name), length)
    return Record(_vectors[key])


class EnumInfo:
    """The identity of one enumeration.

    ``values`` maps enumerators to values. ``underlying`` is the type gcc chooses.
    """

    __slots__ = ("is_global", "node", "tag", "typedef_name", "underlying", "values")

    def __init__(self, tag: str | None, is_global: bool = True) -> None:
        self.tag = tag
        self.is_global = is_global
        self.typedef_name: str | None = None
        self.node: c_ast.Node | None = None
        self.values: dict[str, int] = {}
        self.underlying: Scalar = UNSIGNED_INT

    def __repr__(self) -> str:
        return f"<enum {self.tag or self.typedef_name or '<anonymous>'}>"


VOID = Void()
BOOL = Scalar("_Bool")
CHAR = Scalar("char")
SIGNED_CHAR = Scalar("signed char")
UNSIGNED_CHAR = Scalar("unsigned char")
SHORT = Scalar("short")
UNSIGNED_SHORT = Scalar("unsigned short")
INT = Scalar("int")
UNSIGNED_INT = Scalar("unsigned int")
LONG = Scalar("long")
UNSIGNED_LONG = Scalar("unsigned long")
LONG_LONG = Scalar("long long")
UNSIGNED_LONG_LONG = Scalar("unsigned long long")
INT128 = Scalar("__int128")
UNSIGNED_INT128 = Scalar("unsigned __int128")
HALF = Scalar("_Float16")
BFLOAT = Scalar("__bf16")
FLOAT = Scalar("float")
DOUBLE = Scalar("double")
LONG_DOUBLE = Scalar("long double")

# Size and alignment are equal for every scalar except the complex ones, which are aligned like their parts.
_SIZES = {
    "_Bool": 1, "char": 1, "signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2,
    "int": 4, "unsigned int": 4, "long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8,
    "__int128": 16, "unsigned __int128": 16, "_Float16": 2, "__bf16": 2, "float": 4, "double": 8, "long double": 16,
}  # fmt: skip
_SIZES |= {f"{name} _Complex": 2 * size for name, size in _SIZES.items() if name not in ("_Bool", "__bf16")}
_ATOMIC_SIZES = (1, 2, 4, 8, 16)  # of atomic types, which are aligned to their size
_RANKS = {
    "_Bool": 0, "char": 1, "signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 3,
    "unsigned int": 3, "long": 4, "unsigned long": 4, "long long": 5, "unsigned long long": 5, "__int128": 6,
    "unsigned __int128": 6,
}  # fmt: skip
_UNSIGNED_OF = {
    "int": UNSIGNED_INT,
    "long": UNSIGNED_LONG,
    "long long": UNSIGNED_LONG_LONG,
    "__int128": UNSIGNED_INT128,
}
_FLOATS = (HALF, BFLOAT, FLOAT, DOUBLE, LONG_DOUBLE)
_FLOAT_RANKS = {t.name: rank for rank, t in enumerate(_FLOATS)}
LONG_FLOATS = ("_Float64x", "_Float128", "__float128", "__float80", "__ibm128")  # they have the size of long double
NARROW_FLOATS = (HALF, BFLOAT)  # they are computed with as float
HALF_COMPLEX = Scalar("_Float16 _Complex")  # the same holds for its parts
FLOAT_COMPLEX = Scalar("float _Complex")


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


def _layout(
    is_union: bool, members: Sequence[MemberDecl], pack: int, least_align: int
) -> tuple[tuple[Field, ...], int, int]:
    """The fields, size and alignment of a record (SysV psABI 3.1.2; bit-fields are laid out as in gcc)."""
    fields: list[Field] = []
    position = 0  # the first free bit
    end = 0  # the end of the longest member so far, in bits
    record_align = max(1, least_align)
    for m in members:
        most = 1 if m.packed else pack
        natural = min(alignof(m.type), most) if most else alignof(m.type)
        align = max(natural, m.align)
        if is_union:
            position = 0
        if m.bit_width is None:
            position = _round_up(position, align * 8)
            size = 0 if isinstance(m.type, Array) and m.type.length is None else sizeof(m.type)
            fields.append(Field(m.name, m.type, position // 8, None, 0, m.node))
            position += size * 8
        elif m.bit_width == 0:
            position = _round_up(position, alignof(m.type) * 8)  # packing does not matter
        else:
            unit = sizeof(m.type) * 8
            if not most and position % (align * 8) + m.bit_width > unit:
                position = _round_up(position, align * 8)
            if m.align:
                position = _round_up(position, m.align * 8)
            fields.append(Field(m.name, m.type, position // 8, m.bit_width, position % 8, m.node))
            position += m.bit_width
        if m.name is not None or m.bit_width is None:  # unnamed bit-fields do not align their record
            record_align = max(record_align, align)
        end = max(end, position)
    return tuple(fields), _round_up(_round_up(end, 8) // 8, record_align), record_align


def sizeof(t: CType) -> int:
    """The size in bytes, which is 1 for ``void`` and functions as in GNU C.

    Raises LayoutError if it is not constant.
    """
    match t:
        case Scalar(name=name):
            return _SIZES[name]
        case Pointer():
            return 8
        case Array(of=of, length=int(length)):
            return length * sizeof(of)
        case Record(info=info) if info.is_complete:
            return info.size
        case EnumType(info=info):
            return _SIZES[info.underlying.name]
        case Void() | Function():
            return 1
    raise LayoutError(f"the size of '{t}' is not a constant")


def is_sizeless(t: CType) -> bool:
    """Whether objects of the type take no memory, as GNU C's structures without members and arrays without elements."""
    if isinstance(t, Array):
        return not is_variably_modified(t) and (t.length == 0 or (t.length is not None and is_sizeless(t.of)))
    return isinstance(t, Record) and t.info.is_complete and t.info.size == 0


def alignof(t: CType) -> int:
    """Alignment in bytes. Raises :class:`LayoutError` for incomplete records."""
    return t.align or _own_alignment(t)


def _own_alignment(t: CType) -> int:
    if "_Atomic" in t.quals and sizeof(t) in _ATOMIC_SIZES:
        return sizeof(t)
    return _plain_alignment(t)


def _plain_alignment(t: CType) -> int:
    """The alignment that ``t`` would have without being atomic and without typedefs."""
    match t:
        case Scalar(name=name):
            return _SIZES[name] // 2 if name.endswith("_Complex") else _SIZES[name]
        case Array(of=of):
            return alignof(of)
        case Record(info=info) if info.is_complete:
            return info.align
        case Record():
            raise LayoutError(f"'{t}' is incomplete")
    return sizeof(t)


def field_path(t: CType, name: str) -> tuple[Field, ...]:
    """The members on the way from ``t`` to its member ``name``, through anonymous records. Empty if there is none."""
    if isinstance(t, Record):
        for f in t.info.fields:
            if f.name == name:
                return (f,)
            if f.is_anonymous_record and (rest := field_path(f.type, name)):
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
    return Field(last.name, qualified(last.type, quals), offset, last.bit_width, last.bit_offset, last.node)


_T = TypeVar("_T", bound=CType)


def _requalified(t: _T, quals: Quals, alias: str | None) -> _T:
    new = object.__new__(type(t))  # dataclasses.replace is several times slower, and this is a hot path
    new.__dict__.update(t.__dict__, quals=quals, alias=alias)
    return new


def strip(t: _T) -> _T:
    """``t`` without top-level qualifiers."""
    return _requalified(t, NO_QUALS, t.alias) if t.quals else t


def qualified(t: CType, quals: Quals) -> CType:
    """``t`` with ``quals`` added; on arrays the element type takes them."""
    if quals <= t.quals:
        return t
    if isinstance(t, Array):
        return Array(qualified(t.of, quals), t.length, t.length_expr, align=t.align)
    return _requalified(t, t.quals | quals, t.alias)


def is_ragged(t: CType) -> bool:
    """Whether a structure or union contains, at any depth, a part that is aligned less than its type is elsewhere."""
    return isinstance(t, Record) and t.info.is_complete and _is_misaligned(t, 0, _own_alignment(t))


def _is_misaligned(t: CType, offset: int, align: int) -> bool:
    """Whether a part of a ``t`` is misaligned, if the ``t`` is ``offset`` bytes into an object aligned to ``align``."""
    if _own_alignment(t) > align or offset % _own_alignment(t) != 0:
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
    return alignof(t) if alignof(t) > _plain_alignment(t) else 0


def is_misaligned(t: CType) -> bool:
    """Whether typedefs allow an object of type ``t`` to have less than the type's own alignment."""
    t = _aligned_part(t)
    if not t.align or (isinstance(t, Record) and not t.info.is_complete):
        return False
    return t.align < _own_alignment(t)


def _aligned_part(t: CType) -> CType:
    """The part that a typedef may align: the array itself, or the innermost element of arrays."""
    while isinstance(t, Array) and not t.align:
        t = t.of
    return t


def aligned(t: _T, align: int) -> _T:
    """``t`` with another alignment."""
    new = _requalified(t, t.quals, t.alias)
    new.__dict__["align"] = align
    return new


def with_alias(t: CType, alias: str) -> CType:
    """``t`` spelt as the typedef name ``alias``."""
    return _requalified(t, t.quals, alias)


def is_integer(t: CType) -> bool:
    """Whether it is an integer type, which includes enumerations and ``_Bool``."""
    return isinstance(t, EnumType) or (isinstance(t, Scalar) and t.name in _RANKS)


def is_floating(t: CType) -> bool:
    """Whether it is a real or complex floating type."""
    return isinstance(t, Scalar) and t.name.removesuffix(" _Complex") not in _RANKS


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
    while isinstance(t, Array):
        t = t.of
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
    if not isinstance(t, Scalar) or t.name not in _RANKS:
        return strip(t)
    if bit_width is not None and (bit_width < 32 or (bit_width == 32 and not is_unsigned(t))):
        return INT
    if bit_width == 32:
        return UNSIGNED_INT
    return INT if _RANKS[t.name] < _RANKS["int"] else strip(t)


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
    low, high = sorted((a, b), key=lambda t: _RANKS[t.name])
    if _RANKS[low.name] == _RANKS[high.name]:
        return a if is_unsigned(a) else b
    if is_unsigned(high) or not is_unsigned(low) or _SIZES[high.name] > _SIZES[low.name]:
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
    if t == BOOL:
        return 0, 1
    bits = sizeof(t) * 8
    return (0, 2**bits - 1) if is_unsigned(t) else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def wrap(value: int, t: CType) -> int:
    """``value`` converted to the integer type ``t`` (modulo 2^N; ``_Bool`` is 0 or 1)."""
    low, high = integer_range(t)
    if strip(t) == BOOL:
        return int(value != 0)
    return (value - low) % (high - low + 1) + low


def specifier(t: CType) -> str:
    """The declaration specifiers of a type that is not derived, without qualifiers."""
    if t.alias is not None:
        return t.alias
    match t:
        case Scalar(name=name):
            return name
        case Void():
            return "void"
        case Record(info=VectorInfo() as info):
            return f"__vector({info.length}) {info.element}"
        case Record(info=info):
            return f"{info.kind} {info.tag}" if info.tag else (info.typedef_name or f"{info.kind} <anonymous>")
        case EnumType(info=info):
            return f"enum {info.tag}" if info.tag else (info.typedef_name or info.underlying.name)
        case Unsupported():
            return "<unsupported>"
    raise TypeError(f"{type(t).__name__} has no specifier")


def has_name(t: CType) -> bool:
    """Whether C text can name ``t``. It cannot if ``t`` contains a structure with neither a tag nor a typedef."""
    while isinstance(t, Pointer | Array) and t.alias is None:
        t = t.to if isinstance(t, Pointer) else t.of
    return t.alias is not None or not isinstance(t, Record) or bool(t.info.tag or t.info.typedef_name)


def declare(t: CType, name: str = "") -> str:
    """C text that declares ``name`` with type ``t``; an abstract type name when ``name`` is empty.

    >>> declare(Array(Pointer(INT), 4), "a")
    'int *a[4]'
    """
    declarator = name
    while t.alias is None:
        quals = _quals_text(t.quals)
        match t:
            case Pointer(to=to):
                space = " " if quals and declarator else ""
                declarator = f"*{quals}{space}{declarator}"
                if isinstance(to, Array | Function) and to.alias is None:
                    declarator = f"({declarator})"
                t = to
            case Array(of=of):
                declarator += f"[{_length_text(t)}]"
                t = of
            case Function(result=result):
                declarator += f"({_parameters_text(t)})"
                t = result
            case _:
                break
    head = " ".join(filter(None, (_quals_text(t.quals), specifier(t))))
    return f"{head} {declarator}" if declarator else head


def _quals_text(quals: Quals) -> str:
    return " ".join(q for q in _QUAL_ORDER if q in quals) if quals else ""


def _length_text(t: Array) -> str:
    if t.length is not None:
        return str(t.length)
    if t.length_expr is None:
        return ""
    if isinstance(t.length_expr, c_ast.ID):
        return str(t.length_expr.name)
    return str(c_generator.CGenerator().visit(t.length_expr))


def _parameters_text(t: Function) -> str:
    if not t.prototyped:
        return ""
    texts = [declare(p) for p in t.params] + (["..."] if t.variadic else [])
    return ", ".join(texts) or "void"
