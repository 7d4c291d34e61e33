"""Which variables a task gets copies of although no clause says so (OpenMP 5.2, section 5.1.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from ..base.records import dataclass, replace
from ..plan.code import Entity
from ..plan.sharing import Sharing


@dataclass(frozen=True)
class Surrounding:
    """A construct around a task: its leaf constructs, the variables that its clauses map, those of which it has copies
    or that are declared in it, and whether the target construct copies one that no clause names."""

    leaves: tuple[str, ...]
    mapped: Collection[Entity]
    own: Collection[Entity]
    copies: Callable[[Entity], bool]


def is_shared(variable: Entity, around: Sequence[Surrounding], *, lasting: bool) -> bool:
    """Whether all implicit tasks of the team share a variable, according to the constructs ``around`` a task, outermost
    first. One that is ``lasting`` is of a file or a namespace, or static."""
    for one in reversed(around):
        in_team = not {"parallel", "teams"}.isdisjoint(one.leaves)
        if variable in one.mapped:
            return in_team or lasting
        if variable in one.own:
            return False
        if in_team:
            return True
        if "target" in one.leaves:  # the region's initial task belongs to no parallel region
            return lasting and not one.copies(variable)
    return lasting


def with_task_copies(
    sharing: Sharing, default: str | None, used: Sequence[Entity], around: Sequence[Surrounding],
    lasting: Callable[[Entity], bool],
) -> Sharing:  # fmt: skip
    """The sharing of a task, with the copies that it gets without a clause. ``used`` are the variables from outside
    that no clause of it names and that it changes: a task runs at once, so others need no copy."""
    first, private = list(sharing.firstprivate), list(sharing.private)
    for variable in used:
        shared = is_shared(variable, around, lasting=lasting(variable))
        if shared and lasting(variable):  # such a variable gets no copy by default
            continue
        if default == "private":
            private.append(variable)
        elif default == "firstprivate" or (default is None and not shared):
            first.append(variable)
    return replace(sharing, private=tuple(private), firstprivate=tuple(first))
