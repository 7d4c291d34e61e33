"""Spreads loops inside the distributed loop over the grid, too, as if the program had said ``collapse``.

In ``for (i …) for (j …) out[i * n + j] = …`` only ``i`` is distributed. If it has 1000 iterations, most of a GPU is
idle, and neighbouring threads access memory far apart. Iterations of ``j`` may run at the same time, too, if they are
independent. The host launches a kernel for this if the distributed loop is short, and if the ranges that the kernel
writes overlap no others.

Iterations of the distributed loop are independent because the directive says so. What is proved here is that iterations
of the inner loops with the same ``i`` are. Statements in front of an inner loop run in each of its iterations. So they
change nothing but variables of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeGuard

from ..base.records import dataclass, replace
from ..openmp.canonical import NotCanonicalError, canonical
from ..plan.constructs import CanonicalLoop, Entity
from ..tree import nodes as tree
from ..tree.affine import Facts
from ..tree.flow import effects_of
from ..tree.nodes import walk
from ..tree.symbols import Variable
from ..tree.types import Integer
from ..tree.values import named_in, owner_of
from .accesses import Access, Accesses, UnprovableError
from .carried import check_scalars, check_side_by_side, single_values
from .changes import changes_of
from .cover import cover
from .dependence import Condition, DependenceError, Space, independent
from .guards import ends_of, guards_of
from .narrow import is_straight
from .obstacle import COUNT_PLAINLY, Obstacle, ObstacleError, remedy_of
from .surroundings import (
    Around,
    Counted,
    Cover,
    Language,
    Region,
    UncollapsibleError,
    as_written,
    counted,
    counts_as_written,
    farthest,
    in_both,
)
from .walk import crossed, fastest

MOST_LEVELS = 3  # of inner loops
# What jumps otherwise than to the next iteration.
_JUMPS = (tree.Switch, tree.Goto, tree.Target, tree.Return, tree.Break)
# What bounds of loops must not do.
_NOT_SIMPLE = (
    tree.Call, tree.Store, tree.Update, tree.Conditional, tree.Sequence, tree.Temporary, tree.StatementValue,
    tree.Aggregate, tree.Ending, tree.Opaque,
)  # fmt: skip
_IN_A_TEAM = "share the loops by 'parallel for' inside 'target teams distribute', with 'reduction' for a sum"
_BOUNDS = "compute the bound before the loops, into a variable of its own"


@dataclass(frozen=True)
class Collapse:
    """A nest with more levels, and the conditions under which their iterations are independent.

    ``levels`` are all of them, in the order in which the threads share them out. Those that were added have the heads
    ``inner``, and ``read`` is the memory that their bounds read. ``loops`` are those of each of them as they are
    written, behind the statements ``fronts``, ``covers`` what runs in place of them, and ``body`` is an iteration of
    all. ``iterations`` are these with what stands in front of them: one for each instantiation of a template.
    """

    levels: tuple[CanonicalLoop, ...]
    inner: tuple[CanonicalLoop, ...]
    conditions: tuple[Condition, ...]
    read: frozenset[Entity]
    loops: tuple[tuple[tree.Loop, ...], ...]
    covers: tuple[Cover, ...]
    body: tree.Statement
    fronts: tuple[tuple[tree.Statement, ...], ...]
    iterations: tuple[tree.Statement, ...]
    crossed: bool  # accesses are to neighbouring elements along the last level here, along the one before there

    def is_like(self, other: Collapse) -> bool:
        """Whether one text serves two instantiations: the same levels, in the same order, with the same guards."""
        heads = ([*map(as_written, one.levels)] for one in (self, other))
        guards = ([(cover.moves is None, len(cover.guards)) for cover in c.covers] for c in (self, other))
        return next(heads) == next(heads) and next(guards) == next(guards)

    def with_(self, other: Collapse) -> Collapse:
        """What holds for two instantiations."""
        pairs = zip(self.levels, other.levels, strict=True)
        heads = {head.symbol: in_both(head, same) for head, same in pairs}
        return replace(
            self,
            levels=tuple(heads[head.symbol] for head in self.levels),
            inner=tuple(heads[head.symbol] for head in self.inner),
            conditions=(*self.conditions, *(one for one in other.conditions if one not in self.conditions)),
            read=self.read | other.read,
            iterations=(*self.iterations, *other.iterations),
            crossed=self.crossed and other.crossed,
        )


@dataclass(frozen=True)
class _Level:
    """An inner loop, or several side by side whose iterations run together.

    Each of the statements in front of it is a part, and so is each condition around the loop and what follows. ``body``
    is an iteration of all the ``loops``.
    """

    before: tuple[tree.Statement, ...]
    loops: tuple[tree.Loop, ...]
    counted: Counted
    body: tree.Statement
    variables: tuple[Variable, ...]

    @property
    def head(self) -> CanonicalLoop:
        return self.counted.head

    @property
    def loop(self) -> tree.Loop:
        return self.loops[-1]


def collapses(region: Region, outer: Sequence[Counted], body: tree.Statement) -> list[Collapse]:
    """The nest with each number of inner loops that surely may be collapsed with the ``outer`` ones, most first.

    ``body`` is an iteration of these. Raises UncollapsibleError if there are none.
    """
    found: list[Collapse] = []
    levels: list[_Level] = []
    problem: ObstacleError | None = None
    inside = body
    try:
        accesses = region.accesses(body)
        limit = MOST_LEVELS
        while len(levels) < limit:
            levels.append(_next_level(region, outer, inside))
            if len(levels[-1].loops) > 1:
                limit = len(levels)
            try:
                found.insert(0, _collapsed(region, outer, body, levels, accesses))
            except (UncollapsibleError, DependenceError) as first:
                problem = problem or first  # with one more loop there may be none, as in a[(i * n + j) * n + k]
            inside = levels[-1].body
    except (UncollapsibleError, UnprovableError) as last:
        problem = problem or last
    if not found:
        assert problem is not None
        raise UncollapsibleError(str(problem), problem.node, problem.remedy)
    return found


def independent_loop(region: Region, loop: tree.Loop) -> Collapse:
    """A loop that stands in no other, and whose iterations are independent. Raises ObstacleError for others."""
    found = _collapsed(region, (), loop, [_next_level(region, (), loop)], region.accesses(loop))
    if found.conditions:
        raise UncollapsibleError("only the run knows whether iterations of a loop are independent", loop)
    return found


def _next_level(region: Region, outer: Sequence[Counted], body: tree.Statement) -> _Level:
    """The loop in a body that may have statements in front of it, or the loops side by side."""
    parts, loop = _descend(body)
    if loop is None:
        raise UncollapsibleError("no loop ends an iteration")
    counted = _counted(region, outer, loop)
    first = next((number for number, part in enumerate(parts) if is_for(part)), len(parts))
    before, rest = parts[:first], parts[first:]
    if not rest:
        return _Level(tuple(before), (loop,), counted, loop.body, (counted.variable,))
    return _side_by_side(region, outer, before, rest, loop, counted)


def counted_in(language: Language, loop: tree.Loop) -> Counted:
    """A loop inside of others. Raises ObstacleError if it is not in canonical form."""
    try:
        level = canonical(loop)
        return counted(level, language.head(level))
    except NotCanonicalError as problem:
        what = f"a loop inside: {problem}"
        raise UncollapsibleError(what, loop, "write its head as for (int j = 0; j < m; ++j)") from None


def _counted(region: Region, outer: Sequence[Counted], loop: tree.Loop) -> Counted:
    found = counted_in(region.language, loop)
    name, kind = found.symbol.name, found.variable.type
    if not isinstance(kind, Integer):
        raise UncollapsibleError(f"the loop variable '{name}' is a pointer", loop, "count with an integer")
    if not counts_as_written(found):
        raise UncollapsibleError(f"the loop variable '{name}' may wrap around", loop, COUNT_PLAINLY)
    if found.symbol in region.memory or any(found.symbol is one.symbol for one in outer):
        raise UncollapsibleError(f"threads share the loop variable '{name}'", loop)
    if leaves(loop.body):
        why = f"'break' ends the loop over '{name}'"
        raise UncollapsibleError(why, loop, "let all iterations run, and skip what they do by an if")
    return found


def _side_by_side(
    region: Region,
    outer: Sequence[Counted],
    before: list[tree.Statement],
    rest: list[tree.Statement],
    last: tree.Loop,
    counted: Counted,
) -> _Level:
    """Loops with equal heads as one loop. What stands between them moves in front of the first one.

    Between them may only stand what computes with other variables than the loops in front of it change. Whether
    accesses of one loop may move in front of those of another, the test for independence says: they never meet in
    different iterations.
    """
    loops: list[tree.Loop] = []
    for part in rest:
        if isinstance(part, tree.Loop) and is_for(part):
            loops.append(part)
            continue
        here, ahead = changes_of(part), changes_of(tree.Block(tuple(loops)))
        changed, used = {*here.variables, *here.declared}, named_in(part)
        settled = named_in(tree.Block(tuple(loops))).isdisjoint(changed) and used.isdisjoint(ahead.variables)
        if not _is_simple(part) or not settled:
            needed = {v.name for v in ahead.variables if v in used and v.entity not in region.memory}
            if needed:
                why = f"a loop in front of an inner loop computes '{min(needed)}' in order, and what follows needs it"
                raise UncollapsibleError(why, loops[0], _IN_A_TEAM)
            raise UncollapsibleError(Obstacle.FRONT_LOOP, loops[0])
        before.append(part)
    head, variables = counted.head, [counted.variable]
    for loop in loops:
        other = _counted(region, outer, loop)
        if not other.runs_alike(counted):
            raise UncollapsibleError(Obstacle.SIDE_BY_SIDE, loop)
        if continues(loop.body):
            raise UncollapsibleError(Obstacle.CONTINUE, loop)
        if other.variable not in variables:
            variables.append(other.variable)
            head = replace(head, same=(*head.same, other.symbol))
    loops.append(last)
    check_side_by_side(region, loops)
    body = tree.Block(tuple(loop.body for loop in loops))
    return _Level(tuple(before), tuple(loops), replace(counted, head=head), body, tuple(variables))


def _is_simple(part: tree.Statement) -> bool:
    """Whether a statement between loops may move in front of them: it declares or assigns."""
    match part:
        case tree.Declare():
            return part.end is None
        case tree.Evaluate(expression=tree.Store() | tree.Update()):
            return True
    return False


def _descend(body: tree.Statement) -> tuple[list[tree.Statement], tree.Loop | None]:
    """(the statements in front of the loop that a body ends with, that loop)

    An ``if`` without ``else`` around it counts as a statement in front of it: only its condition is kept.
    """
    items = [_plain(item) for item in (body.statements if isinstance(body, tree.Block) else (body,))]
    if not items:
        return [], None
    *before, last = items
    match last:
        case tree.Loop() if is_for(last):
            return before, last
        case tree.Block():
            inner, loop = _descend(last)
            return [*before, *inner], loop
        case tree.If(otherwise=None):
            inner, loop = _descend(last.then)
            return [*before, replace(last, then=tree.Block(())), *inner], loop
    return before, None


def is_for(node: tree.Statement) -> bool:
    return isinstance(node, tree.Loop) and node.start is not None and node.step is not None


def _plain(node: tree.Statement) -> tree.Statement:
    """A statement without a ``simd`` construct that has no clauses around it."""
    while isinstance(node, tree.Construct) and node.directive.constructs == ("simd",) and not node.directive.clauses:
        node = node.body or tree.Block(())
    return node


def leaves(node: tree.Node) -> bool:
    """Whether ``break`` ends the loop with this body."""
    inside = isinstance(node, tree.Loop | tree.Switch)
    return isinstance(node, tree.Break) or (not inside and any(map(leaves, tree.children(node))))


def continues(node: tree.Node) -> bool:
    """Whether ``continue`` ends an iteration of the loop with this body."""
    return isinstance(node, tree.Continue) or (
        not isinstance(node, tree.Loop) and any(map(continues, tree.children(node)))
    )


# -- the proof ----------------------------------------------------------------------------------------------------


def _collapsed(
    region: Region, outer: Sequence[Counted], body: tree.Statement, levels: Sequence[_Level], accesses: Accesses
) -> Collapse:
    """The nest with ``levels``. Raises UncollapsibleError or DependenceError."""
    bodies = [body, *(level.body for level in levels)]
    fronts = [node for level in levels for node in level.before]
    for node in fronts:
        _check_front(region, node)
    front_nodes = {n for node in fronts for n in walk(node)}
    for access in accesses.items:
        if access.writes and access.node in front_nodes:
            why = f"a statement in front of an inner loop writes '{access.root.name}'"
            raise UncollapsibleError(why, access.node, remedy_of(Obstacle.FRONT_CHANGES))
    region.language.check_names(body, [*(one.head for one in outer), *(level.head for level in levels)])
    check_calls(region, body)
    _check_atomics(body)
    single, settled = single_values(region, bodies)
    covers = _covers(region, outer, body, levels, accesses, {entity: single[entity] for entity in settled})
    for level in levels:
        _check_unused_outside(body, level)
    counters = {variable for level in levels for variable in level.variables}
    check_scalars(region, bodies, counters, {*walk(levels[-1].body)})
    facts = _facts(region, outer, body, levels, accesses, single, settled)
    loops = [*outer, *(cover.loop for cover in covers)]
    space = _space(outer, levels, covers, facts)
    own = {one.symbol for one in outer}
    assert isinstance(facts.constant, frozenset)
    same, text = facts.constant - own, region.language.text
    ends = ends_of(facts, outer, [cover.loop for cover in covers if not cover.shifted])
    conditions = independent(facts, accesses.items, tuple(facts.moving), space, same, ends, text)
    heads = [one.head for one in loops]
    innermost = fastest(facts, accesses.items, [head.symbol for head in heads])
    ordered = (*(h for h in heads if h.symbol is not innermost), *(h for h in heads if h.symbol is innermost))
    across = is_straight(levels[-1].body) and crossed(facts, accesses.items, ordered)
    bounds = [*(cover.loop for cover in covers), *(level.counted for level in levels)]
    parts = {n for one in bounds for part in one.parts for n in walk(part)}
    read = frozenset(a.root for a in accesses.items if a.node in parts)
    inner, written = tuple(cover.loop.head for cover in covers), tuple(level.loops for level in levels)
    ahead, last = tuple(level.before for level in levels), levels[-1].body
    iteration = _behind([part for front in ahead for part in front], last, counters)
    return Collapse(ordered, inner, conditions, read, written, tuple(covers), last, ahead, (iteration,), across)


def _behind(fronts: Sequence[tree.Statement], body: tree.Statement, counters: Collection[Variable]) -> tree.Statement:
    """A body behind what stands in front of it, where conditions are around all that follows, and loops' variables are
    declared elsewhere."""
    items: list[tree.Statement] = []
    for number, part in enumerate(fronts):
        if is_condition(part):
            inner = _behind(fronts[number + 1 :], body, counters)
            return tree.Block((*items, replace(part, then=inner)))
        if not (isinstance(part, tree.Declare) and part.variable in counters):
            items.append(part)
    return tree.Block((*items, body))


def is_condition(part: tree.Statement) -> TypeGuard[tree.If]:
    """Whether a statement in front of a loop is the condition around that."""
    return isinstance(part, tree.If) and isinstance(part.then, tree.Block) and not part.then.statements


def _facts(
    region: Region,
    outer: Sequence[Counted],
    body: tree.Statement,
    levels: Sequence[_Level],
    accesses: Accesses,
    single: Mapping[Entity, tree.Expression],
    settled: frozenset[Entity],
) -> Facts:
    changes = changes_of(body, region.calls)
    own, declared = {one.symbol for one in outer}, {variable.entity for variable in changes.declared}
    changed = {variable.entity for variable in changes.variables} - own
    same = {v.entity: level.head.symbol for level in levels for v in level.variables if v.entity is not None}
    everything = {*region.memory, *region.own, *own}
    fixed = frozenset(e for e in everything if e not in changed and e not in declared and e not in same)
    moving = [level.head.symbol for level in levels]
    return Facts(fixed, fixed - accesses.written, moving, single.get, settled, same, region.members)


def _space(outer: Sequence[Counted], levels: Sequence[_Level], covers: Sequence[Cover], facts: Facts) -> Space:
    """What is known about the values of the loops' variables, above all of the inner ones."""
    reach: dict[Entity, int] = {}
    most: dict[Entity, int] = {}
    steps: dict[Entity, int] = {}
    for level, covering in zip(levels, covers, strict=True):
        head = covering.loop.head
        begin = facts.polynomial(level.counted.lower)
        if begin is not None and begin.atoms.isdisjoint(facts.moving):
            steps[head.symbol] = head.step_value or 1
        if head.trips is not None and head.step_value is not None:
            reach[head.symbol] = max(0, head.trips - 1) * head.step_value
        distance = reach.get(head.symbol, farthest(level.counted if covering.shifted else covering.loop))
        if distance is not None:
            most[head.symbol] = distance
    ends = ends_of(facts, outer, [level.counted for level in levels])
    return Space(reach, most, steps, guards_of(facts, levels[-1].body), ends)


