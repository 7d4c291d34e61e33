"""What a front end says of a region whose transformations are decided."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any

from ..base.spans import SourceSpan
from ..openmp.host_bounds import HostView
from ..openmp.regions import Planned
from ..plan.code import Code, Entity
from ..plan.constructs import Atomic
from ..plan.host_expression import HostExpression
from ..plan.loops import CanonicalLoop, LoopNest
from ..tree import nodes as tree
from ..tree.calls import Calls
from ..tree.symbols import Function
from .accesses import Accesses
from .collapse import Collapse
from .counted import Counted
from .restrict import Promises
from .surroundings import Language
from .text import Text


class Side(ABC):
    """A region, as far as a front end knows more of it than the plan.

    ``off`` are the transformations that are switched off. If it is ``claimed``, the plan says what they rely on. The
    directive is at ``span``, and the region can reach all of the host's memory if that is ``shared``.
    """

    off: Collection[str]
    claimed: bool
    shared: bool
    span: SourceSpan
    calls: Calls
    language: Language

    # -- trees ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def bodies(self, region: Planned) -> Sequence[tree.Statement]:
        """What an iteration of the region's loops runs, or the whole region, in each instantiation."""

    @abstractmethod
    def nests(self, nest: LoopNest) -> Sequence[tuple[Sequence[Counted], tree.Statement]]:
        """The loops of the region's construct, with their body, in each instantiation. Raises ObstacleError."""

    @abstractmethod
    def accesses(self, region: Planned, statement: tree.Statement, more: Collection[Entity] = ()) -> Accesses:
        """What a part of the region accesses, where threads have ``more`` variables of their own. Raises
        UnprovableError."""

    @abstractmethod
    def check(self) -> None:
        """Raise UnprovableError if the trees do not show everything that an iteration does."""

    @abstractmethod
    def only_computes(self, function: Function) -> bool:
        """Whether a function that the unit does not have only computes a value."""

    # -- texts ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def text(self, nest: LoopNest | None = None, found: Collapse | None = None) -> Text:
        """How accesses are printed, perhaps where a nest is ``found`` to be collapsed."""

    @abstractmethod
    def span_of(self, node: Any) -> SourceSpan | None:
        """Where the code is that prevents a transformation."""

    @abstractmethod
    def nest(self, nest: LoopNest, found: Collapse) -> LoopNest:
        """The nest whose body is an iteration of all loops, as it is printed."""

    @abstractmethod
    def unrolled(self) -> frozenset[Code]:
        """The loops to unroll."""

    @abstractmethod
    def update(self, statement: tree.Statement) -> tuple[Code, Atomic] | None:
        """(a statement, the operation that updates an object in it) if ``atomic`` could apply to it. None for others,
        and where it cannot be printed otherwise."""

    @abstractmethod
    def names_elsewhere(self, variable: Entity, mentions: Sequence[tree.Named]) -> bool:
        """Whether the text names a variable elsewhere than in these ``mentions``, for example in ``sizeof``."""

    @abstractmethod
    def is_aligned(self, place: tree.Place) -> bool:
        """Whether the type of an element, as it is written, has the alignment of its size."""

    # -- variables and the host -------------------------------------------------------------------------------------

    @abstractmethod
    def is_pointer(self, variable: Entity) -> bool:
        """Whether a variable may be a pointer, in an instantiation."""

    @abstractmethod
    def is_object(self, variable: Entity) -> bool:
        """Whether a variable is an object that a pointer to it must not leave."""

    @property
    @abstractmethod
    def view(self) -> HostView:
        """What the host sees of the region's variables and loops."""

    @abstractmethod
    def first_value(self, level: CanonicalLoop) -> HostExpression:
        """The value of a loop's variable in its first iteration."""

    @abstractmethod
    def promises(self) -> Promises | None:
        """What the user's restrict pointers promise."""
