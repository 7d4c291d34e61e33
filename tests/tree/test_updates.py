"""Which statements combine a variable with a value so that the order does not matter."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reading_c import read

from rex_build.tree.updates import Combining, statements


def combines(tmp_path: Path, kind: str, operator: str, text: str) -> bool:
    """Whether the statement of a function is an update of ``s``, of which every mention counts."""
    body = read(
        tmp_path,
        "double fmax(double, double); float fmaxf(float, float); int act(int);\n"
        f"void f({kind} s, int i, unsigned u, long l, short h, double d, float e, double *x, int *c) {{ {text} }}",
    )["f"]
    variable = body.parameters[0]
    found = Combining(variable, f"rex_{operator}", lambda function: function.name != "act")
    mentions = [m for statement in statements(body.statement) for m in found.mentions(statement)]
    return len(mentions) == text.count("s ") and len(mentions) > 0


@pytest.mark.parametrize(
    ("kind", "operator", "text"),
    [
        ("double", "add", "s += x[i] * 2;"),
        ("double", "add", "s -= x[i];"),
        ("double", "add", "s = x[i] + s ;"),
        ("double", "add", "s = s - e;"),
        ("double", "add", "if (i) { s += i; }"),
        ("float", "mul", "s *= e;"),
        ("int", "add", "s ++;"),
        ("int", "add", "s += l;"),
        ("short", "add", "s += c[i];"),
        ("unsigned char", "bxor", "s = s ^ u;"),
        ("int", "lor", "s = s || i > 3;"),
        ("int", "lor", "s = c[i] || s ;"),
        ("double", "max", "if (x[i] > s ) s = x[i];"),
        ("double", "max", "if (s <= x[i]) s = x[i];"),
        ("double", "max", "s = x[i] > s ? x[i] : s ;"),
        ("double", "max", "s = fmax(s , x[i]);"),
        ("double", "max", "if (e > s ) s = e;"),
        ("float", "max", "s = fmaxf(e, s );"),
        ("int", "min", "s = s < c[i] ? s : c[i];"),
        ("int", "max", "if (s < h) s = h;"),
        ("double", "max", "if (l > s ) s = l;"),
        ("unsigned", "max", "if (c[i] > s ) s = c[i];"),
    ],
)
def test_updates(tmp_path: Path, kind: str, operator: str, text: str) -> None:
    assert combines(tmp_path, kind, operator, text)


@pytest.mark.parametrize(
    ("kind", "operator", "text"),
    [
        ("int", "add", "s += x[i];"),
        ("int", "add", "s = s + 0.5;"),
        ("float", "add", "s += d;"),
        ("int", "add", "s = (char)(s + i);"),
        ("_Bool", "add", "s += i;"),
        ("double", "mul", "s += x[i];"),
        ("double", "add", "s = x[i] - s ;"),
        ("double", "add", "s += x[i++];"),
        ("double", "add", "s += act(i);"),
        ("double", "add", "s += s ;"),
        ("double", "add", "c[0] = (s += 1);"),
        ("volatile int", "add", "s += 1;"),
        ("int", "lor", "s = s || c[i];"),
        ("int", "lor", "s = s || (c[0] = 1);"),
        ("int", "lor", "s |= i;"),
        ("double", "max", "s = s > x[i] ? s : x[i];"),
        ("double", "max", "if (x[i] < s ) s = x[i];"),
        ("double", "max", "if (x[i] > s ) s = x[i + 1];"),
        ("double", "max", "if (x[i] > s ) { s = x[i]; c[0] = i; }"),
        ("float", "max", "if (d > s ) s = d;"),
        ("int", "max", "if (c[i++] > s ) s = c[i++];"),
        ("int", "max", "if (u > s ) s = u;"),
        ("short", "max", "if (i > s ) s = i;"),
        ("int", "max", "s = fmax(s , i);"),
        ("int", "max", "if (l > s ) s = l;"),
    ],
)
def test_no_updates(tmp_path: Path, kind: str, operator: str, text: str) -> None:
    assert not combines(tmp_path, kind, operator, text)


def test_a_function_of_the_users_own_may_do_something_else(tmp_path: Path) -> None:
    body = read(
        tmp_path, "double fmax(double a, double b) { return a - b; } void f(double s, double d) { s = fmax(s, d); }"
    )["f"]
    found = Combining(body.parameters[0], "rex_max", lambda _: True)
    assert not any(found.mentions(statement) for statement in statements(body.statement))
