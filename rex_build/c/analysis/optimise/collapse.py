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

from pycparser import c_ast, c_generator

from ....base.diagnostics import InputError
from ....base.records import dataclass, replace
from ....optimise.accesses import Access, Accesses, UnprovableError
from ....optimise.obstacle import (
    CONTINUE,
    COUNT_PLAINLY,
    FRONT_ACTS,
    FRONT_CHANGES,
    FRONT_LOOP,
    IN_EXPRESSION,
    SIDE_BY_SIDE,
    ObstacleError,
    remedy_of,
)
from ....plan.code import Entity
from ....plan.loops import CanonicalLoop, LoopNest
from ....tree import nodes as tree
from ....tree.effects import effects_of
from ....tree.types import Member
from ...reading.statements import reader_of
from ...sema import Sema, assignments, locals_of, walk
from ...sema.ctype import strip
from ...sema.type_questions import is_integer
from ...syntax.nodes import OmpConstruct
from ...syntax.parser import Cleanup, StmtExpr
from ..device_library import MATH_FUNCTIONS, UNEVALUATED
from ..loops import canonical_loop, counts_as_written, farthest
from ..purity import called_name
from .accesses import accesses_of, acting
from .affine import Values
from .carried import check_scalars, check_side_by_side, single_values
from .cases import ends_of
from .cover import Around, Cover, cover
from .dependence import Condition, DependenceError, Space, independent
from .guards import guards_of
from .surroundings import Surroundings, UncollapsibleError

_printer = c_generator.CGenerator()
MOST_LEVELS = 3  # of inner loops
# What jumps otherwise than to the next iteration.
_JUMPS = (tree.Switch, tree.Goto, tree.Target, tree.Return, tree.Break)
# What may move in front of a loop.
_SIMPLE = (c_ast.Decl, c_ast.DeclList, c_ast.Assignment, c_ast.UnaryOp)
_STEPS = ("++", "--", "p++", "p--")
_IN_A_TEAM = "share the loops by 'parallel for' inside 'target teams distribute', with 'reduction' for a sum"
_BOUNDS = "compute the bound before the loops, into a variable of its own"


@dataclass(frozen=True)
class Collapse:
    """A nest with more levels, and the conditions under which their iterations are independent.

    ``inner`` are the levels that were added, and ``read`` the memory that their bounds read. ``loops`` are those of
    each level as they are written, and ``fronts`` what stands in front of them.
    """

    nest: LoopNest
    inner: tuple[CanonicalLoop, ...]
    conditions: tuple[Condition, ...]
    read: frozenset[Entity]
    loops: tuple[tuple[c_ast.For, ...], ...]
    fronts: tuple[tuple[c_ast.Node, ...], ...]


@dataclass(frozen=True)
class _Level:
    """An inner loop, or several side by side whose iterations run together.

    Each of the statements in front of it is a part, and so is each condition around the loop and what follows. ``body``
    is an iteration of all the ``loops``.
    """

    before: tuple[c_ast.Node, ...]
    loops: tuple[c_ast.For, ...]
    head: CanonicalLoop
    body: c_ast.Node

    @property
    def loop(self) -> c_ast.For:
        return self.loops[-1]

    @property
    def variables(self) -> tuple[Entity, ...]:
        return (self.head.symbol, *self.head.same)


def collapses(region: Surroundings, nest: LoopNest) -> list[Collapse]:
    """The nest with each number of inner loops that surely may be collapsed with it, most first.

    Raises UncollapsibleError if there are none.
    """
    if nest.inner:
        raise UncollapsibleError("the loops of the construct are not all collapsed", remedy="collapse all of them")
    found: list[Collapse] = []
    levels: list[_Level] = []
    problem: ObstacleError | None = None
    body = nest.body
    try:
        accesses = accesses_of(region.sema, nest.body, region.memory, region.own, region.members)
        limit = MOST_LEVELS
        while len(levels) < limit:
            levels.append(_next_level(region, nest, body))
            if len(levels[-1].loops) > 1:
                limit = len(levels)
            try:
                found.insert(0, _collapsed(region, nest, levels, accesses))
            except (UncollapsibleError, DependenceError) as first:
                problem = problem or first  # with one more loop there may be none, as in a[(i * n + j) * n + k]
            body = levels[-1].body
    except (UncollapsibleError, UnprovableError) as last:
        problem = problem or last
    if not found:
        assert problem is not None
        raise UncollapsibleError(str(problem), problem.node, problem.remedy)
    return found


