"""Narrow elements of neighbouring iterations that a thread loads with one access: which, and what prevents it."""

from __future__ import annotations

from pathlib import Path

import pytest
from explained import transformations

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_ALL = "int n, int from, const unsigned char *a, const short *b, const unsigned char *c, const char (*rows)[64], int *p"


def _request(
    tmp_path: Path, body: str, head: str = "int i = 0; i < n; ++i", clauses: str = "reduction(+: total)", off: str = ""
) -> LowerRequest:
    source = tmp_path / "unit.c"
    loop = f"#pragma omp target teams distribute parallel for {clauses}\nfor ({head}) {{ {body} }}\n"
    source.write_text(
        f"long f({_ALL})\n{{\nlong total = 0;\nint bins[256] = {{0}};\n{loop}return total + bins[3];\n}}\n"
    )
    return LowerRequest(source=source, out_dir=tmp_path, no_opt=(off,) if off else ())


def _said(request: LowerRequest) -> str:
    return transformations(request)["wide"]


@pytest.mark.parametrize(
    ("body", "head", "element"),
    [
        ("total += a[i];", "int i = 0; i < n; ++i", "rex_group<8>(&(a[i]))"),
        ("if (a[i] > 9) ++total;", "long i = from; i <= n; i++", "rex_group<8>(&(a[i]))"),
        ("total += b[i + from] * 2;", "int i = 0; i < n; ++i", "rex_group<8>(&(b[i + from]))"),
        ("if (a[i] > total) total = a[i];", "int i = 0; i < n; ++i", "rex_group<8>(&(a[i]))"),
        ("total += rows[3][i] + c[a[i]];", "int i = 0; i < 64; ++i", "rex_group<8>(&(rows[3][i]))"),
        ("if (!a[i]) continue; total += c[from];", "int i = 0; i < n; ++i", "rex_group<8>(&(a[i]))"),
    ],
)
def test_every_iteration_reads_its_element(tmp_path: Path, body: str, head: str, element: str) -> None:
    clauses = "reduction(max: total)" if ">" in body and "=" in body and "total)" in body else "reduction(+: total)"
    request = _request(tmp_path, body, head, clauses)
    assert _said(request).startswith("where they are aligned, elements of 8 iterations are loaded with one access: ")
    groups, left = lower_text(request).device.split("for (REX_BATCHED_LOOP(__rex_left")
    assert element in groups
    assert "__rex_group" not in left, "iterations outside of groups load elements one by one"


def test_histogram(tmp_path: Path) -> None:
    request = _request(tmp_path, "bins[a[i]]++;", clauses="reduction(+: bins)")
    assert "bins[a__rex_group.at[__rex_k]]" in lower_text(request).device


@pytest.mark.parametrize(
    ("body", "head", "why"),
    [
        ("if (i < from) total += a[i];", "int i = 0; i < n; ++i", "not every iteration reads its element of 'a'"),
        ("total += i < from && a[i];", "int i = 0; i < n; ++i", "not every iteration reads its element of 'a'"),
        ("total += i < from ? a[i] : 0;", "int i = 0; i < n; ++i", "not every iteration reads its element of 'a'"),
        ("if (c[i]) continue; total += a[i];", "int i = 0; i < n; ++i", "not every iteration reads its element of 'a'"),
        (
            "total += a[i]; if (i > from) total += c[i];",
            "int i = 0; i < n; ++i",
            "not every iteration reads its element of 'c'",
        ),
        ("total += a[2 * i];", "int i = 0; i < n; ++i", "iterations do not read 'a' one after the other"),
        ("total += a[n - 1 - i];", "int i = 0; i < n; ++i", "iterations do not read 'a' one after the other"),
        ("total += a[i + 1u];", "int i = 0; i < n; ++i", "iterations do not read 'a' one after the other"),
        ("total += rows[i][2];", "int i = 0; i < n; ++i", "iterations do not read 'rows' one after the other"),
        ("total += a[i] * a[i + 1];", "int i = 0; i < n; ++i", "an iteration reads several elements"),
        ("total += a[i];", "int i = n; i > 0; --i", "'i' does not count up by 1"),
        ("total += a[i];", "int i = 0; i < n; i += 2", "'i' does not count up by 1"),
        ("total += c[a[from]];", "int i = 0; i < n; ++i", "no iteration reads elements of its own"),
        ("total += a[i] * p[i];", "int i = 0; i < n; ++i", "not all arrays have elements of at most 2 bytes"),
        ("total += a[i]; ((char *)c)[i] = 1;", "int i = 0; i < n; ++i", "the body writes memory"),
    ],
)
def test_others(tmp_path: Path, body: str, head: str, why: str) -> None:
    request = _request(tmp_path, body, head)
    assert _said(request).startswith(f"no, {why}")
    assert "rex_group" not in lower_text(request).device


@pytest.mark.parametrize("off", ["wide", "batch"])
def test_switched_off(tmp_path: Path, off: str) -> None:
    request = _request(tmp_path, "total += a[i];", off=off)
    assert _said(request).startswith("no, ")
    assert "rex_group" not in lower_text(request).device


def test_fixed_order_of_reductions(tmp_path: Path) -> None:
    """Which thread adds up which elements would depend on their address."""
    request = _request(tmp_path, "total += a[i];")
    ordered = LowerRequest(source=request.source, out_dir=tmp_path, reduction="ordered")
    assert "rex_group" not in lower_text(ordered).device
