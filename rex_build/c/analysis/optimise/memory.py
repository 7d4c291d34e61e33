"""Says which captured variables stand for memory that the threads of a kernel share."""

from __future__ import annotations

from collections.abc import Sequence

from ....optimise import accesses
from ....plan.captures import Capture
from ....plan.code import Entity
from ....plan.loops import LoopNest
from ....plan.sharing import Sharing
from ...sema.type_questions import is_pointer


def shared_and_own(
    sharing: Sharing, captures: Sequence[Capture], nest: LoopNest | None
) -> tuple[set[Entity], set[Entity]]:
    """(the captured variables whose memory threads share, the variables of which every thread has a copy)"""
    return accesses.shared_and_own(sharing, captures, nest, lambda symbol: is_pointer(symbol.type))
