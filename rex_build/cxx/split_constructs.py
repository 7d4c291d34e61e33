"""Combined constructs whose inner part is no loop that they share, such as ``parallel sections``, as two directives,
and sections of several statements as blocks."""

from __future__ import annotations

from ..base.diagnostics import InputError
from ..base.patterns import regex
from ..c.rewrite.rewriting import Rewriting
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing, directive_lines, directive_pattern, next_token, statement_end
from ..directives.combined import spell_clause, split
from ..directives.parser import parse_directive

_SECTIONS, _SECTION = directive_pattern(r"sections\b[^\n]*"), directive_pattern(r"section\b[^\n]*")
_NO_SPACE = regex(r"\S")
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


def with_section_blocks(pre: Preprocessed) -> Preprocessed:
    """The text in which braces are around the statements of a section with several (OpenMP 5.1, section 2.10.1)."""
    rewriting = Rewriting(pre)
    for directive in reversed(list(directive_lines(_SECTIONS, pre.text))):  # inner ones first
        for low, high in reversed(_long_sections(rewriting.text, directive.end())):
            rewriting.replace(low, high, ["{", (low, high), "}"])
    return rewriting.done()


def _behind_space(text: str, at: int) -> int:
    found = _NO_SPACE.search(text, at)
    return found.start() if found is not None else len(text)


def _long_sections(text: str, place: int) -> list[tuple[int, int]]:
    """The sections of several statements in the block that begins behind a place."""
    at = next_token(text, place)
    if text[at : at + 1] != "{":
        return []
    end, at = closing(text, at) - 1, at + 1
    found, begin, statements = list[tuple[int, int]](), at, 0
    while (start := _behind_space(text, at)) < end:
        line = text.rfind("\n", 0, start) + 1
        if text[start] != "#":
            at, statements = statement_end(text, start), statements + 1
            continue
        if _SECTION.match(text, line):
            found += [(begin, at)] if statements > 1 else []
        at = text.find("\n", start)
        if _SECTION.match(text, line):
            begin, statements = at + 1, 0
    return [*found, (begin, at)] if statements > 1 else found