def _check_front(region: Region, front: tree.Statement) -> None:
    """Refuse a statement that cannot run in every iteration of the loop behind it, because others can see that.

    What it changes of the thread's own, ``check_scalars`` looks at.
    """
    parts = list(walk(front))
    if any(isinstance(part, tree.Loop | tree.Construct) for part in parts):
        raise UncollapsibleError(Obstacle.FRONT_LOOP, front)
    effects = effects_of(front)
    acts = isinstance(front, tree.Evaluate) and isinstance(front.expression, tree.Call)
    acts = acts or any(isinstance(part, _JUMPS) or getattr(part, "end", None) is not None for part in parts)
    if acts or effects.opaque:
        raise UncollapsibleError(Obstacle.FRONT_ACTS, front)
    for access in effects.accesses:
        found = access.object
        own = found is not None and not found.behind and found.variable.entity not in region.memory
        if access.writes and not own:
            raise UncollapsibleError(Obstacle.FRONT_CHANGES, access.node)


def check_calls(region: Region, body: tree.Statement) -> None:
    """Refuse calls that do more than the accesses to memory that are known."""
    for node in walk(body):
        if isinstance(node, tree.StatementValue):
            raise UncollapsibleError(Obstacle.IN_EXPRESSION, node)
        if isinstance(node, tree.Call) and (node.virtual or not isinstance(node.callee, tree.FunctionAddress)):
            raise UncollapsibleError("a call by address", node)
        if isinstance(node, tree.Call) and isinstance(node.callee, tree.FunctionAddress):
            function = node.callee.function
            if not function.defined and not region.pure(function):
                raise UncollapsibleError(f"'{function.name}' may have side effects", node)
    called, _ = region.calls.functions(body)
    acting = next((f for f in called if not f.defined and not region.pure(f)), None)
    if acting is not None:
        raise UncollapsibleError(f"'{acting.name}' may have side effects")


