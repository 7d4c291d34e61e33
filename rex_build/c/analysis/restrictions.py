"""Restrictions on the data clauses of target regions."""

from __future__ import annotations

from ...base.diagnostics import error_at
from ...directives.contents import clause_expressions, clause_locators, locator_expressions
from ...directives.model import Directive, ExprClause
from ..sema import Sema
from ..sema.conversions import decay
from ..sema.type_questions import is_integer, is_scalar
from ..syntax.nodes import OmpConstruct
from .clauses import region_allocators

# Clauses whose argument is an integer.
_INTEGERS = frozenset(
    (
        "collapse", "device", "dist_schedule", "filter", "grainsize", "num_tasks", "num_teams", "num_threads",
        "ordered", "priority", "safelen", "schedule", "simdlen", "thread_limit",
    )
)  # fmt: skip


def check_types(sema: Sema, directive: Directive) -> None:
    """Raise InputError for an expression in a clause that must be an integer or a condition and is not."""
    for clause in directive.clauses:
        where = [
            (e, "a subscript or a bound of a section") for i in clause_locators(clause) for e in locator_expressions(i)
        ]
        if clause.name in _INTEGERS:
            where += [(e, f"'{clause.name}'") for e in clause_expressions(clause)]
        for expression, what in where:
            if not is_integer(kind := sema.type(expression.node)):
                raise error_at(expression.span, f"{what} must be an integer, and this is a '{kind}'")
        test = clause.expr if isinstance(clause, ExprClause) and clause.name in ("if", "final") else None
        if test is not None and not is_scalar(decay(kind := sema.type(test.node))):
            raise error_at(test.span, f"'{clause.name}' takes a condition, and this is a '{kind}'")


def check_allocators(sema: Sema, construct: OmpConstruct) -> None:
    """Raise InputError for variables in ``uses_allocators`` that are not declared."""
    for allocator in region_allocators(construct):
        if sema.lookup(construct, allocator.name) is None:
            span = construct.directive.all("uses_allocators")[0].span
            raise error_at(span, f"'{allocator.name}' in 'uses_allocators' is not declared")
