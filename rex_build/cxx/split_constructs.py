"""Combined constructs whose inner part is no loop that they share, such as ``parallel sections``, as two directives."""

from __future__ import annotations

from ..base.diagnostics import InputError
from ..c.rewrite.rewriting import Rewriting
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import directive_pattern
from ..directives.combined import leaf_clauses, spell_clause
from ..directives.model import Directive
from ..directives.parser import parse_directive

_INNER = ("sections", "masked", "master", "taskloop")
_COMBINED = directive_pattern(rf"((?:\w+[ \t]+)+(?:{'|'.join(_INNER)})\b[^\n]*)")


def with_split_constructs(pre: Preprocessed) -> Preprocessed:
    """The text in which such a construct is two constructs, one in the other. Both have its place."""
    rewriting = Rewriting(pre)
    at = 0
    while (found := _COMBINED.search(rewriting.text, at)) is not None:
        at = found.end()
        if (lines := _split(rewriting, found[1], found.start(1))) is not None:
            at = found.start()
            rewriting.replace(found.start(), found.end(), lines)
    return rewriting.done()


def _split(rewriting: Rewriting, text: str, start: int) -> list[str] | None:
    place = rewriting.place(start)
    try:
        directive = parse_directive(text, lambda _low, _high: place, lambda written, _span: written, qualified=True)
    except InputError:
        return None  # whoever reads the directive says what is wrong
    leaves = directive.constructs
    inner = next((i for i, leaf in enumerate(leaves) if i > 0 and leaf in _INNER), None)
    return [_spelled(directive, leaves[:inner]), _spelled(directive, leaves[inner:])] if inner is not None else None


def _spelled(directive: Directive, leaves: tuple[str, ...]) -> str:
    applied = leaf_clauses(directive)
    clauses = dict.fromkeys(clause for leaf in leaves for clause in applied[leaf])
    return " ".join(["#pragma omp", *leaves, *map(spell_clause, clauses)])
