"""Expands ``declare mapper``: list items of a type with a mapper become items for its parts, before rows are made.

The expansion is done at compile time, so the runtime's mapper functions are not needed. A section of several elements
becomes loops around the rows of one element. Source: OpenMP 5.2, sections 5.8.2 (mapper modifier) and 5.8.8 (declare
mapper).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.records import replace
from ..directives.model import Clause, Directive, Iterator, ListClause, Locator, MapClause
from ..directives.parser import check_lowered
from ..plan.constructs import Entity
from ..plan.host_expression import HostExpression, Variable
from ..plan.rows import Map, RowLoop, RowNote, combined_flags, map_flags
from ..tree.types import Array, Type, element_of
from .list_items import DeclaredMapper, HostSection, HostStep, MapItem
from .mapping import Mapper, iterator_loop, iterator_loops, section_loop
from .places import reached, stepped_types

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
