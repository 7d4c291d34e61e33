"""GNU C read as C11 without moving anything, directives owning their statements, and errors at the user's line."""

from __future__ import annotations

from pathlib import Path

import pytest
from pycparser import c_ast

from rex_build.base.diagnostics import InputError
from rex_build.c.front_end import parse_unit
from rex_build.c.sema import walk
from rex_build.c.source.gnu_text import normalise_gnu
from rex_build.c.source.preprocess import read_preprocessed
from rex_build.c.syntax.nodes import OmpConstruct, ParsedUnit
from rex_build.c.syntax.parser import Assembly, StmtExpr


def parse(tmp_path: Path, text: str) -> ParsedUnit:
    """The unit of a text that needs no preprocessing."""
    file = tmp_path / "unit.c"
    file.write_text(text)
    return parse_unit(read_preprocessed(f'# 1 "{file}"\n{text}', str(file)))


def constructs(unit: ParsedUnit) -> list[OmpConstruct]:
    found = [n for item in unit.ast.ext for n in walk(item) if isinstance(n, OmpConstruct)]
    return sorted(found, key=lambda c: c.start)


# Normalisation


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("__inline int f(void);", "inline   int f(void);"),
        ("char *__restrict p;", "char *restrict   p;"),
        ("__extension__ typedef int T;", "              typedef int T;"),
        ("int f(void) __attribute__((pure, aligned(8)));", "int f(void)                                  ;"),
        ('int f(void) __asm__("g" ")");', "int f(void)                 ;"),
        ('char *s = "__inline __attribute__((x))";', 'char *s = "__inline __attribute__((x))";'),
        ("char c = '\"'; __inline int d;", "char c = '\"'; inline   int d;"),
        ("int my__inline, __inline_not;", "int my__inline, __inline_not;"),
        ("#pragma GCC diagnostic push\nint a;", "                           \nint a;"),
        ("#pragma omp target\n;", "#pragma omp target\n;"),
        ("__const int x;", "const   int x;"),
        ("typedef float _Float32; _Float32 x;", "                        float    x;"),
        ("thread_local int x;", "thread_local int x;"),
        ("int f(int * _Nonnull p, int *_Nullable q);", "int f(int *          p, int *          q);"),
    ],
)
def test_normalised_text(text: str, expected: str) -> None:
    normal, _ = normalise_gnu(text)
    assert normal == expected
    assert len(normal) == len(text)


def test_functions_of_any_arguments_and_of_one_name(tmp_path: Path) -> None:
    """As clang's <tgmath.h> declares them."""
    definitions = "static int f(int x) { return x; }\nstatic float f(float x) { return x; }\n"
    unit = parse(tmp_path, f"static void f(...);\n{definitions}")
    assert len(unit.ast.ext) == 3


def test_newlines_stay() -> None:
    text = "int a __attribute__((\n  aligned(\n16)\n)) = 1;\nint b;\n"
    normal, unseen = normalise_gnu(text)
    assert [i for i, c in enumerate(normal) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]
    assert [(a.offset, a.text.startswith("__attribute__")) for a in unseen.attributes] == [(6, True)]


def test_layout_attributes_are_kept_others_are_not() -> None:
    _, unseen = normalise_gnu(
        "struct A { int a; } __attribute__((packed));\nint f(void) __attribute__((noreturn));\n"
        "#pragma pack(push, 1)\nstruct B { char c; };\n#pragma pack(pop)\n"
    )
    assert [a.text for a in unseen.attributes] == ["__attribute__((packed))"]
    assert [text for _, text in unseen.pragmas] == ["#pragma pack(push, 1)", "#pragma pack(pop)"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("__attribute__((__packed__, unused, aligned (2 * (4))))", [("packed", None), ("aligned", "2 * (4)")]),
        ('[[gnu::alias("f"), deprecated("packed")]]', [("alias", '"f"')]),
        ('__attribute__((deprecated("aligned(8)")))', []),
        ("[[packed]] [[clang::packed]]", []),
    ],
)
def test_attributes_are_values(text: str, names: list[tuple[str, str | None]]) -> None:
    _, unseen = normalise_gnu(f"struct s {{ int x; }} {text};")
    assert [(a.name, a.argument) for found in unseen.attributes for a in found.attributes] == names


