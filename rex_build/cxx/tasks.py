"""Tasks: those of target constructs with ``nowait``, ``depend`` or ``in_reduction``, and those in device code, which
run at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ..directives.model import DefaultmapClause, ExprClause, KeywordClause, MapClause
from ..openmp import tasks
from ..plan.code import Entity
from ..plan.host import HostTask
from ..plan.sharing import Sharing
from ..plan.target_tasks import target_task
from .code import Construct, Variable
from .functions import Function
from .loops import variable_of
from .mapping import ListReader
from .sharing import listed, named_copies
from .text_constructs import identifiers_in
from .unit import Unit


def task_of(
    unit: Unit, function: Function, construct: Construct, used: Iterable[Variable], addressed: Collection[Entity],
    copied: Collection[Entity],
) -> HostTask | None:  # fmt: skip
    """The target task of a construct, or None if the construct has none.

    ``used`` are the variables of its region, ``addressed`` those whose own storage is mapped, and ``copied`` those that
    are firstprivate. A deferred task sees the values that scalars and pointers had when the construct was met. Only
    mapped storage is the original.
    """

    def variables() -> tuple[list[str], list[str]]:
        words = identifiers_in(construct.directive.text)
        looked_up = (unit.lookup(function, name, construct.start) for _, name in words)
        named = [v for v in looked_up if v is not None]
        found = [
            v
            for v in dict.fromkeys([*used, *named])
            if not v.constant and not construct.start <= v.start < construct.end
            if v.is_local or _is_asked(unit, v, named)
        ]
        values = [
            v
            for v in found
            if v in copied or (v.type.kind in ("scalar", "pointer", "dependent") and v not in addressed)
        ]
        return [v.host for v in values], [v.name for v in found if v not in values and v.is_local]

    return target_task(construct.directive, (), variables)


def _is_asked(unit: Unit, variable: Variable, named: Collection[Variable]) -> bool:
    """Whether the value that a variable of a namespace has when the construct is met decides what its task does."""
    is_value = variable.type.kind == "pointer" or (variable.type.kind == "scalar" and variable in named)
    is_value = is_value and variable in unit.globals and "volatile" not in variable.type.text
    return is_value and variable not in unit.on_device


def with_task_copies(unit: Unit, function: Function, construct: Construct, sharing: Sharing) -> Sharing:
    """The sharing of a task in device code, including variables that get copies without a clause."""
    default = construct.directive.clause("default")
    attribute = default.value if isinstance(default, KeywordClause) else None
    named = {*sharing.named, *_listed_shared(unit, function, construct)}
    used = [v for v in _used(function, construct, only_changed=True) if v not in named]
    around = list(_surroundings(unit, function, construct))
    return tasks.with_task_copies(sharing, attribute, used, around, _is_lasting)


def host_task_copies(unit: Unit, function: Function, region: Construct, construct: Construct) -> list[str]:
    """The variables from outside of a region of which a task in it gets copies without a clause.

    The host version of the region may be inside a parallel region, in which the tasks would share them.
    """
    if construct.directive.constructs[0] not in ("task", "taskloop") or construct.directive.has("default"):
        return []
    event = construct.directive.clause("detach")
    named = {*named_copies(unit, function, construct).named, *_listed_shared(unit, function, construct)}
    if isinstance(event, ExprClause) and event.expr is not None:
        named.update(filter(None, [unit.lookup(function, event.expr.text, construct.start)]))
    around = list(_surroundings(unit, function, construct))
    used = (v for v in _used(function, construct) if v not in named and not _is_lasting(v))
    loop = construct.body_start
    counter = variable_of(unit.text, loop)[0] if unit.text.startswith("for", loop) else ""
    outside = (v for v in used if not region.start <= v.start < region.end and v.name != counter)
    return [v.name for v in outside if not tasks.is_shared(v, around, lasting=False)]


def _is_lasting(variable: Entity) -> bool:
    assert isinstance(variable, Variable)
    return not variable.is_local


def _listed_shared(unit: Unit, function: Function, construct: Construct) -> list[Variable]:
    return listed(ListReader(unit, function, construct.start), construct.directive.clauses, "shared")


def _used(function: Function, construct: Construct, *, only_changed: bool = False) -> list[Variable]:
    """The variables from outside of a construct that its statement mentions, or may change."""
    inside = [r for r in function.mentions.references if construct.body_start <= r.start < construct.end]
    found = dict.fromkeys(r.variable for r in inside if not (only_changed and (r.is_read or r.variable.type.const)))
    return [v for v in found if not v.constant and not construct.start <= v.start < construct.end]


def _surroundings(unit: Unit, function: Function, construct: Construct) -> Iterator[tasks.Surrounding]:
    """The constructs around a task, outermost first, as far as it matters which variables it shares."""
    for around in unit.constructs:
        if function.start <= around.start < construct.start and construct.end <= around.end:
            yield _surrounding(unit, function, around)


def _surrounding(unit: Unit, function: Function, around: Construct) -> tasks.Surrounding:
    directive = around.directive
    maps = (clause for clause in directive.clauses if isinstance(clause, MapClause))
    found = (unit.lookup(function, item.name, around.start) for clause in maps for item in clause.items)
    mapped: set[Entity | None] = {variable for variable in found if variable is not None}
    own = named_copies(unit, function, around)
    if "target" in directive.constructs:
        mapped |= {*own.lastprivate, *(r.symbol for r in own.reductions)}
    inside = {v for v in _declared(unit, function) if around.body_start <= v.start < around.end}
    maps_scalars = any(
        isinstance(c, DefaultmapClause) and c.category in (None, "scalar", "all")
        and c.behavior not in ("default", "firstprivate")
        for c in directive.clauses
    )  # fmt: skip

    def copies(variable: Entity) -> bool:
        return bool(variable.type.kind == "scalar") and not maps_scalars and variable not in unit.on_device

    return tasks.Surrounding(directive.constructs, {m for m in mapped if m is not None}, {*own.named, *inside}, copies)


def _declared(unit: Unit, function: Function) -> list[Variable]:
    """The variables that a function declares."""
    return [unit.variable(cursor) for _, cursor in function.mentions.declared]
