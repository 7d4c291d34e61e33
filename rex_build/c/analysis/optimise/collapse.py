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

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from enum import Enum

from pycparser import c_ast, c_generator

from ....base.diagnostics import InputError
from ....base.records import dataclass
from ....plan.code import Entity
from ....plan.loops import CanonicalLoop, LoopNest
from ....plan.sharing import Reduction
from ...sema import Sema, assignments, locals_of, walk
from ...sema.ctype import Pointer, strip
from ...sema.type_questions import is_arithmetic, is_integer
from ...syntax.nodes import OmpConstruct, ParsedUnit
from ...syntax.parser import Cleanup, StmtExpr
from ..device_library import MATH_FUNCTIONS, UNEVALUATED
from ..loops import canonical_loop
from ..members import Members
from .accesses import Access, Accesses, UnprovableError, accesses_of, called_name
from .affine import Values
from .dependence import Condition, DependenceError, independent
from .obstacle import FRONT_ACTS, FRONT_CHANGES, FRONT_LOOP, IN_EXPRESSION, ObstacleError, remedy_of

_printer = c_generator.CGenerator()
MOST_LEVELS = 3  # of inner loops
_STEPS = ("++", "--", "p++", "p--")
_BOUNDS = "compute the bound before the loops, into a variable of its own"
_MINIMA = {"rex_min": ("<", "<=", "fmin"), "rex_max": (">", ">=", "fmax")}
_OPERATORS = {
    "rex_add": ("+", "-"),
    "rex_mul": ("*",),
    "rex_band": ("&",),
    "rex_bor": ("|",),
    "rex_bxor": ("^",),
    "rex_land": ("&&",),
    "rex_lor": ("||",),
}


class UncollapsibleError(ObstacleError):
    """The inner loops stay as they are. The message says why."""


@dataclass(frozen=True)
class Collapse:
    """A nest with more levels, and the conditions under which their iterations are independent.

    ``inner`` are the levels that were added, and ``read`` the memory that their bounds read.
    """

    nest: LoopNest
    inner: tuple[CanonicalLoop, ...]
    conditions: tuple[Condition, ...]
    read: frozenset[Entity]


@dataclass(frozen=True)
class Surroundings:
    """What is known about the region: its ``memory`` roots, the variables that threads own, its reductions, and the
    pointers in structures that it gets by value."""

    unit: ParsedUnit
    sema: Sema
    memory: Collection[Entity]
    own: Collection[Entity]
    reductions: Sequence[Reduction]
    members: Members


@dataclass(frozen=True)
class _Level:
    """An inner loop.

    Each of the statements in front of it is a part, and so is each condition around the loop and what follows.
    """

    before: tuple[c_ast.Node, ...]
    loop: c_ast.For
    head: CanonicalLoop

    @property
    def body(self) -> c_ast.Node:
        return self.loop.stmt


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
        while len(levels) < MOST_LEVELS:
            levels.append(_next_level(region, nest, body))
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


def _next_level(region: Surroundings, nest: LoopNest, body: c_ast.Node) -> _Level:
    """The loop in a body that may have statements in front of it."""
    before, loop = _descend(body)
    if loop is None:
        raise UncollapsibleError("no loop ends an iteration")
    try:
        head = canonical_loop(region.unit, region.sema, loop)
    except InputError as problem:
        raise UncollapsibleError(f"a loop inside: {problem.diagnostics[0].message}", loop) from None
    if not is_integer(strip(head.symbol.type)):
        raise UncollapsibleError(f"the loop variable '{head.symbol.name}' is a pointer", loop)
    if head.symbol in region.memory or any(head.symbol is lv.symbol for lv in nest.levels):
        raise UncollapsibleError(f"threads share the loop variable '{head.symbol.name}'", loop)
    if _leaves(loop.stmt):
        raise UncollapsibleError(f"'break' ends the loop over '{head.symbol.name}'", loop)
    return _Level(tuple(before), loop, head)


