"""Loops whose iterations are counted beforehand: the head that the plan has, with its values as the tree has them."""

from __future__ import annotations

from ..base.records import dataclass, replace
from ..openmp.canonical import Level
from ..plan.code import Entity
from ..plan.constructs import CanonicalLoop
from ..tree import nodes as tree
from ..tree.symbols import Variable
from ..tree.types import Integer
from ..tree.values import constant, has_all, same_value


@dataclass(frozen=True)
class Counted:
    """A loop in canonical form. ``variable`` counts from ``lower`` to ``bound``, in steps of ``step`` where these are
    not constant."""

    head: CanonicalLoop
    variable: Variable
    lower: tree.Expression
    bound: tree.Expression
    step: tree.Expression | None

    @property
    def symbol(self) -> Entity:
        return self.head.symbol

    @property
    def parts(self) -> tuple[tree.Expression, ...]:
        return (self.lower, self.bound) if self.step is None else (self.lower, self.bound, self.step)

    def runs_alike(self, other: Counted) -> bool:
        """Whether the variables have the same values in the same order, wherever both loops begin."""
        one, two = self.head, other.head
        alike = (one.relation, one.increasing, one.step_negated, one.step_value) == (
            two.relation, two.increasing, two.step_negated, two.step_value,
        )  # fmt: skip
        alike = alike and self.variable.type == other.variable.type and len(self.parts) == len(other.parts)
        return alike and all(same_value(a, b) for a, b in zip(self.parts, other.parts, strict=True))


def counted(level: Level, head: CanonicalLoop) -> Counted:
    """A loop with the head that the plan has for it."""
    return Counted(head, level.variable, level.lower, level.bound, level.step if head.step is not None else None)


def as_written(head: CanonicalLoop) -> CanonicalLoop:
    """A head without what is known of its values: it is equal in instantiations of a template that share its text."""
    return replace(head, trips=None, narrow_counts=0, limits=())


def in_both(head: CanonicalLoop, other: CanonicalLoop) -> CanonicalLoop:
    """What holds for the head of a loop in two instantiations."""
    return replace(
        head,
        trips=head.trips if head.trips == other.trips else None,
        narrow_counts=min(head.narrow_counts, other.narrow_counts),
        limits=tuple(limit for limit in head.limits if limit in other.limits),
    )


def counts_as_written(loop: Counted) -> bool:
    """Whether an integer variable of a loop surely comes to the bound without wrapping around, or never ends.

    OpenMP promises that for associated loops. In others, ``for (unsigned k = n - 1; k != -1u; --k)`` counts down to 0,
    and ``for (unsigned char k = 0; k < 250; k += 20)`` goes around several times. Signed integers that are not narrower
    than ``int`` do not wrap. In steps of a power of 2 a variable that wraps meets the same values again and again.
    """
    head, kind = loop.head, loop.variable.type
    assert isinstance(kind, Integer)
    low, high, step = kind.least, kind.greatest, head.step_value
    first, last = constant(loop.lower), constant(loop.bound)
    if head.relation != "!=":
        beyond = None if last is None or step is None else last + step if head.increasing else last - step
        powers = step is not None and step & (step - 1) == 0
        return (
            (low < 0 and kind.size >= 4)
            or powers
            or kind.size == 8
            or (beyond is not None and low <= beyond <= high)
        )
    if first is not None and last is not None:
        return low <= first <= high and low <= last <= high and (first <= last if head.increasing else last <= first)
    fits = low <= last <= high if last is not None else has_all(kind, loop.bound.type)
    if low < 0:
        return kind.size >= 4 and fits
    return fits and (first if head.increasing else last) == 0


def farthest(loop: Counted) -> int | None:
    """What no two values of a loop's integer variable differ by more than. No loop has 2^48 iterations."""
    head, kind, start = loop.head, loop.variable.type, constant(loop.lower)
    assert isinstance(kind, Integer)
    low, high = kind.least, kind.greatest
    if start is not None and low <= start <= high:
        low, high = (start, high) if head.increasing else (low, start)
    if kind.size < 8:
        return high - low
    return None if head.step_value is None else min(high - low, head.step_value << 48)
