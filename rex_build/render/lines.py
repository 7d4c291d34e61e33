"""Breaks generated C over lines: conditions and calls that would be too long on one."""

from __future__ import annotations

from collections.abc import Sequence

_WIDTH = 120  # columns, without the indentation of the block around


def call(function: str, *groups: str) -> str:
    """A call, whose groups of arguments stand on lines of their own if one line is too short."""
    whole = f"{function}({', '.join(groups)})"
    if len(whole) <= _WIDTH:
        return whole
    joint = ",\n    "
    return f"{function}(\n    {joint.join(groups)})"


def condition(name: str, terms: Sequence[str]) -> str:
    """The declaration of a flag that is set if all ``terms`` hold."""
    whole = f"const int {name} = {' && '.join(terms) or '1'};"
    if len(whole) <= _WIDTH and "\n" not in whole:
        return whole
    joint = " &&\n    "
    return f"const int {name} =\n    {joint.join(term.replace(chr(10), chr(10) + '    ') for term in terms)};"
