"""Rows that each thread walks along by itself (see c/analysis/optimise/walk.py), found in the user's text.

What is not found costs time only: a launch has more threads at a time then than are good for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..base.diagnostics import InputError
from ..base.patterns import regex
from ..c.source.tokens import closing, next_token, statement_end
from ..plan.host_expression import HostExpression
from ..plan.host_expression import Variable as HostVariable
from ..plan.loops import CanonicalLoop, LoopNest
from .code import Text
from .facts import RegionFacts
from .loops import canonical_loop
from .text_constructs import identifiers_in

_ELEMENT = regex(r"(?<![\w.>\])])(?:this\s*->\s*)?([A-Za-z_]\w*)\s*\[([^\[\]]*)\]")


def walked(facts: RegionFacts, nest: LoopNest) -> tuple[HostExpression, ...]:
    """The pointers to rows that a loop in an iteration of ``nest`` walks along, of the loop with the most rows."""
    own = [level.symbol.name for level in nest.levels]
    rows = (_rows(facts, loop, body, own) for loop, body in _loops(facts, facts.body.start))
    return tuple(map(HostVariable, max(rows, key=len, default=())))


def _loops(facts: RegionFacts, start: int) -> Iterator[tuple[CanonicalLoop, str]]:
    """The loops to which every iteration comes, with the texts of their bodies."""
    text = facts.unit.text
    at = next_token(text, start)
    if text[at] == "{":
        end, at = closing(text, at) - 1, next_token(text, at + 1)
        while at < end:
            yield from _loops(facts, at)
            at = next_token(text, statement_end(text, at))
    elif re.match(r"for\b", text[at : at + 4]):
        try:
            loop, body = canonical_loop(facts.unit, facts.function, at)
        except InputError:
            return
        yield loop, text[body : statement_end(text, body)]
        yield from _loops(facts, body)


def _rows(facts: RegionFacts, loop: CanonicalLoop, body: str, own: Sequence[str]) -> list[str]:
    """The pointers whose elements an iteration of ``loop`` reads one after the other, from elsewhere in each thread."""
    if loop.step_value != 1 or not isinstance(loop.lower, Text):
        return []
    counter, lower = loop.symbol.name, loop.lower.text
    apart = "[" in lower or any(name in own for _, name in identifiers_in(lower))
    found: dict[tuple[str, str], str] = {}
    for match in _ELEMENT.finditer(body):
        pointer, index = match[1], " ".join(match[2].split())
        rest = re.sub(rf"^{counter}\b|\+ ?{counter}$", "", index, count=1).strip(" +")
        walks = apart or any(re.search(rf"\b{name} ?\*|\* ?{name}\b", rest) for name in own)
        if rest != index and not re.search(rf"\b{counter}\b", rest) and walks and _is_pointer(facts, pointer):
            found.setdefault((pointer, rest), pointer)
    return list(found.values())


def _is_pointer(facts: RegionFacts, name: str) -> bool:
    """Whether a name is a pointer that the host has in front of the region."""
    variable = facts.unit.lookup(facts.function, name, facts.construct.start)
    if variable is not None:
        return bool(variable.type.kind == "pointer")
    member = facts.unit.fields(facts.function).get(name)
    return member is not None and bool(member.type.get_canonical().kind == facts.unit.types.POINTER)
