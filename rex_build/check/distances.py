"""By how many iterations of loops two accesses of one element are apart.

Such accesses are shown to exist, not only that nothing rules them out: their subscripts have the same constant factors,
and differ by a constant number of iterations (the "strong SIV" case of Allen and Kennedy, Optimizing Compilers for
Modern Architectures, 2001, chapter 3).
"""

from __future__ import annotations

import math
from collections.abc import Container, Hashable, Mapping, Sequence
from itertools import permutations, product

from ..base.records import dataclass
from ..openmp.canonical import Level
from ..plan.constructs import Entity
from ..tree import nodes as tree
from ..tree.affine import MINUS, Facts, Place, Polynomial, atom, number
from ..tree.types import Member, Pointer, Record, Type
from ..tree.values import constant, is_value_of, unconverted
from .events import DEREFERENCE, Use, step_to
from .extents import AllExtents
from .unset import is_scalar


@dataclass(frozen=True)
class _Linear:
    """A subscript that is linear in the variables of loops: the factor of each of them, and the rest."""

    element: Type
    factors: Mapping[Entity, Polynomial]
    rest: Polynomial


@dataclass(frozen=True)
class Spot:
    """Where an access is, in the terms in which two of them are compared."""

    root: Entity
    steps: tuple[_Linear | Member, ...]


def spot_of(place: Place, levels: Sequence[Level]) -> Spot | None:
    """A place for loops, or None if it is not known to meet any other."""
    variables = [lv.variable.key for lv in levels]
    steps: list[_Linear | Member] = []
    for step in place.steps:
        if isinstance(step, Member):
            steps.append(step)
            continue
        parts = step.index.split(variables) if step.index is not None and not step.index.wraps else None
        if parts is None:
            return None
        steps.append(_Linear(step.element, *parts))
    return Spot(place.root, tuple(steps))


def iterations_apart(one: Spot, other: Spot, levels: Sequence[Level]) -> int | str | None:
    """By how many iterations two places that meet are apart, ``all`` if they meet in all of them.

    None means that they are not known to meet. With several loops, the number is that of the outermost that differs.
    """
    if one.root is not other.root or len(one.steps) != len(other.steps):
        return None
    known: dict[Entity, int] = {}
    for first, second in zip(one.steps, other.steps, strict=True):
        if isinstance(first, Member) or isinstance(second, Member):
            if first != second:
                return None
            continue
        if not _solve(first, second, known):
            return None
    if not levels or any(level.variable.key not in known for level in levels):
        return "all"
    steps: list[int] = []
    for level in levels:
        distance = known[level.variable.key]
        if level.step_value is None or distance % level.step_value:
            return None
        count = distance // level.step_value
        if level.trips is not None and abs(count) >= level.trips:
            return None
        steps.append(count)
    return next((s for s in steps if s), 0)


def _solve(first: _Linear, second: _Linear, known: dict[Entity, int]) -> bool:
    """Add what the equality of two subscripts says about the distance in each variable. False if it cannot hold, or
    nothing is known."""
    if first.element != second.element or not _same_factors(first.factors, second.factors):
        return False
    factors = first.factors
    if first.rest.terms == second.rest.terms:  # of several variables, that all are equal is one solution, and no other
        return all(known.setdefault(variable, 0) == 0 for variable in factors)  # is claimed
    if not factors:
        return False
    apart = first.rest + MINUS * second.rest
    for variable, factor in factors.items():
        distance = _quotient(apart, factor)
        others = [other for other in factors if other is not variable]
        solved = {variable: -distance if distance is not None else 0, **dict.fromkeys(others, 0)}
        if distance is not None and all(known.get(v, steps) == steps for v, steps in solved.items()):
            known.update(solved)
            return True
    return False


def _quotient(product: Polynomial, factor: Polynomial) -> int | None:
    """The number by which a polynomial is multiplied to get another one, or None if there is none."""
    monomial, size = next(iter(factor.terms.items()))
    number, rest = divmod(product.terms.get(monomial, 0), size)
    scaled = {m: f * number for m, f in factor.terms.items()}
    return number if not rest and scaled == dict(product.terms) else None


def _same_factors(one: Mapping[Entity, Polynomial], other: Mapping[Entity, Polynomial]) -> bool:
    return one.keys() == other.keys() and all(one[v].terms == other[v].terms for v in one)


# In which iterations an access is made, as far as conditions around it compare the counter with numbers. For example,
# ``s[i + 3]`` in all iterations and ``s[i]`` under ``if (i < 3)`` are never one element in two of them.

_TURNED: dict[str, str] = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "=="}


def can_be_apart(body: tree.Node, level: Level, uses: tuple[Use, Use], distance: int) -> bool:
    """Whether the first of two accesses in a loop's ``body`` can be made ``distance`` iterations after the other."""
    if not level.increasing or level.step_value != 1 or not any(use.conditions for use in uses):
        return True
    (low, high), (low_2, high_2) = (_range(body, level, use) for use in uses)
    return max(low, low_2 + distance) <= min(high, high_2 + distance)


def _range(body: tree.Node, level: Level, use: Use) -> tuple[float, float]:
    """The least and the greatest value that the counter of a loop can have where an access is made."""
    first = level.first
    low = -math.inf if first is None else float(first)
    high = low + level.trips - 1 if first is not None and level.trips is not None else math.inf
    for condition in use.conditions:
        if not any(
            node.condition is condition and use.node in tree.walk(node.then)
            for node in tree.parts(body, tree.If)
        ):
            continue  # what stands under it may be made where it does not hold
        for operator, value in _comparisons(level, condition):
            low = max(low, value + (operator == ">")) if operator in (">", ">=", "==") else low
            high = min(high, value - (operator == "<")) if operator in ("<", "<=", "==") else high
    return low, high