def _descend(body: c_ast.Node) -> tuple[list[c_ast.Node], c_ast.For | None]:
    """(the statements in front of the only loop that a body ends with, that loop)

    An ``if`` without ``else`` around it counts as a statement in front of it: only its condition is kept.
    """
    items = body.block_items or [] if isinstance(body, c_ast.Compound) else [body]
    items = [i for i in items if not isinstance(i, (c_ast.EmptyStatement, c_ast.Pragma))]
    if not items:
        return [], None
    *before, last = items
    if isinstance(last, OmpConstruct) and last.directive.constructs == ("simd",) and not last.directive.clauses:
        last = last.body
    if isinstance(last, c_ast.For):
        return before, last
    if isinstance(last, c_ast.Compound):
        inner, loop = _descend(last)
        return [*before, *inner], loop
    if isinstance(last, c_ast.If) and last.iffalse is None:
        inner, loop = _descend(last.iftrue)
        return [*before, _condition(last), *inner], loop
    return before, None


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


# -- the proof ----------------------------------------------------------------------------------------------------


def _collapsed(region: Surroundings, nest: LoopNest, levels: Sequence[_Level], accesses: Accesses) -> Collapse:
    """The nest with ``levels``. Raises UncollapsibleError or DependenceError."""
    sema, body = region.sema, nest.body
    bodies = [body, *(level.body for level in levels)]
    heads = tuple(level.head for level in levels)
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
    _check_names(sema, nest, heads)
    _check_calls(sema, body)
    _check_atomics(body)
    for level in levels:
        _check_bounds(region, nest, level, accesses)
        _check_unused_outside(sema, body, level)
    single, settled = _single_values(region, bodies)
    _check_scalars(region, bodies, heads, inside)
    written = accesses.written
    outer = {lv.symbol for lv in nest.levels}
    moving = [head.symbol for head in heads]
    fixed = {
        s
        for s in (*region.memory, *region.own, *outer)
        if (s not in changed.symbols or s in outer) and s not in declared and s not in moving
    }
    values = Values(sema, fixed, fixed - written, moving, single, settled, region.members)
    reach: dict[Entity, int] = {}  # from the first to the last value of a loop variable
    for head in heads:
        if head.trips is not None and head.step_value is not None:
            reach[head.symbol] = max(0, head.trips - 1) * head.step_value
    conditions = independent(values, accesses.items, moving, reach, fixed - written - outer)
    fastest = _fastest(values, accesses.items, [lv.symbol for lv in nest.levels] + moving)
    all_levels = (*nest.levels, *heads)
    ordered = (
        *(lv for lv in all_levels if lv.symbol is not fastest),
        *(lv for lv in all_levels if lv.symbol is fastest),
    )
    whole = _rebuilt(sema, levels, {head.symbol for head in heads})
    parts = {n for lv in heads for part in (lv.lower, lv.bound, lv.step) if part is not None for n in walk(part)}
    read = frozenset(a.root for a in accesses.items if a.node in parts)
    return Collapse(LoopNest(ordered, whole), heads, conditions, read)


def _check_front(region: Surroundings, node: c_ast.Node) -> None:
    """Refuse statements that cannot run in every iteration of the loop behind them."""
    sema = region.sema
    match node:
        case None | c_ast.EmptyStatement() | c_ast.Continue() | c_ast.Pragma() | c_ast.Typedef():
            return
        case c_ast.Decl():
            if isinstance(node.type, c_ast.FuncDecl):
                raise UncollapsibleError("a function is declared in front of an inner loop", node)
        case c_ast.DeclList() | c_ast.Compound():
            for item in (node.decls if isinstance(node, c_ast.DeclList) else node.block_items) or ():
                _check_front(region, item)
        case c_ast.If():
            _check_front(region, node.iftrue)
            _check_front(region, node.iffalse)
        case c_ast.For() | c_ast.While() | c_ast.DoWhile() | OmpConstruct():
            raise UncollapsibleError(FRONT_LOOP, node)
        case c_ast.Assignment() | c_ast.UnaryOp() | c_ast.ExprList() | c_ast.Cast():
            for part in walk(node):
                target = part.lvalue if isinstance(part, c_ast.Assignment) else None
                if isinstance(part, c_ast.UnaryOp) and part.op in _STEPS:
                    target = part.expr
                is_own = isinstance(target, c_ast.ID) and sema.symbol(target) not in region.memory
                if target is not None and not is_own:
                    raise UncollapsibleError(FRONT_CHANGES, part)
        case _:
            raise UncollapsibleError(FRONT_ACTS, node)


