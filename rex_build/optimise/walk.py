"""Finds along which loops neighbouring iterations access neighbouring elements, and rows that each thread walks along
by itself, as in ``for (k = first[i]; k < first[i + 1]; ++k) … value[k] …``.

Neighbouring threads are in different cache lines then. A multiprocessor that runs as many threads as it can has more of
these lines in use than its cache has room for, and loads each line many times. Fewer threads at a time are faster,
though each of them runs several iterations. Where rows are short, neighbours share their lines, so the host looks how
long they are (``walking`` in plan/launch_policy.py). This changes the shape of a launch and nothing else: what is not
found costs time only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from ..base.records import dataclass, replace
from ..openmp.canonical import NotCanonicalError, canonical
from ..openmp.regions import Planned
from ..plan.constructs import CanonicalLoop, Entity
from ..plan.host_expression import Variable as HostVariable
from ..plan.launch_policy import LONG_ROW, WALKING_THREADS
from ..plan.optimised import Reason, Tiles, Walks
from ..plan.rows import Map, Role
from ..tree import nodes as tree
from ..tree.affine import Facts, Place, Polynomial, Subscript
from ..tree.symbols import Storage, Variable
from ..tree.types import Array, Pointer
from ..tree.values import named_in
from .accesses import Access, Members, members_of
from .carried import single_values
from .changes import changes_of
from .dependence import place_of
from .narrow import is_straight
from .obstacle import Decisions, listed, not_walked
from .surroundings import Region

_FAR = 8  # elements: these are no longer in the same part of a cache line
_NEAR = 8  # neighbours whose elements are no farther apart are in the same line


def fastest(facts: Facts, accesses: Sequence[Access], variables: Sequence[Entity]) -> Entity:
    """The loop variable along which most accesses are to neighbouring elements: its loop becomes the innermost."""
    votes = dict.fromkeys(variables, 0)
    for factors, _ in _factors(facts, accesses, variables):
        for variable, factor in factors.items():
            votes[variable] += factor.constant in (1, -1)
    most = max(votes.values())
    return [v for v in variables if votes[v] == most][-1]


def crossed(facts: Facts, accesses: Sequence[Access], levels: Sequence[CanonicalLoop]) -> bool:
    """Whether neighbours along the last loop access neighbouring elements at one place and elements that lie far apart
    at another, where neighbours along the loop before do so: a transposition."""
    return _neighbours(facts, accesses, levels) == (True, True)


def _neighbours(facts: Facts, accesses: Sequence[Access], levels: Sequence[CanonicalLoop]) -> tuple[bool, bool]:
    """Whether neighbouring elements are accessed at some place (along the last loop, along the loop before, where the
    last loop's neighbours lie far apart)."""
    if len(levels) < 2 or any(level.step_value not in (1, -1) for level in levels[-2:]):
        return False, False
    row, column = (level.symbol for level in levels[-2:])
    along = across = False
    for factors, outer in _factors(facts, [a for a in accesses if (a.place.type.size or 0) >= 4], (row, column)):
        near = {variable for variable, factor in factors.items() if factor.constant in (1, -1)} - outer
        far = outer | {v for v, f in factors.items() if f.constant is None or abs(f.constant) >= _FAR}
        along = along or (column in near and row not in near)
        across = across or (row in near and column in far)
    return along, across


def tiles_of(around: Region, region: Planned, body: tree.Statement, accesses: Sequence[Access]) -> Tiles:
    """The tiles for an iteration of collapsed loops. Bodies with loops inside have wide ones."""
    assert region.nest is not None
    levels = region.nest.levels
    if not is_straight(body):
        return Tiles.WIDE
    changes, (single, settled) = changes_of(body), single_values(around, [body, body])
    changing = {variable.entity for variable in {*changes.variables, *changes.declared}}
    counters = [level.symbol for level in levels]
    stays = ({*around.memory, *around.own} - changing).union(counters)
    written = {access.root for access in accesses if access.writes}
    same = {variable: level.symbol for level in levels for variable in level.same}
    facts = Facts(stays, stays - written, counters, single.get, settled, same, around.members)
    along, across = _neighbours(facts, accesses, levels)
    if not across:
        return Tiles.WIDE
    return Tiles.NARROW if along or len(levels) > 2 else Tiles.TURNED


def _factors(
    facts: Facts, accesses: Sequence[Access], variables: Sequence[Entity]
) -> list[tuple[dict[Entity, Polynomial], set[Entity]]]:
    """For each access whose place is known: (the factors of variables in the last subscript, those in others)"""
    every, found = replace(facts, moving=variables), []
    for access in accesses:
        place = place_of(every, access)
        indices = [s.index for s in place.steps if isinstance(s, Subscript)] if place is not None else []
        split = indices[-1].split(variables) if indices and indices[-1] is not None else None
        if split is not None:
            outer = {atom for index in indices[:-1] if index is not None for atom in index.atoms}
            found.append((split[0], {variable for variable in variables if variable in outer}))
    return found


def walks(
    decisions: Decisions, region: Planned, bodies: Iterable[tree.Statement], memory: Collection[Entity]
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
    own, of_object = {level.symbol for level in nest.levels}, dict[str, Variable]()
    found: tuple[Entity, ...] = ()
    if body is not None and any(_all_loops(body)):
        everywhere = (fixed(body) | {*memory}) - own
        around = _Around(body, memory, own, everywhere, members_of(region.captures), of_object)
        found = max(map(around.rows, _all_loops(body)), key=len)
    parameters = {root: region.mapping.parameter(Role.VARIABLE, root) for root in found}
    rows = {root: region.mapping.rows[p.row] for root, p in parameters.items() if p is not None}
    pointers = []
    for root in found:
        if root in rows and not rows[root].flags & Map.LITERAL and not rows[root].loops:
            pointers.append(rows[root].pointer)
        elif root in of_object.values():
            pointers.append(HostVariable(root.name))
    enough = len(pointers) > 1
    decisions.decide("walk", f"{Reason.WALKS}: {listed(set(found))}", None if enough else Reason.NO_ROWS)
    return Walks(tuple(pointers), LONG_ROW, WALKING_THREADS) if enough else None


def _all_loops(body: tree.Statement) -> Iterator[tree.Loop]:
    """The loops to which every iteration comes."""
    stack: list[tree.Statement] = [body]
    while stack:
        match stack.pop():
            case tree.Block(statements=statements):
                stack += reversed(statements)
            case tree.Construct(body=inner) if inner is not None:
                stack.append(inner)
            case tree.Loop() as loop:
                yield loop
                stack.append(loop.body)


def fixed(body: tree.Statement) -> set[Entity]:
    """The variables that a statement mentions but neither changes nor declares."""
    changes = changes_of(body)
    return {v.entity for v in named_in(body) - changes.variables.keys() - changes.declared if v.entity is not None}


def always_evaluated(node: tree.Node) -> Iterator[tree.Node]:
    """The parts of a statement that are evaluated whenever it runs."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        match node:
            case tree.Loop() | tree.Switch() | tree.Construct():
                pass
            case tree.ShortCircuit():
                stack.append(node.left)
            case tree.If() | tree.Conditional():
                stack.append(node.condition)
            case _:
                stack += reversed(tree.children(node))


@dataclass(frozen=True)
class _Around:
    """The body of an iteration, the memory that threads share, the variables that count, what is the same
    ``everywhere``, pointers in structures by value, and pointers that the object of a method has, by their names."""

    body: tree.Statement
    memory: Collection[Entity]
    own: Collection[Entity]
    everywhere: Collection[Entity]
    members: Members
    of_object: dict[str, Variable]

    def rows(self, loop: tree.Loop) -> tuple[Entity, ...]:
        """The memory of the rows that a loop walks along, one entity for each row."""
        try:
            level = canonical(loop)
        except NotCanonicalError:
            return ()
        if level.step_value not in (1, -1):
            return ()
        stays = fixed(loop.body)
        pointers = {v.entity for v in named_in(loop.body) if isinstance(v.type, Pointer | Array)}
        kept = {s for s in stays if s not in pointers or s in self.memory} - self.written
        values = self._facts(stays, kept, level.symbol)
        begins = {v.entity for v in named_in(level.lower)} - {None}
        reads_memory = any(isinstance(node, tree.Pointee) for node in tree.walk(level.lower))
        apart = reads_memory or not begins <= {*self.everywhere}
        found: dict[tuple[object, ...], Entity] = {}
        for node in always_evaluated(loop.body):
            place = values.place(node.place) if isinstance(node, tree.Load | tree.Update) else None
            if place is not None and (place.root in self.memory or place.root in self.of_object.values()):
                key = self._row(level.symbol, place, apart)
                found.update({key: place.root} if key else {})
        return tuple(found.values())

    def _facts(self, stays: Collection[Entity], kept: Collection[Entity], *counter: Entity) -> Facts:
        return Facts(stays, kept, counter, lambda _: None, (), {}, self.members, self._of_object)

    def _of_object(self, pointer: tree.Load) -> Entity | None:
        """What stands for a pointer that the object of a method has."""
        match pointer.place:
            case tree.Part(member=member, whole=tree.Pointee(pointer=tree.Load(place=tree.Named(variable=this)))):
                if this.name == "this":
                    made = Variable(member.name, pointer.type, Storage.GLOBAL, None)
                    return self.of_object.setdefault(member.name, made)
        return None

    @cached_property
    def written(self) -> set[Entity]:
        """The variables to whose memory an iteration writes."""
        facts = self._facts(self.everywhere, ())
        stores = (node.place for node in tree.walk(self.body) if isinstance(node, tree.Store | tree.Update))
        return {place.root for one in stores if (place := facts.place(one)) is not None}

    def _row(self, counter: Entity, place: Place, apart: bool) -> tuple[object, ...]:
        """Something that is equal for accesses to one row, or () if threads do not walk. With ``apart`` the loop begins
        somewhere else in each thread."""
        indices = [step.index for step in place.steps if isinstance(step, Subscript)]
        last = indices[-1] if indices else None
        split = last.split((counter,)) if last is not None else None
        if split is None or counter not in split[0] or abs(split[0][counter].constant or 0) != 1:
            return ()
        near = split[1].split(tuple(self.own))
        distances = [f.constant for f in near[0].values()] if near is not None else []
        same = near is not None and near[1].atoms <= {*self.everywhere} and not apart
        if same and all(distance is not None and abs(distance) <= _NEAR for distance in distances):
            return ()  # the same for all threads, or next to each other
        return (place.root, *(frozenset(i.terms.items()) for i in indices if i is not None))
