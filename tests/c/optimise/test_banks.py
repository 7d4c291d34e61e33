"""Arrays of a thread's own in shared memory: which, what stands for them, and where their elements lie."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from explained import transformations

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_FILL = "static void fill(int *p) { p[1] = 2; }"
_HEAD = "void f(int n, int m, const unsigned char *x, int *out)\n{\n#pragma omp target teams distribute "
_INCLUDE = Path(__file__).resolve().parents[3] / "rex_build" / "include"
_COUNT = "for (int k = 0; k < m; ++k) a[x[i * m + k] % 8]++; out[i] = a[0];"


def _request(tmp_path: Path, suffix: str, body: str, clauses: str = "parallel for") -> LowerRequest:
    source = tmp_path / f"unit{suffix}"
    source.write_text(f"{_FILL}\n{_HEAD}{clauses}\nfor (int i = 0; i < n; ++i) {{ {body} }}\n}}\n")
    return LowerRequest(source=source, out_dir=tmp_path)


def _said(request: LowerRequest) -> str:
    return transformations(request)["banks"]


_TABLES = """
static double series(double x, const double *c, int n) { double s = 0; while (n--) s = s * x + c[n]; return s; }
static double a(double x) { const double ta[] = {1, -2.5, +3}; return series(x, ta, 3); }
static double b(double x) { double const tb[2] = {1, 2}, *p = tb; return series(x, p, 2); }
static double c(double x) { double tc[] = {1, 2, 3}; return series(x, tc, 3); }
static double d(double x) { const double td[] = {1, x, 3}; return series(x, td, 3); }
static double e(int i) { const double te[] = {1, 2, 3}; return te[i % 3]; }
static double g(double x) { volatile const double tg[] = {1, 2, 3}; return series(x, (const double *)tg, 3); }
void f(int n, double *out)
{
#pragma omp target teams distribute parallel for map(from: out[0:n])
    for (int i = 0; i < n; ++i)
        out[i] = a(i) + b(i) + c(i) + d(i) + e(i) + g(i) MORE;
}
"""
_CXX_TABLES = """
template <class T> static T h(T x) { const T th[] = {T(1), T(2)}; return series(x, th, 2); }
template <class T> static double j(T x) { const T tj[] = {1, 2, 3, 4}; return series(x, (const double *)tj, 1); }
constexpr double k(int i) { const double tk[] = {1, 2, 3}, *p = tk; return p[i]; }
static double l(double x) { const double tl[] = {1, 2}, z = x; return series(z, tl, 2); }
struct m { double at(double x) const { constexpr double tm[] = {1, 2}; return series(x, tm, 2); } };
"""


@pytest.mark.parametrize(
    ("suffix", "more", "expected"),
    [(".c", "", "ab"), (".cpp", " + h(1.0 * i) + j(1.0) + j(1) + k(i % 3) + l(i) + m().at(i)", "ahjm")],
)
def test_constant_tables_that_functions_hand_on_serve_all_calls(
    tmp_path: Path, suffix: str, more: str, expected: str
) -> None:  # fmt: skip
    text = _TABLES if suffix == ".c" else _TABLES.replace("void f(", f"{_CXX_TABLES}void f(")
    source = tmp_path / f"unit{suffix}"
    source.write_text(text.replace("MORE", more))
    request = LowerRequest(source=source, out_dir=tmp_path)
    found = re.findall(
        r"static (?:const|const double|constexpr double|double const|const T) t(\w)\[", lower_text(request).device
    )
    assert sorted(found) == list(expected)
    request = LowerRequest(source=source, out_dir=tmp_path, no_opt=("banks",))
    assert "static const double ta" not in lower_text(request).device


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    ("body", "names", "macro"),
    [
        (f"int a[8]; a[0] = 0; {_COUNT}", "a", "REX_OWN_ARRAY(a, 256);"),
        (f"int a[8] = {{1, 2}}; {_COUNT}", "a", "REX_OWN_ARRAY_FROM(a, 256);"),
        (f"int t = 1, a[8] = {{0}}; {_COUNT} out[i] += t;", "a", "REX_OWN_ARRAY_FROM(a, 256);"),
        (f"short a[8] = {{0}}; for (;;) {{ {_COUNT} break; }}", "a", "REX_OWN_ARRAY_FROM(a, 256);"),
        ("long s[8]; int d = 0; while (d < m) { if (x[d]) s[d & 7] = d; d++; if (x[d]) d++; }", "s", "ARRAY(s, 256);"),
        (f"{{ float b[4] = {{0}}; b[x[i] & 3] += 1; }} int a[8] = {{0}}; {_COUNT}", "a, b", "_FROM(b, 256);"),
    ],
)
def test_arrays_in_shared_memory(tmp_path: Path, body: str, names: str, macro: str, suffix: str) -> None:
    request = _request(tmp_path, suffix, body)
    assert _said(request) == f"arrays of the thread's own that data index lie in shared memory: {names}"
    text = lower_text(request).device
    assert macro in text
    assert f"{names[0]}__rex_first[" in text
    assert "__rex_first" not in lower_text(LowerRequest(request.source, tmp_path, no_opt=("banks",))).device


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    ("body", "declared"),
    [
        ("const int t[4] = {1, 2, 3, 5}; out[i] = t[x[i] & 3];", "static const int t["),
        ("const float t[] = {1, -2.5f, 3, 4}; out[i] = (int)t[x[i] & 3] + (int)t[1];", "static const float t["),
        ("const int t[8] = {1, -2}; int k = x[i]; out[i] = t[k & 7] + t[(k >> 3) & 7];", "static const int t["),
    ],
)
def test_constant_tables_are_one_for_all(tmp_path: Path, body: str, declared: str, suffix: str) -> None:
    request = _request(tmp_path, suffix, body)
    assert _said(request) == "constant arrays that data index are one for all threads: t"
    assert declared in lower_text(request).device
    assert "static const" not in lower_text(LowerRequest(request.source, tmp_path, no_opt=("banks",))).device


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    "body",
    [
        "const int t[4] = {1, 2, 3, i}; out[i] = t[x[i] & 3];",  # another one in each iteration
        "const int t[2] = {1, 2}; out[i] = t[x[i] & 1];",
        "const int t[4] = {1, 2, 3, 4}; out[i] = 0; for (int k = 0; k < 4; ++k) out[i] += t[k];",
        "const int t[4] = {1, 2, 3, 4}; const int *p = t; out[i] = p[x[i] & 3] + t[x[i] & 3];",
        "const int t[4] = {1, 2, 3, 4}; out[i] = t[x[i] & 3] + (int)sizeof(t);",
        "int t[4] = {1, 2, 3, 4}; out[i] = t[x[i] & 3];",
        "const volatile int t[4] = {1, 2, 3, 4}; out[i] = t[x[i] & 3];",
    ],
)
def test_other_arrays_are_each_threads_own(tmp_path: Path, body: str, suffix: str) -> None:
    assert "static const" not in lower_text(_request(tmp_path, suffix, body)).device


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("int a[8]; for (int k = 0; k < 8; ++k) a[k] = k; out[i] = a[x[i] & 7];", "no array"),  # the compiler's choice
        ("int a[9], d = 0; for (int k = 0; k < 9; ++k) a[d++] = x[k]; out[i] = a[4];", "no array"),
        (f"int a[99]; {_COUNT}", "'a' is too large for so many threads"),
        (f"int a[8]; fill(a); {_COUNT}", "'a' is used otherwise than by its elements"),
        (f"int a[8]; int *p = &a[1]; *p = 3; {_COUNT}", "'a' is used otherwise than by its elements"),
        (f"int a[8]; a[0] = sizeof(a); {_COUNT}", "'a' is declared or used in a form"),
        (f"int a[8]; 0[a] = 1; {_COUNT}", "'a' is declared or used in a form"),
        (f"volatile int a[8]; {_COUNT}", "or elements that are volatile"),
        ("int a[2][4] = {0}; for (int k = 0; k < m; ++k) a[x[k] & 1][x[i] & 3]++; out[i] = a[0][0];", "no array"),
        ("struct s { int v; } a[4]; for (int k = 0; k < m; ++k) a[x[k] & 3].v = k; out[i] = a[0].v;", "no array"),
        (f"switch (m) {{ int a[8]; case 1: {_COUNT} }}", "'a' is declared in a switch"),
        (f"if (m) goto end; {{ int a[8]; {_COUNT} }} end: ;", "jumps"),
        (f'int a[8]; _Pragma("omp atomic") a[x[i] & 7]++; {_COUNT}', "constructs of its own"),
        (f'int a[8]; _Pragma("omp simd reduction(+: a)") for (int k = 0; k < 9; ++k) a[k]++; {_COUNT}', "constructs"),
    ],
)
def test_arrays_that_stay(tmp_path: Path, body: str, why: str, suffix: str) -> None:
    request = _request(tmp_path, suffix, body)
    assert _said(request).startswith("no, ")
    assert why in _said(request)
    assert "__rex_first" not in lower_text(request).device


@pytest.mark.parametrize(
    ("clauses", "applied"),
    [("parallel for thread_limit(1024)", False), ("parallel for thread_limit(128)", True), ("", True)],
)
def test_as_many_threads_as_have_room(tmp_path: Path, clauses: str, applied: bool) -> None:
    """A team's arrays take no more than half of the shared memory that it gets without asking."""
    request = _request(tmp_path, ".c", f"int a[8]; {_COUNT}", clauses)
    assert _said(request).startswith("no, ") != applied


