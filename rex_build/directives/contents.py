"""The expressions and list items in directives and clauses."""

from __future__ import annotations

from collections.abc import Iterator

from .model import Clause, Directive, Expr, Index, ListClause, Locator, ReductionClause, Section
from .model import Iterator as ClauseIterator

# The clauses that make private copies.
COPYING = ("private", "firstprivate", "lastprivate", "linear", "reduction", "in_reduction")


def clause_locators(clause: Clause) -> Iterator[Locator]:
    """The list items of a clause."""
    for value in vars(clause).values():
        if isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, Locator))


def directive_locators(directive: Directive) -> Iterator[Locator]:
    """The list items of the directive itself and of its clauses, in source order."""
    yield from directive.arguments
    for clause in directive.clauses:
        yield from clause_locators(clause)


def clause_iterators(clause: Clause) -> tuple[ClauseIterator, ...]:
    """The iterators that a clause declares."""
    found: tuple[ClauseIterator, ...] = getattr(clause, "iterators", ())
    return found


def locator_expressions(locator: Locator) -> Iterator[Expr]:
    """Subscripts and section bounds of a list item, and the lengths that array shaping gives."""
    yield from locator.shape
    for step in locator.steps:
        if isinstance(step, Index):
            yield step.expr
        elif isinstance(step, Section):
            yield from (e for e in (step.lower, step.length, step.stride) if e is not None)


def clause_expressions(clause: Clause) -> Iterator[Expr]:
    """Every expression in a clause: arguments, subscripts, section bounds, iterator ranges."""
    for iterator in clause_iterators(clause):
        yield from (e for e in (iterator.begin, iterator.end, iterator.step) if e is not None)
    for value in vars(clause).values():
        if isinstance(value, Expr):
            yield value
    for locator in clause_locators(clause):
        yield from locator_expressions(locator)


def directive_expressions(directive: Directive) -> Iterator[Expr]:
    """Every expression in a directive's list items and clauses."""
    for locator in directive.arguments:
        yield from locator_expressions(locator)
    for clause in directive.clauses:
        yield from clause_expressions(clause)


def privatised_names(directive: Directive) -> frozenset[str]:
    """The variables of which a construct makes private copies because its clauses say so."""
    clauses = directive.all(*COPYING)
    return frozenset(i.name for c in clauses if isinstance(c, ListClause | ReductionClause) for i in c.items)


def device_objects(directive: Directive) -> set[str]:
    """The variables that a directive says lead to objects of the device."""
    clauses = (c for c in directive.clauses if c.name in ("is_device_ptr", "has_device_addr"))
    return {item.name for clause in clauses if isinstance(clause, ListClause) for item in clause.items}
