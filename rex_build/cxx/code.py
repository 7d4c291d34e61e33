"""What the plan holds of a C++ unit: stretches of the preprocessed text, variables and types by their names."""

from __future__ import annotations

from typing import Any

from ..base.records import dataclass, field, replace
from ..base.spans import SourceSpan
from ..directives.model import Directive
from ..plan.code import Code, Entity, Type


@dataclass(frozen=True)
class CxxType(Type):
    """A type: its text, which names it wherever the unit's kernels stand, and what kind of type it is.

    ``element`` is the type that a pointer leads to, or of which an array is made of ``length`` elements.
    """

    text: str
    kind: str  # scalar, pointer, array, record, dependent or other
    size: int = 0  # in bytes, or 0 if it is not known here
    const: bool = False
    element: CxxType | None = None
    length: int = 0
    extent: str = ""  # the length of an array as it is written, where that depends on a template's parameters

    @property
    def value(self) -> CxxType:
        """The type of a copy, neither const nor volatile."""
        text = self.text.removeprefix("volatile ") if self.kind in ("scalar", "array") else self.text
        return replace(self, text=text, const=False)

    @property
    def innermost(self) -> CxxType:
        """The type of the elements of an array of arrays."""
        return self.element.innermost if self.kind == "array" and self.element is not None else self

    @property
    def has_lengths(self) -> bool:
        """Whether the lengths of an array of arrays are constants, perhaps of a template's parameters."""
        if self.kind != "array" or self.element is None:
            return True
        return bool(self.length or self.extent) and self.element.has_lengths


class Variable(Entity):
    """A variable. ``host`` is its name where the program's host code means it, from anywhere in the file.

    ``constant`` is true for constants whose value the C++ compiler knows wherever their declaration can be seen.
    """

    def __init__(self, name: str, type: CxxType, cursor: Any, start: int, end: int) -> None:  # noqa: A002
        self.name = name
        self.type = type
        self.cursor = cursor
        self.start = start  # the offsets of its declaration, or -1 if that is in a header of the system
        self.end = end
        self.is_local = False
        self.is_reference = False
        self.is_variable_length = False  # an array whose length only the run knows
        self.constant = False
        self.host = name
        self.names_type = False  # a local type or alias

    def __repr__(self) -> str:
        return f"Variable({self.name!r})"


@dataclass(frozen=True)
class Range(Code):
    """The user's text from ``start`` to ``end``: a statement, or several."""

    start: int
    end: int


@dataclass(frozen=True)
class Text(Code):
    """An expression of a clause or a loop's head, as text. ``place`` is where its names are looked up."""

    text: str
    place: int


@dataclass(frozen=True)
class Head(Range):
    """The head of a loop that the grid runs. What it ``does`` is evaluated in each iteration, and the ``guards`` say
    whether that is one of the loop."""

    does: Text | None
    guards: tuple[Text, ...]


@dataclass(frozen=True)
class LeftOut(Range):
    """A statement that a part of a body does not have."""


@dataclass(frozen=True)
class Spread(Range):
    """A body without the ``heads`` of loops in it, which the grid runs, or without statements."""

    heads: tuple[Head | LeftOut, ...]


@dataclass(frozen=True)
class Declaration(Code):
    """The declaration of a variable in a block: from ``start``, perhaps with other variables in front of ``later``."""

    start: int
    later: str = ""


@dataclass(frozen=True)
class Assigned(Code):
    """A statement that assigns a ``value``."""

    statement: Range
    value: Range


@dataclass(frozen=True)
class Passed(Code):
    """A part of a loop's head that the host computes. The kernel gets the value of ``variable``.

    If it is an iterator, ``pointers`` are those in it, with their offsets: they lead to the device's storage."""

    variable: Variable
    pointers: tuple[tuple[int, Variable], ...] = ()


@dataclass(frozen=True)
class Construct(Code):
    """A directive with its statement. ``start`` is the offset of its ``#``, ``pragma_end`` the end of its line, and
    ``end`` one past the statement."""

    directive: Directive = field(compare=False, repr=False)
    start: int
    pragma_end: int
    body_start: int
    end: int

    @property
    def body(self) -> Range:
        return Range(self.body_start, self.end)


@dataclass(frozen=True)
class UserReduction:
    """A reduction of one type that a directive declares. ``functions`` are its combiner and its initialiser, and
    ``texts`` their declarations and definitions, with places. ``source`` is what the user wrote, and ``reads_original``
    whether the initialiser names ``omp_orig``. It is declared for [``low``, ``high``) in the namespaces ``scope``, such
    as ``::app::``, or in the class ``record``. ``refused`` is the place of one that device code cannot have."""

    identifier: str
    type: str
    functions: tuple[Variable, Variable]
    texts: tuple[tuple[int, str], ...]
    source: str
    reads_original: bool
    low: int
    high: int
    scope: str
    record: Any
    refused: SourceSpan | None = None


def declare(kind: CxxType, name: str) -> str:
    """``type name`` in C++."""
    if kind.kind == "array" and kind.element is not None:
        inner = f"({name})" if name.startswith("*") else name
        return declare(kind.element, f"{inner}[{kind.extent or kind.length}]")
    if kind.kind == "pointer" and kind.element is not None and kind.element.kind == "array":
        return declare(kind.element, f"*{name}")
    for stars in ("(**", "(*"):  # of a pointer to a pointer to an array or a function, or of a pointer to one
        if f"{stars})" in kind.text:
            return kind.text.replace(f"{stars})", f"{stars}{name})", 1)
    const = "const " if kind.const and kind.kind != "pointer" else ""
    join = "" if kind.text.endswith("*") or not name else " "
    return f"{const}{kind.text}{join}{'const ' if kind.const and kind.kind == 'pointer' else ''}{name}"
