"""What names mean: scopes, linkage, tags, and the names in clauses."""

from __future__ import annotations

import pytest
from pycparser import c_ast
from sema_support import analyse, body, constructs, ids, parse

from rex_build.base.diagnostics import InternalError
from rex_build.c.sema import Sema, locals_of, walk
from rex_build.c.sema.ctype import Array, C, EnumType, Record, declare, sizeof


def _types(sema: Sema, name: str, function: str = "f") -> list[str]:
    return [declare(sema.type(n)) for n in ids(sema, name, function)]


def test_shadowing():
    sema = analyse("""
    int x;
    void f(double x) {
        x;
        { char x = x; x; }
        for (short x = 0; x < 3; x++) { x; long x = 1; x; }
        x;
        { extern int x; x; }
    }
    void g(void) { x; }""")
    assert _types(sema, "x") == ["double", "char", "char", "short", "short", "short", "long", "double", "int"]
    outer = sema.symbol(ids(sema, "x", "g")[0])
    assert outer is sema.file_symbol("x")
    assert sema.symbol(ids(sema, "x")[-1]) is outer


def test_parameters_of_prototypes_do_not_leak():
    sema = analyse("int n; void g(int n, double a[n]); void f(void) { n; }")
    symbol = sema.symbol(ids(sema, "n")[0])
    assert symbol is not None
    assert symbol.is_object
    assert symbol.is_global


def test_parameters():
    sema = analyse("void f(int n, double a[const restrict n], int g(int), char s[static 3]) { n; } ")
    function = sema.functions["f"]
    params = sema.parameters(function)
    texts = [declare(p.type, p.name) for p in params]
    assert texts == ["int n", "double *const restrict a", "int (*g)(int)", "char *s"]
    assert {(p.kind.value, p.function) for p in params} == {("parameter", "f")}
    assert sema.decl_symbol(function.decl.type.args.params[1]) is params[1]
    assert sema.symbol(ids(sema, "n")[0]) is params[0]


def test_old_style_definition():
    sema = analyse("double f(a, b) double a; { return a + b; }")
    assert [s.type for s in sema.parameters(sema.functions["f"])] == [C.DOUBLE, C.INT]
    assert not sema.function_type(sema.functions["f"]).prototyped


def test_declarations_of_one_name_share_a_symbol():
    sema = analyse(
        "extern int a[]; int a[5]; extern int a[]; static int g(); int f(void) { return g(1); }"
        "static int g(int x) { return x; }"
    )
    a = sema.file_symbol("a")
    assert a is not None
    assert a.type == Array(C.INT, 5)
    assert a.definition is not None
    g = sema.file_symbol("g")
    assert g is not None
    assert (g.storage.value, g.definition) == ("static", sema.functions["g"])
    assert all(sema.decl_symbol(n) is a for n in sema.ast.ext if getattr(n, "name", None) == "a")


@pytest.mark.parametrize(
    ("text", "storage", "defined"),
    [("int x;", "extern", True), ("extern int x;", "extern", False), ("static int x = 1;", "static", True),
     ("extern int x; int x = 2;", "extern", True), ("int x(void);", "extern", False)],
)  # fmt: skip
def test_storage(text: str, storage: str, defined: bool):
    symbol = analyse(text).file_symbol("x")
    assert symbol is not None
    assert (symbol.storage.value, symbol.definition is not None, symbol.is_global) == (storage, defined, True)


def test_local_storage():
    sema = analyse(
        "void f(void) { static int s; register int r; int a; int g(int); extern double e; g(s + r + a); e; }"
    )
    found = {s.name: (s.storage.value, s.is_global) for s in locals_of(sema, body(sema))}
    assert found == {"s": ("static", False), "r": ("register", False), "a": ("auto", False)}
    g, e = (sema.symbol(ids(sema, name)[0]) for name in "ge")
    assert g is not None
    assert e is not None
    assert (g.kind.value, g.is_global, g.definition) == ("function", True, None)
    assert (e.storage.value, e.is_global) == ("extern", True)
    assert sema.file_symbol("e") is e


def test_tags_have_scopes():
    sema = analyse("""
    struct s { int a; };
    void f(void) {
        struct s outer;
        struct s { double d[4]; } inner;
        { struct s; struct t { struct s *p; } t; struct s { char c; }; t; *t.p; }
        outer; inner;
    }""")
    nodes = [sema.type(ids(sema, name)[0]) for name in ("outer", "inner")]
    assert [sizeof(t) for t in nodes] == [4, 32]
    pointee = next(n for n in walk(body(sema)) if isinstance(n, c_ast.UnaryOp))
    assert sizeof(sema.type(pointee)) == 1
    outer, inner = nodes
    assert isinstance(outer, Record)
    assert isinstance(inner, Record)
    assert (outer.info.is_global, inner.info.is_global) == (True, False)


def test_enumerators():
    sema = analyse("""
    typedef enum { RED, GREEN = RED + 4, BLUE } colour;
    struct s { enum { INNER = BLUE * 2 } kind; };
    int f(int x) { enum { RED = 100 }; switch (x) { case RED: case GREEN: return INNER; } return RED; }
    int g(void) { return RED; }""")
    symbols = [sema.symbol(ids(sema, n)[0]) for n in ("RED", "GREEN", "INNER")]
    assert [s.value for s in symbols if s and s.is_enumerator] == [100, 4, 10]
    outer = sema.symbol(ids(sema, "RED", "g")[0])
    assert outer is not None
    assert outer.value == 0
    blue = sema.file_symbol("BLUE")
    assert blue is not None
    assert blue.value == 5
    colour = sema.file_symbol("colour")
    assert colour is not None
    assert isinstance(colour.type, EnumType)
    assert colour.type.info.values == {"RED": 0, "GREEN": 4, "BLUE": 5}
    assert colour.type.info.typedef_name == "colour"


