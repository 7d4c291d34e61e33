"""Data mapping: from list items to rows of the offload arrays.

Follows the pointer-chain rule: storage that holds a mapped pointer is itself a row (or covered by one), and every
row for what a pointer points to names that row as its parent. One descent through ``s.q->p[0:n]`` thus yields a
row per object passed through. Source: OpenMP 5.2, section 5.8.3 (map clause); libomptarget's mapping of
``OMP_TGT_MAPTYPE_PTR_AND_OBJ`` and ``MEMBER_OF`` in LLVM 17 to 23.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import field

from pycparser import c_ast

from ..cparse import OmpConstruct
from ..ctype import (
    Array,
    CType,
    LayoutError,
    Pointer,
    decay,
    is_array,
    is_pointer,
    is_record,
    is_variably_modified,
    is_void,
    sizeof,
    strip,
)
from ..ctype import field as find_field
from ..diagnostics import error_at
from ..directives.model import Expr, Index, Locator, Member, Section
from ..plan import (
    MAP_FROM,
    MAP_PTR_AND_OBJ,
    MAP_TARGET_PARAM,
    MAP_TO,
    MEMBER_OF_SHIFT,
    DataMapping,
    MapRow,
    Temporary,
)
from ..records import dataclass
from ..sema import Sema, Symbol, walk

_SECTIONS = "OpenMP 5.2, section 3.2.5: array sections"
_TRANSFERS = MAP_TO | MAP_FROM


@dataclass(frozen=True)
class MapItem:
    """One list item to map: ``flags`` are its own bits (transfers and modifiers), ``note`` the clause it came from."""

    locator: Locator
    symbol: Symbol
    flags: int
    note: str


@dataclasses.dataclass
class _Place:
    """Contiguous storage: where it begins and how many bytes it has, as C expressions."""

    pointer: str
    size: str
    constant: bool
    offset: int | None  # bytes from the root object, when constant
    bytes: int | None
    flags: int
    note: str


@dataclasses.dataclass
class _Object:
    """An object with mapped parts: places in it, and pointers in it whose targets are mapped too."""

    places: list[_Place] = field(default_factory=list)
    cells: dict[str, tuple[_Place, _Object]] = field(default_factory=dict)


def pure(node: c_ast.Node) -> bool:
    """Whether evaluating an expression twice is the same as evaluating it once."""
    for part in walk(node):
        if isinstance(part, (c_ast.FuncCall, c_ast.Assignment)) or type(part).__name__ == "StmtExpr":
            return False
        if isinstance(part, c_ast.UnaryOp) and part.op in ("++", "--", "p++", "p--"):
            return False
    return True


def operand(expr: Expr) -> str:
    """An expression's text, fit to stand next to any operator."""
    return expr.text if isinstance(expr.node, (c_ast.ID, c_ast.Constant)) else f"({expr.text})"


