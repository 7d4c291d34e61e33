"""Finds pointers to which sections may be attached although the section's construct does not map the pointer.

If an earlier construct has mapped the pointer variable, as in ``map(to: p)``, then ``map(to: p[0:n])`` lets it lead to
the section on the device. Only the run knows whether the pointer is on the device. The host asks if the unit cannot
tell. Source: OpenMP 5.2, section 5.8.3 (map clause), on base pointers and attached pointers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pycparser import c_ast

from ...base.diagnostics import InputError
from ...directives.model import MapClause
from ...openmp.places import stepped_types
from ...plan.rows import RowNote
from ...tree.types import Pointer, Type
from ..sema import Sema, Symbol, assignments
from ..sema.ctype import Array as CArray
from ..sema.ctype import CType, Record, RecordInfo
from ..sema.ctype import Pointer as CPointer
from ..sema.type_questions import is_pointer
from ..syntax.nodes import OmpConstruct
from .list_items import ListItems


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
        for symbol, kinds in _items(sema, construct):
            if len(kinds) > 1:
                based[symbol] = function
                through = through or (entering and isinstance(kinds[0], Pointer) and isinstance(kinds[-1], Pointer))
            elif entering:
                named.add(symbol)
    if through:
        taken = {f: assignments(sema, f.body).address_taken for f in based.values()}
        named.update(s for s, function in based.items() if s.is_global or s in taken[function])
    return frozenset(s for s in named if is_pointer(s.type))


def carrying_objects(sema: Sema, constructs: Iterable[OmpConstruct]) -> frozenset[Symbol | RecordInfo]:
    """The variables, and the structures by type, in which data constructs map pointers for the sections behind them."""
    found: set[Symbol | RecordInfo] = set()
    for construct in constructs:
        if construct.directive.name in ("target data", "target enter data"):
            for symbol, kinds in _items(sema, construct):
                if any(isinstance(kind, Pointer) for kind in kinds[1:]):
                    found |= {symbol, *record_of(symbol.type)}
    return frozenset(found)


def record_of(kind: CType) -> tuple[RecordInfo, ...]:
    """The structure that an object is, has as elements or points to, if there is one."""
    while isinstance(kind, CArray | CPointer):
        kind = kind.of if isinstance(kind, CArray) else kind.to
    return (kind.info,) if isinstance(kind, Record) else ()


def _items(sema: Sema, construct: OmpConstruct) -> Iterator[tuple[Symbol, list[Type]]]:
    """(the variable of an item, the types to which its steps apply, followed by the item's own) of what is mapped"""
    items = ListItems(sema, construct)
    rows = items.rows()
    for clause in construct.directive.clauses:
        for locator in clause.items if isinstance(clause, MapClause) else ():
            symbol = sema.lookup(construct, locator.name)
            try:
                kinds, own = stepped_types(items, rows.item(locator, 0, RowNote("", locator.text)))
            except InputError:  # the error is raised again when the rows are made
                continue
            if symbol is not None:
                yield symbol, [*kinds, own]
