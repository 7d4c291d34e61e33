"""What the host compiler sees of directives where it, or LLVM's runtime under it, does not do what the user wrote.

Source: OpenMP 5.2, sections 4.4.1, 5.4.6, 11.7 and 15.9.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..base.diagnostics import SourceSpan, error_at
from ..base.records import dataclass, replace
from ..directives.combined import spell_clause, with_clauses
from ..directives.model import GONE, Clause, Directive, Expr, ExprClause, HostForm, ListClause, Locator, conditional
from .launch import TRANSFORMATIONS
from .older_spellings import bound_loop, older, plain_linear, with_bound_clauses

# Worksharing constructs of the host that a single thread runs, because LLVM's runtime does not support them for gcc's
# code, or not in order.

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


DISSOLVED = ("assume", *TRANSFORMATIONS)  # the statement of such a construct takes its place


@dataclass(frozen=True)
class HostLoop:
    """A loop that belongs to a construct.

    ``variable`` is the one that it counts with, if that is known, and ``before`` its value, as text, one iteration
    before. ``start`` and ``condition`` are the names in these parts of its head. It is ``alone`` if no code stands
    beside it in the loop around it.
    """

    variable: str | None
    declared: bool
    before: str | None
    start: frozenset[str]
    condition: frozenset[str]
    alone: bool


@dataclass(frozen=True)
class Statement:
    """What a front end says of a construct's statement. ``loops`` gives its nested loops, at most as many as asked for,
    ``inside`` the directives in it, and ``number`` the form of a number at a place."""

    loops: Callable[[int], Sequence[HostLoop]]
    inside: Callable[[], Iterable[Directive]]
    number: Callable[[int, SourceSpan], Expr] = lambda value, span: Expr(str(value), None, span)


@dataclass(frozen=True)
class Around:
    """The surroundings of a construct.

    They are the leaf constructs around it, outermost first; the value, as text, that the variable of a loop with
    ``doacross`` had one iteration before; and whether a single thread runs the worksharing construct around it.
    """

    constructs: tuple[str, ...] = ()
    previous: str | None = None
    on_one_thread: bool = False

    def below(self, directive: Directive, statement: Statement) -> Around:
        """The surroundings of the statement of a construct."""
        previous, one = self.previous, self.on_one_thread
        if directive.has("ordered"):
            loops = statement.loops(1) if plain_number(directive, "ordered", 0) < 2 else ()
            previous = loops[0].before if loops else None
        if not {"for", "sections"}.isdisjoint(directive.constructs):
            one = is_for_one_thread(directive)
        return Around((*self.constructs, *directive.constructs), previous, one)


def host_form(
    directive: Directive, statement: Statement, around: Around, fresh: Callable[[str], str]
) -> HostForm | None:
    """The form of a directive, or None if that is what the user wrote. Raises InputError for wrong clauses."""
    if around.on_one_thread and directive.name in INSIDE:
        return GONE
    form = older(directive, around.constructs, around.previous, fresh)
    if form is not None or directive.name in DISSOLVED:
        return form or GONE
    plain = plain_linear(directive)
    bound = bound_loop(plain, around.constructs) if "loop" in plain.constructs else plain
    known = with_counted_ordered(without_imperfect(bound, statement), statement)
    known = plain if known is bound else known  # a ``loop`` that needs no change remains
    if is_for_one_thread(known):
        known = for_one_thread(known, _sequential_variables(known, statement))
    return HostForm(known) if known is not directive else None


def with_counted_ordered(directive: Directive, statement: Statement) -> Directive:
    """``ordered`` as ``ordered(1)``, if ``doacross`` needs it. gcc 12 supports that only with a parameter."""
    clause = directive.clause("ordered")
    if not isinstance(clause, ExprClause) or clause.expr is not None or directive.has("collapse"):
        return directive
    if not any(inner.name == "ordered" and inner.has("doacross") for inner in statement.inside()):
        return directive
    one = replace(clause, expr=statement.number(1, clause.span))
    return with_clauses(directive, tuple(one if c is clause else c for c in directive.clauses))


def _sequential_variables(directive: Directive, statement: Statement) -> list[str]:
    """The variables of a directive's loops that are declared before it and that it does not name private."""
    named = {i.name for c in directive.all("private") if isinstance(c, ListClause) for i in c.items}
    loops = statement.loops(plain_number(directive, "collapse", 1)) if "for" in directive.constructs else ()
    return [v for one in loops if not one.declared and (v := one.variable) is not None and v not in named]


def plain_number(directive: Directive, name: str, unknown: int) -> int:
    """The number in ``collapse(n)`` or ``ordered(n)``, or 1 without one, or ``unknown`` if it is no plain number."""
    clause = directive.clause(name)
    text = clause.expr.text if isinstance(clause, ExprClause) and clause.expr is not None else "1"
    return int(text) if text.isdigit() else unknown


def without_imperfect(directive: Directive, statement: Statement) -> Directive:
    """A loop directive that collapses fewer loops of a nest, and makes the variables of the others private.

    It stops at code between loops, which older compilers refuse, and at a loop whose bounds both move with an outer
    loop, as in ``for (j = i; j < i + 4; ++j)``, for which gcc 12 makes wrong code. Raises InputError for ``linear``,
    which counts the iterations of all loops.
    """
    clause = directive.clause("collapse")
    if not isinstance(clause, ExprClause) or clause.expr is None or not clause.expr.text.isdigit():
        return directive
    depth = int(clause.expr.text)
    loops = statement.loops(depth)
    if len(loops) < depth:
        return directive  # this is no nest at all, which the analysis reports
    perfect = 0
    private: list[str] = []
    outer: set[str | None] = set()
    may_move = directive.has("linear", "ordered") or directive.has_scan
    for number, loop in enumerate(loops):
        moves = not outer.isdisjoint(loop.start) and not outer.isdisjoint(loop.condition) and not may_move
        if perfect == number and loop.alone and not moves:
            perfect += 1
        elif not loop.declared and loop.variable is not None:
            private.append(loop.variable)
        outer.add(loop.variable)
    if perfect in (0, depth):
        return directive
    if (linear := directive.clause("linear")) is not None:
        what = "'linear' and 'collapse' of loops with code between them"
        raise error_at(linear.span, f"{what} are not supported together")
    clauses = [c if c is not clause else replace(c, expr=statement.number(perfect, c.span)) for c in directive.clauses]
    listed = {item.name for c in directive.clauses if isinstance(c, ListClause) for item in c.items}
    items = tuple(Locator(name, (), name, clause.span) for name in private if name not in listed)
    if items:
        clauses.append(ListClause("private", clause.span, items))
    respelled = with_bound_clauses if "loop" in directive.name.split() else with_clauses
    return respelled(directive, tuple(clauses))
