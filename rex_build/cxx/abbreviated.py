"""Parameters of templates that have no names get some, because kernels are templates with the same parameters.

Such are ``class = std::enable_if_t<...>``, and those of abbreviated function templates of C++20, ``void f(auto x)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.patterns import regex
from ..c.rewrite.rewriting import Respelling, respelled
from ..c.source.preprocess import Preprocessed
from ..c.source.tokens import closing, next_token
from . import libclang
from .templates import before_default, specifiers
from .text_constructs import qualified_at, typedef_before
from .unit import Unit

_AUTO = regex(
    r"(?:(?<![\w:])(?P<concept>(?!const\b|volatile\b)(?:::)?[A-Za-z_][\w:]*(?:<[^<>]*>)?)\s+)?\bauto\b(?P<pack>\s*&{0,2}\s*\.\.\.)?"
)
_UNNAMED = regex(r"\b(?P<key>struct|union|class|enum)\s*\{")


def with_named_types(pre: Preprocessed) -> Preprocessed:
    """The text with names for the types of variables that are declared with them: ``struct { int n; } s;``"""
    edits: list[Respelling] = []
    for match in pre.in_own_parts(_UNNAMED):
        end = closing(pre.text, match.end() - 1)
        while pre.text[end : end + 1].isspace() or pre.text[end : end + 1] in ("*", "&"):
            end += 1
        has_names = qualified_at(pre.text, end) not in ("", "const", "volatile")
        if has_names and typedef_before(pre.text, match.start()) == match.start():
            at = match.end("key")
            edits.append((at, at, f" rex_unnamed_{len(edits) + 1}"))
    return respelled(pre, edits)


def with_names(unit: Unit) -> Preprocessed:
    """The unit's text with names for all parameters of the templates around regions and user's reductions."""
    edits: list[Respelling] = []
    around: dict[int, Any] = {}
    for construct in unit.constructs:
        counts = construct.directive.is_target or construct.directive.name == "declare reduction"
        function = unit.function_at(construct.start) if counts else None
        cursors = [function.cursor, function.cursor.semantic_parent] if function is not None else []
        around.update((cursor.hash, cursor) for cursor in cursors if function is not None and function.is_template)
    for parameter in (p for cursor in around.values() for p in unit.template_parameters(cursor) if not p.spelling):
        start, end = unit.extent(parameter)
        at = start + len(before_default(unit.text[start:end]))
        dots = next_token(unit.text, at)
        at = dots + 3 if unit.text.startswith("...", dots) else at
        if not unit.text[start:at].endswith(")"):  # a pointer to a function, whose name stands inside
            edits.append((at, at, f" rex_parameter_{len(edits) + 1}"))
    return respelled(unit.pre, sorted(edits))


def with_parameters(unit: Unit) -> Preprocessed:
    """The unit's text with named parameters for every ``auto`` in the heads of the user's functions."""
    edits: dict[int, list[Respelling]] = {}
    stack = [unit.tu.cursor]
    k = unit.kinds
    while stack:
        for child in unit.own_children(stack.pop()):
            if child.kind == k.FUNCTION_TEMPLATE:
                edits.setdefault(child.location.offset, list(_of(unit, child)))
            elif child.kind in (*unit.classes, k.NAMESPACE, k.LINKAGE_SPEC, k.UNEXPOSED_DECL, k.FRIEND_DECL):
                stack.append(child)
    return respelled(unit.pre, sorted(edit for found in edits.values() for edit in found))


def _of(unit: Unit, cursor: Any) -> Iterator[Respelling]:
    text = unit.text
    parameters: list[str] = []
    for child in libclang.children(cursor):
        if child.kind != unit.kinds.PARM_DECL or "auto" not in child.type.spelling:
            continue
        start, end = unit.extent(child)
        match = _AUTO.search(text, start, end)
        if match is None:
            continue
        name = f"rex_type_{len(parameters) + 1}"
        parameters.append(f"{match['concept'] or 'class'}{'...' if match['pack'] else ''} {name}")
        yield match.start(), match.end() - len(match["pack"] or ""), name
    if not parameters:
        return
    own = [unit.extent(c)[1] for c in unit.template_parameters(cursor)]
    outside = cursor.semantic_parent.canonical != cursor.lexical_parent.canonical
    if own and not outside:
        yield max(own), max(own), "".join(f", {parameter}" for parameter in parameters)
        return
    before = max(text.rfind(mark, 0, unit.place(cursor.location)) for mark in ";{}")
    at = next_token(text, before + 1)  # libclang says nowhere where such a declaration begins
    while (word := qualified_at(text, at)) in ("public", "private", "protected"):
        at = next_token(text, next_token(text, at + len(word)) + 1)
    at = specifiers(text, at)
    yield at, at, f"template <{', '.join(parameters)}> "
