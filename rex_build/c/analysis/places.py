"""Finds the storage that list items mean: the way from a variable to it, where it begins and its size in bytes."""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.records import dataclass, field
from ...base.spans import SourceSpan
from ...directives import model
from ...directives.model import Locator, Member
from ...openmp.mapped_objects import MappedObject, Place, pointer_to, used_loops
from ...plan.host_expression import (
    ZERO,
    AddressOf,
    Binary,
    Call,
    Cast,
    HostExpression,
    Index,
    Shaped,
    SizeOf,
    element_count,
)
from ...plan.host_expression import Member as HostMember
from ...plan.rows import RowLoop, RowNote
from ..sema import Sema, Symbol
from ..sema.ctype import Array, CType, LayoutError, Pointer, declare, has_name, sizeof, strip
from ..sema.type_questions import field as find_field
from ..sema.type_questions import has_pointer, is_array, is_pointer, is_record, is_variably_modified, is_void
from .same_value import same_value

POINTER_SIZE = 8  # in bytes
SECTIONS = "OpenMP 5.2, section 3.2.5: array sections"  # the source that errors name


@dataclass(frozen=True)
class HostIndex:
    """``[index]``: one element."""

    index: HostExpression


@dataclass(frozen=True)
class HostSection:
    """``[lower : length : stride]``, where what is omitted is None. ``written`` is the length in the user's clause."""

    lower: HostExpression | None = None
    length: HostExpression | None = None
    stride: HostExpression | None = None
    written: c_ast.Node | None = field(default=None, compare=False, repr=False)

    @property
    def first(self) -> HostExpression:
        return self.lower or ZERO

    @property
    def is_consecutive(self) -> bool:
        return self.stride is None or self.stride.value == 1


HostStep = Member | HostIndex | HostSection


@dataclass(frozen=True)
class _Extent:
    """Contiguous storage: where it begins, its size, whether the size is constant, and its value in bytes if known."""

    start: HostExpression
    size: HostExpression
    constant: bool
    bytes: int | None


@dataclass(frozen=True)
class MapItem:
    """One list item to map. ``flags`` are its own bits (transfers and modifiers), and ``note`` names the clause.

    ``steps`` lead from the variable to the mapped storage, as the user wrote in ``locator``. ``shape`` has the lengths
    that array shaping gives.
    """

    locator: Locator
    symbol: Symbol
    flags: int
    note: RowNote
    loops: tuple[RowLoop, ...] = ()
    steps: tuple[HostStep, ...] = ()
    shape: tuple[HostExpression, ...] = ()

    def root(self, variable: HostExpression) -> HostExpression:
        """The lvalue that the steps begin from. Array shaping gives a pointer an array's type."""
        if not self.shape:
            return variable
        pointee = self._pointee()
        element = declare(pointee) if has_name(pointee) else f"__typeof__(*{variable})"
        return Shaped(element, self.shape, variable)

    @property
    def root_type(self) -> CType:
        if not self.shape:
            return self.symbol.type
        shaped = self._pointee()
        for length, expr in reversed(list(zip(self.shape, self.locator.shape, strict=True))):
            shaped = Array(shaped, length.value, expr.node)
        return shaped

    def _pointee(self) -> CType:
        if not isinstance(self.symbol.type, Pointer):
            raise error_at(self.locator.span, f"'{self.symbol.name}' is not a pointer", "OpenMP 5.2, section 3.2.4")
        return self.symbol.type.to


def check_has_size(kind: CType, text: str, span: SourceSpan) -> None:
    """Raise InputError for an array whose size is not known in this unit."""
    array = strip(kind)
    if isinstance(array, Array) and array.length is None and array.length_expr is None:
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
    if dimension.length is not None and count is not None and low + count > dimension.length:
        raise error_at(locator.span, f"'{locator.text}' reaches past the array's {dimension.length} elements", SECTIONS)


def known_size(kind: CType) -> int | None:
    """The size of a type in bytes, unless only the run knows it."""
    try:
        return sizeof(kind)
    except LayoutError:
        return None


