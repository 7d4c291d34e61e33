"""Which variables of the program around it a kernel gets, and how they reach it: data mapping as rows of the offload
arrays, and the loops that the host runs to fill them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cached_property

from ..base.records import dataclass
from .constructs import Entity, Type
from .host_expression import ONE, HostExpression

MEMBER_OF_SHIFT = 48  # the 1-based index of the parent row stands in the top 16 bits
GATHERED = 128  # bytes that rex_gathered (include/rex_reductions.h) has at most beside an element


class Map:
    """The map-type bits of libomptarget (omptarget.h, the same in LLVM 17 to 23)."""

    TO, FROM, ALWAYS, DELETE, PTR_AND_OBJ = 0x1, 0x2, 0x4, 0x8, 0x10
    TARGET_PARAM, RETURN_PARAM, PRIVATE, LITERAL = 0x20, 0x40, 0x80, 0x100
    IMPLICIT, CLOSE, PRESENT, OMPX_HOLD = 0x200, 0x400, 0x1000, 0x2000


_BITS = {name: bit for name, bit in vars(Map).items() if name.isupper()}

MAP_TYPES = {
    "alloc": 0,
    "storage": 0,
    "to": Map.TO,
    "from": Map.FROM,
    "tofrom": Map.TO | Map.FROM,
    "release": 0,
    "delete": Map.DELETE,
}
_MODIFIERS = {"always": Map.ALWAYS, "close": Map.CLOSE, "present": Map.PRESENT, "ompx_hold": Map.OMPX_HOLD}


def flag_names(flags: int) -> list[str]:
    """The names that libomptarget has for map-type bits, without ``OMP_MAP_``; ``MEMBER_OF(3)`` names the third row."""
    names = [name for name, bit in _BITS.items() if flags & bit]
    parent = flags >> MEMBER_OF_SHIFT
    assert flags == parent << MEMBER_OF_SHIFT | sum(_BITS[name] for name in names), f"map flags {flags:#x} have no name"
    return [*names, f"MEMBER_OF({parent})"] if parent else names


def map_flags(map_type: str, modifiers: Iterable[str]) -> int:
    """The bits of a map type with modifiers. Modifiers that are no bits, such as ``mapper``, do not count."""
    flags = MAP_TYPES[map_type]
    for modifier in modifiers:
        flags |= _MODIFIERS.get(modifier, 0)
    return flags


def combined_flags(item: int, map_type: str, modifiers: Iterable[str]) -> int:
    """The bits of a part that a mapper lists: it is moved if its own map type and the item's say so."""
    moves = Map.TO | Map.FROM
    flags = (item & MAP_TYPES[map_type] & moves) | (item & (Map.ALWAYS | Map.CLOSE | Map.PRESENT | Map.DELETE))
    flags |= Map.ALWAYS if "always" in modifiers else 0
    return flags | (Map.PRESENT if "present" in modifiers else 0)


@dataclass(frozen=True)
class RowLoop:
    """A loop of the host block around rows: ``type name`` goes from ``begin`` to before ``end``. Whether ``step`` is
    negative may be known only when the program runs."""

    type: str
    name: str
    begin: HostExpression
    end: HostExpression
    step: HostExpression = ONE


@dataclass(frozen=True)
class Cover:
    """Storage that a row covers whose extent is computed when the program runs."""

    pointer: HostExpression
    size: HostExpression
    loops: tuple[RowLoop, ...] = ()


class Adjustment(Enum):
    """How a row is changed by what the device already holds.

    A *carrier* is storage that a data construct maps only for the pointers in it, to which sections are attached.
    """

    CARRY = "a carrier is not counted where it is on the device as part of something else"
    ATTACH = "the base pointer, a variable that may be on the device on its own, is attached"
    REFRESH = "storage is transferred even if it is on the device, and attached pointers in it stay as they are"
    EXTEND = "explicitly mapped storage takes the place of carriers in it"
    END = "a pointer may lead to the end of a section that another row maps"
    STAND_IN = "an implicitly mapped object is mapped as a copy where at most carriers of it are on the device"


@dataclass(frozen=True)
class RowNote:
    """What a row is for, in words: what it maps, such as ``x[0:n]``, and how, such as ``tofrom``."""

    how: str
    name: str

    def __str__(self) -> str:
        return f"{self.how}: {self.name}" if self.how else self.name


@dataclass(frozen=True)
class MapRow:
    """One row of the offload arrays. ``size`` is in bytes.

    A ``literal`` row carries the bits of the lvalue ``base``, at most 8 bytes. ``constant_size`` says that ``size`` is
    a constant expression. A row with ``loops``, outermost first, stands for one row in each of their iterations, and
    the rows of one iteration follow each other. A row with ``covers`` is the smallest storage that holds all of them,
    and ``pointer`` and ``size`` do not count.

    ``adjustments`` are made when the construct is met. ``attach`` is the address of the base pointer, which
    ``Adjustment.ATTACH`` attaches. For ``Adjustment.STAND_IN``, ``pointers`` are the addresses of those pointers in the
    object that are to lead to the device, and ``beside`` those of other parts that the region uses.
    """

    base: HostExpression
    pointer: HostExpression
    size: HostExpression
    flags: int
    note: RowNote
    literal: bool = False
    constant_size: bool = True
    loops: tuple[RowLoop, ...] = ()
    covers: tuple[Cover, ...] = ()
    adjustments: frozenset[Adjustment] = frozenset()
    attach: HostExpression | None = None
    pointers: tuple[HostExpression, ...] = ()
    beside: tuple[HostExpression, ...] = ()


