"""Data-sharing attributes and reductions of one construct."""

from __future__ import annotations

from pycparser import c_ast

from ..base.records import dataclass
from ..c.sema import Symbol
from ..c.sema.ctype import CType
from ..directives.model import Locator


@dataclass(frozen=True)
class Reduction:
    """``operator`` is the device library's tag (``rex_add``); ``type`` the type of what is combined.

    ``functions`` are combiner and initialiser of a user-defined reduction, which has no tag. Of an array or a section,
    ``count`` elements are combined, times ``length`` where only the run knows that (``whole``: as many as the
    variable-length array has); ``section`` is the first one's index where the list item has one.
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
        """Whether only the run knows how many elements there are."""
        return self.whole or self.length is not None


@dataclass(frozen=True)
class Sharing:
    """Data-sharing attributes that one construct gives to variables (OpenMP 5.2, 5.4)."""

    private: tuple[Symbol, ...] = ()
    firstprivate: tuple[Symbol, ...] = ()
    lastprivate: tuple[Symbol, ...] = ()
    reductions: tuple[Reduction, ...] = ()
    linear: tuple[tuple[Symbol, c_ast.Node | None], ...] = ()  # with the step, None for 1
    alignments: tuple[tuple[Symbol, str], ...] = ()  # of private copies, in bytes: constant expressions

    @property
    def named(self) -> frozenset[Symbol]:
        """Every variable that gets a private copy."""
        return frozenset((*self.private, *self.firstprivate, *self.returned))

    @property
    def returned(self) -> tuple[Symbol, ...]:
        """The variables that get a value from the private copies at the end."""
        return (*(r.symbol for r in self.reductions), *self.lastprivate, *(s for s, _ in self.linear))


NO_SHARING = Sharing()
