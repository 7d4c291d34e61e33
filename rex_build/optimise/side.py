"""What a front end says of a region whose transformations are decided."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from ..base.diagnostics import SourceSpan
from ..base.records import dataclass
from ..openmp.atomics import Written, plain_update
from ..openmp.canonical import canonical
from ..openmp.host_bounds import HostView
from ..openmp.regions import Planned
from ..plan.claims import WatchedLoop
from ..plan.constructs import Atomic, CanonicalLoop, Code, Entity, LoopNest, Type
from ..plan.host_expression import HostExpression
from ..tree import nodes as tree
from ..tree.calls import Calls
from ..tree.symbols import Function
from ..tree.types import Integer, Pointer
from .accesses import Access, Accesses, check_pointers, check_types, members_of, shared_and_own
from .collapse import Collapse
from .memory import Scene, accesses_of
from .noalias import Promises
from .obstacle import ObstacleError
from .surroundings import Counted, Language, counted
from .team_forms import loops_of


@dataclass(frozen=True)
class Text:
    """Where code is, and how it is printed.

    The ``element`` of an access, or the ``call`` that makes it, is what another text may stand around, or in place of.
    None: nothing can, as in what a declaration calls. ``type`` is that of an element, if the front end can declare a
    variable of it, which has its value from the beginning, or not; ``record`` is that of a structure. ``statements``
    that follow each other are printed with what stands between them, or not at all; ``loop`` is one that is watched.
    ``code`` is a statement or a value, if it has a text of its own, and ``without`` a body without some of its
    statements, if they have.
    """

    span: Callable[[Any], SourceSpan | None]
    element: Callable[[Access], Code | None]
    call: Callable[[Access], Code | None]
    type: Callable[[Access, bool], Type | None]
    record: Callable[[Access], Type | None]
    statements: Callable[[Sequence[tree.Statement]], tuple[Code, ...]]
    loop: Callable[[tree.Loop], WatchedLoop]
    code: Callable[[tree.Node], Code | None]
    without: Callable[[tree.Statement, Collection[tree.Statement]], Code | None]


class Side(ABC):
    """A region, as far as a front end knows more of it than the plan.

    ``off`` are the transformations that are switched off. If it is ``claimed``, the plan says what they rely on. The
    directive is at ``span``, and the region can reach all of the host's memory if that is ``shared``. If it
    ``retypes``, parameters for memory that nobody writes are pointers to const.
    """

    off: Collection[str]
    claimed: bool
    shared: bool
    retypes: bool
    span: SourceSpan
    calls: Calls
    language: Language
    written: Written
    view: HostView

    def __init__(self) -> None:
        self._accesses: dict[object, Accesses] = {}

    # -- trees ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def bodies(self, region: Planned) -> Sequence[tree.Statement]:
        """What an iteration of the region's loops runs, or the whole region, in each instantiation."""

    @abstractmethod
    def constructs(self) -> Sequence[tree.Construct]:
        """The innermost construct of the region that makes one kernel with it, in each instantiation."""

    def nests(self, nest: LoopNest) -> Iterator[tuple[Sequence[Counted], tree.Statement]]:
        """The loops of the region's construct, with their body, in each instantiation. Raises ObstacleError."""
        for construct in self.constructs():
            loops = loops_of(construct.body, len(nest.levels))
            outer = [counted(canonical(loop), head) for loop, head in zip(loops, nest.levels, strict=True)]
            if any(not isinstance(loop.variable.type, Integer | Pointer) for loop in outer):
                raise ObstacleError("the loops of the construct have unusual heads")
            yield outer, loops[-1].body

    def accesses(self, region: Planned, statement: tree.Statement, more: Collection[Entity] = ()) -> Accesses:
        """What a part of the region accesses, where threads have ``more`` variables of their own. Raises
        UnprovableError."""
        captures, reductions = region.all_captures, region.sharing.reductions
        memory, own = shared_and_own(region.sharing, captures, region.nest, self.is_pointer)
        memory, own = memory.difference(more), own.union(more)
        reduced = frozenset(r.symbol for r in reductions if r.count or r.is_section)
        key = (statement, frozenset(memory), frozenset(own), reduced, region.waits, len(region.loaded))
        if key not in self._accesses:  # several transformations ask this of one body
            scene = Scene(*key[1:3], members_of(captures), reduced, region.waits, self.calls.body, self.uses_arguments)
            check_pointers(memory, captures, statement)
            found = accesses_of(scene, statement)
            if self.retypes:
                check_types(found)
            self._accesses[key] = found
        return self._accesses[key]

    @abstractmethod
    def check(self) -> None:
        """Raise UnprovableError if the trees do not show everything that an iteration does."""

    @abstractmethod
    def only_computes(self, function: Function) -> bool:
        """Whether a function that the unit does not have only computes a value."""

    @abstractmethod
    def uses_arguments(self, function: Function) -> bool:
        """Whether a function that the unit does not have writes nothing but what its arguments lead to."""

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

    def update(self, statement: tree.Statement) -> tuple[Code, Atomic] | None:
        """(a statement, the operation that updates an object in it) if ``atomic`` could apply to it. None for others,
        and where it cannot be printed otherwise."""
        code = self.text().statements([statement])
        update = plain_update(statement, self.written) if code else None
        return (code[0], update) if update is not None else None

    @abstractmethod
    def names_elsewhere(self, variable: Entity, mentions: Sequence[tree.Named]) -> bool:
        """Whether the text names a variable elsewhere than in these ``mentions``, for example in ``sizeof``."""

    @abstractmethod
    def has_stand_in(self, array: Entity, mentions: Sequence[tree.Named]) -> bool:
        """Whether the text can have an object with subscripts in place of an array, all of whose ``mentions`` are
        elements: it is declared as a variable alone is, and stands in front of each subscript."""

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

    @abstractmethod
    def first_value(self, level: CanonicalLoop) -> HostExpression:
        """The value of a loop's variable in its first iteration."""

    @abstractmethod
    def promises(self) -> Promises | None:
        """What the user's restrict pointers promise."""
