"""Maps data: makes rows of the offload arrays from list items.

The rows follow chains of pointers. Storage that holds a mapped pointer is a row itself, or a row covers it. Every row
for what a pointer points to names that row as its parent. So ``s.q->p[0:n]`` makes one row for each object on the way:
``s.q``, ``q->p`` and the section. Sources: OpenMP 5.2, section 5.8.3 (map clause); libomptarget's mapping of
``OMP_TGT_MAPTYPE_PTR_AND_OBJ`` and ``MEMBER_OF`` in LLVM 17 to 23.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.names import GeneratedNames
from ...base.records import dataclass
from ...base.spans import SourceSpan
from ...directives import model
from ...directives.model import Expr, Locator, Member
from ...plan.captures import Temporary
from ...plan.host_expression import (
    ONE,
    ZERO,
    AddressOf,
    Binary,
    Call,
    Cast,
    HostExpression,
    Index,
    Number,
    Shaped,
    SizeOf,
    Variable,
    element_count,
)
from ...plan.host_expression import Member as HostMember
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
    Adjustment,
    Cover,
    DataMapping,
    MapRow,
    Parameter,
    Role,
    RowLoop,
    RowNote,
)
from ..sema import Sema, Symbol, walk
from ..sema.ctype import Array, CType, LayoutError, Pointer, RecordInfo, declare, has_name, sizeof, strip
from ..sema.type_questions import field as find_field
from ..sema.type_questions import has_pointer, is_array, is_pointer, is_record, is_variably_modified, is_void
from ..syntax.nodes import OmpConstruct
from .host_expressions import host_expression, replaced_names
from .optimise.accesses import called_name, is_pure
from .same_value import same_value

_SECTIONS = "OpenMP 5.2, section 3.2.5: array sections"
_TRANSFERS = MAP_TO | MAP_FROM
_REFRESHED = MAP_ALWAYS | MAP_TO
_Renamed = Mapping[str, HostExpression]


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


@dataclasses.dataclass
class _Place:
    """Contiguous storage: where it begins and how many bytes it has."""

    pointer: HostExpression
    size: HostExpression
    constant: bool
    offset: int | None  # in bytes from the root object, if it is constant
    bytes: int | None
    flags: int
    note: RowNote
    loops: tuple[RowLoop, ...] = ()
    pointers: bool = False  # whether it holds pointers


@dataclasses.dataclass
class _Object:
    """An object with mapped parts: places in it, and pointers in it whose targets are mapped, too. In each iteration of
    its loops, a pointer is another one."""

    places: list[_Place] = field(default_factory=list)
    cells: dict[tuple[HostExpression, tuple[RowLoop, ...]], tuple[_Place, _Object]] = field(default_factory=dict)


def pure(node: c_ast.Node, sema: Sema | None = None) -> bool:
    """Whether evaluating an expression twice is the same as evaluating it once. With ``sema``, the expression may call
    functions of the unit whose results depend on nothing but their arguments."""
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


def pointer_to(of: HostExpression) -> HostExpression:
    """The address of an lvalue, of the type that rows need."""
    return Cast("void *", AddressOf(of))


@dataclass(frozen=True)
class HostNames:
    """How the host reaches variables that are not simply passed to the kernel.

    - ``generated`` gives names to what the host block declares.
    - ``links`` are ``declare target link`` variables, each with the name of the pointer through which device code
    reaches
      it.
    - ``renamed`` are variables that an enclosing ``use_device_addr`` replaces, each with the expression for it.
    - ``declared`` are the other declare target variables.
    - ``stored`` are pointers that data constructs may map themselves.
    - ``members`` are pointers in structures by value, each with the expression for it.
    - ``carrying`` are objects and types in which data constructs map pointers for the sections behind them.
    """

    generated: GeneratedNames = GeneratedNames()
    links: Mapping[Symbol, str] = field(default_factory=dict)
    renamed: Mapping[Symbol, HostExpression] = field(default_factory=dict)
    declared: frozenset[Symbol] = frozenset()
    threadprivate: frozenset[Symbol] = frozenset()
    stored: frozenset[Symbol] = frozenset()
    carrying: frozenset[Symbol | RecordInfo] = frozenset()
    members: Mapping[Symbol, HostExpression] = field(default_factory=dict)

    def variable(self, symbol: Symbol) -> HostExpression:
        return self.renamed.get(symbol) or self.members.get(symbol) or Variable(symbol.name)


def used_loops(loops: tuple[RowLoop, ...], *expressions: HostExpression) -> tuple[RowLoop, ...]:
    """Those of ``loops`` on which the expressions depend, directly or through the bounds of other loops."""
    found: list[RowLoop] = []
    names = frozenset(name for expression in expressions for name in expression.names)
    for loop in reversed(loops):
        if loop.name in names:
            found.append(loop)
            names |= loop.begin.names | loop.end.names | loop.step.names
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
        self.supplied: list[Parameter] = []
        self._hoisted: dict[HostExpression, Variable] = {}

    def finish(self) -> DataMapping:
        supplied = sorted(self.supplied, key=lambda parameter: parameter.row)
        return DataMapping(tuple(self.rows), tuple(self.temporaries), tuple(supplied))

    def supply(self, role: Role, name: str = "", symbol: Symbol | None = None, row: int | None = None) -> None:
        """Let a row, the newest one if none is given, supply a parameter of the kernel."""
        name = name or (symbol.name if symbol is not None else role.value)
        self.supplied.append(Parameter(role, name, len(self.rows) - 1 if row is None else row, symbol))

    # -- the user's expressions ---------------------------------------------------------------------------------

    def item(
        self, locator: Locator, symbol: Symbol, flags: int, note: RowNote, loops: tuple[RowLoop, ...] = ()
    ) -> MapItem:
        """The item that a clause's list item means."""
        shape = tuple(self.expression(length, loops) for length in locator.shape)
        return MapItem(locator, symbol, flags, note, loops, self.steps(locator, loops), shape)

    def steps(
        self, locator: Locator, loops: tuple[RowLoop, ...], renamed: _Renamed | None = None
    ) -> tuple[HostStep, ...]:
        """The steps of a list item; for ``loops`` and ``renamed`` see :meth:`expression`."""

        def expression(expr: Expr | None) -> HostExpression | None:
            return None if expr is None else self.expression(expr, loops, renamed)

        found: list[HostStep] = []
        for step in locator.steps:
            if isinstance(step, model.Index):
                found.append(HostIndex(self.expression(step.expr, loops, renamed)))
            elif isinstance(step, model.Section):
                lower, length, stride = map(expression, (step.lower, step.length, step.stride))
                found.append(HostSection(lower, length, stride, step.length.node if step.length is not None else None))
            else:
                found.append(step)
        return tuple(found)

    def expression(
        self, expr: Expr, loops: tuple[RowLoop, ...] = (), renamed: _Renamed | None = None
    ) -> HostExpression:
        """A clause's expression for use in the arrays. One with side effects is evaluated once, before the arrays.

        ``loops`` are the loops around the rows. For the clauses of mappers, ``renamed`` says what some names mean.
        """
        found = host_expression(self.sema, expr) if renamed is None else replaced_names(expr, renamed)
        if pure(expr.node, self.sema if loops else None):
            return found
        if loops:
            raise error_at(expr.span, f"'{expr.text}' has side effects, and is evaluated once per iteration", _SECTIONS)
        if found not in self._hoisted:
            name = self.names.generated.fresh(f"__rex_section_{len(self._hoisted)}")
            self._hoisted[found] = Variable(name)
            self.temporaries.append(Temporary("long long", name, found))
        return self._hoisted[found]

    # -- whole constructs ---------------------------------------------------------------------------------------

    def map_symbol(self, symbol: Symbol, items: Iterable[MapItem]) -> None:
        """Add the rows for everything that is mapped of one variable."""
        root = _Object()
        itself: list[_Place] = []
        for item in items:
            self._place_item(item, root, itself)
        variable = self.names.variable(symbol)
        value, address, size = Cast("void *", variable), pointer_to(variable), SizeOf(variable)
        if symbol in self.names.links:
            # Device code reaches the variable through a pointer of ours, so its row always has this pointer as parent.
            pointer = pointer_to(Variable(self.names.links[symbol]))
            cell = _Place(pointer, SizeOf("void *"), True, None, None, 0, RowNote("link", symbol.name))
            root.places[:0] = itself
            self._emit_target(cell, root, 0)
        elif symbol in self.names.declared and is_pointer(symbol.type) and (root.places or root.cells):
            if itself:
                self._emit_root(symbol, address, _Object(itself))
            cell = _Place(address, size, True, 0, 8, 0, RowNote("declare target", symbol.name))
            self._emit_target(cell, root, 0)
        elif itself and (root.places or root.cells):
            cell = _Place(address, size, True, 0, 8, 0, RowNote("target of the pointer", symbol.name))
            self._emit_root(symbol, address, _Object(itself, {(variable, ()): (cell, root)}))
        elif root.places or root.cells:
            through = is_pointer(symbol.type) or is_array(symbol.type)
            self._emit_root(symbol, value if through else address, root)
        elif itself:
            self._emit_root(symbol, address, _Object(itself))

    def update(self, item: MapItem) -> None:
        """Add the rows of one list item of ``target update``. Nothing is mapped, so these rows have no parents.

        Each contiguous run gets a row. libomptarget has rows for storage with gaps, but their meaning differs between
        releases, and all releases move too little.
        """
        item = self._runs(item)
        root, itself = _Object(), list[_Place]()
        self._place_item(item, root, itself)
        obj = root if root.places or root.cells else _Object(itself)
        while obj.cells:
            (_, obj), *_ = obj.cells.values()
        direct = all(isinstance(step, (HostIndex, HostSection)) for step in item.steps)
        direct = direct and obj is root and not item.locator.shape
        whole = direct and (is_pointer(item.symbol.type) or is_array(item.symbol.type))
        for place in obj.places:
            base = Cast("void *", self.names.variable(item.symbol)) if whole else place.pointer
            self.rows.append(self._row(base, place, item.flags))

    def _runs(self, item: MapItem) -> MapItem:
        """The item, with a loop for each section that leaves gaps between the rows of the next dimension."""
        locator, steps = item.locator, item.steps
        dimensions = self.dimensions(item)
        sections = [i for i, step in enumerate(steps) if isinstance(step, HostSection)]
        keep = len(steps)  # the sections from here on make one contiguous run
        for i in reversed(sections):
            step = steps[i]
            assert isinstance(step, HostSection)
            after = zip(steps[i + 1 :], dimensions[i + 1 :], strict=True)
            if not step.is_consecutive or not all(self._is_whole(inner, kind, locator) for inner, kind in after):
                break
            keep = i
        single, loops = list(steps), list(item.loops)
        for i in sections:
            if i >= keep:
                break
            step = single[i]
            assert isinstance(step, HostSection)
            prefix = reached(self._root(item)[0], single[:i], locator)
            single[i], loop = section_loop(self, step, dimensions[i], prefix, len(loops), locator)
            if loop is not None:
                loops.append(loop)
        return replace(item, steps=tuple(single), loops=tuple(loops))

    def element(self, item: MapItem) -> CType:
        """The type of one element of the storage that an item names, or the item's own type if it has no section."""
        return self._stepped(item)[1]

    def dimensions(self, item: MapItem) -> list[CType]:
        """The types that the steps of an item apply to."""
        return self._stepped(item)[0]

    def _stepped(self, item: MapItem) -> tuple[list[CType], CType]:
        _, kind = self._root(item)
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
                raise error_at(item.locator.span, f"'{item.locator.text}' takes a section of '{kind}'", _SECTIONS)
        return found, kind

    def _root(self, item: MapItem) -> tuple[HostExpression, CType]:
        """(the lvalue that an item's steps begin from, its type). Array shaping gives a pointer an array's type."""
        variable, kind = self.names.variable(item.symbol), item.symbol.type
        if not item.shape:
            return variable, kind
        if not is_pointer(kind):
            raise error_at(item.locator.span, f"'{item.symbol.name}' is not a pointer", "OpenMP 5.2, section 3.2.4")
        pointee: CType = kind.to  # type: ignore[attr-defined]
        shaped = pointee
        for length, expr in reversed(list(zip(item.shape, item.locator.shape, strict=True))):
            shaped = Array(shaped, length.value, expr.node)
        element = declare(pointee) if has_name(pointee) else f"__typeof__(*{variable})"
        return Shaped(element, item.shape, variable), shaped

    # -- locators -----------------------------------------------------------------------------------------------

    def _place_item(self, item: MapItem, root: _Object, itself: list[_Place]) -> None:
        """Follow the steps of an item, and begin a new object at each pointer in memory that is followed."""
        locator, symbol = item.locator, item.symbol
        place, kind = self._root(item)
        current = root
        offset: int | None = 0
        follows_root = (
            is_pointer(kind) and symbol not in self.names.links
        )  # following the variable itself opens no row: it is the parameter
        section: _Extent | None = None
        row: HostExpression = ZERO  # the section's first row, in the dimensions seen so far
        single = False  # whether the section has only this row

        def cell() -> None:
            nonlocal current, offset
            loops = used_loops(item.loops, place)
            new = _Place(pointer_to(place), SizeOf(place), True, offset, 8, 0, item.note, loops)
            current = current.cells.setdefault((place, loops), (new, _Object()))[1]
            offset = 0

        for position, step in enumerate(item.steps):
            if section is not None and not isinstance(step, (HostIndex, HostSection)):
                raise error_at(locator.span, f"'{locator.text}' is not contiguous storage", _SECTIONS)
            if isinstance(step, Member):
                if step.arrow:
                    if not is_pointer(kind):
                        raise error_at(locator.span, f"'->' applied to '{place}', which is not a pointer")
                    if not (position == 0 and follows_root):
                        cell()
                record = kind.to if step.arrow else kind  # type: ignore[attr-defined]
                member = HostMember(place, step.name, step.arrow)
                found = find_field(record, step.name) if is_record(record) else None
                if found is None:
                    raise error_at(locator.span, f"'{place}' has no member '{step.name}'")
                if found.bit_width is not None:
                    raise error_at(
                        locator.span,
                        f"'{member}' is a bit-field, which has no address",
                        "OpenMP 5.2, section 3.2.1: list items are lvalues with an address",
                    )
                offset = offset + found.offset if offset is not None else None
                place, kind = member, found.type
                continue
            if is_pointer(kind):
                if is_void(kind.to):  # type: ignore[attr-defined]
                    raise error_at(locator.span, f"'{place}' is a pointer to void: its section has no size", _SECTIONS)
                if not (position == 0 and follows_root):
                    cell()
                element, dimension = kind.to, None  # type: ignore[attr-defined]
            elif isinstance(kind, Array):
                element, dimension = kind.of, kind
            else:
                raise error_at(locator.span, f"'{place}' is neither array nor pointer", _SECTIONS)
            if section is not None:
                start = section.start
                section, row = self._inner(step, section, row, dimension, locator, single)
                offset = offset if section.start == start else None
                single = single and self._is_single(step)
            elif isinstance(step, HostIndex):
                place = Index(place, step.index)
                offset = _moved(offset, step.index.value, _size(element))
            else:
                place, section, offset = self._section(step, place, element, dimension, locator, offset)
                row, single = place, self._is_single(step)
            kind = element
        if section is None:
            if not item.steps and is_pointer(kind):
                new = _Place(pointer_to(place), SizeOf(place), True, 0, 8, item.flags, item.note, (), True)
                _add(itself, new)
                return
            check_has_size(kind, locator.text, locator.span)
            variable = is_variably_modified(kind)
            address = Cast("void *", place) if is_array(kind) else pointer_to(place)
            section = _Extent(address, SizeOf(place), not variable, None if variable else _size(kind))
        loops = used_loops(item.loops, section.start, section.size)
        constant = section.constant and not loops
        start, size, count, holds = section.start, section.size, section.bytes, has_pointer(kind)
        new = _Place(start, size, constant, offset, count, item.flags, item.note, loops, holds)
        _add(current.places, new)

    def _section(
        self,
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
            raise error_at(span, "a stride in an array section is not supported here", _SECTIONS)
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
            raise error_at(
                locator.span, f"the length of '{locator.text}' must be given: its extent is not known", _SECTIONS
            )
        _check_bounds(low.value, count_value, dimension, locator)
        size = _size(element)
        stored = SizeOf(Index(of, ZERO))
        number = count_value * size if count_value is not None and size is not None else None
        wide = Binary("*", Cast("long long", count), Cast("long long", stored))
        extent = Binary("*", count, stored) if number is not None else wide
        after = _moved(offset, low.value, size)
        return place, _Extent(Cast("void *", start), extent, number is not None, number), after

    def _inner(
        self,
        step: HostIndex | HostSection,
        section: _Extent,
        row: HostExpression,
        dimension: CType | None,
        locator: Locator,
        single: bool,
    ) -> tuple[_Extent, HostExpression]:
        """A section with its next dimension, in which ``row`` lies.

        Storage is contiguous if the inner dimensions are whole, or if there is one row. If only the run knows whether
        it is, everything from the first element to the last is taken.
        """
        if self._is_whole(step, dimension, locator):
            return section, Index(row, ZERO)
        if (
            not isinstance(step, HostSection)
            or step.length is None
            or not step.is_consecutive
            or (step.first.value not in (None, 0) and not single)
            or not isinstance(dimension, Array)
            or (None not in (step.length.value, dimension.length) and not single)
        ):
            raise error_at(
                locator.span, f"'{locator.text}' is not contiguous: inner dimensions must be whole", _SECTIONS
            )
        first = Index(row, step.first)
        start = section.start if step.first.value == 0 else Cast("void *", AddressOf(first))
        inner = Binary("*", Cast("long long", step.length), Cast("long long", SizeOf(Index(row, ZERO))))
        total = Call("rex_rows_size", (section.size, SizeOf(row), inner))
        return _Extent(start, total, False, None), first

    def _is_single(self, step: HostStep) -> bool:
        return isinstance(step, HostSection) and step.length is not None and step.length.value == 1

    def _is_whole(self, step: HostStep, dimension: CType | None, locator: Locator) -> bool:
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
            and same_value(self.sema, step.written, dimension.length_expr, at_once=shaped)
        )

    # -- rows ---------------------------------------------------------------------------------------------------

    def _emit_root(self, symbol: Symbol, base: HostExpression, root: _Object) -> None:
        parameter = MAP_TARGET_PARAM if symbol in self.parameters else 0
        construct = self.construct.directive.name
        looped = [bool(place.loops) for place in root.places]
        variable, attach = self.names.variable(symbol), None
        if symbol in self.names.stored and base == Cast("void *", variable) and root.places and not any(looped):
            attach = pointer_to(variable) if construct != "target exit data" else None
        # Rows in loops need no parent, unless a kernel needs one address for all of them.
        if not root.cells and (looped == [False] or (all(looped) and not parameter)):
            rows = [self._row(base, place, place.flags | parameter) for place in root.places]
            self.rows += [_attached(row, attach) for row in rows]
            return
        held = _held(root)
        row = _hull(base, root, parameter | held, RowNote("storage of the parts below", symbol.name), ())
        carrier = not root.places and construct in ("target data", "target enter data", "target exit data")
        row = _attached(row, attach)
        self.rows.append(adjusted(row, Adjustment.CARRY) if carrier else row)
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

    def _row(self, base: HostExpression, place: _Place, flags: int) -> MapRow:
        row = MapRow(base, place.pointer, place.size, flags, place.note, False, place.constant, place.loops)
        if not place.pointers:
            return row
        if flags & _REFRESHED == _REFRESHED:
            row = adjusted(row, Adjustment.REFRESH)
        if self.names.carrying and place.bytes != 8:  # more than one pointer
            row = adjusted(row, Adjustment.EXTEND)
        return row


