"""Maps data: makes rows of the offload arrays from list items.

List items of a type with a mapper (``declare mapper``) become items for its parts before. That is done at compile time,
so the runtime's mapper functions are not needed. A section of several elements becomes loops around the rows of one
element. Source: OpenMP 5.2, sections 5.8.2 (mapper modifier) and 5.8.8 (declare mapper).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.records import replace
from ..directives import model
from ..directives.model import Clause, Directive, Expr, Iterator, ListClause, Locator, MapClause
from ..directives.parser import check_lowered
from ..plan.constructs import Entity
from ..plan.host_expression import ONE, ZERO, Binary, Cast, HostExpression, SizeOf, Variable, element_count
from ..plan.rows import (
    Adjustment,
    DataMapping,
    Map,
    MapRow,
    Parameter,
    Role,
    RowLoop,
    RowNote,
    Temporary,
    combined_flags,
    map_flags,
)
from ..tree.types import Array, Pointer, Type, element_of
from .list_items import SECTIONS, DeclaredMapper, HostIndex, HostSection, HostStep, ListItems, MapItem
from .mapped_objects import MappedObject, ObjectRows, Place, adjusted, following, hull, pointer_to
from .places import add_places, is_whole, reached, stepped_types
from .queries import FACTS, LIMITS, TEAM_LIMITS, Asked

ENTERING = ("target data", "target enter data")
_SECTION = "OpenMP 5.2, section 5.8.8: declare mapper"
_DECLARATION = regex(r"\s*(?:(?P<name>\w+)\s*:(?!:))?\s*(?P<type>.+?)\s*\b(?P<variable>[A-Za-z_]\w*)\s*$", re.DOTALL)
_MOVES = Map.TO | Map.FROM
_DEEPEST = 8  # mappers that use mappers nest at most this deep: beyond, a type is taken to contain itself


class MapperTable:
    """The mappers of a unit. ``key_of`` gives a type's key, which types that may be the same have."""

    def __init__(
        self, mappers: Iterable[DeclaredMapper] = (), key_of: Callable[[Any], Hashable] = lambda kind: kind
    ) -> None:
        self.mappers = tuple(mappers)
        self._by_type: dict[tuple[Hashable, str], list[DeclaredMapper]] = {}
        for mapper in self.mappers:
            self._by_type.setdefault((key_of(mapper.type), mapper.name), []).append(mapper)

    def find(
        self, keys: Iterable[Hashable], name: str, place: int, is_type: Callable[[Any], bool] = lambda _: True
    ) -> DeclaredMapper | None:
        """The innermost mapper called ``name`` for a type, of those that are visible at a place."""
        found = (mapper for key in keys for mapper in self._by_type.get((key, name), ()))
        visible = (mapper for mapper in found if mapper.start < place < mapper.end and is_type(mapper.type))
        return max(visible, key=lambda mapper: mapper.start, default=None)


def declared_mapper(construct: Any, end: int, type_of: Callable[[str], Any]) -> DeclaredMapper:
    """The mapper that a construct declares, visible up to ``end``. ``type_of`` gives the class that a text names, or
    None.

    Raises InputError if it is malformed."""
    directive: Directive = construct.directive
    check_lowered(directive)
    match = _DECLARATION.match(directive.argument_text or "")
    if match is None:
        raise error_at(directive.span, "expected '[name :] type variable' in 'declare mapper'", _SECTION)
    kind = type_of(match["type"].strip())
    if kind is None:
        raise error_at(directive.span, f"'{match['type'].strip()}' is not a structure or union type", _SECTION)
    start = construct.start
    return DeclaredMapper(name_of(directive), kind, match["variable"], directive, construct, start, end)


def name_of(directive: Directive) -> str:
    """The name of the mapper that a directive declares."""
    match = _DECLARATION.match(directive.argument_text or "")
    return (match["name"] if match is not None else None) or "default"


def clause_items(rows: Mapper, clauses: Iterable[Clause]) -> list[MapItem]:
    """The list items of ``map`` clauses, and of ``to`` and ``from`` clauses of ``target update``, with their flags.

    Those of a type with a mapper are expanded."""
    items: list[MapItem] = []
    for clause in clauses:
        motion = isinstance(clause, ListClause) and clause.name in ("to", "from")
        if not motion and not isinstance(clause, MapClause):
            continue
        assert isinstance(clause, ListClause | MapClause)
        how = clause.map_type if isinstance(clause, MapClause) else clause.name
        flags = map_flags(how, clause.modifiers)
        loops = iterator_loops(rows, clause.iterators)
        for locator in clause.items:
            item = rows.item(locator, flags, RowNote(how, locator.text), loops)
            items += expanded(rows, item, clause.mapper, motion=motion)
    return items


