"""Whether iterations of loops depend on each other: dependence tests on the subscripts of memory.

Two accesses to the same memory, of which one writes, make two iterations depend on each other if they may meet in one
element. Let both have the subscript ``c j + r`` with the same ``c`` and ``r``. Then they meet only in the same
iteration of ``j``, unless ``c`` is 0. If they differ by a constant that ``c`` does not divide, or that is longer than
the loop, then they never meet. Where a step of the loop, or a condition around both accesses, lets only every other
value of ``j`` reach them, ``c`` counts twice. (Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001,
chapter 3)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from itertools import combinations_with_replacement, product
from math import gcd, lcm

from ..base.records import dataclass, replace
from ..plan.constructs import Entity
from ..tree.affine import MINUS, Facts, Key, Place, Polynomial, Subscript, fewer, number
from ..tree.nodes import Node
from ..tree.types import Member
from ..tree.updates import commute
from .accesses import Access
from .beyond import Beyond, beyond
from .guards import AtLeast, Case, Ends, Guards, cases
from .obstacle import ObstacleError

MOST_ACCESSES = 120  # every two of them are compared


@dataclass(frozen=True)
class Injective:
    """A condition: the sums of the loops' variables times these factors differ in all iterations.

    The ``factors`` belong to some of the loops. Each factor must be greater than what the loops after it can add. If
    the sums are ``modular``, they must stay below 2^62.
    """

    factors: tuple[tuple[Entity, Polynomial], ...]
    modular: bool = False


_SAY_SO = "if they never are, say so by collapse in the directive"


@dataclass(frozen=True)
class Distant:
    """A condition: the absolute ``distance`` is greater than what the loops' variables times these factors can add.

    For example, ``g[n * m + i]`` and ``g[i]`` are different elements in all iterations of ``i``, if ``n * m`` is
    greater than the distance from the first ``i`` to the last one. They are, too, if what these variables times their
    factors differ by can be divided ``by`` a power of 2, and the distance cannot. If subscripts are ``modular``, the
    distance and what is added must stay below 2^62.
    """

    distance: Polynomial
    factors: tuple[tuple[Entity, Polynomial], ...]
    by: int = 1
    modular: bool = False

    @property
    def kind(self) -> tuple[object, ...]:
        """Equal for conditions of which the one with the least distance implies the others."""
        terms = self.distance.terms
        monomial = next(iter(terms)) if len(terms) == 1 and self.by == 1 else frozenset(terms.items())
        return (monomial, tuple((v, frozenset(f.terms.items())) for v, f in self.factors), self.by, self.modular)


Condition = Injective | Distant | AtLeast | Beyond


class DependenceError(ObstacleError):
    """Iterations may depend on each other. The message says by what."""


@dataclass(frozen=True)
class Space:
    """What is known about the values of the loops' variables in the iterations of one outer iteration.

    ``reach`` has the distances from the first to the last values, if they are constant, and ``most`` what no such
    distance exceeds. Any two values of a variable are a multiple of what ``steps`` says apart (0: they are the same).
    ``guards`` tell apart the iterations that reach an access. ``ends`` are the least and greatest values of all loops'
    variables, also of the outer ones.
    """

    reach: Mapping[Entity, int]
    most: Mapping[Entity, int]
    steps: Mapping[Entity, int]
    guards: Guards
    ends: Ends

    def between(self, one: Access, other: Access, variables: Collection[Entity]) -> Space:
        """What is known about two iterations of which the first makes one access and the second the other."""
        common = [c for c in self.guards.get(one.node, ()) if c in self.guards.get(other.node, ())]
        steps = dict(self.steps)
        for found in (c.step(frozenset(variables)) for c in common):
            if found is not None:
                steps[found[0]] = lcm(steps.get(found[0], 1), found[1])
        return replace(self, steps=steps, guards={})

    def stays_below(self, limit: int, factors: Mapping[Entity, Polynomial], distance: int) -> bool:
        """Whether the variables' differences times their factors, and a distance, never add up to a limit."""
        total = abs(distance)
        for variable, factor in factors.items():
            if factor.constant is None or variable not in self.most:
                return False
            total += abs(factor.constant) * self.most[variable]
        return total < limit


