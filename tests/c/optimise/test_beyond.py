"""Conditions that one place is behind another, against all values of small loops."""

from __future__ import annotations

import random
from collections.abc import Hashable
from itertools import product
from math import prod

from rex_build.optimise.beyond import beyond
from rex_build.optimise.guards import Ends
from rex_build.plan.constructs import Entity
from rex_build.tree.affine import Polynomial, atom, number

OUTER, INNER, DEEPER, N, T = (Entity() for _ in range(5))


def drawn(chance: random.Random, variables: list[Entity]) -> Polynomial:
    """A polynomial that is mostly linear in loops' variables, with factors that only the run knows."""
    total = number(chance.randint(-3, 3))
    for variable in variables:
        factor = chance.choice([number(chance.randint(-3, 3)), atom(N), atom(N) + number(1), atom(T)])
        total = total + factor * atom(variable) if chance.random() < 0.8 else total
    return total + chance.choice([number(0), atom(N), atom(T), atom(T) * atom(N)])


def value(of: Polynomial, known: dict[Entity, int]) -> int:
    numbers: dict[Hashable, int] = dict(known.items())
    return sum(scale * prod(numbers[a] ** power for a, power in part) for part, scale in of.terms.items())


def test_places_that_are_said_to_be_apart_are() -> None:
    chance = random.Random("behind")
    held = 0
    for _ in range(300):
        least = {OUTER: drawn(chance, []), INNER: drawn(chance, [OUTER]), DEEPER: number(chance.randint(-1, 1))}
        most = {OUTER: least[OUTER] + atom(N), INNER: drawn(chance, [OUTER]), DEEPER: least[INNER] + number(2)}
        one, other = (drawn(chance, [OUTER, INNER, DEEPER]) for _ in range(2))
        moving = [INNER, DEEPER] if chance.random() < 0.7 else [INNER]
        found = beyond(one, other, moving, Ends(least, most, ()))
        if found is None:
            continue
        for n, t in product((0, 3), (-6, 2)):
            known = {N: n, T: t}
            ways = [[value(end, known) for end in way] for way in found.ways if not _open(way)]
            if found.holds or any(min(way) > 0 for way in ways):
                held += 1
                assert all(distance != 0 for distance in distances(one, other, moving, least, most, known))
    assert held > 20, held


def _open(way: tuple[Polynomial, ...]) -> bool:
    """Whether a value depends on a loop's variable, which the caller of ``beyond`` looks at."""
    return any(not end.atoms <= {N, T} for end in way)


def distances(
    one: Polynomial, other: Polynomial, moving: list[Entity], least: dict[Entity, Polynomial],
    most: dict[Entity, Polynomial], known: dict[Entity, int],
) -> list[int]:  # fmt: skip
    """The distances of two iterations of the inner loops in one of the outer loop."""
    found: list[int] = []
    for i in range(value(least[OUTER], known), value(most[OUTER], known) + 1):
        points = iterations({**known, OUTER: i}, least, most)[:24]
        for first, second in product(points, points):
            if all(first[v] == second[v] for v in (INNER, DEEPER) if v not in moving):
                found.append(value(one, first) - value(other, second))
    return found


def iterations(
    known: dict[Entity, int], least: dict[Entity, Polynomial], most: dict[Entity, Polynomial]
) -> list[dict[Entity, int]]:
    found = []
    for j in range(value(least[INNER], known), value(most[INNER], known) + 1):
        inside = {**known, INNER: j}
        last = value(most[DEEPER], inside)
        found += [{**inside, DEEPER: k} for k in range(value(least[DEEPER], inside), last + 1)]
    return found
