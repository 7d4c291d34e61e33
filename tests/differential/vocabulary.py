# ruff: noqa: E501 -- lines of the generated C stand whole
"""What all parts of the generator of random programs draw with, and what they may read and write."""

from __future__ import annotations

from string import Template

SIZE = 48  # elements of every array
OPERATORS = ("+", "-", "*", "&", "|", "^")
LOOPS = ("target teams distribute parallel for", "target parallel for", "target teams distribute parallel for simd", "target teams loop")


class Vocabulary:
    """Part of ``generate.Program``: everything printed is defined, whatever is drawn."""

    arrays: list[str]  # types of a0, a1...
    scalars: list[str]  # of s0, s1...

    def number(self, low: int, high: int) -> int:
        raise NotImplementedError

    def boolean(self) -> bool:
        raise NotImplementedError

    def one_of(self, items: tuple[str, ...] | list[str]) -> str:
        raise NotImplementedError

    def expression(self, readable: list[str], depth: int = 0) -> str:
        raise NotImplementedError

    def readable(self, *extra: str, without: tuple[str, ...] = ()) -> list[str]:
        raise NotImplementedError

    def declare(self, text: str) -> None:
        """Put declarations at file scope, once."""
        raise NotImplementedError

    def fresh(self) -> int:
        """A number for a name that nothing else has."""
        raise NotImplementedError

    def _array(self) -> str:
        return f"a{self.number(0, len(self.arrays) - 1)}"

    def _scalar(self) -> str:
        return f"s{self.number(0, len(self.scalars) - 1)}"

    def _type(self, array: str) -> str:
        return self.arrays[int(array[1:])]

    def _own(self, array: str, *extra: str) -> str:
        """A value of what an iteration may read when it writes its own element of ``array``."""
        return self.expression(self.readable(f"(unsigned){array}[i]", "(unsigned)i", *extra, without=(array,)))

    def _few(self, *values: str) -> str:
        """A value of these alone."""
        return self.expression(list(values), 1)


def fill(text: str, **values: object) -> str:
    """C with ``$name`` for what is drawn; ``$size`` is that of every array."""
    return Template(text.lstrip("\n")).substitute({"size": SIZE, **values})


def not_for_gcc(text: str, instead: str = "") -> str:
    """Lines that gcc's OpenMP, which makes the reference, does not know; on the host it can do without."""
    return f"#ifndef REFERENCE\n{text}\n#else\n{instead}\n#endif\n" if instead else f"#ifndef REFERENCE\n{text}\n#endif\n"
