"""Results stay what they are with every transformation of kernels left out, and with reductions in a fixed order."""

from __future__ import annotations

from pathlib import Path

import pytest
from execution import Program, find_programs, rex_build, run_offloaded, verify

from rex_build.request import TRANSFORMATIONS

pytestmark = pytest.mark.compile

# What shows each transformation best; all programs run with all of these on a machine with a GPU, by hand.
_PROGRAMS = {
    **dict.fromkeys(("index32", "once", "tile"), "collapse_sizes"),
    "spmd": "reduction_nested",
    "collapse": "optimise_collapse",
    "stage": "optimise_stage",
    "block": "optimise_block",
}
_ALL = " ".join(f"--no-opt {name}" for name in TRANSFORMATIONS)
CASES = [(f"--no-opt {name}", _PROGRAMS.get(name, "optimise_overlap")) for name in TRANSFORMATIONS]
CASES += [(_ALL, name) for name in sorted({program for _, program in CASES})]
CASES += [("--reduction ordered", name) for name in ("reduction_nested", "reduction_types", "reduction_operators")]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("options", "name"), CASES)
def test_results_with_options(options: str, name: str, device: str, arch: str | None, tmp_path: Path) -> None:
    (program,) = [p for p in find_programs() if p.name == name]
    problem = verify(program, tmp_path, device, arch, options.split())
    if problem:
        pytest.fail(problem, pytrace=False)


_SUMS = r"""
#include <stdio.h>
#include <stdlib.h>
#define N 300000
int main(void)
{
    double *x = malloc(N * sizeof *x), sum = 1, bins[3] = {0}, rows = 0, one = 0, few = 0, body = 0;
    float low = 5;
    for (int i = 0; i < N; ++i)
        x[i] = (double)rand() / RAND_MAX - 0.5 + 1e-9 * i;
#pragma omp target data map(to: x[0:N])
    {
#pragma omp target teams distribute parallel for reduction(+: sum, bins) reduction(min: low)
    for (int i = 0; i < N; ++i) {
        sum += x[i] * 1.1;
        low = x[i] < low ? (float)x[i] : low;
        bins[i % 3] += x[i];
    }
#pragma omp target teams distribute reduction(+: rows)
    for (int r = 0; r < 100; ++r) {
        double row = 0;
#pragma omp parallel for reduction(+: row)
        for (int i = 0; i < 3000; ++i)
            row += x[r * 3000 + i] * 1.3;
        rows += row;
    }
#pragma omp target map(tofrom: one)
    {
#pragma omp parallel for reduction(+: one) num_threads(50)
        for (int i = 0; i < N; ++i)
            one += x[i] * 1.7;
    }
#pragma omp target parallel for reduction(+: few) num_threads(96)
    for (int i = 0; i < N; ++i)
        few += x[i] * 1.9;
#pragma omp target parallel reduction(+: body)
    {
#pragma omp for
        for (int i = 0; i < N; ++i)
            body += x[i] * 0.9;
    }
    }
    printf("%a %a %a %a %a\n%a %a %a %a\n", sum, low, bins[0], bins[1], bins[2], rows, one, few, body);
    free(x);
}
"""


def test_ordered_reductions_are_the_same_bits_in_every_run(device: str, arch: str | None, tmp_path: Path) -> None:
    source, binary = tmp_path / "sums.c", tmp_path / "sums"
    source.write_text(_SUMS)
    options = ["--device", device, *(["--arch", arch] if arch else []), "--reduction", "ordered"]
    built = rex_build("cc", *options, "-o", binary, source, "--", "-O1")
    assert built.status == 0, built.describe("rex-build cc")
    runs = [run_offloaded(binary, tmp_path) for _ in range(6)]
    assert runs[0].status == 0, runs[0].describe("the program")
    assert {run.stdout for run in runs} == {runs[0].stdout}


@pytest.mark.parametrize(
    "source",
    [
        """#pragma omp declare reduction(mine: double: omp_out += omp_in) initializer(omp_priv = 0)
void f(double *x, double s) {
#pragma omp target teams distribute parallel for reduction(mine: s)
    for (int i = 0; i < 9; ++i) s += x[i]; }""",
        """void f(double *x, int n) {
#pragma omp target teams distribute parallel for reduction(+: x[0:n])
    for (int i = 0; i < 9; ++i) x[i % n] += i; }""",
        """void f(double *x, double s) {
#pragma omp target map(s)
#pragma omp taskgroup task_reduction(+: s)
    {
#pragma omp task in_reduction(+: s)
        s += x[0];
    } }""",
    ],
)
def test_reductions_without_an_order_are_refused(source: str, tmp_path: Path) -> None:
    unit = tmp_path / "unit.c"
    unit.write_text(source)
    done = rex_build("lower", unit, "--out-dir", tmp_path, "--reduction", "ordered", "--")
    assert done.status == 1
    assert "unit.c:" in done.stderr
    assert "has no order" in done.stderr


def test_programs_are_there() -> None:
    names = {program.name for program in find_programs() if isinstance(program, Program)}
    assert {name for _, name in CASES} <= names
