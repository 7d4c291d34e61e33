"""Breaks generated C over lines: conditions, calls and lists that would be too long on one."""

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


def listed(start: str, items: Sequence[str], end: str) -> str:
    """A list between two texts, such as ``kernel(int *x, double y)``. A long one is filled into lines of its own."""
    whole = f"{start}{', '.join(items)}{end}"
    if len(whole) <= _WIDTH:
        return whole
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) > _WIDTH - len("    , "):
            lines.append("")
        lines[-1] += f"{' ' * bool(lines[-1])}{item},"
    joint = "\n    "
    return f"{start}\n    {joint.join(lines)[:-1]}{end}"


def condition(name: str, terms: Sequence[str]) -> str:
    """The declaration of a flag that is set if all ``terms`` hold."""
    whole = f"const int {name} = {' && '.join(terms) or '1'};"
    if len(whole) <= _WIDTH and "\n" not in whole:
        return whole
    joint = " &&\n    "
    return f"const int {name} =\n    {joint.join(term.replace(chr(10), chr(10) + '    ') for term in terms)};"
