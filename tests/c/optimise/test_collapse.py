"""Inner loops that are spread over the grid: what is proved independent, and what prevents it."""

# ruff: noqa: E501 - C loops on one line each

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from explained import reasons, transformations
from optimise_support import one_line

from rex_build.pipeline import explain, lower_text
from rex_build.request import LowerRequest

_RING = "a[i * m + (j > 0 ? j - 1 : m - 1)] - a[i * m + (j < m - 1 ? j + 1 : 0)]"
_HEAD = """
#ifdef __cplusplus
extern "C" {
#endif
double sqrt(double); double fmax(double, double);
int printf(const char *, ...);
#ifdef __cplusplus
}
#endif
struct S { double x, y; int n; };
static double square(double v) { return v * v; }
static int bump(int *p) { return *p += 1; }
static int count;
static int next(void) { return ++count; }
static double *place(double *p, int ld, int i, int j) { const int at = i * ld + j; return p + at; }
static double *row(double *p, int ld, int i) { return place(p, ld, i, 0); }
static int keep(int v) { return v; }
static int odd(int v) { v |= 1; return v; }
static int either(int v) { if (v > 3) return 0; return v; }
static int last(int v) { int w = 0; for (int k = 0; k < v; ++k) w = k; return w; }
"""


# What C units write into a kernel and C++ units, of which the body stays the user's text, do not.
ONLY_IN_C = ("depend on '", "loops side by side have variables of different names")


def request(
    tmp_path: Path, loops: str, clauses: str = "", more: str = "", no_opt: tuple[str, ...] = (), suffix: str = "c"
) -> LowerRequest:
    source = tmp_path / f"unit.{suffix}"
    source.write_text(_HEAD + function("f", loops, clauses, more))
    return LowerRequest(source=source, out_dir=tmp_path, no_opt=no_opt)


def function(name: str, loops: str, clauses: str = "", more: str = "") -> str:
    return (
        f"void {name}(int n, int m, int k, double *a, const double *x, int *c, struct S *s, struct S in{more})\n{{\n"
        f"    double sum = 0, t; int j, at;\n#pragma omp target teams distribute parallel for {clauses}\n{loops}\n}}\n"
    )


def said(asked: LowerRequest) -> str:
    return transformations(asked)["collapse"]


def said_of_each(tmp_path: Path, cases: Sequence[tuple[str, str]], suffix: str) -> list[str]:
    """What is said of the loops with the clauses of each case, which are functions of one unit."""
    source = tmp_path / f"unit.{suffix}"
    functions = [function(f"f{number}", *case) for number, case in enumerate(cases)]
    source.write_text("".join([_HEAD, *functions]))
    return [reasons(region)["collapse"] for region in explain(LowerRequest(source, tmp_path))["regions"]]


def rows(inner: str, before: str = "", after: str = "", columns: str = "int j = 0; j < m; ++j") -> str:
    return f"for (int i = 0; i < n; ++i) {{ {before} for ({columns}) {{ {inner} }} {after} }}"


