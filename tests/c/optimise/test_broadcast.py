# ruff: noqa: E501 -- lines of C stand whole
"""Inner loops of which all threads read the same rows: which, and what prevents it, in C and in C++."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from explained import reasons, transformations

from rex_build.pipeline import explain, lower_text
from rex_build.request import LowerRequest

_TYPES = (
    "struct two { float x, y; }; struct three { float x, y, z; }; struct four { double a; int k; float w; };\n"
    "struct five { float v[2]; }; struct six { int a : 3, b; }; struct seven { float x, y; double z, w; };\n"
    "union eight { float x; double y; }; struct __attribute__((packed)) nine { char c, d; short e; float x; };\n"
)
_ALL = (
    "const struct two *p2, const struct three *p3, const struct four *p4, const struct five *p5, const struct six *p6, "
    "const struct seven *p7, const union eight *p8, const struct nine *p9, int m, int n, int k, const float *a, const float *b, float c, const double *w, const short *narrow, const long *l, float *o, "
    "float *y, const int *begin, float (*two)[64], unsigned u"
)
pytestmark = pytest.mark.parametrize("suffix", [".c", ".cpp"])


def _request(tmp_path: Path, suffix: str, body: str, clauses: str = "", no_opt: tuple[str, ...] = ()) -> LowerRequest:
    source = tmp_path / f"unit{suffix}"
    source.write_text(_TYPES + _function("f", body, clauses))
    return LowerRequest(source=source, out_dir=tmp_path, no_opt=no_opt)


def _function(name: str, body: str, clauses: str) -> str:
    return f"void {name}({_ALL})\n{{\n#pragma omp target teams distribute parallel for {clauses}\nfor (int i = 0; i < m; ++i) {{ float s = 0; {body} }}\n}}\n"


def _sum(value: str) -> str:
    return f"for (int j = 0; j < n; ++j) s += {value}; y[i] = s;"


@pytest.mark.parametrize(
    ("body", "rows"),
    [
        (_sum("a[j]"), ["float"]),
        (_sum("w[j] * (a[i] - a[j]) * (a[i] - a[j])"), ["double", "float"]),
        (_sum("a[j + 1] - a[j]"), ["float", "float"]),
        (_sum("a[k * n + j] * two[k][j]"), ["float", "float"]),
        (_sum("l[j] > i ? a[j] : w[j]"), ["long"]),  # others may not be read
        ("y[i] = 0; for (int j = 0; j < n; ++j) y[i] += a[j] * w[i];", ["float"]),
        ("for (int j = k; j < n - k; ++j) s = s * 2 + b[j]; " + _sum("a[j]"), ["float", "float"]),
        ("int from = i * 3; " + _sum("a[j] * b[from]"), ["float"]),
        (_sum("a[j] * b[begin[j]]"), ["float", "int"]),
        (_sum("p2[j].x * p2[j].y - p2[i].x"), ["struct two"]),
        ("const struct three mine = p3[i]; " + _sum("p3[j].z - mine.x + p4[j].w"), ["struct three", "struct four"]),
    ],
)
def test_rows(tmp_path: Path, suffix: str, body: str, rows: list[str]) -> None:
    request = _request(tmp_path, suffix, body)
    assert transformations(request)["broadcast"].startswith("warps bring the rows that all their threads read in")
    general, direct = lower_text(request).device.split("__direct__(", 1)
    assert re.findall(r"rex_same_row<([\w ()]+?)>\{", direct) == rows or suffix == ".cpp"
    assert direct.count("rex_same_row<") == len(rows)
    assert "rex_same" not in general


@pytest.mark.parametrize(
    ("reduction", "body"),
    [
        ("+: c", "for (int j = 0; j < n; ++j) c += a[j] * b[i];"),
        ("max: c", "for (int j = 0; j < n; ++j) s += p2[j].x; if (s > c) c = s;"),
        ("+: c) num_teams(2) thread_limit(64", "for (int j = 0; j < n; ++j) s = s * 2 + p4[j].k; c += s;"),
    ],
)
def test_threads_that_run_many_iterations(tmp_path: Path, suffix: str, reduction: str, body: str) -> None:
    """The kernel's only loop has warps in step as well, but for memory that may be written."""
    request = _request(tmp_path, suffix, body, f"reduction({reduction})")
    assert transformations(request)["broadcast"].startswith("warps bring the rows that all their threads read in")
    assert lower_text(request).device.count("rex_same_rows_loop(__rex_tripcount - __rex_iv") == 1
    for name in ("readonly", "broadcast"):
        request = _request(tmp_path, suffix, body, f"reduction({reduction})", no_opt=(name,))
        assert transformations(request)["broadcast"].startswith("no, ")
        assert "rex_same" not in lower_text(request).device


