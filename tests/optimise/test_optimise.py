"""Transformations of kernels: what is applied where, and what keeps one from being applied."""

# ruff: noqa: E501 - C loops on one line each

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rex_build.analysis.optimise import NAMES
from rex_build.pipeline import LowerRequest, explain, lower_text

HEAD = "double sqrt(double);\ndouble other(const double *);\nstruct P { double x, y; };\n"


def region(tmp_path: Path, parameters: str, directive: str, loop: str, before: str = "") -> LowerRequest:
    source = tmp_path / "unit.c"
    source.write_text(
        f"{HEAD}{before}\nvoid f(int n, {parameters})\n{{\n#pragma omp target teams distribute parallel for {directive}\n{loop}\n}}\n"
    )
    return LowerRequest(source=source, out_dir=tmp_path)


def optimisations(request: LowerRequest) -> dict[str, str]:
    """By name, what explain says of the only region."""
    facts: dict[str, Any] = explain(request)
    (only,) = facts["regions"]
    return dict(text.split(": ", 1) for text in only["optimisations"])


def without(request: LowerRequest, *names: str) -> LowerRequest:
    return LowerRequest(source=request.source, out_dir=request.out_dir, no_opt=names)


MATVEC = (
    "double *a, double *x, double *y",
    "map(to: a[0:n * n], x[0:n]) map(from: y[0:n])",
    "for (int i = 0; i < n; ++i) {\n    y[i] = 0;\n    for (int j = 0; j < n; ++j)\n        y[i] += a[i * n + j] * x[j];\n}",
)


def test_every_transformation_is_reported_once(tmp_path: Path) -> None:
    assert sorted(optimisations(region(tmp_path, *MATVEC))) == sorted(NAMES)


def test_no_alias_body(tmp_path: Path) -> None:
    lowered = lower_text(region(tmp_path, *MATVEC))
    body = lowered.device.split("__disjoint__(", 1)[1].split("__global__", 1)[0]
    assert "const double *__restrict__ a" in body
    assert "const double *__restrict__ x" in body
    assert re.search(r"(?<!const )double \*__restrict__ y", body)
    assert "y[i] = y__rex_element;" in body
    assert len(re.findall(r"\by\[i\]", body)) == 1
    kernel = lowered.device.split("__global__", 1)[1]
    assert "__restrict__" not in kernel
    assert "y[i] +=" in kernel
    # The one written range against each of the others, and those not against each other.
    assert lowered.host.count("rex_apart(") == 2
    assert len(re.findall(r"__global__", lowered.device)) == 1


@pytest.mark.parametrize("name", NAMES)
def test_switched_off(tmp_path: Path, name: str) -> None:
    request = without(region(tmp_path, *MATVEC), name)
    assert optimisations(request)[name].startswith("no, ")
    text = lower_text(request).device
    marks = {
        "noalias": "__disjoint__",
        "readonly": "const double *__restrict__",
        "scalarise": "__rex_element",
        "once": "REX_ONE_ITERATION",
    }
    assert marks.get(name, "rex_innermost") not in text


