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

from collections.abc import Callable, Collection, Iterator, Sequence

from ..base.records import dataclass, replace
from ..plan.constructs import CanonicalLoop, Code, Entity
from ..plan.optimised import Optimised, StagedLoop, StagedRow
from ..tree import nodes as tree
from ..tree.affine import Facts, Place, Polynomial
from ..tree.types import Array, Floating, Integer, Member, Pointer, Record, Type
from ..tree.values import object_of
from .accesses import Access, Accesses
from .changes import changes_of
from .collapse import check_calls, continues, counted_in, independent_loop, is_for, leaves
from .obstacle import COUNT_PLAINLY, Obstacle, ObstacleError
from .side import Side, Text
from .surroundings import Counted, Region, as_written, counts_as_written, in_both
from .walk import always_evaluated, fixed

NO_SUCH_ROWS = "no inner loop reads or writes rows that lie apart"
_SIZES = (4, 8)  # bytes of an element
_MOST_READ, _MOST_WRITTEN = 2, 1  # rows of a loop: as many as the stages of rex_rows.h have room for
_LARGEST = 400  # parts of an iteration, which nvcc compiles some twenty times
_NEAR = 8  # rows whose elements are no farther apart need no help
_SILENT = (tree.Load, tree.Pointee, tree.Decay, tree.Evaluate)  # what no text stands for
_NOT_SIMPLE = (tree.Call, tree.Store, tree.Update, tree.Opaque, tree.Temporary, tree.StatementValue)


@dataclass(frozen=True)
class Staged:
    """The loops, and whether they access nothing else that differs from thread to thread."""

    loops: tuple[StagedLoop, ...]
    alone: bool

    def with_(self, other: Staged) -> Staged:
        """What holds for two instantiations of a template. Raises ObstacleError if one text does not serve both."""
        heads = ([replace(one, head=as_written(one.head), apart=False) for one in of.loops] for of in (self, other))
        if next(heads) != next(heads):
            raise ObstacleError(Obstacle.DIFFER)
        pairs = zip(self.loops, other.loops, strict=True)
        loops = (replace(a, head=in_both(a.head, b.head), apart=a.apart and b.apart) for a, b in pairs)
        return Staged(tuple(loops), self.alone and other.alone)


def staged(
    side: Side, around: Callable[[Collection[Entity]], Region], levels: Sequence[CanonicalLoop], body: tree.Statement,
    found: Accesses, optimised: Optimised,
) -> Staged:  # fmt: skip
    """The loops that may be staged in an iteration of the ``levels``, which threads share. ``around`` says what is
    known where threads have some variables of their own. Raises ObstacleError if there are none."""
    region, text = around({v.entity for v in changes_of(body).declared if v.entity is not None}), side.text()
    own = {level.symbol for level in levels}
    written = {access.place for access in found.items if access.root in found.written}  # perhaps, or another array's
    check_body(region, body)
    loops: list[StagedLoop] = []
    alone, why = True, ObstacleError(NO_SUCH_ROWS)
    for loop in first_loops(body):
        try:
            counted = counted_rows(region, body, loop, found, written)
        except ObstacleError as problem:
            why = problem
            continue
        rows, others = _rows(region, side, own, body, loop, counted.head, found, written)
        if rows:
            code = text.loop(loop)
            loops.append(StagedLoop(code.loop, counted.head, code.body, rows, _is_apart(region, loop)))
            alone = alone and not others
    if not loops:
        raise why
    uses = {use for loop in loops for row in loop.rows for use in row.uses}
    _check_written(found, text, uses.union(use for scalar in optimised.scalars for use in scalar.uses))
    return Staged(tuple(loops), alone)


def check_body(region: Region, body: tree.Statement) -> None:
    """Raise ObstacleError if a thread might not come to the ``first_loops`` of an iteration, or if another could not
    run it as well."""
    check_calls(region, body)
    for node in tree.walk(body):
        if isinstance(node, tree.Construct) and (node.directive.constructs != ("simd",) or node.directive.clauses):
            raise ObstacleError(Obstacle.OWN_CONSTRUCTS, node)
        if isinstance(node, tree.Goto | tree.Target | tree.Return | tree.Opaque):
            raise ObstacleError(Obstacle.JUMPS, node)
        if isinstance(node, tree.Ending) or (isinstance(node, tree.Declare) and node.end is not None):
            raise ObstacleError("an object whose end acts", node)
    if _is_ended(body):
        raise ObstacleError("'continue' ends an iteration", body)


