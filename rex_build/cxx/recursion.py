"""Whether device functions may call themselves. Then no compiler can tell what a thread's stack takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from .code import Construct
from .functions import Function
from .libclang import is_users
from .unit import Unit

# Functions and classes of libstdc++ that call themselves, or such functions (GCC 12 to 14: bits/stl_algo.h,
# bits/uniform_int_dist.h, bits/random.tcc).
_LIBRARY = frozenset(
    """sort stable_sort inplace_merge stable_partition shuffle sample uniform_int_distribution binomial_distribution
    poisson_distribution""".split()  # noqa: SIM905
)


def may_recurse(unit: Unit, regions: Iterable[Construct], reached: Iterable[Function]) -> bool:
    """Whether a function that device code reaches may be called again before it returns."""
    reached = list(reached)
    targets = [target for region in regions for target in _targets_in(unit, region)]
    calls: dict[Function, list[Function]] = {}
    for function in reached:
        own = [target for _, target in (*function.mentions.calls, *function.mentions.overloads)]
        calls[function] = [called for target in own if (called := unit.defined(target)) is not None]
        targets += own
    return any(map(_is_known, targets)) or _has_circle(calls)


def _targets_in(unit: Unit, region: Construct) -> Iterator[Any]:
    function = unit.function_at(region.start)
    for place, target in function.mentions.calls if function is not None else ():
        if region.start <= place < region.end:
            yield target


def _is_known(target: Any) -> bool:
    around = target.semantic_parent
    names = {target.spelling, around.spelling if around is not None else ""}
    return not is_users(target) and not names.isdisjoint(_LIBRARY)


def _has_circle(calls: dict[Function, list[Function]]) -> bool:
    """Whether functions call one another in a circle."""
    from graphlib import CycleError, TopologicalSorter

    try:
        TopologicalSorter(calls).prepare()
    except CycleError:
        return True
    return False
