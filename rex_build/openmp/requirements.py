"""``requires`` directives (OpenMP 5.2, section 8.2), which apply to the whole unit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from ..base.diagnostics import error_at
from ..directives.model import Clause, Directive, Expr, ExprClause, KeywordClause
from ..directives.parser import check_lowered


def requirements_of(directives: Iterable[Directive], value_of: Callable[[Expr], int | None]) -> dict[str, str]:
    """The clauses that are in effect, with their keywords. Raises InputError for those that are not supported.

    ``value_of`` gives the value of an expression if it is constant."""
    found: dict[str, str] = {}
    for directive in directives:
        check_lowered(directive)
        for clause in directive.clauses:
            if _is_in_effect(clause, value_of):
                found[clause.name] = clause.value if isinstance(clause, KeywordClause) else ""
    return found


def _is_in_effect(clause: Clause, value_of: Callable[[Expr], int | None]) -> bool:
    """Whether a clause has no argument, or a constant other than zero."""
    if not isinstance(clause, ExprClause) or clause.expr is None:
        return True
    value = int(clause.expr.text == "true") if clause.expr.text in ("true", "false") else value_of(clause.expr)
    if value is None:
        raise error_at(clause.expr.span, f"'{clause.name}' takes a constant", "OpenMP 5.2, section 8.2")
    return value != 0


def shares_memory(requirements: Collection[str]) -> bool:
    """Whether a unit requires that devices reach all memory of the host."""
    return not {"unified_shared_memory", "self_maps"}.isdisjoint(requirements)