def adjusted(row: MapRow, adjustment: Adjustment) -> MapRow:
    return replace(row, adjustments=row.adjustments | {adjustment})


def _attached(row: MapRow, pointer: HostExpression | None) -> MapRow:
    """A row that attaches a base pointer, if there is one to attach."""
    return adjusted(replace(row, attach=pointer), Adjustment.ATTACH) if pointer is not None else row


def check_has_size(kind: CType, text: str, span: SourceSpan) -> None:
    """Raise InputError for an array whose size is not known in this unit."""
    array = strip(kind)
    if isinstance(array, Array) and array.length is None and array.length_expr is None:
        raise error_at(span, f"'{text}' is an array whose size is not known here: map a section of it", _SECTIONS)


def _moves(place: _Place) -> bool:
    """Whether a part needs a row of its own, beside the row of the storage around it."""
    return bool(place.flags & ~(MAP_IMPLICIT | MAP_CLOSE))


def _held(root: _Object) -> int:
    """The bit of ``ompx_hold``: as in clang, one part with it holds the storage of all parts."""
    return MAP_OMPX_HOLD if any(place.flags & MAP_OMPX_HOLD for place in root.places) else 0


def _member_of(row: int) -> int:
    return row << MEMBER_OF_SHIFT


def _add(places: list[_Place], new: _Place) -> None:
    """Add a place. The same storage mapped twice is one place with the flags of both."""
    for old in places:
        if (old.pointer, old.size, old.loops) == (new.pointer, new.size, new.loops):
            old.flags |= new.flags
            return
    places.append(new)