class Mapper:
    """Builds the rows of one construct. ``parameters`` are the symbols that are kernel parameters."""

    def __init__(self, sema: Sema, construct: OmpConstruct, parameters: Iterable[Symbol] = ()) -> None:
        self.sema = sema
        self.construct = construct
        self.parameters = frozenset(parameters)
        self.rows: list[MapRow] = []
        self.temporaries: list[Temporary] = []
        self._hoisted: dict[str, str] = {}

    def finish(self) -> DataMapping:
        return DataMapping(tuple(self.rows), tuple(self.temporaries))

    # -- whole constructs ---------------------------------------------------------------------------------------

    def map_symbol(self, symbol: Symbol, items: Iterable[MapItem]) -> None:
        """Rows for everything mapped of one variable."""
        root = _Object()
        itself: list[_Place] = []
        for item in items:
            self._place_item(item, root, itself)
        base = f"(void *){symbol.name}"
        if root.places or root.cells:
            if not is_pointer(symbol.type) and not is_array(symbol.type):
                base = f"(void *)&{symbol.name}"
            self._emit_root(symbol, base, root)
        elif itself:
            self._emit_root(symbol, f"(void *)&{symbol.name}", _Object(itself))

    def update(self, item: MapItem) -> None:
        """The row of one list item of ``target update``: nothing is mapped, so there are no parents."""
        root, itself = _Object(), list[_Place]()
        self._place_item(item, root, itself)
        obj = root if root.places or root.cells else _Object(itself)
        while obj.cells:
            (_, obj), *_ = obj.cells.values()
        for place in obj.places:
            base = f"(void *){item.symbol.name}" if self._is_based_on(item) else place.pointer
            self.rows.append(self._row(base, place, item.flags))

    def _is_based_on(self, item: MapItem) -> bool:
        kind = item.symbol.type
        return (is_pointer(kind) or is_array(kind)) and all(isinstance(s, (Index, Section)) for s in item.locator.steps)

    # -- locators -----------------------------------------------------------------------------------------------

    def text(self, expr: Expr) -> str:
        """A clause expression's text for use in the arrays; one with side effects is evaluated once, beforehand."""
        if pure(expr.node):
            return operand(expr)
        if expr.text not in self._hoisted:
            name = f"__rex_section_{len(self._hoisted)}"
            self._hoisted[expr.text] = name
            self.temporaries.append(Temporary("long long", name, expr.text))
        return self._hoisted[expr.text]

    def _place_item(self, item: MapItem, root: _Object, itself: list[_Place]) -> None:
        """Descend along the locator, opening an object wherever a pointer stored in memory is followed."""
        locator, symbol = item.locator, item.symbol
        text, kind, current = symbol.name, symbol.type, root
        offset: int | None = 0
        follows_root = is_pointer(kind)  # following the variable itself opens no row: it is the parameter
        section: tuple[str, str, bool, int | None] | None = None  # start, bytes, constant, number of bytes

        def cell() -> None:
            nonlocal current, offset
            place = _Place(f"(void *)&{text}", f"sizeof({text})", True, offset, 8, 0, item.note)
            current = current.cells.setdefault(text, (place, _Object()))[1]
            offset = 0

        for position, step in enumerate(locator.steps):
            if section is not None and not isinstance(step, (Index, Section)):
                raise error_at(locator.span, f"'{locator.text}' is not contiguous storage", _SECTIONS)
            if isinstance(step, Member):
                if step.arrow:
                    if not is_pointer(kind):
                        raise error_at(locator.span, f"'->' applied to '{text}', which is not a pointer")
                    if not (position == 0 and follows_root):
                        cell()
                    record = kind.to  # type: ignore[attr-defined]
                    joined = f"{text}->{step.name}"
                else:
                    record, joined = kind, f"{text}.{step.name}"
                found = find_field(record, step.name) if is_record(record) else None
                if found is None:
                    raise error_at(locator.span, f"'{text}' has no member '{step.name}'")
                offset = offset + found.offset if offset is not None else None
                text, kind = joined, found.type
                continue
            if is_pointer(kind):
                if is_void(kind.to):  # type: ignore[attr-defined]
                    raise error_at(locator.span, f"'{text}' is a pointer to void: its section has no size", _SECTIONS)
                if not (position == 0 and follows_root):
                    cell()
                element, dimension = kind.to, None  # type: ignore[attr-defined]
            elif isinstance(kind, Array):
                element, dimension = kind.of, kind
            else:
                raise error_at(locator.span, f"'{text}' is neither array nor pointer", _SECTIONS)
            if section is not None:
                self._require_whole(step, dimension, locator)
                kind = element
                continue
            if isinstance(step, Index):
                value = self.sema.value(step.expr.node)
                text = f"{text}[{self.text(step.expr) if not _bare(step.expr) else step.expr.text}]"
                size = _size(element)
                offset = offset + value * size if None not in (offset, value, size) else None  # type: ignore[operator]
            else:
                text, section, offset = self._section(step, text, element, dimension, locator, offset)
            kind = element
        if section is None:
            if not locator.steps and is_pointer(kind):
                itself.append(_Place(f"(void *)&{text}", f"sizeof({text})", True, 0, 8, item.flags, item.note))
                return
            start = f"(void *){text}" if is_array(kind) else f"(void *)&{text}"
            variable = is_variably_modified(kind)
            section = (start, f"sizeof({text})", not variable, None if variable else _size(kind))
        _add(current.places, _Place(section[0], section[1], section[2], offset, section[3], item.flags, item.note))

    def _section(
        self, step: Section, text: str, element: CType, dimension: Array | None, locator: Locator, offset: int | None
    ) -> tuple[str, tuple[str, str, bool, int | None], int | None]:
        if step.stride is not None and self.sema.value(step.stride.node) != 1:
            raise error_at(step.stride.span, "a stride in an array section is not supported here", _SECTIONS)
        low_value = 0 if step.lower is None else self.sema.value(step.lower.node)
        low = "0" if step.lower is None else self.text(step.lower)
        start = text if low_value == 0 and dimension is None else f"&{text}[{low}]"
        if step.length is not None:
            count_value = self.sema.value(step.length.node)
            count = self.text(step.length)
        elif dimension is not None and (dimension.length is not None or dimension.length_expr is not None):
            total = f"sizeof({text}) / sizeof({text}[0])"
            count = f"({total})" if low_value == 0 else f"({total} - {low})"
            count_value = None if dimension.length is None or low_value is None else dimension.length - low_value
        else:
            raise error_at(locator.span, f"the length of '{locator.text}' must be given: its extent is not known", _SECTIONS)
        if count_value is not None and count_value < 0:
            raise error_at(locator.span, f"the length of '{locator.text}' is negative", _SECTIONS)
        if low_value is not None and low_value < 0 and dimension is not None:
            raise error_at(locator.span, f"the lower bound of '{locator.text}' is negative", _SECTIONS)
        if (
            dimension is not None
            and dimension.length is not None
            and None not in (low_value, count_value)
            and low_value + count_value > dimension.length  # type: ignore[operator]
        ):
            raise error_at(
                locator.span, f"'{locator.text}' reaches past the array's {dimension.length} elements", _SECTIONS
            )
        size = _size(element)
        constant = count_value is not None and size is not None
        number = count_value * size if count_value is not None and size is not None else None
        bytes_text = f"{count} * sizeof({text}[0])" if constant else f"(long long){count} * (long long)sizeof({text}[0])"
        place = offset + low_value * size if None not in (offset, low_value, size) else None  # type: ignore[operator]
        return f"{text}[{low}]", (f"(void *){start}", bytes_text, constant, number), place

    def _require_whole(self, step: Index | Section, dimension: Array | None, locator: Locator) -> None:
        """Inner dimensions under a section must be taken whole: only then is the storage contiguous."""
        whole = False
        if isinstance(step, Section) and dimension is not None:
            low = 0 if step.lower is None else self.sema.value(step.lower.node)
            if low == 0 and step.length is None:
                whole = True
            elif low == 0 and step.length is not None:
                length = self.sema.value(step.length.node)
                if dimension.length is not None:
                    whole = length == dimension.length
                elif dimension.length_expr is not None:
                    whole = same_expression(step.length.node, dimension.length_expr)
        if not whole:
            raise error_at(
                locator.span, f"'{locator.text}' is not provably contiguous: inner dimensions must be whole", _SECTIONS
            )

    # -- rows ---------------------------------------------------------------------------------------------------

    def _emit_root(self, symbol: Symbol, base: str, root: _Object) -> None:
        parameter = MAP_TARGET_PARAM if symbol in self.parameters else 0
        if not root.cells and len(root.places) == 1:
            (place,) = root.places
            self.rows.append(self._row(base, place, place.flags | parameter))
            return
        inside = root.places + [place for place, _ in root.cells.values()]
        pointer, size, constant = _hull(inside)
        self.rows.append(MapRow(base, pointer, size, parameter, f"{symbol.name}: storage of the parts below", False, constant))
        parent = len(self.rows)
        for place in root.places:
            self.rows.append(self._row(base, place, place.flags | _member_of(parent)))
        for place, target in root.cells.values():
            self._emit_target(place, target, parent)

    def _emit_target(self, cell: _Place, target: _Object, parent: int) -> None:
        flags = _member_of(parent) | MAP_PTR_AND_OBJ
        if len(target.places) == 1:
            (place,) = target.places
            self.rows.append(self._row(cell.pointer, place, flags | place.flags))
        else:
            pointer, size, constant = _hull(target.places + [place for place, _ in target.cells.values()])
            self.rows.append(MapRow(cell.pointer, pointer, size, flags, cell.note, False, constant))
        here = len(self.rows)
        if len(target.places) > 1:
            for place in target.places:
                self.rows.append(self._row(place.pointer, place, _member_of(here) | place.flags))
        for inner, below in target.cells.values():
            self._emit_target(inner, below, here)

    @staticmethod
    def _row(base: str, place: _Place, flags: int) -> MapRow:
        return MapRow(base, place.pointer, place.size, flags, place.note, False, place.constant)


