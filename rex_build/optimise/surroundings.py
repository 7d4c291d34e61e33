"""What is known around loops that may share the grid, and the error for those that may not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from ..base.records import dataclass
from ..openmp.canonical import Level
from ..plan.code import Entity
from ..plan.constructs import CanonicalLoop, Reduction
from ..tree import nodes as tree
from ..tree.calls import Calls
from ..tree.symbols import Function
from .accesses import Accesses, Members
from .counted import Counted
from .obstacle import ObstacleError


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
