"""Finds the storage that list items mean: the way from a variable to it, where it begins and its size in bytes.

Types are those of the tree. One that only the compiler knows, as in a template, is an array where it is indexed, or a
pointer if it is a member's. Then the size asks the compiler whether that is so.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..base.diagnostics import SourceSpan, error_at
from ..base.records import dataclass
from ..directives import model
from ..directives.model import Locator, Member
from ..plan.host_expression import ZERO, AddressOf, Binary, Call, Cast, HostExpression, Index, SizeOf, element_count
from ..plan.host_expression import Member as HostMember
from ..plan.rows import Map
from ..tree.types import Array, Pointer, Record, Type, Unknown, Void, holds_pointers, is_of_run
from .list_items import LENGTH_OF_TEMPLATE, SECTIONS, HostIndex, HostSection, HostStep, ListItems, MapItem
from .mapped_objects import MappedObject, Place, pointer_to, used_loops

_POINTER_SIZE = 8  # in bytes


@dataclass(frozen=True)
class _Extent:
    """Contiguous storage: where it begins, its size, whether the size is constant, and its value in bytes if known."""

    start: HostExpression
    size: HostExpression
    constant: bool
    bytes: int | None


def check_has_size(kind: Type, text: str, span: SourceSpan) -> None:
    """Raise InputError for an array whose size is not known in this unit."""
    if isinstance(kind, Array) and kind.length is None:
        raise error_at(span, f"'{text}' is an array whose size is not known here: map a section of it", SECTIONS)


def reached(root: HostExpression, steps: Iterable[HostStep], locator: Locator) -> HostExpression:
    """The lvalue that steps without sections lead to."""
    for step in steps:
        if isinstance(step, Member):
            root = HostMember(root, step.name, step.arrow)
        elif isinstance(step, HostIndex):
            root = Index(root, step.index)
        else:
            raise error_at(locator.span, f"'{locator.text}' has a section in an unexpected place", SECTIONS)
    return root


def _moved(offset: int | None, elements: int | None, size: int | None) -> int | None:
    """An offset in bytes, moved by a number of elements, or None if any of this is not known."""
    return None if offset is None or elements is None or size is None else offset + elements * size


def _check_bounds(low: int | None, count: int | None, dimension: Array | None, locator: Locator) -> None:
    """Raise InputError for a section whose constant bounds reach out of its array."""
    if count is not None and count < 0:
        raise error_at(locator.span, f"the length of '{locator.text}' is negative", SECTIONS)
    if dimension is None or low is None:
        return
    if low < 0:
        raise error_at(locator.span, f"the lower bound of '{locator.text}' is negative", SECTIONS)
    if isinstance(dimension.length, int) and count is not None and low + count > dimension.length:
        raise error_at(locator.span, f"'{locator.text}' reaches past the array's {dimension.length} elements", SECTIONS)


def stepped_types(items: ListItems, item: MapItem) -> tuple[list[Type], Type]:
    """(the types that the steps of an item apply to, the type of one element of the storage that the item names)"""
    kind = item.type
    found: list[Type] = []
    for step in item.steps:
        found.append(kind)
        if isinstance(kind, Pointer) and (not isinstance(step, Member) or step.arrow):
            kind = kind.to
        elif isinstance(kind, Array) and not isinstance(step, Member):
            kind = kind.of
        if isinstance(step, Member):
            member = items.member(kind, step.name)
            kind = member[0] if member is not None else _not_known(kind)
    return found, kind


def _not_known(kind: Type) -> Unknown:
    """The type of what is reached from an object of an unknown type; the path refuses it where the type is known."""
    return kind if isinstance(kind, Unknown) else Unknown("a member that is not declared")


# ---- following the steps of an item ----


def add_places(items: ListItems, item: MapItem, is_linked: bool, root: MappedObject, itself: MappedObject) -> None:
    """Add the storage of an item to what is mapped ``itself`` of its variable, or through the variable, in ``root``.

    Device code reaches the variable through a pointer if it ``is_linked``.
    """
    path = _Path(items, item, is_linked, root)
    for position, step in enumerate(item.steps):
        path.follow(step, is_first=position == 0)
    path.end(itself)


class _Path:
    """The way along the steps of an item. Each pointer in memory that is followed begins a new object."""

    def __init__(self, items: ListItems, item: MapItem, is_linked: bool, root: MappedObject) -> None:
        self._items, self._item, self._locator = items, item, item.locator
        self._place, self._type = item.root, item.type
        self._object = root
        self._offset: int | None = 0  # in the object
        # To follow the variable itself opens no row, because the variable is the parameter.
        self._is_parameter = isinstance(self._type, Pointer) and not is_linked
        self._section: _Extent | None = None
        self._row: HostExpression = ZERO  # the section's first row, in the dimensions seen so far
        self._has_one_row = False
        self._asked: list[str] = []  # what only the compiler knows

    def follow(self, step: HostStep, is_first: bool) -> None:
        """Take one step."""
        opens = not (is_first and self._is_parameter)  # if the step goes through a pointer
        if not isinstance(step, Member):
            self._element(step, opens)
            return
        if self._section is not None:
            raise error_at(self._locator.span, f"'{self._locator.text}' is not contiguous storage", SECTIONS)
        record = self._type
        if step.arrow:
            if isinstance(record, Record):
                raise error_at(
                    self._locator.span, f"'{self._locator.text}' calls an operator, and is no storage to map"
                )
            if not isinstance(record, Pointer | Unknown):
                raise error_at(self._locator.span, f"'->' applied to '{self._place}', which is not a pointer")
            if opens:
                self._open()
            record = record.to if isinstance(record, Pointer) else record
        self._place, self._type = HostMember(self._place, step.name, step.arrow), self._member(step, record)

    def _member(self, step: Member, record: Type) -> Type:
        member = HostMember(self._place, step.name, step.arrow)
        found = self._items.member(record, step.name)
        if found is None and not isinstance(record, Unknown):
            raise error_at(self._locator.span, f"'{self._place}' has no member '{step.name}'")
        kind, offset, is_bit_field = found or (_not_known(record), None, False)
        if is_bit_field:
            raise error_at(
                self._locator.span,
                f"'{member}' is a bit-field, which has no address",
                "OpenMP 5.2, section 3.2.1: list items are lvalues with an address",
            )
        if isinstance(kind, Pointer) and kind.reference:
            if not self._items.maps_references:
                what = f"'{self._locator.text}' uses a reference member, which cannot be mapped"
                raise error_at(self._locator.span, what)
            kind = kind.to
        elif isinstance(kind, Unknown) and not self._items.maps_references:
            self._asked.append(f"member<__decltype({member})>")
        self._offset = self._offset + offset if self._offset is not None and offset is not None else None
        return kind

    def _open(self) -> None:
        """Begin the object that the pointer at the current place points to."""
        loops = used_loops(self._item.loops, self._place)
        size = SizeOf(self._place, _POINTER_SIZE)
        new = Place(pointer_to(self._place), size, True, self._offset, 8, 0, self._item.note, loops)
        self._object = self._object.cells.setdefault((self._place, loops), (new, MappedObject()))[1]
        self._offset = 0

    def _element(self, step: HostIndex | HostSection, opens: bool) -> None:
        """Take an index or a section of an array or of what a pointer points to."""
        dimension: Array | None = None
        element: Type
        if isinstance(self._type, Pointer):
            if isinstance(self._type.to, Void):
                what = f"'{self._place}' is a pointer to void: its section has no size"
                raise error_at(self._locator.span, what, SECTIONS)
            if opens:
                self._open()
            element = self._type.to
        elif isinstance(self._type, Array):
            element, dimension = self._type.of, self._type
        elif isinstance(self._type, Unknown) or (isinstance(self._type, Record) and self._type.size is None):
            element = Unknown("an element of what only the compiler knows")
            self._open_unknown()
        else:
            what = f"'{self._place}' is neither array nor pointer"
            remedy = "map a pointer to its elements instead" if isinstance(self._type, Record) else ""
            raise error_at(self._locator.span, what, *filter(None, (SECTIONS, remedy)))
        if self._section is not None:
            start = self._section.start
            self._section, self._row = self._inner(step, self._section, self._row, dimension)
            self._offset = self._offset if self._section.start == start else None
            self._has_one_row = self._has_one_row and _is_single(step)
        elif isinstance(step, HostIndex):
            self._place = Index(self._place, step.index)
            self._offset = _moved(self._offset, step.index.value, element.size)
        else:
            self._place, self._section, self._offset = _section(
                step, self._place, element, dimension, self._locator, self._offset
            )
            self._row, self._has_one_row = self._place, _is_single(step)
        self._type = element

    def _open_unknown(self) -> None:
        """A type that only the compiler knows: a member's is taken for a pointer, and another one's for an array."""
        is_member = isinstance(self._place, HostMember)
        self._asked.append(f"{'pointer' if is_member else 'base'}<__decltype({self._place})>")
        if is_member:
            self._open()

    def _inner(
        self,
        step: HostIndex | HostSection,
        section: _Extent,
        row: HostExpression,
        dimension: Array | None,
    ) -> tuple[_Extent, HostExpression]:
        """A section with its next dimension, in which ``row`` lies.

        Storage is contiguous if the inner dimensions are whole, or if there is one row. If only the run knows whether
        it is, everything from the first element to the last is taken.
        """
        if is_whole(self._items, step, dimension):
            if dimension is not None and dimension.length is LENGTH_OF_TEMPLATE and isinstance(step, HostSection):
                self._asked += [f"whole<sizeof({row}) == ({n}) * sizeof(*{row})>" for n in (step.length,) if n]
            return section, Index(row, ZERO)
        if (
            not isinstance(step, HostSection)
            or step.length is None
            or not step.is_consecutive
            or (step.first.value not in (None, 0) and not self._has_one_row)
            or not isinstance(dimension, Array)
            or (step.length.value is not None and isinstance(dimension.length, int) and not self._has_one_row)
        ):
            raise error_at(
                self._locator.span,
                f"'{self._locator.text}' is not contiguous: inner dimensions must be whole",
                SECTIONS,
            )
        first = Index(row, step.first)
        start = section.start if step.first.value == 0 else Cast("void *", AddressOf(first))
        inner = Binary("*", Cast("long long", step.length), Cast("long long", SizeOf(Index(row, ZERO))))
        total = Call("rex_rows_size", (section.size, SizeOf(row), inner))
        return _Extent(start, total, False, None), first

    def end(self, itself: MappedObject) -> None:
        """Add the storage that the steps lead to."""
        item, place, section = self._item, self._place, self._section
        if section is None:
            if not item.steps and isinstance(self._type, Pointer):
                size: HostExpression = SizeOf(place, _POINTER_SIZE)
                itself.add(Place(pointer_to(place), size, True, 0, 8, item.flags, item.note, pointers=True))
                return
            check_has_size(self._type, self._locator.text, self._locator.span)
            address = Cast("void *", place) if isinstance(self._type, Array) else pointer_to(place)
            known = self._type.size
            section = _Extent(address, SizeOf(place, known), not is_of_run(self._type), known)
        loops = used_loops(item.loops, section.start, section.size)
        size = section.size
        for what in self._asked:
            size = Cast(f"typename rex_section_{what}::size", size)
        is_all = not item.steps and section.bytes is None
        constant, holds = section.constant and not loops, holds_pointers(self._type, unknown=False)
        new = Place(
            section.start, size, constant, self._offset, section.bytes, item.flags, item.note, loops, holds, is_all,
            self._followed(place) if item.flags & Map.IMPLICIT and item.steps and not loops else (),
        )  # fmt: skip
        self._object.add(new)

    def _followed(self, place: HostExpression) -> tuple[HostExpression, ...]:
        """The addresses of the pointers that a part of an object is, or has as its own members."""
        if isinstance(self._type, Pointer):
            return () if self._type.reference else (pointer_to(place),)
        members = self._type.info.members if isinstance(self._type, Record) else ()
        own = (m for m in members if m.name and not m.base and isinstance(m.type, Pointer) and not m.type.reference)
        return tuple(pointer_to(HostMember(place, member.name, False)) for member in own)


def _section(
    step: HostSection,
    of: HostExpression,
    element: Type,
    dimension: Array | None,
    locator: Locator,
    offset: int | None,
) -> tuple[HostExpression, _Extent, int | None]:
    """(first element, extent, offset in the object) of a section of an array or of what a pointer points to."""
    if not step.is_consecutive:
        span = next(s.stride.span for s in locator.steps if isinstance(s, model.Section) and s.stride is not None)
        raise error_at(span, "a stride in an array section is not supported here", SECTIONS)
    low = step.first
    place = Index(of, low)
    start = of if low.value == 0 and dimension is None else AddressOf(place)
    if step.length is not None:
        count, count_value = step.length, step.length.value
    elif dimension is not None and dimension.length is not None:
        total = element_count(of)
        count = total if low.value == 0 else Binary("-", total, low)
        known = dimension.length if isinstance(dimension.length, int) else None
        count_value = None if known is None or low.value is None else known - low.value
    else:
        raise error_at(locator.span, f"the length of '{locator.text}' must be given: its extent is not known", SECTIONS)
    _check_bounds(low.value, count_value, dimension, locator)
    size = element.size
    stored = SizeOf(Index(of, ZERO), size)
    number = count_value * size if count_value is not None and size is not None else None
    wide = Binary("*", Cast("long long", count), Cast("long long", stored))
    extent = Binary("*", count, stored) if number is not None else wide
    after = _moved(offset, low.value, size)
    return place, _Extent(Cast("void *", start), extent, number is not None, number), after


def _is_single(step: HostStep) -> bool:
    return isinstance(step, HostSection) and step.length is not None and step.length.value == 1


def is_whole(items: ListItems, step: HostStep, dimension: Type | None) -> bool:
    """Whether a step takes all elements of an array, one after the other."""
    if not isinstance(step, HostSection) or not isinstance(dimension, Array):
        return False
    if not step.is_consecutive or step.first.value != 0:
        return False
    if step.length is None:
        return True
    if isinstance(dimension.length, int):
        return step.length.value == dimension.length
    return dimension.length is not None and step.written is not None and items.is_length(step.written, dimension)
