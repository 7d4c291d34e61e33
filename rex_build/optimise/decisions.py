"""What became of each transformation of a region, in order."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..base.spans import SourceSpan
from ..plan.optimised import Optimisation
from .obstacle import remedy_of

COUNTED = "loop counters are computed in 32 bits where all iterations fit"  # of ``index32``


class Decisions:
    """The decisions in order. ``off`` are the names given to ``--no-opt``."""

    def __init__(self, off: Collection[str]) -> None:
        self.off = off
        self.found: list[Optimisation] = []

    def refuse(self, names: Sequence[str], why: str, span: SourceSpan | None = None, remedy: str = "") -> None:
        remedy = remedy or remedy_of(why)
        self.found.extend(
            Optimisation(n, False, "switched off") if n in self.off else Optimisation(n, False, why, span, remedy)
            for n in names
        )

    def apply(self, name: str, reason: str) -> None:
        self.found.append(Optimisation(name, True, reason))

    def why_not(self, name: str) -> str:
        """Why a transformation was left out."""
        return next(one.reason for one in self.found if one.name == name and not one.applied)

    def decide(self, name: str, reason: str, obstacle: str | None) -> bool:
        if obstacle is None and name not in self.off:
            self.apply(name, reason)
            return True
        self.refuse([name], obstacle or "")
        return False


def listed(symbols: Collection[object]) -> str:
    return ", ".join(sorted(str(getattr(s, "name", "")) for s in symbols))
