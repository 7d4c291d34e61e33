"""Names that generated code declares. They differ from every name in the user's program."""

from __future__ import annotations

from .patterns import regex
from .records import dataclass

_IDENTIFIER = regex(r"[A-Za-z_$]\w*")


@dataclass(frozen=True)
class GeneratedNames:
    """``taken`` are the identifiers and the macros of the user's unit."""

    taken: frozenset[str] = frozenset()

    def fresh(self, wanted: str) -> str:
        """``wanted``, or the first of ``wanted_2``, ``wanted_3``, ... that the program does not contain.

        The answer for one name is always the same, so what declares it and what uses it can both ask.
        """
        if wanted not in self.taken:
            return wanted
        number = 2
        while f"{wanted}_{number}" in self.taken:
            number += 1
        return f"{wanted}_{number}"


def identifiers(text: str) -> frozenset[str]:
    """Every word of ``text`` that can be a name, also in strings and comments."""
    return frozenset(_IDENTIFIER.findall(text))
