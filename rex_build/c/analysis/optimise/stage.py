"""Finds inner loops whose rows a warp brings together, while each of its threads runs its own loop in order.

In ``for (i …) { for (j …) sum += a[i * n + j]; … }`` only ``i`` is distributed, and the order of the sum has to stay.
Neighbouring threads access memory that lies ``n`` apart then. ``include/cuda/rex_rows.h`` brings pieces of the rows to
shared memory ahead of the loop, and writes others back behind it.

Rows are read ahead, and by other threads. So nothing may write that memory while the kernel runs, and every iteration
of the loop must read its element. An element that is written must be the only access of the loop to that memory, in
every iteration. All threads of a warp have to come to the loop, so it stands in no other loop and under no condition.
Several threads may run the same iteration, and share out its loops whose iterations leave nothing to each other. What
the body writes otherwise, it must not read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pycparser import c_ast

from ....base.records import dataclass, replace
from ....optimise.accesses import Access, Accesses
from ....optimise.collapse import counted_in
from ....optimise.counted import counts_as_written
from ....optimise.obstacle import COUNT_PLAINLY, ObstacleError
from ....plan.code import Entity
from ....plan.loops import CanonicalLoop, LoopNest
from ....plan.optimised import ScalarElement, StagedLoop, StagedRow
from ....tree.types import Member
from ...reading.statements import reader_of
from ...sema import Sema, assignments, locals_of, walk
from ...sema.ctype import Array, Pointer, Scalar, alignof, sizeof, strip
from ...sema.type_questions import is_complex, is_integer
from ...syntax.nodes import OmpConstruct
from ...syntax.parser import Cleanup, StmtExpr
from ..device_library import MATH_FUNCTIONS, UNEVALUATED, library_name
from ..purity import called_name
from .affine import Values
from .collapse import InC, independent
from .surroundings import Surroundings

_SIZES = (4, 8)  # bytes of an element
_MOST_READ, _MOST_WRITTEN = 2, 1  # rows of a loop: as many as the stages of rex_rows.h have room for
_LARGEST = 400  # nodes of an iteration, which nvcc compiles some twenty times
_NEAR = 8  # rows whose elements are no farther apart need no help


@dataclass(frozen=True)
class Staged:
    """The loops, and whether they access nothing else that differs from thread to thread."""

    loops: tuple[StagedLoop, ...]
    alone: bool


def staged(
    region: Surroundings, nest: LoopNest, found: Accesses, scalars: Collection[ScalarElement], read: Collection[Entity]
) -> Staged:
    """The loops of an iteration of ``nest`` that may be staged. ``read`` is what nothing writes meanwhile.

    Raises ObstacleError if there are none.
    """
    body = nest.body
    _check(region.sema, body)
    loops: list[StagedLoop] = []
    alone, why = True, ObstacleError("no inner loop reads or writes rows that lie apart")
    for loop in first_loops(body):
        try:
            head = _head(region, body, loop, found, read)
        except ObstacleError as problem:
            why = problem
            continue
        rows, others = _rows(region, nest, loop, head, found, read)
        if rows:
            loops.append(StagedLoop(loop, head, loop.stmt, rows, _is_apart(region, body, loop)))
            alone = alone and not others
    if not loops:
        raise why
    _check_written(found, scalars, {use for loop in loops for row in loop.rows for use in row.uses})
    return Staged(tuple(loops), alone)


def _check(sema: Sema, body: c_ast.Node) -> None:
    for node in walk(body):
        name = called_name(sema, node) if isinstance(node, c_ast.FuncCall) else None
        if name is not None and library_name(name) is not None and name not in (MATH_FUNCTIONS | UNEVALUATED):
            raise ObstacleError(f"'{name}' may do more than compute", node)
        if isinstance(node, OmpConstruct) and (node.directive.constructs != ("simd",) or node.directive.clauses):
            raise ObstacleError("the body has constructs of its own", node)
        if isinstance(node, (StmtExpr, Cleanup)):
            raise ObstacleError("a statement inside an expression", node)
    if _continues(body):
        raise ObstacleError("'continue' ends an iteration", body)


def _check_written(found: Accesses, scalars: Collection[ScalarElement], staged: Collection[c_ast.Node]) -> None:
    """Refuse what several threads must not do in place of one: write what the body also reads."""
    kept = {use for scalar in scalars for use in scalar.uses}
    for access in found.items:
        again = access.writes and access.node not in staged and access.node not in kept
        if again and any(a.root is access.root and (a.reads or a.atomic) for a in found.items):
            why = f"an iteration reads and writes '{access.root.name}'"
            raise ObstacleError(why, access.node, "keep the value in a variable of the loop")


def _continues(body: c_ast.Node) -> bool:
    """Whether ``continue`` or ``break`` ends the statement ``body`` of a loop."""
    if isinstance(body, (c_ast.Continue, c_ast.Break)):
        return True
    if isinstance(body, c_ast.Switch):  # its own 'break' stays inside
        return any(isinstance(n, c_ast.Continue) for n in _outside_loops(body.stmt))
    inside = isinstance(body, (c_ast.For, c_ast.While, c_ast.DoWhile))
    return not inside and any(_continues(child) for _, child in body.children())


def _outside_loops(node: c_ast.Node) -> Iterator[c_ast.Node]:
    yield node
    for _, child in node.children():
        if not isinstance(child, (c_ast.For, c_ast.While, c_ast.DoWhile)):
            yield from _outside_loops(child)


def first_loops(body: c_ast.Node) -> Iterator[c_ast.For]:
    """The loops to which every iteration comes, outermost ones."""
    for item in (body.block_items or ()) if isinstance(body, c_ast.Compound) else (body,):
        statement = item.body if isinstance(item, OmpConstruct) else item
        if isinstance(statement, c_ast.Compound):
            yield from first_loops(statement)
        elif isinstance(statement, c_ast.For):
            yield statement


def _head(
    region: Surroundings, body: c_ast.Node, loop: c_ast.For, found: Accesses, read: Collection[Entity]
) -> CanonicalLoop:
    """The head of a loop over neighbouring elements that counts its iterations beforehand."""
    sema = region.sema
    counted = counted_in(InC(region.unit, sema), reader_of(sema).loop(loop))
    head = counted.head
    name = head.symbol.name
    if not is_integer(strip(head.symbol.type)) or not head.declared or head.step_value != 1 or not head.increasing:
        raise ObstacleError(f"'{name}' does not count up by 1 in a loop that declares it", loop)
    if not counts_as_written(counted):
        raise ObstacleError(f"the loop variable '{name}' may wrap around", loop, COUNT_PLAINLY)
    if sum(1 for _ in walk(loop.stmt)) > _LARGEST:
        raise ObstacleError(f"an iteration over '{name}' is long", loop)
    if _continues(loop.stmt):
        raise ObstacleError(f"a jump ends an iteration over '{name}'", loop)
    changed, taken = assignments(sema, loop.stmt), assignments(sema, body).address_taken
    moving = {*changed.symbols, *taken}
    if head.symbol in moving:
        raise ObstacleError(f"the address of '{name}' is taken", loop)
    parts = [n for part in (head.lower, head.bound) for n in walk(part)]
    for node in parts:
        mentioned = sema.symbol(node) if isinstance(node, c_ast.ID) else None
        if isinstance(node, (c_ast.FuncCall, c_ast.Assignment)) or mentioned in moving or mentioned is head.symbol:
            raise ObstacleError(f"the bounds of the loop over '{name}' are not simple", loop)
    inside = set(parts)
    if any(a.node in inside and a.root not in read for a in found.items):
        raise ObstacleError(f"the bounds of the loop over '{name}' are in memory", loop)
    return head


def _is_apart(region: Surroundings, body: c_ast.Node, loop: c_ast.For) -> bool:
    """Whether several threads may share out the iterations: they change nothing but variables of their own and memory
    that none reads, and no two of them write one element."""
    sema = region.sema
    if not {*assignments(sema, loop.stmt).symbols} <= {*locals_of(sema, loop.stmt), *region.memory}:
        return False
    try:
        independent(replace(region, own={*region.own, *locals_of(sema, body)}), loop)
    except ObstacleError:
        return False
    return True


def _rows(
    region: Surroundings,
    nest: LoopNest,
    loop: c_ast.For,
    head: CanonicalLoop,
    found: Accesses,
    read: Collection[Entity],
) -> tuple[tuple[StagedRow, ...], bool]:
    """(the rows of a loop, whether it has other accesses that differ from thread to thread)"""
    sema = region.sema
    inside, always = set(walk(loop.stmt)), set(always_evaluated(loop.stmt))
    stays, own = fixed(region, loop.stmt), {lv.symbol for lv in nest.levels}
    kept = {s for s in stays if not isinstance(strip(s.type), (Pointer, Array)) or s in region.memory}
    values = Values(sema, stays, kept - found.written, (head.symbol,), {}, (), region.members, {})
    everywhere = (fixed(region, nest.body) | {*region.memory}) - own
    mine = [a for a in found.items if a.node in inside]
    written = {n.lvalue for n in always if isinstance(n, c_ast.Assignment) and n.op == "="}
    rows: dict[tuple[object, ...], list[Access]] = {}
    others = False
    for access in mine:
        key = _row(sema, values, head, access, everywhere, own)
        if key is None:
            others = True
            continue
        if key == ():
            continue  # the same for all threads, or near
        single = sum(1 for a in mine if a.root is access.root) == 1
        may_read = access.reads and not access.writes and access.root in read
        may_write = access.writes and not access.reads and single and access.node in written
        if access.node in always and not access.atomic and (may_read or may_write):
            rows.setdefault(key, []).append(access)
        else:
            others = True
    made: list[StagedRow] = []
    for accesses in rows.values():
        first = accesses[0]
        count, most = sum(r.written == first.writes for r in made), _MOST_WRITTEN if first.writes else _MOST_READ
        if count == most:
            others = True
            continue
        kind = strip(sema.type(first.node))
        made.append(StagedRow(first.root, kind, first.node, tuple(a.node for a in accesses), first.writes))
    return tuple(made), others


def fixed(region: Surroundings, body: c_ast.Node) -> set[Entity]:
    """The variables that ``body`` mentions but neither changes nor declares."""
    sema = region.sema
    changed, inside = assignments(sema, body), {*locals_of(sema, body)}
    mentioned = {sema.symbol(n) for n in walk(body) if isinstance(n, c_ast.ID)}
    return {s for s in mentioned if s is not None and s not in changed.symbols and s not in inside}


def _row(
    sema: Sema,
    values: Values,
    head: CanonicalLoop,
    access: Access,
    everywhere: Collection[Entity],
    own: Collection[Entity],
) -> tuple[object, ...] | None:
    """Something that is equal for accesses to the same row, () if threads access the same or neighbouring elements, and
    None for anything else."""
    kind = strip(sema.type(access.node))
    place = values.place(access.node)
    if place is None or place.unions or not place.steps or isinstance(place.steps[-1], Member):
        return None
    indices = [step.index for step in place.steps if not isinstance(step, Member)]
    if any(index is None or index.wraps for index in indices):
        return None
    splits = [index.split((head.symbol,)) for index in indices if index is not None]
    if any(split is None for split in splits):
        return None
    *before, (factors, _) = [split for split in splits if split is not None]
    mentioned: set[object] = {place.root}.union(*(i.atoms for i in indices if i is not None)) - {head.symbol}
    if all(isinstance(atom, Entity) and atom in everywhere for atom in mentioned):
        return ()
    last = indices[-1]
    near = last.split(tuple(own)) if last is not None and place.root in everywhere else None
    if near is not None and len(indices) == 1 and near[0]:
        distances = [factor.constant for factor in near[0].values()]
        if all(d is not None and abs(d) <= _NEAR for d in distances) and near[1].atoms <= {*everywhere, head.symbol}:
            return ()
    if not isinstance(kind, Scalar) or is_complex(kind) or sizeof(kind) not in _SIZES:
        return None
    if alignof(sema.type(access.node)) < sizeof(kind):
        return None
    ones = factors.get(head.symbol)
    if ones is None or ones.constant != 1 or any(split[0] for split in before) or Member in map(type, place.steps):
        return None
    return (place.root, *(frozenset(i.terms.items()) for i in indices if i is not None))


def always_evaluated(node: c_ast.Node | None) -> Iterator[c_ast.Node]:
    """The parts of a statement that are evaluated whenever it runs."""
    if node is None:
        return
    yield node
    match node:
        case c_ast.For() | c_ast.While() | c_ast.DoWhile() | c_ast.Switch():
            return
        case c_ast.BinaryOp(op="&&" | "||"):
            yield from always_evaluated(node.left)
        case c_ast.If() | c_ast.TernaryOp():
            yield from always_evaluated(node.cond)
        case c_ast.UnaryOp(op="sizeof" | "_Alignof" | "&"):
            return
        case _:
            for _, child in node.children():
                yield from always_evaluated(child)
