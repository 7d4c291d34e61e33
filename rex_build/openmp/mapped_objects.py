"""Mapped storage: objects with mapped parts, pointers in them that lead to more objects, and the rows for all of it.

The rows follow chains of pointers. Storage that holds a mapped pointer is a row itself, or a row covers it. Every row
for what a pointer points to names that row as its parent. So ``s.q->p[0:n]`` makes one row for each object on the way:
``s.q``, ``q->p`` and the section. Sources: OpenMP 5.2, section 5.8.3 (map clause); libomptarget's mapping of
``OMP_TGT_MAPTYPE_PTR_AND_OBJ`` and ``MEMBER_OF`` in LLVM 17 to 23.
"""

from __future__ import annotations

from ..base.records import dataclass, field, replace
from ..plan.host_expression import ZERO, AddressOf, Cast, HostExpression, Number
from ..plan.rows import MEMBER_OF_SHIFT, Adjustment, Cover, Map, MapRow, RowLoop, RowNote

_REFRESHED = Map.ALWAYS | Map.TO


@dataclass(frozen=False)
class Place:
    """Contiguous storage: where it begins and how many bytes it has.

    ``is_all`` says that everything that is mapped of its object lies in it. ``followed`` are the addresses of
    pointers in it that are to lead to the device although no clause maps them.
    """

    pointer: HostExpression
    size: HostExpression
    constant: bool
    offset: int | None  # in bytes from the root object, if it is constant
    bytes: int | None
    flags: int
    note: RowNote
    loops: tuple[RowLoop, ...] = ()
    pointers: bool = False  # whether it holds pointers
    is_all: bool = False
    followed: tuple[HostExpression, ...] = ()


@dataclass(frozen=False)
class MappedObject:
    """An object with mapped parts: places in it, and pointers in it whose targets are mapped, too. In each iteration of
    its loops, a pointer is another one."""

    places: list[Place] = field(default_factory=list)
    cells: dict[tuple[HostExpression, tuple[RowLoop, ...]], tuple[Place, MappedObject]] = field(default_factory=dict)
    _known: dict[tuple[HostExpression, HostExpression, tuple[RowLoop, ...]], Place] = field(default_factory=dict)

    def add(self, new: Place) -> None:
        """Add a place. The same storage mapped twice is one place with the flags of both."""
        known = self._known.setdefault((new.pointer, new.size, new.loops), new)
        if known is new:
            self.places.append(new)
        else:
            known.flags |= new.flags


def pointer_to(of: HostExpression) -> HostExpression:
    """The address of an lvalue, of the type that rows need."""
    return Cast("void *", AddressOf(of))


def used_loops(loops: tuple[RowLoop, ...], *expressions: HostExpression) -> tuple[RowLoop, ...]:
    """Those of ``loops`` on which the expressions depend, directly or through the bounds of other loops."""
    found: list[RowLoop] = []
    names = frozenset(name for expression in expressions for name in expression.names)
    for loop in reversed(loops):
        if loop.name in names:
            found.append(loop)
            names |= loop.begin.names | loop.end.names | loop.step.names
    return tuple(reversed(found))


