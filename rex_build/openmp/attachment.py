"""Finds pointers to which sections may be attached although the section's construct does not map the pointer.

If an earlier construct has mapped the pointer variable, as in ``map(to: p)``, then ``map(to: p[0:n])`` lets it lead to
the section on the device. Only the run knows whether the pointer is on the device. The host asks if the unit cannot
tell. Source: OpenMP 5.2, section 5.8.3 (map clause), on base pointers and attached pointers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

from ..base.diagnostics import InputError
from ..directives.model import Directive, MapClause
from ..plan.constructs import Entity
from ..plan.rows import RowNote
from ..tree.types import Pointer, Record, RecordInfo, Type, end_of
from .list_items import ListItems
from .mapping import ENTERING, Mapper
from .places import stepped_types

F = TypeVar("F")


def stored_pointers(
    constructs: Iterable[tuple[F, Directive, ListItems]], addressed: Callable[[F], Collection[Entity]],
    is_global: Callable[[Entity], bool],
) -> frozenset[Entity]:  # fmt: skip
    """The pointer variables that data constructs may map themselves.

    These are the pointers that they name. If they map pointers through other pointers, these are also the pointers
    whose addresses are taken in the same function, or whose addresses may be anywhere.
    """
    named: set[Entity] = set()
    based: dict[Entity, F] = {}
    through = False
    for function, directive, items in constructs:
        for symbol, kinds in _mapped(items, directive):
            if not isinstance(kinds[0], Pointer):
                continue
            if len(kinds) > 1:
                based[symbol] = function
                through = through or (directive.name in ENTERING and isinstance(kinds[-1], Pointer))
            elif directive.name in ENTERING:
                named.add(symbol)
    if through:
        taken = {f: addressed(f) for f in based.values()}
        named.update(s for s, function in based.items() if is_global(s) or s in taken[function])
    return frozenset(named)


def carrying_objects(constructs: Iterable[tuple[Directive, ListItems]]) -> frozenset[Entity | RecordInfo]:
    """The variables, and the structures by type, in which data constructs map pointers for the sections behind them."""
    found: set[Entity | RecordInfo] = set()
    for directive, items in constructs:
        for symbol, kinds in _mapped(items, directive) if directive.name in ENTERING else ():
            if any(isinstance(kind, Pointer) for kind in kinds[1:]):
                found |= {symbol, *record_of(kinds[0])}
    return frozenset(found)


def record_of(kind: Type) -> tuple[RecordInfo, ...]:
    """The structure that an object is, has as elements or points to, if there is one."""
    kind = end_of(kind)
    return (kind.info,) if isinstance(kind, Record) else ()


def _mapped(items: ListItems, directive: Directive) -> Iterator[tuple[Entity, list[Type]]]:
    """(the variable of an item, the types to which its steps apply, followed by the item's own) of what is mapped"""
    rows = Mapper(items, directive.name)
    for clause in directive.clauses:
        for locator in clause.items if isinstance(clause, MapClause) else ():
            try:
                item = rows.item(locator, 0, RowNote("", locator.text))
                kinds, own = stepped_types(items, item)
            except InputError:  # the error is raised again when the rows are made
                continue
            yield item.symbol, [*kinds, own]
