"""Maps data: makes rows of the offload arrays from list items."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType

from ..base.diagnostics import error_at
from ..base.records import replace
from ..directives import model
from ..directives.model import Expr, Locator
from ..plan.constructs import Entity
from ..plan.host_expression import ONE, ZERO, Binary, Cast, HostExpression, SizeOf, Variable, element_count
from ..plan.rows import Adjustment, DataMapping, Map, MapRow, Parameter, Role, RowLoop, RowNote, Temporary
from ..tree.types import Array, Pointer, Type
from .list_items import SECTIONS, HostIndex, HostSection, HostStep, ListItems, MapItem
from .mapped_objects import MappedObject, ObjectRows, Place, adjusted, following, hull, pointer_to
from .places import add_places, is_whole, reached, stepped_types
from .queries import FACTS, LIMITS, TEAM_LIMITS, Asked


class KernelRows(ObjectRows):
    """Builds rows; for ``may_carry`` see :class:`ObjectRows`. ``fresh`` gives names to variables of the launch."""

    def __init__(self, fresh: Callable[[str], str], *, may_carry: bool) -> None:
        super().__init__(may_carry=may_carry)
        self._fresh = fresh
        self.temporaries: list[Temporary] = []
        self.supplied: list[Parameter] = []

    def finish(self) -> DataMapping:
        supplied = sorted(self.supplied, key=lambda parameter: parameter.row)
        return DataMapping(tuple(self.rows), tuple(self.temporaries), tuple(supplied))

    def supply(self, role: Role, name: str = "", symbol: Entity | None = None, row: int | None = None) -> None:
        """Let a row, the newest one if none is given, supply a parameter of the kernel."""
        name = name or (symbol.name if symbol is not None else role.value)
        self.supplied.append(Parameter(role, name, len(self.rows) - 1 if row is None else row, symbol))

    def by_value(self, symbol: Entity, value: HostExpression, flags: int, why: str) -> None:
        """The value of a variable, of at most 8 bytes."""
        flags |= Map.TARGET_PARAM | Map.LITERAL
        self.rows.append(MapRow(value, value, SizeOf(value), flags, RowNote(why, symbol.name), literal=True))
        self.supply(Role.VARIABLE, symbol=symbol)

    def computed(self, name: str, note: RowNote) -> None:
        """A row for a value of 8 bytes that the launch computes into a variable."""
        variable, flags = Variable(self._fresh(name)), Map.TARGET_PARAM | Map.LITERAL | Map.IMPLICIT
        self.rows.append(MapRow(variable, variable, SizeOf(variable), flags, note, literal=True))

    def word(self, role: Role, what: str) -> None:
        """A parameter that the launch computes into a variable of the role's name."""
        self.computed(role.value, RowNote("", what))
        self.supply(role)

    def answers(self, asked: Asked, *, shape: bool) -> None:
        """The parameters for what the kernel asks: the launch shape, what only the host knows, the limits of teams."""
        if shape:
            self.word(Role.LAUNCH_SHAPE, "launch shape")
        if asked.may(FACTS):
            self.word(Role.NUM_DEVICES, "number of devices")
            self.word(Role.DEVICE_NUM, "device number")
            self.word(Role.NUM_PROCS, "number of processors")
        if asked.may(LIMITS):
            value, flags = Variable(TEAM_LIMITS), Map.TO | Map.FROM | Map.ALWAYS | Map.TARGET_PARAM
            begin = Cast("void *", value)
            self.rows.append(MapRow(begin, begin, SizeOf(value), flags, RowNote("", "limits of teams")))
            self.supply(Role.LIMITS)

    def partials(self) -> None:
        """The memory for partial results, which the last block, or thread, combines with the originals."""
        partials, size = (Variable(self._fresh(f"{Role.PARTIALS.value}{end}")) for end in ("", "_size"))
        value, flags = Cast("void *", partials), Map.TO | Map.TARGET_PARAM
        self.rows.append(MapRow(value, value, size, flags, RowNote("", "partial results"), constant_size=False))
        self.supply(Role.PARTIALS)


_ENTERING = ("target data", "target enter data")


