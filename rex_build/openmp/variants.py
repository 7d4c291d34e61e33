"""``declare variant`` (OpenMP 5.2, section 7.5): where functions are variants, and for whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..base.diagnostics import error_at
from ..directives.model import Directive, TextClause
from ..directives.parser import check_on_device
from ..directives.selectors import Context, constructs_of, score_of, undecided, with_condition, with_isa_conditions
from .program import C

RULE = "OpenMP 5.2, section 7.5 (declare variant directives)"


def delimited(constructs: Iterable[C]) -> Iterator[tuple[C, C]]:
    """The directives in front of and behind functions that are variants. ``constructs`` may be all of a file, in order.

    Raises InputError for one without the other, or inside of others.
    """
    begin: C | None = None
    for construct in constructs:
        name, span = construct.directive.name, construct.directive.span
        if name == "begin declare variant":
            if begin is not None:
                raise error_at(span, "'begin declare variant' inside of another is not supported")
            begin = construct
        elif name == "end declare variant":
            if begin is None:
                raise error_at(span, "'end declare variant' without a 'begin declare variant' before it", RULE)
            yield begin, construct
            begin = None
    if begin is not None:
        raise error_at(begin.directive.span, "'begin declare variant' without an 'end declare variant'", RULE)


def matched(directive: Directive) -> tuple[TextClause, str]:
    """(the clause that says where a variant is chosen, its selector)"""
    check_on_device(directive)
    clause = directive.clause("match")
    if not isinstance(clause, TextClause):
        raise error_at(directive.span, f"'{directive.name}' needs a 'match' clause", "OpenMP 5.2, section 7.5.1")
    return clause, with_isa_conditions(clause.text[clause.text.index("(") + 1 : clause.text.rindex(")")], clause)


def is_for_host(clause: TextClause, selector: str) -> bool:
    """Whether the host may call a variant somewhere, inside the constructs that its selector names."""
    for condition in undecided(selector, clause):
        selector = with_condition(selector, condition, 1)
    return score_of(selector, Context(False, constructs_of(selector, clause)), clause) is not None