INDEPENDENT = (
    (rows("*place(a, m, i, j) = x[j];"), ""),
    (rows("row(a, m, i)[keep(j)] = *place(a, m, i, j) + 1;"), ""),
    (rows("a[i * m + j] = x[i * m + j] + x[i * m + j - 1] + x[(i - 1) * m + j];"), ""),
    (rows("a[i * m + j] += 1;"), ""),
    (rows("a[i * m + j] += 1;"), "thread_limit(96)"),
    (rows("a[i * m + j] += 1;"), "num_threads(n)"),
    (rows("row[j] = row[j] + x[j];", "double *row = a + i * m;"), ""),
    (rows("*(row + j) = x[j];", "double *row = &a[i * m];"), ""),
    (rows("const long here = (long)i * m + j; a[here] = x[here + 1];"), ""),
    (rows("at = i * m + j; t = x[at]; a[at] = t * t;"), "private(j, at, t)"),
    (rows("a[i * m + j] = at;", "if ((at = i) > 3) at++; else at += 2;"), "private(at)"),
    (rows("a[i * m + j] = at;", "int q = (at = i, 3); at += q;"), "private(at)"),
    (rows("a[i * m + j] = q[1];", "int q[2] = {i, 4}; q[1] += k;"), ""),
    (rows("a[i * m + j] = x[j];", columns="j = m - 1; j >= 0; j -= 2"), "private(j)"),
    (rows("a[2 * j + i * m] = a[2 * j + 1 + i * m];"), ""),
    (rows("a[k * m + i * m + j] = a[i * m + j];"), ""),  # the host sees that k * m is longer than the loop
    (rows("a[i * m + j] = a[2 * k * m + i * m + j] + a[i * m + j - k * m];"), ""),
    (rows("a[i * m + j] = a[i * m + j + 64];", columns="int j = 0; j < 64; ++j"), ""),
    (rows("a[i * m + j] = a[i * m + j + 63];", columns="int j = 0; j < 64; j += 2"), ""),
    (rows("a[i * m + j * k] = 1;"), ""),  # the host sees that k is not 0
    (rows("a[m - 1 - j + i * m] = square(x[j]) + sqrt(x[i]);"), ""),
    (rows("s[i * m + j].x = s[i * m + j].y;"), ""),
    (rows("a[i * m + j] = 1;", columns="int j = i; j < m; ++j"), ""),
    (rows("a[i * m + j] = 1;", columns="int j = 0; j <= i; ++j"), ""),
    (rows("a[i * m + j] = 1;", columns="int j = m - 1; j > i; --j"), ""),
    (rows("a[i * m + j] = 1;", "const int from = 2 * i + 1;", columns="int j = from; j < m; ++j"), ""),
    (
        rows("a[i * m + j] = a[i * m + j - 1] + a[i * m + j + 1];", columns="int j = 1 + (i + k) % 2; j < m; j += 2"),
        "",
    ),
    (rows("a[i * m + j] = a[i * m + j - 1] + a[(i - 1) * m + j];", columns="int j = i & 1; j < m; j += 2"), ""),
    (rows("if ((i + j) % 2 == k) a[i * m + j] = a[i * m + j - 1] + a[(i + 1) * m + j];"), ""),
    (rows("if ((i + j + k) & 1) continue; a[i * m + j] = a[i * m + j - 1] + a[i * m + j + 3];"), ""),
    (rows("if (x[j] > 0 && j % 3 == 1) a[i * m + j] = a[i * m + j - 1] + a[i * m + j + 2];"), ""),
    (rows("if ((3 * j + i) % 4 == 1) a[i * m + j] = a[i * m + j - 2];"), ""),
    (
        rows("t = a[i * m + j]; c[i * m + j] = t;", "for (int j = 0; j < m; ++j) { t = x[j]; a[i * m + j] = t; }"),
        "private(t)",
    ),
    (
        rows(f"a[i * m + j] += {_RING};", columns="int j = (i + k) % 2; j < m; j += 2"),
        "",
    ),  # the host sees whether m is even
    (
        rows(
            "const int up = i > 0 ? i - 1 : n - 1; const int to = 0 < j ? j - 1 : m - 1; a[i * m + j] += a[up * m + j] + a[i * m + to];",
            columns="int j = i & 1; j < m; j += 2",
        ),
        "",
    ),
    (rows("a[i * m + j] += a[i * m + (j == 0 ? m - 1 : j - 1)];", columns="int j = m - 1; j >= 0; j -= 2"), ""),
    (rows("a[j * n + i] = 1;", columns="int j = i; j < m; ++j"), ""),
    (rows("c[i * m + j] = a[i * m + j];", "for (int j = 0; j < m; ++j) a[i * m + j] = x[j];"), ""),
    (
        rows("c[i * m + j] = a[i * m + j] * t;", "for (int q = 0; q < m; ++q) a[i * m + q] = x[q]; t = x[i];"),
        "private(t)",
    ),
    (rows("s[i * m + j].x = s[i * m + j - 1].y;"), ""),  # different members
    (rows("for (int k = 0; k < 3; ++k) a[i * m + j] += x[k];"), ""),
    (rows("for (int k = 0; k < m; ++k) a[(i * m + j) * m + k] = x[k];"), ""),
    (rows("if (x[j] > 0) a[i * m + j] = 1;", "if (x[i] < 0) continue;"), ""),
    (
        f"for (int i = 0; i < n; ++i) if (x[i] > 0) {{ {rows('a[i * m + j] = 1;').partition('{')[2].strip(' }')}; }} }}",
        "",
    ),
    (rows("sum += a[i * m + j];"), "reduction(+: sum)"),
    (rows("sum = sum - a[i * m + j] * x[j];"), "reduction(+: sum)"),
    (rows("if (x[i * m + j] > sum) sum = x[i * m + j];"), "reduction(max: sum)"),
    (rows("sum = x[j] < sum ? x[j] : sum;"), "reduction(min: sum)"),
    (rows("sum = sum > x[j] ? x[j] : sum;"), "reduction(min: sum)"),
    (rows("if (c[i * m + j] > at) at = c[i * m + j];"), "reduction(max: at)"),
    (rows("at = at > c[j] ? at : c[j];"), "reduction(max: at)"),
    (rows("at = c[j] < at ? c[j] : at;"), "reduction(min: at)"),
    (rows("at += k * (long)c[j];"), "reduction(+: at)"),  # modulo 2^32, in any order
    (rows("at = x[j] > 0 || at;"), "reduction(||: at)"),
    (rows("at = at && j != k;"), "reduction(&&: at)"),
    (rows("sum = fmax(sum, x[i * m + j]);"), "reduction(max: sum)"),
    (rows("a[i * (unsigned long)m + j] = 1;", columns="unsigned long j = 0; j != (unsigned)m; ++j"), ""),
    (rows("a[i * (unsigned long)m + j * (long)k] = 1;", columns="unsigned j = m; j != 0; --j"), ""),
    (rows("\n#pragma omp atomic\n a[c[j]] += x[i * m + j];"), ""),
    (rows("a[i * m + j] = 1;", columns="int j = 0; j < in.n; ++j"), ""),
    (
        rows("a[i * m + idx] = 1;", "int idx = c[i];", columns="int q = 0; q < 0; ++q").replace("idx] = 1", "q] = idx"),
        "",
    ),
    ("for (int i = 0; i < n; ++i)\n#pragma omp simd\nfor (int q = 0; q < m; ++q) a[i * m + q] = x[q];", ""),
    # One access is always behind the other, of which the host is sure when it knows n, m and k.
    (
        "for (int i = k + 1; i < n; ++i) for (int j = k + 1; j < n; ++j) a[i * m + j] -= a[i * m + k] * a[k * m + j];",
        "num_teams(n) thread_limit(128)",
    ),
    ("for (int i = k - 1; i >= 0; i -= 2) for (int j = k; j > 0; --j) a[i * m + j] += a[i * m] * a[k * m + j];", ""),
    (rows("a[i * m + j] += a[k * m + j];"), ""),
    (rows("a[i * m + j] += a[i * m];", columns="int j = 1; j < m; ++j"), ""),
    (rows("a[i * m + j] += a[i * m + i];", columns="int j = i + 1; j < m; ++j"), ""),
    (rows("a[i * m + 2 * j] = a[i * m + j + k];"), ""),
    (rows("a[i * in.n + j] += a[k * in.n + j];", columns="int j = 0; j < in.n; ++j"), ""),
    # Loops that begin where the distributed ones are.
    (rows("a[i * m + j] = 1;", columns="int j = i; j < i + 8; ++j"), ""),
    (rows("a[j] = a[j] * 2;", "const int end = 8 * i + 8;", columns="int j = 8 * i; j < end; j += 2"), ""),
    (rows("a[j] = x[j];", columns="int j = c[i]; j <= c[i] + m; ++j"), ""),
    (rows("a[i * m + j] = 1;", columns="unsigned j = i * 8u; j < i * 8u + 8; ++j"), ""),
    (rows("a[j] = 1;", "const unsigned long at = i * 8ul;", columns="unsigned long j = at; j < at + 8; ++j"), ""),
    (
        "for (int i = 0; i < n; i += 8) for (int q = 0; q < m; q += 8) for (int j = i; j < i + 8; ++j) for (int p = q; p < q + 8; ++p) a[p * n + j] = x[j * m + p];",
        "collapse(2)",
    ),
    # One iteration alone comes there.
    (rows("if (j == k) c[i] += j; a[i * m + j] = 1;"), ""),
    (rows("if (j != 0) continue; c[i] += j;"), ""),
)


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_independent(tmp_path: Path, suffix: str) -> None:
    for (loops, _), found in zip(INDEPENDENT, said_of_each(tmp_path, INDEPENDENT, suffix), strict=True):
        yet = suffix == "cpp" and any(reason in found for reason in ONLY_IN_C)
        assert yet or found.startswith("a kernel that spreads the loops 'i'"), loops


