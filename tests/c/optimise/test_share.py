"""Reduced arrays of which the threads of a team share one copy: which, and what keeps an array from being one."""



from __future__ import annotations

import re
from pathlib import Path

import pytest
from explained import transformations

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_HEAD = "int key(int); static int next(int *s) { return *s = *s * 5 + 1; }\nstruct item { int key; float w; };\n"
_ALL = "const unsigned char *x, const struct item *t, int *h, float *f, char *c, int (*rows)[64], volatile int *v"


def _request(tmp_path: Path, clause: str, body: str) -> LowerRequest:
    source = tmp_path / "unit.c"
    loop = "#pragma omp target teams distribute parallel for"
    source.write_text(
        f"{_HEAD}void f(int n, int m, {_ALL})\n{{\n{loop} {clause}\nfor (int i = 0; i < n; ++i) {{\n{body}\n}}\n}}\n"
    )
    return LowerRequest(source=source, out_dir=tmp_path)


def _said(request: LowerRequest) -> str:
    return transformations(request)["share"]


@pytest.mark.parametrize(
    ("clause", "body", "update"),
    [
        ("+: h[0:256]", "h[x[i]]++;", "rex_team_update<rex_add>(&(h[x[i]]), 1);"),
        ("+: h[0:m]", "const int k = x[i]; if (k < m) h[k] -= 2;", "rex_team_update<rex_sub>(&(h[k]), 2);"),
        ("+: f[3:m]", "f[t[i].key] = t[i].w + f[t[i].key];", "rex_team_update<rex_add>(&(f[t[i].key]), t[i].w);"),
        ("*: f[0:40]", "for (int j = 0; j < 3; ++j) f[x[i + j]] *= 2;", "rex_team_update<rex_mul>(&(f[x[i + j]]), 2);"),
        ("max: h[0:99]", "if (x[i] > h[i % 99]) h[i % 99] = x[i];", "rex_team_update<rex_max>(&(h[i % 99]), x[i]);"),
        ("min: f[0:m]", "f[i] = t[i].w < f[i] ? t[i].w : f[i];", "rex_team_update<rex_min>(&(f[i]), t[i].w);"),
        ("|: h[0:64]", "switch (x[i]) { case 1: h[i % 64] |= 4; }", "rex_team_update<rex_bor>(&(h[i % 64]), 4);"),
        ("max: h[0:99]", "if (x[i] & 1) ++m; else if (m > h[i]) h[i] = m;", "rex_team_update<rex_max>(&(h[i]), m);"),
        ("+: h[0:m]", "*(h + x[i]) += 1;", "rex_team_update<rex_add>(&(*(h + x[i])), 1);"),
        ("+: rows[0:4]", "rows[i & 3][x[i]] += i;", "rex_team_update<rex_add>(&(rows[i & 3][x[i]]), i);"),
    ],
)
def test_arrays_that_teams_share(tmp_path: Path, clause: str, body: str, update: str) -> None:
    request = _request(tmp_path, f"reduction({clause})", body)
    assert _said(request).startswith("the threads of a team share one copy")
    text = lower_text(request).device
    assert update in text
    # Without loops, several iterations of a thread stand side by side. A loop is large already.
    assert ("REX_SIDE_BY_SIDE" in text) == ("for (" not in body and "switch" not in body)
    assert len(re.findall(r"REX_TEAM_ARRAY|rex_begin_team_array|rex_end_team_array", text)) == 3


@pytest.mark.parametrize(
    ("clause", "body", "why"),
    [
        ("reduction(+: h[0:8])", "h[x[i]]++;", "so few elements"),
        ("reduction(+: h[0:m])", "for (int j = 0; j < m; ++j) h[j] += x[j];", "all threads come to the same"),
        ("reduction(+: h[0:m])", "h[x[i]]++; if (h[0] > 3) h[1]++;", "used otherwise"),
        ("reduction(+: h[0:m])", "const int old = h[x[i]]++; h[old]++;", "used otherwise"),
        ("reduction(+: h[0:m])", "h[x[i]] += h[0];", "used otherwise"),
        ("reduction(+: h[0:m])", "h[h[x[i]]]++;", "used otherwise"),
        ("reduction(+: h[0:m])", "int *p = h; p[x[i]]++;", "used otherwise"),
        ("reduction(+: h[0:m])", "h[x[i]] *= 2;", "used otherwise"),
        ("reduction(+: h[0:m])", "h[x[i]] = 1 - h[x[i]];", "used otherwise"),
        ("reduction(+: f[0:m])", "f[x[i]] = f[x[i]] + 1 + t[i].w;", "used otherwise"),
        ("reduction(+: h[0:m])", "h[x[i]] = h[x[i]] + next(&i);", "used otherwise"),
        ("reduction(+: h[0:m])", "int k = i; h[k++ % m] = h[k++ % m] + 1;", "used otherwise"),
        ("reduction(+: h[0:m])", "for (int j = 0; j < 3; h[x[i]]++) ++j;", "used otherwise"),
        ("reduction(max: h[0:m])", "if (x[i] > h[i]) h[i + 1] = x[i];", "used otherwise"),
        ("reduction(max: h[0:m])", "if (x[i] > h[i]) h[i] = x[i]; else ++m;", "used otherwise"),
        ("reduction(+: c[0:m])", "c[x[i]]++;", "no atomic operation for the elements"),
        ("reduction(&&: h[0:m])", "h[x[i]] = h[x[i]] && x[i];", "no atomic operation for the operator"),
        ("reduction(+: h[0:m])", '_Pragma("omp atomic") h[x[i]]++;', "constructs of its own"),
        ("reduction(+: v[0:m])", "v[x[i]]++;", "volatile"),
        ("reduction(+: m)", "m += x[i];", "no reduction of an array"),
    ],
)
def test_arrays_of_which_threads_have_copies(tmp_path: Path, clause: str, body: str, why: str) -> None:
    request = _request(tmp_path, clause, body)
    assert why in _said(request)
    assert "rex_team_update" not in lower_text(request).device


def test_large_arrays_have_no_copy(tmp_path: Path) -> None:
    """A team's copies fit its shared memory together. Of what does not fit, the original is updated."""
    clause = "reduction(+: h[0:4096]) reduction(+: f[0:m]) reduction(max: rows[0:500])"
    text = lower_text(
        _request(tmp_path, clause, "h[i % 4096]++; f[x[i]] += 1; if (i > rows[3][x[i]]) rows[3][x[i]] = i;")
    ).device
    rooms = [int(room) for room in re.findall(r"REX_TEAM_ARRAY\w*\(\w+, \w+, [^,]+, (\d+),", text)]
    assert rooms == [4096, 2048, 0]


def test_one_array_in_many(tmp_path: Path) -> None:
    """What keeps one array from being shared does not keep others."""
    text = lower_text(_request(tmp_path, "reduction(+: h[0:m], f[0:m])", "h[x[i]]++; f[(int)f[0]] += 1;")).device
    assert text.count("REX_TEAM_ARRAY_OF_RUN(") == 1
    assert "rex_reduce_grid_array<rex_add>(reinterpret_cast<float *>(f)" in text


def test_reductions_in_a_fixed_order_share_nothing(tmp_path: Path) -> None:
    request = _request(tmp_path, "reduction(+: h[0:40])", "h[x[i]]++;")
    ordered = LowerRequest(source=request.source, out_dir=tmp_path, reduction="ordered")
    assert "fixed order" in _said(ordered)
