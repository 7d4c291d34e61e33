"""Finds rows that each thread walks along by itself, as in ``for (k = first[i]; k < first[i + 1]; ++k) … value[k] …``.

Neighbouring threads are in different cache lines then. A multiprocessor that runs as many threads as it can has more of
these lines in use than its cache has room for, and loads each line many times. Fewer threads at a time are faster,
though each of them runs several iterations. Where rows are short, neighbours share their lines, so the host looks how
long they are (``walking`` in plan/launch_policy.py). This changes the shape of a launch and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pycparser import c_ast

from ....openmp.canonical import NotCanonicalError, canonical
from ....optimise.accesses import Access, Accesses
from ....plan.code import Entity
from ....plan.loops import CanonicalLoop, LoopNest
from ....tree.types import Member
from ...reading.statements import reader_of
from ...sema import walk
from ...sema.ctype import Array, Pointer, strip
from ..loops import planned
from .affine import Values
from .stage import always_evaluated, first_loops, fixed
from .surroundings import Surroundings

_NEAR = 8  # neighbours whose elements are no farther apart are in the same line


def walked(region: Surroundings, nest: LoopNest, found: Accesses) -> tuple[Entity, ...]:
    """The memory of the rows that a loop in an iteration of ``nest`` walks along: one entity for each row, of the loop
    with the most rows."""
    everywhere = (fixed(region, nest.body) | {*region.memory}) - {lv.symbol for lv in nest.levels}
    rows = (_rows(region, nest, loop, found, everywhere) for loop in _all_loops(nest.body))
    return max(rows, key=len, default=())


def _all_loops(body: c_ast.Node) -> Iterator[c_ast.For]:
    """The loops to which every iteration comes."""
    for loop in first_loops(body):
        yield loop
        yield from _all_loops(loop.stmt)


def _rows(
    region: Surroundings, nest: LoopNest, loop: c_ast.For, found: Accesses, everywhere: Collection[Entity]
) -> tuple[Entity, ...]:
    sema = region.sema
    inside = set(always_evaluated(loop.stmt))
    reads = [a for a in found.items if a.reads and not a.atomic and a.node in inside]
    if not reads:
        return ()
    try:
        head = planned(region.unit, sema, canonical(reader_of(sema).loop(loop)))
    except NotCanonicalError:
        return ()
    if head.step_value not in (1, -1):
        return ()
    stays = fixed(region, loop.stmt)
    kept = {s for s in stays if not isinstance(strip(s.type), (Pointer, Array)) or s in region.memory}
    values = Values(sema, stays, kept - found.written, (head.symbol,), {}, (), region.members, {})
    begins = {sema.symbol(n) for n in walk(head.lower) if isinstance(n, c_ast.ID)} - {None}
    own = {lv.symbol for lv in nest.levels}
    apart = not begins <= {*everywhere} or any(a.node in set(walk(head.lower)) for a in found.items)
    rows = {key: access.root for access in reads if (key := _row(values, head, access, everywhere, own, apart))}
    return tuple(rows.values())


def _row(
    values: Values,
    head: CanonicalLoop,
    access: Access,
    everywhere: Collection[Entity],
    own: Collection[Entity],
    apart: bool,
) -> tuple[object, ...]:
    """Something that is equal for accesses to one row, or () if threads do not walk. With ``apart`` the loop begins
    somewhere else in each thread."""
    place = values.place(access.node)
    indices = [s.index for s in place.steps if not isinstance(s, Member)] if place is not None else []
    last = indices[-1] if indices else None
    split = last.split((head.symbol,)) if last is not None else None
    if split is None or head.symbol not in split[0] or abs(split[0][head.symbol].constant or 0) != 1:
        return ()
    rest = split[1]
    near = rest.split(tuple(own))
    distances = [f.constant for f in near[0].values()] if near is not None else []
    same = near is not None and near[1].atoms <= {*everywhere} and not apart
    if same and all(distance is not None and abs(distance) <= _NEAR for distance in distances):
        return ()  # the same for all threads, or next to each other
    return (access.root, *(frozenset(i.terms.items()) for i in indices if i is not None))