PREVENTED = (
    (rows("a[i * m + j] = a[i * m + j - 1];"), "", "may be the same element in different iterations of 'j'"),
    (rows("a[i * m + j] = a[i * m + j + 1];"), "", "may be the same element"),
    (rows("a[i * m + j] = a[i * m + j + 63];", columns="int j = 0; j < 64; ++j"), "", "may be the same element"),
    (rows("a[i * m + j] = a[i * m + j + 62];", columns="int j = 0; j < 64; j += 2"), "", "may be the same element"),
    (rows("a[i * m + j] = a[i * m + j - 62];", columns="int j = 63; j > 0; j -= 2"), "", "may be the same element"),
    (rows("a[i * m + j] = a[i * m + j + 63];", columns="int j = 0; j < 64; j += k"), "", "may be the same element"),
    (rows("a[i * m + 2 * j] = a[i * m + j];"), "", "may be the same element"),
    (rows(f"a[i * m + j] += {_RING};"), "", "may be the same element"),
    (
        rows("a[i * m + j] += a[i * m + (j > 1 ? j - 1 : m - 1)];", columns="int j = i & 1; j < m; j += 2"),
        "",
        "may be the same element",
    ),
    (
        rows("a[i * m + j] += a[i * m + (j > 0u ? j - 1 : m - 1)];", columns="int j = i & 1; j < m; j += 2"),
        "",
        "may be the same element",
    ),
    (
        rows("a[i * m + j] += a[i * m + (x[j] > 0 ? j - 1 : m - 1)];", columns="int j = i & 1; j < m; j += 2"),
        "",
        "may be the same element",
    ),
    (
        rows("a[i * m + j] += a[i * m + (j > 0 ? j - 1 : m - 1)];", columns="unsigned j = 0; j < m; j += 2"),
        "",
        "may be the same element",
    ),
    (rows("a[i * m + j] = a[i * m + m - j];"), "", "may be the same element"),
    (rows("a[i * m + j] = a[i * k + j];"), "", "may be the same element"),
    (rows("a[i * m + j % 4] = 1;"), "", "may be the same element"),
    (rows("a[i * m + j % 4 + j] = a[i * m + j % 4 + j];"), "", "may be the same element"),
    (rows("a[i * m + (char)j] = 1;"), "", "may be the same element"),
    (rows("a[i * m + j / 2] = 1;"), "", "may be the same element"),
    (rows("a[i * m + c[j]] = 1;"), "", "may be the same element"),
    (rows("a[base + j] = j;", "int j = i * m; const int base = j;"), "", "'j' means several variables"),
    (
        f"{rows('a[base + k] = k;', 'int base = i * k;', columns='int k = 0; k < m; ++k')}",
        "",
        "'k' means several variables",
    ),
    (
        rows("row[i] = 1;", "double *row = a + i * m;", columns="int i = 0; i < m; ++i"),
        "",
        "'i' means several variables",
    ),
    (
        rows("for (int q = 0; q < in.n; ++q) a[i * m + j * k + q] = x[q];").replace("in.n", "s->n"),
        "map(to: s[0:1])",
        "may be the same",
    ),
    (
        rows("a[i * m + j] = x[j] * mean;", "for (int q = 0; q < m; ++q) t += x[q]; const double mean = t / m;"),
        "firstprivate(t)",
        "computes 't' in order, and what follows needs it",
    ),
    (rows("a[i] += x[j];"), "", "'a[i]' may be the same element"),
    (rows("a[i * m + j] = a[i * m] + 1;"), "", "may be the same element"),
    (rows("c[c[i] + j] = 1;"), "", "may be the same element"),
    (rows("a[i * m + j] += a[i * m + i];", columns="int j = i; j < m; ++j"), "", "may be the same element"),
    (rows("if (j == k || j == 3) c[i] += j;"), "", "may be the same element"),
    (rows("if (j != k) c[i] += j;"), "", "may be the same element"),
    (rows("if ((char)j == k) c[i] += j;"), "", "may be the same element"),
    (rows("((float *)a)[i * m + j] = 1;"), "", "is not known"),
    (rows("p[0] = 1; p++;", "double *p = a + i * m;"), "", "share 'p'"),
    (rows("at = i * m + j; a[at] = 1; at = 0;"), "private(at)", "may be the same element"),
    (rows("a[at] = 1; at = i * m + j;"), "private(at)", "from one iteration of an inner loop to another"),
    (rows("t += x[j]; a[i * m + j] = t;", "t = 0;"), "private(t)", "'t' takes a value"),
    (rows("if (x[j] > 0) t = x[j]; a[i * m + j] = t;"), "private(t)", "'t' takes a value"),
    (rows("t = x[j];", "double t = 0;", "a[i] = t;"), "", "no loop ends an iteration"),
    (rows("buffer[j % 4] = j; a[i * m + j] = buffer[0];", "double buffer[4];"), "", "share 'buffer'"),
    (rows("double *p = &t; *p = x[j]; a[i * m + j] = t;", "double t;"), "", "'t' takes a value"),
    (rows("a[i * m + j] = 1;", "a[i] = 2;"), "", "in front of an inner loop"),
    (rows("a[i * m + j] = 1;", columns="int j = 0; j < c[i]; ++j"), "", "depend on 'i'"),
    (rows("a[i * m + j] = 1;", columns="int j = i; j < 2 * i + 8; ++j"), "", "depend on 'i'"),  # a band
    (rows("a[i * m + j] = 1;", columns="unsigned j = i * 8u; j != i * 8u + 8; ++j"), "", "may wrap around"),
    # What an iteration does to a variable comes after the bound of the distributed loop.
    (
        f"for (int i = 0; i < k; ++i) {{ k = 5; {rows('a[i * m + j] = a[n * m + j];').partition('{')[2]}",
        "firstprivate(k)",
        "may be the same element",
    ),
    (rows("switch (c[j]) { case 0: if (j == k) { case 1: c[i] += j; } }"), "", "may be the same element"),
    (rows("do { if (j == k) continue; c[i] += j; } while (0);"), "", "may be the same element"),
    (rows("a[i * m + j] = 1;", "int q = i; if (k) ++q;", columns="int j = q; j < q + 8; ++j"), "", "depend on 'q'"),
    (rows("a[i * m + j] = 1;", columns="int j = i; j < m; j += 2"), "", "depend on 'i'"),
    (rows("a[i * m + j] = 1;", columns="int j = i / 2; j < m; ++j"), "", "depend on 'i'"),
    (rows("a[i * m + j] = 1;", columns="unsigned j = i; j < m; ++j"), "", "depend on 'i'"),
    (
        rows("a[i * m + j] = a[i * m + j - 1];", columns="int j = (i + k) % 3; j < m; ++j"),
        "",
        "may be the same element",
    ),
    (
        rows("a[i * m + j] = a[i * m + j - 2];", columns="int j = (i + k) % 2; j < m; j += 2"),
        "",
        "may be the same element",
    ),
    (rows("if ((i + j) % 2 == k) a[i * m + j] = a[i * m + j - 2];"), "", "may be the same element"),
    (rows("if ((i + j) % 2 == j) a[i * m + j] = a[i * m + j - 1];"), "", "may be the same element"),
    (rows("if ((i + j) % 2 != k) a[i * m + j] = a[i * m + j - 1];"), "", "may be the same element"),
    (
        rows("if ((i + j) % 3 == k) a[i * m + j] = 1; else a[i * m + j] = a[i * m + j - 1];"),
        "",
        "may be the same element",
    ),
    (rows("if ((i + 2 * j) % 2 == k) a[i * m + j] = a[i * m + j - 1];"), "", "may be the same element"),
    (rows("a[i * m + j] = 1;", "for (int j = 0; j < k; ++j) a[i * m + j] = 2;"), "", "different bounds"),
    (
        rows("c[i * m + j] = a[i * m + j + 1];", "for (int j = 0; j < m; ++j) a[i * m + j] = 2;"),
        "",
        "may be the same element",
    ),
    (
        rows("a[i * m + j] /= t;", "t = 0; for (int j = 0; j < m; ++j) t += a[i * m + j];"),
        "private(t)",
        "'t' takes a value",
    ),
    (
        rows("a[i * m + j] /= t;", "for (int j = 0; j < m; ++j) a[i * m + j] = 1; t = a[i * m];"),
        "private(t)",
        "may be the same element",
    ),
    (
        rows("a[i * m + j] = t;", "t = 1; for (int j = 0; j < m; ++j) c[i * m + j] = t; t = 2;"),
        "private(t)",
        "another loop",
    ),
    (
        rows("c[i * m + j] = t;", "for (int j = 0; j < m; ++j) { t = x[j]; a[i * m + j] = t; }"),
        "private(t)",
        "'t' takes a value",
    ),
    (
        rows("c[i * m + j] = 1;", "for (int j = 0; j < m; ++j) a[i * m + j] = 1; { if (x[i] > 0) continue; }"),
        "",
        "another loop",
    ),
    (
        rows("a[i * m + j] = 1;", "for (int j = 0; j < m; ++j) { if (x[j] > 0) continue; c[i * m + j] = 1; }"),
        "",
        "'continue'",
    ),
    (
        rows("a[i * m + j] = 1;", "if (k == 0) continue;", columns="int j = 0; j < m / k; ++j"),
        "",
        "all trip counts",
    ),
    (rows("a[i * m + j] = 1;", columns="int j = 0; j < m % k; ++j"), "", "all trip counts"),
    (rows("c[0] = j; a[i * m + j] = 1;", columns="int j = 0; j < c[1]; ++j"), "", "are in memory"),
    (rows("if (x[j] > 0) break; a[i * m + j] = 1;"), "", "'break' ends the loop"),
    (rows("a[i * m + j] = j; j += c[i];"), "", "'j' is changed in the loop"),
    (rows('a[i * m + j] = j; printf("%d", j);'), "", "side effects"),
    (rows("a[i * m + j] = next();"), "", "side effects"),
    (rows("sum += a[i * m + j]; a[i * m + j] = sum;"), "reduction(+: sum)", "otherwise than in its reduction"),
    (rows("sum *= a[i * m + j];"), "reduction(+: sum)", "otherwise than in its reduction"),
    (rows("if (x[j] > sum) sum = 2 * x[j];"), "reduction(max: sum)", "otherwise than in its reduction"),
    (rows("if (c[j] < at) at = c[j];"), "reduction(max: at)", "otherwise than in its reduction"),
    (
        rows("sum = sum > x[j] ? sum : x[j];"),
        "reduction(max: sum)",
        "otherwise than in its reduction",
    ),  # takes a NaN
    (rows("sum = sum >= x[j] ? sum : x[j];"), "reduction(max: sum)", "otherwise than in its reduction"),
    # A conversion each time.
    (rows("at += x[j];"), "reduction(+: at)", "otherwise than in its reduction"),
    (rows("at = fmax(at, x[j]);"), "reduction(max: at)", "otherwise than in its reduction"),
    (
        rows("if ((unsigned)c[j] > at) at = (unsigned)c[j];"),
        "reduction(max: at)",
        "otherwise than in its reduction",
    ),
    # What is not always evaluated must not matter.
    (rows("at = at || x[j] > 0;"), "reduction(||: at)", "otherwise than in its reduction"),
    (rows("at = at && 8 / (j - k);"), "reduction(&&: at)", "otherwise than in its reduction"),
    # Effects, and somebody who sees a part of the sum.
    (rows("int q = j; if (c[q++] > at) at = c[q++];"), "reduction(max: at)", "otherwise than in its reduction"),
    (rows("c[i * m + j] = (at += j);"), "reduction(+: at)", "otherwise than in its reduction"),
    (rows("if (at++ > 3) c[i * m + j] = 1;"), "reduction(+: at)", "otherwise than in its reduction"),
    # What stands in front of a loop, and changes what it reads.
    (rows("c[i * m + j] = at;", "at = at * 3;"), "firstprivate(at)", "'at' takes a value"),
    (rows("c[i * m + j] = q;", "int q = at++;"), "firstprivate(at)", "'at' takes a value"),
    (rows("c[i * m + j] = at;", "if (bump(&at) > 3) t = 1;"), "firstprivate(at) private(t)", "'at' takes a value"),
    (rows("c[i * m + j] = q;", "int q = in.n++;"), "firstprivate(in)", "'in' takes a value"),
    (rows("*p += 1; c[i * m + j] = q;", "int q = 1, *p = &q;"), "", "'q' takes a value"),
    # Counters that may wrap around, and subscripts that do.
    (rows("a[i * m + j] = 1;", columns="unsigned j = m; j != 9; ++j"), "", "may wrap around"),
    (rows("a[i * m + j] = 1;", columns="unsigned char j = 0; j < m; j += 20"), "", "may wrap around"),
    (rows("a[i * m + (int)j] = 1;", columns="long j = 0; j < 1L << 40; j += 1L << 32"), "", "may be the same"),
    (rows("a[i + j * (1UL << 63)] = 1;"), "", "may be the same"),
    (rows("if ((j - 10ul) % 3 == 0) a[i * m + j] = a[i * m + j - 1];"), "", "may be the same"),
    # A loop that 'continue' takes to its increment before the variable is written.
    (
        rows("for (int q = 0; q < 2; c[i * m + j] += at, ++q) { if (j % 3) continue; at = j; }"),
        "private(at)",
        "'at' takes a value",
    ),
    (rows("sum += x[j];", after="a[i] = 1;"), "reduction(+: sum)", "no loop ends an iteration"),
    # What functions lead to.
    (rows("*place(a, m, i, k) = j;"), "", "may be the same element"),
    (rows("*place(a, m, i, j) = *place(a, m, i, j + 1);"), "", "may be the same element"),
    (rows("row(a, m, i)[odd(j)] = 1;"), "", "may be the same element"),
    (rows("row(a, m, i)[either(j)] = 1;"), "", "may be the same element"),
    (rows("*place(a, m, i, last(j)) = 1;"), "", "may be the same element"),
    (rows("\n#pragma omp atomic capture\n at = c[0]++; a[i * m + j] = at;"), "private(at)", "atomic"),
    (rows("\n#pragma omp atomic\n a[c[j]] += a[j];"), "", "may be the same element"),
    (rows("\n#pragma omp critical\n a[0] += x[j];"), "", "critical"),
    (rows("a[i * m + j] = x[j];"), "dist_schedule(static, 2)", "chunks"),
    (rows("t = a[i * m + j] = x[j];"), "lastprivate(t)", "last iteration"),
    (rows("a[i * m + j] = x[j];"), "is_device_ptr(a)", "not known to the host"),
    ("for (int i = 0; i < n; ++i) a[i] = x[i];", "", "no loop ends an iteration"),
    (rows("a[i * m + j] = k;", "n && (k = 4);"), "", "'k' takes a value"),
    (rows("a[i * m + j] = k;", "if (i > 3) k = 1; else k += 2;"), "", "'k' takes a value"),
    (rows("a[i * m + j] = k;", "switch (k) { case 1: k = 2; }"), "", "does more than compute"),
    (
        rows("for (int q = 0; q < 2; c[i * m + j] += t, q++) { if (j % 10) continue; t = j * 10 + q; }"),
        "private(t)",
        "'t' takes a value",
    ),
)


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_what_prevents_it(tmp_path: Path, suffix: str) -> None:
    cases = [(loops, clauses) for loops, clauses, _ in PREVENTED]
    for (loops, _, why), found in zip(PREVENTED, said_of_each(tmp_path, cases, suffix), strict=True):
        assert found.startswith("no, "), loops
        assert suffix == "cpp" or why in found, loops


