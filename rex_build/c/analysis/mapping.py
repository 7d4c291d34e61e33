"""Maps data: makes rows of the offload arrays from list items.

The rows follow chains of pointers. Storage that holds a mapped pointer is a row itself, or a row covers it. Every row
for what a pointer points to names that row as its parent. So ``s.q->p[0:n]`` makes one row for each object on the way:
``s.q``, ``q->p`` and the section. Sources: OpenMP 5.2, section 5.8.3 (map clause); libomptarget's mapping of
``OMP_TGT_MAPTYPE_PTR_AND_OBJ`` and ``MEMBER_OF`` in LLVM 17 to 23.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.names import GeneratedNames
from ...base.records import dataclass, field, replace
from ...directives import model
from ...directives.model import Expr, Locator
from ...plan.captures import Temporary
from ...plan.host_expression import (
    ONE,
    ZERO,
    Binary,
    Cast,
    HostExpression,
    Number,
    SizeOf,
    Variable,
    element_count,
)
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
from ..sema.ctype import Array, CType, RecordInfo
from ..sema.type_questions import is_array, is_pointer
from ..syntax.nodes import OmpConstruct
from .host_expressions import host_expression, replaced_names
from .places import (
    SECTIONS,
    HostIndex,
    HostSection,
    HostStep,
    MapItem,
    MappedObject,
    Place,
    add_places,
    is_whole,
    pointer_to,
    reached,
    stepped_types,
)
from .purity import called_name, is_pure

_TRANSFERS = MAP_TO | MAP_FROM
_REFRESHED = MAP_ALWAYS | MAP_TO
_Renamed = Mapping[str, HostExpression]


def pure(node: c_ast.Node, sema: Sema | None = None) -> bool:
    """Whether evaluating an expression twice is the same as evaluating it once. With ``sema``, the expression may call
    functions of the unit whose results depend on nothing but their arguments."""
    for part in walk(node):
        if isinstance(part, c_ast.FuncCall):
            name = called_name(sema, part) if sema is not None else None
            if sema is None or name is None or not is_pure(sema, name):
                return False
        if isinstance(part, c_ast.Assignment) or type(part).__name__ == "StmtExpr":
            return False
        if isinstance(part, c_ast.UnaryOp) and part.op in ("++", "--", "p++", "p--"):
            return False
    return True


@dataclass(frozen=True)
class HostNames:
    """How the host reaches variables that are not simply passed to the kernel.

    - ``generated`` gives names to what the host block declares.
    - ``links`` are ``declare target link`` variables, each with the pointer through which device code reaches it.
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
            raise error_at(expr.span, f"'{expr.text}' has side effects, and is evaluated once per iteration", SECTIONS)
        if found not in self._hoisted:
            name = self.names.generated.fresh(f"__rex_section_{len(self._hoisted)}")
            self._hoisted[found] = Variable(name)
            self.temporaries.append(Temporary("long long", name, found))
        return self._hoisted[found]

    # -- whole constructs ---------------------------------------------------------------------------------------

    def map_symbol(self, symbol: Symbol, items: Iterable[MapItem]) -> None:
        """Add the rows for everything that is mapped of one variable."""
        root, itself = MappedObject(), MappedObject()
        for item in items:
            self._add_places(item, root, itself)
        variable = self.names.variable(symbol)
        value, address, size = Cast("void *", variable), pointer_to(variable), SizeOf(variable)
        if symbol in self.names.links:
            # Device code reaches the variable through a pointer of ours, so its row always has this pointer as parent.
            pointer = pointer_to(Variable(self.names.links[symbol]))
            cell = Place(pointer, SizeOf("void *"), True, None, None, 0, RowNote("link", symbol.name))
            root.places[:0] = itself.places
            self._emit_target(cell, root, 0)
        elif symbol in self.names.declared and is_pointer(symbol.type) and (root.places or root.cells):
            if itself.places:
                self._emit_root(symbol, address, itself)
            cell = Place(address, size, True, 0, 8, 0, RowNote("declare target", symbol.name))
            self._emit_target(cell, root, 0)
        elif itself.places and (root.places or root.cells):
            cell = Place(address, size, True, 0, 8, 0, RowNote("target of the pointer", symbol.name))
            self._emit_root(symbol, address, MappedObject(itself.places, {(variable, ()): (cell, root)}))
        elif root.places or root.cells:
            through = is_pointer(symbol.type) or is_array(symbol.type)
            self._emit_root(symbol, value if through else address, root)
        elif itself.places:
            self._emit_root(symbol, address, itself)

    def _add_places(self, item: MapItem, root: MappedObject, itself: MappedObject) -> None:
        """Add the storage of an item to what is mapped ``itself`` of a variable, or through it, in ``root``."""
        is_linked = item.symbol in self.names.links
        add_places(self.sema, item, self.names.variable(item.symbol), is_linked, root, itself)

    def update(self, item: MapItem) -> None:
        """Add the rows of one list item of ``target update``. Nothing is mapped, so these rows have no parents.

        Each contiguous run gets a row. libomptarget has rows for storage with gaps, but their meaning differs between
        releases, and all releases move too little.
        """
        item = self._runs(item)
        root, itself = MappedObject(), MappedObject()
        self._add_places(item, root, itself)
        obj = root if root.places or root.cells else itself
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
            if not step.is_consecutive or not all(is_whole(self.sema, inner, kind, locator) for inner, kind in after):
                break
            keep = i
        variable = self.names.variable(item.symbol)
        single, loops = list(steps), list(item.loops)
        for i in sections:
            if i >= keep:
                break
            step = single[i]
            assert isinstance(step, HostSection)
            prefix = reached(item.root(variable), single[:i], locator)
            single[i], loop = section_loop(self, step, dimensions[i], prefix, len(loops), locator)
            if loop is not None:
                loops.append(loop)
        return replace(item, steps=tuple(single), loops=tuple(loops))

    def element(self, item: MapItem) -> CType:
        """The type of one element of the storage that an item names, or the item's own type if it has no section."""
        return stepped_types(item)[1]

    def dimensions(self, item: MapItem) -> list[CType]:
        """The types that the steps of an item apply to."""
        return stepped_types(item)[0]

    # -- rows ---------------------------------------------------------------------------------------------------

    def _emit_root(self, symbol: Symbol, base: HostExpression, root: MappedObject) -> None:
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

    def _emit_target(self, cell: Place, target: MappedObject, parent: int) -> None:
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

    def _row(self, base: HostExpression, place: Place, flags: int) -> MapRow:
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


