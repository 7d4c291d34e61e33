"""``requires`` directives (OpenMP 5.2, section 8.2), which apply to the whole unit."""

from __future__ import annotations

from ..base.diagnostics import error_at
from ..directives.model import ExprClause, KeywordClause
from ..directives.parser import check_on_device, refuse_unsupported
from .unit import Unit

SHARED_MEMORY = frozenset({"unified_shared_memory", "self_maps"})


def requirements_of(unit: Unit) -> dict[str, str]:
    """The clauses that are in effect, with their keywords. Raises InputError for those that are not supported."""
    found: dict[str, str] = {}
    for construct in unit.constructs:
        directive = construct.directive
        if directive.name != "requires":
            continue
        check_on_device(directive)
        refuse_unsupported(directive)
        for clause in directive.clauses:
            given = clause.expr.text if isinstance(clause, ExprClause) and clause.expr is not None else "true"
            if given not in ("true", "false", "0", "1"):
                raise error_at(clause.span, f"'{clause.name}' takes true or false here")
            if given in ("true", "1"):
                found[clause.name] = clause.value if isinstance(clause, KeywordClause) else ""
    return found
