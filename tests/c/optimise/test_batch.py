"""Loops over narrow elements, of which a thread runs several iterations side by side: which, and what prevents it."""

from __future__ import annotations

from pathlib import Path

import pytest
from explained import transformations

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_ALL = "int w, int h, const unsigned char *a, unsigned char *b, short *c, _Bool (*rows)[64], int *wide, int *sums"


def _request(tmp_path: Path, body: str, clauses: str = "", no_opt: tuple[str, ...] = ()) -> LowerRequest:
    source = tmp_path / "unit.c"
    loop = f"#pragma omp target teams distribute parallel for {clauses}"
    loops = "for (int y = 0; y < h; ++y) " * ("collapse" in clauses) + "for (int x = 0; x < w; ++x)"
    source.write_text(f"int key(int);\nvoid f({_ALL})\n{{\nlong total = 0;\n{loop}\n{loops} {{ {body} }}\n}}\n")
    return LowerRequest(source=source, out_dir=tmp_path, no_opt=no_opt)


def _said(request: LowerRequest, name: str = "batch") -> str:
    return transformations(request)[name]


@pytest.mark.parametrize(
    ("clauses", "body", "loop"),
    [
        ("", "b[x] = a[x] * 2;", "REX_BATCHED_LOOP"),
        ("", "if (a[x] > 4) continue; c[x] += a[x];", "REX_BATCHED_LOOP"),
        ("", "rows[x][3] = a[x] > 9;", "REX_BATCHED_LOOP"),
        ("collapse(2)", "b[y * w + x] = c[a[y * w + x]];", "REX_TILE_BATCHES"),
        ("reduction(+: total)", "total += a[x];", "REX_BATCHED_LOOP"),
        ("reduction(+: sums[0:256])", "sums[a[x]]++;", "REX_BATCHED_LOOP"),
    ],
)
def test_narrow_elements(tmp_path: Path, clauses: str, body: str, loop: str) -> None:
    request = _request(tmp_path, body, clauses)
    assert _said(request).startswith("each thread runs several iterations, because one loads few bytes")
    lowered = lower_text(request)
    assert lowered.device.count("REX_SIDE_BY_SIDE(8)") == (1 if "reduction" not in clauses else 2)  # see test_wide.py
    assert f"for ({loop}(" in lowered.device
    assert "270336" in lowered.host, "there are no more threads than run at a time"


@pytest.mark.parametrize(
    ("clauses", "body", "why"),
    [
        ("", "wide[x] = a[x];", "no, not all arrays have elements of at most 2 bytes"),
        ("", "for (int k = 0; k < 3; ++k) b[x] += a[x + k];", "no, the body has loops or constructs"),
        ("", "b[x] += 1;", "no, needs 'noalias'"),  # nothing else is loaded
        ("schedule(static, 4)", "b[x] = a[x];", "no, the scheduler deals out chunks"),
        ("lastprivate(total)", "b[x] = a[x]; total = x;", "no, the last iteration"),
    ],
)
def test_others(tmp_path: Path, clauses: str, body: str, why: str) -> None:
    request = _request(tmp_path, body, clauses)
    assert _said(request).startswith(why)
    assert "REX_SIDE_BY_SIDE" not in lower_text(request).device


@pytest.mark.parametrize("off", ["batch", "noalias", "tile"])
def test_without_what_it_needs(tmp_path: Path, off: str) -> None:
    request = _request(tmp_path, "b[y * w + x] = a[y * w + x];", "collapse(2)", (off,))
    assert _said(request).startswith("no, ")
    assert "REX_SIDE_BY_SIDE" not in lower_text(request).device


def test_overlapping_arrays_run_the_other_kernel(tmp_path: Path) -> None:
    """Loads of one iteration move in front of stores of another, so the host compares what is stored with the rest."""
    lowered = lower_text(_request(tmp_path, "b[x] = a[x] * 2;", "map(to: a[0:w]) map(from: b[0:w])"))
    assert "rex_apart((void *)b, " in " ".join(lowered.host.split()).replace("( ", "(")
    general, direct = lowered.device.split("__direct__(", 1)
    assert "REX_SIDE_BY_SIDE" not in general
    assert "const unsigned char *__restrict__ a" in direct
