"""Data mapping: from list items to rows of the offload arrays.

Follows the pointer-chain rule: storage that holds a mapped pointer is itself a row (or covered by one), and every
row for what a pointer points to names that row as its parent. One descent through ``s.q->p[0:n]`` thus yields a
row per object passed through. Source: OpenMP 5.2, section 5.8.3 (map clause); libomptarget's mapping of
``OMP_TGT_MAPTYPE_PTR_AND_OBJ`` and ``MEMBER_OF`` in LLVM 17 to 23.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from pycparser import c_ast

from ...base.diagnostics import InternalError, error_at
from ...base.records import dataclass
from ...base.spans import SourceSpan
from ...directives.model import Expr, Index, Iterator, Locator, Member, Section, Step
from ...plan.captures import Temporary
from ...plan.names import GeneratedNames
from ...plan.rows import (
    MAP_ALWAYS,
    MAP_CLOSE,
    MAP_FROM,
    MAP_IMPLICIT,
    MAP_OMPX_HOLD,
    MAP_PTR_AND_OBJ,
    MAP_TARGET_PARAM,
    MAP_TO,
    MEMBER_OF_SHIFT,
    Cover,
    DataMapping,
    MapRow,
    RowLoop,
)
from ..sema import Sema, Symbol, walk
from ..sema.ctype import (
    Array,
    CType,
    LayoutError,
    Pointer,
    RecordInfo,
    decay,
    declare,
    has_name,
    has_pointer,
    is_array,
    is_pointer,
    is_record,
    is_variably_modified,
    is_void,
    sizeof,
    strip,
)
from ..sema.ctype import field as find_field
from ..sema.literals import integer_constant
from ..syntax.nodes import OmpConstruct
from .optimise.accesses import called_name, is_pure
from .same_value import same_value

_SECTIONS = "OpenMP 5.2, section 3.2.5: array sections"
_TRANSFERS = MAP_TO | MAP_FROM
_REFRESHED = MAP_ALWAYS | MAP_TO
_Section = tuple[str, str, bool, int | None]  # start, size, whether that is a constant, and its value in bytes


@dataclass(frozen=True)
class MapItem:
    """One list item to map: ``flags`` are its own bits (transfers and modifiers), ``note`` the clause it came from."""

    locator: Locator
    symbol: Symbol
    flags: int
    note: str
    loops: tuple[RowLoop, ...] = ()


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
    loops: tuple[RowLoop, ...] = ()
    pointers: bool = False  # whether it holds some


@dataclasses.dataclass
class _Object:
    """An object with mapped parts: places in it, and pointers in it (by their C text, which may depend on loops) whose
    targets are mapped too."""

    places: list[_Place] = field(default_factory=list)
    cells: dict[tuple[str, tuple[RowLoop, ...]], tuple[_Place, _Object]] = field(default_factory=dict)


def pure(node: c_ast.Node, sema: Sema | None = None) -> bool:
    """Whether evaluating an expression twice is the same as evaluating it once; with ``sema`` it may call functions of
    the unit that nothing but their arguments have a part in."""
    for part in walk(node):
        if isinstance(part, c_ast.FuncCall):
            name = called_name(sema, part) if sema is not None else None
            if sema is None or name is None or not is_pure(sema, name, set()):
                return False
        if isinstance(part, c_ast.Assignment) or type(part).__name__ == "StmtExpr":
            return False
        if isinstance(part, c_ast.UnaryOp) and part.op in ("++", "--", "p++", "p--"):
            return False
    return True


def operand(expr: Expr) -> str:
    """An expression's text, fit to stand next to any operator."""
    return expr.text if isinstance(expr.node, (c_ast.ID, c_ast.Constant)) else f"({expr.text})"


@dataclass(frozen=True)
class HostNames:
    """How variables are reached that are not simply passed to the kernel.

    ``generated`` gives names to what the host block declares. ``links`` are `declare target link` variables, each with
    the name of the pointer through which device code reaches it. ``renamed`` are variables that an enclosing
    ``use_device_addr`` replaces, each with the expression for it, ``declared`` the other declare target variables.
    ``stored`` are pointers that data constructs may map themselves, ``carrying`` objects and types in which they map
    pointers for the sections behind them.
    """

    generated: GeneratedNames = GeneratedNames()
    links: Mapping[Symbol, str] = field(default_factory=dict)
    renamed: Mapping[Symbol, str] = field(default_factory=dict)
    declared: frozenset[Symbol] = frozenset()
    threadprivate: frozenset[Symbol] = frozenset()
    stored: frozenset[Symbol] = frozenset()
    carrying: frozenset[Symbol | RecordInfo] = frozenset()

    def text(self, symbol: Symbol) -> str:
        return self.renamed.get(symbol, symbol.name)