def test_statements_of_assembly_are_nodes_and_names_in_assembly_are_not(tmp_path: Path) -> None:
    unit = parse(
        tmp_path,
        'int f(int x) { register int r asm("r12") = x; static int s __asm__("t"); if (x) asm("nop"); else asm("nop");\n'
        'l: asm volatile("nop" : "+r"(x)); switch (x) { case 1: __asm__("nop"); } asm("" : "+r"(x)); return r + s; }\n',
    )
    assert sum(isinstance(n, Assembly) for n in walk(unit.ast.ext[-1])) == 4  # the empty one only hides a value


def test_inline_assembly_in_functions_is_seen() -> None:
    normal, _ = normalise_gnu('void f(void) { __asm__ volatile ("nop"); } int g(void) __asm__("h");')
    assert normal.split() == ["void", "f(void)", "{", "asm", ";", "}", "int", "g(void)", ";"]


@pytest.mark.parametrize(
    ("written", "read", "kind"),
    [
        ("1.5i", "1.5 ", "double _Complex"),
        (".5i", ".5 ", "double _Complex"),
        ("1e3if", "1e3f ", "float _Complex"),
        ("0x1p3i", "0x1p3 ", "double _Complex"),
        ("2i", "2 ", "int _Complex"),
        ("3ui", "3u ", "int _Complex"),
        ("0x10i", "0x10 ", "int _Complex"),
        ("1.5f32", "1.5f  ", "float"),
        ("1.5f64", "1.5   ", "double"),
        ("1.5F32x", "1.5    ", "double"),
        ("1.5q", "1.5L", "long double"),
        ("1.5f128", "1.5L   ", "long double"),
        ("1.5f16", "1.5f  ", "_Float16"),
        ("0x1p-3F16", "0x1p-3f  ", "_Float16"),
        ("1.5bf16", "1.5f   ", "__bf16"),
        ("1.5dd", "1.5  ", "_Decimal64"),
    ],
)
def test_suffixes_of_constants(tmp_path: Path, written: str, read: str, kind: str) -> None:
    assert normalise_gnu(f"x = {written};")[0] == f"x = {read};"
    unit = parse(tmp_path, f"double x = {written};\n")
    assert unit.ast.ext[0].init.type == kind


@pytest.mark.parametrize(
    ("declaration", "places"),
    [
        ("~ int x, y;", {"x": "FRONT", "y": "FRONT"}),
        ("const ~ int x, y;", {"x": "SPECIFIERS", "y": "SPECIFIERS"}),
        ("int ~ *x, y;", {"x": "SPECIFIERS", "y": "SPECIFIERS"}),
        ("int x ~, y;", {"x": "NAME"}),
        ("int x[2] ~ = {1}, y;", {"x": "DECLARATOR"}),
        ("int x, ~ *y, z;", {"y": "DECLARATOR"}),
        ("int x, * const ~ y, z;", {"y": "POINTER"}),
        ("int * ~ *x;", {"x": "INSIDE"}),
        ("int * ~ x[2];", {"x": "INSIDE"}),
        ("int (*~ x)(int);", {"x": "POINTER"}),
        ("void f(int x ~, int y);", {"x": "NAME"}),
        ("void f(int x, ~ int y);", {"y": "FRONT"}),
        ("void f(int x, int y) ~;", {"f": "DECLARATOR"}),
        ("int x = sizeof(int ~), y;", {}),
        ("struct ~ s { int x; } y;", {}),
        ("struct s { int x; } ~ y;", {}),
        ("struct s { int x; } const ~ y;", {"y": "SPECIFIERS"}),
        ("struct s { int x : 3 ~, z; } y;", {"x": "DECLARATOR"}),
        ("int x = ({ int y ~ = 2; y; }), z;", {"y": "NAME"}),
        ("void f(void) { int x; { for (int y ~ = 0; ;) ; } }", {"y": "NAME"}),
        ("void f(a) ~ int a; { }", {"a": "FRONT"}),
    ],
)
def test_places_of_attributes(tmp_path: Path, declaration: str, places: dict[str, str]) -> None:
    attribute = "__attribute__((aligned(8)))"
    unit = parse(tmp_path, declaration.replace("~", attribute))
    found = {}
    for (line, column), placed in unit.attributes.declarators.items():
        at = unit.pre.line_starts[line - 1] + column - 1
        name = unit.pre.text[at]
        assert all(p.attributes.text == attribute for p in placed)
        found[name] = " ".join(p.place.name for p in placed)
    assert found == places


# GNU forms in the tree


