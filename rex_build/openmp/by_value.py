"""Structures that reach a kernel by value: in words of 8 bytes, and in a parameter for each pointer in them.

A pointer that is a member gets a variable of its own in the plan. So a section behind it is mapped like one behind any
pointer, and the optimiser tells the memory behind two members apart.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from ..base.precedence import PRIMARY
from ..base.records import dataclass, replace
from ..directives.model import Directive, Member
from ..plan.constructs import Entity
from ..plan.host_expression import AddressOf, Cast, HostExpression, Index, Number, SizeOf, Written
from ..plan.rows import Map, MapRow, Role, RowNote, Word
from ..tree.types import Array, Complex, Floating, Function, Integer, Pointer, Record, Type, Unknown, Vector, Void
from .list_items import HostIndex, HostSection, MapItem
from .mapping import Mapper

WORD = 8  # bytes; the runtime's own unit
# More words make the host's rows, and their cost at each launch, grow. Mapping costs an allocation and two copies. The
# limit below is an estimate of where the two meet; nobody has measured the cost of a word.
MOST_WORDS = 64
BY_VALUE = "structure by value"
BY_DEFAULT = frozenset((None, "to", "tofrom", "firstprivate"))  # what defaultmap may say of one; None is nothing
SHORT_ARRAY = 32  # bytes of one that a thread can keep in registers

Path = tuple[str, ...]


@dataclass(frozen=True)
class Field:
    """A pointer in a structure, ``offset`` bytes from its begin."""

    type: Pointer
    offset: int


@dataclass(frozen=True)
class Layout:
    """The parts of a structure: its size in bytes, the pointers by their paths, and the offsets of other words."""

    size: int
    pointers: Mapping[Path, Field]
    words: tuple[int, ...]


def may_go_by_value(directive: Directive) -> bool:
    """Whether structures may reach a region by value: it runs at once."""
    return not directive.has("nowait", "depend", "in_reduction")


def layout_of(kind: Type, *, of_class: bool, in_team: bool) -> Layout | None:
    """The parts of a structure that a kernel can put together, or None. Those ``of_class`` have no values before, so
    they may have const members.

    It has no arrays, but for short ones of a class, because a thread could index its copy of them only in slow local
    memory. If teams have parallel regions, arrays are ``in_team`` memory. Unions and bit-fields do not say what is
    where.
    """
    if not isinstance(kind, Record) or kind.volatile or kind.atomic:
        return None
    try:
        longest = WORD * MOST_WORDS if in_team else SHORT_ARRAY if of_class else 0
        pointers = dict(_pointers(kind, (), 0, of_class, longest))
    except _UnsuitableError:
        return None
    size, apart = kind.size, {field.offset for field in pointers.values()}
    names = {"_".join(path) for path in pointers}
    if size is None or not 0 < size <= WORD * MOST_WORDS or len(names) < len(pointers):
        return None
    words = tuple(at for at in offsets(size) if at not in apart)
    return None if any(at % WORD for at in apart) else Layout(size, pointers, words)


def offsets(size: int) -> range:
    """The offsets of all words of an object."""
    return range(0, size, WORD)


class _UnsuitableError(Exception):
    """A structure has members of another kind."""


def _pointers(
    record: Record, path: Path, base: int, of_class: bool, longest: int
) -> Iterator[tuple[Path, Field]]:
    """The pointers to objects in a structure, with their offsets from its start. No array has more than ``longest``
    bytes."""
    if record.info.union or record.info.size is None:
        raise _UnsuitableError
    for member in record.info.members:
        kind, at = member.type, base + member.offset
        is_odd = kind.volatile or kind.atomic or ((kind.const or kind.restrict or not member.name) and not of_class)
        if member.bits is not None or is_odd:
            raise _UnsuitableError
        here = (*path, member.name or f"at_{at}")
        match kind:
            case Record():
                yield from _pointers(kind, here if member.name else path, at, of_class, longest)
            case Pointer(reference=False) if not isinstance(kind.to, Function):
                yield here, Field(kind, at)
            case Integer() | Floating() | Pointer():
                pass
            case Complex() if of_class:
                pass
            case Array(of=Integer() | Floating()) if (kind.size or longest + 1) <= longest:
                pass
            case Array() | Complex() | Vector() | Void() | Function() | Unknown():
                raise _UnsuitableError


def sections_behind(layout: Layout, items: Sequence[MapItem]) -> dict[Path, list[MapItem]] | None:
    """The sections behind pointers in a structure of which ``items`` are mapped, or None if it cannot go by value."""
    sections: dict[Path, list[MapItem]] = {}
    for item in items:
        names = [step.name for step in item.steps if isinstance(step, Member) and not step.arrow]
        path, rest = tuple(names), item.steps[len(names) :]
        if item.loops or item.locator.shape or item.flags & ~(Map.TO | Map.FROM):
            return None
        if not rest and item.flags & Map.TO:
            continue
        if not rest or path not in layout.pointers or not all(isinstance(s, HostIndex | HostSection) for s in rest):
            return None
        sections.setdefault(path, []).append(replace(item, steps=rest))
    return sections


def add_words(
    mapper: Mapper, name: str, host: HostExpression, sizes: Collection[int], offsets: Sequence[int],
    fresh: Callable[[str], str],
) -> tuple[Word, ...]:  # fmt: skip
    """Add the rows of an object's words at ``offsets``. Its size may be another one in each instantiation."""
    words: list[Word] = []
    for offset in offsets:
        found = {max(0, min(WORD, size - offset)) for size in sizes}
        size = found.pop() if len(found) == 1 else None
        words.append(Word(fresh(f"{name}__rex_word_{offset}"), offset, size))
        base = Index(Cast("const char *", AddressOf(host)), Number(offset))
        bytes_of: HostExpression = Number(size) if size is not None else _rest(host, offset)
        note = RowNote(BY_VALUE, name)
        mapper.rows.append(MapRow(base, base, bytes_of, Map.TARGET_PARAM | Map.LITERAL, note, literal=True))
        mapper.supply(Role.WORD, words[-1].name)
    return tuple(words)


def _rest(host: HostExpression, offset: int) -> HostExpression:
    """How many bytes of a word an object has whose size only the compiler knows."""
    size = f"sizeof({host})"
    text = f"({size} > {offset} ? {size} < {offset + WORD} ? {size} - {offset} : {WORD} : 0)"
    return Written((text,), host.names, PRIMARY)


def add_pointer(mapper: Mapper, member: Entity, value: HostExpression, field: Field, items: Sequence[MapItem]) -> None:
    """Add the rows of a pointer in a structure, a variable of its own, with the sections behind it."""
    if items:
        mapper.map_parameter(member, [replace(i, symbol=member, variable=value, type=field.type) for i in items])
        return
    pointer = Cast("void *", value)
    note = RowNote(BY_VALUE, member.name.partition(".")[0])
    mapper.rows.append(MapRow(pointer, pointer, SizeOf("void *"), Map.TARGET_PARAM | Map.LITERAL, note))
    mapper.supply(Role.VARIABLE, symbol=member)
