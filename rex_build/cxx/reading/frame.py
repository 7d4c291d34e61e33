"""What is known while a function is read."""

from __future__ import annotations

from typing import Any

from ...base.records import dataclass, field
from ...tree import nodes as tree
from ...tree import types
from ...tree.types import Type

PLACES = (tree.Named, tree.Pointee, tree.Part, tree.Temporary)
Read = tree.Place | tree.Expression


@dataclass(frozen=False)
class Frame:
    """The function that is read. ``branches`` says how many operands are around that may not be evaluated."""

    definition: Any = None
    method: Any = None  # the method, or None for a function without an object
    result: Type | None = None  # None if it returns nothing
    captured: dict[int, types.Member] = field(default_factory=dict)  # what the closure holds, by declaration
    captured_this: types.Member | None = None
    temporaries: list[tree.Temporary] = field(default_factory=list)  # of the full expression
    branches: int = 0