@pytest.mark.parametrize(
    "statement",
    [
        "x = ({ int t = 1; t + 1; });",
        "x = x ?: 2;",
        "typeof(x) y = x; (void)y;",
        "__typeof__(x + 1) y = x; (void)y;",
        "switch (x) { case 1 ... 4: x = 2; }",
        "int v[8] = {[0 ... 3] = 1, [4 ... 7] = 2}; (void)v;",
        "void *l = &&here; goto *l; here: ;",
        "x = __builtin_offsetof(struct S, b);",
        "__auto_type y = x; (void)y;",
        "x = _Alignof(int) + __alignof__(struct S);",
        "x = (int){3};",
        "x = _Generic(x, int: 1, default: 2);",
        "; ; {}",
        '_Static_assert(sizeof(int) == 4, "");',
        "int add(int a) { return a + x; } x = add(2);",
        "auto int later(int); x = later(2); int later(int a) { return a + x; }",
        "int old(a, b) int a, b; { return a + b; } x = old(1, 2);",
        "int v[4] = {[1] 2, [2] = 3}; struct S s = {b: 1, a: 2}; (void)v; (void)s;",
        'register int r __asm__("r12") = 3; extern int g(void) __asm__("h"); x = r;',
        'if (x) __asm__("nop"); else __asm__("nop");',
        "[[maybe_unused]] int y [[gnu::aligned(8)]] = 1;",
        "int __seg_fs *p = 0; __int128_t w = 1; _Decimal64 d = 1.5dd; (void)p; (void)w; (void)d;",
        "x = __alignof__(x) + _Alignof x;",
        "static y = 3; x = y;",
        "typedef int T; int apply(T a, int (*T)(const void *), int n); x = apply(0, 0, 1);",
    ],
)
def test_gnu_statements_parse(tmp_path: Path, statement: str) -> None:
    unit = parse(tmp_path, f"struct S {{ int a, b; }};\nvoid f(int x)\n{{\n    {statement}\n}}\n")
    assert isinstance(unit.ast.ext[-1], c_ast.FuncDef)


def test_statement_expression_is_a_node_of_its_own(tmp_path: Path) -> None:
    unit = parse(tmp_path, "int f(void) { return ({ int t = 1; t; }); }")
    assert sum(isinstance(n, StmtExpr) for n in walk(unit.ast.ext[-1])) == 1


def test_nodes_know_their_place(tmp_path: Path) -> None:
    text = "int a __attribute__((unused));\n\n__extension__ int f(int second)\n{\n    return   second;\n}\n"
    unit = parse(tmp_path, text)
    (mention,) = (n for n in walk(unit.ast.ext[-1].body) if isinstance(n, c_ast.ID))
    span = unit.span_of(mention)
    assert (span.line, span.column, span.length) == (5, 14, 6)
    assert unit.pre.text.startswith("second", unit.offset_of(mention))


# Directives


def test_directive_owns_the_next_statement(tmp_path: Path) -> None:
    text = "void f(int n)\n{\n    int a = 0;\n#pragma omp target\n    { a = n; }\n    a = 2;\n}\n"
    unit = parse(tmp_path, text)
    (target,) = constructs(unit)
    assert isinstance(target.body, c_ast.Compound)
    assert unit.pre.text.startswith("#pragma omp target", target.start)
    assert (target.directive.span.line, target.directive.span.column) == (4, 13)
    items = unit.ast.ext[-1].body.block_items
    assert [type(i).__name__ for i in items] == ["Decl", "OmpConstruct", "Assignment"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("if (n)\n#pragma omp target\n  n++;\nelse n--;", c_ast.UnaryOp),
        ("for (;;)\n#pragma omp target\n  { n++; }", c_ast.Compound),
        ("while (n)\n#pragma omp target\n  n--;", c_ast.UnaryOp),
        ("switch (n) { case 1:\n#pragma omp target\n  n++;\n break; default: ; }", c_ast.UnaryOp),
        ("label:\n#pragma omp target\n  n++;", c_ast.UnaryOp),
        ("#pragma omp target\n  for (int i = 0; i < n; i++) ;", c_ast.For),
        ("#pragma omp target\n  ;", c_ast.EmptyStatement),
        ("#pragma omp target\n  return;", c_ast.Return),
    ],
)
def test_directives_everywhere(tmp_path: Path, body: str, kind: type[c_ast.Node]) -> None:
    (target,) = constructs(parse(tmp_path, f"void f(int n)\n{{\n{body}\n}}\n"))
    assert isinstance(target.body, kind)


