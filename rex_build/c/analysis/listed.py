"""Finds the variables that clauses list."""

from __future__ import annotations

from ...base.diagnostics import error_at
from ...directives.model import ListClause, Locator, ReductionClause
from ..sema import Sema, Symbol
from ..syntax.nodes import OmpConstruct

# Clauses that make private copies.


def named_symbol(sema: Sema, construct: OmpConstruct, item: Locator) -> Symbol:
    """The variable with which a list item begins. Raises InputError if there is no variable of that name."""
    symbol = sema.lookup(construct, item.name)
    if symbol is None:
        raise error_at(item.span, f"'{item.name}' is not declared")
    if not symbol.is_variable:
        raise error_at(item.span, f"'{item.name}' is not a variable")
    return symbol


def listed_symbols(sema: Sema, construct: OmpConstruct, clause_name: str) -> tuple[Symbol, ...]:
    """The variables in a construct's clauses of one name."""
    return tuple(
        named_symbol(sema, construct, item)
        for clause in construct.directive.all(clause_name)
        if isinstance(clause, ListClause | ReductionClause)
        for item in clause.items
    )
