"""What device code may not do, in whatever language it is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from ..base.diagnostics import Diagnostic, InputError, SourceSpan, error_at
from ..directives.contents import clause_expressions, clause_locators, locator_expressions
from ..directives.model import Directive, Expr, ExprClause, KeywordClause, Locator
from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree.calls import Calls
from ..tree.types import Complex, Floating, Integer, Pointer, Record, Unknown
from .launch import LOOP_LEAVES
from .program import C, Program

# Clauses whose argument is an integer.
_INTEGERS = frozenset(
    (
        "collapse", "device", "dist_schedule", "filter", "grainsize", "num_tasks", "num_teams", "num_threads",
        "ordered", "priority", "safelen", "schedule", "simdlen", "thread_limit",
    )
)  # fmt: skip


def check_types(
    directive: Directive, expressions: Sequence[tuple[Expr, tree.Expression]], *, converts_objects: bool
) -> None:
    """Raise InputError for an expression in a clause that must be an integer or a condition and is not.

    There may be an expression of each instantiation. Classes can have a value if the language ``converts_objects``."""
    objects = (Record,) if converts_objects else ()
    integers, scalars = (Integer, Unknown, *objects), (Integer, Floating, Complex, Pointer, Unknown, *objects)
    no_integer = {id(e) for e, value in expressions if not isinstance(value.type, integers)}
    no_scalar = {id(e) for e, value in expressions if not isinstance(value.type, scalars)}
    for clause in directive.clauses if no_integer else ():
        where = [
            (e, "a subscript or a bound of a section") for i in clause_locators(clause) for e in locator_expressions(i)
        ]
        if clause.name in _INTEGERS:
            where += [(e, f"'{clause.name}'") for e in clause_expressions(clause)]
        for expression, what in where:
            if id(expression) in no_integer:
                raise error_at(expression.span, f"{what} must be an integer")
        test = clause.expr if isinstance(clause, ExprClause) and clause.name in ("if", "final") else None
        if test is not None and id(test) in no_scalar:
            raise error_at(test.span, f"'{clause.name}' takes a condition")


def check_threadprivate(
    variables: Collection[Entity], regions: Iterable[tree.Node], calls: Calls, span_of: Callable[[Any], SourceSpan]
) -> None:
    """Raise InputError if a region, or a function that it reaches, uses a threadprivate variable."""
    for region in regions if variables else ():
        bodies = [calls.body(function) for function in calls.functions(region)[0] if function.defined]
        for node in (n for one in (region, *(b.statement for b in bodies if b is not None)) for n in tree.walk(one)):
            if isinstance(node, tree.Named) and node.variable.entity in variables and node.origin is not None:
                what = f"'{node.variable.name}' is threadprivate: device threads have no copies of it"
                raise error_at(span_of(node.origin), what, "OpenMP 5.2, section 5.2 (threadprivate directive)")


def check_one_clause_each(program: Program[C], construct: C) -> None:
    """Raise InputError when clauses of a ``target`` contradict each other about a variable (OpenMP 5.2, section 13.8).

    That is so if it is in two clauses, and one of them gives the region a copy or says that it is on the device
    already.
    """
    directive = construct.directive
    names: tuple[str, ...] = ("is_device_ptr", "has_device_addr")
    if directive.constructs == ("target",):  # in combined constructs, the copies may belong to other parts
        names += ("private", "firstprivate")
    copied: dict[Entity, str] = {}

    def check(item: Locator, variable: Entity, name: str) -> None:
        if (before := copied.get(variable, name)) != name:
            one, other = ("map", before) if name == "map" else (before, name)
            what = f"'{item.name}' is in a '{one}' and in a '{other}' clause of one 'target'"
            raise error_at(item.span, what, "OpenMP 5.2, section 13.8: target construct, restrictions")

    for clause in directive.all(*names):
        for item in clause_locators(clause):
            if (variable := program.found(construct, item.name)) is not None:
                check(item, variable, clause.name)
                copied[variable] = clause.name
    for clause in directive.all("map"):
        for item in clause_locators(clause):
            variable = program.found(construct, item.name)
            on_device = variable is not None and copied.get(variable) == "has_device_addr"
            if variable is not None and not (item.steps and (on_device or program.is_pointer(variable))):
                check(item, variable, "map")


def check_default_none(
    program: Program[C], chain: Sequence[C], regions: Callable[[], Iterable[tree.Node]], counted: Collection[Entity],
    span_of: Callable[[Any], SourceSpan],
) -> None:  # fmt: skip
    """Raise InputError for variables for which ``default(none)`` demands a clause and that are in none (OpenMP 5.2,
    section 5.4.1).

    ``regions`` gives the tree of the constructs in ``chain``, in each instantiation, and ``counted`` are the variables
    of their loops, whose attributes are predetermined.
    """
    said = (clause for part in chain for clause in part.directive.all("default"))
    if not any(isinstance(clause, KeywordClause) and clause.value == "none" for clause in said):
        return
    known = {program.found(p, item.name) for p in chain for c in p.directive.clauses for item in clause_locators(c)}
    known.update(counted)
    missing: dict[Entity, SourceSpan] = {}
    for region in regions():
        for variable, origin in _uses(program, chain, region, frozenset()):
            if variable in known or variable in missing or program.declares(chain[0], variable):
                continue
            if not (program.is_lasting(variable) and program.is_const(variable)):
                missing[variable] = span_of(origin) if origin is not None else chain[0].directive.span
    if missing:
        rule = ("OpenMP 5.2, section 5.4.1: default clause",)
        what = "is in no data-sharing clause, which 'default(none)' demands"
        raise InputError([Diagnostic("error", f"'{v.name}' {what}", span, rule) for v, span in missing.items()])


def _uses(
    program: Program[C], chain: Sequence[C], node: tree.Node, hidden: frozenset[Entity]
) -> Iterator[tuple[Entity, Any]]:
    """The variables that code names, each with what the front end has there. A construct's copies that begin without a
    value are ``hidden``: their names do not mean the variables outside."""
    if isinstance(node, tree.Construct):
        if node.origin not in chain:
            for _, expression in node.expressions:
                yield from _uses(program, chain, expression, hidden)
            inner, sharing = program.chain(node.origin)
            hidden = hidden.union(sharing.private)
            if not LOOP_LEAVES.isdisjoint(leaf for part in inner for leaf in part.directive.constructs):
                hidden = hidden.union(level.symbol for level in program.nest(inner, sharing).levels)
        if node.body is not None:
            yield from _uses(program, chain, node.body, hidden)
        return
    if isinstance(node, tree.Named) and node.variable.entity is not None and node.variable.entity not in hidden:
        yield node.variable.entity, node.origin
    for part in tree.children(node):
        yield from _uses(program, chain, part, hidden)
