"""What the host has to test at a launch so that collapsed loops have no dependence between their iterations."""

from __future__ import annotations

from collections.abc import Sequence

from ....plan.host_expression import ONE, ZERO, Binary, Call, Cast, HostExpression, Number, product
from ....plan.launch import TripCounts
from ....tree.affine import Polynomial
from ..host_bounds import HostView
from ..host_expressions import first_value
from .cases import AtLeast
from .collapse import Collapse
from .dependence import Condition, Distant

_MODULUS = Number(1 << 62)  # well below 2^64, as it is compared with sums of floating point numbers


def condition(view: HostView, of: Collapse, counts: TripCounts, condition: Condition) -> HostExpression | None:
    """A condition for the host, or None if it does not know the factors."""
    levels = {lv.symbol: (lv, count) for lv, count in zip(of.nest.levels, counts.counts, strict=False)}
    if isinstance(condition, AtLeast):
        first = first_value(levels[condition.variable][0], view.sema)
        return None if counts.hint else Binary(">=", first, Number(condition.least))
    distant = isinstance(condition, Distant)
    reach: list[HostExpression] = []  # from the first to the last values of the variables
    for variable, _ in condition.factors:
        if variable not in levels:
            return None
        level, count = levels[variable]
        if (distant or condition.modular or len(condition.factors) > 1) and (level.step_value is None or counts.hint):
            return None  # the host does not know how far the variable goes
        last = Cast("double", Binary("-", count, ONE))
        reach.append(last if level.step_value == 1 else Binary("*", Number(abs(level.step_value or 1)), last))
    factors = [_size_of(view, factor) for _, factor in condition.factors]
    if isinstance(condition, Distant):
        distance = _size_of(view, condition.distance)
        added = [Binary("*", f, way) for f, way in zip(factors, reach, strict=True) if f is not None]
        if distance is None or len(added) < len(factors):
            return None
        total: HostExpression = ZERO
        for one in added:
            total = one if total is ZERO else Binary("+", total, one)
        long_enough = Binary(">", distance, total)
        if condition.modular:
            long_enough = Binary("&&", long_enough, Binary("<", Binary("+", distance, total), _MODULUS))
        if condition.by == 1:
            return long_enough
        remainder = Binary("%", _modular(view, condition.distance), Number(condition.by))
        return Binary("||", Binary("!=", remainder, ZERO), long_enough)
    known = [factor for factor in factors if factor is not None]
    return _greater(known, reach, condition.modular) if len(known) == len(factors) else None


def _size_of(view: HostView, factor: Polynomial) -> HostExpression | None:
    """The absolute value of a factor, or None if the host does not know it."""
    if factor.constant is not None:
        return Number(abs(factor.constant))
    found: HostExpression = ZERO
    for monomial, scale in factor.terms.items():
        parts = [view.atom(atom) for atom, power in monomial for _ in range(power)]
        values = sorted((Cast("double", part) for part in parts if part is not None), key=str)
        if len(values) < len(parts):
            return None
        term = product([Cast("double", Number(scale)), *values])
        found = term if found is ZERO else Binary("+", found, term)
    return Call("__builtin_fabs", (found,))


def _modular(view: HostView, distance: Polynomial) -> HostExpression:
    """A polynomial of which the host knows all atoms, modulo 2^64."""
    found: HostExpression = ZERO
    for monomial, scale in distance.terms.items():
        parts = [view.atom(atom) for atom, power in monomial for _ in range(power)]
        values = [Cast("unsigned long long", part) for part in parts if part is not None]
        term = product([Cast("unsigned long long", Number(scale)), *sorted(values, key=str)])
        found = term if found is ZERO else Binary("+", found, term)
    return found


def _greater(factors: Sequence[HostExpression], reach: Sequence[HostExpression], modular: bool) -> HostExpression:
    """That each factor is greater than what the ones after it can add, in absolute values. If sums are ``modular``, all
    of them together must not come to the modulus."""
    rest: HostExpression | None = None
    found: HostExpression | None = None
    for factor, way in zip(reversed(factors), reversed(reach), strict=True):
        if rest is not None or not isinstance(factor, Number):
            test = Binary(">", factor, rest or ZERO)
            found = test if found is None else Binary("&&", found, test)
        covered = Binary("*", factor, way)
        rest = covered if rest is None else Binary("+", rest, covered)
    if modular and rest is not None:
        small = Binary("<", rest, _MODULUS)
        found = small if found is None else Binary("&&", found, small)
    return found or ONE