def test_typedefs_have_scopes():
    sema = analyse("typedef int T; void f(void) { T a; { typedef double T; T b; b; } a; } void g(int T) { T; }")
    assert _types(sema, "b") == ["T"]
    assert [sema.type(ids(sema, n)[0]) for n in "ab"] == [C.INT, C.DOUBLE]
    assert sema.type(ids(sema, "T", "g")[0]) == C.INT


def test_self_referring_declarations():
    sema = analyse(
        "struct n { struct n *next; }; struct n list[] = { { &list[1] }, { 0 } };void f(void) { list; void *p = &p; }"
    )
    symbol = sema.file_symbol("list")
    assert symbol is not None
    assert isinstance(symbol.type, Array)
    assert symbol.type.length == 2


def test_statement_expressions_and_typeof_see_the_scope():
    sema = analyse("void f(int x) { double y = ({ char x = 1; typeof(x) z = x; z; }); x; typeof(y) w; w; }")
    assert _types(sema, "x") == ["char", "char", "int"]
    assert _types(sema, "z") == ["char"]
    assert _types(sema, "w") == ["double"]


def test_types_inferred_from_initialisers():
    # What the parser makes of __auto_type.
    sema = analyse("void f(double *x) { auto signed p = x; const auto signed y = *x; p; y; }")
    assert _types(sema, "p") == ["double *"]
    assert _types(sema, "y") == ["const double"]


def test_unused_declarations_are_not_read():
    unit = parse("struct s; void g(struct s *); int x; int f(void) { return x; }")
    sema = Sema(unit.ast)
    sema.analyse(sema.functions["f"])
    assert set(sema._file_symbols) == {"f", "x"}


def test_builtins_have_no_symbol():
    sema = analyse("double f(void) { return __builtin_fabs(1.0) + sizeof __func__; }")
    assert [n for n in walk(body(sema)) if isinstance(n, c_ast.ID) and sema.symbol(n)] == []


def test_inline_assembly_is_no_error():
    analyse('void f(int x) { __asm__ volatile ("nop" : : "r"(x)); asm("nop"); }')


def test_asking_before_analysing_is_a_bug():
    unit = parse("int f(int x) { return x; }")
    sema = Sema(unit.ast)
    with pytest.raises(InternalError):
        sema.type(sema.functions["f"].body.block_items[0].expr)


def test_walk_is_in_source_order():
    sema = analyse("void f(int a, int b) { do { a; } while (b); ({ a; }); if (a) b; else a; }")
    names = [n.name for n in walk(body(sema)) if isinstance(n, c_ast.ID)]
    assert names == ["a", "b", "a", "a", "b", "a"]


# ---- clauses ----

CLAUSES = """
struct s { int n; double *p; double a[8]; struct s *next; };
int g;
void f(int n, double *x, double (*m)[16], struct s *q) {
    int i; float y = 0; struct s v; double grid[4][8];
    {
        char y = 1;
#pragma omp target map(to: x[0:n], y) map(grid[1:2][0:n]) map(m[0:2][i:3]) map(v.p[0:n], q->next->p[2:g]) map(q->a)
        {
            #pragma omp parallel for private(i) reduction(+: y) num_threads(n * 2) firstprivate(nowhere)
            for (i = 0; i < n; i++) { y += x[i]; }
        }
        int x = 1;
    }
}
"""


def test_clause_names_resolve_where_the_construct_stands():
    sema = analyse(CLAUSES)
    target, loop = constructs(sema)
    y = sema.lookup(target, "y")
    assert y is not None
    assert declare(y.type) == "char"
    assert sema.lookup(loop, "y") is y
    assert sema.lookup(loop, "nowhere") is None
    x = sema.lookup(target, "x")
    assert x is not None
    assert x.kind.value == "parameter"  # not the `x` declared after the construct
    assert sema.lookup(target, "g") is sema.file_symbol("g")


def test_clause_expressions_are_typed():
    sema = analyse(CLAUSES)
    threads = constructs(sema)[1].directive.clause("num_threads")
    assert sema.type(threads.expr.node) == C.INT  # type: ignore[union-attr]
    assert sema.value(threads.expr.node) is None  # type: ignore[union-attr]


def test_file_scope_directives():
    sema = analyse("int a; double b[3];\n#pragma omp declare target(a, b)\nvoid f(void) { a; }")
    construct = next(iter(sema._file_constructs))
    assert sema.lookup(construct, "b") is sema.file_symbol("b")


def test_undeclared_functions_are_what_gcc_takes_them_for():
    sema = analyse("""
    void f(int n) { n = later(n) + missing(1, 2.0); sqrt(n); missing; }
    static long later(int n) { return n; }""")
    assert _types(sema, "later") == ["long (int)"]
    assert _types(sema, "missing") == ["int ()", "int ()"]
    assert _types(sema, "sqrt") == ["double ()"]
