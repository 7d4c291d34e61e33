"""Finds pointers to which sections may be attached although the section's construct does not map the pointer.

If an earlier construct has mapped the pointer variable, as in ``map(to: p)``, then ``map(to: p[0:n])`` lets it lead to
the section on the device. Only the run knows whether the pointer is on the device. The host asks if the unit cannot
tell. Source: OpenMP 5.2, section 5.8.3 (map clause), on base pointers and attached pointers.
"""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from ...base.diagnostics import InputError
from ...directives.model import MapClause
from ...plan.rows import RowNote
from ..sema import Sema, Symbol, assignments
from ..sema.ctype import Array, CType, Pointer, Record, RecordInfo
from ..sema.type_questions import is_pointer
from ..syntax.nodes import OmpConstruct
from .mapping import Mapper
from .places import MapItem


def stored_pointers(sema: Sema, constructs: Iterable[tuple[c_ast.FuncDef, OmpConstruct]]) -> frozenset[Symbol]:
    """The pointer variables that data constructs may map themselves.

    These are the pointers that they name. If they map pointers through other pointers, these are also the pointers
    whose addresses are taken in the same function, or whose addresses may be anywhere.
    """
    named: set[Symbol] = set()
    based: dict[Symbol, c_ast.FuncDef] = {}
    through = False
    for function, construct in constructs:
        entering = construct.directive.name in ("target data", "target enter data")
        for item in _items(sema, construct):
            if item.locator.steps:
                based[item.symbol] = function
                kinds = _dimensions(Mapper(sema, construct), item) if entering else []
                through = through or (bool(kinds) and is_pointer(kinds[0]) and is_pointer(kinds[-1]))
            elif entering:
                named.add(item.symbol)
    if through:
        taken = {f: assignments(sema, f.body).address_taken for f in based.values()}
        named.update(s for s, function in based.items() if s.is_global or s in taken[function])
    return frozenset(s for s in named if is_pointer(s.type))


def carrying_objects(sema: Sema, constructs: Iterable[OmpConstruct]) -> frozenset[Symbol | RecordInfo]:
    """The variables, and the structures by type, in which data constructs map pointers for the sections behind them."""
    found: set[Symbol | RecordInfo] = set()
    for construct in constructs:
        if construct.directive.name in ("target data", "target enter data"):
            for item in _items(sema, construct):
                if any(map(is_pointer, _dimensions(Mapper(sema, construct), item)[1:])):
                    found |= {item.symbol, *record_of(item.symbol.type)}
    return frozenset(found)


def record_of(kind: CType) -> tuple[RecordInfo, ...]:
    """The structure that an object is, has as elements or points to, if there is one."""
    while isinstance(kind, Array | Pointer):
        kind = kind.of if isinstance(kind, Array) else kind.to
    return (kind.info,) if isinstance(kind, Record) else ()


def _items(sema: Sema, construct: OmpConstruct) -> list[MapItem]:
    maps = [clause for clause in construct.directive.clauses if isinstance(clause, MapClause)]
    found = [(locator, sema.lookup(construct, locator.name)) for clause in maps for locator in clause.items]
    rows = Mapper(sema, construct)
    return [rows.item(locator, symbol, 0, RowNote("", locator.text)) for locator, symbol in found if symbol is not None]


def _dimensions(rows: Mapper, item: MapItem) -> list[CType]:
    """The types to which the steps of an item apply, followed by the item's own type."""
    try:
        return [*rows.dimensions(item), rows.element(item)]
    except InputError:  # the error is raised again when the rows are made
        return []
