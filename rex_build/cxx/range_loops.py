"""Range-based loops of constructs as loops over iterators, which are in canonical form (OpenMP 5.0, section 2.9.1).

for (auto &x : v)   ->   for (auto rex_at_1 = (v).begin(); rex_at_1 != (v).end(); ++rex_at_1) { auto &x = *rex_at_1;
    statement                statement }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.patterns import regex
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing, statement_end
from ..openmp.kinds import LOOP_LEAVES
from . import libclang
from .edited_lines import LineEdit, with_edits
from .loops import associated_loops, collapse_of
from .unit import Unit

_ACTS = regex(r"[({]|\+\+|--|=")  # what two evaluations of the range might do twice


def with_iterators(unit: Unit) -> Preprocessed:
    """The unit's text with loops over iterators as the loops of its constructs."""
    edits: list[LineEdit] = []
    for construct in unit.constructs:
        has_loops = not LOOP_LEAVES.isdisjoint(construct.directive.constructs)
        for loop in associated_loops(unit, construct, collapse_of(unit, construct) if has_loops else 0):
            if loop.kind == unit.kinds.CXX_FOR_RANGE_STMT:
                edits += _edits(unit, loop, unit.extent(loop)[0], len(edits) // 2 + 1)
    return with_edits(unit.pre, sorted(edits))


def _edits(unit: Unit, loop: Any, at: int, number: int) -> Iterator[LineEdit]:
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