def independent_loop(region: Surroundings, loop: c_ast.For) -> tuple[CanonicalLoop, c_ast.Node, Accesses]:
    """(the head, the body and the accesses of a loop that stands in no other, and whose iterations are independent)

    Raises ObstacleError for others.
    """
    nest = LoopNest((), loop)
    accesses = accesses_of(region.sema, loop, region.memory, region.own, region.members)
    found = _collapsed(region, nest, [_next_level(region, nest, loop)], accesses)
    if found.conditions:
        raise UncollapsibleError("only the run knows whether iterations of a loop are independent", loop)
    return found.inner[0], found.nest.body, accesses


def _next_level(region: Surroundings, nest: LoopNest, body: c_ast.Node) -> _Level:
    """The loop in a body that may have statements in front of it, or the loops side by side."""
    parts, loop = _descend(body)
    if loop is None:
        raise UncollapsibleError("no loop ends an iteration")
    head = _head(region, nest, loop)
    first = next((number for number, part in enumerate(parts) if isinstance(part, c_ast.For)), len(parts))
    before, rest = parts[:first], parts[first:]
    if not rest:
        return _Level(tuple(before), (loop,), head, loop.stmt)
    return _side_by_side(region, nest, before, rest, loop, head)


def _head(region: Surroundings, nest: LoopNest, loop: c_ast.For) -> CanonicalLoop:
    try:
        head = canonical_loop(region.unit, region.sema, loop)
    except InputError as problem:
        what = f"a loop inside: {problem.diagnostics[0].message}"
        raise UncollapsibleError(what, loop, "write its head as for (int j = 0; j < m; ++j)") from None
    if not is_integer(strip(head.symbol.type)):
        raise UncollapsibleError(f"the loop variable '{head.symbol.name}' is a pointer", loop, "count with an integer")
    if not counts_as_written(head, region.sema):
        why = f"the loop variable '{head.symbol.name}' may wrap around"
        raise UncollapsibleError(why, loop, COUNT_PLAINLY)
    if head.symbol in region.memory or any(head.symbol is lv.symbol for lv in nest.levels):
        raise UncollapsibleError(f"threads share the loop variable '{head.symbol.name}'", loop)
    if _leaves(loop.stmt):
        why = f"'break' ends the loop over '{head.symbol.name}'"
        raise UncollapsibleError(why, loop, "let all iterations run, and skip what they do by an if")
    return head


def _side_by_side(
    region: Surroundings,
    nest: LoopNest,
    before: list[c_ast.Node],
    rest: list[c_ast.Node],
    last: c_ast.For,
    head: CanonicalLoop,
) -> _Level:
    """Loops with equal heads as one loop. What stands between them moves in front of the first one.

    Between them may only stand what computes with other variables than the loops in front of it change. Whether
    accesses of one loop may move in front of those of another, the test for independence says: they never meet in
    different iterations.
    """
    sema = region.sema
    loops: list[c_ast.For] = []
    for part in rest:
        if isinstance(part, c_ast.For):
            loops.append(part)
            continue
        changed, used = {*assignments(sema, part).symbols, *locals_of(sema, part)}, _symbols(sema, part)
        ahead = c_ast.Compound(list(loops))
        settled = _symbols(sema, ahead).isdisjoint(changed) and used.isdisjoint(assignments(sema, ahead).symbols)
        if not isinstance(part, _SIMPLE) or not settled:
            needed = {s.name for s in assignments(sema, ahead).symbols if s in used and s not in region.memory}
            if needed:
                why = f"a loop in front of an inner loop computes '{min(needed)}' in order, and what follows needs it"
                raise UncollapsibleError(why, loops[0], _IN_A_TEAM)
            raise UncollapsibleError(FRONT_LOOP, loops[0])
        before.append(part)
    for loop in loops:
        other = _head(region, nest, loop)
        alike = strip(other.symbol.type) == strip(head.symbol.type) and other.relation == head.relation
        texts = [
            [_printer.visit(p) if isinstance(p, c_ast.Node) else p for p in (h.lower, h.bound, h.step, h.step_value)]
            for h in (other, head)
        ]
        steps = other.increasing == head.increasing and other.step_negated == head.step_negated
        alike = alike and steps and texts[0] == texts[1]
        if not alike or _symbols_of_heads(sema, other) != _symbols_of_heads(sema, head):
            raise UncollapsibleError(SIDE_BY_SIDE, loop)
        if _continues(loop.stmt):
            raise UncollapsibleError(CONTINUE, loop)
        if other.symbol is not head.symbol:
            head = replace(head, same=(*head.same, other.symbol))
    loops.append(last)
    check_side_by_side(region, loops)
    return _Level(tuple(before), tuple(loops), head, c_ast.Compound([loop.stmt for loop in loops], last.coord))


