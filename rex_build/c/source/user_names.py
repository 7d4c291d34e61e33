"""Collects the names in a user's program: identifiers of its text, macros of its files and of the command line."""

from __future__ import annotations

from collections.abc import Sequence

from ...base.names import identifiers
from ...base.spans import source_lines
from .preprocess import Preprocessed


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
