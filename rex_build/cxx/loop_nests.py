"""Loops of constructs in the forms that every host compiler takes, and that device code can count."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.patterns import regex
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing
from ..openmp.canonical import bound_of
from ..openmp.conditions import expression
from ..openmp.kinds import LOOP_LEAVES
from . import libclang
from .code import Construct
from .edited_lines import LineEdit, with_edits
from .loops import associated_loops, collapse_of, head_of
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
        for at, _ in associated_loops(unit.text, construct, depth):
            edits += _whole(unit, construct, at)
    return with_edits(unit.pre, sorted(set(edits)))


def _whole(unit: Unit, construct: Construct, at: int) -> Iterator[LineEdit]:
    """A whole number as the bound of a loop, if it is of the type float or double."""
    function = unit.function_at(construct.start)
    head = head_of(unit, function, at) if function is not None else None
    relation, bound = bound_of(head) if head is not None else ("", None)
    if bound is None or relation not in _WHOLE or bound.node.kind == unit.kinds.INTEGER_LITERAL:
        return
    condition = head.condition.node if head is not None and head.condition is not None else bound.node
    kinds = {child.type.get_canonical().kind for child in libclang.children(condition)}
    if not kinds.isdisjoint((unit.types.FLOAT, unit.types.DOUBLE)):
        start, end = unit.extent(bound.node)
        yield start, end, f"static_cast<long long>({_WHOLE[relation]}({unit.text[start:end]}))"
