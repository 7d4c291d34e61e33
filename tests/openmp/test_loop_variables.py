"""When a loop changes its variable, which OpenMP does not allow: the same in C and C++."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from execution import rex_build

pytestmark = pytest.mark.compile
LOOP = """#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:100])
    for (int row = 0; row < 10; row++)
        for (int col = 0; col < n; col++) """

# Other variables of the same name, and what is not evaluated.
KEPT = (
    "{ for (int col = 0; col < 3; col++) a[col] = row; }",
    "{ int row = 1; row += 2; a[col] = row; }",
    "{ if (col > 1) { int col = row; col++; a[col] = 1; } }",
    "a[col] = row + (int)sizeof(col++);",
    "a[col] = row + (int)sizeof(__typeof__(row += 1));",
    "{ int *p = a; *p++ = row; (*p)++; p[col] = 1; p[row]++; a[col]--; }",
    "{ int k; for (k = col; k < n; k += col + row) a[k] = 1; }",
    "{ struct { int col; } s; s.col = row; s.col++; a[col] = s.col; }",
)
KEPT_IN_CXX = (
    "{ auto f = [](int col) { col++; return col; }; a[col] = f(row); }",
    "{ auto f = [col]() mutable { return ++col; }; a[col] = f(); }",
    "{ auto f = [=]() mutable { int row = 1; row++; return row + col; }; a[col] = f(); }",
    "{ decltype(col++) k = row; a[col] = k; }",
    "a[col] = row + noexcept(row++);",
    "{ auto f = [&] { return row + col; }; a[col] = f(); }",
)
CHANGED = (
    "{ a[col] = row; col++; }",
    "{ if (a[col]) row = 3; }",
    "{ a[col--] = 1; }",
    "{ a[(col = 3)] = 1; }",
    "{ while (a[col]) row += 1; }",
    "{ for (col = 0; col < 3; col++) a[col] = row; }",
    "{ int k = col; a[k] = 1; { { col |= 1; } } }",
)
CHANGED_IN_CXX = (
    "{ auto f = [&] { return ++col; }; a[row] = f(); }",
    "{ auto f = [&row](int k) { row = k; }; f(col); }",
    "{ int &other = a[0]; other = 3; [&col] { col += 1; }(); }",
)


def unit(bodies: tuple[str, ...]) -> str:
    functions = (f"void f{number}(int *a, int n)\n{{\n{LOOP}{body}\n}}\n" for number, body in enumerate(bodies))
    return "".join(functions)


@pytest.mark.parametrize("name", ["unit.c", "unit.cpp"])
def test_other_variables_may_change(tmp_path: Path, name: str) -> None:
    source = tmp_path / name
    source.write_text(unit((*KEPT, *(KEPT_IN_CXX if name == "unit.cpp" else ()))))
    outcome = rex_build("lower", source, "--out-dir", tmp_path / "out", "--", "-Wno-rex-all")
    assert outcome.status == 0, outcome.stderr


@pytest.mark.parametrize("name", ["unit.c", "unit.cpp"])
def test_a_loops_own_variable_may_not_change(tmp_path: Path, name: str) -> None:
    source, bodies = tmp_path / name, (*CHANGED, *(CHANGED_IN_CXX if name == "unit.cpp" else ()))
    source.write_text(unit(bodies))
    outcome = rex_build("lower", source, "--out-dir", tmp_path / "out")
    assert outcome.status == 1
    found = re.findall(r":(\d+):\d+: error: the loop variable '(?:col|row)' is changed in the loop", outcome.stderr)
    lines = 1 + unit(bodies[:1]).count("\n")
    assert [int(line) for line in found] == [5 + number * (lines - 1) for number in range(len(bodies))], outcome.stderr


def test_heads_that_no_instantiation_has(tmp_path: Path) -> None:
    """Device code has the branches, too, that all instantiations discard."""
    source = tmp_path / "unit.cpp"
    source.write_text(
        """#include <vector>
template <int N, class T> void f(T *a, int n)
{
#pragma omp target teams map(a[0:n])
    if constexpr (N > 100) {
#pragma omp parallel for
        for (T i = 0; i < N * n; i += N) a[i] = i;
    } else {
#pragma omp parallel for
        for (T i = n; i > 0; --i) a[i] = i;
    }
}
template <class C> void never(C &v)
{
#pragma omp parallel for
    for (auto &x : v) x = 1;
#pragma omp parallel for ordered
    for (auto i = v.begin(); i != v.end(); ++i) *i = 2;
}
void g(int *a) { f<3>(a, 10); }
"""
    )
    outcome = rex_build("lower", source, "--out-dir", tmp_path / "out", "--", "-std=c++17")
    assert outcome.status == 0, outcome.stderr
    device = (tmp_path / "out" / "rex_lib_unit.cu").read_text()
    assert "rex_steps_to<T>(0, (N * n), (N))" in device
    assert "rex_steps_down_to<T>(n, 0, 1)" in device
