"""What is known around loops, in terms of C's tree."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ....base.records import dataclass
from ....optimise.accesses import Members
from ....plan.code import Entity
from ....plan.sharing import Reduction
from ...sema import Sema
from ...syntax.nodes import ParsedUnit


@dataclass(frozen=True)
class Surroundings:
    """What is known about the region: its ``memory`` roots, the variables that threads own, its reductions, and the
    pointers in structures that it gets by value. ``carried`` variables take values from one iteration to another, which
    somebody else has looked at."""

    unit: ParsedUnit
    sema: Sema
    memory: Collection[Entity]
    own: Collection[Entity]
    reductions: Sequence[Reduction]
    members: Members
    carried: Collection[Entity] = ()
