"""Finds rows that each thread walks along by itself, as in ``for (k = first[i]; k < first[i + 1]; ++k) … value[k] …``.

Neighbouring threads are in different cache lines then. A multiprocessor that runs as many threads as it can has more of
these lines in use than its cache has room for, and loads each line many times. Fewer threads at a time are faster,
though each of them runs several iterations. Where rows are short, neighbours share their lines, so the host looks how
long they are (``walking`` in plan/launch_policy.py). This changes the shape of a launch and nothing else: what is not
found costs time only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress

from ..base.records import dataclass
from ..openmp.canonical import NotCanonicalError, canonical
from ..openmp.regions import Planned
from ..plan.code import Entity
from ..plan.launch_policy import LONG_ROW, WALKING_THREADS
from ..plan.optimised import NO_ROWS, WALKS, Walks
from ..plan.rows import MAP_LITERAL, Role
from ..tree import nodes as tree
from ..tree.affine import Facts, Subscript
from ..tree.symbols import Variable
from ..tree.types import Array, Pointer
from .accesses import Access, Accesses, Members, members_of
from .changes import changes_of
from .decisions import Decisions, listed
from .obstacle import ObstacleError
from .planned import not_walked

_NEAR = 8  # neighbours whose elements are no farther apart are in the same line


def walks(
    decisions: Decisions,
    region: Planned,
    bodies: Iterable[tree.Statement],
    memory: Collection[Entity],
    accesses: Callable[[tree.Statement], Accesses],
) -> Walks | None:
    """Decide whether fewer threads run at a time where each walks along several long rows of its own.

    ``bodies`` are an iteration in each instantiation, of which the first one is looked at.
    """
    nest = region.nest
    obstacle = not_walked(region)
    if obstacle is not None or nest is None or "walk" in decisions.off:
        decisions.refuse(["walk"], obstacle or "no loop")
        return None
    body = next(iter(bodies), None)
    own = {level.symbol for level in nest.levels}
    found: tuple[Entity, ...] = ()
    if body is not None and any(_all_loops(body)):
        with suppress(ObstacleError):
            around = _Around(accesses(body), memory, own, (_fixed(body) | {*memory}) - own, members_of(region.captures))
            found = max(map(around.rows, _all_loops(body)), key=len)
    parameters = (region.mapping.parameter(Role.VARIABLE, root) for root in found)
    rows = (region.mapping.rows[parameter.row] for parameter in parameters if parameter is not None)
    pointers = tuple(row.pointer for row in rows if not row.flags & MAP_LITERAL and not row.loops)
    enough = len(pointers) > 1
    decisions.decide("walk", f"{WALKS}: {listed(set(found))}", None if enough else NO_ROWS)
    return Walks(pointers, LONG_ROW, WALKING_THREADS) if enough else None


def _all_loops(body: tree.Statement) -> Iterator[tree.Loop]:
    """The loops to which every iteration comes."""
    match body:
        case tree.Block():
            for one in body.statements:
                yield from _all_loops(one)
        case tree.Construct(body=inner) if inner is not None:
            yield from _all_loops(inner)
        case tree.Loop():
            yield body
            yield from _all_loops(body.body)


def _fixed(body: tree.Statement) -> set[Entity]:
    """The variables that a statement mentions but neither changes nor declares."""
    changes = changes_of(body)
    return {v.entity for v in _variables(body) - changes.variables.keys() - changes.declared if v.entity is not None}


def _always_evaluated(node: tree.Node) -> Iterator[tree.Node]:
    """The parts of a statement that are evaluated whenever it runs."""
    yield node
    match node:
        case tree.Loop() | tree.Switch():
            return
        case tree.ShortCircuit():
            yield from _always_evaluated(node.left)
        case tree.If() | tree.Conditional():
            yield from _always_evaluated(node.condition)
        case _:
            for child in tree.children(node):
                yield from _always_evaluated(child)


@dataclass(frozen=True)
class _Around:
    """What an iteration accesses, the memory that threads share, the variables that count, what is the same
    ``everywhere``, and pointers in structures by value."""

    found: Accesses
    memory: Collection[Entity]
    own: Collection[Entity]
    everywhere: Collection[Entity]
    members: Members

    def rows(self, loop: tree.Loop) -> tuple[Entity, ...]:
        """The memory of the rows that a loop walks along, one entity for each row."""
        inside = set(_always_evaluated(loop.body))
        reads = [a for a in self.found.items if a.reads and not a.atomic and a.node in inside]
        try:
            level = canonical(loop) if reads else None
        except NotCanonicalError:
            return ()
        if level is None or level.step_value not in (1, -1):
            return ()
        stays = _fixed(loop.body)
        pointers = {v.entity for v in _variables(loop.body) if isinstance(v.type, Pointer | Array)}
        kept = {s for s in stays if s not in pointers or s in self.memory} - self.found.written
        values = Facts(stays, kept, (level.symbol,), lambda _: None, (), {}, self.members)
        begins = {v.entity for v in _variables(level.lower)} - {None}
        lower = set(tree.walk(level.lower))
        apart = not begins <= {*self.everywhere} or any(a.node in lower for a in self.found.items)
        rows = {key: access.root for access in reads if (key := self._row(values, level.symbol, access, apart))}
        return tuple(rows.values())

    def _row(self, values: Facts, counter: Entity, access: Access, apart: bool) -> tuple[object, ...]:
        """Something that is equal for accesses to one row, or () if threads do not walk. With ``apart`` the loop begins
        somewhere else in each thread."""
        place = values.place(access.node) if not isinstance(access.node, tree.Call) else None
        indices = [s.index for s in place.steps if isinstance(s, Subscript)] if place is not None else []
        last = indices[-1] if indices else None
        split = last.split((counter,)) if last is not None else None
        if split is None or counter not in split[0] or abs(split[0][counter].constant or 0) != 1:
            return ()
        near = split[1].split(tuple(self.own))
        distances = [f.constant for f in near[0].values()] if near is not None else []
        same = near is not None and near[1].atoms <= {*self.everywhere} and not apart
        if same and all(distance is not None and abs(distance) <= _NEAR for distance in distances):
            return ()  # the same for all threads, or next to each other
        return (access.root, *(frozenset(i.terms.items()) for i in indices if i is not None))


def _variables(node: tree.Node) -> set[Variable]:
    return {part.variable for part in tree.walk(node) if isinstance(part, tree.Named)}
