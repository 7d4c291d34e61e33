"""Parsing directives without a C file around them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from pycparser import c_ast

from rex_build.base.diagnostics import SourceSpan
from rex_build.directives.__main__ import parse_expression
from rex_build.directives.model import Directive
from rex_build.directives.parser import parse_directive

FILE = "stencil.c"
LINE = 12


def locate(start: int, end: int) -> SourceSpan:
    return SourceSpan(FILE, LINE, start + 1, max(1, end - start))


def parse(text: str) -> Directive:
    return parse_directive(text, locate, parse_expression)


def parse_quickly(text: str) -> Directive:
    """As :func:`parse`, with expressions left unparsed."""
    return parse_directive(text, locate, lambda expression, _span: c_ast.ID(expression))


def meaning(value: object) -> object:
    """A parsed value without its places."""
    if is_dataclass(value):
        names = [f.name for f in fields(value) if f.name not in {"span", "node", "error", "at"}]
        kept = {name: meaning(getattr(value, name)) for name in names}
        return (type(value).__name__, tuple(kept.items()))
    if isinstance(value, tuple):
        return tuple(meaning(one) for one in value)
    return value