def test_the_kernel_has_both_loops_in_tiles(tmp_path: Path) -> None:
    lowered = lower_text(request(tmp_path, rows("a[i * m + j] = x[i * m + j];")))
    kernel = lowered.device.partition("__collapsed__(")[2]
    assert "REX_TILE_COLUMNS(" in kernel
    assert "const double *__restrict__ x" in kernel
    assert "rex_elsewhere((void *)a, 0, __rex_shift_0, (void *)x, 0, __rex_shift_1, __device_id)" in lowered.host
    assert "rex_collapse_tiles(__rex_tripcount, __rex_inner_trips, __rex_tripcount, 270336, 16, " in one_line(
        lowered.host
    )


@pytest.mark.parametrize(
    ("clause", "limits"),
    [
        ("thread_limit(2000)", "1024, 1024"),
        ("thread_limit(96)", "96, 96"),
        ("thread_limit(n + 1)", "__rex_thread_limit, __rex_thread_limit"),
        ("num_threads(m)", "_threads_per_block_, _threads_per_block_"),
    ],
)
def test_blocks_over_both_loops_have_what_a_clause_says(tmp_path: Path, clause: str, limits: str) -> None:
    """They do not have the fewer threads that the outer loop alone would have under a limit."""
    host = one_line(lower_text(request(tmp_path, rows("a[i * m + j] = x[i * m + j];"), clause)).host)
    assert re.search(f", {limits}, (0|264), &_num_blocks_", host)
    assert host.count("n + 1;") == (clause == "thread_limit(n + 1)"), "it is evaluated once"


