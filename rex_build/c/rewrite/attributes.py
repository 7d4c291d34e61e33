"""Turns directives that are written as attributes into pragmas (OpenMP 6.0, section 5.1; clang accepts more).

    [[omp::directive(parallel for)]]            #pragma omp parallel for
    for (...)                            ->     for (...)

This changes the preprocessed text, so later stages need not know of it.
"""

from __future__ import annotations

import re

from ...base.diagnostics import error_at
from ...base.patterns import regex
from ..source.gnu_text import OMP_ATTRIBUTE
from ..source.preprocess import Preprocessed
from ..source.tokens import arguments_at, outside_literals
from .rewriting import Rewriting

_ATTRIBUTE = outside_literals(OMP_ATTRIBUTE.pattern)
_LINE = 10_000  # of a directive in front of an attribute, in characters
_ITEM = regex(r"\s*(?:(?:omp|__omp__)\s*::\s*)?(?:__)?(directive|sequence)(?:__)?\s*(\(.*\))\s*", re.DOTALL)
_HAS_DIRECTIVE = regex(rf"{OMP_ATTRIBUTE.pattern}[^\[\];]*?\b_*(?:directive|sequence|decl)_*\b")
_BEFORE_A_STATEMENT = regex(r"(?:^|[;{}:)]|\]\s*\]|\belse|\bdo|(?:^|\n)[ \t]*#[^\n]*)\s*$")


def with_pragmas(pre: Preprocessed) -> Preprocessed:
    """``pre`` with a pragma for every directive in the attributes of statements and declarations.

    Other attributes of OpenMP stay, and the parser's stage refuses them.
    """
    if not OMP_ATTRIBUTE.search(pre.text):
        return pre
    rewriting = Rewriting(pre)
    for match in reversed(list(_ATTRIBUTE.finditer(pre.text))):
        if match["found"] is None:
            continue
        start = match.start()
        inner, outer = arguments_at(pre.text, pre.text.index("[", start + 1)), arguments_at(pre.text, start)
        directives = _directives([pre.text[low:high] for low, high in inner]) if inner and outer else None
        if not directives or not _BEFORE_A_STATEMENT.search(pre.text, max(0, start - _LINE), start):
            continue
        end = outer[-1][1] + 1
        for directive in reversed(directives):  # each is replaced on its own
            rewriting.replace(start, end, [f"#pragma omp {directive}"])
            start += rewriting.text[start] == "\n"
            end = start
    return rewriting.done()


def refuse_other_attributes(pre: Preprocessed) -> None:
    """Raise InputError for an attribute with a directive that does not stand in front of a statement or declaration."""
    for match in _ATTRIBUTE.finditer(pre.text) if OMP_ATTRIBUTE.search(pre.text) else ():
        if match["found"] is not None and _HAS_DIRECTIVE.match(pre.text, match.start()):
            where = pre.span_at(*pre.place_at(match.start()))
            raise error_at(where, "this attribute of OpenMP is not supported, but '#pragma omp' is")


def _directives(items: list[str]) -> list[str] | None:
    """The texts of the directives in an attribute or a ``sequence``, or None if it has other items."""
    found: list[str] = []
    for item in items:
        match = _ITEM.fullmatch(item)
        if match is None:
            return None
        arguments = [match[2][low:high] for low, high in arguments_at(match[2], 0)]
        if match[1] == "directive":  # a comma may follow the directive's name
            name, *clauses = (" ".join(argument.split()) for argument in arguments)
            found.append(f"{name} {', '.join(clauses)}".rstrip())
        elif (nested := _directives(arguments)) is not None:
            found += nested
        else:
            return None
    return found
