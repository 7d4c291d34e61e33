"""How the objects and values of ``atomic`` constructs are written in C++."""

from __future__ import annotations

from functools import partial

from ..openmp.atomics import Written, atomic_of
from ..plan.code import Code
from ..plan.constructs import Atomic
from ..tree import nodes as tree
from .code import Construct, Range, Text
from .reading.reader import reader_of
from .unit import Unit


def atomic_operation(unit: Unit, construct: Construct) -> Atomic:
    """The operation of an ``atomic`` construct. Raises InputError for one that devices do not have."""
    reader = reader_of(unit)
    found = reader.region(construct) or reader.pattern(construct)
    bodies = [one.body or tree.Block(()) for one in found]
    return atomic_of(construct.directive, bodies, unit.span(construct.body_start), unit.requirements, written(unit))


def written(unit: Unit) -> Written:
    """How C++'s code is written: as in the user's text."""
    return Written(
        lambda cursor: Range(*unit.extent(cursor)),
        partial(_joined, unit),
        lambda cursor: unit.span(unit.extent(cursor)[0]),
        lambda cursor: max(cursor.type.get_align(), 0),
    )


def _joined(unit: Unit, operator: str, left: Code, right: Code) -> Text:
    assert isinstance(right, Range)
    texts = (unit.text[c.start : c.end] if isinstance(c, Range) else c.text for c in (left, right))  # type: ignore[attr-defined]
    return Text(f" {operator} ".join(f"({text})" for text in texts), right.start)
