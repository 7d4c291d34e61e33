"""Pointers that a section can be attached to although its construct does not map them.

A pointer variable that an earlier construct has mapped, ``map(to: p)``, leads to what ``map(to: p[0:n])`` puts on the
device from then on. Only the run knows whether it is there, and is asked where the unit leaves it open.
Source: OpenMP 5.2, section 5.8.3 (map clause), on base pointers and attached pointers.
"""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from ..cparse import OmpConstruct
from ..ctype import is_pointer
from ..diagnostics import InputError
from ..directives.model import MapClause
from ..sema import Sema, Symbol
from .mapping import MapItem, Mapper


def stored_pointers(sema: Sema, constructs: Iterable[tuple[c_ast.FuncDef, OmpConstruct]]) -> frozenset[Symbol]:
    """The pointers that data constructs may map themselves: those that they name and, where they map pointers through
    other pointers, those whose addresses are taken in their functions, or may be anywhere."""
    named: set[Symbol] = set()
    based: dict[Symbol, c_ast.FuncDef] = {}
    through = False
    for function, construct in constructs:
        entering = construct.directive.name in ("target data", "target enter data")
        for item in _items(sema, construct):
            if item.locator.steps:
                based[item.symbol] = function
                through = through or (entering and _is_pointer(Mapper(sema, construct), item))
            elif entering:
                named.add(item.symbol)
    if through:
        taken = {f: sema.assignments(f.body).address_taken for f in based.values()}
        named.update(s for s, function in based.items() if s.is_global or s in taken[function])
    return frozenset(s for s in named if is_pointer(s.type))


def _items(sema: Sema, construct: OmpConstruct) -> list[MapItem]:
    maps = [clause for clause in construct.directive.clauses if isinstance(clause, MapClause)]
    found = [(locator, sema.lookup(construct, locator.name)) for clause in maps for locator in clause.items]
    return [MapItem(locator, symbol, 0, "") for locator, symbol in found if symbol is not None]


def _is_pointer(rows: Mapper, item: MapItem) -> bool:
    """Whether an item is a pointer that a pointer leads to."""
    if not is_pointer(item.symbol.type):
        return False
    try:
        return is_pointer(rows.element(item))
    except InputError:  # said where the rows are made
        return False
