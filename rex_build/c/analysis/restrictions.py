"""Restrictions on the data clauses of target regions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast

from ...base.diagnostics import Diagnostic, InputError, error_at
from ...base.spans import SourceSpan
from ...directives.contents import clause_expressions, clause_locators, locator_expressions
from ...directives.model import Directive, ExprClause, KeywordClause
from ...plan.code import Entity
from ..sema import Sema, Symbol, free_variables, symbols_of, walk
from ..sema.conversions import decay
from ..sema.type_questions import is_integer, is_scalar
from ..syntax.nodes import OmpConstruct, ParsedUnit, only_loop
from .call_graph import CallGraph
from .clauses import region_allocators

_LOOPS = frozenset(("for", "distribute", "simd", "taskloop"))


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


def check_default_none(
    unit: ParsedUnit, sema: Sema, chain: Sequence[OmpConstruct], body: c_ast.Node, own: frozenset[Entity]
) -> None:
    """Raise InputError for variables for which ``default(none)`` demands a clause and that are in none.

    ``own`` are the variables of associated loops, whose attributes are predetermined.
    """
    strict = any(
        isinstance(c, KeywordClause) and c.name == "default" and c.value == "none"
        for p in chain
        for c in p.directive.clauses
    )
    if not strict:
        return
    listed = {sema.lookup(p, item.name) for p in chain for c in p.directive.clauses for item in clause_locators(c)}
    listed.update(symbols_of(own))
    # If a construct inside has a copy without a value, its uses of the name do not use the outer variable.
    inner = [n for n in walk(body) if isinstance(n, OmpConstruct) and n.body is not None]
    copies = [(n.body, _valueless_copies(sema, n)) for n in inner]
    hidden = {i for b, own in copies for i in walk(b) if isinstance(i, c_ast.ID) and sema.symbol(i) in own}
    used = {sema.symbol(n) for n in walk(body, clauses=True) if isinstance(n, c_ast.ID) and n not in hidden}
    missing = [
        r
        for r in free_variables(sema, body)
        if not r.in_clause_only and r.symbol in used and r.symbol not in listed and not _is_constant(r.symbol)
    ]
    if missing:
        section = "OpenMP 5.2, section 5.4.1: default clause"
        raise InputError(
            [
                Diagnostic(
                    "error",
                    f"'{r.symbol.name}' is in no data-sharing clause, which 'default(none)' demands",
                    unit.span_of(r.node),
                    (section,),
                )
                for r in missing
            ]
        )


def _valueless_copies(sema: Sema, construct: OmpConstruct) -> set[Symbol | None]:
    """The variables of which a construct makes copies without a value: those in ``private`` and those of its loops."""
    directive, body = construct.directive, construct.body
    found = {sema.lookup(construct, item.name) for c in directive.all("private") for item in clause_locators(c)}
    if _LOOPS.isdisjoint(directive.constructs):
        return found
    collapse = directive.clause("collapse")
    depth = sema.value(collapse.expr.node) if isinstance(collapse, ExprClause) and collapse.expr is not None else 1
    for _ in range(depth or 1):
        loop = only_loop(body)
        if loop is None:
            break
        if isinstance(loop.init, c_ast.Assignment):
            found.add(sema.symbol(loop.init.lvalue))
        body = loop.stmt
    return found


def _is_constant(symbol: Symbol) -> bool:
    return symbol.is_global and "const" in symbol.type.quals


def threadprivate_uses(
    unit: ParsedUnit, calls: CallGraph, variables: frozenset[Symbol], body: c_ast.Node
) -> Iterator[tuple[Symbol, str, SourceSpan]]:
    """The uses of threadprivate variables in a region, or in a function that it reaches."""
    for part in (body, *(f.body for f in calls.functions(body))) if variables else ():
        for node in walk(part):
            if isinstance(node, c_ast.ID) and (symbol := calls.sema.symbol(node)) in variables and symbol is not None:
                yield symbol, node.name, unit.span_of(node)