def used_loops(loops: tuple[RowLoop, ...], *texts: str) -> tuple[RowLoop, ...]:
    """Those of ``loops`` on which C texts depend, directly or through the bounds of others."""
    found: list[RowLoop] = []
    for loop in reversed(loops):
        inner = " ".join([*texts, *(text for later in found for text in (later.begin, later.end, later.step))])
        if re.search(rf"\b{re.escape(loop.name)}\b", inner):
            found.append(loop)
    return tuple(reversed(found))


class Mapper:
    """Builds the rows of one construct. ``parameters`` are the symbols that are kernel parameters."""

    def __init__(
        self, sema: Sema, construct: OmpConstruct, parameters: Iterable[Symbol] = (), names: HostNames | None = None
    ) -> None:
        self.sema = sema
        self.construct = construct
        self.parameters = frozenset(parameters)
        self.names = names or HostNames()
        self.rows: list[MapRow] = []
        self.temporaries: list[Temporary] = []
        self._hoisted: dict[str, str] = {}
        self._loops: tuple[RowLoop, ...] = ()  # of the item being placed

    def finish(self) -> DataMapping:
        return DataMapping(tuple(self.rows), tuple(self.temporaries))

    # -- whole constructs ---------------------------------------------------------------------------------------

    def map_symbol(self, symbol: Symbol, items: Iterable[MapItem]) -> None:
        """Rows for everything mapped of one variable."""
        root = _Object()
        itself: list[_Place] = []
        for item in items:
            self._place_item(item, root, itself)
        name = self.names.text(symbol)
        base = f"(void *){name}"
        if symbol in self.names.links:
            # Device code finds the variable through a pointer of ours, so it is always somebody's pointee.
            pointer = f"(void *)&{self.names.links[symbol]}"
            cell = _Place(pointer, "sizeof(void *)", True, None, None, 0, f"{symbol.name}: link")
            root.places[:0] = itself
            self._emit_target(cell, root, 0)
        elif symbol in self.names.declared and is_pointer(symbol.type) and (root.places or root.cells):
            if itself:
                self._emit_root(symbol, f"(void *)&{name}", _Object(itself))
            cell = _Place(f"(void *)&{name}", f"sizeof({name})", True, 0, 8, 0, f"{symbol.name}: declare target")
            self._emit_target(cell, root, 0)
        elif itself and (root.places or root.cells):
            cell = _Place(f"(void *)&{name}", f"sizeof({name})", True, 0, 8, 0, f"{symbol.name}: its target")
            self._emit_root(symbol, f"(void *)&{name}", _Object(itself, {(name, ()): (cell, root)}))
        elif root.places or root.cells:
            if not is_pointer(symbol.type) and not is_array(symbol.type):
                base = f"(void *)&{name}"
            self._emit_root(symbol, base, root)
        elif itself:
            self._emit_root(symbol, f"(void *)&{name}", _Object(itself))

    def update(self, item: MapItem) -> None:
        """The rows of one list item of ``target update``: nothing is mapped, so there are no parents.

        One row per contiguous run. libomptarget's own rows for storage with gaps mean different things in different
        releases, and move too little in all of them.
        """
        item = self._runs(item)
        root, itself = _Object(), list[_Place]()
        self._place_item(item, root, itself)
        obj = root if root.places or root.cells else _Object(itself)
        while obj.cells:
            (_, obj), *_ = obj.cells.values()
        direct = all(isinstance(step, (Index, Section)) for step in item.locator.steps)
        direct = direct and obj is root and not item.locator.shape
        whole = direct and (is_pointer(item.symbol.type) or is_array(item.symbol.type))
        for place in obj.places:
            base = f"(void *){self.names.text(item.symbol)}" if whole else place.pointer
            self.rows.append(self._row(base, place, item.flags))

    def _runs(self, item: MapItem) -> MapItem:
        """The item with a loop for every section that does not continue without a gap into the next dimension."""
        locator = item.locator
        dimensions = self.dimensions(item)
        sections = [i for i, step in enumerate(locator.steps) if isinstance(step, Section)]
        keep = len(locator.steps)  # sections from here on make one contiguous run
        for i in reversed(sections):
            step = locator.steps[i]
            assert isinstance(step, Section)
            unit = step.stride is None or self.value(step.stride) == 1
            after = zip(locator.steps[i + 1 :], dimensions[i + 1 :], strict=True)
            if not unit or not all(self._is_whole(inner, kind, locator) for inner, kind in after):
                break
            keep = i
        steps, loops = list(locator.steps), list(item.loops)
        for i in sections:
            if i >= keep:
                break
            step = locator.steps[i]
            assert isinstance(step, Section)
            prefix = spelling(self.names.text(item.symbol), steps[:i], locator, self._root(item)[0])
            index, loop = section_loop(self, step, dimensions[i], prefix, len(loops), locator)
            steps[i] = index
            if loop is not None:
                loops.append(loop)
        return replace(item, locator=replace(locator, steps=tuple(steps)), loops=tuple(loops))

    def element(self, item: MapItem) -> CType:
        """The type of one element of the storage that an item names; its own type when it has no section."""
        return self._stepped(item)[1]

    def dimensions(self, item: MapItem) -> list[CType]:
        """What each step of an item applies to."""
        return self._stepped(item)[0]

    def _stepped(self, item: MapItem) -> tuple[list[CType], CType]:
        _, kind = self._root(item)
        found: list[CType] = []
        for step in item.locator.steps:
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
                raise error_at(item.locator.span, f"'{item.locator.text}' takes a section of '{kind}'", _SECTIONS)
        return found, kind

    def _root(self, item: MapItem) -> tuple[str, CType]:
        """(C text, type) of what an item's steps begin from; array shaping gives a pointer the type of an array."""
        name, kind = self.names.text(item.symbol), item.symbol.type
        if not item.locator.shape:
            return name, kind
        if not is_pointer(kind):
            raise error_at(item.locator.span, f"'{item.symbol.name}' is not a pointer", "OpenMP 5.2, section 3.2.4")
        shaped: CType = kind.to  # type: ignore[attr-defined]
        for size in reversed(item.locator.shape):
            shaped = Array(shaped, self.value(size), size.node)
        bounds = "".join(f"[{size.text}]" for size in item.locator.shape)
        pointee: CType = kind.to  # type: ignore[attr-defined]
        element = declare(pointee) if has_name(pointee) else f"__typeof__(*{name})"
        return f"(*({element} (*){bounds}){name})", shaped

    def value(self, expr: Expr) -> int | None:
        """An expression's value when it is an integer constant. Those of a mapper's clauses are not analysed."""
        try:
            return self.sema.value(expr.node)
        except InternalError:
            literal = integer_constant(expr.text)
            return literal[0] if literal else None

    # -- locators -----------------------------------------------------------------------------------------------

    def text(self, expr: Expr) -> str:
        """A clause expression's text for use in the arrays; one with side effects is evaluated once, beforehand."""
        if pure(expr.node, self.sema if self._loops else None):
            return operand(expr)
        if self._loops:
            raise error_at(expr.span, f"'{expr.text}' has side effects, and is evaluated once per iteration", _SECTIONS)
        if expr.text not in self._hoisted:
            name = self.names.generated.fresh(f"__rex_section_{len(self._hoisted)}")
            self._hoisted[expr.text] = name
            self.temporaries.append(Temporary("long long", name, expr.text))
        return self._hoisted[expr.text]

    def _place_item(self, item: MapItem, root: _Object, itself: list[_Place]) -> None:
        """Descend along the locator, opening an object wherever a pointer stored in memory is followed."""
        locator, symbol = item.locator, item.symbol
        text, kind = self._root(item)
        current = root
        self._loops = item.loops
        offset: int | None = 0
        follows_root = (
            is_pointer(kind) and symbol not in self.names.links
        )  # following the variable itself opens no row: it is the parameter
        section: _Section | None = None
        row, single = "", False  # the section's first row, in the dimensions seen so far; whether it is the only one

        def cell() -> None:
            nonlocal current, offset
            loops = used_loops(item.loops, text)
            place = _Place(f"(void *)&{text}", f"sizeof({text})", True, offset, 8, 0, item.note, loops)
            current = current.cells.setdefault((text, loops), (place, _Object()))[1]
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
                if found.bit_width is not None:
                    raise error_at(
                        locator.span,
                        f"'{joined}' is a bit-field, which has no address",
                        "OpenMP 5.2, section 3.2.1: list items are lvalues with an address",
                    )
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
                start = section[0]
                section, row = self._inner(step, section, row, dimension, locator, single)
                offset = offset if section[0] == start else None
                single = single and self._is_single(step)
                kind = element
                continue
            if isinstance(step, Index):
                value = self.value(step.expr)
                text = f"{text}[{self.text(step.expr) if not _bare(step.expr) else step.expr.text}]"
                size = _size(element)
                offset = offset + value * size if None not in (offset, value, size) else None  # type: ignore[operator]
            else:
                text, section, offset = self._section(step, text, element, dimension, locator, offset)
                row, single = text, self._is_single(step)
            kind = element
        if section is None:
            if not locator.steps and is_pointer(kind):
                _add(itself, _Place(f"(void *)&{text}", f"sizeof({text})", True, 0, 8, item.flags, item.note, (), True))
                return
            check_has_size(kind, locator.text, locator.span)
            start = f"(void *){text}" if is_array(kind) else f"(void *)&{text}"
            variable = is_variably_modified(kind)
            section = (start, f"sizeof({text})", not variable, None if variable else _size(kind))
        loops = used_loops(item.loops, section[0], section[1])
        start, extent, constant, count = section
        constant = constant and not loops
        place = _Place(start, extent, constant, offset, count, item.flags, item.note, loops, has_pointer(kind))
        _add(current.places, place)

    def _section(
        self, step: Section, text: str, element: CType, dimension: Array | None, locator: Locator, offset: int | None
    ) -> tuple[str, _Section, int | None]:
        if step.stride is not None and self.value(step.stride) != 1:
            raise error_at(step.stride.span, "a stride in an array section is not supported here", _SECTIONS)
        low_value = 0 if step.lower is None else self.value(step.lower)
        low = "0" if step.lower is None else self.text(step.lower)
        start = text if low_value == 0 and dimension is None else f"&{text}[{low}]"
        if step.length is not None:
            count_value = self.value(step.length)
            count = self.text(step.length)
        elif dimension is not None and (dimension.length is not None or dimension.length_expr is not None):
            total = f"sizeof({text}) / sizeof({text}[0])"
            count = f"({total})" if low_value == 0 else f"({total} - {low})"
            count_value = None if dimension.length is None or low_value is None else dimension.length - low_value
        else:
            raise error_at(
                locator.span, f"the length of '{locator.text}' must be given: its extent is not known", _SECTIONS
            )
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
        bytes_text = (
            f"{count} * sizeof({text}[0])" if constant else f"(long long){count} * (long long)sizeof({text}[0])"
        )
        place = offset + low_value * size if None not in (offset, low_value, size) else None  # type: ignore[operator]
        return f"{text}[{low}]", (f"(void *){start}", bytes_text, constant, number), place

    def _inner(
        self, step: Step, section: _Section, row: str, dimension: CType | None, locator: Locator, single: bool
    ) -> tuple[_Section, str]:
        """A section's next dimension, in which ``row`` lies. Storage is contiguous where inner dimensions are whole or
        there is one row: what is not seen to be otherwise goes from its first element to its last."""
        if self._is_whole(step, dimension, locator):
            return section, f"{row}[0]"
        apart = (
            not isinstance(step, Section)
            or step.length is None
            or (step.stride is not None and self.value(step.stride) != 1)
            or (step.lower is not None and self.value(step.lower) not in (None, 0) and not single)
            or not isinstance(dimension, Array)
            or (None not in (self.value(step.length), dimension.length) and not single)
        )
        if apart:
            raise error_at(
                locator.span, f"'{locator.text}' is not contiguous: inner dimensions must be whole", _SECTIONS
            )
        assert isinstance(step, Section)
        assert step.length is not None
        first = "0" if step.lower is None else self.text(step.lower)
        start, outer = section[0], section[1]
        inner = f"(long long){self.text(step.length)} * (long long)sizeof({row}[0])"
        total = f"rex_rows_size({outer}, sizeof({row}), {inner})"
        if first != "0":
            start = f"(void *)&{row}[{first}]"
        return (start, total, False, None), f"{row}[{first}]"

    def _is_single(self, step: Step) -> bool:
        return isinstance(step, Section) and step.length is not None and self.value(step.length) == 1

    def _is_whole(self, step: Step, dimension: CType | None, locator: Locator) -> bool:
        """Whether a step takes every element of an array, one after the other."""
        if not isinstance(step, Section) or not isinstance(dimension, Array):
            return False
        if step.stride is not None and self.value(step.stride) != 1:
            return False
        if step.lower is not None and self.value(step.lower) != 0:
            return False
        if step.length is None:
            return True
        if dimension.length is not None:
            return self.value(step.length) == dimension.length
        shaped = dimension.length_expr in [size.node for size in locator.shape]
        return dimension.length_expr is not None and same_value(
            self.sema, step.length.node, dimension.length_expr, at_once=shaped
        )

    # -- rows ---------------------------------------------------------------------------------------------------

    def _emit_root(self, symbol: Symbol, base: str, root: _Object) -> None:
        parameter = MAP_TARGET_PARAM if symbol in self.parameters else 0
        construct = self.construct.directive.name
        looped = [bool(place.loops) for place in root.places]
        name, attach = self.names.text(symbol), ""
        if symbol in self.names.stored and base == f"(void *){name}" and root.places and not any(looped):
            attach = f"(void *)&{name}" if construct != "target exit data" else ""
        # Rows in loops stand for themselves, unless a kernel wants one address for all of them.
        if not root.cells and (looped == [False] or (all(looped) and not parameter)):
            rows = [self._row(base, place, place.flags | parameter) for place in root.places]
            self.rows += [replace(row, attach=attach) for row in rows]
            return
        held = _held(root)
        row = _hull(base, root, parameter | held, f"{symbol.name}: storage of the parts below", ())
        carrier = not root.places and construct in ("target data", "target enter data", "target exit data")
        self.rows.append(replace(row, attach=attach, carrier=carrier))
        parent = len(self.rows)
        for place in filter(_moves, root.places):
            self.rows.append(self._row(base, place, place.flags | held | _member_of(parent)))
        for place, target in root.cells.values():
            self._emit_target(place, target, parent)

    def _emit_target(self, cell: _Place, target: _Object, parent: int) -> None:
        flags = _member_of(parent) | MAP_PTR_AND_OBJ
        single = len(target.places) == 1 and set(target.places[0].loops) <= set(cell.loops)
        if single and all(_holds(target.places[0], place) for place, _ in target.cells.values()):
            (place,) = target.places
            self.rows.append(replace(self._row(cell.pointer, place, flags | place.flags), loops=cell.loops))
            here = len(self.rows)
        else:
            held = _held(target)
            self.rows.append(_hull(cell.pointer, target, flags | held, cell.note, cell.loops))
            here = len(self.rows)
            for place in filter(_moves, target.places):
                self.rows.append(self._row(place.pointer, place, _member_of(here) | held | place.flags))
        for inner, below in target.cells.values():
            self._emit_target(inner, below, here)

    def _row(self, base: str, place: _Place, flags: int) -> MapRow:
        row = MapRow(base, place.pointer, place.size, flags, place.note, False, place.constant, place.loops)
        if not place.pointers:
            return row
        refresh = flags & _REFRESHED == _REFRESHED
        extend = bool(self.names.carrying) and place.bytes != 8  # more than one pointer
        return replace(row, refresh=refresh, extend=extend)


