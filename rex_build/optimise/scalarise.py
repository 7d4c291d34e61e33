"""Keeps an element that an iteration writes first and then uses again in a variable, and writes it back at the end."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..plan.code import Entity
from ..plan.optimised import ScalarElement
from ..tree import nodes as tree
from ..tree import types
from ..tree.nodes import walk
from ..tree.places import owner_of
from ..tree.questions import same_value
from ..tree.symbols import Variable
from .accesses import Access, Accesses, Members
from .changes import changes_of
from .text import Text

_INDEX = (tree.Named, tree.Constant, tree.Load, tree.Binary, tree.Convert)


def scalars(text: Text, found: Accesses, body: tree.Statement, members: Members) -> tuple[ScalarElement, ...]:
    """The elements ``a[e]`` (or members ``a[e].f``) for which the body uses ``a`` with no other subscript than ``e``.

    ``e`` consists of variables that the body does not change. The first access to each element must be a write that
    every iteration makes, outside of inner loops. Then the kernel makes no load and no store that the program does not
    make, and the value that another iteration left in the element does not matter. At least one use must be in an inner
    loop. ``a`` may be one of the ``members``, pointers in structures.
    """
    if any(isinstance(n, tree.Continue | tree.Break) for n in _direct(body)):
        return ()
    changes = changes_of(body)
    moving = {*changes.assigned, *changes.lent, *changes.declared}
    out: list[ScalarElement] = []
    for root in found.roots:
        mine = [a for a in found.items if a.root is root]
        if root in found.derived or any(a.atomic for a in mine) or not any(a.loops for a in mine):
            continue
        if any(a.root is not root for one in mine for a in found.items if a.node is one.node):
            continue
        indices = [_subscript(access, root, moving, members) for access in mine]
        first = indices[0]
        if first is None or not all(index is not None and same_value(first, index) for index in indices):
            continue
        parts: dict[str, list[Access]] = {}
        for access in mine:
            member = access.place.member.name if isinstance(access.place, tree.Part) else ""
            parts.setdefault(member, []).append(access)
        whole_and_members = "" in parts and len(parts) > 1
        if not whole_and_members and all(map(_starts_with_write, parts.values())):
            out += _elements(text, root, parts)
    return tuple(out)


def _elements(text: Text, root: Entity, parts: dict[str, list[Access]]) -> Iterator[ScalarElement]:
    for name, uses in parts.items():
        kind, codes = text.type(uses[0], False), tuple(code for a in uses if (code := text.element(a)) is not None)
        if kind is None or len(codes) < len(uses):
            return
        yield ScalarElement(root, kind, codes[0], codes, name)


def _starts_with_write(uses: list[Access]) -> bool:
    first = min(uses, key=lambda a: a.position)
    return first.writes and not first.reads and first.certain and not first.loops


def _subscript(
    access: Access, root: Entity, moving: Collection[Variable], members: Members
) -> tree.Expression | None:
    """The subscript of an access, or None if it is not of the form that :func:`scalars` requires."""
    place = access.place
    if access.outer is not place or not isinstance(place.type, types.Integer | types.Floating):
        return None
    if isinstance(place, tree.Part):
        if place.member.bits is not None or not place.member.name or _is_union(place.whole):
            return None
        place = place.whole
    match place:
        case tree.Pointee(pointer=tree.Offset(pointer=tree.Load(place=base) | tree.Decay(array=base), index=index)):
            variable, path = owner_of(base)
            entity = variable.entity if variable is not None else None
            if entity is None or (members.get((entity, path)) if path else entity) is not root:
                return None
        case _:
            return None
    for part in walk(index):
        if not isinstance(part, _INDEX) or (isinstance(part, tree.Named) and part.variable in moving):
            return None
    return index


def _is_union(place: tree.Place) -> bool:
    record = place.type
    return not isinstance(record, types.Record) or record.info.union


def _direct(body: tree.Node) -> Iterator[tree.Node]:
    """What is in no loop inside the body. A ``continue`` there ends the iteration."""
    stack = [body]
    while stack:
        node = stack.pop()
        yield node
        stack += [child for child in tree.children(node) if not isinstance(child, tree.Loop)]