def _holds(outer: _Place, inner: _Place) -> bool:
    """Whether one place is known to lie in another one of the same object."""
    if None in (outer.offset, outer.bytes, inner.offset, inner.bytes):
        return False
    first, end = outer.offset or 0, (outer.offset or 0) + (outer.bytes or 0)
    return first <= (inner.offset or 0) and (inner.offset or 0) + (inner.bytes or 0) <= end


def _hull(base: HostExpression, obj: _Object, flags: int, note: RowNote, loops: tuple[RowLoop, ...]) -> MapRow:
    """The row of the smallest storage that holds all mapped parts of an object. ``loops`` are around the row."""
    places = obj.places + [place for place, _ in obj.cells.values()]
    outside = any(set(place.loops) - set(loops) for place in places)
    if len(places) == 1 and not outside:
        return MapRow(base, places[0].pointer, places[0].size, flags, note, False, places[0].constant, loops)
    if not outside and all(p.offset is not None and p.bytes is not None for p in places):
        first = min(places, key=lambda p: p.offset or 0)
        end = max((p.offset or 0) + (p.bytes or 0) for p in places)
        return MapRow(base, first.pointer, Number(end - (first.offset or 0)), flags, note, False, True, loops)
    covers = tuple(
        Cover(place.pointer, place.size, tuple(loop for loop in place.loops if loop not in loops)) for place in places
    )
    return MapRow(base, base, ZERO, flags, note, False, False, loops, covers)


