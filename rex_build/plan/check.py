"""Checks that a plan is legal. A violation is a bug in rex-build, found before a C compiler sees the text."""

from __future__ import annotations

from ..base.diagnostics import InternalError
from .captures import Transport
from .region import TargetRegion
from .rows import MAP_LITERAL, MAP_TARGET_PARAM, MEMBER_OF_SHIFT, Role
from .unit import TranslationUnitPlan


def check_plan(plan: TranslationUnitPlan) -> None:
    """Raise InternalError when the plan contradicts itself."""
    names = plan.entries
    if len(set(names)) != len(names):
        raise InternalError("two offload entries have one name")
    for region in plan.regions:
        _check_region(region)
    for data in plan.data:
        for number, row in enumerate(data.mapping.rows, 1):
            if row.flags & MAP_TARGET_PARAM:
                raise InternalError(f"{data.span}: row {number} of a data construct is a kernel parameter")


def _check_region(region: TargetRegion) -> None:
    rows = region.mapping.rows
    suppliers = [number for number, row in enumerate(rows) if row.flags & MAP_TARGET_PARAM]
    taken = [parameter.row for parameter in region.parameters]
    if taken != suppliers:
        raise InternalError(f"{region.span}: kernel parameters {taken} do not match rows {suppliers}")
    if len({c.symbol for c in region.captures}) != len(region.captures):
        raise InternalError(f"{region.span}: a variable is captured twice")
    for capture in region.captures:
        if capture.transport is Transport.WORDS:
            continue
        parameter = region.mapping.parameter(Role.VARIABLE, capture.symbol)
        if parameter is None:
            raise InternalError(f"{region.span}: no kernel parameter brings '{capture.symbol.name}'")
        literal = bool(rows[parameter.row].flags & MAP_LITERAL)
        if capture.transport is Transport.LITERAL and not literal:
            raise InternalError(f"{region.span}: '{capture.symbol.name}' is a literal without a literal row")
    for number, row in enumerate(rows):
        parent = row.flags >> MEMBER_OF_SHIFT
        if parent > number:
            raise InternalError(f"{region.span}: row {number + 1} names the later row {parent} as its parent")
