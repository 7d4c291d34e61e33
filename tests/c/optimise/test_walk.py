"""Loops along rows of which each thread has its own: fewer threads at a time, where the rows are long."""

from __future__ import annotations

from pathlib import Path

import pytest
from explained import transformations

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_ALL = "int n, int m, const int *first, const int *column, const double *value, const double *x, double *y, double s"
_ROW = "for (int k = first[i]; k < first[i + 1]; ++k) sum += value[k] * x[column[k]];"


def _request(tmp_path: Path, body: str, suffix: str, clauses: str = "", no_opt: tuple[str, ...] = ()) -> LowerRequest:
    source = tmp_path / f"unit{suffix}"
    loop = f"#pragma omp target teams distribute parallel for {clauses}\nfor (int i = 0; i < n; ++i)"
    source.write_text(f"void f({_ALL})\n{{\n{loop} {{ double sum = 0; {body} y[i] += sum; }}\n}}\n")
    return LowerRequest(source=source, out_dir=tmp_path, no_opt=no_opt)


def _said(request: LowerRequest) -> str:
    return transformations(request)["walk"]


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    ("body", "names"),
    [
        (_ROW, {"column", "value"}),
        ("for (int j = 0; j < m; ++j) sum += value[j + i * m] * first[i * m + j];", {"value", "first"}),
        ("for (int j = 0; j < 3; ++j) for (int k = i * m; k < n; ++k) sum += value[k] * x[k];", {"value", "x"}),
    ],
)
def test_rows(tmp_path: Path, body: str, names: set[str], suffix: str) -> None:
    request = _request(tmp_path, body, suffix, no_opt=("collapse", "stage"))
    said = _said(request)
    assert said.startswith("fewer threads at a time")
    assert set(said.rpartition(": ")[2].replace("'", "").split(", ")) == names
    lowered = lower_text(request)
    asked = [line for line in lowered.host.splitlines() if "rex_reaches(" in line]
    assert all(name in " ".join(asked) for name in names), "the host asks how long the rows are"
    assert "> 202752" in lowered.host, "there are more than twice as many iterations as threads"


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    ("body", "clauses"),
    [
        ("for (int k = first[i]; k < first[i + 1]; ++k) sum += x[column[k]];", ""),  # one row
        ("for (int j = 0; j < m; ++j) sum += value[j] * first[j];", ""),  # all threads read the same
        ("for (int j = 0; j < m; ++j) sum += value[i + j] * first[i + j];", ""),  # neighbours are next to each other
        ("for (int j = 0; j < m; ++j) sum += value[j * n + i] * first[j * n + i];", ""),  # coalesced
        (f"if (s > 0) {_ROW}", ""),  # some threads only
        (_ROW, "schedule(static, 4)"),
    ],
)
def test_others(tmp_path: Path, body: str, clauses: str, suffix: str) -> None:
    request = _request(tmp_path, body, suffix, clauses, ("collapse", "stage"))
    assert _said(request).startswith("no, ")
    assert "rex_reaches(" not in lower_text(request).host


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_switched_off(tmp_path: Path, suffix: str) -> None:
    request = _request(tmp_path, _ROW, suffix, no_opt=("walk",))
    assert _said(request) == "no, switched off"
    assert "rex_reaches(" not in lower_text(request).host


def test_the_kernel_is_for_memory_that_does_not_overlap(tmp_path: Path) -> None:
    """The loop over several rows is in a kernel of its own, so that the other one has no loop around its iteration."""
    lowered = lower_text(_request(tmp_path, f"y[i] = 0; {_ROW.replace('sum', 'y[i]')}", ".c"))
    _, direct = lowered.device.split("__direct__(", 1)
    direct, walking = direct.split("__walking__(", 1)
    assert "REX_COVERED_LOOP" in direct
    assert "REX_STRIDED_LOOP" in walking
    assert "double *__restrict__ y" in walking
    assert "!__rex_walks && " in lowered.host