def test_names_of_elements(tmp_path: Path, suffix: str) -> None:
    """Copies, and C++'s references of which members are read. What an address leads to otherwise is not known."""
    name = "const struct two " if suffix == ".c" else "const struct two &"
    text = f"for (int j = 0; j < n; ++j) {{ {name}q = p2[j]; s += q.x * q.y; }} y[i] = s;"
    assert transformations(_request(tmp_path, suffix, text))["broadcast"].startswith("warps bring the rows that all")
    assert "q = p2__rex_row_1;" in lower_text(_request(tmp_path, suffix, text)).device
    text = "for (int j = 0; j < n; ++j) { const struct two *q = &p2[j]; s += q->x * q[k].y; } y[i] = s;"
    assert transformations(_request(tmp_path, suffix, text))["broadcast"].startswith("no, ")


_OTHERS = (
    (_sum("a[i * n + j]"), "", "what iterations over 'j' access is not all the same"),
    (_sum("a[j] * b[i + j]"), "", "what iterations over 'j' access is not all the same"),  # it waits for that
    (_sum("a[2 * j]"), "", "what iterations over 'j' access is not all the same"),
    (_sum("a[(u + j)]"), "", "what iterations over 'j' access is not all the same"),  # it may come to the beginning again
    (_sum("p5[j].v[1]"), "", "what iterations over 'j' access is not all the same"),
    (_sum("p6[j].b"), "", "what iterations over 'j' access is not all the same"),
    (_sum("p7[j].x"), "", "what iterations over 'j' access is not all the same"),
    (_sum("p8[j].x"), "", "what iterations over 'j' access is not all the same"),
    (_sum("p9[j].x"), "", "what iterations over 'j' access is not all the same"),
    (_sum("narrow[j]"), "", "what iterations over 'j' access is not all the same"),
    ("int from = i * 3; " + _sum("a[from + j]"), "", "what iterations over 'j' access is not all the same"),
    ("for (int j = 0; j < n; ++j) { s += a[j]; o[j] = s; }", "", "what iterations over 'j' access is not all the same"),
    ("for (int j = 0; j < n; ++j) s += y[j]; y[i] = s;", "", "what iterations over 'j' access is not all the same"),
    ("for (int j = 0; j < n; ++j) if (s < 9) s += a[j]; y[i] = s;", "", "no inner loop reads rows that are the same"),
    ("for (int j = i; j < n; ++j) s += a[j]; y[i] = s;", "", "the loop over 'j' may have other bounds for each thread"),
    ("int e = i; for (int j = 0; j < e; ++j) s += a[j]; y[i] = s;", "", "the loop over 'j' may have other bounds for each thread"),
    ("for (int j = 0; j < 20; ++j) s += a[j]; y[i] = s;", "", "the loop over 'j' is short"),
    ("if (a[i] > 0) continue; " + _sum("a[j]"), "", "'continue' ends an iteration"),
    ("if (a[i] > 0) { " + _sum("a[j]") + " }", "", "no inner loop reads rows that are the same"),
    (_sum("a[j]"), "thread_limit(512)", "blocks have more threads"),
    (_sum("a[j]"), "schedule(static, 4)", "the scheduler deals out chunks"),
    (_sum("a[j]"), "firstprivate(n)", "the loop over 'j' may have other bounds for each thread"),
)  # fmt: skip


def test_others(tmp_path: Path, suffix: str) -> None:
    functions = [_function(f"f{number}", body, clauses) for number, (body, clauses, _) in enumerate(_OTHERS)]
    request = LowerRequest(tmp_path / f"unit{suffix}", tmp_path)
    request.source.write_text(_TYPES + "".join(functions))
    for (body, _, why), region in zip(_OTHERS, explain(request)["regions"], strict=True):
        assert reasons(region)["broadcast"].startswith(f"no, {why}"), body
    assert "rex_same" not in lower_text(request).device


def test_what_is_read_ahead_is_surely_not_written(tmp_path: Path, suffix: str) -> None:
    """The host compares what is written with the rows, although no load follows a store."""
    request = _request(tmp_path, suffix, _sum("a[j]"))
    said = transformations(request)
    assert said["noalias"].endswith("warps read ahead what all their threads read")
    assert said["readonly"].endswith(": a")
    for name in ("once", "noalias", "readonly", "broadcast"):
        request = _request(tmp_path, suffix, _sum("a[j]"), no_opt=(name,))
        assert transformations(request)["broadcast"].startswith("no, ")
        assert "rex_same" not in lower_text(request).device


def test_there_is_one_use_of_shared_memory(tmp_path: Path, suffix: str) -> None:
    body = f"float t[16] = {{0}}; {_sum('a[j]')} for (int j = 0; j < n; ++j) t[l[i] & 15] += 1; y[i] += t[k & 15];"
    said = transformations(_request(tmp_path, suffix, body))
    assert not said["broadcast"].startswith("no, ")
    assert said["banks"].startswith("no, rows that all threads read lie there")
