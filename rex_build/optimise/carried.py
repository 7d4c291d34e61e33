"""Which variables take values from one iteration of a loop to another, and which get one value in an iteration."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress

from ..plan.constructs import Entity, Reduction
from ..tree import nodes as tree
from ..tree.flow import is_written_first
from ..tree.nodes import walk
from ..tree.symbols import Variable, entity_of
from ..tree.types import Complex, Floating, Integer, Pointer
from ..tree.updates import Combining, statements
from .changes import changes_of, mentions
from .obstacle import ObstacleError
from .surroundings import Region, UncollapsibleError
from .team_accesses import TeamPlaces


def _home(bodies: Sequence[tree.Statement], variable: Variable) -> int:
    """The innermost of the bodies, by number, that has all mentions of a variable."""
    found = mentions(bodies[0], variable)
    home = 0
    for number, body in enumerate(bodies):
        nodes = {*walk(body)}
        if all(m in nodes for m in found):
            home = number
    return home


def check_scalars(
    region: Region,
    bodies: Sequence[tree.Statement],
    counters: Collection[Variable],
    inside: Collection[tree.Node],
) -> None:
    """Refuse variables that carry values from one iteration of an inner loop to another.

    ``bodies`` are those of an iteration and of the inner loops, which count the ``counters``.
    """
    body = bodies[0]
    reduced = {r.symbol: r for r in region.reductions}
    changed = [changes_of(one, region.calls) for one in bodies]
    everywhere, changes = changed[:2]
    declared, declared_inside = everywhere.declared, changed[-1].declared
    lent: set[Entity] = set()
    if everywhere.lent:
        with suppress(ObstacleError):
            lent = TeamPlaces(region.calls, set(), (), ()).lent(list(walk(body)), {})[1]
    for variable in everywhere.variables:
        entity = variable.entity
        if entity in region.memory or variable in declared_inside or variable in counters or entity in region.carried:
            continue
        if entity in reduced:
            _check_reduction(region, bodies[-1], variable, reduced[entity], inside, mentions(body, variable))
            continue
        if variable in everywhere.lent and (entity_of(variable) not in lent or variable not in declared):
            raise _carried(body, variable)  # somebody may change it who does not name it
        if variable not in changes.variables:
            # Only what stands in front of the first inner loop changes it, and is repeated.
            if variable not in declared and not is_written_first(body, variable):
                raise _carried(body, variable)
            continue
        if not isinstance(variable.type, Integer | Floating | Complex) or variable in changes.lent:
            raise UncollapsibleError(f"inner loops share '{variable.name}'", mentions(bodies[1], variable)[0])
        home = _home(bodies, variable)
        if home == 0 or any(variable in one.variables for one in changed[home + 1 :]):
            raise _carried(body, variable)
        if variable in everywhere.lent or not is_written_first(bodies[home], variable):
            raise _carried(body, variable)
    named = {part.variable.entity for part in walk(body) if isinstance(part, tree.Named)}
    combined = {variable.entity for variable in everywhere.variables}
    for reduction in region.reductions:
        if reduction.symbol in named and reduction.symbol not in combined:
            raise UncollapsibleError(f"the reduction over '{reduction.symbol.name}' is read, but not added to")


def check_side_by_side(region: Region, loops: Sequence[tree.Loop]) -> None:
    """Refuse variables that carry values from one of several loops to another."""
    reduced = {r.symbol for r in region.reductions}
    for loop in loops:
        changes = changes_of(loop.body)
        for variable in changes.variables:
            if variable.entity in region.memory or variable.entity in reduced or variable in changes.declared:
                continue
            others = [other.body for other in loops if mentions(other.body, variable)]
            if len(others) > 1 and not all(is_written_first(body, variable) for body in others):
                raise _carried(tree.Block(tuple(loops)), variable)


def _carried(body: tree.Statement, variable: Variable) -> UncollapsibleError:
    why = f"'{variable.name}' takes a value from one iteration of an inner loop to another"
    return UncollapsibleError(why, mentions(body, variable)[-1], "reduce it, or compute it anew in each iteration")


def single_values(
    region: Region, bodies: Sequence[tree.Statement]
) -> tuple[dict[Entity, tree.Expression], frozenset[Entity]]:
    """(the variables that get one value in an iteration, each with it; those that get it outside of inner loops)"""
    body = bodies[0]
    values: dict[Variable, list[tree.Expression]] = {}
    assigned: set[Variable] = set()
    for node in walk(body):
        match node:
            case tree.Declare(variable=variable, initialiser=value) if value is not None:
                values.setdefault(variable, []).append(value)
            case tree.Store(place=tree.Named(variable=variable), value=value):
                values.setdefault(variable, []).append(value)
                assigned.add(variable)
            case tree.Update(place=tree.Named(variable=variable), value=value):
                values.setdefault(variable, []).extend((value, value))
    changes = changes_of(body)
    single: dict[Entity, tree.Expression] = {}
    in_loops = {*walk(bodies[1])}
    for variable, found in values.items():
        entity, kind = variable.entity, variable.type
        plain = isinstance(kind, Integer | Pointer) and not kind.volatile and not kind.atomic
        if entity is None or len(found) != 1 or not plain or variable in changes.lent or entity in region.memory:
            continue
        if variable not in changes.declared and entity not in region.own:
            continue
        if variable in assigned and not is_written_first(bodies[_home(bodies, variable)], variable):
            continue
        single[entity] = found[0]
    return single, frozenset(entity for entity, value in single.items() if value not in in_loops)


# -- reductions ---------------------------------------------------------------------------------------------------


def _check_reduction(
    region: Region,
    body: tree.Statement,
    variable: Variable,
    reduction: Reduction,
    inside: Collection[tree.Node],
    found: Sequence[tree.Named],
) -> None:
    """Refuse a reduction variable that the innermost body uses otherwise than the clause says."""
    problem = UncollapsibleError(f"'{variable.name}' is used otherwise than in its reduction", next(iter(found), None))
    if reduction.functions is not None or reduction.count or reduction.is_variable:
        raise problem
    combining = Combining(variable, reduction.operator, region.pure)
    allowed = {mention for part in statements(body) for mention in combining.mentions(part)}
    if any(m not in allowed or m not in inside for m in found):
        raise problem
