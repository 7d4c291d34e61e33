"""Expression types, with gcc as the oracle."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sema_support import analyse, body, disagreements, gcc_errors, types_of

from rex_build.base.diagnostics import InputError
from rex_build.c.sema.ctype import Array, C, CType, declare

PRELUDE = """
typedef unsigned long size_t;
typedef int vec[4];
enum colour { RED, GREEN = 5, BLUE };
enum wide { BIG = 0x100000000, SMALL = 1 };
enum negative { MINUS = -1, PLUS };
struct point { double x, y; const char *name; struct { int inner; union { float f; unsigned u; }; }; };
struct bits { unsigned a : 3; int b : 5; unsigned c : 32; _Bool d : 1; unsigned long e : 20; };
struct node { struct node *next; const struct point *p; int (*visit)(struct node *, void *); struct point ps[3]; };
union both { int i; float f; };
int add(int a, double b);
double *find(const char *key, ...);
int old();
extern const volatile int port;
void *memcpy(void *, const void *, size_t);
_Bool b; char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l;
unsigned long ul; long long ll; unsigned long long ull; float f; double d; long double ld;
__int128 big; unsigned __int128 ubig; float _Complex cf; double _Complex cd;
_Float16 h; _Complex int zi; _Complex unsigned zu; _Complex unsigned char zuc; _Complex short zs; _Complex long zl;
const int ci = 1; const double cdb = 1; volatile short vs;
int *pi; const int *pci; int *const cpi = 0; void *pv; const void *pcv; double *pd; char *pc; int **ppi;
int a[10]; double m[3][4]; const char *names[5]; vec v; const vec cv = {1}; int (*pa)[4]; const int ca[2] = {1};
int (*fp)(int, double); double *(*fps[2])(const char *, ...);
enum colour col; enum wide w; enum negative neg; struct point pt; const struct point cpt; struct point *ppt;
const struct point *pcpt; struct node n; struct node *pn; struct bits bits; union both both; struct point pts[2];
_Atomic int ai;
"""

EXPRESSIONS = """
1 | 1u | 1l | 1ul | 1ll | 1llu
2147483647 | 2147483648 | 4294967295 | 0x7fffffff | 0x80000000 | 0xffffffff | 0x100000000
017777777777 | 037777777777 | 0b101 | 0x8000000000000000 | 9223372036854775807 | 1.0 | 1.0f | 1.0l | 0x1p3 | 0x1.8p1f
'a' | L'a' | u'a' | U'a' | '\\n' | 'ab' | "abc" | "a\\x41" "b" | L"wide" | u8"x" | u"x" | U"xy" | "\\0" | ""
b + b | c + c | uc | -uc | +s | ~us | !d | -f | i + u | l + u | ll + ul | l + ll | ull + l | i + f | f + d | d + ld
big + ul | ubig + big | cf + d | cd * f | cd + cf | ld + cf | i << l | us << 1 | ul >> i | i % u | c & uc | b | b ^ b
h + h | h + i | h + l | h * f | h + d | -h | h++ | i ? h : i | b ? h : f | h * cf | 1.5f16 | (h) | h == h
h += d | 1 ? h : h
zi + zi | zi + i | zuc + zuc | zuc + zs | zuc + c | zuc + uc | zuc + b | zi + zu | zi + l | zl * zu | zi * f | zi / d
zu + cf | ~zi | -zuc | +zuc | zs++ | 2i | 2ui | 2li | 3000000000i | 0xffffffffi | 1 + 2i | __real__ zuc | __imag__ zl
i ? zi : zuc | zs == zi
i < u | pi == pv | d && i | i || pi | ci | ci + 1 | vs | -vs | port | port + 1u | ai | ai + 1
pi + 1 | 1 + pi | pi - 1 | pi - pi | pd - pd | pv + 1 | a + 1
*a | *(a + 1) | a[1] | 1[a] | m[1] | m[1][2] | *m | **m
names | names[1] | *names[1] | names + 1 | v | v[0] | cv | cv[0]
*cv | pa | *pa | (*pa)[1] | pa[1] | ca | &ca | &ca[1]
&a | &a[0] | *&a | &m | &m[0] | &i | &pi | **ppi | *ppi | &*pi | cpi | *cpi | *pci | pci[2]
fp | *fp | &fp | fp(1, 2) | (*fp)(1, 2) | (**fp)(1, 2) | fps | fps[0] | fps[0]("x", 1) | *fps[0]("x")
add | &add | *add | add(1, 2) | find("k", 1)[0] | old() | old(1, 2) | memcpy(pd, pi, 3)
RED | BLUE | col | col + 1 | w | BIG | SMALL | neg | MINUS | neg + 1 | col == RED
pt | pt.x | pt.name | *pt.name | pt.inner | pt.f | pt.u
cpt.x | cpt.name | cpt.inner | ppt->x | pcpt->x | pcpt->f | (*ppt).y
n.ps | n.ps[1] | n.ps[1].x | pn->next->next | pn->p->x | pn->ps->y | *pn->ps | n.visit | n.visit(pn, pv) | pn->p
+bits.a | +bits.b | +bits.c | +bits.d | bits.c + 1 | bits.a - bits.c | bits.d + bits.d | +bits.e | ~bits.a
both.i | both.f | pts[1].name[2] | pts->x
i = d | d = i | pi = 0 | i += d | uc += 1 | c <<= 2 | pt = *ppt | i++ | ++c | uc-- | pi++ | --pd | d++ | b = 5
(char)i | (const int)i | (int *)pd | (const char *)pv | (double)1 | (void)0 | (struct point *)pv | (float _Complex)1
sizeof i | sizeof(int[3]) | sizeof a | _Alignof(double)
i ? i : d | i ? c : c | i ? pi : 0 | i ? 0 : pi | i ? pi : (void *)0 | i ? pi : pv | i ? pci : pi | i ? pi : pci
i ? pcv : pi | i ? pv : pci | i ? a : pi | i ? "a" : "bc" | i ? pt : *ppt | i ? add : fp | i ? (void)0 : (void)1
i ? col : RED | i ? uc : us | i ? pa : &v | i ? pi : (void *)pd | i ? ppi : ppi | i ? names : names | b ? f : cf
(i, d) | (i, a) | (i, "abc") | (pt, pi)
(int[]){1, 2, 3} | (int[5]){1} | (struct point){1}
&(struct point){1} | (int){3} | (char[]){"abc"} | (double[2][2]){{1}}
(const int[]){1} | (vec){1, 2} | (struct node){.ps = {{1}}}.ps | (int[]){[7] = 1}
({ int q = 1; q; }) | ({ double z; z; }) | ({ ; }) | ({ a; }) | ({ struct point r = pt; r; }).x | ({ i; (void)0; })
_Generic(i, int: 1.0, default: 2) | _Generic(d, int: 1.0, default: 2) | _Generic(pi, int *: pd, const int *: 1)
_Generic(a, int *: 'a', default: d) | _Generic("x", char *: 1l, default: 0) | _Generic(ci, int: 1.0f, const int: 2)
_Generic(uc + 1, int: 1u, default: 0) | _Generic(add, int (*)(int, double): 1.0L, default: 0)
__builtin_expect(i, 1) | __builtin_sqrt(2) | __builtin_fabsf(1) | __builtin_memcpy(pd, pi, 1) | __builtin_popcount(3)
__builtin_strlen("a") | __builtin_huge_val() | __builtin_inff() | __builtin_constant_p(i) | __builtin_bswap64(1)
__builtin_choose_expr(1, d, i)
__builtin_add_overflow(i, i, &i) | __atomic_load_n(pd == 0 ? pi : pi, 0)
__sync_fetch_and_add(&ul, 1) | __builtin_clz(u)
__builtin_unreachable() | __builtin_abs(i) | __builtin_labs(l)
__builtin_ctzll(1) | __builtin_alloca(8) | __builtin_nan("")
__builtin_frexp(d, &i) | __builtin_atan2l(1, 2) | __builtin_strchr(pc, 1) | __builtin_trap() | __builtin_isnan(d)
__func__ | sizeof __func__ | __func__[0]
(typeof(i))1 | (typeof(pd))pv | (typeof(*pd) *)pv
"""
ALL = [e.strip() for line in EXPRESSIONS.strip().splitlines() for e in line.split(" | ")]


@pytest.mark.compile
def test_types_agree_with_gcc():
    assert disagreements(PRELUDE, ALL) == []


@pytest.mark.compile
@pytest.mark.parametrize(
    "expression",
    [
        "pt + 1", "pt.z", "i.x", "ppt.x", "pt->x", "*i", "i[i]", "i(1)",
        "d % 2", "d & 1", "pi + pi", "pi * 2", "-pt", "~d",
        "nothing", "d << 1", "pi - d", "pi + d", "1 - pi", "a[d]", "i ? pt : 1", "-pi", "(void)0 + 1",
        "_Generic(i, double: 1)", "offsetof(struct point, zz)", "pn->zz", "unknown->x", "ppt[1]->x",
    ],
)  # fmt: skip
def test_refused_by_both(expression: str):
    assert disagreements(PRELUDE, [expression]) == []
    assert gcc_errors(f"{PRELUDE} void f(void) {{ (void)({expression}); }}")
    assert isinstance(types_of(PRELUDE, [expression])[0], InputError)


OPERANDS = [
    "b",
    "c",
    "sc",
    "uc",
    "s",
    "us",
    "i",
    "u",
    "l",
    "ul",
    "ll",
    "ull",
    "f",
    "d",
    "ld",
    "big",
    "ubig",
    "cf",
    "cd",
    "ci",
    "cdb",
    "vs",
    "pi",
    "pci",
    "cpi",
    "pv",
    "pcv",
    "pd",
    "pc",
    "ppi",
    "a",
    "m",
    "names",
    "v",
    "cv",
    "pa",
    "ca",
    "fp",
    "fps",
    "col",
    "w",
    "neg",
    "pt",
    "cpt",
    "ppt",
    "pcpt",
    "n",
    "pn",
    "both",
    "pts",
    "ai",
    "RED",
    "BIG",
    "MINUS",
    "add",
    "(1)",
    "(2u)",
    "(3l)",
    "(4.0f)",
    "(5.0)",
    "('c')",
    '("str")',
    "(0)",
    "((void*)0)",
    "pt.x",
    "n.ps",
    "pn->next",
    "pcpt->name",
    "(+bits.a)",
    "(+bits.c)",
]
TYPES = ["int", "unsigned char", "double", "int *", "const char *", "float", "long", "enum colour", "_Bool"]


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    binary = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&&", "||"]
    return st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(binary), inner),
        st.builds("({}{})".format, st.sampled_from(["-", "+", "~", "!", "*", "&"]), inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("({})({})".format, st.sampled_from(TYPES), inner),
        st.builds("({}[{}])".format, inner, inner),
        st.builds("({}, {})".format, inner, inner),
        st.builds("({}.{})".format, inner, st.sampled_from(["x", "name", "next", "p", "f"])),
        st.builds("({}->{})".format, inner, st.sampled_from(["x", "name", "next", "p", "f"])),
        st.builds("({}(1, 2))".format, inner),
    )


@pytest.mark.compile
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(st.lists(st.recursive(st.sampled_from(OPERANDS), _compound, max_leaves=6), min_size=100, max_size=200))
def test_random_expressions_agree_with_gcc(expressions: list[str]):
    assert disagreements(PRELUDE, expressions) == []


def test_long_sums_do_not_recurse():
    sema = analyse("void f(void) { double d; " + " + ".join(["d"] * 20000) + "; }")
    assert sema.type(body(sema).block_items[-1]) == C.DOUBLE


def test_long_else_if_chains_do_not_recurse():
    # Built by hand: the parser itself recurses on them.
    sema = analyse("void f(int i) { if (i == 0) i = 1; }")
    function = sema.functions["f"]
    head = last = function.body.block_items[0]
    for _ in range(5000):
        last.iffalse = type(last)(last.cond, last.iftrue, None, last.coord)
        last = last.iffalse
    again = type(sema)(sema.ast)
    again.analyse(function)
    assert again.type(head.cond) == C.INT


def test_variable_length_arrays_keep_their_bounds():
    sema = analyse("void f(int n, int m, double a[n][m]) { int v[n * 2]; a; a[1]; v; sizeof v; }")
    a, row, v, size = body(sema).block_items[1:]
    assert declare(sema.type(a), "a") == "double (*a)[m]"
    assert declare(sema.type(row), "r") == "double r[m]"
    assert declare(sema.type(v), "v") == "int v[n * 2]"
    assert isinstance(sema.type(v), Array)
    assert sema.value(size) is None


def test_typedef_spelling_is_kept():
    prelude = "typedef unsigned long size_t; typedef struct { int a; } S; const size_t n = 1; S *s;"
    n, s = types_of(prelude, ["n", "s"])
    assert isinstance(n, CType)
    assert isinstance(s, CType)
    assert declare(n, "x") == "const size_t x"
    assert declare(s, "x") == "S *x"
