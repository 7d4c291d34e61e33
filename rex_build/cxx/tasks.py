"""The target tasks of constructs with ``nowait``, ``depend`` or ``in_reduction``."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..plan.code import Entity
from ..plan.host import HostTask
from ..plan.unit import target_task
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