def test_nested_and_stand_alone_directives(tmp_path: Path) -> None:
    text = """void f(int n)
{
#pragma omp target enter data map(to: n)
#pragma omp target
#pragma omp teams distribute
    for (int i = 0; i < n; i++) {
#pragma omp barrier
#pragma omp atomic
        n++;
    }
#pragma omp target exit data map(from: n)
}
"""
    found = constructs(parse(tmp_path, text))
    names = [c.directive.name for c in found]
    assert names == [
        "target enter data", "target", "teams distribute", "barrier", "atomic", "target exit data",
    ]  # fmt: skip
    assert found[1].body is found[2]
    assert found[0].body is None
    assert found[3].body is None
    assert isinstance(found[4].body, c_ast.UnaryOp)


def test_clause_expressions_know_typedefs_and_stand_at_their_pragma(tmp_path: Path) -> None:
    pragma = "#pragma omp target teams num_teams((T)n * sizeof(T)) if(n > 3)"
    text = f"typedef long T;\nvoid f(int n)\n{{\n{pragma}\n    n++;\n}}\n"
    (target,) = constructs(parse(tmp_path, text))
    teams = next(c for c in target.directive.clauses if c.name == "num_teams")
    nodes = [n for e in vars(teams).values() if hasattr(e, "node") for n in walk(e.node)]
    assert any(isinstance(n, c_ast.Cast) for n in nodes)
    assert {n.coord.line for n in nodes if n.coord} == {5}  # the marker is line 1 of the preprocessed text


# Errors


def errors(tmp_path: Path, text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(InputError) as caught:
        parse(tmp_path, text)
    return [(d.span.line, d.span.column, d.message) for d in caught.value.diagnostics if d.span]


def test_syntax_error(tmp_path: Path) -> None:
    text = "int a;\nint f(void)\n{\n#pragma omp target\n    a = a +;\n}\n"
    ((line, column, message),) = errors(tmp_path, text)
    assert (line, column) == (5, 12)
    assert message.startswith("syntax error")


def test_functions_without_openmp_need_not_be_understood(tmp_path: Path) -> None:
    text = "int a;\nint f(int n)\n{\n    return a +;\n}\nint g(void)\n{\n    return 2;\n}\n"
    unit = parse(tmp_path, text)
    names = [item.decl.name for item in unit.ast.ext if isinstance(item, c_ast.FuncDef)]
    assert names == ["f", "g"]
    ((brace, problem),) = unit.unread.items()
    assert unit.pre.text[brace:].startswith("{\n    return a +;")
    assert [(d.span.line, d.span.column) for d in problem.diagnostics if d.span] == [(4, 15)]


def test_a_body_is_left_out_once(tmp_path: Path) -> None:
    """The error here is at a brace that looks like a function's, and stays when what is in the braces is left out."""
    text = "int n;\nstruct point\n#pragma omp critical firstprivate(n){\n    int x;\n};\n"
    text += "int f(int n)\n{\n    return n;\n}\n"
    assert any("syntax error" in message for _, _, message in errors(tmp_path, text))


def test_end_of_file_in_a_function(tmp_path: Path) -> None:
    ((line, _, message),) = errors(tmp_path, "int f(void)\n{\n    return 1;\n")
    assert line <= 4
    assert "syntax error" in message


def test_errors_of_all_directives_come_together(tmp_path: Path) -> None:
    wrong = ("target foo", "targets", "target map(n")
    text = "void f(int n)\n{\n" + "".join(f"#pragma omp {w}\n  n++;\n" for w in wrong) + "}\n"
    assert [line for line, _, _ in errors(tmp_path, text)] == [3, 5, 7]


@pytest.mark.parametrize(
    "text",
    [
        "void f(int n)\n{\n    n++;\n#pragma omp target\n}\n",
        "void f(int n)\n{\n#pragma omp target\n    int a = n;\n}\n",
    ],
)
def test_directive_without_statement(tmp_path: Path, text: str) -> None:
    ((line, _, message),) = errors(tmp_path, text)
    assert text.splitlines()[line - 1] == "#pragma omp target"
    assert "statement" in message


def test_malformed_expression_in_a_clause(tmp_path: Path) -> None:
    text = "void f(int n)\n{\n#pragma omp target device(n +)\n    n++;\n}\n"
    ((line, column, message),) = errors(tmp_path, text)
    assert (line, column) == (3, 27)
    assert "n +" in message
