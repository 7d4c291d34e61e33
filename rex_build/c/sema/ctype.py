"""C types with their x86-64 SysV (LP64) layout and spelling.

Types are frozen values compared structurally; records and enumerations carry an identity object
(:class:`RecordInfo`, :class:`EnumInfo`) because two declarations of one tag are one type. Sizes, alignments and
offsets are in bytes. Section numbers are those of C11.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pycparser import c_ast, c_generator

from ...base.records import dataclass
from ...base.records import field as dataclass_field
from ...plan.constructs import Type

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
    is the bit within that byte. ``name`` is None for anonymous structures and unions, and for padding bit-fields. A
    ``packed`` member needs no alignment.
    """

    name: str | None
    type: CType
    offset: int
    bit_width: int | None
    bit_offset: int
    node: c_ast.Decl
    packed: bool = False

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
        "_members",
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
        self._members: tuple[dict[str, Field], list[Field]] | None = None
        self._size = 0
        self._align = 1

    def __repr__(self) -> str:
        return f"<{self.kind} {self.tag or self.typedef_name or '<anonymous>'}>"

    @property
    def is_complete(self) -> bool:
        return self.node is not None

    @property
    def contains_itself(self) -> bool:
        """Whether the type is asked for while its own members are read."""
        return self.node is not None and self._fields is None and self.loader is None

    @property
    def fields(self) -> tuple[Field, ...]:
        """The members in order, including padding bit-fields. There are none while the type is incomplete."""
        self._lay_out()
        return self._fields or ()

    @property
    def members(self) -> tuple[dict[str, Field], list[Field]]:
        """(the members that have names, by these, the anonymous structures and unions)"""
        fields = self.fields
        if self._members is None or self._fields is None:
            named = {f.name: f for f in fields if f.name is not None}
            self._members = named, [f for f in fields if f.is_anonymous_record]
        return self._members

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
        self.underlying: Scalar = C.UNSIGNED_INT

    def __repr__(self) -> str:
        return f"<enum {self.tag or self.typedef_name or '<anonymous>'}>"


class C:
    """The types that C has names for."""

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
    HALF_COMPLEX = Scalar("_Float16 _Complex")
    FLOAT_COMPLEX = Scalar("float _Complex")


# Size and alignment are equal for every scalar except the complex ones, which are aligned like their parts.
_SIZES = {
    "_Bool": 1, "char": 1, "signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2,
    "int": 4, "unsigned int": 4, "long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8,
    "__int128": 16, "unsigned __int128": 16, "_Float16": 2, "__bf16": 2, "float": 4, "double": 8, "long double": 16,
}  # fmt: skip
_SIZES |= {f"{name} _Complex": 2 * size for name, size in _SIZES.items() if name not in ("_Bool", "__bf16")}
_ATOMIC_SIZES = (1, 2, 4, 8, 16)  # of atomic types, which are aligned to their size
LONG_FLOATS = ("_Float64x", "_Float128", "__float128", "__float80", "__ibm128")  # they have the size of long double
NARROW_FLOATS = (C.HALF, C.BFLOAT)  # they are computed with as float


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
            fields.append(Field(m.name, m.type, position // 8, None, 0, m.node, most == 1))
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


def alignof(t: CType) -> int:
    """Alignment in bytes. Raises :class:`LayoutError` for incomplete records."""
    return t.align or own_alignment(t)


def own_alignment(t: CType) -> int:
    if "_Atomic" in t.quals and sizeof(t) in _ATOMIC_SIZES:
        return sizeof(t)
    return plain_alignment(t)


def plain_alignment(t: CType) -> int:
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


def aligned(t: _T, align: int) -> _T:
    """``t`` with another alignment."""
    new = _requalified(t, t.quals, t.alias)
    new.__dict__["align"] = align
    return new


def with_alias(t: CType, alias: str) -> CType:
    """``t`` spelt as the typedef name ``alias``."""
    return _requalified(t, t.quals, alias)


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