def section_loop(
    mapper: Mapper, section: HostSection, dimension: CType, prefix: HostExpression, number: int, locator: Locator
) -> tuple[HostIndex, RowLoop | None]:
    """(one element of a section, the loop over all elements, or None if there is only one)

    The section is taken of ``prefix``, which has the type ``dimension``. ``number`` counts the loops around.
    """
    low, stride = section.first, section.stride or ONE
    if stride.value is not None and stride.value <= 0:
        raise error_at(locator.span, f"the stride of '{locator.text}' is not positive", _SECTIONS)
    if section.length is not None:
        count = section.length
        if count.value == 1:
            return HostIndex(low), None
    elif isinstance(dimension, Array):
        count = Cast("long long", element_count(prefix))
        count = count if low.value == 0 else Binary("-", count, low)
        if stride.value != 1:
            count = Binary("/", Binary("-", Binary("+", count, stride), ONE), stride)
    else:
        raise error_at(
            locator.span, f"the length of '{locator.text}' must be given: its extent is not known", _SECTIONS
        )
    element = Variable(mapper.names.generated.fresh(f"__rex_element_{number}"))
    index = element if stride.value == 1 else Binary("*", element, stride)
    index = index if low.value == 0 else Binary("+", low, index)
    return HostIndex(index), RowLoop("long long", element.name, ZERO, count)


