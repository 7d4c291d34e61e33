"""Brings loop directives to their normal form, in which a directive says the same about its loops with fewer words.

Source: OpenMP 5.2, sections 4.4.1, 5.4.6, 11.7 and 15.9.6.
"""

from __future__ import annotations

from pycparser import c_ast, c_generator

from ...base.diagnostics import error_at
from ...base.records import replace
from ...directives.combined import with_clauses
from ...directives.model import (
    Clause,
    Directive,
    Expr,
    ExprClause,
    ListClause,
    Locator,
    TextClause,
)
from ..rewrite.loop_transformations import TRANSFORMATIONS
from ..sema import walk
from ..syntax.nodes import OmpConstruct, only_loop, single_statement
from .older_spellings import with_bound_clauses

DISSOLVED = ("assume", *TRANSFORMATIONS)  # the statement of such a construct takes its place


def limited(directive: Directive, body: c_ast.Node | None) -> Directive:
    """A loop directive over generated loops, which collapses no more of the original loops than were tiled."""
    generated = _transformed(body)
    if generated is None:
        return directive

    def clause(c: Clause) -> Clause | None:
        if not isinstance(c, ExprClause) or c.name != "collapse" or c.expr is None:
            return c
        if not c.expr.text.isdigit() or int(c.expr.text) <= generated:
            return c
        number = c_ast.Constant("int", str(generated), c.expr.node.coord)
        return replace(c, expr=replace(c.expr, text=str(generated), node=number)) if generated > 1 else None

    return replace(directive, clauses=tuple(new for c in directive.clauses if (new := clause(c)) is not None))


def with_counted_ordered(directive: Directive, body: c_ast.Node | None) -> Directive:
    """``ordered`` as ``ordered(1)``, if ``doacross`` needs it. gcc 12 supports that only with a parameter."""
    clause = directive.clause("ordered")
    if not isinstance(clause, ExprClause) or clause.expr is not None or directive.has("collapse") or body is None:
        return directive
    inside = (n.directive for n in walk(body) if isinstance(n, OmpConstruct))
    if not any(inner.name == "ordered" and inner.has("doacross") for inner in inside):
        return directive
    one = replace(clause, expr=Expr("1", c_ast.Constant("int", "1", body.coord), clause.span))
    return with_clauses(directive, tuple(one if c is clause else c for c in directive.clauses))


def sequential_variables(directive: Directive, body: c_ast.Node | None) -> list[str]:
    """The variables of a directive's loops that are declared before it and that it does not name private."""
    named = {i.name for c in directive.all("private") if isinstance(c, ListClause) for i in c.items}
    found: list[str] = []
    loop = single_statement(body)
    for _ in range(plain_number(directive, "collapse", 1)):
        if not isinstance(loop, c_ast.For):
            break
        variable = loop.init.lvalue if isinstance(loop.init, c_ast.Assignment) else None
        if isinstance(variable, c_ast.ID) and variable.name not in named:
            found.append(variable.name)
        loop = single_statement(loop.stmt)
    return found


def iteration_before(loop: c_ast.Node | None) -> str | None:
    """The value that a loop's variable had one iteration before, as C text, or None for loops of another form."""
    step = loop.next if isinstance(loop, c_ast.For) else None
    if isinstance(step, c_ast.UnaryOp) and step.op in ("++", "--", "p++", "p--") and isinstance(step.expr, c_ast.ID):
        return f"{step.expr.name} {'-' if '+' in step.op else '+'} 1"
    if isinstance(step, c_ast.Assignment) and step.op in ("+=", "-=") and isinstance(step.lvalue, c_ast.ID):
        amount = c_generator.CGenerator().visit(step.rvalue)
        return f"{step.lvalue.name} {'-' if step.op == '+=' else '+'} {amount}"
    return None


def plain_number(directive: Directive, name: str, unknown: int) -> int:
    """The number in ``collapse(n)`` or ``ordered(n)``, or 1 without one, or ``unknown`` if it is no plain number."""
    clause = directive.clause(name)
    text = clause.expr.text if isinstance(clause, ExprClause) and clause.expr is not None else "1"
    return int(text) if text.isdigit() else unknown


def _transformed(body: c_ast.Node | None) -> int | None:
    """The number of loops that a loop transformation right below generates, or None without a transformation."""
    found: int | None = None
    while isinstance(body, OmpConstruct) and body.directive.name in DISSOLVED:
        directive = body.directive
        if directive.name in TRANSFORMATIONS:
            listed = directive.clause("sizes") or directive.clause("permutation")
            found = 2 if directive.name == "interchange" else 1
            found = listed.text.count(",") + 1 if isinstance(listed, TextClause) else found
        body = body.body
    return found


def without_imperfect(directive: Directive, body: c_ast.Node | None) -> Directive:
    """A loop directive that collapses fewer loops of a nest, and makes the variables of the others private.

    It stops at code between loops, which older compilers refuse, and at a loop whose bounds both move with an outer
    loop, for which gcc 12 makes wrong code. Raises InputError for ``linear``, which counts the iterations of all loops.
    """
    clause = directive.clause("collapse")
    if not isinstance(clause, ExprClause) or clause.expr is None or not clause.expr.text.isdigit():
        return directive
    perfect = 0
    private: list[str] = []
    outer: set[str] = set()
    for depth in range(int(clause.expr.text)):
        loop = only_loop(body)
        if loop is None:
            return directive  # this is no nest at all, which the analysis reports
        moves = _moves_with(loop, outer) and not directive.has("linear", "ordered") and not directive.has_scan
        if perfect == depth and isinstance(single_statement(body), c_ast.For) and not moves:
            perfect += 1
        elif isinstance(loop.init, c_ast.Assignment) and isinstance(loop.init.lvalue, c_ast.ID):
            private.append(loop.init.lvalue.name)
        outer |= _loop_variable(loop)
        body = loop.stmt
    if perfect == int(clause.expr.text) or perfect == 0:
        return directive
    if (linear := directive.clause("linear")) is not None:
        what = "'linear' and 'collapse' of loops with code between them"
        raise error_at(linear.span, f"{what} are not supported together")
    number = c_ast.Constant("int", str(perfect), clause.expr.node.coord)
    fewer = replace(clause, expr=replace(clause.expr, text=str(perfect), node=number))
    clauses = [fewer if c is clause else c for c in directive.clauses]
    listed = {item.name for c in directive.clauses if isinstance(c, ListClause) for item in c.items}
    items_ = tuple(Locator(name, (), name, clause.span) for name in private if name not in listed)
    if items_:
        clauses.append(ListClause("private", clause.span, items_))
    is_loop = "loop" in directive.name.split()
    return with_bound_clauses(directive, tuple(clauses)) if is_loop else with_clauses(directive, tuple(clauses))


def _loop_variable(loop: c_ast.For) -> set[str]:
    match loop.init:
        case c_ast.Assignment(lvalue=c_ast.ID(name=name)) | c_ast.DeclList(decls=[c_ast.Decl(name=name)]):
            return {name}
    return set()


def _moves_with(loop: c_ast.For, outer: set[str]) -> bool:
    """Whether both bounds of a loop name variables of the loops around it: ``for (j = i; j < i + 4; ++j)``."""

    def names(part: c_ast.Node | None) -> set[str]:
        return {n.name for n in walk(part) if isinstance(n, c_ast.ID)} if part is not None else set()

    return not outer.isdisjoint(names(loop.init)) and not outer.isdisjoint(names(loop.cond))
