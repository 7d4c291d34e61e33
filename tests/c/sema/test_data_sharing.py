"""Free variables and assignments: what data-sharing analysis starts from."""

from __future__ import annotations

import pytest
from pycparser import c_ast
from sema_support import analyse, body, constructs

from rex_build.c.analysis.optimise.accesses import changed_in
from rex_build.c.sema import Sema, free_variables, locals_of
from rex_build.c.syntax.nodes import OmpConstruct


def _region(statements: str, prelude: str = "") -> tuple[Sema, OmpConstruct]:
    """A target region in a function with a fixed set of variables around it."""
    sema = analyse(f"""
    struct inner {{ int i; int row[4]; }};
    struct s {{ int i; int a[4]; int *p; struct inner in; }};
    enum {{ LIMIT = 3 }};
    int global, garray[8]; static double sglobal;
    void use(void *); int pure(int);
    {prelude}
    void f(int n, double *x, double m[][4], struct s *ps) {{
        int i, j, k, *p; struct s v, vs[3]; double a[8], g2[2][3]; static int st; _Bool flag;
        {{
        #pragma omp target
        {{ {statements} }}
        }}
    }}""")
    return sema, constructs(sema)[0]


def _free(statements: str) -> list[str]:
    sema, region = _region(statements)
    assert region.body is not None
    return [r.symbol.name + ("*" if r.in_clause_only else "") for r in free_variables(sema, region.body)]


@pytest.mark.parametrize(
    ("statements", "names"),
    [
        ("x[i] = n * global + sglobal;", ["x", "i", "n", "global", "sglobal"]),
        ("int i = n; x[i] = i;", ["n", "x"]),
        ("for (int j = 0; j < LIMIT; j++) pure(j + k);", ["k"]),
        ("{ int k = 1; k; } k;", ["k"]),
        ("int q = ({ int j = n; j + i; }); q;", ["n", "i"]),
        ("v.i = ps->a[k] + offsetof(struct s, i);", ["v", "ps", "k"]),
        ("st = 1; static int own; own = garray[0];", ["st", "garray"]),
        ("extern int global; global = 1;", ["global"]),
        ("int w[n]; sizeof(int[k]); (double (*)[j])x;", ["n", "k", "j", "x"]),
        ("a[0] = _Generic(flag, int: i, default: j);", ["a", "flag", "i", "j"]),
        ("int i = i; i;", []),
        ("struct s z = {.i = n, .a = {[1] = k}}; z;", ["n", "k"]),
        ("\n#pragma omp parallel for reduction(+: i) private(j) num_threads(n)\nfor (k = 0; k < 4; k++) i += k;\n",
         ["i", "j*", "n", "k"]),
        ("\n#pragma omp parallel private(j) firstprivate(k)\n{ j = k; }\n", ["j", "k"]),
        ("int j;\n#pragma omp parallel private(j)\n{ j = 1; }\n", []),
        ("\n#pragma omp atomic\nglobal += 1;\n", ["global"]),
    ],
)  # fmt: skip
def test_free_variables(statements: str, names: list[str]):
    assert sorted(_free(statements)) == sorted(names)


def test_free_variables_come_in_order_with_their_first_use():
    sema, region = _region("k = j; j = i; k = n;")
    assert region.body is not None
    found = free_variables(sema, region.body)
    assert [r.symbol.name for r in found] == ["k", "j", "i", "n"]
    assert isinstance(found[0].node, c_ast.ID)
    assert sema.symbol(found[0].node) is found[0].symbol


def _assigned(statements: str) -> tuple[list[str], list[str]]:
    sema, region = _region(statements)
    assert region.body is not None
    found = changed_in(sema, region.body)
    return [s.name for s in found.assigned], [s.name for s in found.addressed]


@pytest.mark.parametrize(
    ("statements", "assigned", "address_taken"),
    [
        ("i = 1; j += 2; k++; --n;", ["i", "j", "k", "n"], []),
        ("i = j + n;", ["i"], []),
        ("v.i = 1;", ["v"], []),
        ("v.in.row[2] = 1;", ["v"], []),
        ("vs[1].in.i = 1;", ["vs"], []),
        ("a[2] = 1; *g2[1] = 2; g2[1][1] = 3;", ["a", "g2"], []),
        ("vs->i = 1;", ["vs"], []),
        ("x[1] = 1; *x = 2; ps->i = 3; ps->in.row[1] = 4; *v.p = 5; v.p[1] = 6; m[1][2] = 7;", [], []),
        ("(*ps).i = 1; p[0]++; (&v)->i;", [], []),
        ("use(&i);", [], ["i"]),
        ("use(&a[1]); use(&v.in.i); use(&x[1]); use(&ps->i);", [], ["a", "v"]),
        ("use(a);", [], ["a"]),
        ("use(v.a); use(vs); use(g2[1]); use(ps->a);", [], ["v", "vs", "g2"]),
        ("double *q = a; q = a + 1; *(a + 1) = 2;", ["q", "a"], ["a"]),
        ("sizeof a; a[1]; *a; g2[0][1]; v.a[1]; sizeof v.a;", [], []),
        ('char s[] = "abc"; s[1];', [], []),
        ("1[a] = 2;", ["a"], []),
        ("(flag ? &i : &j);", [], ["i", "j"]),
        ("v = *ps;", ["v"], []),
        ("(i, j) ; i = (j = 2);", ["i", "j"], []),
        ("\n#pragma omp parallel for reduction(+: i) lastprivate(j)\nfor (k = 0; k < 4; k++) ;\n", ["i", "j", "k"], []),
        ('int *p = a, *q = v.in.row, *r = &i; char s[4] = "abc"; int b[2] = {1, 2};', [], ["a", "i", "v"]),
        ("\n#pragma omp parallel firstprivate(i) shared(j)\n{ pure(i + j); }\n", [], []),
    ],
)  # fmt: skip
def test_assignments(statements: str, assigned: list[str], address_taken: list[str]):
    found = _assigned(statements)
    assert (sorted(found[0]), sorted(found[1])) == (sorted(assigned), sorted(address_taken))


def test_parameters_that_are_arrays_are_pointers():
    sema = analyse("void use(double *); void f(double a[4]) { use(a); a[1] = 2; a = 0; }")
    found = changed_in(sema, body(sema))
    assert [s.name for s in found.assigned] == ["a"]
    assert not found.addressed


def test_map_clauses_that_write_back():
    sema = analyse("void f(int n) { int i = 0, j = 0;\n#pragma omp target map(from: i) map(to: j)\n{ n; } }")
    found = changed_in(sema, body(sema))
    assert [s.name for s in found.assigned] == ["i"]


def test_locals_of():
    sema = analyse(
        "void f(int n) { int a; { static int b; for (int c = 0; c < n; c++) { extern int d; } } int e(void); }"
    )
    assert [s.name for s in locals_of(sema, body(sema))] == ["a", "b", "c"]
