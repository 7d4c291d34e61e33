"""What findings about trees take from the language that these were read from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.records import dataclass
from ..base.spans import SourceSpan
from ..tree.nodes import Body, Node, walk
from ..tree.symbols import Function


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
