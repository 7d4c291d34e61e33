"""Errors in the user's code: message and place."""

from __future__ import annotations

from pathlib import Path

import pytest
from sema_support import analyse

from rex_build.base.diagnostics import InputError

PRELUDE = "struct p { int x; };\n"


@pytest.mark.parametrize(
    ("code", "message", "column"),
    [
        ("missing + 1;", "'missing' is not declared", 1),
        ("s.zz = 1;", "'struct p' has no member named 'zz'", 3),
        ("ps->zz = 1;", "'struct p' has no member named 'zz'", 5),
        ("ps.x = 1;", "member 'x' of 'struct p *', not a structure or union; use '->'", 4),
        ("s->x = 1;", "'->' needs a pointer to a structure, this is a 'struct p'", 4),
        ("n->x = 1;", "'->' needs a pointer to a structure, this is a 'int'", 4),
        ("*n = 1;", "'*' needs a pointer, this is a 'int'", 2),
        ("n[0] = 1;", "subscripted value is neither array nor pointer", 1),
        ("ps[1.0];", "array subscript is not an integer", 4),
        ("n(1);", "called object is not a function", 1),
        ("n = s + 1;", "invalid operands to '+' (have 'struct p' and 'int')", 5),
        ("n = -s;", "invalid operands to '-' (have 'struct p')", 6),
        ("inc->x = 1;", "member 'x' of the incomplete type 'struct incomplete'", 6),
        ("n ? s : n;", "the branches of '?:' have the types 'struct p' and 'int'", 1),
        ("_Generic(n, double: 1);", "_Generic has no association for type 'int'", 1),
        ("struct { struct incomplete x[2]; } y;", "member 'x' has the incomplete type 'struct incomplete [2]'", 28),
        ("struct { int b : -1; } y;", "the width of bit-field 'b' is not valid", 19),
        ("enum { E = n };", "the value of enumerator 'E' is not an integer constant", 12),
        ("int a[-1];", "the size of an array is negative", 8),
    ],
)
def test_place_and_message(tmp_path: Path, code: str, message: str, column: int):
    source = tmp_path / "source.c"
    source.write_text(f"{PRELUDE}void f(int n, struct p s, struct p *ps, struct incomplete *inc) {{\n{code}\n}}\n")
    with pytest.raises(InputError) as caught:
        analyse(source.read_text(), str(source))
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.message == message
    assert diagnostic.span is not None
    assert (diagnostic.span.line, diagnostic.span.column) == (3, column)


def test_errors_in_clauses_point_into_the_pragma():
    text = "void f(int n, double *x) {\n#pragma omp target map(to: x[0:missing])\n{ x[0] = n; }\n}"
    with pytest.raises(InputError) as caught:
        analyse(text)
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.message == "'missing' is not declared"
    assert diagnostic.span is not None
    assert diagnostic.span.line == 2


def test_unsupported_types_are_refused():
    with pytest.raises(InputError, match="is not a type"):
        analyse("void f(void) { long float x; }")