def stepped_types(item: MapItem) -> tuple[list[CType], CType]:
    """(the types that the steps of an item apply to, the type of one element of the storage that the item names)"""
    kind = item.root_type
    found: list[CType] = []
    for step in item.steps:
        found.append(kind)
        if isinstance(step, Member):
            record = kind.to if isinstance(kind, Pointer) else kind
            member = find_field(record, step.name) if is_record(record) else None
            if member is None:
                raise error_at(item.locator.span, f"'{item.locator.text}' has no member '{step.name}'")
            kind = member.type
        elif isinstance(kind, (Pointer, Array)):
            kind = kind.to if isinstance(kind, Pointer) else kind.of
        else:
            raise error_at(item.locator.span, f"'{item.locator.text}' takes a section of '{kind}'", SECTIONS)
    return found, kind


# ---- following the steps of an item ----


def add_places(
    sema: Sema, item: MapItem, variable: HostExpression, is_linked: bool, root: MappedObject, itself: MappedObject
) -> None:
    """Add the storage of an item to what is mapped ``itself`` of its variable, or through the variable, in ``root``.

    ``variable`` is how the host reaches the variable, and device code reaches it through a pointer if it
    ``is_linked``.
    """
    path = _Path(sema, item, variable, is_linked, root)
    for position, step in enumerate(item.steps):
        path.follow(step, is_first=position == 0)
    path.end(itself)