class Mapper(KernelRows):
    """Builds the rows of one construct.

    - ``links`` are variables that device code reaches through a pointer, each with its name.
    - ``declared`` are other variables of the device.
    - ``stored`` are pointers that data constructs may map themselves.
    """

    def __init__(
        self, items: ListItems, construct: str, fresh: Callable[[str], str] = str, *, may_carry: bool = False,
        links: Mapping[Entity, str] = MappingProxyType({}), declared: Collection[Entity] = (),
        stored: Collection[Entity] = (),
    ) -> None:  # fmt: skip
        super().__init__(fresh, may_carry=may_carry)
        self.items, self._construct = items, construct
        self.links, self._declared, self._stored = links, declared, stored
        self._hoisted: dict[HostExpression, Variable] = {}

    def add_functions(self, table: str) -> None:
        """Bring the host's addresses of the functions that pointers may mean."""
        host = Variable(table)
        note = RowNote("", "addresses of indirect functions")
        self.rows.append(MapRow(host, host, SizeOf(host), Map.TO | Map.ALWAYS, note))

    def new_name(self, name: str) -> str:
        """A name for a variable of the launch."""
        return self._fresh(name)

    # -- the user's expressions ---------------------------------------------------------------------------------

    def item(self, locator: Locator, flags: int, note: RowNote, loops: tuple[RowLoop, ...] = ()) -> MapItem:
        """The item that a clause's list item means."""
        symbol, kind, steps = self.items.begin(locator)
        shape = tuple(self.expression(length, loops) for length in locator.shape)
        variable = self.items.variable(symbol)
        return MapItem(locator, symbol, variable, kind, flags, note, loops, self.steps(steps, loops), shape)

    def steps(
        self, steps: Iterable[model.Step], loops: tuple[RowLoop, ...], names: Mapping[str, HostExpression] | None = None
    ) -> tuple[HostStep, ...]:
        """The steps of a list item; for ``loops`` and ``names`` see :meth:`expression`."""

        def expression(expr: Expr | None) -> HostExpression | None:
            return None if expr is None else self.expression(expr, loops, names)

        found: list[HostStep] = []
        for step in steps:
            if isinstance(step, model.Index):
                found.append(HostIndex(self.expression(step.expr, loops, names)))
            elif isinstance(step, model.Section):
                lower, length, stride = map(expression, (step.lower, step.length, step.stride))
                found.append(HostSection(lower, length, stride, step.length))
            else:
                found.append(step)
        return tuple(found)

    def expression(
        self, expr: Expr, loops: tuple[RowLoop, ...] = (), names: Mapping[str, HostExpression] | None = None
    ) -> HostExpression:
        """A clause's expression for use in the arrays. One with side effects is evaluated once, before the arrays.

        ``loops`` are the loops around the rows. For the clauses of mappers, ``names`` says what some names mean.
        """
        found = self.items.value(expr, names)
        if self.items.is_pure(expr, repeated=bool(loops)):
            return found
        if loops:
            raise error_at(expr.span, f"'{expr.text}' has side effects, and is evaluated once per iteration", SECTIONS)
        if found not in self._hoisted:
            name = self.new_name(f"__rex_section_{len(self._hoisted)}")
            self._hoisted[found] = Variable(name)
            self.temporaries.append(Temporary("long long", name, found))
        return self._hoisted[found]

    # -- whole constructs ---------------------------------------------------------------------------------------

    def map_symbol(self, symbol: Entity, items: Collection[MapItem], parameter: int = 0) -> None:
        """Add the rows for everything that is mapped of one variable. For ``parameter`` see :meth:`add_object`."""
        root, itself = MappedObject(), MappedObject()
        for item in items:
            add_places(self.items, item, symbol in self.links, root, itself)
        is_pointer = any(isinstance(item.type, Pointer) or item.shape for item in items)
        variable = self.items.variable(symbol)
        value, address, size = Cast("void *", variable), pointer_to(variable), SizeOf(variable)
        if symbol in self.links:
            # Device code reaches the variable through a pointer of ours, so its row always has this pointer as parent.
            pointer = pointer_to(Variable(self.links[symbol]))
            cell = Place(pointer, SizeOf("void *"), True, None, None, 0, RowNote("link", symbol.name))
            root.places[:0] = itself.places
            self.add_target(cell, root, 0)
        elif symbol in self._declared and is_pointer and (root.places or root.cells):
            if itself.places:
                self._emit_root(symbol, address, itself, parameter)
            cell = Place(address, size, True, 0, 8, 0, RowNote("declare target", symbol.name))
            self.add_target(cell, root, 0)
        elif itself.places and (root.places or root.cells):
            cell = Place(address, size, True, 0, 8, 0, RowNote("target of the pointer", symbol.name))
            self._emit_root(symbol, address, MappedObject(itself.places, {(variable, ()): (cell, root)}), parameter)
        elif root.places or root.cells:
            through = is_pointer or any(isinstance(item.type, Array) for item in items)
            self._emit_root(symbol, value if through else address, root, parameter)
        elif itself.places:
            self._emit_root(symbol, address, itself, parameter)

    def map_parameter(self, symbol: Entity, items: Collection[MapItem]) -> None:
        """Add the rows of a variable of which the kernel gets the address."""
        row = len(self.rows)
        self.map_symbol(symbol, items, Map.TARGET_PARAM)
        self.supply(Role.VARIABLE, symbol=symbol, row=row)

    def _emit_root(self, symbol: Entity, base: HostExpression, root: MappedObject, parameter: int) -> None:
        flags = {place.flags for place in root.places}
        if parameter and len(root.places) > 1 == len(flags) and not root.cells and min(flags) & Map.IMPLICIT:
            row = hull(base, root, min(flags) | parameter, RowNote("implicit map", f"parts of {symbol.name}"), ())
            self.rows.append(following(adjusted(row, Adjustment.STAND_IN), root))
            return
        variable, is_exit = self.items.variable(symbol), self._construct == "target exit data"
        stored = symbol in self._stored and base == Cast("void *", variable)
        stored = stored and bool(root.places) and not any(place.loops for place in root.places)
        self.add_object(
            base, root, symbol.name, parameter,
            carries=is_exit or self._construct in _ENTERING,
            attach=pointer_to(variable) if stored and not is_exit else None,
        )  # fmt: skip

    def update(self, item: MapItem) -> None:
        """Add the rows of one list item of ``target update``. Nothing is mapped, so these rows have no parents.

        Each contiguous run gets a row. libomptarget has rows for storage with gaps, but their meaning differs between
        releases, and all releases move too little.
        """
        item = self._runs(item)
        root, itself = MappedObject(), MappedObject()
        add_places(self.items, item, item.symbol in self.links, root, itself)
        obj = root if root.places or root.cells else itself
        while obj.cells:
            (_, obj), *_ = obj.cells.values()
        direct = all(isinstance(step, (HostIndex, HostSection)) for step in item.steps)
        direct = direct and obj is root and not item.locator.shape
        whole = direct and isinstance(item.type, Pointer | Array)
        for place in obj.places:
            base = Cast("void *", item.variable) if whole else place.pointer
            self.rows.append(self.row(base, place, item.flags))

    def _runs(self, item: MapItem) -> MapItem:
        """The item, with a loop for each section that leaves gaps between the rows of the next dimension."""
        locator, steps = item.locator, item.steps
        dimensions, _ = stepped_types(self.items, item)
        sections = [i for i, step in enumerate(steps) if isinstance(step, HostSection)]
        keep = len(steps)  # the sections from here on make one contiguous run
        for i in reversed(sections):
            step = steps[i]
            assert isinstance(step, HostSection)
            after = zip(steps[i + 1 :], dimensions[i + 1 :], strict=True)
            if not step.is_consecutive or not all(is_whole(self.items, inner, kind) for inner, kind in after):
                break
            keep = i
        single, loops = list(steps), list(item.loops)
        for i in sections:
            if i >= keep:
                break
            step = single[i]
            assert isinstance(step, HostSection)
            prefix = reached(item.root, single[:i], locator)
            single[i], loop = section_loop(self, step, dimensions[i], prefix, len(loops), locator)
            if loop is not None:
                loops.append(loop)
        return replace(item, steps=tuple(single), loops=tuple(loops))


def section_loop(
    mapper: Mapper, section: HostSection, dimension: Type, prefix: HostExpression, number: int, locator: Locator
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
    element = Variable(mapper.new_name(f"__rex_element_{number}"))
    index = element if stride.value == 1 else Binary("*", element, stride)
    index = index if low.value == 0 else Binary("+", low, index)
    return HostIndex(index), RowLoop("long long", element.name, ZERO, count)


def iterator_loops(rows: Mapper, iterators: Iterable[model.Iterator]) -> tuple[RowLoop, ...]:
    """The loops that an iterator modifier means (OpenMP 5.2, section 3.2.6)."""
    loops: list[RowLoop] = []
    for one in iterators:
        loops.append(iterator_loop(one, one.name, rows.items.value))
    return tuple(loops)


def iterator_loop(one: model.Iterator, name: str, expression: Callable[[Expr], HostExpression]) -> RowLoop:
    """The loop of one iterator, whose variable is called ``name``."""
    step = ONE if one.step is None else expression(one.step)
    if step.value == 0 and one.step is not None:
        raise error_at(one.step.span, "the step of an iterator is zero", "OpenMP 5.2, section 3.2.6: iterators")
    return RowLoop(one.type_text, name, expression(one.begin), expression(one.end), step)
