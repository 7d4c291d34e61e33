"""Function objects in place of lambda expressions whose values are arguments of templates: kernels name these.

    each<[](int x) { return 2 * x; }>(p, n);   ->   each<rex_function_1{}>(p, n);

    and in front of the function, for this unit alone:

    namespace { struct rex_function_1 { constexpr auto operator()(int x) const { return 2 * x; } }; }
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..base.patterns import regex
from ..c.rewrite.rewriting import Respelling, respelled
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing, has_word
from . import libclang
from .closures import head_of
from .functions import Function
from .templates import Surroundings
from .text_constructs import opening_of, qualifier_before
from .unit import Unit

_VALUES = regex(r"\btemplate\s*<[^;{}()]*\bauto\b")
_PAIRS = {")": "()", "]": "[]", "}": "{}", ">": "<>"}


def with_function_objects(unit: Unit) -> Preprocessed:
    """The unit's text with such objects, where templates of it have values of any type as parameters."""
    if not any(unit.pre.in_own_parts(_VALUES)):
        return unit.pre
    edits: list[Respelling] = []
    for number, (place, made) in enumerate(_arguments(unit), 1):
        start, end = unit.extent(made)
        parts = libclang.children(made)
        body = next(unit.extent(c)[0] for c in parts if c.kind == unit.kinds.COMPOUND_STMT)
        parameters, template = head_of(unit.text[closing(unit.text, start) : body], is_mutable=False)
        name = f"rex_function_{number}"
        method = f"{template}constexpr auto operator(){parameters} {unit.text[body:end]}"
        edits.append((place, place, f"namespace {{ struct {name} {{ {' '.join(method.split())} }}; }} "))
        edits.append((start, end, f"{name}{{}}" + "\n" * unit.text.count("\n", start, end)))
    return respelled(unit.pre, sorted(edits))


def _arguments(unit: Unit) -> Iterator[tuple[int, Any]]:
    """Such expressions, each with the place where something can stand in front of what it is in."""
    for function in unit.functions:
        for made in _lambdas(unit, function.cursor):
            if _is_argument(unit.text, unit.extent(made)[0]):
                around = Surroundings(unit, function)
                if not _names_other(unit, function, around, *unit.extent(made)):
                    yield around.outside, made
    for variable in unit.globals:
        if variable.constant and variable.start >= 0 and not unit.is_static_member(variable):
            for made in _lambdas(unit, variable.cursor)[:1]:
                used = re.finditer(rf"\b{variable.name}\s*[,>]", unit.text)
                if any(_is_argument(unit.text, qualifier_before(unit.text, m.start())) for m in used):
                    yield variable.start, made


def _lambdas(unit: Unit, around: Any) -> list[Any]:
    """The lambda expressions of a declaration without captures and directives, the outermost first."""
    found = (c for c in libclang.descendants(around) if c.kind == unit.kinds.LAMBDA_EXPR)
    plain = regex(r"\[\s*\][^#]*")
    return [c for c in found if plain.fullmatch(unit.text, *unit.extent(c))]


def _is_argument(text: str, place: int) -> bool:
    """Whether what begins at a place is an argument of a template."""
    at = place - 1
    while at >= 0 and text[at] not in "<([{;":
        if text[at] in ")]}" or (text[at] == ">" and text[at - 1] not in "-="):
            at = opening_of(text, at, _PAIRS[text[at]])
        at -= 1
    return text[at] == "<" and text[:place].rstrip()[-1:] in "<,"


def _names_other(unit: Unit, function: Function, around: Surroundings, start: int, end: int) -> bool:
    """Whether an expression names what means something only in its function: variables, types and parameters of it,
    members of its class."""
    mentions = function.mentions
    variables = (r.variable for r in function.references(start, end))
    if any(v.is_local and not start <= v.start < end for v in variables):
        return True
    names = {*(v.name for _, v in mentions.local_types), *(name.removesuffix("...") for name, _ in around.parameters)}
    record = around.record
    while record is not None and record.kind in unit.classes:
        names.update(c.spelling for c in libclang.children(record.get_definition() or record))
        record = record.semantic_parent
    own = {name for name, places in mentions.variables.items() if any(start <= one[0] < end for one in places)}
    return has_word(unit.text[start:end], *(name for name in names - own if name.isidentifier()))
