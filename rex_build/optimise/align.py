"""Finds arrays whose elements a GPU can load and store with one access, if the array begins at an aligned address.

A structure of four floats needs an alignment of 4, and nvcc makes four accesses of it. On the device arrays begin
at multiples of 256, but the region may get a pointer into one. So the kernel tests the address and has its loop twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..plan.code import Entity
from ..tree import nodes as tree
from ..tree.places import path_of
from ..tree.types import Array, Floating, Integer, Pointer, Record, Type, alignment
from .accesses import Access, Accesses, Members
from .decisions import Decisions, listed

_WIDEST = 16  # bytes of an access
_LONGEST_ROW = 64  # bytes of a row such as double[4] that is accessed at once; longer ones are matrices
_LARGEST = 3000  # nodes of a body that nvcc may have to compile twice


def aligned(
    decisions: Decisions,
    found: Accesses,
    bodies: Sequence[tree.Statement],
    members: Members,
) -> tuple[tuple[Entity, int], ...]:
    """The variables, and to how many bytes they have to be aligned for that, in all instantiations of a body.

    ``members`` are pointers in structures by value.
    """
    wide = [dict(_of_body(found, body, members)) for body in bodies] if "align" not in decisions.off else []
    made = tuple(one for one in wide[0].items() if all(one in other.items() for other in wide)) if wide else ()
    if made:
        names = listed({root for root, _ in made})
        decisions.apply("align", f"elements are accessed as a whole where they are aligned: {names}")
    else:
        decisions.refuse(["align"], "no array of structures that need less alignment than the widest access")
    return made


def _of_body(
    found: Accesses, body: tree.Statement, members: Members
) -> Iterator[tuple[Entity, int]]:
    nodes = list(tree.walk(body))
    if len(nodes) > _LARGEST:
        return
    kinds: dict[Entity | None, Type] = {}
    for node in nodes:
        if isinstance(node, tree.Named | tree.Part):
            variable, path = path_of(node)
            is_one = variable is not None and variable.name == "this"  # the object of a method, and no array
            entity = variable.entity if variable is not None and not is_one else None
            kinds[members.get((entity, path)) if entity is not None and path else entity] = node.type
    for root in found.roots:
        kind = kinds.get(root)
        if isinstance(kind, Pointer) and kind.reference:
            kind = kind.to
        element = kind.to if isinstance(kind, Pointer) else kind.of if isinstance(kind, Array) else None
        size = element.size if element is not None and _is_compact(element) else None
        if element is None or not size:
            continue
        width = min(size & -size, _WIDEST)
        if width > alignment(element) >= 4 and _has_neighbours([a for a in found.items if a.root is root]):
            yield root, width


def _is_compact(element: Type) -> bool:
    """Whether an element is a structure, or a short row of numbers."""
    if isinstance(element, Array):
        return isinstance(element.of, Integer | Floating | Pointer) and 0 < (element.size or 0) <= _LONGEST_ROW
    return isinstance(element, Record) and not element.info.union


def _has_neighbours(accesses: list[Access]) -> bool:
    """Whether several parts of an element are accessed. Functions that get its address are believed to do that."""
    parts = {_part(a) for a in accesses if not a.atomic}
    return "" in parts or len(parts) > 1


def _part(access: Access) -> str:
    """The member or the constant subscript by which an access names a part of an element; "" for all of it."""
    if isinstance(access.outer, tree.Call):
        return ""
    place = access.place
    if isinstance(place, tree.Part):
        return place.member.name
    match place.pointer if isinstance(place, tree.Pointee) else None:
        case tree.Offset(pointer=tree.Decay(array=tree.Pointee()), index=tree.Constant(value=index)):
            return str(index)
    return ""
