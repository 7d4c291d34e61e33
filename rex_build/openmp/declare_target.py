"""``declare target``: which variables and functions its directives name, and for which devices (OpenMP 5.2, section
7.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..base.diagnostics import error_at
from ..directives.model import Directive, KeywordClause, ListClause, Locator
from ..directives.parser import check_lowered
from .program import C

RULE = "OpenMP 5.2, section 7.8.1: declare target"
DECLARE_TARGET = ("declare target", "begin declare target", "end declare target")


def named_by(
    constructs: Iterable[C],
    listed: Callable[[C, Locator, str], Iterable[Any]],
    between: Callable[[C, C], Iterable[Any]],
    is_in_function: Callable[[C], bool],
    *,
    cxx: bool = False,
) -> dict[Any, tuple[C, str]]:
    """The variables and functions that directives name, each with its directive and the clause, ``to`` or ``link``.

    A list item means what is ``listed`` for it, and ``between`` two directives stands what these enclose. Raises
    InputError for what is malformed or not supported.
    """
    found: dict[Any, tuple[C, str]] = {}
    opened: list[C] = []
    for construct in constructs:
        directive = construct.directive
        if directive.name not in DECLARE_TARGET:
            continue
        check_lowered(directive, cxx=cxx)
        if directive.name == "end declare target":
            if not opened:
                raise error_at(directive.span, "'end declare target' without a 'declare target' before it")
            begin = opened.pop()
            for one in between(begin, construct):
                found.setdefault(one, (begin, "to"))
            continue
        items = [(locator, "to") for locator in directive.arguments]
        for clause in directive.clauses:
            if isinstance(clause, ListClause):
                items += [(locator, "link" if clause.name == "link" else "to") for locator in clause.items]
        for locator, how in items:
            for one in listed(construct, locator, how):
                before, said = found.get(one, (construct, how))
                if said != how and before.directive.has("to", "enter", "link"):
                    what = f"'{locator.name}' is in a 'link' and in a 'to' or 'enter' clause"
                    raise error_at(locator.span, what, RULE)
                found[one] = (construct, how)
        if not items and is_in_function(construct):
            what = f"'{directive.name}' around declarations of a block is not supported"
            raise error_at(directive.span, what, "OpenMP 5.2, section 7.8: declare target directives")
        if not items:
            opened.append(construct)
    if opened:
        raise error_at(opened[-1].directive.span, "'declare target' without an 'end declare target' after it")
    return found


def device_type(directive: Directive) -> str:
    """The devices that a directive is for: ``any``, ``nohost`` or ``host``."""
    clause = directive.clause("device_type")
    return clause.value if isinstance(clause, KeywordClause) else "any"
