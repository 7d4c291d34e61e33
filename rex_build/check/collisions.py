"""Elements that different iterations of a distributed loop use, found by trying some iterations.

Where subscripts have different factors, as with ``a[i]`` and ``a[n - 1 - i]``, or count with loops inside, as
``a[i + j]``, the first two iterations of each loop and its last one are tried. An element that two of these use shows
that there is a dependence, and no more is claimed.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Mapping, Sequence
from itertools import product

from ..base.records import dataclass
from ..openmp.canonical import Level
from ..tree import nodes as tree
from ..tree.affine import MINUS, Facts, Place, Polynomial, number
from ..tree.affine import atom as variable
from ..tree.types import Member
from .events import Use
from .extents import AllExtents

_MOST_USES = 16
_MOST_LOOPS = 4
_Point = tuple[tuple[str, Polynomial], ...]  # which value the variable of each loop has


@dataclass(frozen=True)
class Collision:
    """Two accesses, the first of which writes, and the iterations of the distributed loops in which they use one
    element. It may ``need`` that a loop in an iteration runs more than once."""

    uses: tuple[Use, Use]
    points: tuple[_Point, _Point]
    needs: Level | None

    def where(self, levels: Sequence[Level]) -> str:
        """The iterations, for a message."""
        if len(levels) > 1:
            return "in different iterations"
        ((first, at), (second, beside)) = self.points[0][0], self.points[1][0]
        if at.constant is None or beside.constant is None:
            return f"in the {first} iteration and in the {second} one"
        low, high = sorted((at.constant, beside.constant))
        return f"where '{levels[0].variable.name}' is {low} and where it is {high}"


def collision(
    extents: AllExtents,
    values: Facts,
    levels: Sequence[Level],
    body: tree.Node,
    placed: Sequence[tuple[Use, Place]],
) -> Collision | None:
    """Two accesses to one element in different iterations of the loops around ``body``, at least one of which writes.
    All are made in each iteration."""
    counters = {level.variable.key for level in levels}
    ways = {_way(place, counters, values) for _, place in placed} if levels else ()
    if not ways or (len(ways) == 1 and not any("more" in way for way in ways)):
        return None  # all go through the array in one way, so that only distances matter
    inner = {use: _loops_inside(extents, values, body, use) for use, _ in placed}
    seen: dict[Hashable, list[tuple[Use, _Point]]] = {}
    tried: dict[Level, list[tuple[str, Polynomial]]] = {}
    for use, place in placed[:_MOST_USES]:
        inside = inner[use]
        if inside is None or len(levels) + len(inside) > _MOST_LOOPS:
            continue
        loops = [*levels, *inside]
        for loop in loops:
            if loop not in tried:
                tried[loop] = _tried(values, loop)
        for point in product(*(tried[loop] for loop in loops)):
            given: dict[Hashable, Polynomial] = {
                loop.variable.key: value for loop, (_, value) in zip(loops, point, strict=True)
            }
            element = _element(place, given, values)
            if element is None:
                break
            for other, beside in seen.get(element, ()):
                if (use.writes or other.writes) and _are_different(point[: len(levels)], beside):
                    needs = _repeated(levels, inside, point) or _repeated(levels, inner[other] or (), beside)
                    if use.writes:
                        return Collision((use, other), (point, beside), needs)
                    return Collision((other, use), (beside, point), needs)
            seen.setdefault(element, []).append((use, point))
    return None


def _loops_inside(extents: AllExtents, values: Facts, body: tree.Node, use: Use) -> Sequence[Level] | None:
    """The loops in an iteration around an access, or None if not all of them run in the same way in each iteration."""
    at = next((n for n, loop in enumerate(use.loops, 1) if loop.body is body), None)
    loops = [extents.level(loop) for loop in use.loops[at:]] if at is not None else [None]
    known = [loop for loop in loops if loop is not None and loop.variable.key in values.moving]
    return known if len(known) == len(loops) else None


def _way(place: Place, counters: Container[Hashable], values: Facts) -> tuple[Hashable, ...]:
    """How a place depends on the variables of the loops, with ``more`` if it does on those of loops inside as well."""
    found: list[Hashable] = []
    for step in place.steps:
        if isinstance(step, Member) or step.index is None:
            found.append(step if isinstance(step, Member) else None)
            continue
        own = {m: f for m, f in step.index.terms.items() if any(atom in counters for atom, _ in m)}
        found.append(frozenset(own.items()))
        if own and any(atom in values.moving and atom not in counters for atom in step.index.atoms):
            found.append("more")
    return tuple(found)


def _tried(values: Facts, loop: Level) -> list[tuple[str, Polynomial]]:
    """The first two values of a loop's variable and its last one, as far as they are known."""
    start, bound = values.polynomial(loop.lower), values.polynomial(loop.bound)
    if start is None or start.wraps:
        return []
    found = [("first", start)]
    if loop.step_value is None or loop.trips == 1:
        return found
    step = number(loop.step_value if loop.increasing else -loop.step_value)
    found.append(("second", start + step))
    if loop.trips is not None:
        if loop.trips > 2:
            found.append(("last", start + step * number(loop.trips - 1)))
    elif loop.step_value == 1 and bound is not None and not bound.wraps:
        found.append(("last", bound if loop.closed else bound + MINUS * step))
    return found


def _element(place: Place, given: Mapping[Hashable, Polynomial], values: Facts) -> Hashable | None:
    """Which element a place is with values for the variables of loops, or None if that is not known."""
    steps: list[Hashable] = []
    for step in place.steps:
        if isinstance(step, Member):
            steps.append(step)
            continue
        index = step.index
        if index is None or index.wraps or any(atom in values.moving and atom not in given for atom in index.atoms):
            return None
        known = {atom: given.get(atom) or variable(atom) for atom in index.atoms}
        steps.append((step.element, frozenset(index.with_values(known).terms.items())))
    return (place.root, *steps)


def _are_different(one: _Point, other: _Point) -> bool:
    """Whether two iterations are different ones if all loops run often enough."""
    return any((a + MINUS * b).terms for (_, a), (_, b) in zip(one, other, strict=False))


def _repeated(levels: Sequence[object], inner: Sequence[Level], point: _Point) -> Level | None:
    """A loop in an iteration of which not the first iteration is meant, although it may have one only."""
    pairs = zip(inner, point[len(levels) :], strict=True)
    return next((loop for loop, (which, _) in pairs if which != "first" and loop.trips is None), None)
