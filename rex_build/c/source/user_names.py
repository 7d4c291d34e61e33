"""Collects the names in a user's program: identifiers of its text, macros of its files and of the command line."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.names import identifiers
from ...base.spans import source_lines
from .preprocess import Preprocessed


def user_names(pre: Preprocessed, defines: Sequence[str]) -> frozenset[str]:
    """Every name in the user's own text, before and after preprocessing. ``defines`` are -D flags.

    System headers are left out. Their declarations are visible, but generated code never stands inside their text.
    """
    found: set[str] = set()
    firsts = [*(origin.first for origin in pre.origins), len(pre.line_starts) + 1]
    for origin, end in zip(pre.origins, firsts[1:], strict=True):
        if not origin.system:
            start = pre.line_starts[origin.first - 1]
            stop = pre.line_starts[end - 1] if end <= len(pre.line_starts) else len(pre.text)
            found |= identifiers(pre.text[start:stop])
    for file in dict.fromkeys(origin.file for origin in pre.origins if not origin.system):
        found |= identifiers("\n".join(source_lines(file)))
    return frozenset(found.union(*(identifiers(flag[2:]) for flag in defines)))
