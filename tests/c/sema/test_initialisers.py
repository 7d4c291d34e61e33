"""What initialisers initialise."""

from __future__ import annotations

import pytest
from pycparser import c_ast
from sema_support import analyse, body, gcc_errors

from rex_build.base.diagnostics import InputError
from rex_build.c.sema import Sema
from rex_build.c.sema.ctype import Array, CType, Field, declare, sizeof, strip

TYPES = """
struct p { int x; double y; };
struct q { struct p a, b; char s[4]; union { float f; long l; }; int tail; };
union u { int i; double d; };
"""


def _path(sema: Sema, item: c_ast.Node) -> str:
    steps = (f".{s.name or '?'}" if isinstance(s, Field) else f"[{s}]" for s in sema.initialiser_path(item))
    return "".join(steps)


def _part(t: CType, sema: Sema, item: c_ast.Node) -> CType:
    """The part of an object of type ``t`` that an item of its list initialises."""
    for step in sema.initialiser_path(item):
        assert isinstance(step, Field) or isinstance(t, Array)
        t = step.type if isinstance(step, Field) else t.of
    return strip(t)


def _items(text: str) -> list[str]:
    """``path: type`` of each item of the initialiser of ``v`` in order, inner lists flattened."""
    sema = analyse(f"{TYPES} void f(void) {{ int i; double d; struct p pt; struct q qq; {text}; }}")
    decl = next(n for n in body(sema).block_items if getattr(n, "name", None) == "v")
    found: list[str] = []

    def collect(node: c_ast.Node, whole: CType, prefix: str) -> None:
        for item in node.exprs:
            expr = item.expr if isinstance(item, c_ast.NamedInitializer) else item
            path = prefix + _path(sema, item)
            if isinstance(expr, c_ast.InitList):
                collect(expr, _part(whole, sema, item), path)
            else:
                found.append(f"{path}: {declare(_part(whole, sema, item))}")

    collect(decl.init, sema.decl_symbol(decl).type, "")
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int v[3] = {1, 2.0, 'a'}", ["[0]: int", "[1]: int", "[2]: int"]),
        ("int v = {1.5}", [": int"]),
        ("struct p v = {1, 2}", [".x: int", ".y: double"]),
        ("struct p v = {.y = 1, .x = 2}", [".y: double", ".x: int"]),
        ("struct p v[] = {1, 2, 3, 4}", ["[0].x: int", "[0].y: double", "[1].x: int", "[1].y: double"]),
        ("struct p v[2] = {{1}, pt}", ["[0].x: int", "[1]: struct p"]),
        ("struct p v[2] = {[1].y = 2, [0] = {3}}", ["[1].y: double", "[0].x: int"]),
        ("struct p v[3] = {[1].x = 2, 3, 4}", ["[1].x: int", "[1].y: double", "[2].x: int"]),
        ('struct q v = {1, 2, pt, "abc", 1, 5}',
         [".a.x: int", ".a.y: double", ".b: struct p", ".s: char [4]", ".?.f: float", ".tail: int"]),
        ("struct q v = {.l = 1, 2}", [".?.l: long", ".tail: int"]),
        ("struct q v = {.s = {'a', 'b'}, .tail = 1}", [".s[0]: char", ".s[1]: char", ".tail: int"]),
        ("struct q v = {{1, 2}, .b.y = 3, {'x'}}", [".a.x: int", ".a.y: double", ".b.y: double", ".s[0]: char"]),
        ("union u v[2] = {1, 2}", ["[0].i: int", "[1].i: int"]),
        ("union u v = {.d = 1}", [".d: double"]),
        ("double v[2][2] = {1, 2, 3, 4}", ["[0][0]: double", "[0][1]: double", "[1][0]: double", "[1][1]: double"]),
        ("double v[][2] = {{1}, {2, 3}}", ["[0][0]: double", "[1][0]: double", "[1][1]: double"]),
        ('const char *v[] = {"a", "b"}', ["[0]: const char *", "[1]: const char *"]),
        ('char v[2][4] = {"a", {"b"}}', ["[0]: char [4]", "[1]: char [4]"]),
        ("int v[] = {[5] = 1, 2, [1] = 3}", ["[5]: int", "[6]: int", "[1]: int"]),
        ("const struct p v = {i, d}", [".x: int", ".y: double"]),
        ("struct q v = {qq.a, qq.b}", [".a: struct p", ".b: struct p"]),
    ],
)  # fmt: skip
def test_items(text: str, expected: list[str]):
    assert _items(text) == expected


LENGTHS = {
    "int v[] = {1, 2, 3}": 3, "int v[] = {[9] = 1}": 10, "int v[] = {[5] = 1, 2, [1] = 3}": 7, 'char v[] = "abc"': 4,
    'char v[] = {"abc"}': 4, 'char v[][4] = {"a", "b", {\'c\'}}': 3, "struct p v[] = {1, 2, 3}": 2,
    "struct p v[] = {{1}, {2}, {3}}": 3, "int v[][2][2] = {1, 2, 3, 4, 5}": 2, 'int v[] = L"ab"': 3, "int v[] = {}": 0,
    "struct q v[] = {{{1}}, [3].tail = 1}": 4, "struct q v[] = {1, 2, 3, 4, 'a', 'b', 'c', 'd', 1, 9, 1}": 2,
}  # fmt: skip


@pytest.mark.compile
def test_array_lengths_agree_with_gcc():
    lines = [TYPES.replace("\n", " ")]
    for text, length in LENGTHS.items():
        for source in (f"{TYPES} void f(void) {{ {text}; }}", f"{TYPES} {text};"):
            sema = analyse(source)
            decl = body(sema).block_items[0] if sema.functions else sema.ast.ext[-1]
            t = sema.decl_symbol(decl).type
            assert isinstance(t, Array)
            assert t.length == length, text
        lines.append(f'void f{len(lines)}(void) {{ {text}; _Static_assert(sizeof v == {sizeof(t)}, ""); }}')
    assert gcc_errors("\n".join(lines)) == {}


def test_compound_literals():
    sema = analyse(f"{TYPES} void f(void) {{ struct p *q = &(struct p){{.y = 2}}; int *r = (int[]){{1, 2}}; }}")
    q, r = body(sema).block_items
    literal = q.init.expr
    assert declare(_part(sema.type(literal), sema, literal.init.exprs[0])) == "double"
    assert declare(sema.type(r.init)) == "int [2]"


def test_file_scope_initialisers():
    sema = analyse(f"{TYPES} extern int g; static struct p table[] = {{ {{ .y = 1 }}, {{ sizeof g }} }};")
    decl = sema.ast.ext[-1]
    sema.analyse(decl)
    inner = decl.init.exprs[1]
    sizeof_g = inner.exprs[0]
    element = _part(sema.decl_symbol(decl).type, sema, inner)
    assert declare(_part(element, sema, sizeof_g)) == "int"
    assert sema.value(sizeof_g) == 4


@pytest.mark.parametrize(
    "text", ["struct p v = {.z = 1}", "int v[2] = {.x = 1}", "struct p v = {[0] = 1}", "int v[] = {[i] = 1}"]
)
def test_bad_designators(text: str):
    with pytest.raises(InputError):
        _items(text)
