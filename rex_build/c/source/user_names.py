"""Collects the names in a user's program: identifiers of its text, macros of its files and of the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ...base.diagnostics import source_lines
from ...base.names import identifiers
from ...base.paths import include_dir
from ...base.patterns import regex
from .flags import macro_flags
from .preprocess import Preprocessed

_NAME = regex(r"[A-Za-z_$]\w*")
_DEFINE = regex(r"^\s*(?:#|%:)\s*define[ \t]+([A-Za-z_$]\w*)", re.MULTILINE)


def user_names(pre: Preprocessed, defines: Sequence[str]) -> frozenset[str]:
    """Every name in the user's text, before and after preprocessing. ``defines`` are -D flags.

    Headers of the compiler and the C library are left out. They have none of the names that are made here.
    """
    found: set[str] = set()
    firsts = [*(origin.first for origin in pre.origins), len(pre.line_starts) + 1]
    for origin, end in zip(pre.origins, firsts[1:], strict=True):
        if origin.may_share_names:
            start = pre.line_starts[origin.first - 1]
            stop = pre.line_starts[end - 1] if end <= len(pre.line_starts) else len(pre.text)
            found |= identifiers(pre.text[start:stop])
    for file in pre.files_with_names:
        found |= identifiers("\n".join(source_lines(file)))
    return frozenset(found.union(*(identifiers(flag[2:]) for flag in defines)))


def macros_of_options(pre: Preprocessed, defines: Sequence[str]) -> frozenset[str]:
    """The user's names that may be macros before a source's first line: of ``-D``, and of headers that options include.

    Names with ``_`` in front are the compiler's. Headers of the system and of rex-build get on with each other.
    """
    found = macros_of_flags(defines)
    by_options: set[int] = set()
    for index, inclusion in enumerate(pre.inclusions):
        if inclusion.parent in by_options or (inclusion.parent >= 0 and inclusion.line == 0):
            by_options.add(index)
            if not inclusion.system and Path(inclusion.file).parent != include_dir():
                found |= macros_in("\n".join(source_lines(inclusion.file)))
    return frozenset(name for name in found if not name.startswith("_"))


def macros_of_flags(cflags: Sequence[str]) -> set[str]:
    """The names that -D flags define."""
    return {m[0] for flag in macro_flags(cflags) if flag.startswith("-D") and (m := _NAME.match(flag, 2))}


def macros_in(text: str) -> frozenset[str]:
    """The names that a text defines as macros."""
    return frozenset(_DEFINE.findall(text))


def macros_of_files(pre: Preprocessed) -> frozenset[str]:
    """The names that the user's files define as macros."""
    texts = ("\n".join(source_lines(file)) for file in pre.files_with_names)
    return frozenset(name for text in texts if "define" in text for name in macros_in(text))


def macros_in_text(pre: Preprocessed) -> frozenset[str]:
    """Those of them whose names the user's preprocessed text still has."""
    if not (macros := macros_of_files(pre)):
        return macros
    return macros & frozenset(name for start, end in pre.own_parts for name in identifiers(pre.text[start:end]))
