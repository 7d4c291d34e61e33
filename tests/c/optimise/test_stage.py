# ruff: noqa: E501 -- lines of C stand whole
"""Inner loops for whose rows a warp works together: which, with which rows, and what prevents it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from explained import transformations

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_ALL = (
    "int m, int n, const float *a, const double *b, const int *w, float *o, float *y, short *narrow, unsigned k, "
    "const int *begin, float (*two)[64], const long *x"
)


def _request(tmp_path: Path, body: str, clauses: str = "", no_opt: tuple[str, ...] = ()) -> LowerRequest:
    source = tmp_path / "unit.c"
    source.write_text(
        f"int putchar(int);\nvoid f({_ALL})\n{{\n#pragma omp target teams distribute parallel for {clauses}\nfor (int i = 0; i < m; ++i) {{ float s = 0; {body} }}\n}}\n"
    )
    return LowerRequest(source=source, out_dir=tmp_path, no_opt=no_opt)


def _said(request: LowerRequest) -> str:
    return transformations(request)["stage"]


def _sum(value: str) -> str:
    return f"for (int j = 0; j < n; ++j) s += {value}; y[i] = s;"


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        (_sum("a[i * n + j]"), ["read:float"]),
        (_sum("a[i * n + j] * a[i * n + j] + a[j]"), ["read:float"]),
        (_sum("a[i * n + j] * b[begin[i] + j]"), ["read:float", "read:double"]),
        (_sum("a[i * n + j] + w[i * n + j] + b[i * n + j]"), ["read:float", "read:int"]),  # there is no room for more
        (_sum("two[i][j]"), ["read:float"]),
        (_sum("x[(long)i * n + j + 3]"), ["read:long"]),
        ("const float *row = a + i * n; " + _sum("*(row + j)"), ["read:float"]),
        ("int at = i * n; " + _sum("a[at + j] > 0 ? a[at + j] : x[j]"), ["read:float"]),
        ("for (int j = 0; j < n; ++j) { s += x[j]; o[i * n + j] = s; }", ["written:float"]),
        ("\n#pragma omp simd\n" + _sum("a[i * n + j]"), ["read:float"]),
        ("for (int j = 0; j < n; ++j) { s += a[i * n + j]; o[i * n + j] = s; }", ["read:float", "written:float"]),
        (
            "y[i] = 0; for (int j = 0; j < n; ++j) y[i] += a[i * n + j] * x[j];",
            ["read:float"],
        ),  # it stays in a variable
    ],
)
def test_rows(tmp_path: Path, body: str, rows: list[str]) -> None:
    request = _request(tmp_path, body)
    assert _said(request).startswith(
        "a kernel whose warps move rows of the loops over 'j' together, where 'i' has fewer"
    )
    lowered = lower_text(request)
    staged = lowered.device.split("__staged__(")[-1]
    assert [f"{way}:{kind}" for way, kind in re.findall(r"rex_(read|written)_row<(\w+)>\{", staged)] == rows
    assert "rows_loop(" not in lowered.device.split("__staged__(")[0]
    assert "rex_grid_of_rows(" in lowered.host


def test_iterations_that_leave_nothing_to_each_other(tmp_path: Path) -> None:
    """Threads with the same row share such a loop out. A scalar of the iteration from outside forbids it, and so does an
    element that two iterations write."""
    ways = {
        "const float v = a[i * n + j] - s; o[i * n + j] = v;": "rex_apart_rows_loop",
        "s = a[i * n + j] - s; o[i * n + j] = s;": "rex_rows_loop",
        "float v = 0; for (int l = 0; l < 3; ++l) v += a[i * n + j]; o[i * n + j] = v;": "rex_apart_rows_loop",
        "o[i * n + j / 2] = a[i * n + j] - s;": "rex_rows_loop",
        "o[i * n + j] = s; o[i * n + j + 1] = a[i * n + j];": "rex_rows_loop",
        "o[i * n + w[j]] = a[i * n + j];": "rex_rows_loop",
    }
    for iteration, loop in ways.items():
        body = f"for (int j = 0; j < n; ++j) s += a[i * n + j]; for (int j = 0; j < n; ++j) {{ {iteration} }}"
        text = lower_text(_request(tmp_path, body)).device
        assert re.findall(r"rex_\w*rows_loop(?=\()", text) == ["rex_rows_loop", loop]


def test_other_accesses_bound_the_rows_in_flight(tmp_path: Path) -> None:
    """Threads that wait for each other's elements gain by being many, unless all they wait for are the rows."""
    assert _said(_request(tmp_path, _sum("a[i * n + j] * x[j]"))).endswith("fewer than 270336 iterations")
    assert _said(_request(tmp_path, _sum("a[i * n + j] * x[w[i * n + j]]"))).endswith("fewer than 21120 iterations")


