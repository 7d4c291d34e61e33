"""Text of generated code: names, which differ from every name in the user's program, the white space in front of lines,
and users' text in comments."""

from __future__ import annotations

from .patterns import regex
from .records import dataclass

_IDENTIFIER = regex(r"[A-Za-z_$]\w*")


# The function that we make of an initialiser with a lambda expression.
_INITIALISER = regex(r"rex_first_(\w+)_\d+")
PAD = "    "
_DEEPEST = 40  # levels that are indented: else a thousand levels would be megabytes of blanks


def initialiser_name(variable: str, number: int) -> str:
    return f"rex_first_{variable}_{number}"


def shown_function(name: str) -> str:
    """A function as messages name it: what we make of an initialiser is what it initialises."""
    found = _INITIALISER.fullmatch(name)
    return found[1] if found is not None else name


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


def ready_kernel(unit: str) -> str:
    """The name of the empty kernel that the device code of a unit with entries has for rex_offload_init()."""
    return f"rex_ready_{unit}"


def identifiers(text: str) -> frozenset[str]:
    """Every word of ``text`` that can be a name, also in strings and comments."""
    return frozenset(_IDENTIFIER.findall(text))


def indent(depth: int) -> str:
    """The white space in front of a line at a depth of nesting."""
    return PAD * min(depth, _DEEPEST)


def indent_lines(text: str, by: str = PAD) -> str:
    """A text with white space in front of all lines but blank ones, as textwrap does it, which takes long to import."""
    return "".join(f"{by}{line}" if line.strip() else line for line in text.splitlines(keepends=True))


def in_comment(text: str) -> str:
    """The text on one line, in which no comment begins or ends: names of files may hold anything."""
    return " ".join(text.splitlines()).replace("*/", "* /").replace("/*", "/ *")