def implicit_items(rows: Mapper, locator: Locator, flags: int) -> list[MapItem]:
    """The items of a variable that no clause names and whose type has a default mapper; else none."""
    item = rows.item(locator, flags | Map.IMPLICIT, RowNote("implicit map", locator.name))
    found = expanded(rows, item)
    return found if found != [item] else []


def by_symbol(items: Iterable[MapItem]) -> dict[Entity, list[MapItem]]:
    """What is mapped of each variable."""
    found: dict[Entity, list[MapItem]] = {}
    for item in items:
        found.setdefault(item.symbol, []).append(item)
    return found


def expanded(
    rows: Mapper, item: MapItem, name: str | None = None, *, motion: bool = False,
    outer: tuple[DeclaredMapper, ...] = (),
) -> list[MapItem]:  # fmt: skip
    """The items that stand for ``item``: itself, if no mapper applies.

    ``name`` is the mapper that the clause names. With ``motion`` the item belongs to ``target update``, which moves
    parts and maps no storage. Raises InputError for an unknown mapper.
    """
    _, kind = stepped_types(rows.items, item)
    mapper = rows.items.mapper(element_of(kind), name or "default", item.locator)
    if mapper is None:
        if name is not None and name != "default":
            raise error_at(item.locator.span, f"no mapper '{name}' for the type of '{item.locator.text}'", _SECTION)
        return [item]
    if len(outer) >= _DEEPEST:
        raise error_at(item.locator.span, f"the mappers of '{item.locator.text}' lead into each other", _SECTION)
    if (hidden := rows.items.hidden(mapper)) is not None:
        what = f"the mapper of '{item.locator.text}' uses '{hidden}', which a local variable hides here"
        raise error_at(item.locator.span, what, _SECTION)
    steps, loops = _element(rows, item)
    out = [] if motion else [replace(item, flags=item.flags & ~_MOVES)]
    element = reached(item.root, steps, item.locator)
    for clause in mapper.directive.clauses:
        if not isinstance(clause, MapClause):
            continue
        flags = combined_flags(item.flags, clause.map_type, clause.modifiers)
        meant, around = _iterations(rows, clause.iterators, {mapper.variable: element}, loops)
        for part in clause.items:
            if part.name != mapper.variable:
                raise error_at(part.span, f"'{part.name}' is not the mapper's variable", _SECTION)
            note = RowNote(item.note.how, f"{item.note.name} by mapper: {part.text}")
            if not part.steps:  # the element as a whole, to which its own mapper is not applied again
                out.append(replace(item, flags=flags, note=note))
                continue
            locator = Locator(item.locator.name, (*item.locator.steps, *part.steps), str(note), item.locator.span)
            inner = (*steps, *rows.steps(part.steps, around, meant))
            new = replace(item, locator=locator, flags=flags, note=note, loops=around, steps=inner)
            out += expanded(rows, new, clause.mapper, motion=motion, outer=(*outer, mapper))
    return [one for one in out if one.flags & _MOVES] if motion else out


def _element(rows: Mapper, item: MapItem) -> tuple[tuple[HostStep, ...], tuple[RowLoop, ...]]:
    """The steps to one element of an item, and the loops over all its elements."""
    locator = item.locator
    steps: list[HostStep] = []
    loops = list(item.loops)
    dimensions, kind = stepped_types(rows.items, item)

    def one(section: HostSection, dimension: Type) -> None:
        prefix = reached(item.root, steps, locator)
        index, loop = section_loop(rows, section, dimension, prefix, len(loops), locator)
        steps.append(index)
        if loop is not None:
            loops.append(loop)

    for step, dimension in zip(item.steps, dimensions, strict=True):
        if isinstance(step, HostSection):
            one(step, dimension)
        else:
            steps.append(step)
    while isinstance(kind, Array):
        one(HostSection(), kind)
        kind = kind.of
    return tuple(steps), tuple(loops)


def _iterations(
    rows: Mapper, iterators: Sequence[Iterator], names: Mapping[str, HostExpression], loops: tuple[RowLoop, ...]
) -> tuple[dict[str, HostExpression], tuple[RowLoop, ...]]:
    """(what the names in a mapper's clause mean in the place of use, the loops around its items)

    Iterators get new names."""
    meant = dict(names)
    for one in iterators:
        fresh = rows.new_name(f"__rex_iterator_{len(loops)}_{one.name}")
        loops = (*loops, iterator_loop(one, fresh, lambda expr: rows.items.value(expr, meant)))
        meant[one.name] = Variable(fresh)
    return meant, loops


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
            carries=is_exit or self._construct in ENTERING,
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