@dataclass(frozen=True)
class Extent:
    """The length of one dimension of a variable-length array, passed to the kernel as the literal ``name``.

    ``dimension`` is 0 for the outermost dimension. Its length is passed only if the kernel asks for the array's size.
    """

    symbol: Entity
    name: str
    host: HostExpression
    dimension: int


class Role(Enum):
    """What a kernel parameter brings. If its name is not made from a user's name, the member's value is the name."""

    VARIABLE = "a captured variable"
    START = "the first value of a pointer that threads share"
    EXTENT = "the length of a dimension"
    WORD = "a part of a structure by value"
    LAUNCH_SHAPE = "__rex_launch_shape"  # blocks in the upper half, threads per block in the lower one
    NUM_DEVICES = "__rex_num_devices"
    DEVICE_NUM = "__rex_device_num"
    NUM_PROCS = "__rex_num_procs"
    LIMITS = "__rex_limits"  # of teams, which the kernel may set
    PARTIALS = "__rex_partials"  # for each block's partial results, or what is combined before it gets to the originals
    TILING = "__rex_tiling"  # the shape of two-dimensional tiles


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel. Before all of them stands the runtime's own parameter.

    ``row``, counted from 0, supplies it. ``name`` is its name in the kernel, which device code may spell otherwise if
    the parameter is for the variable ``symbol``.
    """

    role: Role
    name: str
    row: int
    symbol: Entity | None = None


@dataclass(frozen=True)
class DataMapping:
    """The rows of one construct, and the ``temporaries`` that stand before the arrays in the host block.

    ``parameters`` are those of the construct's kernel, in the order of their rows.
    """

    rows: tuple[MapRow, ...]
    temporaries: tuple[Temporary, ...] = ()
    parameters: tuple[Parameter, ...] = ()

    def parameter(self, role: Role, symbol: Entity | None = None) -> Parameter | None:
        """The first parameter with a role, or the one for the variable ``symbol``, if there is one."""
        return self._parameters.get((role, symbol))

    @cached_property
    def _parameters(self) -> Mapping[tuple[Role, Entity | None], Parameter]:
        """The parameters by role and variable, and the first one of each role."""
        known: dict[tuple[Role, Entity | None], Parameter] = {}
        for parameter in self.parameters:
            known.setdefault((parameter.role, None), parameter)
            known.setdefault((parameter.role, parameter.symbol), parameter)
        return known

    @cached_property
    def constant_sizes(self) -> bool:
        return all(row.constant_size for row in self.rows)

    @cached_property
    def is_dynamic(self) -> bool:
        """Whether the number of rows, or the extent of one, is known only when the program runs."""
        return any(row.loops or row.covers for row in self.rows)


class Transport(Enum):
    """How a captured variable reaches the kernel."""

    LITERAL = "literal"  # by value, in the low bytes of an 8-byte parameter
    POINTER = "pointer"  # the parameter is a pointer's value, translated for the device, or an array's device address
    ADDRESS = "address"  # the parameter is the device address of the variable's storage
    WORDS = "words"  # a structure by value, put together from several parameters


@dataclass(frozen=True)
class Temporary:
    """A value that is computed once, at the head of the host block: ``const type name = value;``."""

    type: str
    name: str
    value: HostExpression


@dataclass(frozen=True)
class Word:
    """A part of a structure that the 8-byte parameter ``name`` brings: ``size`` bytes from ``offset`` on, or as many
    of 8 as the structure has, which only the compiler knows."""

    name: str
    offset: int
    size: int | None


@dataclass(frozen=True)
class Capture:
    """A variable of the enclosing program that a kernel uses.

    ``type`` is the type that the kernel sees: the variable's own for LITERAL and WORDS, a pointer for POINTER and
    ADDRESS. With ``start``, the threads share the variable's storage. The first thread stores the value of ``start``
    there, because only the launch knows this value.

    A structure by value comes in ``words``. Each pointer in it is a capture of its own, which is the member ``path`` of
    the structure ``of``, at an ``offset``. For example, ``in`` may come in the words from 0 and 16 on, and its pointer
    at 8 as the capture ``in.points`` with the path ``("points",)``.

    With ``row``, no parameter brings such a pointer: the kernel loads it from the structure, which is mapped, and it
    leads to the section that this row maps. It is a capture for proofs alone. With ``followed``, constructs before the
    region have mapped what the pointer leads to. This is its value on the host, and the device's may be another one.
    ``size`` is that of the whole structure, if clauses map nothing beside it.
    """

    symbol: Entity
    transport: Transport
    type: Type
    reason: str
    start: Capture | None = None
    words: tuple[Word, ...] = ()
    of: Entity | None = None
    path: tuple[str, ...] = ()
    offset: int = 0
    row: int | None = None
    followed: HostExpression | None = None
    size: HostExpression | None = None


def loaded(captures: Iterable[Capture]) -> frozenset[Entity]:
    """The pointers that no parameter brings."""
    return frozenset(c.symbol for c in captures if c.row is not None or c.followed is not None)