def _check_written(found: Accesses, text: Text, kept: Collection[Code]) -> None:
    """Refuse what several threads must not do in place of one: write what the body also reads. What is ``kept`` in
    variables, or moved by warps, may be."""
    for access in found.items:
        again = access.writes and text.element(access) not in kept
        if again and any(a.root is access.root and (a.reads or a.atomic) for a in found.items):
            why = f"an iteration reads and writes '{access.root.name}'"
            raise ObstacleError(why, access.node, "keep the value in a variable of the loop")


def _is_ended(body: tree.Node) -> bool:
    """Whether ``continue`` or ``break`` ends the statement ``body`` of a loop."""
    return leaves(body) or continues(body)


def first_loops(body: tree.Statement | None) -> Iterator[tree.Loop]:
    """The loops to which every iteration comes, outermost ones."""
    match body:
        case tree.Block():
            for item in body.statements:
                yield from first_loops(item)
        case tree.Construct():
            yield from first_loops(body.body)
        case tree.Loop() if is_for(body):
            yield body


def counted_rows(
    region: Region, body: tree.Statement, loop: tree.Loop, found: Accesses, written: Collection[tree.Place]
) -> Counted:
    """A loop over neighbouring elements that counts its iterations beforehand."""
    counted = counted_in(region.language, loop)
    head, name = counted.head, counted.symbol.name
    plain = isinstance(counted.variable.type, Integer) and head.declared and head.increasing
    if not plain or head.step_value != 1:
        raise ObstacleError(f"'{name}' does not count up by 1 in a loop that declares it", loop)
    if not counts_as_written(counted):
        raise ObstacleError(f"the loop variable '{name}' may wrap around", loop, COUNT_PLAINLY)
    if sum(not _is_silent(node) for node in tree.walk(loop.body)) > _LARGEST:
        raise ObstacleError(f"an iteration over '{name}' is long", loop)
    if _is_ended(loop.body):
        raise ObstacleError(f"a jump ends an iteration over '{name}'", loop)
    moving = {*changes_of(loop.body).assigned, *changes_of(body).lent}
    if counted.variable in moving:
        raise ObstacleError(f"the address of '{name}' is taken", loop)
    known = {access.place for access in found.items}
    for node in (n for part in (counted.lower, counted.bound) for n in tree.walk(part)):
        if isinstance(node, _NOT_SIMPLE) or (isinstance(node, tree.Named) and node.variable in moving):
            raise ObstacleError(f"the bounds of the loop over '{name}' are not simple", loop)
        place = object_of(node.place) if isinstance(node, tree.Load) else None
        unknown = isinstance(node, tree.Load) and node.place not in known and (place is None or place.behind)
        if unknown or (isinstance(node, tree.Load) and node.place in written):
            raise ObstacleError(f"the bounds of the loop over '{name}' are in memory", loop)
    return counted


def _is_silent(node: tree.Node) -> bool:
    return isinstance(node, _SILENT) or (isinstance(node, tree.Convert) and not node.written)


def _is_apart(region: Region, loop: tree.Loop) -> bool:
    """Whether several threads may share out the iterations: they change nothing but variables of their own and memory
    that none reads, and no two of them write one element."""
    changes = changes_of(loop.body)
    if any(v not in changes.declared and v.entity not in region.memory for v in changes.variables):
        return False
    try:
        independent_loop(region, loop)
    except ObstacleError:
        return False
    return True


