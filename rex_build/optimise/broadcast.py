"""Finds inner loops of which all threads read the same rows, one element after the other.

In ``for (i …) { for (j …) sum += weight[j] * f(x[i], x[j]); … }`` only ``i`` is distributed, and a load of ``x[j]`` or
``weight[j]`` is the same for all threads of a warp. Such loads come one at a time, and few threads of a multiprocessor
are enough to wait for them. ``include/cuda/rex_rows.h`` has the warp bring pieces of the rows to shared memory,
ahead of the loop, from where a thread takes many elements with one access.

An element may be a structure of numbers, of which iterations read members.

The rows are read ahead. So nothing may write that memory while the kernel runs, and every iteration of the loop must
read its elements. All threads of a warp have to come to the loop, with the same bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from ..base.records import replace
from ..plan.constructs import Entity
from ..plan.optimised import StagedLoop, StagedRow
from ..tree import nodes as tree
from ..tree.affine import Facts, Place
from ..tree.symbols import Variable
from ..tree.types import Floating, Integer, Member, Pointer, Record
from .accesses import Access, Accesses
from .changes import changes_of
from .obstacle import Obstacle, ObstacleError
from .side import Side
from .stage import along, check_body, counted_rows, first_loops, is_same, row_of
from .surroundings import Counted, Region, as_written, in_both
from .walk import always_evaluated, fixed

NO_SAME_ROWS = "no inner loop reads rows that are the same for all threads"
LEAST_TRIPS = 32  # of a loop whose length is known: fewer iterations are not worth while
_SIZES = (8, 12, 16)  # bytes of a structure
_LEAST = 4  # bytes to whose multiple it is aligned
_MOST = 5  # rows of a kernel: as many as shared memory has room for


def with_(loops: tuple[StagedLoop, ...], others: tuple[StagedLoop, ...]) -> tuple[StagedLoop, ...]:
    """What holds for two instantiations of a template. Raises ObstacleError if one text does not serve both."""
    heads = ([replace(one, head=as_written(one.head)) for one in of] for of in (loops, others))
    if next(heads) != next(heads):
        raise ObstacleError(Obstacle.DIFFER)
    return tuple(replace(a, head=in_both(a.head, b.head)) for a, b in zip(loops, others, strict=True))


def broadcast(
    side: Side, region: Region, own: Collection[Entity], body: tree.Statement, found: Accesses
) -> tuple[StagedLoop, ...]:
    """The loops of an iteration for which warps may bring rows, if memory does not overlap. Threads have ``own``
    variables. Raises ObstacleError if there are none."""
    check_body(region, body)
    written = {access.place for access in found.items if access.root in found.written}
    changes = changes_of(body)
    varied = {*changes.variables, *changes.declared}
    same = (fixed(body) | {*region.memory}).difference(own, (v.entity for v in varied))
    loops: list[StagedLoop] = []
    why = ObstacleError(NO_SAME_ROWS)
    for loop in first_loops(body):
        try:
            counted = counted_rows(region, body, loop, found, written)
            _check_bounds(counted, loop, same, varied)
            rows = tuple(_rows(side, region, loop, counted, found, same))
        except ObstacleError as problem:
            why = problem
            continue
        if rows and sum(len(one.rows) for one in loops) + len(rows) <= _MOST:
            code = side.text().loop(loop)
            loops.append(StagedLoop(code.loop, counted.head, code.body, rows, apart=False, same=True))
    if not loops:
        raise why
    return tuple(loops)


def _check_bounds(counted: Counted, loop: tree.Loop, same: Collection[Entity], varied: Collection[Variable]) -> None:
    name, trips = counted.symbol.name, counted.head.trips
    if trips is not None and trips < LEAST_TRIPS:
        raise ObstacleError(f"the loop over '{name}' is short", loop)
    named = (n.variable for part in counted.parts for n in tree.walk(part) if isinstance(n, tree.Named))
    if not all(v.entity in same if v.entity is not None else v not in varied for v in named):
        raise ObstacleError(f"the loop over '{name}' may have other bounds for each thread", loop)


def _rows(
    side: Side, region: Region, loop: tree.Loop, counted: Counted, found: Accesses, same: Collection[Entity]
) -> Sequence[StagedRow]:
    """The rows of a loop. Raises ObstacleError if iterations access anything else: a warp waits for that anyway."""
    inside, always, variable = {*tree.walk(loop.body)}, {*always_evaluated(loop.body)}, counted.symbol
    names, changes = _names(loop.body), changes_of(loop.body)
    moved = {*changes.variables, *changes.declared}
    always |= {*names.values()}
    stays = fixed(loop.body)
    of_thread, of_all = (Facts(v, v, (variable,), lambda _: None, (), {}, region.members) for v in (stays, same))
    rows: dict[object, list[Access]] = {}
    for access in (_whole(a, names) for a in found.items if a.node in inside):
        place = of_thread.place(access.place) if access.node is access.place else None
        pointer = _through(access.place) if access.node is access.place else None
        if (place is not None and variable not in _atoms(place)) or not (pointer is None or pointer in moved):
            continue  # one element
        key = _row(of_all, variable, access, same)
        if key is None or access.writes or access.atomic or access.root in found.written:
            raise ObstacleError(f"what iterations over '{variable.name}' access is not all the same", access.node)
        rows.setdefault(key, []).append(access)
    made = [_made(side, one) for one in rows.values() if not always.isdisjoint(access.node for access in one)]
    return [row for row in made if row is not None]


def _atoms(place: Place) -> set[object]:
    """What subscripts on the way to a place are made of, None if one is not known."""
    indices = (step.index for step in place.steps if not isinstance(step, Member))
    return {atom for index in indices for atom in (index.atoms if index is not None else [None])}


def _whole(access: Access, names: Mapping[Variable, tree.Pointee]) -> Access:
    """The access to the structure that is an element of an array, in place of one to its part."""
    place = _around(access.place)
    variable = _through(place)
    place = names.get(variable, place) if variable is not None else place
    found = access.node is access.place and isinstance(place, tree.Pointee) and isinstance(place.type, Record)
    return replace(access, node=place, place=place) if found else access


def _around(place: tree.Place) -> tree.Place:
    """The object of which a place is a part, at most by way of members."""
    while isinstance(place, tree.Part):
        place = place.whole
    return place


def _through(place: tree.Place) -> Variable | None:
    """The pointer or reference to a whole place."""
    pointer = place.pointer if isinstance(place, tree.Pointee) else None
    named = pointer.place if isinstance(pointer, tree.Load) else None
    return named.variable if isinstance(named, tree.Named) else None


def _names(body: tree.Statement) -> dict[Variable, tree.Pointee]:
    """The places to which references and pointers lead that an iteration declares, if only members are read by them."""
    found: dict[Variable, tree.Pointee] = {}
    for node in always_evaluated(body):
        kind = node.variable.type if isinstance(node, tree.Declare) else None
        if not isinstance(node, tree.Declare) or not isinstance(kind, Pointer) or not isinstance(kind.to, Record):
            continue
        value = node.initialiser
        while isinstance(value, tree.Convert):
            value = value.value
        if kind.to.const and isinstance(value, tree.AddressOf) and isinstance(value.place, tree.Pointee):
            found[node.variable] = value.place
        elif kind.to.const and kind.reference and isinstance(value, tree.Offset):
            found[node.variable] = tree.Pointee(kind.to, value, origin=node.origin)
    mentions = Counter(node.variable for node in tree.parts(body, tree.Named))
    for load in tree.parts(body, tree.Load):
        place = _around(load.place)
        variable = _through(place)
        if variable in found and place is not load.place:
            mentions[variable] -= 1
    return {variable: place for variable, place in found.items() if not mentions[variable]}


def _is_moved(kind: Record) -> bool:
    """Whether a transfer has the size of a structure, and it has only numbers in it, which have no better place."""
    return (
        not kind.info.union
        and kind.size in _SIZES
        and kind.info.alignment >= _LEAST
        and all(isinstance(m.type, Integer | Floating) and m.bits is None for m in kind.info.members)
        and not any(m.type.volatile or m.type.atomic for m in kind.info.members)
    )


def _made(side: Side, accesses: Sequence[Access]) -> StagedRow | None:
    """The row of these accesses, or None if it has no type or no text that serves all of them."""
    first, text = accesses[0], side.text()
    is_record = isinstance(first.place.type, Record)
    kind = text.record(first) if is_record else text.type(first, True)
    accesses = list({access.place: access for access in accesses}.values())
    uses = tuple(use for a in accesses if (use := text.element(a)) is not None)
    aligned = is_record or all(side.is_aligned(a.place) for a in accesses)
    if kind is None or len(uses) < len(accesses) or not aligned:
        return None
    return StagedRow(first.root, kind, uses[0], uses, written=False)


def _row(facts: Facts, variable: Entity, access: Access, same: Collection[Entity]) -> object | None:
    """Something that is equal for accesses to the same row, or None if there is none."""
    found, kind = row_of(facts, variable, access), access.place.type
    if found is None or not is_same(*found, variable, same) or (isinstance(kind, Record) and not _is_moved(kind)):
        return None
    return along(*found, variable, kind)
