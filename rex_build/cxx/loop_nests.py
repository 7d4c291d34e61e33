"""Loops of constructs in the forms that every host compiler takes, and that device code can count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.patterns import regex
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing
from ..openmp.canonical import MIRROR
from ..openmp.conditions import expression
from ..openmp.kinds import LOOP_LEAVES
from . import libclang
from .dynamic_types import inside
from .edited_lines import LineEdit, with_edits
from .loops import associated_loops, collapse_of
from .reading import clang
from .unit import Unit

_COLLAPSE = regex(r"\bcollapse\s*(?=\()")
# The whole number that a loop with a bound of a floating type ends at, by the relation of its condition.
_WHOLE = {"<": "__builtin_ceil", ">=": "__builtin_ceil", "<=": "__builtin_floor", ">": "__builtin_floor"}


def with_plain_nests(unit: Unit) -> Preprocessed:
    """The unit's text with plain numbers in ``collapse``, which gcc would not know in a template, and whole numbers as
    bounds: gcc 12 takes none of a floating type."""
    edits: list[LineEdit] = []
    for construct in unit.constructs:
        if LOOP_LEAVES.isdisjoint(construct.directive.constructs):
            continue
        depth = collapse_of(unit, construct)
        number = expression(construct.directive.clauses, "collapse")
        clause = _COLLAPSE.search(unit.text, construct.start, construct.pragma_end)
        if number is not None and not number.text.isdigit() and clause is not None:
            edits.append((clause.start(), closing(unit.text, clause.end()), f"collapse({depth})"))
        for loop in associated_loops(unit, construct, depth):
            edits += _whole(unit, loop)
    return with_edits(unit.pre, sorted(set(edits)))


def _whole(unit: Unit, loop: Any) -> Iterator[LineEdit]:
    """A whole number as the bound of a loop, if it is of the type float or double."""
    condition = next((c for c in libclang.children(loop)[1:2] if c.kind == unit.kinds.BINARY_OPERATOR), None)
    if condition is None or (relation := clang.binary(condition)) not in _WHOLE:
        return
    floats = (unit.types.FLOAT, unit.types.DOUBLE)
    sides = [inside(side) for side in libclang.children(condition)]
    bounds = [number for number, side in enumerate(sides) if side.type.get_canonical().kind in floats]
    if len(bounds) == 1:
        start, end = unit.extent(sides[bounds[0]])
        whole = _WHOLE[relation if bounds[0] else MIRROR[relation]]
        yield start, end, f"static_cast<long long>({whole}({unit.text[start:end]}))"