def _rows(
    region: Region,
    side: Side,
    own: Collection[Entity],
    body: tree.Statement,
    loop: tree.Loop,
    head: CanonicalLoop,
    found: Accesses,
    written: Collection[tree.Place],
) -> tuple[tuple[StagedRow, ...], bool]:
    """(the rows of a loop, whether it has other accesses that differ from thread to thread)"""
    inside, always = {*tree.walk(loop.body)}, {*always_evaluated(loop.body)}
    stays = fixed(loop.body)
    named = (n.variable for n in tree.walk(loop.body) if isinstance(n, tree.Named))
    pointers = {v.entity for v in named if isinstance(v.type, Pointer | Array)}
    kept = {entity for entity in stays if entity not in pointers or entity in region.memory}
    facts = Facts(stays, kept - found.written, (head.symbol,), lambda _: None, (), {}, region.members)
    everywhere = (fixed(body) | {*region.memory}) - {*own}
    mine = [a for a in found.items if a.node in inside]
    stored = {n.place for n in always if isinstance(n, tree.Store)}
    rows: dict[tuple[object, ...], list[Access]] = {}
    others = False
    for access in mine:
        key = _row(facts, head, access, everywhere, own)
        if key is None:
            others = True
            continue
        if key == ():
            continue  # the same for all threads, or near
        single = sum(1 for a in mine if a.root is access.root) == 1
        may_read = access.reads and not access.writes and access.place not in written
        may_write = access.writes and not access.reads and single and access.node in stored
        if access.node in always and not access.atomic and (may_read or may_write):
            rows.setdefault(key, []).append(access)
        else:
            others = True
    made: list[StagedRow] = []
    text = side.text()
    for accesses in rows.values():
        first = accesses[0]
        count, most = sum(r.written == first.writes for r in made), _MOST_WRITTEN if first.writes else _MOST_READ
        kind, uses = text.type(first, True), [text.element(a) for a in accesses]
        aligned = all(side.is_aligned(access.place) for access in accesses)
        if count == most or kind is None or not aligned or uses[0] is None or None in uses:
            others = True
            continue
        made.append(StagedRow(first.root, kind, uses[0], tuple(u for u in uses if u is not None), first.writes))
    return tuple(made), others


def row_of(facts: Facts, variable: Entity, access: Access) -> tuple[Place, list[Polynomial]] | None:
    """The place of an access and its subscripts, if these are linear in a loop's variable and do not wrap."""
    place = facts.place(access.place) if access.node is access.place else None
    if place is None or place.unions or not place.steps:
        return None
    indices = [step.index for step in place.steps if not isinstance(step, Member)]
    known = [index for index in indices if index is not None and not index.wraps]
    linear = len(known) == len(indices) and all(index.split((variable,)) is not None for index in known)
    return (place, known) if linear else None


def along(place: Place, indices: Sequence[Polynomial], variable: Entity, kind: Type) -> tuple[object, ...] | None:
    """Something that is equal for accesses to the same row, of whose elements the iterations take one after the other.

    None if there is no such row, or its elements have a type whose size no transfer has. The caller knows structures.
    """
    sized = isinstance(kind, Record) or (isinstance(kind, Integer | Floating) and kind.size in _SIZES)
    if not sized or Member in map(type, place.steps):
        return None
    *before, last = [split[0] for index in indices if (split := index.split((variable,))) is not None]
    ones = last.get(variable)
    if ones is None or ones.constant != 1 or any(before):
        return None
    return (place.root, *(frozenset(index.terms.items()) for index in indices))


def _row(
    facts: Facts, head: CanonicalLoop, access: Access, everywhere: Collection[Entity], own: Collection[Entity]
) -> tuple[object, ...] | None:
    """Something that is equal for accesses to the same row, () if threads access the same or neighbouring elements, and
    None for anything else."""
    found = row_of(facts, head.symbol, access)
    if found is None or isinstance(found[0].steps[-1], Member):
        return None
    place, indices = found
    if is_same(place, indices, head.symbol, everywhere):
        return ()
    near = indices[-1].split(tuple(own)) if place.root in everywhere else None
    if near is not None and len(indices) == 1 and near[0]:
        distances = [factor.constant for factor in near[0].values()]
        if all(d is not None and abs(d) <= _NEAR for d in distances) and near[1].atoms <= {*everywhere, head.symbol}:
            return ()
    return along(place, indices, head.symbol, access.place.type)


def is_same(place: Place, indices: Sequence[Polynomial], variable: Entity, everywhere: Collection[Entity]) -> bool:
    """Whether an iteration over ``variable`` comes to one element in all threads, which have the same values of the
    variables ``everywhere``."""
    mentioned: set[object] = {place.root}.union(*(index.atoms for index in indices)) - {variable}
    return all(isinstance(atom, Entity) and atom in everywhere for atom in mentioned)
