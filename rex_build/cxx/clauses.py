"""Clauses of target constructs that the host evaluates."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.precedence import COMMA, PRIMARY
from ..directives.model import Clause, Expr
from ..directives.parser import check_on_device, refuse_unsupported
from ..openmp import conditions as decided
from ..plan.host_expression import HostExpression, Written
from .code import Construct
from .list_items import written


def check(construct: Construct) -> None:
    """Raise InputError for a directive that cannot be lowered."""
    check_on_device(construct.directive)
    refuse_unsupported(construct.directive, cxx=True)


def device_of(clauses: Sequence[Clause]) -> HostExpression:
    """The device number to pass to libomptarget."""
    return decided.device_of(clauses, lambda expr: written(expr.text))


def value_of(expr: Expr, constant: int | None = None) -> HostExpression:
    """The host's value of a clause's expression. It may be a ``constant``."""
    value = written(expr.text)
    if constant is None or value.value is not None:
        return value
    return Written((str(value),), value.names, PRIMARY if str(value).isidentifier() else COMMA, constant)


def condition_of(clauses: Sequence[Clause], *leaves: str) -> HostExpression | None:
    """The host's value of the condition of a construct."""
    found = decided.condition(clauses, *leaves)
    return value_of(found) if found is not None else None