def test_the_loop_over_neighbours_is_the_innermost(tmp_path: Path) -> None:
    host = lower_text(request(tmp_path, rows("a[j * n + i] = x[j * n + i];"))).host
    assert "__rex_outer_trips = (m > 0" in host
    assert "(__rex_outer_trips, __rex_tripcount, __rex_tripcount, " in one_line(host), "the nest is counted once"


def test_factors_that_only_the_run_knows_are_tested(tmp_path: Path) -> None:
    one = lower_text(request(tmp_path, rows("a[i * m + j * k] = 1;"))).host
    assert "__builtin_fabs((double)1 * (double)k) > 0" in one
    nested = rows("for (int q = 0; q < k; ++q) a[(i * m + j) * k + q] = x[q];")
    assert "__builtin_fabs" not in lower_text(request(tmp_path, nested)).host, "it counts through the loops' own sizes"
    three = rows("for (int q = 0; q < m; ++q) a[(i * m + j) * k + q] = x[q];")
    host = lower_text(request(tmp_path, three)).host
    assert "__builtin_fabs((double)1 * (double)k) > (1 * (double)((m > 0 ? (long long)m : 0) - 1))" in host
    stepped = rows("for (int q = 0; q < m; q += 3) a[i * m + j * k + q] = x[q];")
    found = said(request(tmp_path, stepped))
    host = lower_text(request(tmp_path, stepped)).host
    assert "'q'" in found
    assert "__builtin_fabs((double)1 * (double)k) > (1 * (3 * (double)(" in host


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_first_values_are_compared_as_a_whole(tmp_path: Path, suffix: str) -> None:
    """The first column of a ring, which is a choice, may not be left of it."""
    update = "a[i * m + j] += a[i * m + (j > 0 ? j - 1 : m - 1)] + 2 * a[i * m + (j != m - 1 ? j + 1 : 0)];"
    ring = rows(update, columns="int j = (i + k) % 2; j < m; j += 2")
    host = one_line(lower_text(request(tmp_path, ring, suffix=suffix)).host)
    first = host.partition("__rex_collapsed = ")[2].partition(" >= 0 &&")[0]
    assert first.startswith("(")
    assert first.endswith(")")
    assert first.count("(") == first.count(")")
    assert "?" in first