def check_has_size(kind: CType, text: str, span: SourceSpan) -> None:
    """Raise InputError for arrays of which as a whole nobody here knows the size."""
    array = strip(kind)
    if isinstance(array, Array) and array.length is None and array.length_expr is None:
        raise error_at(span, f"'{text}' is an array whose size is not known here: map a section of it", _SECTIONS)


def _moves(place: _Place) -> bool:
    """Whether a part needs a row beside that of the storage around it."""
    return bool(place.flags & ~(MAP_IMPLICIT | MAP_CLOSE))


def _held(root: _Object) -> int:
    """``ompx_hold`` of one part holds the storage of all, as clang has it."""
    return MAP_OMPX_HOLD if any(place.flags & MAP_OMPX_HOLD for place in root.places) else 0


def _member_of(row: int) -> int:
    return row << MEMBER_OF_SHIFT


def _add(places: list[_Place], new: _Place) -> None:
    """Add a place; the same storage mapped twice is one place that moves both ways."""
    for old in places:
        if (old.pointer, old.size, old.loops) == (new.pointer, new.size, new.loops):
            old.flags |= new.flags
            return
    places.append(new)


def _holds(outer: _Place, inner: _Place) -> bool:
    """Whether one place surely lies in another of the same object."""
    if None in (outer.offset, outer.bytes, inner.offset, inner.bytes):
        return False
    first, end = outer.offset or 0, (outer.offset or 0) + (outer.bytes or 0)
    return first <= (inner.offset or 0) and (inner.offset or 0) + (inner.bytes or 0) <= end