def _symbols(sema: Sema, node: c_ast.Node) -> set[Entity]:
    """The variables that a part of the tree mentions."""
    found = (sema.symbol(n) for n in walk(node) if isinstance(n, c_ast.ID))
    return {symbol for symbol in found if symbol is not None}


def _symbols_of_heads(sema: Sema, head: CanonicalLoop) -> set[Entity]:
    parts = [part for part in (head.lower, head.bound, head.step) if isinstance(part, c_ast.Node)]
    return set().union(*(_symbols(sema, part) for part in parts))


def _descend(body: c_ast.Node) -> tuple[list[c_ast.Node], c_ast.For | None]:
    """(the statements in front of the loop that a body ends with, that loop)

    An ``if`` without ``else`` around it counts as a statement in front of it: only its condition is kept.
    """
    items = body.block_items or [] if isinstance(body, c_ast.Compound) else [body]
    items = [_plain(i) for i in items if not isinstance(i, (c_ast.EmptyStatement, c_ast.Pragma))]
    if not items:
        return [], None
    *before, last = items
    if isinstance(last, c_ast.For):
        return before, last
    if isinstance(last, c_ast.Compound):
        inner, loop = _descend(last)
        return [*before, *inner], loop
    if isinstance(last, c_ast.If) and last.iffalse is None:
        inner, loop = _descend(last.iftrue)
        return [*before, _condition(last), *inner], loop
    return before, None


def _plain(node: c_ast.Node) -> c_ast.Node:
    """A statement without a ``simd`` construct that has no clauses around it."""
    if isinstance(node, OmpConstruct) and node.directive.constructs == ("simd",) and not node.directive.clauses:
        return _plain(node.body)
    return node


def _condition(node: c_ast.If) -> c_ast.If:
    """An ``if`` without its statement, as a mark."""
    return c_ast.If(node.cond, None, None, node.coord)


def _leaves(body: c_ast.Node) -> bool:
    """Whether ``break`` ends the loop with this body."""
    stack = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.Break):
            return True
        if not isinstance(node, (c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch)):
            stack += [child for _, child in node.children()]
    return False


def _continues(body: c_ast.Node) -> bool:
    """Whether ``continue`` ends an iteration of the loop with this body."""
    if isinstance(body, c_ast.Continue):
        return True
    inside = isinstance(body, (c_ast.For, c_ast.While, c_ast.DoWhile))
    return not inside and any(_continues(child) for _, child in body.children())


# -- the proof ----------------------------------------------------------------------------------------------------


def _collapsed(region: Surroundings, nest: LoopNest, levels: Sequence[_Level], accesses: Accesses) -> Collapse:
    """The nest with ``levels``. Raises UncollapsibleError or DependenceError."""
    sema, body = region.sema, nest.body
    bodies = [body, *(level.body for level in levels)]
    changed = assignments(sema, body)
    declared = {*locals_of(sema, body)}
    fronts = [node for level in levels for node in level.before]
    for node in fronts:
        _check_front(region, node)
    inside = set(walk(levels[-1].body))
    front_nodes = {n for node in fronts for n in walk(node)}
    for access in accesses.items:
        if access.writes and access.node in front_nodes:
            why = f"a statement in front of an inner loop writes '{access.root.name}'"
            raise UncollapsibleError(why, access.node, remedy_of(FRONT_CHANGES))
    _check_names(sema, nest, [level.head for level in levels])
    check_calls(sema, body)
    _check_atomics(body)
    single, settled = single_values(region, bodies)
    covers = _covers(region, nest, levels, accesses, {s: single[s] for s in settled})
    heads = tuple(one.head for one in covers)
    for level in levels:
        _check_unused_outside(sema, body, level)
    check_scalars(region, bodies, heads, inside)
    written = accesses.written
    outer = {lv.symbol for lv in nest.levels}
    moving = [head.symbol for head in heads]
    variables = {variable: level.head.symbol for level in levels for variable in level.variables}
    fixed = {
        s
        for s in (*region.memory, *region.own, *outer)
        if (s not in changed.symbols or s in outer) and s not in declared and s not in variables
    }
    values = Values(sema, fixed, fixed - written, moving, single, settled, region.members, variables)
    space = _space(levels, heads, values)
    ends = ends_of(values, (*nest.levels, *heads))
    conditions = independent(values, accesses.items, moving, space, fixed - written - outer, ends)
    fastest = _fastest(values, accesses.items, [lv.symbol for lv in nest.levels] + moving)
    all_levels = (*nest.levels, *heads)
    ordered = (
        *(lv for lv in all_levels if lv.symbol is not fastest),
        *(lv for lv in all_levels if lv.symbol is fastest),
    )
    whole = _rebuilt(sema, levels, covers)
    parts = {n for lv in heads for part in (lv.lower, lv.bound, lv.step) if part is not None for n in walk(part)}
    read = frozenset(a.root for a in accesses.items if a.node in parts)
    loops, before = tuple(level.loops for level in levels), tuple(level.before for level in levels)
    return Collapse(LoopNest(ordered, whole), heads, conditions, read, loops, before)