def independent(
    facts: Facts,
    accesses: Sequence[Access],
    variables: Sequence[Entity],
    space: Space,
    same: Collection[Entity],
    ends: Ends,
    text: Callable[[Node], str],
) -> tuple[Condition, ...]:
    """The conditions under which iterations of the loops over ``variables``, outermost first, are independent.

    The variables ``same`` have one value in the whole kernel, and ``ends`` are those of all loops' variables. ``text``
    shows code to the user. Raises DependenceError.
    """
    conditions: dict[tuple[object, ...], Condition] = {}
    if len(accesses) > MOST_ACCESSES:
        raise DependenceError(f"{len(accesses)} accesses to memory are too many to compare")
    written = {a.root for a in accesses if a.writes}
    places = {a: place_of(facts, a) for a in accesses if a.root in written}
    for one, other in combinations_with_replacement([a for a in accesses if a.root in written], 2):
        updates = one.atomic and other.atomic and commute(one.by, other.by)  # their order is not observed
        if one.root is not other.root or not (one.writes or other.writes) or updates:
            continue
        first, second = places[one], places[other]
        if first is None or second is None or not (first.root is second.root is one.root):
            unknown = one.node if first is None else other.node
            why = f"what '{text(unknown)}' means in other iterations is not known"
            raise DependenceError(why, unknown, _SAY_SO)
        between = space.between(one, other, variables)
        moving = [v for v in variables if between.steps.get(v) != 0]
        found = _apart(first, second, moving, between, same) if moving else ()
        if found is None:
            assert one.seen is not None
            assert other.seen is not None
            pairs = ((one.seen, first), (other.seen, second))
            of_one, of_other = (cases(facts, seen, ends) or [(place, ())] for seen, place in pairs)
            found = _apart_in_all(of_one, of_other, moving, between, same)
        if found is None:
            names = " and ".join(f"'{v.name}'" for v in variables)
            why = f"{_meeting(text(one.node), text(other.node))} in different iterations of {names}"
            raise DependenceError(why, one.node if one.writes else other.node, _SAY_SO)
        for condition in found:
            if isinstance(condition, AtLeast):
                conditions[condition.variable, condition.least] = condition
                continue
            if isinstance(condition, Beyond):
                conditions[condition.kind] = condition
                continue
            if isinstance(condition, Injective):
                factors = tuple((v, frozenset(f.terms.items())) for v, f in condition.factors)
                conditions[factors, condition.modular] = condition
                continue
            opposite = replace(condition, distance=MINUS * condition.distance).kind
            kind = opposite if opposite in conditions else condition.kind
            conditions[kind] = min(conditions.get(kind, condition), condition, key=_least)
    return tuple(conditions.values())


def place_of(facts: Facts, access: Access) -> Place | None:
    """Where an access is; None if that is not known."""
    return facts.place(access.seen) if access.seen is not None else None


def _least(condition: Condition) -> int:
    """The scale of a distance that is one product."""
    return min(map(abs, condition.distance.terms.values())) if isinstance(condition, Distant) else 0


def _meeting(one: str, other: str) -> str:
    texts = sorted({one, other})
    if len(texts) == 1:
        return f"'{texts[0]}' may be the same element"
    return f"'{texts[0]}' and '{texts[1]}' may be the same element"


def _apart_in_all(
    first: Sequence[Case], second: Sequence[Case], variables: Sequence[Entity], space: Space, same: Collection[Entity]
) -> tuple[Condition, ...] | None:
    """The conditions under which two accesses meet in no two different iterations, wherever they are in each case."""
    conditions: list[Condition] = []
    for (one, needs), (other, more) in product(first, second) if len(first) + len(second) > 2 else ():
        found = _apart(one, other, variables, space, same)
        if found is None:
            return None
        conditions += [*needs, *more, *found]
    return tuple(conditions) if len(first) + len(second) > 2 else None


def _apart(
    first: Place,
    second: Place,
    variables: Sequence[Entity],
    space: Space,
    same: Collection[Entity],
) -> tuple[Condition, ...] | None:
    """The conditions under which two places meet in no two different iterations, or None if they may."""
    equations: list[_Equation] = []
    distant: Distant | None = None
    compared: list[tuple[Subscript, Subscript]] = []
    for one, other in zip(first.steps, second.steps, strict=False):
        if isinstance(one, Member) or isinstance(other, Member):
            if one == other:
                continue
            if isinstance(one, Member) and isinstance(other, Member) and not (first.unions or second.unions):
                return ()  # different members
            break
        if one.element != other.element:
            break
        compared.append((one, other))
        found = _equation(one, other, variables, space)
        if found is None:
            return ()
        if isinstance(found, Distant):
            known = all(_is_same(atom, same) for atom in found.distance.atoms)
            distant = distant or (found if known else None)
        elif found.factors:
            equations.append(found)
    solved = _solved(equations, variables, space.ends)
    if solved is not None or distant is not None:
        return (distant,) if solved is None and distant is not None else solved
    return _behind(compared, variables, space, same)


def _behind(
    compared: Sequence[tuple[Subscript, Subscript]], variables: Sequence[Entity], space: Space, same: Collection[Entity]
) -> tuple[Beyond, ...] | None:
    """The condition under which two places differ in one of their subscripts, whatever values the variables have."""
    condition: Beyond | None = None
    for one, other in compared:
        if one.index is None or other.index is None:
            continue
        found = beyond(one.index, other.index, variables, space.ends)
        if found is None or not all(_is_same(atom, same) for value in found.extremes for atom in value.atoms):
            continue
        if found.holds:
            return ()
        condition = condition or found
    return None if condition is None else (condition,)


