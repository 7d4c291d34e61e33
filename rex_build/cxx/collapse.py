"""What the C++ front end knows of loops that may share the grid (``optimise/collapse.py``), and their kernel's body.

The body stays the user's text: the heads of the loops that share the grid are left out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

from ..base.records import dataclass, replace
from ..c.source.tokens import next_token, statement_end
from ..openmp.canonical import Level, canonical
from ..openmp.host_bounds import HostView
from ..openmp.regions import Planned
from ..optimise import collapse
from ..optimise.accesses import Accesses, members_of
from ..optimise.collapse import Collapse
from ..optimise.counted import counted
from ..optimise.surroundings import Cover, Region, UncollapsibleError
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
from .code import Head, Range, Spread, Text, Variable
from .facts import RegionFacts
from .loops import body_of, code_of, planned
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
        both = ((n, c, made[n]) for n, c in found.items() if n in made)
        found = made if number == 0 else {n: _both(c, other) for n, c, other in both if _alike(c, other)}
    if not found:
        raise UncollapsibleError("instantiations of the template differ")
    return list(found.values())


def _alike(one: Collapse, other: Collapse) -> bool:
    """Whether one text serves two instantiations: the same levels, in the same order, with the same guards."""
    heads = ([replace(head, trips=None, narrow_counts=0, limits=()) for head in c.levels] for c in (one, other))
    guards = ([(cover.moves is None, len(cover.guards)) for cover in c.covers] for c in (one, other))
    return next(heads) == next(heads) and next(guards) == next(guards)


def _both(one: Collapse, other: Collapse) -> Collapse:
    """What holds for two instantiations."""
    conditions = tuple(dict.fromkeys((*one.conditions, *other.conditions)))
    heads = {
        head.symbol: replace(
            head,
            trips=head.trips if head.trips == same.trips else None,
            narrow_counts=min(head.narrow_counts, same.narrow_counts),
            limits=tuple(limit for limit in head.limits if limit in same.limits),
        )
        for head, same in zip(one.levels, other.levels, strict=True)
    }
    return replace(
        one,
        levels=tuple(heads[head.symbol] for head in one.levels),
        inner=tuple(heads[head.symbol] for head in one.inner),
        conditions=conditions,
        read=one.read | other.read,
        iterations=(*one.iterations, *other.iterations),
    )


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
        pairs = zip(found.loops, found.covers, strict=True)
        heads = (self._head(loop, cover, loop is loops[0]) for loops, cover in pairs for loop in loops)
        return LoopNest(found.levels, Spread(body.start, body.end, tuple(heads)))

    def _head(self, loop: tree.Loop, cover: Cover, first: bool) -> Head:
        """What stands in place of a loop's head. The ``first`` of loops side by side moves their variable."""
        unit = self.facts.unit
        start, body = unit.extent(loop.origin)[0], body_of(unit, loop.origin)
        simd = [c for c in self.facts.inside if c.start < start and next_token(unit.text, c.pragma_end) == start]
        moves = None
        if cover.moves is not None and first:
            by = code_of(unit, cover.moves)
            moves = Text(f"{cover.loop.symbol.name} += {by.text}", by.place)
        guards = tuple(code_of(unit, guard) for guard in cover.guards)
        return Head(min((c.start for c in simd), default=start), body, moves, guards)

    def memory(self, nest: LoopNest, sharing: Sharing, found: Collapse) -> Optimised | str:
        return self.kernel_memory(nest, sharing, found)
