"""Clauses of target constructs that the host evaluates."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.precedence import COMMA, PRIMARY
from ..directives.model import Clause, Expr
from ..directives.parser import check_on_device, refuse_unsupported
from ..openmp.conditions import condition
from ..plan.host_expression import Call, HostExpression, Number, Written
from .code import Construct
from .list_items import written


def check(construct: Construct) -> None:
    """Raise InputError for a directive that cannot be lowered."""
    check_on_device(construct.directive)
    refuse_unsupported(construct.directive, cxx=True)


def device_of(clauses: Sequence[Clause]) -> HostExpression:
    """The device number to pass to libomptarget, where -1 is the default device; in the clause it is the host."""
    for clause in clauses:
        if clause.name == "device":
            expr = getattr(clause, "expr", None)
            if expr is not None:
                number = written(expr.text)
                is_plain = number.value is not None and number.value >= 0
                return number if is_plain else Call("rex_device_number", (number,))
    return Number(-1)


def value_of(expr: Expr, constant: int | None = None) -> HostExpression:
    """The host's value of a clause's expression. It may be a ``constant``."""
    value = written(expr.text)
    if constant is None or value.value is not None:
        return value
    return Written((str(value),), value.names, PRIMARY if str(value).isidentifier() else COMMA, constant)


def condition_of(clauses: Sequence[Clause], *leaves: str) -> HostExpression | None:
    """The host's value of the condition of a construct."""
    found = condition(clauses, *leaves)
    return value_of(found) if found is not None else None
