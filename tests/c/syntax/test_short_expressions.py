"""Expressions of one token, which are not handed to the parser."""

from __future__ import annotations

import pytest
from pycparser import c_ast
from pycparser.c_parser import ParseError

from rex_build.c.syntax.parser import ExpressionParser

_NUMBERS = ("0", "7", "10", "010", "0x1f", "1u", "९")
_WORDS = ("name", "T", "L", "int", "sizeof", "_Bool", "true", "nullptr", "asm", "typeof", "__thread", "__real__")
_MORE = ("__int128_t", "__builtin_va_list", "_Complex", "_Float64")


def _said(node: c_ast.Node) -> tuple[object, ...]:
    return type(node), *(getattr(node, name) for name in node.attr_names), str(node.coord)


@pytest.mark.parametrize("c23", [False, True])
@pytest.mark.parametrize("text", [*_NUMBERS, *_WORDS, *_MORE])
def test_as_the_parser_reads_it(text: str, c23: bool) -> None:
    types = frozenset({"T"})
    parser = ExpressionParser(c23)
    parser.parse_expression("(T)1", types)  # from now on it knows the type
    try:
        expected = _said(parser.parse(text))
    except ParseError:
        with pytest.raises(ParseError):
            parser.parse_expression(text, types)
    else:
        assert _said(parser.parse_expression(text, types)) == expected