def _comparisons(level: Level, condition: tree.Expression) -> list[tuple[str, int]]:
    """The comparisons of a loop's counter with numbers that hold where a condition does."""
    condition = unconverted(condition)
    if isinstance(condition, tree.ShortCircuit) and condition.operator == "&&":
        return [*_comparisons(level, condition.left), *_comparisons(level, condition.right)]
    if not isinstance(condition, tree.Binary) or condition.operator not in _TURNED:
        return []
    for side, other, operator in (
        (condition.left, condition.right, condition.operator),
        (condition.right, condition.left, _TURNED[condition.operator]),
    ):
        value = constant(other)
        if is_value_of(side, level.variable) and value is not None:
            return [(operator, value)]
    return []


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
    inner = {use: _loops_inside(extents, values, body, use) for use, _ in placed} if ways else {}
    rows = {use: _rows(place, [*levels, *(inner[use] or ())], values) for use, place in placed} if ways else {}
    if not any(rows.values()) and (not ways or (len(ways) == 1 and not any("more" in way for way in ways))):
        return None  # all go through the array in one way, so that only distances matter
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
        for point in product(*((*tried[loop], *rows[use].get(loop, ())) for loop in loops)):
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


def _rows(place: Place, loops: Sequence[Level], values: Facts) -> dict[Level, list[tuple[str, Polynomial]]]:
    """The value of an inner loop's variable with which a place is where the next row begins, as in ``a[i * 40 + j]``
    if ``j`` comes to 40: the next iteration of the loop over ``i`` has that element first."""
    known = [loop for loop in loops if loop.trips is not None and loop.step_value == 1 and loop.increasing]
    found: dict[Level, list[tuple[str, Polynomial]]] = {}
    for step in place.steps:
        index = None if isinstance(step, Member) or step.index is None or step.index.wraps else step.index
        parts = index.split([loop.variable.key for loop in loops]) if index is not None else None
        factors = [parts[0].get(loop.variable.key) for loop in known] if parts is not None else []
        for (row, length), (loop, width) in permutations(zip(known, factors, strict=False), 2):
            count = _quotient(length, width) if length is not None and width is not None else None
            start = values.polynomial(loop.lower)
            if start is not None and count and row.trips != 1 and 0 < count < (loop.trips or 0):
                found.setdefault(loop, []).append(("later", start + number(count)))
    return found


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
        known = {one: given.get(one) or atom(one) for one in index.atoms}
        steps.append((step.element, frozenset(index.with_values(known).terms.items())))
    return (place.root, *steps)


def _are_different(one: _Point, other: _Point) -> bool:
    """Whether two iterations are different ones if all loops run often enough."""
    return any((a + MINUS * b).terms for (_, a), (_, b) in zip(one, other, strict=False))


def _repeated(levels: Sequence[object], inner: Sequence[Level], point: _Point) -> Level | None:
    """A loop in an iteration of which not the first iteration is meant, although it may have one only."""
    pairs = zip(inner, point[len(levels) :], strict=True)
    return next((loop for loop, (which, _) in pairs if which != "first" and loop.trips is None), None)


def member_of_object(use: Use) -> Place | None:
    """The member of a variable that a called function, or a method, gets to by the variable's address."""
    parts: list[tree.Part] = []
    node, root = use.node, use.root
    while isinstance(node, tree.Part):
        parts.append(node)
        node = node.whole
    is_given = isinstance(node, tree.Pointee) and isinstance(node.pointer, tree.Load)
    if not use.calls or not is_given or root is None or root.shifted or DEREFERENCE in root.path:
        return None
    kinds, own = [part.whole.type for part in parts], root.variable.type
    whole = kinds[-1] if kinds else None
    if not isinstance(own, Record) or not isinstance(whole, Record) or own.info is not whole.info:
        return None  # which element of an array it is, the root does not say
    if len(root.path) != len(parts) or any(not isinstance(kind, Record) or kind.info.union for kind in kinds):
        return None
    return Place(root.variable.key, tuple(part.member for part in reversed(parts)))


def member_led_to(use: Use) -> Place | None:
    """The number that is a member of a variable, to which a reference or a pointer of the code's own leads."""
    root, node = use.root, use.node
    while isinstance(node, tree.Part):
        node = node.whole
    is_plain = isinstance(node, tree.Pointee) and isinstance(node.pointer, tree.Load)
    if root is None or root.one_of or DEREFERENCE in root.path or not is_plain:
        return None
    kind, members = root.variable.type, list[Member]()
    for step in root.path:
        inside = kind.info.members if isinstance(kind, Record) and not kind.info.union else ()
        found = next((member for member in inside if step_to(kind, member) == step), None)
        if found is None:
            return None
        members.append(found)
        kind = found.type
    return Place(root.variable.key, tuple(members)) if members and is_number(kind) else None


def is_number(kind: Type) -> bool:
    """Whether variables of a type are numbers, or references to such."""
    kind = kind.to if isinstance(kind, Pointer) and kind.reference else kind
    return is_scalar(kind) and not isinstance(kind, Pointer)
