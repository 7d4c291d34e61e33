"""Whether one of two places always lies behind the other, whatever values the loops' variables have.

In an iteration ``i`` of a loop that begins at ``t + 1``, ``a[i * n + j]`` lies ``(i - t) * n + j - k`` elements behind
``a[t * n + k]``. This distance is linear in each variable, so it is least where each of them has its least or its
greatest value. Which of the two, the sign of its factor says, and where that is not known the host tests both.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from ..base.records import dataclass
from ..plan.constructs import Entity
from ..plan.launch_policy import LEAST_COLLAPSED
from ..tree.affine import MINUS, Polynomial, atom, fewer, number
from .guards import Ends

_MOST_VALUES = 8  # of which the host tests whether one is the least


@dataclass(frozen=True)
class Beyond:
    """A condition: a distance is never 0, because in one of the ``ways`` all values are positive.

    These are the distance, or the opposite, where it may be least. The distance is known modulo 2^``bits``, so all sums
    must stay below that. It is between the ``extremes``.
    """

    ways: tuple[tuple[Polynomial, ...], ...]
    extremes: tuple[Polynomial, ...]
    bits: int | None

    @property
    def kind(self) -> tuple[object, ...]:
        """Equal for equal conditions."""
        return (frozenset(frozenset(one.terms.items()) for one in self.extremes), self.bits)

    @property
    def holds(self) -> bool:
        """Whether it is true whatever the variables' values are."""
        if self.bits is not None and not all(abs(one) < 1 << self.bits for one in map(_or_huge, self.extremes)):
            return False
        return any(all((one.constant or 0) > 0 for one in way) for way in self.ways)


def _or_huge(value: Polynomial) -> int:
    return value.constant if value.constant is not None else 1 << 64


@dataclass(frozen=True)
class _Second:
    """A loop's variable in the other one of two iterations."""

    variable: Hashable


def beyond(one: Polynomial, other: Polynomial, moving: Collection[Entity], ends: Ends) -> Beyond | None:
    """That an element with the number ``one`` is none with the number ``other``, where the variables ``moving`` may
    have other values. None if that cannot be said."""

    def second(value: Polynomial) -> Polynomial:
        return value.with_values({a: atom(_Second(a) if a in moving else a) for a in value.atoms})

    distance = one + MINUS * second(other)
    least, most = [distance], [distance]
    for variable in reversed(dict.fromkeys((*ends.least, *ends.most))):
        for of, view in ((variable, lambda value: value), (_Second(variable), second)):
            if of is not variable and variable not in moving:
                continue
            low, high = (known.get(variable) for known in (ends.least, ends.most))
            low, high = (None if end is None else view(end) for end in (low, high))
            found = (_at_ends(least, of, low, high), _at_ends(most, of, high, low))
            if found[0] is None or found[1] is None:
                return None
            least, most = found[0], found[1]
    both = [v for v in ends.least if v in ends.most]
    lengths = [(ends.most[v] + MINUS * ends.least[v], LEAST_COLLAPSED - 1 if v in moving else 0) for v in both]
    ways = [
        tuple(sign * one for one in lowest)
        for sign, lowest in ((number(1), least), (MINUS, most))
        if not any(_never_positive(sign * one, lengths) for one in (*least, *most))
    ]
    return Beyond(tuple(ways), (*least, *most), fewer(one.bits, other.bits)) if ways else None


def _never_positive(value: Polynomial, lengths: Collection[tuple[Polynomial, int]]) -> bool:
    """Whether a value is not positive where loops have some iterations, and the inner ones many, for which alone it
    matters: the value and a multiple of a loop's length, of which the least one is known, add up to a number."""
    constant = value.constant
    if constant is not None:
        return constant <= 0
    for length, least in lengths:
        scales = [(value.terms.get(m, 0), length.terms.get(m, 0)) for m in {*value.terms, *length.terms} if m]
        (scale, of) = scales[0]
        if scale * of < 0 and all(a * of == b * scale for a, b in scales):
            rest = value.terms.get(frozenset(), 0) * of + scale * (least - length.terms.get(frozenset(), 0))
            if rest * of <= 0:
                return True
    return False


def _at_ends(
    values: Sequence[Polynomial], variable: Hashable, low: Polynomial | None, high: Polynomial | None
) -> list[Polynomial] | None:
    """Values of which one is not above a value, where a variable is between ``low`` and ``high``. None if a value is
    not linear in it."""
    found: list[Polynomial] = []
    for value in values:
        if variable not in value.atoms:
            found.append(value)
            continue
        factor = _factor(value, variable)
        if factor is None:
            return None
        sign = factor.constant
        for end in (low,) if sign is not None and sign > 0 else (high,) if sign is not None else (low, high):
            if end is None:
                return None
            found.append(value + factor * (end + MINUS * atom(variable)))
    distinct = {frozenset(one.terms.items()): one for one in found}
    return [*distinct.values()] if len(distinct) <= _MOST_VALUES else None


def _factor(value: Polynomial, variable: Hashable) -> Polynomial | None:
    """The factor of a variable, or None if a higher power of it is in a polynomial."""
    terms: dict[frozenset[tuple[Hashable, int]], int] = {}
    for monomial, scale in value.terms.items():
        powers = [power for of, power in monomial if of == variable]
        if powers and powers != [1]:
            return None
        if powers:
            terms[monomial - {(variable, 1)}] = scale
    return Polynomial(terms)
