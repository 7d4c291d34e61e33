"""Tasks in device code.

They run at once, where they are encountered; this finds the variables that they need copies of, and what they depend
on, which the check device compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast

from ...directives.model import DependClause, ExprClause, Index, KeywordClause, Locator, MapClause, Member
from ...openmp import tasks
from ...plan.code import Code, Entity
from ...plan.constructs import Dependence
from ...plan.sharing import Sharing
from ..sema import Symbol, assignments, free_variables, walk
from ..sema.type_questions import is_scalar, is_variably_modified
from ..syntax.nodes import OmpConstruct
from .clauses import defaultmap_of
from .listed import listed_symbols, named_symbol
from .unit_facts import UnitFacts


def is_task(construct: OmpConstruct) -> bool:
    """Whether a construct makes one or more tasks."""
    return construct.directive.constructs[0] in ("task", "taskloop") and construct.body is not None


def with_task_copies(
    facts: UnitFacts, construct: OmpConstruct, around: Sequence[OmpConstruct], sharing: Sharing
) -> Sharing:
    """The sharing of a task, including variables that get copies without a clause."""
    assert construct.body is not None
    sema = facts.calls.sema
    listed = {*sharing.named, *listed_symbols(sema, construct, "shared")}
    default = construct.directive.clause("default")
    attribute = default.value if isinstance(default, KeywordClause) else None
    changed = assignments(sema, construct.body).symbols
    free = (r.symbol for r in free_variables(sema, construct))
    used = [symbol for symbol in free if symbol not in listed and symbol in changed]
    return tasks.with_task_copies(sharing, attribute, used, _surroundings(facts, around), _is_lasting)


def _is_lasting(symbol: Entity) -> bool:
    assert isinstance(symbol, Symbol)
    return symbol.is_global or symbol.has_static_storage


def _surroundings(facts: UnitFacts, around: Sequence[OmpConstruct]) -> list[tasks.Surrounding]:
    """The constructs around a task, as far as it matters which variables it shares."""
    return [_surrounding(facts, construct) for construct in around]


def _surrounding(facts: UnitFacts, construct: OmpConstruct) -> tasks.Surrounding:
    sema, directive = facts.calls.sema, construct.directive
    maps = [c for c in directive.clauses if isinstance(c, MapClause)]
    mapped: set[Entity] = {named_symbol(sema, construct, item) for clause in maps for item in clause.items}
    own = facts.constructs.sharing(construct)
    if "target" in directive.constructs:
        mapped |= {*own.lastprivate, *(r.symbol for r in own.reductions)}

    def copies(symbol: Entity) -> bool:
        assert isinstance(symbol, Symbol)
        behavior = defaultmap_of(directive, symbol.type)
        copied = behavior == "firstprivate" or (behavior is None and is_scalar(symbol.type))
        return copied and symbol not in facts.on_device

    return tasks.Surrounding(directive.constructs, mapped, {*own.named, *facts.constructs.locals(construct)}, copies)


_KINDS = {"in": "in", "out": "out", "inout": "out", "mutexinoutset": "out", "inoutset": "in_set"}


def dependences(
    facts: UnitFacts, construct: OmpConstruct, around: Sequence[OmpConstruct]
) -> tuple[Dependence, ...]:
    """What the ``depend`` clauses of a task or ``taskwait`` name. ``around`` are the constructs around it."""
    found: list[Dependence] = []
    for clause in construct.directive.all("depend"):
        assert isinstance(clause, DependClause)
        kind = _KINDS.get(clause.kind)
        for item in clause.items:
            symbol = facts.calls.sema.lookup(construct, item.name)
            if kind is None or clause.iterators or item.shape or symbol is None:
                found.append(Dependence("on_all"))
                continue
            is_there = _is_on_device(facts, symbol, around) and not is_variably_modified(symbol.type)
            found.append(Dependence(kind, symbol.name, symbol if is_there else None, tuple(_first_element(item))))
    return tuple(found)


def _is_on_device(facts: UnitFacts, symbol: Symbol, around: Sequence[OmpConstruct]) -> bool:
    """Whether device code has a variable that a clause names. A region has no variable that only clauses name."""
    if not around or not around[0].directive.is_target:
        return not _is_lasting(symbol) or symbol in facts.on_device
    free = next((r for r in free_variables(facts.calls.sema, around[0]) if r.symbol is symbol), None)
    return free is None or not free.in_clause_only


def _first_element(item: Locator) -> Iterator[Code | str]:
    """The steps that lead from a variable to the storage whose address identifies a dependence."""
    for step in item.steps:
        if isinstance(step, Member):
            yield f"{'->' if step.arrow else '.'}{step.name}"
            continue
        index = step.expr if isinstance(step, Index) else step.lower
        yield index.node if index is not None else "[0]"


def host_task_copies(
    facts: UnitFacts, region: OmpConstruct, construct: OmpConstruct, around: Sequence[OmpConstruct]
) -> list[Symbol]:
    """The variables from outside of a region of which a task in it gets copies without a clause.

    The host version of the region may be inside a parallel region, in which the tasks would share them.
    """
    if not is_task(construct) or construct.directive.has("default"):
        return []
    assert construct.body is not None
    sema = facts.calls.sema
    inside: set[Entity | None] = {*facts.constructs.locals(region), *listed_symbols(sema, construct, "shared")}
    inside.update(facts.constructs.sharing(construct).named)
    event = construct.directive.clause("detach")
    if isinstance(event, ExprClause) and event.expr is not None:
        inside.add(sema.lookup(construct, event.expr.text))
    loops = (n.init.lvalue for n in walk(construct.body) if isinstance(n, c_ast.For) and _assigns(n.init))
    inside.update(map(sema.symbol, loops))
    free = [s for r in free_variables(sema, construct) if (s := r.symbol) not in inside and not _is_lasting(s)]
    surroundings = _surroundings(facts, around)
    return [s for s in free if not tasks.is_shared(s, surroundings, lasting=False)]


def _assigns(init: c_ast.Node | None) -> bool:
    return isinstance(init, c_ast.Assignment) and isinstance(init.lvalue, c_ast.ID)