def _hull(base: str, obj: _Object, flags: int, note: str, loops: tuple[RowLoop, ...]) -> MapRow:
    """The row of the smallest storage that holds all mapped parts of an object; ``loops`` are around the row."""
    places = obj.places + [place for place, _ in obj.cells.values()]
    outside = any(set(place.loops) - set(loops) for place in places)
    if len(places) == 1 and not outside:
        return MapRow(base, places[0].pointer, places[0].size, flags, note, False, places[0].constant, loops)
    if not outside and all(p.offset is not None and p.bytes is not None for p in places):
        first = min(places, key=lambda p: p.offset or 0)
        end = max((p.offset or 0) + (p.bytes or 0) for p in places)
        return MapRow(base, first.pointer, str(end - (first.offset or 0)), flags, note, False, True, loops)
    covers = tuple(
        Cover(place.pointer, place.size, tuple(loop for loop in place.loops if loop not in loops)) for place in places
    )
    return MapRow(base, base, "0", flags, note, False, False, loops, covers)


def section_loop(
    mapper: Mapper, section: Section, dimension: CType, prefix: str, number: int, locator: Locator
) -> tuple[Index, RowLoop | None]:
    """One element of a section, and the loop over all of them (None where there is one only).

    ``prefix`` is the text of what the section is taken of, of type ``dimension``; ``number`` counts the loops around.
    """
    name = mapper.names.generated.fresh(f"__rex_element_{number}")
    low = "0" if section.lower is None else mapper.text(section.lower)
    stride = "1" if section.stride is None else mapper.text(section.stride)
    here = section.lower or section.length or section.stride
    step = 1 if section.stride is None else mapper.value(section.stride)
    if step is not None and step <= 0:
        raise error_at(locator.span, f"the stride of '{locator.text}' is not positive", _SECTIONS)

    def expr(text: str) -> Expr:
        return Expr(text, here.node if here is not None else c_ast.Constant("int", "0"), locator.span)

    if section.length is not None:
        count = mapper.text(section.length)
        if mapper.value(section.length) == 1:
            return Index(expr(low)), None
    elif isinstance(dimension, Array):
        count = f"((long long)(sizeof({prefix}) / sizeof({prefix}[0])) - {low} + {stride} - 1) / {stride}"
    else:
        raise error_at(
            locator.span, f"the length of '{locator.text}' must be given: its extent is not known", _SECTIONS
        )
    index = name if low == "0" else f"{low} + {name}"
    if stride != "1":
        index = f"{low} + {name} * {stride}"
    return Index(Expr(index, c_ast.ID(name), locator.span)), RowLoop("long long", name, "0", count)


