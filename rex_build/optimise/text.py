"""What a front end says of the text of a region's tree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ..base.records import dataclass
from ..base.spans import SourceSpan
from ..plan.claims import WatchedLoop
from ..plan.code import Code, Type
from ..tree import nodes as tree
from .accesses import Access


@dataclass(frozen=True)
class Text:
    """Where code is, and how it is printed.

    The ``element`` of an access, or the ``call`` that makes it, is what another text may stand around, or in place of.
    None: nothing can, as in what a declaration calls. ``type`` is that of an element, if the front end can declare a
    variable of it, which has its value from the beginning, or not. ``statements`` that follow each other are printed
    with what stands between them, or not at all; ``loop`` is one that is watched. ``code`` is a statement or a value,
    if it has a text of its own, and ``without`` a body without some of its statements, if they have.
    """

    span: Callable[[Any], SourceSpan | None]
    element: Callable[[Access], Code | None]
    call: Callable[[Access], Code | None]
    type: Callable[[Access, bool], Type | None]
    statements: Callable[[Sequence[tree.Statement]], tuple[Code, ...]]
    loop: Callable[[tree.Loop], WatchedLoop]
    code: Callable[[tree.Node], Code | None]
    without: Callable[[tree.Statement, Collection[tree.Statement]], Code | None]
