"""``declare mapper`` (OpenMP 5.2, section 5.8.8): what a list item of a class stands for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.records import replace
from ..directives.model import Expr, Index, ListClause, Locator, MapClause, Section, Step
from ..directives.parser import refuse_unsupported
from ..plan.host_expression import ZERO
from ..plan.rows import MAP_FROM, MAP_TO, RowLoop, RowNote, combined_flags, map_flags
from .code import UserMapper, Variable
from .mapping import ELEMENT, Item, ListReader, written
from .type_names import endings, is_named
from .unit import Unit

_SECTION = "OpenMP 5.2, section 5.8.8: declare mapper directive"
_DECLARATION = regex(r"\s*(?:(?P<name>\w+)\s*:(?!:)\s*)?(?:struct\s+|class\s+)?(?P<type>.+?)\s*\b(?P<variable>\w+)\s*$")
_DEEPEST = 20


def declared_mappers(unit: Unit) -> dict[tuple[str, str], list[UserMapper]]:
    """The mappers that the unit declares, by the texts of their types and by their names.

    Raises InputError for those that are not supported.
    """
    found: dict[tuple[str, str], list[UserMapper]] = {}
    for construct in unit.constructs:
        directive = construct.directive
        if directive.name != "declare mapper":
            continue
        refuse_unsupported(directive)
        match = _DECLARATION.match(directive.argument_text or "")
        if match is None:
            raise error_at(directive.span, "expected '[name :] type variable' in 'declare mapper'", _SECTION)
        if unit.scope_at(construct.start)[1] or unit.function_at(construct.start) is not None:
            raise error_at(directive.span, "'declare mapper' in a class or a function is not supported in C++")
        kind = unit.record_named(match["type"]) or (match["type"] if "<" in match["type"] else "")
        if not kind:
            raise error_at(directive.span, f"'{match['type']}' is not a class of this unit", _SECTION)
        mapper = UserMapper(match["name"] or "default", kind, match["variable"], construct)
        found.setdefault((endings(kind)[0].removeprefix("::"), mapper.name), []).append(mapper)
    return found


def clause_items(reader: ListReader, clauses: Iterable[Any]) -> list[Item]:
    """The items of ``map`` clauses, and of the ``to`` and ``from`` clauses of ``target update``."""
    found = []
    for clause in clauses:
        motion = isinstance(clause, ListClause) and clause.name in ("to", "from")
        if not motion and not isinstance(clause, MapClause):
            continue
        if clause.iterators:
            raise error_at(clause.span, f"an iterator in '{clause.name}' is not supported in C++")
        how = clause.name if motion else clause.map_type
        flags = map_flags(how, clause.modifiers)
        for locator in clause.items:
            found += expanded(reader, locator, flags, how, clause.mapper, motion=motion)
    return found


def expanded(
    reader: ListReader, locator: Locator, flags: int, how: str, name: str | None = None, *, motion: bool = False,
    depth: int = 0, loops: tuple[RowLoop, ...] = (),
) -> list[Item]:  # fmt: skip
    """The items that a list item stands for: itself, if no mapper applies. ``loops`` are those around it."""
    item = replace(reader.item(locator, flags, how), loops=loops)
    mapper = mapper_for(reader.unit, item.kind, name or "default", reader.place)
    if mapper is None:
        if name is not None and name != "default":
            raise error_at(locator.span, f"no mapper '{name}' for the type of '{locator.text}'", _SECTION)
        return [item]
    if depth > _DEEPEST:
        raise error_at(locator.span, f"the mappers of '{locator.text}' lead into each other", _SECTION)
    element, inner_loops = _element(reader, locator, item)
    begin = reader.item(element, flags, how).begin
    whole, parts = flags & ~(MAP_TO | MAP_FROM), list[Item]()
    for clause in mapper.construct.directive.clauses:
        if not isinstance(clause, MapClause):
            continue
        if clause.iterators:
            raise error_at(clause.span, "an iterator in a mapper is not supported in C++")
        own = combined_flags(flags, clause.map_type, clause.modifiers)
        for part in clause.items:
            if part.name != mapper.variable:
                raise error_at(part.span, f"'{part.name}' is not the mapper's variable", _SECTION)
            if not part.steps:
                whole = own
                continue
            steps = tuple(_renamed(step, mapper.variable, begin) for step in part.steps)
            text = f"{locator.text} by mapper: {part.text}"
            inner = Locator(locator.name, (*element.steps, *steps), text, locator.span)
            parts += expanded(
                reader, inner, own, how, clause.mapper, motion=motion, depth=depth + 1, loops=inner_loops
            )
    if motion:
        found = [replace(item, flags=whole), *parts]
        return [one for one in found if one.flags & (MAP_TO | MAP_FROM)]
    return [replace(item, flags=whole), *parts]


def _element(reader: ListReader, locator: Locator, item: Item) -> tuple[Locator, tuple[RowLoop, ...]]:
    """(one element of a list item, the loops over all its elements, with those around the item)"""
    loops, steps = list(item.loops), list(locator.steps)

    def one(low: str, length: str) -> Index:
        name = f"{ELEMENT}{len(loops)}"
        loops.append(RowLoop("long long", name, ZERO, written(length)))
        return Index(Expr(name if low == "0" else f"{low} + {name}", None, locator.span))

    sections = (place for place, step in enumerate(steps) if isinstance(step, Section))
    for place, section in zip(sections, item.sections, strict=True):
        steps[place] = one(*section)
    kind = item.kind
    while kind.kind == reader.unit.types.CONSTANTARRAY:
        steps.append(one("0", str(kind.element_count)))
        kind = kind.element_type.get_canonical()
    return replace(locator, steps=tuple(steps)), tuple(loops)


def implicit_items(reader: ListReader, variable: Variable, flags: int) -> list[Item]:
    """The items of a variable that no clause names and whose class has a default mapper; else none."""
    if mapper_for(reader.unit, reader.type_of(variable), "default", reader.place) is None:
        return []
    locator = Locator(variable.name, (), variable.name, reader.unit.span(reader.place))
    found = expanded(reader, locator, flags, "implicit map")
    return [replace(one, note=RowNote("implicit map", one.note.name)) for one in found]


def mapper_for(unit: Unit, kind: Any, name: str, place: int) -> UserMapper | None:
    """The mapper for a class, or for the elements of an array."""
    if not unit.mappers or kind is None:
        return None
    while kind.kind == unit.types.CONSTANTARRAY:
        kind = kind.element_type.get_canonical()
    text = unit.type_of(kind).text
    found = (m for ending in endings(text) for m in unit.mappers.get((ending, name), ()))
    same = [m for m in found if is_named(text, m.type) and m.construct.start < place]
    return max(same, key=lambda m: m.construct.start, default=None)


def _renamed(step: Step, variable: str, text: str) -> Step:
    """A step of a mapper's list item, with the item itself in place of the mapper's variable."""

    def expression(expr: Expr | None) -> Expr | None:
        if expr is None:
            return None
        return replace(expr, text=re.sub(rf"(?<![\w.>:]){re.escape(variable)}\b", f"({text})", expr.text))

    if isinstance(step, Index):
        found = expression(step.expr)
        assert found is not None
        return Index(found)
    if isinstance(step, Section):
        return Section(expression(step.lower), expression(step.length), expression(step.stride))
    return step