class _Path:
    """The way along the steps of an item. Each pointer in memory that is followed begins a new object."""

    def __init__(
        self, sema: Sema, item: MapItem, variable: HostExpression, is_linked: bool, root: MappedObject
    ) -> None:
        self._sema = sema
        self._item = item
        self._locator = item.locator
        self._place, self._type = item.root(variable), item.root_type
        self._object = root
        self._offset: int | None = 0  # in the object
        # To follow the variable itself opens no row, because the variable is the parameter.
        self._is_parameter = is_pointer(self._type) and not is_linked
        self._section: _Extent | None = None
        self._row: HostExpression = ZERO  # the section's first row, in the dimensions seen so far
        self._has_one_row = False

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
            if not isinstance(record, Pointer):
                raise error_at(self._locator.span, f"'->' applied to '{self._place}', which is not a pointer")
            if opens:
                self._open()
            record = record.to
        self._place, self._type = self._member(step, record)

    def _member(self, step: Member, record: CType) -> tuple[HostExpression, CType]:
        member = HostMember(self._place, step.name, step.arrow)
        found = find_field(record, step.name) if is_record(record) else None
        if found is None:
            raise error_at(self._locator.span, f"'{self._place}' has no member '{step.name}'")
        if found.bit_width is not None:
            raise error_at(
                self._locator.span,
                f"'{member}' is a bit-field, which has no address",
                "OpenMP 5.2, section 3.2.1: list items are lvalues with an address",
            )
        self._offset = self._offset + found.offset if self._offset is not None else None
        return member, found.type

    def _open(self) -> None:
        """Begin the object that the pointer at the current place points to."""
        loops = used_loops(self._item.loops, self._place)
        size = SizeOf(self._place, POINTER_SIZE)
        new = Place(pointer_to(self._place), size, True, self._offset, 8, 0, self._item.note, loops)
        self._object = self._object.cells.setdefault((self._place, loops), (new, MappedObject()))[1]
        self._offset = 0

    def _element(self, step: HostIndex | HostSection, opens: bool) -> None:
        """Take an index or a section of an array or of what a pointer points to."""
        dimension: Array | None = None
        if isinstance(self._type, Pointer):
            if is_void(self._type.to):
                what = f"'{self._place}' is a pointer to void: its section has no size"
                raise error_at(self._locator.span, what, SECTIONS)
            if opens:
                self._open()
            element = self._type.to
        elif isinstance(self._type, Array):
            element, dimension = self._type.of, self._type
        else:
            raise error_at(self._locator.span, f"'{self._place}' is neither array nor pointer", SECTIONS)
        if self._section is not None:
            start = self._section.start
            self._section, self._row = self._inner(step, self._section, self._row, dimension)
            self._offset = self._offset if self._section.start == start else None
            self._has_one_row = self._has_one_row and _is_single(step)
        elif isinstance(step, HostIndex):
            self._place = Index(self._place, step.index)
            self._offset = _moved(self._offset, step.index.value, known_size(element))
        else:
            self._place, self._section, self._offset = _section(
                step, self._place, element, dimension, self._locator, self._offset
            )
            self._row, self._has_one_row = self._place, _is_single(step)
        self._type = element

    def _inner(
        self,
        step: HostIndex | HostSection,
        section: _Extent,
        row: HostExpression,
        dimension: CType | None,
    ) -> tuple[_Extent, HostExpression]:
        """A section with its next dimension, in which ``row`` lies.

        Storage is contiguous if the inner dimensions are whole, or if there is one row. If only the run knows whether
        it is, everything from the first element to the last is taken.
        """
        if is_whole(self._sema, step, dimension, self._locator):
            return section, Index(row, ZERO)
        if (
            not isinstance(step, HostSection)
            or step.length is None
            or not step.is_consecutive
            or (step.first.value not in (None, 0) and not self._has_one_row)
            or not isinstance(dimension, Array)
            or (None not in (step.length.value, dimension.length) and not self._has_one_row)
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
            if not item.steps and is_pointer(self._type):
                new = Place(pointer_to(place), SizeOf(place, POINTER_SIZE), True, 0, 8, item.flags, item.note, (), True)
                itself.add(new)
                return
            check_has_size(self._type, self._locator.text, self._locator.span)
            variable = is_variably_modified(self._type)
            address = Cast("void *", place) if is_array(self._type) else pointer_to(place)
            known = None if variable else known_size(self._type)
            section = _Extent(address, SizeOf(place, known), not variable, known)
        loops = used_loops(item.loops, section.start, section.size)
        constant = section.constant and not loops
        start, size, count, holds = section.start, section.size, section.bytes, has_pointer(self._type)
        new = Place(start, size, constant, self._offset, count, item.flags, item.note, loops, holds)
        self._object.add(new)


def _section(
    step: HostSection,
    of: HostExpression,
    element: CType,
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
    elif dimension is not None and (dimension.length is not None or dimension.length_expr is not None):
        total = element_count(of)
        count = total if low.value == 0 else Binary("-", total, low)
        count_value = None if dimension.length is None or low.value is None else dimension.length - low.value
    else:
        raise error_at(locator.span, f"the length of '{locator.text}' must be given: its extent is not known", SECTIONS)
    _check_bounds(low.value, count_value, dimension, locator)
    size = known_size(element)
    stored = SizeOf(Index(of, ZERO), size)
    number = count_value * size if count_value is not None and size is not None else None
    wide = Binary("*", Cast("long long", count), Cast("long long", stored))
    extent = Binary("*", count, stored) if number is not None else wide
    after = _moved(offset, low.value, size)
    return place, _Extent(Cast("void *", start), extent, number is not None, number), after


def _is_single(step: HostStep) -> bool:
    return isinstance(step, HostSection) and step.length is not None and step.length.value == 1


def is_whole(sema: Sema, step: HostStep, dimension: CType | None, locator: Locator) -> bool:
    """Whether a step takes all elements of an array, one after the other."""
    if not isinstance(step, HostSection) or not isinstance(dimension, Array):
        return False
    if not step.is_consecutive or step.first.value != 0:
        return False
    if step.length is None:
        return True
    if dimension.length is not None:
        return step.length.value == dimension.length
    shaped = dimension.length_expr in [size.node for size in locator.shape]
    return (
        dimension.length_expr is not None
        and step.written is not None
        and same_value(sema, step.written, dimension.length_expr, at_once=shaped)
    )
