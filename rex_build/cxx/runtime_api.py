"""Calls of functions of the OpenMP runtime that need other arguments than gcc's."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.spans import Replacement
from ..c.source.runtime_functions import OF_TEAMS, WITH_DEPEND_OBJECTS, WITH_SHARED_MEMORY, WITH_STRINGS
from ..c.source.tokens import outside_literals
from ..openmp.requirements import shares_memory
from .text_constructs import qualifier_before
from .unit import Unit

_RENAMED = {**OF_TEAMS, **WITH_DEPEND_OBJECTS, **WITH_STRINGS, **WITH_SHARED_MEMORY}
_CALLED = outside_literals(rf"\b(?:{'|'.join(_RENAMED)})\b(?=\s*\()")


def renamed_calls(unit: Unit) -> Iterator[Replacement]:
    """The names that stand in the host file for functions that do not take what the host compiler passes, or do not
    answer for the unit's requirements."""
    if "omp_" not in unit.text:
        return
    shared = shares_memory(unit.requirements)
    declared = {unit.place(cursor.location) for cursors in unit.prototypes.values() for cursor in cursors}
    for match in unit.pre.in_own_parts(_CALLED):
        if (name := match["found"]) and match.start() not in declared and (shared or name not in WITH_SHARED_MEMORY):
            start = qualifier_before(unit.text, match.start())  # of a namespace that declares the function again
            yield Replacement(start, match.end(), f"{'::' if start < match.start() else ''}{_RENAMED[name]}")
