"""What a region's body does with variables from outside, as far as it matters to other threads."""

from __future__ import annotations

from collections.abc import Collection

from ..c.source.tokens import outside_literals
from ..openmp.scalars import Accesses
from .atomics import atomic_operation
from .code import Construct, Range, Variable
from .facts import RegionFacts
from .queries import called_by, calls_elsewhere, reached_by

_ORDERING = frozenset(("critical", "flush", "ordered", "scan"))
_ATOMIC = outside_literals(r"\b(?:__atomic_\w+|__sync_\w+|atomic_\w+|omp_\w+_lock)\b|\bstd\s*::\s*atomic")


def accesses_of(facts: RegionFacts, changed: Collection[Variable]) -> Accesses:
    """``changed`` are the variables that the body changes, or may change by a reference or a pointer."""
    # Without anything that orders accesses, threads that change a variable by its address have a data race.
    addressed = _addressed(facts, changed) if _orders(facts) else frozenset()
    return Accesses(changed, addressed, lambda: _ordered(facts))


def _addressed(facts: RegionFacts, changed: Collection[Variable]) -> frozenset[Variable]:
    """The variables that are mentioned otherwise than to read or to assign them."""
    start, end = facts.body.start, facts.body.end
    return frozenset(
        r.variable
        for r in facts.function.mentions.references
        if start <= r.start < end and not r.is_read and not r.is_assigned and r.variable in changed
    )


def _constructs(facts: RegionFacts) -> list[Construct]:
    """Those in the body and in the functions that it reaches."""
    functions = reached_by(facts.unit, facts.text)
    reached = [c for f in functions for c in facts.unit.constructs if f.body <= c.start < f.end]
    return [*facts.inside, *reached]


def _orders(facts: RegionFacts) -> bool:
    """Whether the body, or a function it reaches, has anything that orders the accesses of different threads."""
    return _orders_unseen(facts) or any(
        not {*_ORDERING, "atomic"}.isdisjoint(c.directive.constructs) for c in _constructs(facts)
    )


def _orders_unseen(facts: RegionFacts) -> bool:
    """Whether it does so by functions, of which nothing more is known."""
    codes = (facts.text, *called_by(facts.unit, facts.text))
    named = any(m["found"] is not None for code in codes for m in _ATOMIC.finditer(code))
    return named or calls_elsewhere(facts.unit, facts.text)


def _ordered(facts: RegionFacts) -> frozenset[Variable] | None:
    """The variables whose accesses by different threads the body, or a function it reaches, may order. None: all."""
    if _orders_unseen(facts):
        return None
    found: set[Variable] = set()
    for construct in _constructs(facts):
        if not _ORDERING.isdisjoint(construct.directive.constructs):
            return None
        if "atomic" in construct.directive.constructs and construct in facts.inside:
            operation = atomic_operation(facts.unit, construct)
            if operation.ordered:
                return None
            found |= {
                r.variable for r in facts.function.mentions.references if Range(r.start, r.end) == operation.location
            }
    return frozenset(found)
