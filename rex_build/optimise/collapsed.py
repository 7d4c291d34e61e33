"""The kernel whose grid loops inside the distributed ones share, too, and what the host tests before a launch of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import reduce
from itertools import chain

from ..base.records import replace
from ..openmp.program import of_loop
from ..openmp.regions import Planned
from ..plan.constructs import LoopNest, Sharing
from ..plan.host_expression import ONE, ZERO, Binary, Call, Cast, HostExpression, Number, product
from ..plan.launch import TripCounts
from ..plan.launch_policy import LEAST_COLLAPSED, RESIDENT_THREADS, most_threads_of
from ..plan.optimised import CollapsedKernel, DirectKernel, Optimised, Reason, Tiles
from ..tree import nodes as tree
from ..tree.affine import Polynomial
from .beyond import Beyond
from .collapse import Collapse
from .dependence import Condition, Distant
from .guards import AtLeast
from .obstacle import Decisions, is_plain_sum
from .side import Side

_EXACT_BITS = 53  # sums of floating point numbers below 2^53 are exact
_MODULUS = Number(1 << 62)  # well below 2^64, as it is compared with sums of floating point numbers


def collapsed_kernel(
    decisions: Decisions,
    side: Side,
    found: Sequence[Collapse],
    region: Planned,
    memory: Callable[[LoopNest, Sharing, Collapse], Optimised | str],
) -> tuple[CollapsedKernel, Collapse] | None:
    """Decide which of the nests, those with the most levels first, has a kernel.

    ``memory`` decides how a nest loads and stores, or says why what it writes may overlap others.
    """
    whole, sharing, launch = region.nest, region.sharing, region.launch
    assert whole is not None
    outer = whole.levels
    why = "the host does not know all trip counts"
    for one in found:
        counts = side.view.trip_counts(one.levels, one.inner)
        conditions = [_condition(side, one, counts, condition) for condition in one.conditions]
        if not counts.counts or None in conditions:
            continue
        copies, nest = of_loop(sharing, [(lv.symbol, lv.declared) for lv in one.inner]), side.nest(whole, one)
        optimised = memory(nest, copies, one)
        if isinstance(optimised, str):
            why = optimised
            continue
        free = launch.teams is None and not {"once", "tile"} & set(decisions.off)
        tiled = free and not counts.hint and (not copies.reductions or is_plain_sum(copies, launch))
        direct = optimised.direct or DirectKernel(once=False)
        shape = Tiles.NARROW if one.crossed else Tiles.WIDE
        direct = replace(direct, once=tiled and not copies.reductions, tiles=shape if tiled else None)
        names = [lv.symbol.name for lv in (*outer, *one.inner)]
        most = f"{RESIDENT_THREADS} iterations" if launch.teams is None else "iterations than there are threads"
        few = "" if len(outer) > 1 else f", where '{names[0]}' has fewer {'than ' * (launch.teams is None)}{most}"
        loops = ", ".join(f"'{name}'" for name in names[:-1]) + f" and '{names[-1]}'"
        tiles = f", in {Reason.NARROW}" * (direct.tiles is Tiles.NARROW)
        decisions.apply("collapse", f"a kernel that spreads the loops {loops} over the grid{tiles}{few}")
        kernel = CollapsedKernel(
            nest,
            copies,
            replace(optimised, direct=direct),
            counts.counts,
            tuple(c for c in conditions if c is not None),
            RESIDENT_THREADS,
            LEAST_COLLAPSED,
            most_threads_of(_depth(one.body)),
            min(launch.most_threads, RESIDENT_THREADS),
            counts.pointers,
        )
        return kernel, one
    decisions.refuse(["collapse"], why)
    return None


def _depth(node: tree.Node) -> int:
    """The depth to which loops are nested in a part of the tree."""
    inside = max(map(_depth, tree.children(node)), default=0)
    return inside + isinstance(node, tree.Loop)


def _condition(side: Side, of: Collapse, counts: TripCounts, condition: Condition) -> HostExpression | None:
    """A condition for the host, or None if it does not know the factors."""
    levels = {lv.symbol: (lv, count) for lv, count in zip(of.levels, counts.counts, strict=False)}
    if isinstance(condition, AtLeast):
        first = side.first_value(levels[condition.variable][0])
        return None if counts.hint else Binary(">=", first, Number(condition.least))
    if isinstance(condition, Beyond):
        return _beyond(side, condition)
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
    factors = [_size_of(side, factor) for _, factor in condition.factors]
    if isinstance(condition, Distant):
        distance = _size_of(side, condition.distance)
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
        remainder = Binary("%", _modular(side, condition.distance), Number(condition.by))
        return Binary("||", Binary("!=", remainder, ZERO), long_enough)
    known = [factor for factor in factors if factor is not None]
    return _greater(known, reach, condition.modular) if len(known) == len(factors) else None


def _beyond(side: Side, condition: Beyond) -> HostExpression | None:
    """That all values of one way are positive, computed without rounding."""
    found: HostExpression | None = None
    for way in condition.ways:
        tests: list[HostExpression] = []
        for value in way:
            terms = _terms(side, value)
            if terms is None:
                return None
            tests.append(Binary(">", _sum(terms), ZERO))
        every = reduce(lambda first, test: Binary("&&", first, test), tests)
        found = every if found is None else Binary("||", found, every)
    sizes: dict[frozenset[tuple[Hashable, int]], int] = {}
    for monomial, scale in chain.from_iterable(value.terms.items() for value in condition.extremes):
        sizes[monomial] = max(sizes.get(monomial, 0), abs(scale))
    parts = [Call("__builtin_fabs", (term,)) for term in _terms(side, Polynomial(sizes)) or ()]
    limit = Number(1 << min(condition.bits or _EXACT_BITS, _EXACT_BITS))
    return Binary("&&", Binary("<", _sum(parts), limit), found) if parts and found is not None else None


def _sum(terms: Sequence[HostExpression]) -> HostExpression:
    return reduce(lambda first, term: Binary("+", first, term), terms) if terms else ZERO


def _terms(side: Side, polynomial: Polynomial) -> list[HostExpression] | None:
    """The terms of a polynomial as floating point numbers, or None if the host does not know all of them."""
    terms: list[HostExpression] = []
    for monomial, scale in polynomial.terms.items():
        parts = [side.view.atom(atom) for atom, power in monomial for _ in range(power)]
        values = sorted((Cast("double", part) for part in parts if part is not None), key=str)
        if len(values) < len(parts):
            return None
        terms.append(product([Cast("double", Number(scale)), *values]))
    return terms


def _size_of(side: Side, factor: Polynomial) -> HostExpression | None:
    """The absolute value of a factor, or None if the host does not know it."""
    if factor.constant is not None:
        return Number(abs(factor.constant))
    terms = _terms(side, factor)
    return None if terms is None else Call("__builtin_fabs", (_sum(terms),))


def _modular(side: Side, distance: Polynomial) -> HostExpression:
    """A polynomial of which the host knows all atoms, modulo 2^64."""
    found: HostExpression = ZERO
    for monomial, scale in distance.terms.items():
        parts = [side.view.atom(atom) for atom, power in monomial for _ in range(power)]
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