def _check_names(sema: Sema, nest: LoopNest, heads: Sequence[CanonicalLoop]) -> None:
    """Refuse names that mean a loop variable in one place and something else in another.

    In the collapsed kernel all loop variables are declared first.
    """
    all_levels = (*nest.levels, *heads)
    variables = {level.symbol.name: level.symbol for level in all_levels}
    parts = [part for lv in all_levels for part in (lv.lower, lv.bound, lv.step) if part is not None]
    for node in (n for part in (nest.body, *parts) for n in walk(part)):
        is_name = isinstance(node, c_ast.ID) and node.name in variables
        is_declaration = isinstance(node, c_ast.Decl) and node.name in variables
        meant = sema.symbol(node) if is_name else sema.decl_symbol(node) if is_declaration else None
        if (is_name or is_declaration) and meant is not variables[node.name]:
            raise UncollapsibleError(f"'{node.name}' means several variables", node, "give them names of their own")
    if len(variables) < len(all_levels):
        raise UncollapsibleError("loops have variables of one name")


def _check_calls(sema: Sema, body: c_ast.Node) -> None:
    """Refuse calls that do more than the accesses to memory that are known."""
    for node in walk(body):
        if isinstance(node, (StmtExpr, Cleanup)):
            raise UncollapsibleError(IN_EXPRESSION, node)
        if isinstance(node, c_ast.FuncCall):
            name = called_name(sema, node)
            computes = name in MATH_FUNCTIONS or name in UNEVALUATED or name in sema.functions
            if name is None or not computes:
                raise UncollapsibleError(f"'{name}' may have side effects" if name else "a call by address", node)


def _check_atomics(body: c_ast.Node) -> None:
    for node in walk(body):
        atomic = isinstance(node, OmpConstruct) and "atomic" in node.directive.constructs
        if atomic and node.directive.has("capture", "read", "write", "compare"):
            raise UncollapsibleError("the order of 'atomic' constructs can be seen", node)


def _check_bounds(region: Surroundings, nest: LoopNest, level: _Level, accesses: Accesses) -> None:
    """Refuse bounds that iterations of other loops change."""
    sema, head, body = region.sema, level.head, nest.body
    changing = {*assignments(sema, body).symbols, *locals_of(sema, body), *(lv.symbol for lv in nest.levels)}
    parts = [n for part in (head.lower, head.bound, head.step) if part is not None for n in walk(part)]
    for node in parts:
        if isinstance(node, (c_ast.FuncCall, c_ast.Assignment, c_ast.TernaryOp)):
            why = f"the bounds of the loop over '{head.symbol.name}' are not simple"
            raise UncollapsibleError(why, level.loop, _BOUNDS)
        symbol = sema.symbol(node) if isinstance(node, c_ast.ID) else None
        if symbol in changing:
            why = f"the bounds of the loop over '{head.symbol.name}' depend on '{symbol.name}'"
            raise UncollapsibleError(why, level.loop)
    for access in accesses.items:
        if access.node in parts and (access.root in accesses.written or not access.certain):
            why = f"the bounds of the loop over '{head.symbol.name}' are in memory"
            raise UncollapsibleError(why, level.loop, _BOUNDS)


def _check_unused_outside(sema: Sema, body: c_ast.Node, level: _Level) -> None:
    symbol, inside = level.head.symbol, {*walk(level.loop)}
    for node in walk(body):
        if isinstance(node, c_ast.ID) and node not in inside and sema.symbol(node) is symbol:
            why = f"'{symbol.name}' is used outside of its loop"
            raise UncollapsibleError(why, node, "declare it in the loop, and use another variable outside")
    if symbol in assignments(sema, body).address_taken:
        raise UncollapsibleError(f"the address of '{symbol.name}' is taken")


# -- variables ----------------------------------------------------------------------------------------------------


def _mentions(sema: Sema, body: c_ast.Node, symbol: Entity) -> list[c_ast.Node]:
    return [n for n in walk(body) if isinstance(n, c_ast.ID) and sema.symbol(n) is symbol]


