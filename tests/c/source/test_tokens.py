"""Where brackets, arguments and statements end in preprocessed text."""

from __future__ import annotations

import pytest

from rex_build.c.source.tokens import (
    arguments_at,
    closing,
    closing_paren,
    directive_pattern,
    flat,
    label_in,
    next_token,
    outside_literals,
    separated,
    statement_end,
    unclosed,
)


@pytest.mark.parametrize(
    ("text", "end"), [("(a)b", 3), ("((a)(b))c", 8), ('(")")x', 5), ("(')')x", 5), ("(a", 2), ("x(y)z", 4)]
)
def test_closing_paren(text: str, end: int) -> None:
    assert closing_paren(text, 0) == end


@pytest.mark.parametrize("text", ["{ a[1]; }", "(a, (b))", '{ f("}"); }', "{ x = '}'; }", "{\n#pragma omp x(}\n}"])
def test_closing(text: str) -> None:
    assert closing(f"{text} }}", 0) == len(text)


def test_arguments() -> None:
    text = 'f(a, g(b, c), ",", (int[]){1, 2})'
    assert [text[low:high].strip() for low, high in arguments_at(text, 1)] == ["a", "g(b, c)", '","', "(int[]){1, 2}"]
    assert arguments_at("f(a, b", 1) == []
    assert arguments_at("f()", 1) == [(2, 2)]


def test_parts_outside_of_brackets() -> None:
    assert separated("+ : struct { int a : 3; } : out = f(a ? b : c) : x", ":", 3)[2] == "out = f(a ? b : c) : x"
    assert separated("a, ',', [b, c]", ",") == ["a", "','", "[b, c]"]
    assert flat("a[i, j] + 'x' < (b)") == "a[    ] + 000 < ( )"
    assert unclosed("f(a, (b), [c", 0, 12) == [1, 10]


def test_literals_hide_what_is_in_them() -> None:
    found = outside_literals("[;]").finditer("a = \";\"; c = ';';")
    assert [match.start() for match in found if match["found"]] == [7, 16]


def test_directives() -> None:
    text = "int a;\n  # pragma  omp  target map(a)\n#pragma ompx target\n#pragma omp task\n"
    assert [match[1] for match in directive_pattern(r"([^\n]*)").finditer(text)] == ["target map(a)", "task"]


STATEMENTS = [
    "x = 1;",
    ";",
    "{ if (a) { b; } }",
    "if (a) b; else if (c) { d; } else e;",
    "for (int i = 0; i < n; ++i) { x[i] = '}'; }",
    "while (a) do b; while (c);",
    "do { a; } while (b);",
    "switch (a) { case 1: b; default: c; }",
    "case 1: a;",
    "case ':': a;",
    "case (a ? 1 : 2): b;",
    "case N ? 1 : 2: b;",
    "default: a;",
    "label: other: for (;;) ;",
    "return (struct s){ .a = 1; }.a;",
    "int a[] = { 1, 2 }, b;",
    "f(\";\", ';');",
    "#pragma omp parallel for private(x)\n#pragma omp tile sizes(2)\nfor (;;) { ; }",
    "{\n#pragma omp critical (name\n}",
    "({ a; b; });",
    "__extension__ ({ a; });",
    "größe = 1;",
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statement_end(statement: str) -> None:
    text = f"  {statement}\n  next = 2; }}"
    assert text[: statement_end(text, 0)] == f"  {statement}"
    assert next_token(text, len(statement) + 2) == text.index("next")


def test_a_label_at_the_end_of_a_block() -> None:
    text = "{ a; label: } b;"
    assert statement_end(text, text.index("label")) == text.index("}")


@pytest.mark.parametrize(
    ("statements", "label"),
    [
        ("again: x = 1;", "again"),
        ("\n#pragma omp parallel\nagain: ;", "again"),
        ("{ x = 1; out : ; }", "out"),
        ("if (x) out: y = 1;", "out"),
        ("if (f(x)) y = 1; else out: y = 2;", "out"),
        ("do out: y++; while (y);", "out"),
        ("switch (x) { case 0: out: ; }", "out"),
        ("case 1 ? 2 : 3: x = 1;", "case"),
        ("default: x = 1;", "default"),
        ("for (;;) case 4: x = 1;", "case"),
        ("switch (x) { case 'a': case 2: y = 1; break; default: y = 2; }", None),
        ("x = a ? b ? c : d : e;", None),
        ("x = a ? (int)b : (c) ? d : f(e);", None),
        ('f("; out:"); x = _Generic(x, int: 1, default: 2);', None),
    ],
)
def test_label_in(statements: str, label: str | None) -> None:
    text = f"before: {{ {statements}}}"
    assert label_in(text, text.index("{") + 1, len(text) - 1) == label
