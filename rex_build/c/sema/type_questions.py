"""Questions about types: of which kind they are, what they contain, how they are aligned, what devices have of them."""

from __future__ import annotations

from pycparser import c_ast

from .ctype import (
    LONG_FLOATS,
    Array,
    CType,
    EnumType,
    Field,
    Function,
    Pointer,
    Record,
    Scalar,
    Unsupported,
    VectorInfo,
    Void,
    alignof,
    own_alignment,
    plain_alignment,
    qualified,
    sizeof,
)

INTEGER_RANKS = {
    "_Bool": 0, "char": 1, "signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 3,
    "unsigned int": 3, "long": 4, "unsigned long": 4, "long long": 5, "unsigned long long": 5, "__int128": 6,
    "unsigned __int128": 6,
}  # fmt: skip
_LONG_NAMES = (*LONG_FLOATS, *(f"_Complex {name}" for name in LONG_FLOATS))
_REFUSED_COMPLEX = ("__int128 _Complex", "unsigned __int128 _Complex")


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