def reached(root: HostExpression, steps: Iterable[HostStep], locator: Locator) -> HostExpression:
    """The lvalue that steps without sections lead to."""
    for step in steps:
        if isinstance(step, Member):
            root = HostMember(root, step.name, step.arrow)
        elif isinstance(step, HostIndex):
            root = Index(root, step.index)
        else:
            raise error_at(locator.span, f"'{locator.text}' has a section in an unexpected place", _SECTIONS)
    return root


def _moved(offset: int | None, elements: int | None, size: int | None) -> int | None:
    """An offset in bytes, moved by a number of elements, or None if any of this is not known."""
    return None if offset is None or elements is None or size is None else offset + elements * size


def _check_bounds(low: int | None, count: int | None, dimension: Array | None, locator: Locator) -> None:
    """Raise InputError for a section whose constant bounds reach out of its array."""
    if count is not None and count < 0:
        raise error_at(locator.span, f"the length of '{locator.text}' is negative", _SECTIONS)
    if dimension is None or low is None:
        return
    if low < 0:
        raise error_at(locator.span, f"the lower bound of '{locator.text}' is negative", _SECTIONS)
    if dimension.length is not None and count is not None and low + count > dimension.length:
        raise error_at(
            locator.span, f"'{locator.text}' reaches past the array's {dimension.length} elements", _SECTIONS
        )


def _size(kind: CType) -> int | None:
    try:
        return sizeof(kind)
    except LayoutError:
        return None


def iterator_loops(rows: Mapper, iterators: Iterable[model.Iterator]) -> tuple[RowLoop, ...]:
    """The loops that an iterator modifier means (OpenMP 5.2, section 3.2.6)."""
    loops: list[RowLoop] = []
    for one in iterators:
        loops.append(iterator_loop(one, one.name, lambda expr: host_expression(rows.sema, expr)))
    return tuple(loops)


def iterator_loop(one: model.Iterator, name: str, expression: Callable[[Expr], HostExpression]) -> RowLoop:
    """The loop of one iterator, whose variable is called ``name``."""
    step = ONE if one.step is None else expression(one.step)
    if step.value == 0 and one.step is not None:
        raise error_at(one.step.span, "the step of an iterator is zero", "OpenMP 5.2, section 3.2.6: iterators")
    return RowLoop(one.type_text, name, expression(one.begin), expression(one.end), step)
