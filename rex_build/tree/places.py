"""Which object a place is in: the variable, or what a variable points to."""

from __future__ import annotations

from ..base.exhaustive import assert_never
from ..base.records import dataclass
from . import nodes as tree
from .symbols import Variable
from .types import Array, Pointer


@dataclass(frozen=True)
class Object:
    """A variable's own storage; or, with ``behind``, the memory to which its value leads."""

    variable: Variable
    behind: bool = False


def object_of(place: tree.Place) -> Object | None:
    """The object that a place is in, or None if it may be in any one whose address somebody has."""
    while True:
        match place:
            case tree.Named(variable=variable) | tree.Temporary(variable=variable):
                return Object(variable)
            case tree.Part():
                place = place.whole
            case tree.Pointee():
                return pointed_to(place.pointer)
            case tree.Opaque():
                return None
            case _:
                assert_never(place)


def pointed_to(pointer: tree.Expression) -> Object | None:
    """The object that a pointer leads to, as far as its own expression says it."""
    while True:
        match pointer:
            case tree.Offset():
                pointer = pointer.pointer
            case tree.Convert() if isinstance(pointer.value.type, Pointer):
                pointer = pointer.value
            case tree.AddressOf():
                return object_of(pointer.place)
            case tree.Decay():
                return object_of(pointer.array)
            case tree.Load(place=tree.Named(variable=variable)) if isinstance(variable.type, Pointer):
                return Object(variable, True)
            case _:
                return None


def base_of(pointer: tree.Expression) -> tree.Expression:
    """The address from which a pointer to another part of the same object is computed."""
    while isinstance(pointer, tree.Offset | tree.Convert):
        pointer = pointer.pointer if isinstance(pointer, tree.Offset) else pointer.value
    return pointer


def path_of(place: tree.Place) -> tuple[Variable | None, tuple[str, ...]]:
    """(the variable that a place is a part of, if any; the members with names on the way to it)"""
    path: list[str] = []
    while isinstance(place, tree.Part):
        path[:0] = [place.member.name] if place.member.name else []
        place = place.whole
    return (place.variable if isinstance(place, tree.Named) else None), tuple(path)


def owner_of(place: tree.Place) -> tuple[Variable | None, tuple[str, ...]]:
    """As :func:`path_of`, also for the parts of the object that a variable, a pointer, leads to."""
    variable, path = path_of(place)
    while isinstance(place, tree.Part):
        place = place.whole
    match place:
        case tree.Pointee(
            pointer=tree.Load(place=tree.Named(variable=leading))
            | tree.Offset(pointer=tree.Load(place=tree.Named(variable=leading)), index=tree.Constant(value=0))
        ):
            return leading, path
    return variable, path


def covers(place: tree.Place, variable: Variable) -> bool:
    """Whether writing a place writes all of a variable."""
    return isinstance(place, tree.Named | tree.Temporary) and place.variable is variable


def extent(place: tree.Place) -> int | None:
    """How many bytes an access of a place touches at most, or None if that is not known. A bit-field's are those with
    a bit of it."""
    if isinstance(place, tree.Part) and place.member.bits is not None:
        return -(-(place.member.bit_offset + place.member.bits) // 8)
    return None if isinstance(place.type, Array) and place.type.size is None else place.type.size
