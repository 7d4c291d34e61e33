"""Which functions of a unit the warnings follow. To read the others takes longer than all that is done with these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..base.patterns import regex
from ..base.records import dataclass

_FOR_DEVICES = regex(r"\b(?:omp_target_\w+|omp_get_mapped_ptr|omp_set_default_device)\s*\(")


@dataclass(frozen=True)
class Stretch:
    """Where the body of a function is in the text of a unit, and the names by which others may mention it."""

    names: frozenset[str]
    start: int
    end: int


def concerned(text: str, functions: Sequence[Stretch], starts: Iterable[int]) -> list[int]:
    """The functions with directives for devices, which are at ``starts``, or calls of functions for devices' memory,
    and those that name one of these. Each is told by its number."""
    found = {number for number, one in enumerate(functions) if _FOR_DEVICES.search(text, one.start, one.end)}
    found |= {number for at in starts for number, one in enumerate(functions) if one.start <= at < one.end}
    new = found
    while new:
        names = frozenset[str]().union(*(functions[number].names for number in new))
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        new = {
            number
            for number, one in enumerate(functions)
            if number not in found and pattern.search(text, one.start, one.end)
        }
        found |= new
    return sorted(found)