@pytest.mark.parametrize(
    ("body", "clauses", "why"),
    [
        (_sum("a[j * m + i]"), "", "no inner loop reads or writes rows"),  # neighbouring threads have neighbours
        (_sum("a[i + j]"), "", "no inner loop reads or writes rows"),
        (_sum("a[j]"), "", "no inner loop reads or writes rows"),  # all have the same
        (_sum("a[i * n + 2 * j]"), "", "no inner loop reads or writes rows"),
        (_sum("a[i * n + (j & 7)]"), "", "no inner loop reads or writes rows"),
        (_sum("a[i * k + j]"), "", "no inner loop reads or writes rows"),  # in 32 bits it may come to the beginning again
        (_sum("narrow[i * n + j]"), "", "no inner loop reads or writes rows"),
        ("for (int j = 0; j < n; ++j) if (j > 3) s += a[i * n + j]; y[i] = s;", "", "no inner loop reads or writes rows"),
        ("for (int j = 0; j < n; ++j) s += o[i * n + j], o[i * n + j + 1] = s;", "", "no inner loop reads or writes rows"),
        ("for (int j = 0; j < n; ++j) { s += x[j]; if (s > 1) o[i * n + j] = s; }", "", "no inner loop reads or writes rows"),
        ("if (w[i]) " + _sum("a[i * n + j]"), "", "no inner loop reads or writes rows"),
        ("if (w[i]) continue; " + _sum("a[i * n + j]"), "", "'continue' ends an iteration"),
        ("for (int j = 0; j < n; ++j) { if (s > 9) break; s += a[i * n + j]; } y[i] = s;", "", "a jump ends an iteration over 'j'"),
        ("for (int j = 0; j < n; ++j) { s += a[i * n + j]; j += w[i]; } y[i] = s;", "", "a loop inside: the loop variable 'j' is changed"),
        ("int e = n; for (int j = 0; j < e; ++j) { s += a[i * n + j]; e = 9; } y[i] = s;", "", "the bounds of the loop over 'j' are not simple"),
        ("for (int j = 0; j < n; j += 2) s += a[i * n + j]; y[i] = s;", "", "'j' does not count up by 1"),
        (_sum("a[i * n + j]" + " * 2 + 1" * 120), "", "an iteration over 'j' is long"),  # it is compiled many times
        (_sum("a[i * n + j]") + " y[i] += 1;", "", "an iteration reads and writes 'y'"),
        (_sum("a[i * n + j]") + " if (s < 0) putchar('-');", "", "'putchar' may have side effects"),
        ("for (int j = 0; j < begin[i]; ++j) s += a[i * n + j]; y[i] = s;", "", "the host does not know all trip counts"),
        (_sum("a[i * n + j]"), "schedule(static, 4)", "the scheduler deals out chunks"),
    ],
)  # fmt: skip
def test_others(tmp_path: Path, body: str, clauses: str, why: str) -> None:
    request = _request(tmp_path, body, clauses)
    assert _said(request).startswith(f"no, {why}")
    assert "__staged__(" not in lower_text(request).device


@pytest.mark.parametrize(
    ("clauses", "warps"),
    [("thread_limit(64)", "rex_omp_max_teams(),"), ("num_teams(k)", "(rex_int64)_num_blocks_ * _threads_per_block_ / 32,")],
)
def test_no_more_warps_than_clauses_allow(tmp_path: Path, clauses: str, warps: str) -> None:
    request = _request(tmp_path, _sum("a[i * n + j]"), clauses)
    assert _said(request).startswith("a kernel whose warps move rows")
    host = " ".join(lower_text(request).host.split())
    assert warps in host.partition("rex_grid_of_rows(")[2].partition(";")[0]


def test_needs_the_other_kernel(tmp_path: Path) -> None:
    for name in ("once", "index32", "noalias", "stage"):
        request = _request(tmp_path, _sum("a[i * n + j]"), no_opt=(name,))
        assert _said(request).startswith("no, ")
        assert "rows_loop(" not in lower_text(request).device
    assert (
        _said(_request(tmp_path, "for (int j = 0; j < n; ++j) o[i * n + j] = a[i * n + j];"))
        == "no, the inner loops share the grid"
    )
