"""Host expressions as values: what they know about themselves, and how they are printed."""

from __future__ import annotations

from itertools import product as product_of

import pytest
from pycparser import c_ast
from pycparser.c_parser import CParser

from rex_build.base.precedence import BINARY, PRIMARY
from rex_build.c.cuda import text as ct
from rex_build.plan.host_expression import (
    ONE,
    ZERO,
    AddressOf,
    Binary,
    Call,
    Cast,
    Conditional,
    HostExpression,
    Index,
    Member,
    Not,
    Number,
    Shaped,
    SizeOf,
    Target,
    Variable,
    Written,
    element_count,
    product,
)

A, N, P = Variable("a"), Variable("n"), Variable("p")
SUM = Written(("n + 1",), frozenset({"n"}), BINARY["+"])


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (Number(-1), "-1"),
        (Binary("-", N, Number(-1)), "n - -1"),
        (Index(Member(Target(P), "v"), SUM), "(*p).v[n + 1]"),
        (Member(Index(P, ZERO), "q", arrow=True), "p[0]->q"),
        (AddressOf(Member(P, "q", arrow=True)), "&p->q"),
        (Index(Cast("int *", P), ONE), "((int *)p)[1]"),
        (Cast("long long", SUM), "(long long)(n + 1)"),
        (Cast("void *", AddressOf(A)), "(void *)&a"),
        (Not(SUM), "!(n + 1)"),
        (Not(N), "!n"),
        (SizeOf("void *"), "sizeof(void *)"),
        (element_count(A), "sizeof(a) / sizeof(a[0])"),
        (product([SUM, N, ONE]), "(n + 1) * n * 1"),
        (Binary("-", N, Binary("-", N, ONE)), "n - (n - 1)"),
        (Binary("-", Binary("-", N, ONE), ONE), "n - 1 - 1"),
        (Binary("/", N, product([N, N])), "n / (n * n)"),
        (Binary("<", N, SUM), "n < (n + 1)"),
        (Binary("&&", Binary("<", N, ONE), Call("f", (N,))), "(n < 1) && f(n)"),
        (Conditional(Binary(">", N, ONE), SUM, Conditional(N, ONE, ZERO)), "(n > 1) ? (n + 1) : (n ? 1 : 0)"),
        (Call("f", (Written(("n, 2",), frozenset("n"), 1), SUM)), "f((n, 2), n + 1)"),
        (Shaped("double", (N, SUM), P), "(*(double (*)[n][n + 1])p)"),
        (Written((P, "->x + 2 * ", N, "(", Member(P, "f"), ")"), frozenset()), "p->x + 2 * n(p.f)"),
        (Written(("2 * ", SUM), frozenset()), "2 * (n + 1)"),
    ],
)
def test_printing(expression: HostExpression, text: str) -> None:
    assert str(expression) == text


def test_both_printers_keep_the_nesting_of_operators() -> None:
    a, b, c = (Variable(name) for name in "abc")
    x, y, z = (ct.name(name) for name in "abc")
    for outer, inner in product_of(BINARY, repeat=2):
        for text in (str(Binary(outer, Binary(inner, a, b), c)), ct.binary(outer, ct.binary(inner, x, y), z).text):
            tree = _parsed(text)
            assert (tree.op, tree.left.op, tree.right.name) == (outer, inner, "c"), text
        for text in (str(Binary(outer, a, Binary(inner, b, c))), ct.binary(outer, x, ct.binary(inner, y, z)).text):
            tree = _parsed(text)
            assert (tree.op, tree.left.name, tree.right.op) == (outer, "a", inner), text


def _parsed(text: str) -> c_ast.BinaryOp:
    init = CParser().parse(f"int v = {text};").ext[0].init
    assert isinstance(init, c_ast.BinaryOp)
    return init


def test_constants_know_their_value() -> None:
    assert Number(3).value == 3
    assert Written(("0x10",), frozenset(), PRIMARY, 16).value == 16
    assert [e.value for e in (N, SUM, SizeOf("int"), Binary("+", ONE, ONE))] == [None] * 4


def test_equality_is_of_what_is_meant() -> None:
    assert Index(A, ZERO) == Index(Variable("a"), Number(0))
    assert Index(A, ZERO) != Index(A, ONE)
    assert Binary("+", A, N) != Binary("-", A, N)
    assert len({Cast("void *", A), Cast("void *", A), Cast("char *", A)}) == 2


def test_names_are_those_of_all_parts() -> None:
    assert Binary("*", Index(A, SUM), SizeOf(Index(P, ZERO))).names == {"a", "n", "p"}
    assert Written((Member(P, "a"), " + n"), frozenset({"n"})).names == {"p", "n"}
    assert Number(1).names == frozenset()


def test_addresses_are_of_variables_not_of_what_they_point_to() -> None:
    assert AddressOf(A).addressed == {"a"}
    assert Cast("void *", AddressOf(Member(A, "x"))).addressed == {"a"}
    assert AddressOf(Index(P, ZERO)).addressed == frozenset()
    assert AddressOf(Member(P, "x", arrow=True)).addressed == frozenset()
    assert AddressOf(Target(P)).addressed == frozenset()
    assert A.addressed == frozenset()