def _space(levels: Sequence[_Level], heads: Sequence[CanonicalLoop], values: Values) -> Space:
    """What is known about the values of the inner loops' variables."""
    reach: dict[Entity, int] = {}
    most: dict[Entity, int] = {}
    steps: dict[Entity, int] = {}
    for level, head in zip(levels, heads, strict=True):
        begin = values.polynomial(level.head.lower)
        if begin is not None and begin.atoms.isdisjoint(values.moving):
            steps[head.symbol] = head.step_value or 1
        if head.trips is not None and head.step_value is not None:
            reach[head.symbol] = max(0, head.trips - 1) * head.step_value
        distance = reach.get(head.symbol, farthest(head, values.sema))
        if distance is not None:
            most[head.symbol] = distance
    return Space(reach, most, steps, guards_of(values, levels[-1].body))


def _check_front(region: Surroundings, node: c_ast.Node) -> None:
    """Refuse a statement that cannot run in every iteration of the loop behind it, because others can see that.

    What it changes of the thread's own, ``check_scalars`` looks at.
    """
    front = reader_of(region.sema).statement(node)
    parts = list(tree.walk(front))
    if any(isinstance(part, tree.Loop | tree.Construct) for part in parts):
        raise UncollapsibleError(FRONT_LOOP, node)
    effects = effects_of(front)
    called = isinstance(front, tree.Evaluate) and isinstance(front.expression, tree.Call)
    if called or effects.opaque or any(isinstance(part, _JUMPS) for part in parts):
        raise UncollapsibleError(FRONT_ACTS, node)
    for access in effects.accesses:
        found = access.object
        own = found is not None and not found.behind and found.variable.entity not in region.memory
        if access.writes and not own:
            raise UncollapsibleError(FRONT_CHANGES, access.node.origin)


def _check_names(sema: Sema, nest: LoopNest, heads: Sequence[CanonicalLoop]) -> None:
    """Refuse names that mean a loop variable in one place and something else in another.

    In the collapsed kernel all loop variables are declared first.
    """
    all_levels = (*nest.levels, *heads)
    variables = {level.symbol.name: level.symbol for level in all_levels}
    same: dict[Entity | None, Entity] = {v: level.symbol for level in all_levels for v in level.same}
    parts = [part for lv in all_levels for part in (lv.lower, lv.bound, lv.step) if part is not None]
    for node in (n for part in (nest.body, *parts) for n in walk(part)):
        is_name = isinstance(node, c_ast.ID) and node.name in variables
        is_declaration = isinstance(node, c_ast.Decl) and node.name in variables
        meant: Entity | None = sema.symbol(node) if is_name else sema.decl_symbol(node) if is_declaration else None
        if meant in same:
            meant = same[meant]
        if (is_name or is_declaration) and meant is not variables[node.name]:
            raise UncollapsibleError(f"'{node.name}' means several variables", node, "give them names of their own")
    if len(variables) < len(all_levels):
        raise UncollapsibleError("loops have variables of one name")


def check_calls(sema: Sema, body: c_ast.Node) -> None:
    """Refuse calls that do more than the accesses to memory that are known."""
    for node in walk(body):
        if isinstance(node, (StmtExpr, Cleanup)):
            raise UncollapsibleError(IN_EXPRESSION, node)
        if isinstance(node, c_ast.FuncCall):
            name = called_name(sema, node)
            computes = name in MATH_FUNCTIONS or name in UNEVALUATED or name in sema.functions
            if name is None or not computes:
                raise UncollapsibleError(f"'{name}' may have side effects" if name else "a call by address", node)
    function = acting(sema, body)
    if function is not None:
        raise UncollapsibleError(f"'{function.name}' may have side effects")


def _check_atomics(body: c_ast.Node) -> None:
    for node in walk(body):
        atomic = isinstance(node, OmpConstruct) and "atomic" in node.directive.constructs
        if atomic and node.directive.has("capture", "read", "write", "compare"):
            raise UncollapsibleError("the order of 'atomic' constructs can be seen", node)


