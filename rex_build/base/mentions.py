"""Which stretches of a text name each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from .records import dataclass

_NOT_OF_OBJECT = r"(?<!\.)(?<!->)"  # no member


@dataclass(frozen=True)
class Stretch:
    """Where a function is in the text of a unit, and the names by which others may mention it. The ``free`` ones, of no
    members, never stand behind a ``.`` or a ``->``."""

    names: frozenset[str]
    free: frozenset[str]
    start: int
    end: int


def naming(
    text: str,
    stretches: Sequence[Stretch],
    found: Iterable[int],
    means_other: Callable[[int, int, Collection[int]], bool] | None = None,
) -> list[int]:
    """The ``found`` stretches and those that name one of these, or one that does: the nearest first. Each is told by
    its number. ``means_other`` says of a number and a place whether the name there means none of those found so far."""
    known = new = set(found)
    nearest = sorted(known)
    while new:
        names = frozenset[str]().union(*(stretches[number].names for number in new))
        free = frozenset[str]().union(*(stretches[number].free for number in new)) - names
        either = ((some, "|".join(map(re.escape, sorted(some)))) for some in (names, free))
        forms = (rf"\b{'' if some is names else _NOT_OF_OBJECT}(?:{one})\b" for some, one in either if some)
        pattern = re.compile("|".join(forms))
        new = {
            number
            for number, one in enumerate(stretches)
            if number not in known
            and any(
                means_other is None or not means_other(number, match.start(), known)
                for match in pattern.finditer(text, one.start, one.end)
            )
        }
        known = known | new
        nearest += sorted(new)
    return nearest
