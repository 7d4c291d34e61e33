"""What is known around loops that may share the grid, their heads with values as the tree has them where iterations
are counted beforehand, and the error for loops that may not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from ..base.records import dataclass, replace
from ..openmp.canonical import Level
from ..plan.constructs import CanonicalLoop, Entity, Reduction
from ..tree import nodes as tree
from ..tree.calls import Calls
from ..tree.symbols import Function, Variable
from ..tree.types import Integer
from ..tree.values import constant, has_all, same_value
from .accesses import Accesses, Members
from .obstacle import ObstacleError


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


class UncollapsibleError(ObstacleError):
    """The inner loops stay as they are. The message says why."""


@dataclass(frozen=True)
class Around:
    """What the bounds of a loop may mention: the loops ``outer``, of which some count the variables ``distributed``,
    variables that get one value in front of all inner loops (``single``), and all that is not in ``changing``."""

    outer: Sequence[Counted]
    distributed: Collection[Entity]
    single: Mapping[Entity, tree.Expression]
    changing: Collection[Entity]

    def varies(self, node: tree.Expression) -> Entity | None:
        """A variable in an expression that may have different values in different iterations."""
        names = (part.variable.entity for part in tree.walk(node) if isinstance(part, tree.Named))
        return next((entity for entity in names if entity is not None and entity in self.changing), None)

    def refused(self, loop: Counted, part: tree.Expression) -> ObstacleError:
        varies = self.varies(part)
        what = f"'{varies.name}'" if varies is not None else "other loops"
        return ObstacleError(f"the bounds of the loop over '{loop.symbol.name}' depend on {what}", part)


@dataclass(frozen=True)
class Cover:
    """A loop that has at least the iterations of another one, in every iteration of the loops around it.

    ``loop`` has its bounds. What ``moves`` the loop's ``variable``, by being added to it, makes it one of the inner
    loop's values, and ``guards`` are the conditions under which there is such an iteration. A loop that is ``shifted``
    counts from 0, and has none of the values itself.
    """

    loop: Counted
    variable: tree.Expression | None = None
    moves: tree.Expression | None = None
    guards: tuple[tree.Expression, ...] = ()
    shifted: bool = False


class Language(Protocol):
    """What a front end knows of its code."""

    def head(self, level: Level) -> CanonicalLoop:
        """A loop's head as the plan has it, whose ends may be computed of parts of the user's code. Raises
        ObstacleError if it cannot be printed."""

    def check_names(self, body: tree.Statement, levels: Sequence[CanonicalLoop]) -> None:
        """Raise ObstacleError if a name of a loop's variable also means something else in the body or in the heads. In
        the collapsed kernel all of these variables are declared first."""

    def text(self, node: tree.Node) -> str:
        """Code as a message shows it."""


@dataclass(frozen=True)
class Region:
    """What is known about a region: its ``memory`` roots, the variables that threads own, its reductions, and the
    pointers in structures that it gets by value. ``carried`` variables take values from one iteration to another, which
    somebody else has looked at. ``pure`` functions do nothing but compute a value."""

    memory: Collection[Entity]
    own: Collection[Entity]
    reductions: Sequence[Reduction]
    members: Members
    accesses: Callable[[tree.Statement], Accesses]
    calls: Calls
    pure: Callable[[Function], bool]
    language: Language
    carried: Collection[Entity] = ()