def _check_atomics(body: tree.Statement) -> None:
    for node in walk(body):
        atomic = isinstance(node, tree.Construct) and "atomic" in node.directive.constructs
        if isinstance(node, tree.Construct) and atomic and node.directive.has("capture", "read", "write", "compare"):
            raise UncollapsibleError("the order of 'atomic' constructs can be seen", node)


def _covers(
    region: Region,
    outer: Sequence[Counted],
    body: tree.Statement,
    levels: Sequence[_Level],
    accesses: Accesses,
    settled: Mapping[Entity, tree.Expression],
) -> list[Cover]:
    """The inner loops with bounds that no iteration of another loop changes. Refuse those without."""
    changes = changes_of(body, region.calls)
    changing = {v.entity for v in (*changes.variables, *changes.declared) if v.entity is not None}
    changing.update(one.symbol for one in outer)
    found: list[Cover] = []
    for level in levels:
        counted, name = level.counted, level.head.symbol.name
        if any(isinstance(node, _NOT_SIMPLE) for part in counted.parts for node in walk(part)):
            raise UncollapsibleError(f"the bounds of the loop over '{name}' are not simple", level.loop, _BOUNDS)
        known = (*outer, *(one.loop for one in found if not one.shifted))
        around = Around(known, [one.symbol for one in outer], settled, changing)
        varies = any(around.varies(part) is not None for part in counted.parts)
        try:
            found.append(cover(region.language, around, level.loop, counted) if varies else Cover(counted))
        except ObstacleError as problem:
            raise UncollapsibleError(str(problem), level.loop) from None
        mentioned = {n for part in (*counted.parts, *found[-1].loop.parts) for n in walk(part)}
        for access in accesses.items:
            stays = access.root not in accesses.written and _is_there(region, access, accesses)
            if access.node in mentioned and not stays:
                raise UncollapsibleError(f"the bounds of the loop over '{name}' are in memory", level.loop, _BOUNDS)
    return found


def _is_there(region: Region, access: Access, accesses: Accesses) -> bool:
    """Whether memory may be read in any iteration: each reads it, or another part of the same object."""
    if access.certain:
        return True
    owner = _owner(access)
    is_captured = owner is not None and owner.entity in region.memory
    return is_captured and any(one.certain and _owner(one) is owner for one in accesses.items)


def _owner(access: Access) -> Variable | None:
    """The variable that is the object, or leads to it, of which an access reads a member."""
    variable, path = owner_of(access.seen) if access.seen is not None else (None, ())
    return variable if path else None


def _check_unused_outside(body: tree.Statement, level: _Level) -> None:
    inside = {n for loop in level.loops for n in walk(loop)}
    lent = changes_of(body).lent
    outside: dict[Variable, tree.Node] = {}
    for node in walk(body):
        if isinstance(node, tree.Named) and node not in inside:
            outside.setdefault(node.variable, node)
    for variable in level.variables:
        if variable in outside:
            why = f"'{variable.name}' is used outside of its loop"
            raise UncollapsibleError(why, outside[variable], "declare it in the loop, and use another variable outside")
        if variable in lent:
            raise UncollapsibleError(f"the address of '{variable.name}' is taken")
