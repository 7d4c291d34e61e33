"""Which object a place is in: the variable, or what a variable points to."""

from __future__ import annotations

from ..base.exhaustive import assert_never
from ..base.records import dataclass
from .nodes import (
    AddressOf,
    Constant,
    Convert,
    Decay,
    Expression,
    Load,
    Named,
    Offset,
    Opaque,
    Part,
    Place,
    Pointee,
    Temporary,
)
from .symbols import Variable
from .types import Array, Pointer


@dataclass(frozen=True)
class Object:
    """A variable's own storage; or, with ``behind``, the memory to which its value leads."""

    variable: Variable
    behind: bool = False


def object_of(place: Place) -> Object | None:
    """The object that a place is in, or None if it may be in any one whose address somebody has."""
    while True:
        match place:
            case Named(variable=variable) | Temporary(variable=variable):
                return Object(variable)
            case Part():
                place = place.whole
            case Pointee():
                return pointed_to(place.pointer)
            case Opaque():
                return None
            case _:
                assert_never(place)


def pointed_to(pointer: Expression) -> Object | None:
    """The object that a pointer leads to, as far as its own expression says it."""
    while True:
        match pointer:
            case Offset():
                pointer = pointer.pointer
            case Convert() if isinstance(pointer.value.type, Pointer):
                pointer = pointer.value
            case AddressOf():
                return object_of(pointer.place)
            case Decay():
                return object_of(pointer.array)
            case Load(place=Named(variable=variable)) if isinstance(variable.type, Pointer):
                return Object(variable, True)
            case _:
                return None


def base_of(pointer: Expression) -> Expression:
    """The address from which a pointer to another part of the same object is computed."""
    while isinstance(pointer, Offset | Convert):
        pointer = pointer.pointer if isinstance(pointer, Offset) else pointer.value
    return pointer


def path_of(place: Place) -> tuple[Variable | None, tuple[str, ...]]:
    """(the variable that a place is a part of, if any; the members with names on the way to it)"""
    path: list[str] = []
    while isinstance(place, Part):
        path[:0] = [place.member.name] if place.member.name else []
        place = place.whole
    return (place.variable if isinstance(place, Named) else None), tuple(path)


def owner_of(place: Place) -> tuple[Variable | None, tuple[str, ...]]:
    """As :func:`path_of`, also for the parts of the object that a variable, a pointer, leads to."""
    variable, path = path_of(place)
    while isinstance(place, Part):
        place = place.whole
    match place:
        case Pointee(
            pointer=Load(place=Named(variable=leading))
            | Offset(pointer=Load(place=Named(variable=leading)), index=Constant(value=0))
        ):
            return leading, path
    return variable, path


def covers(place: Place, variable: Variable) -> bool:
    """Whether writing a place writes all of a variable."""
    return isinstance(place, Named | Temporary) and place.variable is variable


def extent(place: Place) -> int | None:
    """How many bytes an access of a place touches at most, or None if that is not known. A bit-field's are those with
    a bit of it."""
    if isinstance(place, Part) and place.member.bits is not None:
        return -(-(place.member.bit_offset + place.member.bits) // 8)
    return None if isinstance(place.type, Array) and place.type.size is None else place.type.size
