"""The data-sharing attributes and reductions of one construct."""

from __future__ import annotations

from pycparser import c_ast

from ..base.records import dataclass
from ..c.sema import Symbol
from ..c.sema.ctype import CType
from ..directives.model import Locator


@dataclass(frozen=True)
class Reduction:
    """The reduction of one variable, array or section.

    ``operator`` is the device library's tag, for example ``rex_add``, and ``type`` the type of what is combined. A
    user-defined reduction has no tag: its ``functions`` are the combiner and the initialiser. Of an array or a section,
    ``count`` elements are combined. If only the run knows how many, these are ``count`` times ``length``, or, with
    ``whole``, ``count`` times the number of elements of the variable-length array. ``section`` is the index of the
    section's first element, if the list item gives one.
    """

    symbol: Symbol
    operator: str
    type: CType
    functions: tuple[Symbol, Symbol] | None = None
    count: int = 0
    section: c_ast.Node | None = None
    locator: Locator | None = None  # the list item, when it is a section
    length: c_ast.Node | None = None
    whole: bool = False

    @property
    def is_variable(self) -> bool:
        """Whether the number of elements is known only when the program runs."""
        return self.whole or self.length is not None


@dataclass(frozen=True)
class Sharing:
    """The data-sharing attributes that one construct gives to variables (OpenMP 5.2, section 5.4)."""

    private: tuple[Symbol, ...] = ()
    firstprivate: tuple[Symbol, ...] = ()
    lastprivate: tuple[Symbol, ...] = ()
    reductions: tuple[Reduction, ...] = ()
    linear: tuple[tuple[Symbol, c_ast.Node | None], ...] = ()  # each with its step; None is 1
    alignments: tuple[tuple[Symbol, str], ...] = ()  # of private copies, in bytes, as constant expressions

    @property
    def named(self) -> frozenset[Symbol]:
        """Every variable that gets a private copy."""
        return frozenset((*self.private, *self.firstprivate, *self.returned))

    @property
    def returned(self) -> tuple[Symbol, ...]:
        """The variables that get a value from the private copies at the end."""
        return (*(r.symbol for r in self.reductions), *self.lastprivate, *(s for s, _ in self.linear))


NO_SHARING = Sharing()
