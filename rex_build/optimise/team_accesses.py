"""What the threads of a team access, and between which of these accesses they have to wait for each other.

The variables of a team that no pointer leads to are told apart by their names. All other memory counts as one place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from ..base.exhaustive import assert_never
from ..plan.constructs import Code, DeviceConstruct, Entity, Over, Schedule
from ..tree import nodes as tree
from ..tree.calls import Calls, UnknownError, followed_and_lent
from ..tree.flow import effects_of
from ..tree.symbols import Variable, entity_of
from ..tree.types import Array, Pointer
from .obstacle import ObstacleError

# All threads read, the first thread reads or writes, and the threads of a parallel region read or write.
READ, FIRST_READ, WROTE, REGION_READ, REGION_WROTE = "read", "first read", "wrote", "region read", "region wrote"
_AFTER = {  # the accesses to the same place before which each of these needs a barrier
    READ: frozenset((WROTE, REGION_WROTE)),
    FIRST_READ: frozenset((REGION_WROTE,)),
    WROTE: frozenset((READ, REGION_READ, REGION_WROTE)),
    REGION_READ: frozenset((WROTE, REGION_WROTE)),
    REGION_WROTE: frozenset((READ, FIRST_READ, WROTE, REGION_READ, REGION_WROTE)),
}


class Numbering(NamedTuple):
    """The loop variable's values in a parallel loop: its iterations go to the threads one after the other."""

    first: int
    step: int


class Act(NamedTuple):
    """An access to the variable ``place``, or to other memory if it is None.

    With ``own``, iterations of a parallel loop access only the element that has the loop variable's value as its index.
    In loops of the same numbering, the same thread then accesses the same element.
    """

    kind: str
    place: Entity | None = None
    own: Numbering | None = None


def needs_barrier(before: Collection[Act], then: Collection[Act]) -> bool:
    """Whether threads that have made accesses since their last barrier need one for the next accesses."""
    return any(
        old.kind in _AFTER[new.kind] and old.place is new.place and (old.own is None or old.own != new.own)
        for new in then
        for old in before
    )


