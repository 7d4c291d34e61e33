"""What a front end brings to print its code for the device. This is all that ``render/`` knows of a front end.

``render/`` decides the shape of kernels: parameters, private copies, loops over iterations, reductions. The user's own
code, and whatever depends on the language's types, it gets from a :class:`Printer`. The C front end's is
``c/cuda/printer.py``.
"""

# ruff: noqa: ARG002 - what a language does not have takes arguments, too

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from ..base.diagnostics import InternalError
from ..base.records import dataclass, field
from .claims import Claim, Watching
from .constructs import Atomic, CanonicalLoop, Code, Entity, TeamMemory, Type, TypeFacts
from .optimised import BlockLoop, HoistedRead, StagedLoop, TeamSteps
from .unit import DeviceFunction

PrintConstruct = Callable[[Code, "Printer", int], str]  # (a directive with its statement, the printer around it, depth)


@dataclass(frozen=True)
class Surroundings:
    """The decisions about the kernel, function or construct whose code is printed."""

    construct: PrintConstruct  # prints the OpenMP constructs inside a statement
    team_memory: TeamMemory = field(default_factory=TeamMemory)
    steps: TeamSteps | None = None  # set if all threads of a team run the sequential part
    first_line: str = ""  # of functions
    restricted: frozenset[Entity] = frozenset()  # pointers whose memory overlaps no other's
    hoists: tuple[HoistedRead, ...] = ()  # reads made before the loop that they bound
    before: Mapping[Code, list[str]] = field(default_factory=dict)  # declarations to print before a statement
    replaced: Mapping[Code, str] = field(default_factory=dict)  # expressions that a variable stands for
    team_arrays: Mapping[Entity, int] = field(default_factory=dict)  # those with one copy for a team, and its room
    updates: Mapping[Code, Atomic] = field(default_factory=dict)  # statements that update elements of these
    own_arrays: Mapping[Entity, tuple[str, str]] = field(default_factory=dict)  # (other name, what follows)
    tables: frozenset[Entity] = frozenset()  # constant arrays that all threads share
    staged: Mapping[Code, StagedLoop | BlockLoop] = field(default_factory=dict)  # loops that threads run together
    claims: tuple[Claim, ...] = ()  # what is watched in an iteration of the kernel that is printed next
    watched: Mapping[Code, Watching] = field(default_factory=dict)  # statements of which something is claimed
    wrapped: Mapping[Code, tuple[str, str]] = field(default_factory=dict)  # what stands around the text of lvalues
    places: Mapping[Entity, str] = field(default_factory=dict)  # the objects to which names that are references refer


def on_heap(name: str) -> str:
    """The text for a variable on the device's heap."""
    return f"(*{name}__rex_at)"


class Printer(Protocol):
    """Prints device code in one scope, where some variables have other texts than their names.

    ``printed`` collects the variables that the text mentions.
    """

    @property
    def around(self) -> Surroundings: ...

    @property
    def printed(self) -> set[Entity]: ...

    # -- scopes inside this one --

    def with_names(self, more: Mapping[Entity, str], **facts: Any) -> Printer:
        """A scope in which ``more`` variables have other texts. ``facts`` replace fields of :class:`Surroundings`."""

    def with_lengths(self, rows: Mapping[Entity, tuple[str, ...]], whole: Mapping[Entity, str]) -> Printer:
        """A scope in which parameters have the lengths of flat arrays: of their rows' dimensions, and the first one."""
        return self

    # -- code --

    def expression(self, code: Code) -> str:
        """An expression's value."""

    def statement(self, code: Code, depth: int) -> str:
        """The lines of a statement. A compound statement keeps its braces."""

    def statements(self, code: Code, depth: int) -> str:
        """The lines of a statement, or of the contents of a compound statement."""

    def argument(self, code: Code) -> str:
        """An expression's value, as an argument of a call."""
        return self.expression(code)

    def converted(self, code: Code, target: Type) -> str:
        """An expression's value as one of another type, as an argument of a call."""
        return self.expression(code)

    def assigned(self, target: Code, value: str, source: Type | None) -> str:
        """The assignment of a value of type ``source`` (None means int) to an object of any kind."""

    def trip_count(self, level: CanonicalLoop) -> str:
        """The number of a loop's iterations, as a ``long long``."""

    def iteration_value(self, level: CanonicalLoop, counter: str) -> str:
        """The loop variable's value in an iteration."""

    # -- names --

    def symbol_text(self, symbol: Entity) -> str:
        """A variable's text here, for text that is kept."""

    def name_of(self, symbol: Entity) -> str:
        """A variable's text here."""

    def own_name(self, symbol: Entity) -> str:
        """The name that a variable has in device code unless a scope says otherwise."""

    def in_words(self, t: Type, name: str, shared: bool) -> str:
        """The declaration of an object that is put together byte by byte, perhaps in ``shared`` memory. One of a class
        is ``name.object()``."""

    def member_name(self, name: str) -> str:
        """The name that a structure's member has in device code."""

    def declared_names(self, code: Code) -> set[str]:
        """The names that a statement declares in its own block."""

    def declared_again(self, code: Code) -> Mapping[Entity, str]:
        """Texts for file-scope variables that blocks inside may hide."""
        return {}

    def mentions(self, code: Code) -> set[Entity]:
        """The variables from outside that a statement uses."""

    # -- types --

    def type(self, code: Code) -> Type:
        """The type of an expression."""

    def declaration(self, t: Type, name: str = "") -> str:
        """``type name``, or the type alone."""

    def variable(self, t: Type, name: str, const: bool = False) -> str:
        """``type name`` for a variable, which has the alignment that its type asks for."""

    def copy(self, t: Type, name: str) -> str:
        """``type name`` for a private copy, which may be of a type without size."""

    def heap_object(self, t: Type, name: str, alignment: int | str | None) -> list[str]:
        """The declarations of a variable on the device's heap, which is then called ``on_heap(name)``."""
        raise InternalError("no variable of this language is on the device's heap")

    def assignable(self, t: Type) -> Type:
        """The type of a private copy, which must not be const because it is written after its declaration."""

    def pointer(self, t: Type, name: str = "") -> str:
        """``type *name``"""

    def pointer_parameter(self, t: Type, name: str, to_const: bool, restrict: bool) -> str:
        """The declaration of a parameter of a pointer type."""

    def element(self, t: Type) -> str:
        """The type of the elements of an array of arrays."""

    def array(self, t: Type, length: int) -> Type:
        """The type of an array."""

    def facts(self, t: Type) -> TypeFacts: ...

    def flat_length(self, symbol: Entity) -> str | None:
        """The number of elements of a flat array, or None if it is not known here."""
        return None


class FilePrinter(Printer, Protocol):
    """A printer that prints whole device files, of which nothing is the user's text."""

    def with_names(self, more: Mapping[Entity, str], **facts: Any) -> FilePrinter: ...

    def type_definitions(self) -> str:
        """The definitions of all types that device code uses."""

    def prototype(self, function: DeviceFunction) -> str:
        """The declaration of a function, without semicolon."""

    def definition(self, function: DeviceFunction) -> str:
        """The definition of a function."""

    def global_variable(self, symbol: Entity, name: str, linkage: str = "static") -> str:
        """The definition of a variable with static storage."""
