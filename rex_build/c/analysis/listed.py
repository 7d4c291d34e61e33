"""Finds the variables that list items name."""

from __future__ import annotations

from ...base.diagnostics import error_at
from ...directives.contents import clause_locators
from ...directives.model import Clause, Locator
from ..sema import Sema, Symbol
from ..syntax.nodes import OmpConstruct

_OF_VARIABLES = frozenset(("private", "firstprivate", "lastprivate", "shared", "map"))


def check_named(sema: Sema, construct: OmpConstruct, clause: Clause) -> None:
    """Raise InputError if a clause lists what is no variable."""
    for item in clause_locators(clause) if clause.name in _OF_VARIABLES else ():
        named_symbol(sema, construct, item)


def named_symbol(sema: Sema, construct: OmpConstruct, item: Locator) -> Symbol:
    """The variable with which a list item begins. Raises InputError if there is no variable of that name."""
    symbol = sema.lookup(construct, item.name)
    if symbol is None:
        raise error_at(item.span, f"'{item.name}' is not declared")
    if not symbol.is_variable:
        raise error_at(item.span, f"'{item.name}' is not a variable")
    return symbol
