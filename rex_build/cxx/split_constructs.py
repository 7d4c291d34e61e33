"""Combined constructs whose inner part is no loop that they share, such as ``parallel sections``, as two directives."""

from __future__ import annotations

from ..base.diagnostics import InputError
from ..c.rewrite.rewriting import Rewriting
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import directive_lines, directive_pattern
from ..directives.combined import spell_clause, split
from ..directives.parser import parse_directive

_COMBINED = directive_pattern(r"((?:\w+[ \t]+)+(?:sections|masked|master|taskloop)\b[^\n]*)")


def with_split_constructs(pre: Preprocessed) -> Preprocessed:
    """The text in which such a construct is two constructs, one in the other. Both have its place."""
    rewriting = Rewriting(pre)
    at = 0
    while found := next(directive_lines(_COMBINED, rewriting.text, at), None):
        at = found.end()
        if lines := _split(rewriting, found[1], found.start(1)):
            at = found.start()
            rewriting.replace(found.start(), found.end(), lines)
    return rewriting.done()


def _split(rewriting: Rewriting, text: str, start: int) -> list[str]:
    place = rewriting.place(start)
    try:
        directive = parse_directive(text, lambda _low, _high: place, lambda written, _span: written, qualified=True)
    except InputError:
        return []  # whoever reads the directive says what is wrong
    directives = split(directive)
    return [" ".join(["#pragma omp", *d.constructs, *map(spell_clause, d.clauses)]) for d in directives or ()]
