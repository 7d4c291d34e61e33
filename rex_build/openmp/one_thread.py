"""Worksharing constructs of the host that a single thread runs, because LLVM's runtime does not support them for gcc's
code, or not in order."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.records import replace
from ..directives.combined import spell_clause
from ..directives.model import Clause, Directive, ExprClause, ListClause, conditional

INSIDE = ("scan", "section", "ordered")  # directives inside of such a construct that mean nothing then


def is_for_one_thread(directive: Directive) -> bool:
    """Whether a worksharing construct has ``scan`` or ``lastprivate(conditional:)``."""
    if not {"for", "sections"}.isdisjoint(directive.constructs) and conditional(directive.clauses):
        return True
    return "for" in directive.constructs and directive.has_scan


def for_one_thread(directive: Directive, loop_variables: Sequence[str]) -> Directive:
    """The construct for a single thread, which needs no lastprivate copies. ``loop_variables`` are those that are
    declared before the loops and that no clause names."""
    head = "single"
    takes: tuple[str, ...] = ("private", "firstprivate", "nowait")
    if "parallel" in directive.constructs:
        head, takes = "parallel num_threads(1)", ("private", "firstprivate", "shared", "if", "copyin")
    last = {i.name for c in directive.all("lastprivate") if isinstance(c, ListClause) for i in c.items}
    clauses = [_without(c, last) for c in directive.clauses if c.name in takes]
    clauses = [c for c in clauses if not isinstance(c, ExprClause) or c.modifier in (None, "parallel")]
    clauses = [c for c in clauses if not isinstance(c, ListClause) or c.items]
    own = [name for name in loop_variables if name not in last] if "simd" not in directive.constructs else []
    private = [f"private({', '.join(own)})"] if own else []
    text = " ".join([head, *map(spell_clause, clauses), *private])
    leaves = (head.split()[0],)
    return replace(directive, name=leaves[0], constructs=leaves, clauses=tuple(clauses), text=text)


def _without(clause: Clause, names: set[str]) -> Clause:
    """A clause without the list items of these names."""
    if not isinstance(clause, ListClause):
        return clause
    return replace(clause, items=tuple(i for i in clause.items if i.name not in names))