def _written_first(sema: Sema, body: c_ast.Node, symbol: Entity) -> bool:
    """Whether every read of a scalar in a run of a body comes after a write in the same run."""
    return _first(sema, body, symbol) in (_First.WRITE, _First.PERHAPS)


class _First(Enum):
    """What a statement first does with a variable."""

    NOTHING = "does not mention it"
    WRITE = "writes it"
    PERHAPS = "writes it before it reads it, or does not mention it"
    READ = "may read it"


def _first(sema: Sema, node: c_ast.Node | None, symbol: Entity) -> _First:
    if node is None or not _mentions(sema, node, symbol):
        return _First.NOTHING
    match node:
        case c_ast.Compound():
            return _first_of(sema, node.block_items or (), symbol)
        case c_ast.DeclList():
            return _first_of(sema, node.decls, symbol)
        case c_ast.Assignment(op="=", lvalue=c_ast.ID()) if sema.symbol(node.lvalue) is symbol:
            return _First.READ if _mentions(sema, node.rvalue, symbol) else _First.WRITE
        case c_ast.If() if not _mentions(sema, node.cond, symbol):
            found = {_first(sema, node.iftrue, symbol), _first(sema, node.iffalse, symbol)}
            return _First.READ if _First.READ in found else found.pop() if len(found) == 1 else _First.PERHAPS
        case c_ast.For():
            begins = _first(sema, node.init, symbol)
            if begins is not _First.NOTHING:
                return begins
            if node.cond is not None and _mentions(sema, node.cond, symbol):
                return _First.READ
            found_in = _first(sema, node.stmt, symbol)
            return _First.PERHAPS if found_in in (_First.WRITE, _First.PERHAPS) else _First.READ
        case c_ast.While() if not _mentions(sema, node.cond, symbol):
            return _First.READ if _first(sema, node.stmt, symbol) is _First.READ else _First.PERHAPS
        case OmpConstruct() if node.directive.constructs == ("simd",):
            return _first(sema, node.body, symbol)
    return _First.READ


def _first_of(sema: Sema, items: Iterable[c_ast.Node], symbol: Entity) -> _First:
    """What several statements, one after the other, first do with a variable."""
    so_far = _First.NOTHING
    for item in items:
        found = _first(sema, item, symbol)
        if found in (_First.READ, _First.WRITE):
            return found
        so_far = found if found is _First.PERHAPS else so_far
    return so_far


def _home(sema: Sema, bodies: Sequence[c_ast.Node], symbol: Entity) -> int:
    """The innermost of the bodies, by number, that has all mentions of a variable."""
    mentions = _mentions(sema, bodies[0], symbol)
    home = 0
    for number, body in enumerate(bodies):
        nodes = {*walk(body)}
        if all(m in nodes for m in mentions):
            home = number
    return home


def _check_scalars(
    region: Surroundings, bodies: Sequence[c_ast.Node], heads: Sequence[CanonicalLoop], inside: Collection[c_ast.Node]
) -> None:
    """Refuse variables that carry values from one iteration of an inner loop to another.

    ``bodies`` are those of an iteration and of the inner loops.
    """
    sema = region.sema
    reduced = {r.symbol: r for r in region.reductions}
    declared_inside = {*locals_of(sema, bodies[-1])}
    moving = {head.symbol for head in heads}
    for symbol in assignments(sema, bodies[0]).symbols:
        if symbol in region.memory or symbol in declared_inside or symbol in moving:
            continue
        if symbol in reduced:
            _check_reduction(sema, bodies[-1], reduced[symbol], inside, _mentions(sema, bodies[0], symbol))
            continue
        changes = assignments(sema, bodies[1])
        if symbol not in changes.symbols:
            continue  # only statements in front of the first inner loop change it
        if not is_arithmetic(strip(symbol.type)) or symbol in changes.address_taken:
            raise UncollapsibleError(f"inner loops share '{symbol.name}'", _mentions(sema, bodies[1], symbol)[0])
        home = _home(sema, bodies, symbol)
        if home == 0 or any(symbol in assignments(sema, b).symbols for b in bodies[home + 1 :]):
            raise _carried(sema, bodies[0], symbol)
        if symbol in assignments(sema, bodies[0]).address_taken or not _written_first(sema, bodies[home], symbol):
            raise _carried(sema, bodies[0], symbol)
    for reduction in region.reductions:
        if reduction.symbol not in assignments(sema, bodies[0]).symbols and _mentions(
            sema, bodies[0], reduction.symbol
        ):
            raise UncollapsibleError(f"the reduction over '{reduction.symbol.name}' is read, but not added to")