def _covers(
    region: Surroundings,
    nest: LoopNest,
    levels: Sequence[_Level],
    accesses: Accesses,
    settled: Mapping[Entity, c_ast.Node],
) -> list[Cover]:
    """The inner loops with bounds that no iteration of another loop changes. Refuse those without."""
    sema, body = region.sema, nest.body
    changing = {*assignments(sema, body).symbols, *locals_of(sema, body), *(lv.symbol for lv in nest.levels)}
    found: list[Cover] = []
    for level in levels:
        head = level.head
        parts = [part for part in (head.lower, head.bound, head.step) if part is not None]
        for node in (n for part in parts for n in walk(part)):
            if isinstance(node, (c_ast.FuncCall, c_ast.Assignment, c_ast.TernaryOp)):
                why = f"the bounds of the loop over '{head.symbol.name}' are not simple"
                raise UncollapsibleError(why, level.loop, _BOUNDS)
        around = Around(sema, (*nest.levels, *(one.head for one in found)), settled, changing)
        condition = level.loop.cond
        variable = next(n for n in (condition.left, condition.right) if sema.symbol(n) is head.symbol)
        try:
            found.append(cover(around, head, variable, condition))
        except ObstacleError as problem:
            raise UncollapsibleError(str(problem), level.loop) from None
        new = [part for part in (found[-1].head.lower, found[-1].head.bound) if part is not None]
        mentioned = {n for part in (*parts, *new) for n in walk(part)}
        for access in accesses.items:
            if access.node in mentioned and (access.root in accesses.written or not access.certain):
                why = f"the bounds of the loop over '{head.symbol.name}' are in memory"
                raise UncollapsibleError(why, level.loop, _BOUNDS)
    return found


def _check_unused_outside(sema: Sema, body: c_ast.Node, level: _Level) -> None:
    inside, taken = {n for loop in level.loops for n in walk(loop)}, assignments(sema, body).address_taken
    outside: dict[Entity | None, c_ast.Node] = {}
    for node in walk(body):
        if isinstance(node, c_ast.ID) and node not in inside:
            outside.setdefault(sema.symbol(node), node)
    for symbol in level.variables:
        if symbol in outside:
            why = f"'{symbol.name}' is used outside of its loop"
            raise UncollapsibleError(why, outside[symbol], "declare it in the loop, and use another variable outside")
        if symbol in taken:
            raise UncollapsibleError(f"the address of '{symbol.name}' is taken")


# -- the result ---------------------------------------------------------------------------------------------------


def _fastest(values: Values, accesses: Sequence[Access], variables: Sequence[Entity]) -> Entity:
    """The loop variable along which most accesses are to neighbouring elements: its loop becomes the innermost."""
    votes = dict.fromkeys(variables, 0)
    every = replace(values, moving=variables)
    for access in accesses:
        place = every.place(access.node)
        subscripts = [s for s in place.steps if not isinstance(s, Member)] if place is not None else []
        index = subscripts[-1].index if subscripts else None
        split = index.split(variables) if index is not None else None
        if split is None:
            continue
        for variable, factor in split[0].items():
            votes[variable] += factor.constant in (1, -1)
    most = max(votes.values())
    return [v for v in variables if votes[v] == most][-1]


def _rebuilt(sema: Sema, levels: Sequence[_Level], covers: Sequence[Cover]) -> c_ast.Node:
    """The body of one iteration of all loops: the statements in front of them, and the innermost body."""
    variables = {variable for level in levels for variable in level.variables}
    body: c_ast.Node = levels[-1].body
    for level, one in zip(reversed(levels), reversed(covers), strict=True):
        for guard in reversed(one.guards):
            body = c_ast.If(guard, body, None, body.coord)
        if one.moves is not None:
            body = c_ast.Compound([one.moves, body], body.coord)
        if level.before:
            body = _with_front(sema, list(level.before), body, variables)
    return body


def _with_front(sema: Sema, before: list[c_ast.Node], body: c_ast.Node, variables: Collection[Entity]) -> c_ast.Node:
    items: list[c_ast.Node] = []
    for number, node in enumerate(before):
        if isinstance(node, c_ast.If) and node.iftrue is None:
            items.append(
                c_ast.If(node.cond, _with_front(sema, before[number + 1 :], body, variables), None, node.coord)
            )
            return c_ast.Compound(items, node.coord)
        if isinstance(node, c_ast.Decl) and node.name and sema.decl_symbol(node) in variables:
            continue
        items.append(node)
    return c_ast.Compound([*items, body], body.coord)
