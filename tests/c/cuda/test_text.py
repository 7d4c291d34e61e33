"""Parentheses of printed C++ expressions, and what is known of an expression besides its text."""

from __future__ import annotations

import pytest

from rex_build.c.cuda import text as ct

A, B, C = ct.name("a"), ct.name("b"), ct.name("c")
SUM = ct.binary("+", A, B)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (ct.binary("-", A, ct.binary("-", B, C)), "a - (b - c)"),
        (ct.binary("-", ct.binary("-", A, B), C), "a - b - c"),
        (ct.binary("*", SUM, C), "(a + b) * c"),
        (ct.binary("&", SUM, C), "(a + b) & c"),
        (ct.binary("<<", A, SUM), "a << (a + b)"),
        (ct.binary("==", ct.prefix("!", A), B), "(!a) == b"),
        (ct.binary("||", ct.binary("&&", A, B), C), "(a && b) || c"),
        (ct.prefix("-", ct.prefix("-", A)), "-(-a)"),
        (ct.prefix("&", ct.prefix("&", A)), "&(&a)"),
        (ct.prefix("-", ct.number(-1)), "-(-1)"),
        (ct.Cast("int", SUM), "(int)(a + b)"),
        (ct.Cast("int", ct.Cast("long", A)), "(int)(long)a"),
        (ct.element(SUM, SUM), "(a + b)[a + b]"),
        (ct.member(ct.prefix("*", A), "x"), "(*a).x"),
        (ct.member(A, "x", "->"), "a->x"),
        (ct.call("f", ct.comma([A, B]), C), "f((a, b), c)"),
        (ct.ternary(ct.assignment(A, "=", B), B, ct.comma([A, C])), "(a = b) ? b : (a, c)"),
        (ct.braced("struct s", ct.braces(["1", "2"])), "(struct s){1, 2}"),
        (ct.braced("struct s", ct.call("f", A)), "f(a)"),
    ],
)
def test_parentheses_follow_precedence(expression: ct.Text, text: str) -> None:
    assert expression.text == text


def test_a_cast_knows_its_type_whatever_its_text_begins_with() -> None:
    assert ct.is_cast_to(ct.Cast("int", A), "int")
    assert not ct.is_cast_to(ct.Cast("int", A), "long")
    assert not ct.is_cast_to(ct.binary("+", ct.Cast("int", A), B), "int")  # its text begins like the cast's