def _is_same(part: Hashable, same: Collection[Entity]) -> bool:
    """Whether an atom of a polynomial, or what it is made of, has one value in the whole kernel."""
    if isinstance(part, Key):
        return all(_is_same(inner, same) for inner in part.parts if isinstance(inner, Key | Entity))
    return part in same


@dataclass(frozen=True)
class _Equation:
    """The ``factors`` of the variables' differences, whose sum is 0 where two subscripts are equal. If it is
    ``modular``, it is 0 modulo 2^64."""

    factors: Mapping[Entity, Polynomial]
    modular: bool = False


_NOTHING: Mapping[Entity, Polynomial] = {}


def _equation(
    one: Subscript, other: Subscript, variables: Sequence[Entity], space: Space
) -> _Equation | Distant | None:
    """What holds where two subscripts are equal: an equation, which has no factors if nothing is known.

    None if they are never equal, and a condition if they are not where it holds.
    """
    unknown = _Equation(_NOTHING)
    if one.index is None or other.index is None:
        return unknown
    left, right = one.index.split(variables), other.index.split(variables)
    if left is None or right is None or left[0].keys() != right[0].keys():
        return unknown
    minus = Polynomial({frozenset(): -1})
    if any((factor + minus * right[0][v]).terms for v, factor in left[0].items()):
        return unknown
    difference, factors = left[1] + minus * right[1], left[0]
    distance = difference.constant
    bits = fewer(one.index.bits, other.index.bits)
    # Where no sum comes to the modulus, two subscripts are only equal if they are without it.
    modular = bits is not None and not (distance is not None and space.stays_below(1 << bits, factors, distance))
    if modular and bits != 64:
        return unknown
    if distance is None:
        return Distant(difference, tuple(factors.items()), _power_of_two(factors, space.steps), modular)
    sizes = [factor.constant for factor in factors.values()]
    if distance == 0:
        return _Equation(factors, modular) if not modular or None in sizes else unknown
    known = [abs(size) for size in sizes if size is not None]
    if len(known) < len(sizes) or modular:
        return unknown
    apart = [k * space.steps.get(v, 1) for k, v in zip(known, factors, strict=True)]
    if not apart or distance % gcd(*apart):
        return None
    lengths = [space.reach.get(v) for v in factors]
    if None not in lengths and abs(distance) > sum(k * r for k, r in zip(known, lengths, strict=True) if r):
        return None
    return unknown


def _power_of_two(factors: Mapping[Entity, Polynomial], steps: Mapping[Entity, int]) -> int:
    """The greatest power of 2 by which all differences of variables times their factors can be divided."""
    sizes = [(factor.constant or 0) * steps.get(v, 1) for v, factor in factors.items()]
    whole = gcd(*sizes) if sizes and all(sizes) else 1
    return whole & -whole


def _size(factor: Polynomial) -> tuple[int, int]:
    """What is greater for factors that are likely to be greater: products of variables, and then numbers."""
    degree = max(sum(power for _, power in monomial) for monomial in factor.terms)
    return degree, abs(factor.constant or 0)


def _nests(factors: Sequence[tuple[Entity, Polynomial]], modular: bool, ends: Ends) -> bool:
    """Whether each factor is surely greater than what the variables after it can add, as in ``j * n + k`` for ``k``
    from 0 to ``n - 1``, and ``n`` is as great as that says.

    If sums are modular, each is greater by a number. Then no value below their greatest one is left out, so that those
    from 2^62 on would be subscripts of an array that is larger than memory.
    """
    rest = number(0)
    for variable, factor in reversed(factors):
        least, most = ends.least.get(variable), ends.most.get(variable)
        beyond = factor + MINUS * rest
        if least is None or most is None or beyond.constant is None or beyond.constant < 1 or beyond.bits is not None:
            return False
        rest = rest + factor * (most + MINUS * least)
    return rest.bits is None or modular


def _solved(
    equations: Sequence[_Equation], variables: Sequence[Entity], ends: Ends
) -> tuple[Injective, ...] | None:
    """The conditions under which all variables are equal, or None if the equations do not say so."""
    open_variables = set(variables)
    conditions: list[Injective] = []
    changed = True
    while open_variables and changed:
        changed = False
        for equation in sorted(equations, key=lambda e: len(e.factors)):
            factors = equation.factors
            left = [v for v in variables if v in factors and v in open_variables]
            others = (len([v for v in e.factors if v in open_variables]) for e in equations)
            if not left or (len(left) > 1 and 1 in others):
                continue
            if len(left) > 1 or factors[left[0]].constant is None:
                ordered = sorted(left, key=lambda v: _size(factors[v]), reverse=True)
                condition = Injective(tuple((v, factors[v]) for v in ordered), equation.modular)
                if not _nests(condition.factors, equation.modular, ends):
                    conditions.append(condition)
            open_variables.difference_update(left)
            changed = True
            break
    return None if open_variables else tuple(conditions)