def test_memory_of_bounds_must_be_apart_too(tmp_path: Path) -> None:
    host = lower_text(
        request(tmp_path, rows("a[i * m + j] = 1;", columns="int j = 0; j < s->n; ++j"), "map(s[0:1])")
    ).host
    assert "rex_elsewhere((void *)a, 0, __rex_shift_0, (void *)s, " in host


@pytest.mark.parametrize(
    ("clauses", "loop", "combined", "shape"),
    [
        ("reduction(+: sum)", "REX_SUM_ROWS(", "rex_reduce_tiles(rex_part<rex_add>", "rex_collapse_sums("),
        # Blocks of parts of warps have one dimension.
        ("reduction(+: sum) thread_limit(16)", "REX_STRIDED_LOOP(", "rex_reduce_grid<rex_add>", "rex_collapse("),
    ],
)
def test_with_reductions_threads_run_several_iterations(
    tmp_path: Path, clauses: str, loop: str, combined: str, shape: str
) -> None:
    lowered = lower_text(request(tmp_path, rows("sum += a[i * m + j];"), clauses))
    kernel = lowered.device.partition("__collapsed__(")[2]
    assert loop in kernel
    assert combined in kernel
    assert shape in lowered.host


@pytest.mark.parametrize("name", ["collapse", "noalias", "index32"])
def test_left_out(tmp_path: Path, name: str) -> None:
    asked = request(tmp_path, rows("a[i * m + j] = x[i * m + j];"), no_opt=(name,))
    assert said(asked).startswith("no, ")
    assert "__collapsed__" not in lower_text(asked).device


def test_threads_of_a_clause_are_kept(tmp_path: Path) -> None:
    host = " ".join(lower_text(request(tmp_path, rows("a[i * m + j] += 1;"), "thread_limit(96)")).host.split())
    assert "int _threads_per_block_ = rex_threads(__rex_tripcount, 96, 64, 264);" in host
    assert "96, 96, 264, &_num_blocks_, &_threads_per_block_, " in host


def test_one_team_stays_one_team(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    loops = rows("a[i * m + j] += 1;")
    source.write_text(
        f"void f(int n, int m, double *a) {{\n#pragma omp target parallel for num_threads(8)\n{loops}\n}}\n"
    )
    assert said(LowerRequest(source=source, out_dir=tmp_path)).startswith("no, clauses say")
