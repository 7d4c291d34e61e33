"""The teams of a region's host version, where running one of them would not do the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..directives.model import Directive, Expr, ExprClause
from ..plan.host import HostLeague
from ..plan.host_expression import ONE, Conditional, HostExpression
from .conditions import condition


def league_of(
    parts: Sequence[Directive], inside: Sequence[Directive], value: Callable[[Expr], HostExpression],
    constant: Callable[[Expr], int | None], *, asks_teams: bool, observes: bool, shares: bool,
) -> HostLeague | None:  # fmt: skip
    """The teams that ``num_teams`` asks for, if the region can tell whether there are several.

    ``parts`` are the region's own directives, and ``inside`` those in it. The region ``asks_teams`` for their number,
    or ``observes`` which thread runs it. With ``shares``, functions that it calls share out loops between teams.
    """
    leaves = [leaf for part in parts for leaf in part.constructs]
    part = next((p for p in parts if "teams" in p.constructs), None)
    clause = part.clause("num_teams") if part is not None else None
    alone = HostLeague(ONE, once=True) if asks_teams else None  # in a team of the host, too
    if part is None or not isinstance(clause, ExprClause) or clause.expr is None:
        return alone
    # There is a single team if it matters which team runs an iteration. The same holds for functions with directives,
    # in which the host compiler would let each team run all iterations.
    if shares or any(directive.has("dist_schedule") for directive in [*parts, *inside]):
        return alone
    number = constant(clause.expr)
    once = "distribute" in leaves
    if (number is not None and number <= 1) or (once and not observes):
        return alone
    several = condition(part.clauses, "teams")
    teams = value(clause.expr)
    return HostLeague(teams if several is None else Conditional(value(several), teams, ONE), once)
