"""The target tasks of constructs with ``nowait``, ``depend`` or ``in_reduction``."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..plan.code import Entity
from ..plan.host import HostTask
from ..plan.target_tasks import target_task
from .code import Construct, Variable
from .functions import Function
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
        named = [unit.lookup(function, name, construct.start) for _, name in words]
        found = [
            v
            for v in dict.fromkeys([*used, *(v for v in named if v is not None)])
            if v.is_local and not v.constant and not construct.start <= v.start < construct.end
        ]
        values = [
            v
            for v in found
            if v in copied or (v.type.kind in ("scalar", "pointer", "dependent") and v not in addressed)
        ]
        return [v.name for v in values], [v.name for v in found if v not in values]

    return target_task(construct.directive, (), variables)