def _carried(sema: Sema, body: c_ast.Node, symbol: Entity) -> UncollapsibleError:
    why = f"'{symbol.name}' takes a value from one iteration of an inner loop to another"
    return UncollapsibleError(why, _mentions(sema, body, symbol)[-1], "reduce it, or compute it anew in each iteration")


def _single_values(
    region: Surroundings, bodies: Sequence[c_ast.Node]
) -> tuple[dict[Entity, c_ast.Node], frozenset[Entity]]:
    """(the variables that get one value in an iteration, each with it; those that get it outside of inner loops)"""
    sema, body = region.sema, bodies[0]
    values: dict[Entity, list[c_ast.Node]] = {}
    assigned: set[Entity] = set()
    changed = assignments(sema, body)
    declared = {*locals_of(sema, body)}
    for node in walk(body):
        match node:
            case c_ast.Decl() if node.init is not None and not isinstance(node.type, c_ast.FuncDecl):
                values.setdefault(sema.decl_symbol(node), []).append(node.init)
            case c_ast.Assignment(lvalue=c_ast.ID()):
                symbol = sema.symbol(node.lvalue)
                if symbol is not None:
                    values.setdefault(symbol, []).extend([node.rvalue] * (1 if node.op == "=" else 2))
                    assigned.add(symbol)
            case c_ast.UnaryOp() if node.op in _STEPS and isinstance(node.expr, c_ast.ID):
                symbol = sema.symbol(node.expr)
                if symbol is not None:
                    values.setdefault(symbol, []).extend([node.expr] * 2)
    single: dict[Entity, c_ast.Node] = {}
    for variable, found in values.items():
        kind = strip(variable.type)
        plain = is_integer(kind) or isinstance(kind, Pointer)
        plain = plain and not {"volatile", "_Atomic"} & set(variable.type.quals)
        if len(found) != 1 or not plain or isinstance(found[0], c_ast.InitList) or variable in changed.address_taken:
            continue
        if variable in region.memory or (variable not in declared and variable not in region.own):
            continue
        if variable in assigned:
            home = bodies[_home(sema, bodies, variable)]
            if not _written_first(sema, home, variable):
                continue
        single[variable] = found[0]
    in_loops = {*walk(bodies[1])}
    return single, frozenset(s for s, value in single.items() if value not in in_loops)


# -- reductions ---------------------------------------------------------------------------------------------------


def _check_reduction(
    sema: Sema, body: c_ast.Node, reduction: Reduction, inside: Collection[c_ast.Node], mentions: Sequence[c_ast.Node]
) -> None:
    """Refuse a reduction variable that the innermost body uses otherwise than the clause says."""
    symbol = reduction.symbol
    problem = UncollapsibleError(f"'{symbol.name}' is used otherwise than in its reduction", next(iter(mentions), None))
    if reduction.functions is not None or reduction.count or reduction.is_variable:
        raise problem
    allowed: set[c_ast.Node] = set()
    for node in walk(body):
        allowed.update(_combined(sema, node, reduction))
    if any(m not in allowed or m not in inside for m in mentions):
        raise problem


