"""Loops of constructs in the forms that every host compiler takes, and that device code can count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.patterns import regex
from ..c.rewrite.rewriting import Respelling, respelled
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing, statement_end
from ..openmp.canonical import MIRROR
from ..openmp.conditions import expression
from ..openmp.kinds import LOOP_LEAVES
from . import libclang
from .dynamic_types import inside
from .loops import associated_loops, collapse_of
from .reading import clang
from .unit import Unit

_COLLAPSE = regex(r"\bcollapse\s*(?=\()")
_ACTS = regex(r"[({]|\+\+|--|=")  # what two evaluations of a range might do twice
# The whole number that a loop with a bound of a floating type ends at, by the relation of its condition.
_WHOLE = {"<": "__builtin_ceil", ">=": "__builtin_ceil", "<=": "__builtin_floor", ">": "__builtin_floor"}


def with_plain_nests(unit: Unit) -> Preprocessed:
    """The unit's text with loops over iterators as the loops of its constructs (OpenMP 5.0, section 2.9.1).

    for (auto &x : v)   ->   for (auto rex_at_1 = (v).begin(); rex_at_1 != (v).end(); ++rex_at_1) { auto &x = *rex_at_1;
        statement                statement }

    It has plain numbers in ``collapse``, which gcc would not know in a template, and whole numbers as bounds: gcc 12
    takes none of a floating type.
    """
    ranges: list[Respelling] = []
    numbers: set[Respelling] = set()
    for construct in unit.constructs:
        if LOOP_LEAVES.isdisjoint(construct.directive.constructs):
            continue
        depth = collapse_of(unit, construct)
        number = expression(construct.directive.clauses, "collapse")
        clause = _COLLAPSE.search(unit.text, construct.start, construct.pragma_end)
        if number is not None and not number.text.isdigit() and clause is not None:
            numbers.add((clause.start(), closing(unit.text, clause.end()), f"collapse({depth})"))
        for loop in associated_loops(unit, construct, depth):
            if loop.kind == unit.kinds.CXX_FOR_RANGE_STMT:
                ranges += _over_iterators(unit, loop, unit.extent(loop)[0], len(ranges) // 2 + 1)
            else:
                numbers.update(_whole(unit, loop))
    return respelled(unit.pre, sorted([*ranges, *numbers]))


def _whole(unit: Unit, loop: Any) -> Iterator[Respelling]:
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


def _over_iterators(unit: Unit, loop: Any, at: int, number: int) -> Iterator[Respelling]:
    """The two edits of a loop, or none if its range is no place: its analysis says so then."""
    text, name = unit.text, f"rex_at_{number}"
    body = closing(text, text.index("(", at))
    _, value, *_ = (child for child in libclang.children(loop) if not child.kind.is_statement())
    colon = text.rindex(":", at, unit.extent(value)[0])
    declared, place = text[text.index("(", at) + 1 : colon].strip(), text[colon + 1 : body - 1].strip()
    if ";" in declared or _ACTS.search(place):
        return
    kind = value.type.get_canonical()
    if kind.kind == unit.types.CONSTANTARRAY:
        first, last = f"&({place})[0]", f"&({place})[0] + {kind.element_count}"
    elif kind.kind == unit.types.RECORD:
        first, last = f"({place}).begin()", f"({place}).end()"
    else:
        first, last = f"std::begin({place})", f"std::end({place})"
    head = f"(auto {name} = {first}; {name} != {last}; ++{name}) {{ {declared} = *{name};"
    lines = "\n" * text.count("\n", at, body)
    yield text.index("(", at), body, head + lines
    end = statement_end(text, body)
    yield end, end, " }"
