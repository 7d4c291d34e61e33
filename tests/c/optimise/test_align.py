"""Arrays whose elements are accessed as a whole where they are aligned: which, and to how much."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_HEAD = """
struct four { float x, y, z, w; };
struct pair { float x, y; };
struct twice { double x, y; };
struct three { float x, y, z; };
struct five { double x, y; float z, u, v, w; char last; };
struct __attribute__((packed)) packed { char c; int x; short y; char d; };
struct __attribute__((aligned(16))) wide { float x, y, z, w; };
struct eight { double x; float y[2]; };
static float length(const struct four *f) { return f->x * f->x + f->y * f->y; }
"""


def _device(tmp_path: Path, parameter: str, body: str, clauses: str = "") -> str:
    source = tmp_path / "unit.c"
    loop = f"#pragma omp target teams distribute parallel for {clauses}"
    source.write_text(
        f"{_HEAD}void f(int n, double sum, float *out, {parameter})\n{{\n"
        f"{loop}\nfor (int i = 0; i < n; ++i) {{ {body} }}\n}}\n"
    )
    return lower_text(LowerRequest(source=source, out_dir=tmp_path)).device


def _widths(text: str) -> list[int]:
    return [int(width) for width in re.findall(r"if \(REX_IS_ALIGNED\(a, (\d+)\)", text)]


@pytest.mark.parametrize(
    ("parameter", "body", "width"),
    [
        ("struct four *a", "out[i] = a[i].x + a[i].w;", 16),
        ("struct four *a", "a[i].x = a[i].y = i;", 16),
        ("struct four *a", "const struct four one = a[i]; out[i] = one.x;", 16),
        ("struct four *a", "out[i] = length(&a[i]);", 16),
        ("struct four *a", "struct four *p = a + 3 * i; p->x += p->z;", 16),
        ("struct four (*a)[8]", "out[i] = a[i][3].x + a[i][3].y;", 0),
        ("struct pair *a", "out[i] = a[i].x * a[i].y;", 8),
        ("struct twice *a", "out[i] = a[i].x * a[i].y;", 16),
        ("struct eight *a", "out[i] = a[i].x * a[i].y[1];", 16),
        ("struct five *a", "out[i] = a[i].x * a[i].y;", 0),
        ("struct three *a", "out[i] = a[i].x * a[i].y;", 0),
        ("struct wide *a", "out[i] = a[i].x * a[i].y;", 0),
        ("struct packed *a", "out[i] = a[i].x * a[i].y;", 0),
        ("float (*a)[4]", "out[i] = a[i][0] + a[i][1] * a[i][3];", 16),
        ("float (*a)[3]", "out[i] = a[i][0] + a[i][1];", 0),
        ("float (*a)[512]", "out[i] = a[i][0] + a[i][1];", 0),
        ("struct four *a", "out[i] = a[i].x * a[i + 1].x;", 0),
        ("struct four *a", "if (i == 4) goto end; out[i] = a[i].x + a[i].y; end: ;", 0),
        ("float *a", "out[i] = a[4 * i] + a[4 * i + 1];", 0),
    ],
)
def test_alignment(tmp_path: Path, parameter: str, body: str, width: int) -> None:
    assert _widths(_device(tmp_path, parameter, body)) == [width] * (width > 0)


def test_only_one_kernel_of_a_region_has_its_loop_twice(tmp_path: Path) -> None:
    body = "out[i] = a[i].x + a[i].y; a[i].z = 1;"
    general, direct = _device(tmp_path, "struct four *a", body).split("__direct__(", 1)
    assert "REX_IS_ALIGNED" not in general
    assert direct.count("a[i].z = 1;") == 2
    assert direct.count("REX_ASSUME_ALIGNED(a, 16);") == 1
    (only,) = _device(tmp_path, "struct four *a", "sum += a[i].x + a[i].y;", "reduction(+: sum)").split("__direct__(")
    assert only.count("sum += a[i].x + a[i].y;") == 2, "a region with a reduction has no direct kernel"
