"""Finds reduced arrays of which the threads of a team can share one copy.

A thread's own copy of a histogram is slow memory, and combining the copies of all threads takes longer than filling
them. The team's copy is in shared memory, and statements such as ``bins[x[i]] += w`` become atomic operations on it.
This needs that the body does nothing else with the array, for then nobody can tell whose copy it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pycparser import c_ast

from ....base.records import replace
from ....optimise.obstacle import ObstacleError
from ....plan.code import Entity
from ....plan.constructs import Atomic
from ....plan.loops import LoopNest
from ....plan.optimised import TeamArray
from ....plan.sharing import Reduction
from ...sema import Sema, Symbol, assignments, locals_of, walk
from ...sema.ctype import CType, Scalar, sizeof
from ..atomics import plain_update
from ..nesting import constructs_in
from .updates import mentions

ROOM = 24 << 10  # bytes of shared memory for all copies of a team: eight teams of a multiprocessor then have room
_UNKNOWN_ROOM = 8 << 10  # for an array whose length only the run knows
_FEW = 32  # elements that threads would often want at the same time, but of which each can keep its own copy
_COMBINED_BY = {
    "rex_add": ("rex_add", "rex_sub"),
    "rex_mul": ("rex_mul",),
    "rex_band": ("rex_band",),
    "rex_bor": ("rex_bor",),
    "rex_bxor": ("rex_bxor",),
    "rex_min": ("rex_min",),
    "rex_max": ("rex_max",),
}
_WORDS = ("int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long", "float", "double")


def team_arrays(sema: Sema, nest: LoopNest, reductions: Sequence[Reduction]) -> tuple[TeamArray, ...]:
    """The arrays among what the loop reduces that a team can share. Raises ObstacleError if there is none."""
    found: list[TeamArray] = []
    problem: ObstacleError | None = None
    left = ROOM
    for reduction in reductions:
        if not reduction.count:
            continue
        try:
            updates = _updates(sema, nest, reduction)
        except ObstacleError as error:
            problem = problem or error
            continue
        assert isinstance(reduction.type, Scalar)
        size = sizeof(reduction.type)
        wanted = min(_UNKNOWN_ROOM, left) if reduction.is_variable else reduction.count * size
        room = wanted // size if wanted <= left else 0
        left -= room * size
        found.append(TeamArray(reduction.symbol, room, updates))
    if not found:
        raise problem or ObstacleError("no reduction of an array")
    return tuple(found)


def is_straight(body: c_ast.Node) -> bool:
    """Whether a body has no loops, and no labels, which a function can have only once."""
    loops = (c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch, c_ast.Label)
    return not any(isinstance(n, loops) for n in walk(body))


def _updates(sema: Sema, nest: LoopNest, reduction: Reduction) -> tuple[tuple[c_ast.Node, Atomic], ...]:
    """The statements that combine elements of an array with values. Raises ObstacleError if there are other uses."""
    symbol, kind, body = reduction.symbol, reduction.type, nest.body
    assert isinstance(symbol, Symbol)
    name = symbol.name
    if reduction.functions is not None or not isinstance(kind, Scalar) or kind.name not in _WORDS:
        raise ObstacleError(f"the hardware has no atomic operation for the elements of '{name}'")
    if reduction.operator not in _COMBINED_BY:
        raise ObstacleError(f"the hardware has no atomic operation for the operator that reduces '{name}'")
    if {"volatile", "_Atomic"} & set(_element(symbol.type).quals):
        raise ObstacleError(f"'{name}' is volatile or _Atomic")
    if not reduction.is_variable and reduction.count <= _FEW:
        raise ObstacleError(f"'{name}' has so few elements that threads would wait for each other")
    if constructs_in(sema, body):
        raise ObstacleError("the body has constructs of its own")
    uses = mentions(sema, body, symbol)
    found: dict[c_ast.Node, Atomic] = {}
    explained: set[c_ast.Node] = set()
    for statement in _statements(body):
        update = plain_update(statement)
        if update is None or not _is_element(sema, update.location, symbol):
            continue
        if update.operator not in _COMBINED_BY[reduction.operator]:
            continue
        if update.reversed and update.operator == "rex_sub":
            continue
        if not _may_be_printed_once(sema, statement, update):
            continue
        inside = mentions(sema, statement, symbol)
        if len(inside) == _places(statement) and not (update.operand and mentions(sema, update.operand, symbol)):
            found[statement] = replace(update, reversed=False)
            explained.update(inside)
    other = next((use for use in uses if use not in explained), None)
    if other is not None or not found:
        remedy = "only combine its elements with values, in statements such as a[k] += x"
        raise ObstacleError(f"'{name}' is used otherwise than in its reduction", other, remedy)
    varying = _varying(sema, nest)
    if all(_is_uniform(sema, update.location, varying) for update in found.values()):
        raise ObstacleError(f"all threads come to the same elements of '{name}' at a time")
    return tuple(found.items())


def _element(kind: CType) -> CType:
    """The type of an array's or pointer's scalars, with its qualifiers."""
    while True:
        inner = getattr(kind, "of", None) or getattr(kind, "to", None)
        if inner is None:
            return kind
        kind = inner


def _is_element(sema: Sema, node: c_ast.Node, symbol: Symbol) -> bool:
    """Whether an lvalue is ``a[i]`` or ``a[i][j]`` of an array ``a``, whose subscripts do not mention it."""
    while isinstance(node, c_ast.ArrayRef):
        if mentions(sema, node.subscript, symbol):
            return False
        node = node.name
        if isinstance(node, c_ast.ID):
            return sema.symbol(node) is symbol
    return False


def _places(statement: c_ast.Node) -> int:
    """How often a statement that is an update names what it changes."""
    if isinstance(statement, c_ast.If):
        return 2
    if isinstance(statement, c_ast.Assignment) and statement.op == "=":
        return 3 if isinstance(statement.rvalue, c_ast.TernaryOp) else 2
    return 1


def _may_be_printed_once(sema: Sema, statement: c_ast.Node, update: Atomic) -> bool:
    """Whether the update means the same although it has once what the statement may name twice."""
    if _places(statement) == 1:
        return True
    total = statement.rvalue if isinstance(statement, c_ast.Assignment) else None
    if isinstance(total, c_ast.BinaryOp) and update.operand not in (total.left, total.right):
        return False  # x + a + b is not x + (a + b)
    acts = [n for n in walk(statement) if isinstance(n, (c_ast.Assignment, c_ast.FuncCall))]
    steps = any(isinstance(n, c_ast.UnaryOp) and n.op in ("++", "--", "p++", "p--") for n in walk(statement))
    return len(acts) == 1 and not steps and not assignments(sema, statement).address_taken


def _statements(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """The statements in a body. Expressions among them are those whose values nobody uses."""
    yield node
    inner: list[c_ast.Node | None] = []
    match node:
        case c_ast.Compound():
            inner = list(node.block_items or ())
        case c_ast.If():
            inner = [node.iftrue, node.iffalse]
        case c_ast.For() | c_ast.While() | c_ast.DoWhile() | c_ast.Switch() | c_ast.Label():
            inner = [node.stmt]
        case c_ast.Case() | c_ast.Default():
            inner = list(node.stmts or ())
    for item in inner:
        if item is not None:
            yield from _statements(item)


def _counters(sema: Sema, body: c_ast.Node) -> set[Entity]:
    """The counters of a body's loops."""
    found: set[Entity | None] = set()
    for loop in (n for n in walk(body) if isinstance(n, c_ast.For)):
        match loop.init:
            case c_ast.DeclList():
                found.update(sema.decl_symbol(d) for d in loop.init.decls)
            case c_ast.Assignment(lvalue=c_ast.ID()):
                found.add(sema.symbol(loop.init.lvalue))
    return {s for s in found if s is not None}


def _varying(sema: Sema, nest: LoopNest) -> set[Entity]:
    """The variables that may have other values in other threads: what an iteration has or changes, without the
    counters of inner loops."""
    levels = {s for lv in nest.levels for s in (lv.symbol, *lv.same)}
    inside = {*assignments(sema, nest.body).symbols, *locals_of(sema, nest.body)}
    return (inside - _counters(sema, nest.body)) | levels


def _is_uniform(sema: Sema, element: c_ast.Node, varying: Collection[Entity]) -> bool:
    """Whether subscripts are made of constants and counters of inner loops, which are the same in all threads."""
    subscripts: list[c_ast.Node] = []
    while isinstance(element, c_ast.ArrayRef):
        subscripts.append(element.subscript)
        element = element.name
    parts = [n for subscript in subscripts for n in walk(subscript)]
    loads = any(isinstance(n, (c_ast.FuncCall, c_ast.StructRef, c_ast.ArrayRef, c_ast.Assignment)) for n in parts)
    pointees = any(isinstance(n, c_ast.UnaryOp) and n.op == "*" for n in parts)
    names = {sema.symbol(n) for n in parts if isinstance(n, c_ast.ID)}
    return not loads and not pointees and names.isdisjoint(varying)
