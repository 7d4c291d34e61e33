"""What code does, event by event: it reads and writes, calls, binds pointers, and lets addresses go."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from ..base.records import dataclass
from ..base.spans import SourceSpan
from ..tree import nodes as tree
from ..tree.nodes import Body, Node, walk
from ..tree.symbols import Function
from .places import Root


@dataclass(frozen=True)
class Language:
    """``body`` is what the unit has of a function. Of code that a node was made of (its ``origin``), ``place`` says
    where it stands, and ``text`` how a message shows it. ``source`` is the unit's preprocessed text, and
    ``is_program`` whether it has ``main``. A loop transformation has made what ``is_generated``. Atomic operations that
    name no ``memory_order`` have this one.
    """

    body: Callable[[Function], Body | None]
    place: Callable[[Any], SourceSpan | None]
    text: Callable[[Any], str]
    source: str
    is_program: bool
    is_generated: Callable[[Any], bool] = lambda _: False
    memory_order: str = ""

    def span(self, node: Node) -> SourceSpan | None:
        """Where a node stands, or the first part of it that the user wrote."""
        places = (self.place(part.origin) for part in walk(node) if part.origin is not None)
        return next((span for span in places if span is not None), None)

    def shown(self, node: Node) -> str:
        """What the user wrote for a node, for a message."""
        return next((self.text(part.origin) for part in walk(node) if part.origin is not None), "?")


# Constructs in which only one thread is at a time, or which a single thread runs.
_GUARDING = frozenset(("atomic", "critical", "ordered", "single", "master", "masked", "sections", "section", "task"))


@lru_cache(maxsize=2048)
def _guards(constructs: tuple[tree.Construct, ...]) -> frozenset[str]:
    return _GUARDING.intersection(leaf for c in constructs for leaf in c.directive.constructs)


@dataclass(frozen=True)
class Use:
    """One access. ``node`` is the place, or the Declare or Temporary that begins a variable, and ``root`` where it is.

    ``operator`` is that of the assignment, as ``+=``, and ``value`` what is assigned. ``conditions`` are the conditions
    under which it is made, ``loops`` the loops around it, ``constructs`` the OpenMP constructs around it, and ``calls``
    those through which the region gets to it, each outermost first. It is ``led`` if a pointer of the code's own leads
    there.
    """

    node: tree.Node
    root: Root | None
    reads: bool
    writes: bool
    operator: str = ""
    value: tree.Expression | None = None
    conditions: tuple[tree.Expression, ...] = ()
    loops: tuple[tree.Loop, ...] = ()
    constructs: tuple[tree.Construct, ...] = ()
    calls: tuple[tree.Call, ...] = ()
    led: bool = False
    failing: tuple[tree.Expression, ...] = ()

    @property
    def guards(self) -> frozenset[str]:
        """The constructs around it that keep other threads away."""
        return _guards(self.constructs)


@dataclass(frozen=True)
class Lent:
    """A call of a function, which is None for a call by address.

    ``arguments`` says for each argument that is a pointer where it leads, and is None for the others. A constructor's
    first one is the object that it makes.
    """

    node: tree.Call
    function: Function | None
    arguments: tuple[Root | None, ...]
    conditions: tuple[tree.Expression, ...] = ()
    loops: tuple[tree.Loop, ...] = ()
    constructs: tuple[tree.Construct, ...] = ()
    followed: bool = False  # all that the function does stands beside the call

    @property
    def name(self) -> str:
        return self.function.name if self.function is not None else ""


@dataclass(frozen=True)
class Bound:
    """A pointer gets a value. ``to`` is where that leads, or None if it is not known. ``made`` is the call, or the
    place of the string literal, that has made what it leads to, or the constant of a null pointer."""

    node: tree.Node
    pointer: Root | None
    to: Root | None
    made: tree.Node | None = None


@dataclass(frozen=True)
class Escape:
    """The address of something is used in a way that is not followed."""

    node: tree.Node
    root: Root


Event = Use | Lent | Bound | Escape


def locks_held(language: Language, events: Iterable[Event]) -> dict[Use, frozenset[str]]:
    """The locks that are held at each access, in the order of the text."""
    found: dict[Use, frozenset[str]] = {}
    held: frozenset[str] = frozenset()
    for event in events:
        if isinstance(event, Use):
            found[event] = held
        elif isinstance(event, Lent) and event.name in ("omp_set_lock", "omp_unset_lock"):
            lock = frozenset(map(language.shown, event.node.arguments))
            held = held | lock if event.name == "omp_set_lock" else held - lock
    return found
