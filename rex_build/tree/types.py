"""The types of the tree: what a value is and where its bytes are. They know nothing of how a type is spelt.

Types are frozen values and compare structurally, except records, which are themselves. Sizes and offsets are in bytes.
A type of an object has qualifiers; a type of a value has none.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from ..base.exhaustive import assert_never
from ..base.records import dataclass, field
from ..plan.constructs import Entity


@dataclass(frozen=True)
class _Qualified:
    """The qualifiers of an object. ``restrict`` is a pointer's; C's ``_Atomic`` is ``atomic``.

    An array is never qualified; its elements are.
    """

    const: bool = field(default=False, kw_only=True)
    volatile: bool = field(default=False, kw_only=True)
    atomic: bool = field(default=False, kw_only=True)
    restrict: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Void(_Qualified):
    """``void``: no value, or a pointer's target of which nothing is known."""

    @property
    def size(self) -> None:
        return None


@dataclass(frozen=True)
class Integer(_Qualified):
    """An integer, a character, a truth value, or an enumeration as its underlying type.

    A value has ``bits`` bits, which are fewer than ``size`` bytes for a bit-field's value and for a truth value. A
    conversion to a ``boolean`` asks whether the value is not zero; to any other unsigned type it takes the value
    modulo 2^bits; to a signed type it does so, too, in both languages as gcc has them.
    Arithmetic on a signed type does not overflow in a right program.
    """

    bits: int
    signed: bool
    size: int
    boolean: bool = False

    @property
    def least(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def greatest(self) -> int:
        return (1 << (self.bits - self.signed)) - 1


@dataclass(frozen=True)
class Floating(_Qualified):
    """A binary floating type of which the significand has ``digits`` bits: 24 for ``float``, 53 for ``double``."""

    digits: int
    size: int


@dataclass(frozen=True)
class Complex(_Qualified):
    """C's complex numbers: two values of type ``of``, the real one first."""

    of: Floating | Integer

    @property
    def size(self) -> int:
        return 2 * self.of.size


@dataclass(frozen=True)
class Vector(_Qualified):
    """GNU C's vectors, on which operators work element by element."""

    of: Floating | Integer
    length: int

    @property
    def size(self) -> int:
        return self.length * self.of.size


@dataclass(frozen=True)
class Pointer(_Qualified):
    """A pointer, to an object or a function.

    A C++ reference is a pointer with ``reference``: it gets its value when it is initialised, is never null and never
    changes. No expression has such a type; variables, parameters, members and results of functions have.
    """

    to: Type
    reference: bool = False

    @property
    def size(self) -> int:
        return 8


@dataclass(frozen=True)
class Array(_Qualified):
    """``length`` elements one behind the other.

    The length is None if the type does not say it (``extern int a[];``, a flexible member). It is a variable for C's
    arrays of variable length: the reader makes one and declares it where the program evaluates the length, as that is
    done once.
    """

    of: Type
    length: int | Entity | None

    @property
    def size(self) -> int | None:
        inner = self.of.size
        return inner * self.length if inner is not None and isinstance(self.length, int) else None


@dataclass(frozen=True)
class Member:
    """A part of a record: a member, an unnamed structure in it, or the part that is a base class (``base``).

    A bit-field has ``bits``; ``offset`` is the byte with its first bit, which is bit ``bit_offset`` (0 to 7) of it. An
    attribute, on it or its record, says that a ``packed`` member needs no alignment.
    """

    name: str
    type: Type
    offset: int
    bits: int | None = None
    bit_offset: int = 0
    base: bool = False
    packed: bool = False


class RecordInfo:
    """A structure, class, union or closure. It is compared by identity, and read when somebody asks for its members.

    ``size`` is None while the type is incomplete. The members of a closure are what it captures. An object lies at a
    multiple of ``alignment``.
    """

    __slots__ = ("__dict__", "_load", "name", "union")

    def __init__(self, name: str, union: bool, load: Callable[[], tuple[int | None, int, tuple[Member, ...]]]) -> None:
        """``load`` gives size, alignment, and the members in the order of their declarations, base classes first."""
        self.name, self.union, self._load = name, union, load

    @cached_property
    def _loaded(self) -> tuple[int | None, int, tuple[Member, ...]]:
        return self._load()

    @property
    def size(self) -> int | None:
        return self._loaded[0]

    @property
    def alignment(self) -> int:
        return self._loaded[1]

    @property
    def members(self) -> tuple[Member, ...]:
        return self._loaded[2]

    def __repr__(self) -> str:
        return f"<{'union' if self.union else 'record'} {self.name}>"


@dataclass(frozen=True)
class Record(_Qualified):
    """The type of an object or value that is a record."""

    info: RecordInfo

    @property
    def size(self) -> int | None:
        return self.info.size


@dataclass(frozen=True)
class Function(_Qualified):
    """A function. A method's first parameter is ``this``. ``parameters`` is None if the declaration gives none (C)."""

    result: Type
    parameters: tuple[Type, ...] | None
    variadic: bool = False

    @property
    def size(self) -> None:
        return None


@dataclass(frozen=True)
class Unknown(_Qualified):
    """A type that only the compiler knows, as in a template that is read without its arguments; or one that the reader
    does not understand. Nothing may be concluded from it, but that it is a class if it ``is_record``."""

    why: str
    is_record: bool = False

    @property
    def size(self) -> None:
        return None


Type = Void | Integer | Floating | Complex | Vector | Pointer | Array | Record | Function | Unknown


def alignment(kind: Type) -> int:
    """The bytes at multiples of which objects of a type lie, as far as that is known."""
    while isinstance(kind, Array | Complex):
        kind = kind.of
    return kind.info.alignment if isinstance(kind, Record) else kind.size or 1


def element_of(kind: Type) -> Type:
    """The type of the elements of an array of arrays, or the type itself if it is no array."""
    while isinstance(kind, Array):
        kind = kind.of
    return kind


def is_reference(kind: Type) -> bool:
    return isinstance(kind, Pointer) and kind.reference


def end_of(kind: Type) -> Type:
    """The type to which the pointers, and the arrays, that begin with a type lead."""
    while isinstance(kind, Array | Pointer):
        kind = kind.of if isinstance(kind, Array) else kind.to
    return kind


def holds_pointers(kind: Type, unknown: bool = True) -> bool:
    """Whether a value of a type may lead to memory, which those of types that are ``unknown``, and no records, may do,
    too."""
    match kind:
        case Integer() | Floating() | Complex() | Vector() | Void():
            return False
        case Array():
            return holds_pointers(kind.of, unknown)
        case Record():
            return kind.info.size is None or any(holds_pointers(m.type, unknown) for m in kind.info.members)
        case Pointer() | Function():
            return True
        case Unknown():
            return unknown or kind.is_record
        case _:
            return assert_never(kind)


def is_of_run(kind: Type) -> bool:
    """Whether it is an array whose size only the run, or the compiler, knows."""
    return isinstance(kind, Array) and (isinstance(kind.length, Entity) or is_of_run(kind.of))


def is_variable_length(kind: Type) -> bool:
    """Whether only the run knows the length of an array, or of those that a pointer leads to."""
    while isinstance(kind, Array):
        if not isinstance(kind.length, int):
            return True
        kind = kind.of
    return isinstance(kind, Pointer) and is_variable_length(kind.to) and isinstance(kind.to, Array)


def member_of(whole: Type, name: str) -> tuple[Type, int | None, bool] | None:
    """(the type of a member, its offset, whether it is a bit-field), or None if an object has no member of a name.

    The member may be one of an unnamed structure, or of a base class, in which the offset is not said."""
    queue: list[tuple[Type, int | None]] = [(whole, 0)]
    for kind, start in queue:
        for member in kind.info.members if isinstance(kind, Record) else ():
            offset = None if start is None or member.base else start + member.offset
            if member.base or not member.name:
                queue.append((member.type, offset))
            elif member.name == name:
                return member.type, offset, member.bits is not None
    return None


SIZE = Integer(64, False, 8)
INT = Integer(32, True, 4)
BOOL = Integer(1, False, 1, True)
VOID = Void()


def value_of(t: Type) -> Type:
    """The type of a value that is read from an object of type ``t``."""
    if isinstance(t, Array) or not (t.const or t.volatile or t.atomic or t.restrict):
        return t
    return type(t)(**{**vars(t), "const": False, "volatile": False, "atomic": False, "restrict": False})


def promoted(t: Type) -> Type:
    """The type to which the operand of an arithmetic operator is converted by itself (6.3.1.1)."""
    if isinstance(t, Integer) and (t.bits < 32 or (t.bits == 32 and t.size != 4)):
        return Integer(32, t.signed or t.bits < 32, 4)
    return t


def common(a: Type, b: Type) -> Type:
    """The type of an arithmetic operation on two promoted values (6.3.1.8)."""
    if isinstance(a, Vector) or isinstance(b, Vector):
        return a if isinstance(a, Vector) else b
    if isinstance(a, Complex) or isinstance(b, Complex):
        parts = [t.of if isinstance(t, Complex) else t for t in (a, b)]
        real = common(*parts)
        return Complex(real) if isinstance(real, Integer | Floating) else real
    if isinstance(a, Floating) and isinstance(b, Floating):
        return a if a.digits >= b.digits else b
    if isinstance(a, Floating) or isinstance(b, Floating):
        return a if isinstance(a, Floating) else b
    if isinstance(a, Integer) and isinstance(b, Integer):
        if a.bits != b.bits:
            return a if a.bits > b.bits else b
        return a if not a.signed or b.signed else b
    return Unknown("operands of an unusual type")
