"""Expands ``declare mapper``: list items of a type with a mapper become items for its parts, before rows are made.

The expansion is done at compile time, so the runtime's mapper functions are not needed. A section of several elements
becomes loops around the rows of one element. Source: OpenMP 5.2, sections 5.8.2 (mapper modifier) and 5.8.8 (declare
mapper).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.patterns import regex
from ...base.records import dataclass, field, replace
from ...directives.contents import clause_iterators, directive_expressions
from ...directives.model import Iterator, Locator, MapClause
from ...directives.parser import check_on_device, refuse_unsupported
from ...plan.host_expression import HostExpression, Variable
from ...plan.rows import MAP_FROM, MAP_TO, RowLoop, RowNote, combined_flags
from ..sema import Sema, walk
from ..sema.ctype import Array, CType, Record, RecordInfo, strip
from ..sema.type_questions import is_array, is_record
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .host_expressions import replaced_names
from .mapping import Mapper, iterator_loop, section_loop
from .places import HostSection, HostStep, MapItem, reached

_SECTION = "OpenMP 5.2, section 5.8.8: declare mapper"
_DECLARATION = regex(r"\s*(?:(?P<name>\w+)\s*:(?!:))?\s*(?P<type>.*?[\w\s])\b(?P<variable>[A-Za-z_]\w*)\s*$", re.DOTALL)
_MOVES = MAP_TO | MAP_FROM
_DEEPEST = 8  # mappers that use mappers nest at most this deep: beyond, a type is taken to contain itself


@dataclass(frozen=True)
class DeclaredMapper:
    """One ``declare mapper``. ``name`` is ``default`` if the directive gives none."""

    name: str
    type: CType
    variable: str
    construct: OmpConstruct
    block: frozenset[int] | None = field(default=None, compare=False)  # ids of its scope's nodes; None is the file


def declared_mappers(unit: ParsedUnit, sema: Sema) -> tuple[DeclaredMapper, ...]:
    """Every mapper of a unit, in source order. Raises InputError if one is malformed."""
    found: list[DeclaredMapper] = []
    if "mapper" not in unit.pre.text:
        return ()
    for item in unit.ast.ext:
        if isinstance(item, OmpConstruct):
            if item.directive.name == "declare mapper":
                found.append(_read(sema, item, None))
            continue
        for block in walk(item) if type(item).__name__ == "FuncDef" else ():
            for node in getattr(block, "block_items", None) or ():
                if isinstance(node, OmpConstruct) and node.directive.name == "declare mapper":
                    sema.analyse(item)
                    found.append(_read(sema, node, frozenset(id(inner) for inner in walk(block))))
    return tuple(found)


def _read(sema: Sema, construct: OmpConstruct, block: frozenset[int] | None) -> DeclaredMapper:
    directive = construct.directive
    check_on_device(directive)
    refuse_unsupported(directive)
    match = _DECLARATION.match(directive.argument_text or "")
    if match is None:
        raise error_at(directive.span, "expected '[name :] type variable' in 'declare mapper'", _SECTION)
    kind = sema.named_type(construct, match["type"])
    if kind is None or not is_record(kind):
        raise error_at(directive.span, f"'{match['type'].strip()}' is not a structure or union type", _SECTION)
    return DeclaredMapper(match["name"] or "default", strip(kind), match["variable"], construct, block)


class MapperTable:
    """The mappers of a unit, and the expansion of list items by them."""

    def __init__(self, sema: Sema, mappers: Sequence[DeclaredMapper]) -> None:
        self.sema = sema
        self.mappers = tuple(mappers)
        self._blocks = {mapper.block for mapper in self.mappers if mapper.block is not None}
        self._has_global = any(mapper.block is None for mapper in self.mappers)
        self._of_types: dict[tuple[RecordInfo, str], list[DeclaredMapper]] = {}  # the last one first
        for mapper in reversed(self.mappers):
            if isinstance(mapper.type, Record):
                self._of_types.setdefault((mapper.type.info, mapper.name), []).append(mapper)

    def any_at(self, construct: OmpConstruct) -> bool:
        """Whether mappers are visible at a construct, as far as only their blocks tell."""
        return self._has_global or any(id(construct) in block for block in self._blocks)

    def find(self, construct: OmpConstruct, kind: CType, name: str) -> DeclaredMapper | None:
        """The innermost mapper called ``name`` for a type, of those that are visible at a construct."""
        wanted = strip(kind)
        for mapper in self._of_types.get((wanted.info, name), ()) if isinstance(wanted, Record) else ():
            visible = mapper.block is None or id(construct) in mapper.block
            if visible and mapper.construct.start < construct.start:
                return mapper
        return None

    def expand(self, rows: Mapper, item: MapItem, name: str | None, motion: bool = False) -> list[MapItem]:
        """The items that stand for ``item``: itself, if no mapper applies.

        ``name`` is the mapper that the clause names. With ``motion`` the item belongs to ``target update``, which moves
        parts and maps no storage. Raises InputError for an unknown mapper.
        """
        if not self.mappers and name is None:
            return [item]
        return self._expand(rows, item, name, motion, ())

    def _expand(
        self, rows: Mapper, item: MapItem, name: str | None, motion: bool, outer: tuple[DeclaredMapper, ...]
    ) -> list[MapItem]:
        construct = rows.construct
        kind = rows.element(item)
        while is_array(kind):
            kind = kind.of  # type: ignore[attr-defined]
        mapper = self.find(construct, kind, name or "default")
        if mapper is None:
            if name is not None and name != "default":
                raise error_at(item.locator.span, f"no mapper '{name}' for the type of '{item.locator.text}'", _SECTION)
            return [item]
        if len(outer) >= _DEEPEST:
            raise error_at(item.locator.span, f"the mappers of '{item.locator.text}' lead into each other", _SECTION)
        self._check_visible(mapper, construct, item)
        self._check_visible(mapper, construct, item)
        steps, loops = _element(rows, item)
        out = [] if motion else [replace(item, flags=item.flags & ~_MOVES)]
        element = reached(rows.names.variable(item.symbol), steps, item.locator)
        for clause in mapper.construct.directive.clauses:
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
                inner = rows.steps(part, around, meant)
                locator = Locator(item.locator.name, (*item.locator.steps, *part.steps), str(note), item.locator.span)
                new = MapItem(locator, item.symbol, flags, note, around, (*steps, *inner))
                out += self._expand(rows, new, clause.mapper, motion, (*outer, mapper))
        if motion:
            out = [one for one in out if one.flags & _MOVES]
        return out

    def _check_visible(self, mapper: DeclaredMapper, construct: OmpConstruct, item: MapItem) -> None:
        """Raise InputError if a name in a mapper's clauses means something else where the mapper is used."""
        directive = mapper.construct.directive
        own = {mapper.variable, *(i.name for c in directive.clauses for i in clause_iterators(c))}
        nodes = [node for e in directive_expressions(directive) for node in walk(e.node)]
        members = {node.field for node in nodes if isinstance(node, c_ast.StructRef)}
        named = [n.name for n in nodes if isinstance(n, c_ast.ID) and n.name not in own and n not in members]
        for name in named:
            if self.sema.lookup(mapper.construct, name) is not self.sema.lookup(construct, name):
                what = f"the mapper of '{item.locator.text}' uses '{name}', which a local variable hides here"
                raise error_at(item.locator.span, what, _SECTION)


def _element(rows: Mapper, item: MapItem) -> tuple[tuple[HostStep, ...], tuple[RowLoop, ...]]:
    """The steps to one element of an item, and the loops over all its elements."""
    locator = item.locator
    steps: list[HostStep] = []
    loops = list(item.loops)
    dimensions = rows.dimensions(item)

    def one(section: HostSection, dimension: CType) -> None:
        prefix = reached(rows.names.variable(item.symbol), steps, locator)
        index, loop = section_loop(rows, section, dimension, prefix, len(loops), locator)
        steps.append(index)
        if loop is not None:
            loops.append(loop)

    for step, dimension in zip(item.steps, dimensions, strict=True):
        if isinstance(step, HostSection):
            one(step, dimension)
        else:
            steps.append(step)
    kind = rows.element(item)
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
        fresh = rows.names.generated.fresh(f"__rex_iterator_{len(loops)}_{one.name}")
        loops = (*loops, iterator_loop(one, fresh, lambda expr: replaced_names(expr, meant)))
        meant[one.name] = Variable(fresh)
    return meant, loops
