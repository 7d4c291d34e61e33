"""Says which captured variables stand for memory that the threads of a kernel share."""

from __future__ import annotations

from collections.abc import Sequence

from ....plan.captures import Capture, Transport
from ....plan.code import Entity
from ....plan.loops import LoopNest
from ....plan.sharing import Sharing
from ...sema import Symbol
from ...sema.type_questions import is_pointer
from ..members import Members


def shared_and_own(
    sharing: Sharing, captures: Sequence[Capture], nest: LoopNest | None
) -> tuple[set[Entity], set[Entity]]:
    """(the captured variables whose memory threads share, the variables of which every thread has a copy)"""
    named = sharing.named
    memory = {c.symbol for c in captures if _is_memory(c) and c.symbol not in named}
    levels = {s for lv in nest.levels for s in (lv.symbol, *lv.same)} if nest is not None else set()
    return memory, {*named, *levels, *(c.symbol for c in captures if c.symbol not in memory)}


def members_of(captures: Sequence[Capture]) -> Members:
    """The pointers in structures that a region gets by value."""
    return {(c.of, c.path): c.symbol for c in captures if c.of is not None and isinstance(c.symbol, Symbol)}


def _is_memory(capture: Capture) -> bool:
    """Whether a variable stands for the memory to which its parameter points.

    A pointer that is mapped itself does not: it is loaded from that memory, and may point anywhere.
    """
    mapped = capture.transport is Transport.ADDRESS
    by_value = capture.transport in (Transport.LITERAL, Transport.WORDS)
    return not by_value and not (mapped and is_pointer(capture.symbol.type))