def _moves(place: Place) -> bool:
    """Whether a part needs a row of its own, beside the row of the storage around it."""
    return bool(place.flags & ~(MAP_IMPLICIT | MAP_CLOSE))


def _held(root: MappedObject) -> int:
    """The bit of ``ompx_hold``: as in clang, one part with it holds the storage of all parts."""
    return MAP_OMPX_HOLD if any(place.flags & MAP_OMPX_HOLD for place in root.places) else 0


def _member_of(row: int) -> int:
    return row << MEMBER_OF_SHIFT


def _holds(outer: Place, inner: Place) -> bool:
    """Whether one place is known to lie in another one of the same object."""
    if None in (outer.offset, outer.bytes, inner.offset, inner.bytes):
        return False
    first, end = outer.offset or 0, (outer.offset or 0) + (outer.bytes or 0)
    return first <= (inner.offset or 0) and (inner.offset or 0) + (inner.bytes or 0) <= end


def _hull(base: HostExpression, obj: MappedObject, flags: int, note: RowNote, loops: tuple[RowLoop, ...]) -> MapRow:
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
        raise error_at(locator.span, f"the stride of '{locator.text}' is not positive", SECTIONS)
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
        raise error_at(locator.span, f"the length of '{locator.text}' must be given: its extent is not known", SECTIONS)
    element = Variable(mapper.names.generated.fresh(f"__rex_element_{number}"))
    index = element if stride.value == 1 else Binary("*", element, stride)
    index = index if low.value == 0 else Binary("+", low, index)
    return HostIndex(index), RowLoop("long long", element.name, ZERO, count)


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
