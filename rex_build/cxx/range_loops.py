"""Range-based loops of constructs as loops over iterators, which are in canonical form (OpenMP 5.0, section 2.9.1).

for (auto &x : v)   ->   for (auto rex_at_1 = (v).begin(); rex_at_1 != (v).end(); ++rex_at_1) { auto &x = *rex_at_1;
    statement                statement }
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..base.patterns import regex
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing, next_token, statement_end
from ..openmp.kinds import LOOP_LEAVES
from . import libclang
from .code import Construct
from .edited_lines import LineEdit, with_edits
from .loops import collapse_of, head_sections
from .unit import Unit

_ACTS = regex(r"[({]|\+\+|--|=")  # what two evaluations of the range might do twice


def with_iterators(unit: Unit) -> Preprocessed:
    """The unit's text with loops over iterators as the loops of its constructs."""
    edits: list[LineEdit] = []
    for construct, at in _associated(unit):
        if len(head_sections(unit.text, at)) == 1 and (loop := _range_loop(unit, construct, at)) is not None:
            edits += _edits(unit, loop, at, len(edits) // 2 + 1)
    return with_edits(unit.pre, sorted(edits))


def _associated(unit: Unit) -> Iterator[tuple[Construct, int]]:
    """The constructs with loops, and the offsets of these loops."""
    text = unit.text
    for construct in unit.constructs:
        at = construct.body_start
        has_loops = not LOOP_LEAVES.isdisjoint(construct.directive.constructs)
        for _ in range(collapse_of(unit, construct) if has_loops else 0):
            at = next_token(text, at)
            while text[at] == "{":
                at = next_token(text, at + 1)
            if not re.match(r"for\b", text[at:]):
                break
            yield construct, at
            at = closing(text, text.index("(", at))


def _range_loop(unit: Unit, construct: Construct, at: int) -> Any:
    """The range-based loop that begins at a place, if one does."""
    function = unit.function_at(construct.start)
    stack = [function.cursor] if function is not None else []
    while stack:
        cursor = stack.pop()
        start, end = unit.extent(cursor)
        if cursor.kind == unit.kinds.CXX_FOR_RANGE_STMT and start == at:
            return cursor
        if start <= at < end:
            stack += libclang.children(cursor)
    return None


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