def _combined(sema: Sema, node: c_ast.Node, reduction: Reduction) -> list[c_ast.Node]:
    """The mentions of a reduction variable in a statement that combines it with a value."""
    symbol, operators = reduction.symbol, _OPERATORS.get(reduction.operator, ())

    def mine(part: c_ast.Node | None) -> bool:
        return isinstance(part, c_ast.ID) and sema.symbol(part) is symbol

    def free(part: c_ast.Node | None) -> bool:
        return part is not None and not _mentions(sema, part, symbol)

    match node:
        case c_ast.Assignment() if mine(node.lvalue) and node.op.removesuffix("=") in operators and free(node.rvalue):
            return [node.lvalue]
        case c_ast.UnaryOp() if node.op in _STEPS and "+" in operators and mine(node.expr):
            return [node.expr]
        case c_ast.Assignment(op="=", rvalue=c_ast.BinaryOp()) if mine(node.lvalue) and node.rvalue.op in operators:
            value = node.rvalue
            if mine(value.left) and free(value.right):
                return [node.lvalue, value.left]
            if mine(value.right) and free(value.left) and value.op != "-":
                return [node.lvalue, value.right]
        case c_ast.If(iffalse=None, cond=c_ast.BinaryOp()):
            taken = _only_assignment(node.iftrue)
            if taken is not None and mine(taken.lvalue) and free(taken.rvalue):
                found = _extremum(node.cond, taken.rvalue, reduction, mine)
                return [taken.lvalue, found] if found is not None else []
        case c_ast.Assignment(op="=", rvalue=c_ast.TernaryOp(cond=c_ast.BinaryOp())) if mine(node.lvalue):
            choice = node.rvalue
            kept, taken = (choice.iffalse, choice.iftrue) if mine(choice.iffalse) else (choice.iftrue, choice.iffalse)
            swapped = kept is choice.iftrue
            if mine(kept) and free(taken):
                found = _extremum(choice.cond, taken, reduction, mine, swapped)
                return [node.lvalue, kept, found] if found is not None else []
        case c_ast.Assignment(op="=", rvalue=c_ast.FuncCall()) if mine(node.lvalue) and reduction.operator in _MINIMA:
            name, arguments = called_name(sema, node.rvalue) or "", node.rvalue.args.exprs if node.rvalue.args else []
            base = _MINIMA[reduction.operator][2]
            if name in (base, f"{base}f") and len(arguments) == 2:
                own = [a for a in arguments if mine(a)]
                if len(own) == 1 and all(a in own or free(a) for a in arguments):
                    return [node.lvalue, own[0]]
    return []


def _only_assignment(node: c_ast.Node | None) -> c_ast.Assignment | None:
    while isinstance(node, c_ast.Compound) and len(node.block_items or ()) == 1:
        node = node.block_items[0]
    return node if isinstance(node, c_ast.Assignment) and node.op == "=" else None


def _extremum(
    condition: c_ast.BinaryOp,
    taken: c_ast.Node,
    reduction: Reduction,
    mine: Callable[[c_ast.Node | None], bool],
    swapped: bool = False,
) -> c_ast.Node | None:
    """The mention of ``s`` in the condition of ``if (value > s) s = value;`` for a maximum, and the like.

    ``swapped`` says that ``s`` is kept if the condition holds.
    """
    mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
    relation, value, own = condition.op, condition.left, condition.right
    if mine(condition.left):
        relation, value, own = mirrored.get(relation, ""), condition.right, condition.left
    if swapped:
        relation = mirrored.get(relation, "")
    same = mine(own) and _printer.visit(value) == _printer.visit(taken)
    return own if same and relation in _MINIMA.get(reduction.operator, ())[:2] else None


# -- the result ---------------------------------------------------------------------------------------------------


def _fastest(values: Values, accesses: Sequence[Access], variables: Sequence[Entity]) -> Entity:
    """The loop variable along which most accesses are to neighbouring elements: its loop becomes the innermost."""
    votes = dict.fromkeys(variables, 0)
    every = replace(values, moving=variables)
    for access in accesses:
        place = every.place(access.node)
        subscripts = [s for s in place.steps if not isinstance(s, str)] if place is not None else []
        index = subscripts[-1].index if subscripts else None
        split = index.split(variables) if index is not None else None
        if split is None:
            continue
        for variable, factor in split[0].items():
            votes[variable] += factor.constant in (1, -1)
    most = max(votes.values())
    return [v for v in variables if votes[v] == most][-1]


def _rebuilt(sema: Sema, levels: Sequence[_Level], variables: Collection[Entity]) -> c_ast.Node:
    """The body of one iteration of all loops: the statements in front of them, and the innermost body."""
    body: c_ast.Node = levels[-1].body
    for level in reversed(levels):
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
        if isinstance(node, c_ast.Decl) and sema.decl_symbol(node) in variables:
            continue
        items.append(node)
    return c_ast.Compound([*items, body], body.coord)
