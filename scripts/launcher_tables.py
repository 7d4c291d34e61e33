#!/usr/bin/env python3
"""Writes the tables of ``launcher.c`` that rex-build has, too, between their two marks there.

    scripts/launcher_tables.py

The launcher is a program in C, so that it starts at once. What it knows of directives and of command lines is said in
Python; ``tests/build/test_option_tables.py`` fails where the two differ.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rex_build.base import command_words
from rex_build.build import command_line, foreign_flags, launcher
from rex_build.c.source import scan

try:
    from re import _parser as parser
except ImportError:  # before Python 3.11
    import sre_parse as parser

SOURCE = Path(launcher.__file__).with_name("launcher.c")
BEGIN = "/* Written by scripts/launcher_tables.py. */\n"
END = "/* The end of what is written. */\n"
FOREIGN = ("_FOREIGN", "_FOR_DEVICES", "_WITH_DEVICE_VALUE", "_OPENMP_WITH_A_DEVICE", "_CRAY")


def array(text: str, name: str) -> tuple[str, ...]:
    """The words of an array of texts in C."""
    found = re.search(rf"\b{name}\[\] = \{{(.*?),\s*NULL\}};", text, re.DOTALL)
    assert found, name
    return tuple(re.findall(r'"([^"]*)"', found[1]))


def _beginnings(items: Sequence[tuple[Any, Any]]) -> tuple[set[str], set[str]]:
    """(texts that a part of a pattern matches as a whole, beginnings of those that are not spelt out)."""
    whole, begun = {""}, set()
    for kind, value in items:
        if kind is parser.LITERAL:
            parts, open_ends = {chr(value)}, set()
        elif kind is parser.SUBPATTERN:
            parts, open_ends = _beginnings(value[-1])
        elif kind is parser.BRANCH:
            ways = [_beginnings(way) for way in value[1]]
            parts, open_ends = set().union(*(w for w, _ in ways)), set().union(*(b for _, b in ways))
        elif kind is parser.MAX_REPEAT and value[1] <= 2:
            part = [*value[2]]
            ways = [_beginnings(part * count) for count in range(value[0], value[1] + 1)]
            parts, open_ends = set().union(*(w for w, _ in ways)), set().union(*(b for _, b in ways))
        elif kind is parser.ASSERT_NOT:
            continue
        else:
            parts, open_ends = set(), {""}
        begun |= {text + end for text in whole for end in open_ends}
        whole = {text + part for text in whole for part in parts}
    return whole, begun


def foreign(text: str) -> list[str]:
    """How options of other compilers begin that the launcher would take for the compiler's by their first letters."""
    known = (*array(text, "harmless_beginnings"), *array(text, "with_value"))
    words = {*foreign_flags._TRANSLATED, *foreign_flags._WITH_WORD, *command_words._OURS}
    for name in FOREIGN:
        words.update(*_beginnings(parser.parse(getattr(foreign_flags, name).pattern)))
    taken = sorted(word for word in words if word.startswith(known))
    # -fopenmp and -fopenmp-simd are gcc's.
    return [word for word in taken if not any(word != other and word.startswith(other) for other in taken)]


def written(text: str) -> str:
    """The text of launcher.c with the tables as Python has them."""
    suffixes = command_line._SUFFIXES
    tables: dict[str, Iterable[str]] = {
        "device_words": sorted(scan._WORDS),
        "host_words": sorted(scan._HOST_WORDS),
        "host_directives": sorted(scan._HOST_DIRECTIVES),
        "cxx_suffixes": [name for name, language in suffixes.items() if language is command_line.Language.CXX],
        "modes": sorted(command_line._OTHER_MODES - {"-S"}),  # of regions in assembly, rex-build says that they stay
        "foreign": foreign(text),
        "variables": launcher._OTHER_PROGRAM,
        "launchers": command_words.LAUNCHERS,
    }
    lines = []
    for name, words in tables.items():
        row = f"static const char *const {name}[] = {{" + "".join(f'"{word}", ' for word in words) + "NULL};"
        lines += textwrap.wrap(row, 120, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    head, _, rest = text.partition(BEGIN)
    return head + BEGIN + "\n".join(lines) + "\n" + END + rest.partition(END)[2]


if __name__ == "__main__":
    SOURCE.write_text(written(SOURCE.read_text()))