def _member_of(row: int) -> int:
    return row << MEMBER_OF_SHIFT


def _add(places: list[_Place], new: _Place) -> None:
    """Add a place; the same storage mapped twice is one place that moves both ways."""
    for i, old in enumerate(places):
        if (old.pointer, old.size) == (new.pointer, new.size):
            places[i] = _Place(old.pointer, old.size, old.constant, old.offset, old.bytes, old.flags | new.flags, old.note)
            return
    places.append(new)


def _hull(places: list[_Place]) -> tuple[str, str, bool]:
    """(first byte, bytes, is the size constant) of the smallest storage that holds all places."""
    if len(places) == 1:
        return places[0].pointer, places[0].size, places[0].constant
    if all(p.offset is not None and p.bytes is not None for p in places):
        first = min(places, key=lambda p: p.offset or 0)
        end = max((p.offset or 0) + (p.bytes or 0) for p in places)
        return first.pointer, str(end - (first.offset or 0)), True
    low, high = places[0].pointer, f"(char *){places[0].pointer} + {places[0].size}"
    for place in places[1:]:
        low = f"rex_lowest({low}, {place.pointer})"
        high = f"rex_highest({high}, (char *){place.pointer} + {place.size})"
    return low, f"(long long)((char *){high} - (char *){low})", False


def _size(kind: CType) -> int | None:
    try:
        return sizeof(kind)
    except LayoutError:
        return None


def _bare(expr: Expr) -> bool:
    """Whether an expression may stand in square brackets as it is written."""
    return pure(expr.node)


def same_expression(a: c_ast.Node, b: c_ast.Node) -> bool:
    """Whether two pure expressions are written alike."""
    if type(a) is not type(b):
        return False
    if isinstance(a, c_ast.ID):
        return bool(a.name == b.name)
    if isinstance(a, c_ast.Constant):
        return bool(a.value == b.value)
    mine, theirs = a.children(), b.children()
    alike = getattr(a, "op", None) == getattr(b, "op", None) and getattr(a, "type", None) == getattr(b, "type", None)
    if isinstance(a, c_ast.StructRef):
        return alike and same_expression(a.name, b.name) and same_expression(a.field, b.field)
    return alike and bool(mine) and len(mine) == len(theirs) and all(same_expression(x, y) for (_, x), (_, y) in zip(mine, theirs))


def pointee_declared(kind: CType) -> Pointer:
    """The pointer type through which a kernel parameter reaches a mapped array or pointer."""
    decayed = decay(strip(kind))
    assert isinstance(decayed, Pointer)
    return decayed
