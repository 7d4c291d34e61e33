"""Canonical loops: what of their heads the plan holds, how many iterations they have, and which are refused."""

from __future__ import annotations

import pytest
from analysis_support import plan, region

from rex_build.base.diagnostics import InputError

pytestmark = pytest.mark.compile

_LOOP = "#pragma omp target teams distribute parallel for"


def loop(head: str, declarations: str = "") -> str:
    return (
        f"void f(int n, int m, unsigned u, long s, double *a, double *e)\n{{\n    {declarations}\n"
        f"{_LOOP} map(tofrom: a[0:100])\n    for ({head})\n        a[0] = 1;\n}}\n"
    )


@pytest.mark.parametrize(
    ("head", "increasing", "relation", "step", "declared"),
    [
        ("int i = 0; i < n; i++", True, "<", 1, True),
        ("int i = 0; i < n; ++i", True, "<", 1, True),
        ("int i = 0; n > i; i += 1", True, "<", 1, True),
        ("int i = 0; i <= n; i = i + 3", True, "<=", 3, True),
        ("int i = 0; n >= i; i = 3 + i", True, "<=", 3, True),
        ("int i = n; i > 0; i--", False, ">", 1, True),
        ("int i = n; i >= 0; i -= 2", False, ">=", 2, True),
        ("int i = n; 0 < i; i = i - 2", False, ">", 2, True),
        ("int i = n; i > 0; i += -2", False, ">", 2, True),
        ("int i = 0; i != n; i++", True, "!=", 1, True),
        ("int i = n; i != 0; i--", False, "!=", 1, True),
        ("i = 0; i < n; i++", True, "<", 1, False),
        ("unsigned char i = 0; i < 200; i += 7", True, "<", 7, True),
        ("unsigned long i = 0; i < n; i += 1u", True, "<", 1, True),
        ("double *p = a; p < e; p++", True, "<", 1, True),
        ("double *p = a; p != e; p++", True, "!=", 1, True),
        ("int i = 0; i < n; i += m", True, "<", None, True),
        ("int i = n; i > 0; i -= m", False, ">", None, True),
        ("int i = 0; i < n + m * 2; i += 1 << 2", True, "<", 4, True),
    ],
)
def test_canonical(head: str, increasing: bool, relation: str, step: int | None, declared: bool) -> None:
    nest = region(loop(head, "int i; (void)i;" if not declared else "")).nest
    assert nest is not None
    (level,) = nest.levels
    assert (level.increasing, level.relation, level.declared) == (increasing, relation, declared)
    assert level.step_value == step
    assert (level.step is None) == (step is not None)


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("; n < m; n++", "initialisation"),
        ('_Static_assert(1, ""); n < m; n++', "initialisation"),
        ("int i = 0, j = 0; i < n; i++", "more than one variable"),
        ("double x = 0; x < n; x++", "integer nor pointer"),
        ("int i = 0; ; i++", "condition"),
        ("int i = 0; i; i++", "condition"),
        ("int i = 0; n < m; i++", "condition"),
        ("int i = 0; i == n; i++", "condition"),
        ("int i = 0; i < n && m; i++", "condition"),
        ("int i = 0; i < n;", "increment"),
        ("int i = 0; i < n; i *= 2", "increment"),
        ("int i = 0; i < n; i += 0", "increment 0"),
        ("int i = 0; i < n; n++", "increment"),
        ("int i = 0; i < n; i--", "steps away"),
        ("int i = n; i > 0; i += 2", "steps away"),
        ("int i = 0; i != n; i += 2", "'!='"),
        ("int i = 0; i != n; i += m", "'!='"),
    ],
)
def test_not_canonical(head: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        plan(loop(head))


def test_loops_over_enumerations_are_counted() -> None:
    """gcc 12 does not survive them in host code; clang compiles them."""
    found = region(
        """enum color { RED, GREEN = 3, BLUE = 9 };
        void f(enum color from, int *a) {
        #pragma omp target parallel for map(a[0:9])
        for (enum color c = from; c < BLUE; c++) a[c] = c; }"""
    )
    count = found.launch.trip_count
    assert count is not None
    assert {"from", "BLUE"} <= count.names


def test_trip_counts_are_exact() -> None:
    """The host's formula for the iterations against counting them, over small bounds and steps."""
    heads = []
    for relation, steps in (("<", (1, 2, 3)), ("<=", (1, 2, 3)), (">", (-1, -2, -3)), (">=", (-1, -2, -3))):
        heads += [f"int i = lo; i {relation} hi; i += {step}" for step in steps]
    heads += ["unsigned char i = lo & 255; i < (hi & 255); i += 3", "long i = lo; i != hi; i++"]
    text = "int lo, hi;\n"
    for number, head in enumerate(heads):
        text += f"void f{number}(int *a)\n{{\n{_LOOP}\n    for ({head}) a[0] = 1;\n}}\n"
    for found, head in zip(plan(text).regions, heads, strict=True):
        count = found.launch.trip_count
        assert count is not None
        for lo in range(-3, 4):
            for hi in range(lo if "!=" in head else -3, 4):
                assert evaluated(str(count), lo, hi) == counted(head, lo, hi), (head, lo, hi, count)


def counted(head: str, lo: int, hi: int) -> int:
    """The iterations of ``for (head)``."""
    if "char" in head:
        return len(range(lo & 255, hi & 255, 3))
    if "!=" in head:
        return hi - lo
    step = int(head.rsplit(" ", 1)[1])
    end = hi + (1 if step > 0 else -1) if "= hi" in head else hi
    return len(range(lo, end, step))


def evaluated(expression: str, lo: int, hi: int) -> int:
    """A C expression of 64-bit arithmetic without overflow."""
    import re

    from pycparser import c_ast
    from pycparser.c_parser import CParser

    text = re.sub(r"\((?:unsigned |signed )?(?:long long|long|int|char|unsigned)(?: int)?\)", "", expression)
    tree = CParser().parse(f"int x = {text};").ext[0].init

    def value(node: c_ast.Node) -> int:
        if isinstance(node, c_ast.Constant):
            return int(node.value.rstrip("uUlL"))
        if isinstance(node, c_ast.ID):
            return {"lo": lo, "hi": hi}[node.name]
        if isinstance(node, c_ast.TernaryOp):
            return value(node.iftrue) if value(node.cond) else value(node.iffalse)
        if isinstance(node, c_ast.UnaryOp):
            return {"-": -value(node.expr), "+": value(node.expr)}[node.op]
        assert isinstance(node, c_ast.BinaryOp)
        a, b = value(node.left), value(node.right)
        if node.op == "/":
            return int(a / b)
        compared = {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "!=": a != b}
        return {"+": a + b, "-": a - b, "*": a * b, "&": a & b, **compared}[node.op]

    return int(value(tree))