class ObjectRows:
    """The rows of one construct. If objects ``may_carry``, data constructs of the unit map pointers in them for the
    sections behind these."""

    def __init__(self, *, may_carry: bool) -> None:
        self.rows: list[MapRow] = []
        self.may_carry = may_carry

    def add_object(
        self, base: HostExpression, root: MappedObject, name: str, parameter: int, *,
        carries: bool = False, attach: HostExpression | None = None,
    ) -> None:  # fmt: skip
        """Add the rows of the object that begins with the variable ``name``. ``parameter`` is the flag of the row that
        supplies the kernel's parameter. The first row ``carries`` pointers if it is there for sections behind them."""
        looped = [bool(place.loops) for place in root.places]
        # Rows in loops need no parent, unless a kernel needs one address for all of them.
        if not root.cells and (looped == [False] or (all(looped) and not parameter)):
            rows = [self.row(base, place, place.flags | parameter) for place in root.places]
            self.rows += [following(_attached(row, attach), root) for row in rows]
            return
        held = _held(root)
        row = hull(base, root, parameter | held, RowNote("storage of the parts below", name), ())
        row = _attached(row, attach)
        row = adjusted(row, Adjustment.CARRY) if carries and not root.places else row
        many = len(root.places) + len(root.cells) > 1 or any(place.pointers for place in root.places)
        row = adjusted(row, Adjustment.STAND_IN) if self.may_carry and parameter and many else row
        self.rows.append(following(row, root))
        parent = len(self.rows)
        for place in filter(_moves, root.places):
            self.rows.append(self.row(base, place, place.flags | held | _member_of(parent)))
        for place, target in root.cells.values():
            self.add_target(place, target, parent)

    def add_target(self, cell: Place, target: MappedObject, parent: int) -> None:
        """Add the rows of what a pointer in the storage of the row ``parent`` leads to."""
        flags = _member_of(parent) | Map.PTR_AND_OBJ
        single = len(target.places) == 1 and set(target.places[0].loops) <= set(cell.loops)
        if single and all(_holds(target.places[0], place) for place, _ in target.cells.values()):
            (place,) = target.places
            self.rows.append(replace(self.row(cell.pointer, place, flags | place.flags), loops=cell.loops))
            here = len(self.rows)
        else:
            held = _held(target)
            self.rows.append(hull(cell.pointer, target, flags | held, cell.note, cell.loops))
            here = len(self.rows)
            for place in filter(_moves, target.places):
                self.rows.append(self.row(place.pointer, place, _member_of(here) | held | place.flags))
        for inner, below in target.cells.values():
            self.add_target(inner, below, here)

    def row(self, base: HostExpression, place: Place, flags: int) -> MapRow:
        """The row of one place."""
        row = MapRow(base, place.pointer, place.size, flags, place.note, False, place.constant, place.loops)
        if not place.pointers:
            return row
        if flags & _REFRESHED == _REFRESHED:
            row = adjusted(row, Adjustment.REFRESH)
        if self.may_carry and (place.bytes != 8 or place.followed):  # more than one pointer
            stands_in = flags & Map.TARGET_PARAM and not place.loops
            row = adjusted(row, Adjustment.STAND_IN if stands_in else Adjustment.EXTEND)
        return row


def adjusted(row: MapRow, adjustment: Adjustment) -> MapRow:
    return replace(row, adjustments=row.adjustments | {adjustment})


def _attached(row: MapRow, pointer: HostExpression | None) -> MapRow:
    """A row that attaches a base pointer, if there is one to attach."""
    return adjusted(replace(row, attach=pointer), Adjustment.ATTACH) if pointer is not None else row


def following(row: MapRow, root: MappedObject) -> MapRow:
    """A row that may map a copy of an object, with the pointers in it that are to lead to the device."""
    found = tuple(pointer for place in root.places for pointer in place.followed)
    if Adjustment.STAND_IN not in row.adjustments or not found:
        return row
    return replace(row, pointers=found, beside=tuple(p.pointer for p in root.places if p.pointer not in found))


def _moves(place: Place) -> bool:
    """Whether a part needs a row of its own, beside the row of the storage around it."""
    return bool(place.flags & ~(Map.IMPLICIT | Map.CLOSE))


def _held(root: MappedObject) -> int:
    """The bit of ``ompx_hold``: as in clang, one part with it holds the storage of all parts."""
    return Map.OMPX_HOLD if any(place.flags & Map.OMPX_HOLD for place in root.places) else 0


def _member_of(row: int) -> int:
    return row << MEMBER_OF_SHIFT


def _holds(outer: Place, inner: Place) -> bool:
    """Whether one place is known to lie in another one of the same object."""
    if outer.is_all:
        return True
    if None in (outer.offset, outer.bytes, inner.offset, inner.bytes):
        return False
    first, end = outer.offset or 0, (outer.offset or 0) + (outer.bytes or 0)
    return first <= (inner.offset or 0) and (inner.offset or 0) + (inner.bytes or 0) <= end


def hull(base: HostExpression, obj: MappedObject, flags: int, note: RowNote, loops: tuple[RowLoop, ...]) -> MapRow:
    """The row of the smallest storage that holds all mapped parts of an object. ``loops`` are around the row."""
    places = obj.places + [place for place, _ in obj.cells.values()]
    outside = any(set(place.loops) - set(loops) for place in places)
    whole = [place for place in places if place.is_all and set(place.loops) <= set(loops)]
    if len(whole) == 1 or (len(places) == 1 and not outside):
        (only,) = whole or places
        return MapRow(base, only.pointer, only.size, flags, note, False, only.constant, loops)
    if not outside and all(p.offset is not None and p.bytes is not None for p in places):
        first = min(places, key=lambda p: p.offset or 0)
        end = max((p.offset or 0) + (p.bytes or 0) for p in places)
        return MapRow(base, first.pointer, Number(end - (first.offset or 0)), flags, note, False, True, loops)
    covers = tuple(
        Cover(place.pointer, place.size, tuple(loop for loop in place.loops if loop not in loops)) for place in places
    )
    return MapRow(base, base, ZERO, flags, note, False, False, loops, covers)
