"""The operations of ``atomic`` constructs."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..openmp import atomics
from ..openmp.atomics import atomic_of
from ..plan.code import Code
from ..plan.constructs import Atomic
from .code import Construct, Range, Text
from .forms import form_of
from .unit import Unit


def atomic_operation(unit: Unit, construct: Construct) -> Atomic:
    """The operation of an ``atomic`` construct. Raises InputError for a statement in none of its forms."""
    function = unit.function_at(construct.start)
    statement = unit.statement_at(function.cursor, construct.body_start) if function is not None else None
    part = form_of(unit, statement) if statement is not None else None
    span = unit.span(construct.body_start)
    return atomic_of(construct.directive, part, span, unit.requirements, partial(_joined, unit))


def plain_update(unit: Unit, statement: Any) -> Atomic | None:
    """The operation of a statement to which ``atomic`` or ``atomic compare`` could apply and which only updates."""
    return atomics.plain_update(form_of(unit, statement), partial(_joined, unit))


def _text(unit: Unit, code: Code) -> str:
    return unit.text[code.start : code.end] if isinstance(code, Range) else code.text  # type: ignore[attr-defined]


def _joined(unit: Unit, operator: str, left: Code, right: Code) -> Text:
    assert isinstance(right, Range)
    return Text(f"({_text(unit, left)}) {operator} ({_text(unit, right)})", right.start)
