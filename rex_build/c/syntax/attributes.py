"""To which definitions, declarators and names of types the attributes of a unit belong.

The parser sees no attributes, but it notes between which tokens every declaration stands (:class:`Extent`). An
attribute belongs to the innermost extent around it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from pycparser import c_ast

from ...base.records import dataclass, field
from ..source.gnu_text import AttributeList

_DEFINITIONS = (c_ast.Struct, c_ast.Union, c_ast.Enum)
_QUALIFIERS = frozenset(("const", "volatile", "restrict", "_Atomic"))

Position = tuple[int, int]  # (line, column) in the preprocessed text
_Lists = tuple[AttributeList, ...]


class Place(Enum):
    """Where attributes stand in a declaration, as seen from one of its declarators.

    An example with all places: ``FRONT int SPECIFIERS x NAME [2] DECLARATOR, DECLARATOR * POINTER y;``.
    """

    FRONT = "before everything else"
    SPECIFIERS = "among the specifiers or behind them"
    NAME = "right behind the name"
    DECLARATOR = "behind the declarator, or between a comma and the declarator"
    POINTER = "between the last asterisk and the name of a pointer"
    INSIDE = "elsewhere in the declarator"


@dataclass(frozen=True)
class Placed:
    """A list of attributes of a declaration and its place."""

    attributes: AttributeList
    place: Place


class Extent:
    """Where a definition, a name of a type or a declaration stands, as numbers of tokens.

    It begins at the token ``first``, and ``end`` is the token behind it. ``node`` is a definition or the name of a
    type, and None for a declaration. A declaration has the token behind its ``specifiers``, and its ``declarators``.
    ``starts`` are the tokens at which these begin, after their commas.
    """

    __slots__ = ("declarators", "end", "first", "node", "specifiers", "starts")

    def __init__(
        self,
        first: int,
        end: int,
        node: c_ast.Node | None,
        specifiers: int = 0,
        declarators: Sequence[c_ast.Node] = (),
        starts: Sequence[int] = (),
    ) -> None:
        self.first = first
        self.end = end
        self.node = node
        self.specifiers = specifiers
        self.declarators = declarators
        self.starts = starts


@dataclass(frozen=True)
class Attributes:
    """The attributes of a unit by the nodes to which they belong. The keys are places of nodes."""

    definitions: Mapping[Position, _Lists] = field(default_factory=dict)  # of structures, unions and enumerations
    typedefs: Mapping[Position, _Lists] = field(default_factory=dict)  # of the first name of a definition without a tag
    declarators: Mapping[Position, tuple[Placed, ...]] = field(default_factory=dict)
    type_names: Mapping[Position, _Lists] = field(default_factory=dict)


def place_of(node: c_ast.Node) -> Position | None:
    """A node's place, which is the key of its attributes, or None if it has no place in the user's text."""
    coord = node.coord
    return (coord.line, coord.column or 1) if coord is not None and coord.file else None


def declared_place(node: c_ast.Node) -> Position | None:
    """The place of the name that a declarator declares, or of an unnamed member's structure, or None."""
    while not isinstance(node, c_ast.TypeDecl | c_ast.Struct | c_ast.Union):
        node = getattr(node, "type", None)
        if node is None:
            return None
    return place_of(node)


def type_name_place(node: c_ast.Typename) -> Position | None:
    """The place of the specifier in the name of a type."""
    inner = node.type
    while not isinstance(inner, c_ast.TypeDecl):
        inner = inner.type
    return place_of(inner.type)


def belonging(
    lists: Sequence[tuple[Position, AttributeList]], tokens: Sequence[Any], extents: Sequence[Extent]
) -> Attributes:
    """The attributes of a unit, from its ``lists`` of attributes with their places, both in the order of the text.

    ``extents`` are in the order of their ends, inner ones first.
    """
    definitions: dict[Position, _Lists] = {}
    typedefs: dict[Position, _Lists] = {}
    declarators: dict[Position, tuple[Placed, ...]] = {}
    type_names: dict[Position, _Lists] = {}
    for position, attributes in lists:
        behind = _token_at(tokens, position)  # the token in front of which the attributes stand
        extent = _around(behind, extents)
        if extent is None:
            continue
        if extent.node is None:
            for node, place in _in_declaration(behind, extent, tokens):
                if (name := declared_place(node)) is not None:
                    declarators[name] = (*declarators.get(name, ()), Placed(attributes, place))
                if place in (Place.NAME, Place.DECLARATOR) and (definition := _named_definition(node, extent)):
                    typedefs[definition] = (*typedefs.get(definition, ()), attributes)
        elif isinstance(extent.node, c_ast.Typename):
            if (key := type_name_place(extent.node)) is not None:
                type_names[key] = (*type_names.get(key, ()), attributes)
        elif behind in (extent.first + 1, extent.end) and (key := place_of(extent.node)) is not None:
            definitions[key] = (*definitions.get(key, ()), attributes)
    return Attributes(definitions, typedefs, declarators, type_names)


def _token_at(tokens: Sequence[Any], position: Position) -> int:
    """The number of the first token at or behind a position."""
    end = len(tokens) - (tokens[-1] is None) if tokens else 0  # the parser notes the end of the text, too
    return bisect_left(tokens, position, 0, end, key=lambda token: (token.lineno, token.column))


def _around(behind: int, extents: Sequence[Extent]) -> Extent | None:
    """The innermost extent around the attributes in front of a token."""
    for extent in extents[bisect_left(extents, behind, key=lambda extent: extent.end) :]:
        # Attributes in front of a definition's keyword belong to the declaration.
        if extent.first < behind or (extent.first == behind and not isinstance(extent.node, _DEFINITIONS)):
            return extent
    return None


def _in_declaration(behind: int, extent: Extent, tokens: Sequence[Any]) -> Iterable[tuple[c_ast.Node, Place]]:
    """The declarators to which attributes in front of the token ``behind`` belong."""
    if behind <= extent.specifiers:
        place = Place.FRONT if behind == extent.first else Place.SPECIFIERS
        return [(node, place) for node in extent.declarators]
    nth = bisect_right(extent.starts, behind) - 1
    first, node = extent.starts[nth], extent.declarators[nth]
    position = declared_place(node)
    name = _token_at(tokens, position) if position is not None else first
    if behind == name + 1:
        return [(node, Place.NAME)]
    if behind > name or behind == first:
        return [(node, Place.DECLARATOR)]
    before = behind - 1
    while tokens[before].value in _QUALIFIERS:
        before -= 1
    is_last = tokens[before].value == "*" and all(t.value in _QUALIFIERS for t in tokens[behind:name])
    is_plain = tokens[name + 1].value not in ("[", "(")
    return [(node, Place.POINTER if is_last and is_plain else Place.INSIDE)]


def _named_definition(node: c_ast.Node, extent: Extent) -> Position | None:
    """The place of the definition without a tag to which a typedef gives the first name."""
    plain = [d for d in extent.declarators if isinstance(d.type, c_ast.TypeDecl)]
    definition = node.type.type if isinstance(node, c_ast.Typedef) and plain and plain[0] is node else None
    is_definition = isinstance(definition, c_ast.Struct | c_ast.Union) and definition.name is None
    return place_of(definition) if is_definition else None
