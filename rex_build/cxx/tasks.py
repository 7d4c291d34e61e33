"""The target tasks of constructs with ``nowait``, ``depend`` or ``in_reduction``."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..directives.contents import directive_expressions
from ..openmp.mapping import Mapper
from ..openmp.tasks import copied_by_target_task
from ..plan.code import Entity
from ..plan.host import HostTask
from ..plan.unit import target_task
from .code import Construct, Variable
from .functions import Function
from .text_constructs import identifiers_in
from .unit import Unit


def task_of(
    unit: Unit, function: Function, construct: Construct, mapper: Mapper, used: Iterable[Entity],
    copied: Collection[Entity],
) -> HostTask | None:  # fmt: skip
    """The target task of a construct, or None if the construct has none.

    ``used`` are the variables of its region, and ``copied`` those of them that are firstprivate.
    """

    def variables() -> tuple[list[str], list[str]]:
        found = [v for v in used if isinstance(v, Variable) and not v.constant and v.name != "this"]
        words = (name for expr in directive_expressions(construct.directive) for _, name in identifiers_in(expr.text))
        named = (unit.lookup(function, name, construct.start) for name in words)
        in_clauses = (v for v in named if v is not None and not v.constant and not _is_inside(construct, v))
        asked = [v for v in (*(v for v in found if v.type.kind == "pointer"), *in_clauses) if _has_value(unit, v)]
        copies = copied_by_target_task(construct.directive, mapper.rows, found, asked, copied, lambda v: str(v.host))  # type: ignore[attr-defined]
        return list(copies.values()), [v.name for v in found if v not in copies and v.is_local]

    return target_task(construct.directive, (), variables)


def _is_inside(construct: Construct, variable: Variable) -> bool:
    return construct.start <= variable.start < construct.end


def _has_value(unit: Unit, variable: Variable) -> bool:
    """Whether a variable holds a number or a pointer, and is the host's."""
    is_value = variable.type.kind in ("scalar", "pointer", "dependent") and "volatile" not in variable.type.text
    return is_value and (variable.is_local or (variable in unit.globals and variable not in unit.on_device))
