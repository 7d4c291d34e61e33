"""The locks that threads of a region hold at its accesses."""

from __future__ import annotations

from collections.abc import Iterable

from .events import Event, Lent, Use
from .language import Language


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
