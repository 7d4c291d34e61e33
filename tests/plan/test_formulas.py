"""Expressions as readers see them: with known sizes, without casts."""

from __future__ import annotations

import pytest

from rex_build.plan.host_expression import (
    BINARY,
    ZERO,
    Binary,
    Call,
    Cast,
    HostExpression,
    Index,
    Number,
    SizeOf,
    Variable,
    Written,
    element_count,
)
from rex_build.plan.listing import formula

N, A = Variable("n"), Variable("a")
ELEMENT = SizeOf(Index(A, ZERO), 8)
DIFFERENCE = Written(("hi - lo",), frozenset({"hi", "lo"}), BINARY["-"])


def times(left: HostExpression, right: HostExpression) -> HostExpression:
    return Binary("*", Cast("long long", left), Cast("long long", right))


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (times(N, ELEMENT), "8 * n"),
        (times(times(N, Number(3)), ELEMENT), "24 * n"),
        (times(DIFFERENCE, ELEMENT), "8 * (hi - lo)"),
        (DIFFERENCE, "hi - lo"),
        (times(Number(1), DIFFERENCE), "hi - lo"),
        (times(Number(4), ELEMENT), "32"),
        (SizeOf(A, 800), "800"),
        (SizeOf(A), "sizeof(a)"),
        (times(N, SizeOf(Index(A, ZERO))), "n * sizeof(a[0])"),
        (times(Cast("long long", Binary("/", SizeOf(A, 80), SizeOf(A, 8))), ELEMENT), "80"),
        (times(element_count(A), ELEMENT), ""),
        (Call("rex_rows_size", (N,)), ""),
        (times(Call("rex_rows_size", (N,)), ELEMENT), ""),
    ],
)
def test_a_formula_has_one_constant_factor_and_no_casts(expression: HostExpression, text: str) -> None:
    assert formula(expression) == text


def test_what_is_only_shown_makes_no_difference_between_sizes() -> None:
    assert SizeOf(A, 8) == SizeOf(A)
    assert hash(SizeOf(A, 8)) == hash(SizeOf(A))
