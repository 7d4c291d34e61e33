"""Rare forms of text, loops and constructs as usual ones, before the unit is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..base.diagnostics import InputError
from ..base.patterns import regex
from ..c.rewrite.rewriting import Respelling, Rewriting, respelled
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import (
    behind_space,
    closing,
    directive_lines,
    directive_pattern,
    is_decimal,
    next_token,
    statement_end,
)
from ..directives.combined import spell_clause, split
from ..directives.parser import parse_directive
from ..openmp.canonical import MIRROR
from ..openmp.launch import LOOP_LEAVES, expression
from . import libclang
from .dynamic_types import inside
from .loops import associated_loops, collapse_of
from .reading import clang
from .unit import Unit

_ACTS = ("(", "{", "++", "--", "=")  # what two evaluations of a range might do twice
# The whole number that a loop with a bound of a floating type ends at, by the relation of its condition.
_WHOLE = {"<": "__builtin_ceil", ">=": "__builtin_ceil", "<=": "__builtin_floor", ">": "__builtin_floor"}
_SECTIONS, _SECTION = directive_pattern(r"sections\b[^\n]*"), directive_pattern(r"section\b[^\n]*")
_COMBINED = directive_pattern(r"((?:\w+[ \t]+)+(?:sections|masked|master|taskloop)\b[^\n]*)")
_LITERAL = regex(
    r"(?<!\w)(?P<prefix>u8|[uUL])?R\"(?P<mark>[^()\\\s\"]*)\((?P<body>.*?)\)(?P=mark)\""
    r"|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'",
    re.DOTALL,
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "?": "\\?"}


def with_plain_nests(unit: Unit) -> Preprocessed:
    """The unit's text with loops that every host compiler takes and device code can count: those over iterators as
    loops that count (OpenMP 5.0, section 2.9.1).

    for (auto &x : v)   ->   for (auto rex_at_1 = (v).begin(); rex_at_1 != (v).end(); ++rex_at_1) { auto &x = *rex_at_1;
        statement                statement }

    It has plain numbers in ``collapse``, which gcc would not know in a template, and whole numbers as bounds: gcc 12
    takes none of a floating type.
    """
    ranges: list[Respelling] = []
    numbers: set[Respelling] = set()
    for construct in unit.constructs:
        if LOOP_LEAVES.isdisjoint(construct.directive.constructs):
            continue
        depth = collapse_of(unit, construct)
        number = expression(construct.directive.clauses, "collapse")
        if number is not None and not is_decimal(number.text):
            numbers.add((*number.at, str(depth)))
        for loop in associated_loops(unit, construct, depth):
            if loop.kind == unit.kinds.CXX_FOR_RANGE_STMT:
                ranges += _over_iterators(unit, loop, unit.extent(loop)[0], len(ranges) // 2 + 1)
            else:
                numbers.update(_whole(unit, loop))
    return respelled(unit.pre, sorted([*ranges, *numbers]))


def _whole(unit: Unit, loop: Any) -> Iterator[Respelling]:
    """A whole number as the bound of a loop, if it is of the type float or double."""
    condition = next((c for c in libclang.children(loop)[1:2] if c.kind == unit.kinds.BINARY_OPERATOR), None)
    if condition is None or (relation := clang.binary(condition)) not in _WHOLE:
        return
    floats = (unit.types.FLOAT, unit.types.DOUBLE)
    sides = [inside(side) for side in libclang.children(condition)]
    bounds = [number for number, side in enumerate(sides) if side.type.get_canonical().kind in floats]
    if len(bounds) == 1:
        start, end = unit.extent(sides[bounds[0]])
        whole = _WHOLE[relation if bounds[0] else MIRROR[relation]]
        yield start, end, f"static_cast<long long>({whole}({unit.text[start:end]}))"


def _over_iterators(unit: Unit, loop: Any, at: int, number: int) -> Iterator[Respelling]:
    """The two edits of a loop, or none if its range is no place: its analysis says so then."""
    text, name = unit.text, f"rex_at_{number}"
    body = closing(text, text.index("(", at))
    _, value, *_ = (child for child in libclang.children(loop) if not child.kind.is_statement())
    colon = text.rindex(":", at, unit.extent(value)[0])
    declared, place = text[text.index("(", at) + 1 : colon].strip(), text[colon + 1 : body - 1].strip()
    if ";" in declared or any(mark in place for mark in _ACTS):
        return
    kind = value.type.get_canonical()
    if kind.kind == unit.types.CONSTANTARRAY:
        first, last = f"&({place})[0]", f"&({place})[0] + {kind.element_count}"
    elif kind.kind == unit.types.RECORD:
        first, last = f"({place}).begin()", f"({place}).end()"
    else:
        first, last = f"std::begin({place})", f"std::end({place})"
    head = f"(auto {name} = {first}; {name} != {last}; ++{name}) {{ {declared} = *{name};"
    lines = "\n" * text.count("\n", at, body)
    yield text.index("(", at), body, head + lines
    end = statement_end(text, body)
    yield end, end, " }"


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


def _long_sections(text: str, place: int) -> list[tuple[int, int]]:
    """The sections of several statements in the block that begins behind a place."""
    at = next_token(text, place)
    if text[at : at + 1] != "{":
        return []
    end, at = closing(text, at) - 1, at + 1
    found, begin, statements = list[tuple[int, int]](), at, 0
    while (start := behind_space(text, at)) < end:
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


def without_raw_strings(pre: Preprocessed) -> Preprocessed:
    """The text with an ordinary literal, and as many empty lines as it had, for each raw one of the user's."""
    if 'R"' not in pre.text:
        return pre
    edits: list[Respelling] = []
    for match in _LITERAL.finditer(pre.text):
        body = match["body"]
        if body is not None and not pre.origin_of(pre.line_at(match.start()))[0].system:
            text = "".join(_ESCAPES.get(char, char) for char in body)
            lines = "\n" * match[0].count("\n")
            edits.append((match.start(), match.end(), f'{match["prefix"] or ""}"{text}"{lines}'))
    return respelled(pre, edits)
