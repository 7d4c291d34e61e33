"""Keeps macros out of text that has to be read without them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..base.paths import include_dir
from ..base.patterns import regex

_INCLUDE = regex(r'^#include "(\w+\.h)"', re.MULTILINE)


def shielded(includes: Sequence[str], macros: Iterable[str]) -> list[str]:
    """The ``#include`` lines, between lines that take away the ``macros`` whose names these headers use.

    ``-Dsize=3`` would be a member of a structure there. The macros are back for the user's text.
    """
    used = used_names(header_texts("\n".join(includes)), macros)
    return [*without(used), *includes, *again(used)]


def without(names: Iterable[str]) -> list[str]:
    """Lines that take macros away."""
    return [line for name in names for line in (f'#pragma push_macro("{name}")', f"#undef {name}")]


def again(names: Iterable[str]) -> list[str]:
    """Lines that bring them back."""
    return [f'#pragma pop_macro("{name}")' for name in names]


def used_names(texts: Iterable[str], names: Iterable[str]) -> list[str]:
    """Those of the names that stand in the texts."""
    if not (wanted := sorted(set(names))):
        return []
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, wanted))})\b")
    return sorted(set(pattern.findall("\n".join(texts))))


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
