"""Finds the variables that list items name."""

from __future__ import annotations

from ...base.diagnostics import error_at
from ...directives.model import Locator
from ..sema import Sema, Symbol
from ..syntax.nodes import OmpConstruct


def named_symbol(sema: Sema, construct: OmpConstruct, item: Locator) -> Symbol:
    """The variable with which a list item begins. Raises InputError if there is no variable of that name."""
    symbol = sema.lookup(construct, item.name)
    if symbol is None:
        raise error_at(item.span, f"'{item.name}' is not declared")
    if not symbol.is_variable:
        raise error_at(item.span, f"'{item.name}' is not a variable")
    return symbol