class TeamPlaces:
    """Where the accesses of a region go.

    Of the variables in ``own`` every thread has a copy. Those in ``apart`` are the team's, and no pointer leads to
    them. Of ``references`` from outside the region, the kernel has what they refer to in their place.
    """

    def __init__(
        self, calls: Calls, own: set[Entity], apart: Collection[Entity], references: Collection[Variable]
    ) -> None:
        self.calls, self.own, self.apart, self.references = calls, own, frozenset(apart), references

    def places(self, place: tree.Place) -> set[Entity | None]:
        """The places, of those that are not a thread's own, that a place of the tree may be in."""
        return {one if one in self.apart else None for one in self.roots(place) if one is None or one not in self.own}

    def is_own(self, place: tree.Place) -> bool:
        """Whether a place is part of a variable of which every thread has its own."""
        roots = self.roots(place)
        own = {one is not None and one in self.own for one in roots}
        if len(own) > 1:
            raise ObstacleError("a pointer to a variable of a thread or to other memory", place)
        return own == {True}

    def roots(self, place: tree.Place) -> set[Entity | None]:
        """The variables that a place may be part of. None is where an unknown pointer leads."""
        match place:
            case tree.Named(variable=variable) | tree.Temporary(variable=variable):
                return {entity_of(variable)}
            case tree.Part():
                return self.roots(place.whole)
            case tree.Pointee():
                return self._led(place.pointer)
            case tree.Opaque():
                raise ObstacleError(place.why, place)
            case _:
                return assert_never(place)

    def _led(self, pointer: tree.Expression) -> set[Entity | None]:
        match pointer:
            case tree.AddressOf(place=place) | tree.Decay(array=place):
                return self.roots(place)
            case tree.Offset():
                return self._led(pointer.pointer)
            case tree.Convert() if isinstance(pointer.value.type, Pointer):
                return self._led(pointer.value)
            case tree.Conditional():
                return self._led(pointer.then) | self._led(pointer.otherwise)
            case tree.Load(place=tree.Named(variable=variable)) if variable in self.references:
                return {entity_of(variable)}
            case tree.Call():
                try:
                    effect = self.calls.of(pointer)
                except UnknownError as problem:
                    raise ObstacleError(str(problem), pointer) from None
                found: set[Entity | None] = set()
                for number in effect.result:
                    found |= self.given(pointer, number)
                return found
        return {None}

    def given(self, call: tree.Call, number: int | None) -> set[Entity | None]:
        """The variables to which an argument of a call may lead."""
        place = number - call.constructs if number is not None else -1
        return self._led(call.arguments[place]) if 0 <= place < len(call.arguments) else {None}

    def lent(
        self, parts: Sequence[tree.Node], inside: Mapping[tree.Node, Collection[Entity]]
    ) -> tuple[dict[Entity, tree.Node], set[Entity]]:
        """(the variables whose addresses ``parts`` of the tree take, with a place; those of which only calls get them)

        The calls keep no address, and if they return it, an access follows. With the parts ``inside`` of parallel
        regions come the variables that have copies there, which are other variables.
        """
        followed, lent = followed_and_lent(parts, self.calls)
        taken: dict[Entity, tree.Node] = {}
        stays: dict[Entity, bool] = {}
        for part in parts:
            if isinstance(part, tree.AddressOf | tree.Decay) and part not in followed:
                for root in self.roots(part.place if isinstance(part, tree.AddressOf) else part.array):
                    if root is not None and root not in inside.get(part, ()):
                        taken.setdefault(root, part)
                        stays[root] = stays.get(root, True) and part in lent
        return taken, {root for root, is_lent in stays.items() if is_lent}

    # -- parallel regions -------------------------------------------------------------------------------------------

    def of_region(
        self,
        node: tree.Construct,
        construct: DeviceConstruct,
        body: tree.Statement,
        private: set[Entity],
        constant: Callable[[Code], int | None],
    ) -> frozenset[Act]:
        """The accesses of a parallel region, whose threads have ``private`` variables of their own."""
        found = effects_of(node)
        changed: set[Entity | None] = set()
        reads = writes = any(isinstance(part, tree.StatementValue | tree.Construct) for part in tree.walk(body))
        for access in found.accesses:
            for root in self.roots(access.place):
                changed |= {root} if access.writes else set()
                if root is None or (root not in self.apart and root not in private):
                    reads = reads or (access.reads and (root is None or root not in self.own))
                    writes = writes or access.writes
        for call in found.calls:
            try:
                effect = self.calls.of(call)
            except UnknownError:
                reads = writes = True
            else:
                read = {root for number in effect.reads for root in self.given(call, number)}
                written = {root for number in effect.writes for root in self.given(call, number)}
                writes = writes or any(root is None or root not in private | self.apart for root in written)
                reads = reads or any(root is None or root not in self.own | self.apart for root in read)
                changed |= written
        named = {entity_of(part.variable) for part in tree.walk(node) if isinstance(part, tree.Named)}
        mentioned = named.union(map(entity_of, node.variables), construct.sharing.named)
        changed.update(construct.sharing.returned)
        acts = set()
        for place in self.apart & mentioned:
            own = self._numbering(construct, body, place, constant)
            acts.add(Act(REGION_READ, place, own))
            if place in changed:
                acts.add(Act(REGION_WROTE, place, own))
        combined = {r.symbol for r in construct.sharing.reductions if r.count}
        writes = writes or not self.apart.issuperset(combined.union(construct.sharing.lastprivate))
        acts |= {Act(REGION_READ)} if reads else set()
        acts |= {Act(REGION_WROTE)} if writes else set()
        return frozenset(acts)

    @staticmethod
    def _numbering(
        construct: DeviceConstruct, body: tree.Statement, place: Entity, constant: Callable[[Code], int | None]
    ) -> Numbering | None:
        """The numbering of a loop whose iterations access only their own elements of an array."""
        nest = construct.nest
        if nest is None or len(nest.levels) != 1 or nest.inner or construct.schedule != Schedule(Over.TEAM):
            return None
        level = nest.levels[0]
        first = constant(level.lower)
        if first is None or level.step_value is None or place in construct.sharing.named:
            return None
        parts = list(tree.walk(body))
        uses = {n for n in parts if isinstance(n, tree.Named) and entity_of(n.variable) is place}
        for part in parts:
            match part:
                case tree.Pointee(
                    pointer=tree.Offset(
                        pointer=tree.Decay(array=tree.Named() as array),
                        index=tree.Load(place=tree.Named(variable=index)),
                        backward=False,
                    )
                ) if entity_of(index) is level.symbol and not isinstance(part.type, Array):
                    uses.discard(array)
        return None if uses else Numbering(first, level.step_value if level.increasing else -level.step_value)
