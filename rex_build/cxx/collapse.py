"""What the C++ front end knows of loops that may share the grid (``optimise/collapse.py``), and their kernel's body.

The body stays the user's text: the heads of the loops that share the grid are left out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

from ..base.records import dataclass, replace
from ..c.source.tokens import next_token, statement_end
from ..openmp.canonical import Level, canonical
from ..openmp.host_bounds import HostView
from ..openmp.regions import Planned
from ..optimise import collapse
from ..optimise.accesses import Accesses, members_of
from ..optimise.collapse import Collapse
from ..optimise.counted import Counted, counted
from ..optimise.surroundings import Around, Cover, Region, UncollapsibleError
from ..optimise.team_forms import loops_of
from ..plan.claims import WatchedLoop
from ..plan.code import Entity
from ..plan.host_expression import HostExpression, Written
from ..plan.launch import TripCounts
from ..plan.loops import CanonicalLoop, LoopNest
from ..plan.optimised import Optimised
from ..plan.sharing import Sharing
from ..tree import nodes as tree
from ..tree.nodes import walk
from ..tree.types import Integer, Pointer
from . import libclang
from .code import Range, Spread, Text, Variable
from .facts import RegionFacts
from .loops import body_of, planned
from .reading.reader import reader_of
from .text_constructs import identifiers_in
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

    def cover(self, around: Around, loop: tree.Loop, counted: Counted) -> Cover:  # noqa: ARG002
        raise around.refused(counted, next(part for part in counted.parts if around.varies(part) is not None))

    def check_names(self, body: tree.Statement, levels: Sequence[CanonicalLoop]) -> None:
        unit, function = self.facts.unit, self.facts.function
        names = {level.symbol.name: (level.symbol, *level.same) for level in levels}
        if len(names) < len(levels):
            raise UncollapsibleError("loops have variables of one name")
        start, end = self.facts.body.start, self.facts.body.end
        for symbol in (level.symbol for level in levels if not level.declared):
            if isinstance(symbol, Variable) and start <= symbol.start < end:
                why = f"'{symbol.name}' is declared in front of its loop"
                raise UncollapsibleError(why, body, "declare it in the loop's head")
        if any(other.name != level.symbol.name for level in levels for other in level.same):
            raise UncollapsibleError("loops side by side have variables of different names")
        meant = {r.start: r.variable for r in function.mentions.references if start <= r.start < end}
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


def region_of(
    facts: RegionFacts,
    memory: Collection[Entity],
    own: Collection[Entity],
    region: Planned,
    accesses: Callable[[tree.Statement], Accesses],
) -> Region:
    """What the proofs ask."""
    calls = reader_of(facts.unit).calls
    members, reductions = dict(members_of((*region.captures, *region.loaded))), region.sharing.reductions
    for this in _thises(facts.trees):
        members |= {(this, path): one for (of, path), one in members.items() if of.name == "this"}
    return Region(memory, own, reductions, members, accesses, calls, calls.only_computes, InCxx(facts))


def _thises(trees: Iterable[tree.Node]) -> set[Entity]:
    """What the trees name ``this``, in each instantiation, of which the plan has one variable."""
    named = (node.variable for one in trees for node in walk(one) if isinstance(node, tree.Named))
    return {variable for variable in named if variable.entity is None and variable.name == "this"}


def collapses(region: Region, facts: RegionFacts, nest: LoopNest) -> list[Collapse]:
    """The nests that may be collapsed in all instantiations, those with the most levels first.

    Raises ObstacleError if there are none.
    """
    found: dict[int, Collapse] = {}
    for number, one in enumerate(facts.trees):
        innermost = next(n for n in walk(one) if isinstance(n, tree.Construct) and n.origin in facts.chain[-1:])
        loops = loops_of(innermost.body, len(nest.levels))
        outer = [counted(canonical(loop), head) for loop, head in zip(loops, nest.levels, strict=False)]
        if any(not isinstance(loop.variable.type, Integer | Pointer) for loop in outer):
            raise UncollapsibleError("the loops of the construct have unusual heads")
        made = {len(c.inner): c for c in collapse.collapses(region, outer, loops[-1].body)}
        found = made if number == 0 else {n: _both(c, made[n]) for n, c in found.items() if n in made}
    if not found:
        raise UncollapsibleError("instantiations of the template differ")
    return list(found.values())


def _both(one: Collapse, other: Collapse) -> Collapse:
    """What holds for two instantiations."""
    conditions = tuple(dict.fromkeys((*one.conditions, *other.conditions)))
    iterations = (*one.iterations, *other.iterations)
    return replace(one, conditions=conditions, read=one.read | other.read, iterations=iterations)


def _declares(symbol: Entity, at: int) -> bool:
    """Whether a place is in the declaration of a variable, which does not mention it otherwise."""
    return isinstance(symbol, Variable) and symbol.start <= at < symbol.end


def watched_loop(unit: Unit, loop: tree.Loop) -> WatchedLoop:
    """A loop, and what an iteration runs."""
    start, body = unit.extent(loop.origin)[0], body_of(unit, loop.origin)
    end = statement_end(unit.text, body)
    return WatchedLoop(Range(start, end), Range(body, end))


@dataclass(frozen=True)
class HostSide:
    """The host side of a region, and how another kernel of it loads and stores."""

    facts: RegionFacts
    view: HostView
    outer: LoopNest
    kernel_memory: Callable[[LoopNest, Sharing, Collapse], Optimised | str]

    def trip_counts(self, levels: Sequence[CanonicalLoop], unreached: Sequence[CanonicalLoop]) -> TripCounts:
        return self.view.trip_counts(levels, unreached)

    def atom(self, atom: Hashable) -> HostExpression | None:
        return self.view.atom(atom)

    def first_value(self, level: CanonicalLoop) -> HostExpression:
        assert isinstance(level.lower, Text)
        text = level.lower.text
        return Written((text,), frozenset(name for _, name in identifiers_in(text)), 15)

    def nest(self, found: Collapse) -> LoopNest:
        body = self.outer.body
        assert isinstance(body, Range)
        heads = tuple(head for loops in found.loops for loop in loops for head in self._heads(loop))
        return LoopNest(found.levels, Spread(body.start, body.end, heads))

    def _heads(self, loop: tree.Loop) -> Iterator[Range]:
        unit = self.facts.unit
        start, body = unit.extent(loop.origin)[0], body_of(unit, loop.origin)
        simd = [c for c in self.facts.inside if c.start < start and next_token(unit.text, c.pragma_end) == start]
        yield Range(min((c.start for c in simd), default=start), body)

    def memory(self, nest: LoopNest, sharing: Sharing, found: Collapse) -> Optimised | str:
        return self.kernel_memory(nest, sharing, found)
