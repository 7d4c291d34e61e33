"""Keeps macros out of text that has to be read without them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..base.paths import include_dir

_INCLUDE = re.compile(r'^#include "(\w+\.h)"', re.MULTILINE)


def shielded(includes: Sequence[str], macros: Iterable[str]) -> list[str]:
    """The ``#include`` lines, between lines that take away the ``macros`` whose names these headers use.

    ``-Dsize=3`` would be a member of a structure there. The macros are back for the user's text.
    """
    if not (names := sorted(set(macros))):
        return list(includes)
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    used = sorted(set(pattern.findall("".join(header_texts("\n".join(includes))))))
    return [*without(used), *includes, *again(used)]


def without(names: Iterable[str]) -> list[str]:
    """Lines that take macros away."""
    return [line for name in names for line in (f'#pragma push_macro("{name}")', f"#undef {name}")]


def again(names: Iterable[str]) -> list[str]:
    """Lines that bring them back."""
    return [f'#pragma pop_macro("{name}")' for name in names]


def header_texts(text: str) -> list[str]:
    """The texts of our headers that a text includes, and of those that they include."""
    found: dict[str, str] = {}
    wanted = _INCLUDE.findall(text)
    while wanted:
        name = wanted.pop()
        if name not in found:
            found[name] = (include_dir() / name).read_text()
            wanted += _INCLUDE.findall(found[name])
    return list(found.values())
