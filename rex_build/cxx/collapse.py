"""What the C++ front end knows of loops that may share the grid (``optimise/collapse.py``), and their kernel's body.

The body stays the user's text: the heads of the loops that share the grid are left out of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..base.records import dataclass
from ..c.source.tokens import next_token, statement_end
from ..openmp.canonical import Level
from ..optimise.surroundings import Cover, UncollapsibleError
from ..plan.claims import WatchedLoop
from ..plan.constructs import CanonicalLoop, Entity
from ..tree import nodes as tree
from . import libclang
from .loops import body_of, code_of, planned
from .program import RegionFacts
from .text_constructs import Head, Range, Text, Variable, identifiers_in
from .unit import Unit


@dataclass(frozen=True)
class InCxx:
    """How the C++ front end reads loops."""

    facts: RegionFacts

    def head(self, level: Level) -> CanonicalLoop:
        if not libclang.is_users(level.loop.origin):
            raise UncollapsibleError("a loop inside that stands elsewhere", level.loop)
        head = planned(self.facts.unit, self.facts.function, level)
        if head.step is not None:
            raise UncollapsibleError("a loop inside has an unusual head", level.loop)
        return head

    def check_names(self, body: tree.Statement, levels: Sequence[CanonicalLoop]) -> None:
        unit, function = self.facts.unit, self.facts.function
        names = {level.symbol.name: (level.symbol, *level.same) for level in levels}
        if len(names) < len(levels):
            raise UncollapsibleError("loops have variables of one name")
        alone = isinstance(body, tree.Loop) and libclang.is_users(body.origin)
        start, end = unit.extent(body.origin) if alone else (self.facts.body.start, self.facts.body.end)
        for symbol in (level.symbol for level in levels if not level.declared):
            if isinstance(symbol, Variable) and start <= symbol.start < end:
                why = f"'{symbol.name}' is declared in front of its loop"
                raise UncollapsibleError(why, body, "declare it in the loop's head")
        if any(other.name != level.symbol.name for level in levels for other in level.same):
            raise UncollapsibleError("loops side by side have variables of different names")
        meant = {r.start: r.variable for r in function.references(start, end)}
        for at, name in identifiers_in(unit.text[start:end]):
            own = names.get(name, ())
            if own and meant.get(start + at) not in own and not any(_declares(one, start + at) for one in own):
                raise UncollapsibleError(f"'{name}' means several variables", body, "give them names of their own")

    def text(self, node: tree.Node) -> str:
        unit, origin = self.facts.unit, node.origin
        if origin is None or not libclang.is_users(origin):
            return "an access"
        start, end = unit.extent(origin)
        return " ".join(unit.text[start:end].split())


def _declares(symbol: Entity, at: int) -> bool:
    """Whether a place is in the declaration of a variable, which does not mention it otherwise."""
    return isinstance(symbol, Variable) and symbol.start <= at < symbol.end


def watched_loop(unit: Unit, loop: tree.Loop) -> WatchedLoop:
    """A loop with the pragmas in front of it, which are for loops alone, and what an iteration runs."""
    start, body = unit.extent(loop.origin)[0], body_of(unit, loop.origin)
    end = statement_end(unit.text, body)
    return WatchedLoop(Range(_pragmas_before(unit.text, start), end), Range(body, end))


def _pragmas_before(text: str, start: int) -> int:
    """Where pragmas such as ``#pragma unroll`` begin that stand in front of a place."""
    at = start
    while (end := text.rfind("\n", 0, at)) >= 0 and not text[end + 1 : at].strip():
        at = text.rfind("\n", 0, end) + 1
        line = text[at:end].split()
        if line and (not line[0].startswith("#") or "omp" in line[:3]):
            break
        start = at if line else start
    return start


def head_of(facts: RegionFacts, loop: tree.Loop, cover: Cover, first: bool) -> Head:
    """What stands in place of a loop's head, with a ``simd`` directive in front of it. The ``first`` of loops side by
    side moves their variable."""
    unit = facts.unit
    start, body = unit.extent(loop.origin)[0], body_of(unit, loop.origin)
    simd = [c for c in facts.inside if c.start < start and next_token(unit.text, c.pragma_end) == start]
    moves = None
    if cover.moves is not None and first:
        by = code_of(unit, cover.moves)
        moves = Text(f"{cover.loop.symbol.name} += {by.text}", by.place)
    guards = tuple(code_of(unit, guard) for guard in cover.guards)
    return Head(min((c.start for c in simd), default=start), body, moves, guards)