@pytest.mark.parametrize(
    ("parameters", "directive", "loop", "why"),
    [
        ("double *x, double *y", "map(to: x[0:n]) map(tofrom: y[0:n])", "for (int i = 0; i < n; ++i) y[i] += x[i];", "nothing is gained"),
        ("double *x, double *y", "", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += x[i]; }", "not known to the host"),
        ("double *x, double *y", "is_device_ptr(x, y)", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += x[i]; }", "not known to the host"),
        ("volatile double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += x[i]; }", "volatile"),
        ("double **x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += x[i][0]; }", "loaded from memory"),
        ("double *x, double *y, int c", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { double *p = c ? x : y; p[i] = 0; y[i] += x[i]; }", "chosen at run time"),
        ("double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += store(x, i); }", "pointer to mapped memory"),
        ("double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += count(i) + x[i]; }", "side effects"),
        ("double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) { y[i] = counter; y[i] += x[i]; }", "variable of the device"),
        ("double *x, double *y", "map(x[0:n], y[0:n])", "for (int i = 0; i < n; ++i) {\n#pragma omp critical\n y[0] += x[i]; }", "critical"),
        ("double *x, double *y", "map(x[0:n], y[0:n]) dist_schedule(static, 4)", "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] += x[i]; }", "chunks"),
    ],
)  # fmt: skip
def test_what_keeps_the_plain_body_alone(tmp_path: Path, parameters: str, directive: str, loop: str, why: str) -> None:
    before = (
        "#pragma omp begin declare target\nint counter;\ndouble store(double *p, int i) { return p[i] = i; }\n"
        "double count(int i) { return ++counter + i; }\n#pragma omp end declare target"
    )
    request = region(tmp_path, parameters, directive, loop, before)
    said = optimisations(request)["noalias"]
    assert said.startswith("no, ")
    assert why in said
    assert "__restrict__" not in lower_text(request).device


def test_pure_functions_and_derived_pointers_are_seen_through(tmp_path: Path) -> None:
    before = "#pragma omp begin declare target\nstatic double twice(double v) { return sqrt(v) * 2; }\n#pragma omp end declare target"
    loop = "for (int i = 0; i < n; ++i) { const double *row = x + i; y[i] = 0; y[i] += twice(row[1]) + z[i]; }"
    request = region(
        tmp_path, "double *x, double *y, double *z", "map(to: x[0:n + 1], z[0:n]) map(from: y[0:n])", loop, before
    )
    text = lower_text(request).device
    assert "double *__restrict__ x" in text
    assert "const double *__restrict__ x" not in text, "another pointer leads to it"
    assert "const double *__restrict__ z" in text


def test_read_only_loads(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; ++i) { y[i] = x[i]; y[i] += z[i] * z[i]; for (int j = 0; j < 3; ++j) y[i] += w[j]; }"
    maps = "map(to: x[0:n], z[0:n], w[0:3]) map(from: y[0:n])"
    text = lower_text(region(tmp_path, "double *x, double *y, double *z, double *w", maps, loop)).device
    assert text.count("__ldg(") == 1
    assert "__ldg(&x[i])" in text, "once, outside of the inner loop; z[i] is loaded twice and w[j] in the loop"


def test_memory_that_is_written_or_updated_atomically_is_not_read_only(tmp_path: Path) -> None:
    loop = (
        "for (int i = 0; i < n; ++i) { y[i] = 0; y[i] = x[i];\n#pragma omp atomic update\n x[0] += 1;\n z[i] = y[i]; }"
    )
    text = lower_text(region(tmp_path, "double *x, double *y, double *z", "map(x[0:n], y[0:n], z[0:n])", loop)).device
    assert "__ldg" not in text
    assert "const double *__restrict__ x" not in text


@pytest.mark.parametrize(
    "body",
    [
        "for (int j = 0; j < 3; ++j) y[i] += x[j];",  # the first access reads
        "if (n > 3) y[i] = 0; for (int j = 0; j < 3; ++j) y[i] += x[j];",  # not every iteration writes
        "y[i] = 0; for (int j = 0; j < 3; ++j) y[i] += x[j] + y[i + 1];",  # another element as well
        "y[i] = 0; for (int j = 0; j < 3; ++j) { y[k] += x[j]; k = j; }",  # another index
        "y[i] = 0; if (x[0] > 1) continue; for (int j = 0; j < 3; ++j) y[i] += x[j];",  # ends early
        "y[i] = 0;\nfor (int j = 0; j < 3; ++j) {\n#pragma omp atomic update\n y[i] += x[j]; }",  # atomic
    ],
)
def test_elements_that_stay_in_memory(tmp_path: Path, body: str) -> None:
    loop = f"for (int i = 0; i < n; ++i) {{ int k = i; {body} }}"
    request = region(tmp_path, "double *x, double *y", "map(to: x[0:3]) map(tofrom: y[0:n + 1])", loop)
    assert optimisations(request)["scalarise"].startswith("no, ")
    assert "__rex_element" not in lower_text(request).device


def test_members_are_kept_apart(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; ++i) { p[i].x = p[i].y = 0; for (int j = 0; j < 3; ++j) { p[i].x += x[j]; p[i].y -= x[j]; } }"
    text = lower_text(region(tmp_path, "double *x, struct P *p", "map(to: x[0:3]) map(from: p[0:n])", loop)).device
    assert "p[i].x = p__rex_element_x;" in text
    assert "p[i].y = p__rex_element_y;" in text


def test_collapsed_counters(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) y[i * n + j] = i + j;"
    request = region(tmp_path, "double *y", "collapse(2) map(from: y[0:n * n])", loop)
    assert "rex_innermost(__rex_rest" in lower_text(request).device
    assert "__rex_rest %" in lower_text(without(request, "index32")).device


def test_reductions_run_on_a_resident_grid(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; ++i) s += x[i];"
    lowered = lower_text(
        region(tmp_path, "double *x, double s", "map(to: x[0:n]) reduction(+: s) map(tofrom: s)", loop)
    )
    assert "REX_MIN((1 + (__rex_tripcount - 1)" in lowered.host
    assert "REX_ONE_ITERATION" not in lowered.device
    assert "const double *__restrict__ x" in lowered.device, "nothing is written, so no test is needed"
    assert "rex_apart" not in lowered.host