_PLACES = """
#include <cassert>
#include <cstddef>
#define __device__
#define REX_UNROLL
#include "rex_own_arrays.h"
template <class T, size_t N> void places()
{
    static typename rex_own_array<T[N], 64>::storage shared;
    static int owner[sizeof shared]; // of each byte
    for (unsigned thread = 0; thread < 64; ++thread) {
        const rex_own_array<T[N], 64> array(shared, thread);
        for (size_t i = 0; i < N; ++i) {
            const char *const first = reinterpret_cast<const char *>(&array[i]);
            const size_t at = first - reinterpret_cast<const char *>(&shared);
            for (size_t byte = at; byte < at + sizeof(T); ++byte) {
                assert(byte < sizeof shared && owner[byte] == 0 && (owner[byte] = 1));
                assert(byte / 4 % (sizeof(T) > 4 ? 128 : 64) / (sizeof(T) > 4 ? 2 : 1) == thread); // its own bank
            }
        }
    }
    T first[N];
    for (size_t i = 0; i < N; ++i)
        first[i] = static_cast<T>(i * 3 + 1);
    const rex_own_array<T[N], 64> array(shared, 63);
    array.begin(first);
    for (size_t i = 0; i < N; ++i)
        assert(array[i] == first[i]);
}
int main()
{
    places<unsigned char, 16>(), places<signed char, 7>(), places<short, 5>(), places<int, 9>(), places<double, 6>();
}
"""


def test_each_thread_has_words_in_its_own_bank(tmp_path: Path) -> None:
    (tmp_path / "places.cpp").write_text(_PLACES)
    build = ["g++", "-std=c++17", f"-I{_INCLUDE}", "-o", "places", "places.cpp"]
    subprocess.run(build, cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "places"], check=True)