def spelling(name: str, steps: Iterable[Step], locator: Locator, root: str | None = None) -> str:
    """The C text of a variable and some of the steps from it, none of which is a section."""
    text = root or name
    for step in steps:
        if isinstance(step, Member):
            text = f"{text}{'->' if step.arrow else '.'}{step.name}"
        elif isinstance(step, Index):
            text = f"{text}[{step.expr.text}]"
        else:
            raise error_at(locator.span, f"'{locator.text}' has a section in an unexpected place", _SECTIONS)
    return text


def _size(kind: CType) -> int | None:
    try:
        return sizeof(kind)
    except LayoutError:
        return None


def _bare(expr: Expr) -> bool:
    """Whether an expression may stand in square brackets as it is written."""
    return pure(expr.node)


def pointee_declared(kind: CType) -> Pointer:
    """The pointer type through which a kernel parameter reaches a mapped array or pointer."""
    decayed = decay(strip(kind))
    assert isinstance(decayed, Pointer)
    return decayed


def iterator_loops(rows: Mapper, iterators: Iterable[Iterator]) -> tuple[RowLoop, ...]:
    """The loops that an iterator modifier means (OpenMP 5.2, section 3.2.6)."""
    loops = []
    for one in iterators:
        step = 1 if one.step is None else rows.value(one.step)
        if step == 0 and one.step is not None:
            raise error_at(one.step.span, "the step of an iterator is zero", "OpenMP 5.2, section 3.2.6: iterators")
        text = "1" if one.step is None else f"({one.step.text})"
        loops.append(RowLoop(one.type_text, one.name, one.begin.text, one.end.text, text, step))
    return tuple(loops)
