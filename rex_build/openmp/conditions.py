"""Expressions of clauses: which ``if`` applies to which construct (OpenMP 5.2, section 3.4), and ``collapse``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..base.diagnostics import error_at
from ..directives.model import Clause, Directive, Expr, ExprClause
from ..directives.parser import POSITIVE
from ..plan.host_expression import Call, HostExpression, Number


def condition(clauses: Iterable[Clause], *leaves: str) -> Expr | None:
    """The condition of a construct: the first one that names it, or that names no construct."""
    ifs = (c for c in clauses if isinstance(c, ExprClause) and c.name == "if" and c.expr is not None)
    return next((c.expr for c in ifs if c.modifier is None or c.modifier in leaves), None)


def condition_in_region(directives: Sequence[Directive], leaf: str) -> Expr | None:
    """The condition that, if it is false, makes ``teams`` one team or ``parallel`` one thread.

    ``directives`` are the region's, outermost first. An ``if`` clause of its ``target`` directive that names no
    construct is not meant: if it is false, the host runs the region.
    """
    found = None
    for directive in directives:
        if leaf in directive.constructs:
            modified = [c for c in directive.clauses if getattr(c, "modifier", None) == leaf]
            found = condition(modified if directive is directives[0] else directive.clauses, leaf)
    return found


def expression(clauses: Iterable[Clause], name: str) -> Expr | None:
    """The expression of the first clause of a name."""
    return next((c.expr for c in clauses if isinstance(c, ExprClause) and c.name == name and c.expr is not None), None)


def collapse_depth(clauses: Iterable[Clause], value_of: Callable[[Expr], int | None]) -> int:
    """The number of loops that belong to a construct. Raises InputError if it is no positive constant."""
    depth = 1
    for clause in clauses:
        if isinstance(clause, ExprClause) and clause.name == "collapse" and clause.expr is not None:
            value = value_of(clause.expr)
            if value is None or value < 1:
                raise error_at(clause.span, POSITIVE.format(clause.name))
            depth = value
    return depth


def device_of(clauses: Iterable[Clause], value_of: Callable[[Expr], HostExpression]) -> HostExpression:
    """The device number to pass to libomptarget, where -1 is the default device.

    In the clause, -1 is the initial device (``omp_initial_device``; OpenMP 5.2, section 1.2.1), which has another
    number in libomptarget.
    """
    found = expression(clauses, "device")
    if found is None:
        return Number(-1)
    number = value_of(found)
    return number if number.value is not None and number.value >= 0 else Call("rex_device_number", (number,))
