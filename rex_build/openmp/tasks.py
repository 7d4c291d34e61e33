"""Tasks in device code.

They run at once, where they are encountered; this finds the variables that they need copies of, and what they depend
on, which the check device compares.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from ..base.records import replace
from ..directives.contents import directive_expressions, privatised_names
from ..directives.model import DependClause, Directive, ExprClause, Index, KeywordClause, Locator, MapClause, Member
from ..plan.constructs import Code, Dependence, Entity, Sharing
from ..plan.unit import HostTask, target_task
from ..tree import nodes as tree
from .mapping import Mapper
from .program import C, Program
from .reductions import listed
from .team_memory import counted


def is_task(program: Program[C], construct: C) -> bool:
    """Whether a construct makes one or more tasks."""
    return construct.directive.constructs[0] in ("task", "taskloop") and program.body(construct) is not None


def with_task_copies(program: Program[C], construct: C, around: Sequence[C], sharing: Sharing) -> Sharing:
    """The sharing of a task, including variables that get copies without a clause (OpenMP 5.2, section 5.1.1).

    A task runs at once, so only variables that it changes need a copy.
    """
    said = {*sharing.named, *listed(program, construct, "shared")}
    default = construct.directive.clause("default")
    attribute = default.value if isinstance(default, KeywordClause) else None
    changed = program.changed(construct)
    first, private = list(sharing.firstprivate), list(sharing.private)
    for variable in program.used(construct):
        if variable in said or variable not in changed:
            continue
        is_shared = shared_around(program, variable, around)
        if is_shared and program.is_lasting(variable):  # such a variable gets no copy by default
            continue
        if attribute == "private":
            private.append(variable)
        elif attribute == "firstprivate" or (attribute is None and not is_shared):
            first.append(variable)
    return replace(sharing, private=tuple(private), firstprivate=tuple(first))


def shared_around(program: Program[C], variable: Entity, around: Sequence[C]) -> bool:
    """Whether all implicit tasks of the team share a variable, according to the constructs around a task."""
    for construct in reversed(around):
        leaves = construct.directive.constructs
        in_team = not {"parallel", "teams"}.isdisjoint(leaves)
        maps = [c for c in construct.directive.clauses if isinstance(c, MapClause)]
        mapped = {program.found(construct, item.name) for clause in maps for item in clause.items}
        own = program.sharing(construct)
        if "target" in leaves:
            mapped |= {*own.lastprivate, *(r.symbol for r in own.reductions)}
        if variable in mapped:
            return in_team or program.is_lasting(variable)
        if variable in own.named or program.declares(construct, variable):
            return False
        if in_team:
            return True
        if "target" in leaves:  # the region's initial task belongs to no parallel region
            return program.is_lasting(variable) and not program.is_passed_by_value(construct, variable)
    return program.is_lasting(variable)


def host_task_copies(program: Program[C], region: C, construct: C, around: Sequence[C]) -> list[Entity]:
    """The variables from outside of a region of which a task in it gets copies without a clause.

    The host version of the region may be inside a parallel region, in which the tasks would share them.
    """
    if not is_task(program, construct) or construct.directive.has("default"):
        return []
    inside = {*program.sharing(construct).named, *listed(program, construct, "shared")}
    for part in (one for whole in program.trees(construct) for one in tree.parts(whole, tree.Construct)):
        inside.update(counted(part))
    event = construct.directive.clause("detach")
    own = event.expr.text if isinstance(event, ExprClause) and event.expr is not None else ""
    free = (v for v in program.used(construct) if v not in inside and v.name != own)
    local = (v for v in free if not program.declares(region, v) and not program.is_lasting(v))
    return [v for v in local if not shared_around(program, v, around)]


def task_of(
    directive: Directive, mapper: Mapper, used: Iterable[Entity], copied: Collection[Entity], kept: Collection[str] = ()
) -> HostTask | None:
    """The target task of a construct, or None if it has none; for ``kept`` see :func:`target_task`.

    ``used`` are the variables that its region or its rows mention, and ``copied`` those of them that are firstprivate.
    A deferred task sees the values that these, pointers, and variables in expressions of clauses had when the construct
    was met (OpenMP 5.2, section 13.8). Only mapped storage is the original.
    """

    def variables() -> tuple[list[str], list[str]]:
        items = mapper.items
        found = {v: one for v in used if (one := items.in_task(v)) is not None}
        in_clauses = [v for expr in directive_expressions(directive) for v in items.named_in(expr)]
        named = {v: one for v in in_clauses if (one := items.in_task(v)) is not None}
        parts = [part for row in mapper.rows if not row.literal for part in (row.base, row.pointer, row.attach)]
        addressed = {name for part in parts if part is not None for name in part.addressed}
        own = privatised_names(directive)
        asked = {**{v: one for v, one in found.items() if one.is_pointer}, **named}
        copies = {v: one.host for v, one in found.items() if v in copied}
        for v, one in asked.items():
            if one.is_value and v.name not in own and one.host not in addressed:
                copies[v] = one.host
        return list(copies.values()), [v.name for v, one in found.items() if v not in copies and one.is_local]

    return target_task(directive, kept, variables)


_KINDS = {"in": "in", "out": "out", "inout": "out", "mutexinoutset": "out", "inoutset": "in_set"}


def dependences(program: Program[C], construct: C, around: Sequence[C]) -> tuple[Dependence, ...]:
    """What the ``depend`` clauses of a task or ``taskwait`` name. ``around`` are the constructs around it."""
    found: list[Dependence] = []
    for clause in construct.directive.all("depend"):
        assert isinstance(clause, DependClause)
        kind = _KINDS.get(clause.kind)
        for item in clause.items:
            variable = program.found(construct, item.name)
            if kind is None or clause.iterators or item.shape or variable is None:
                found.append(Dependence("on_all"))
                continue
            is_there = program.is_on_device(variable, around) and not program.is_variable_length(variable)
            steps = tuple(_first_element(program, construct, item))
            found.append(Dependence(kind, variable.name, variable if is_there else None, steps))
    return tuple(found)


def _first_element(program: Program[C], construct: C, item: Locator) -> Iterator[Code | str]:
    """The steps that lead from a variable to the storage whose address identifies a dependence."""
    for step in item.steps:
        if isinstance(step, Member):
            yield f"{'->' if step.arrow else '.'}{step.name}"
            continue
        index = step.expr if isinstance(step, Index) else step.lower
        yield program.code(construct, index) if index is not None else "[0]"
