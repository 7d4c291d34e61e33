"""The operations of ``atomic`` constructs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ..openmp import atomics
from ..openmp.atomics import atomic_of, check_object
from ..plan.code import Code
from ..plan.constructs import Atomic
from ..tree import nodes as tree
from ..tree.types import Pointer
from .code import Construct, Range, Text
from .forms import form_of
from .reading.frame import PLACES
from .reading.reader import reader_of
from .unit import Unit


def atomic_operation(unit: Unit, construct: Construct) -> Atomic:
    """The operation of an ``atomic`` construct. Raises InputError for one that devices do not have."""
    function = unit.function_at(construct.start)
    statement = unit.statement_at(function.cursor, construct.body_start) if function is not None else None
    part = form_of(unit, statement) if statement is not None else None
    span = unit.span(construct.body_start)
    found = atomic_of(construct.directive, part, span, unit.requirements, partial(_joined, unit))
    check_object(construct.directive, _places(unit, construct, found.location), None, span)
    return found


def _places(unit: Unit, construct: Construct, code: Code) -> Iterator[tuple[tree.Place, int]]:
    """What the text of an object in a construct means in each instantiation, with the alignment of its type."""
    assert isinstance(code, Range)
    found = (node for one in reader_of(unit).region(construct) for node in tree.walk(one) if isinstance(node, PLACES))
    for node in (node for node in found if node.origin is not None):
        is_reference = isinstance(node.type, Pointer) and node.type.reference
        if not is_reference and unit.extent(node.origin) == (code.start, code.end):
            yield node, max(node.origin.type.get_align(), 0)


def plain_update(unit: Unit, statement: Any) -> Atomic | None:
    """The operation of a statement to which ``atomic`` or ``atomic compare`` could apply and which only updates."""
    return atomics.plain_update(form_of(unit, statement), partial(_joined, unit))


def _text(unit: Unit, code: Code) -> str:
    return unit.text[code.start : code.end] if isinstance(code, Range) else code.text  # type: ignore[attr-defined]


def _joined(unit: Unit, operator: str, left: Code, right: Code) -> Text:
    assert isinstance(right, Range)
    return Text(f"({_text(unit, left)}) {operator} ({_text(unit, right)})", right.start)
