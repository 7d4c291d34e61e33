"""What a profile advises is written into the program, which then prints what it has printed before."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rex_build.base.records import replace
from rex_build.profile.run import run_profiled
from rex_build.report.advice import advise
from rex_build.report.records import explained_by
from rex_build.report.sources import read_source

# Two buffers change roles in each pass: one region only reads what another one writes in the next call.
_WAVE = """\
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static void step(int n, const double *u, double *v, const double *c)
{
#pragma omp target teams distribute parallel for map(to: u[0:n], c[0:n]) map(tofrom: v[0:n])
    for (int i = 1; i < n - 1; ++i)
        v[i] = 2 * u[i] - v[i] + c[i] * (u[i - 1] + u[i + 1] - 2 * u[i]);
}
int main(void)
{
    int n = 20000;
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v), *c = malloc(n * sizeof *c);
    for (int i = 0; i < n; ++i) {
        u[i] = v[i] = sin(0.01 * i);
        c[i] = 0.1;
    }
    for (int s = 0; s < 31; ++s) {
        @
    }
    printf("%.9f %.9f %.9f\\n", u[5], v[5], u[n / 2] + v[n / 2]);
    return 0;
}
"""


@pytest.mark.compile
@pytest.mark.parametrize(
    "change",
    [
        "step(n, u, v, c); double *t = u; u = v; v = t;",
        "step(n, u, v, c); swap(&u, &v);",
        "step(n, u, v, c); step(n, v, u, c);",
    ],
)
def test_pointers_that_change_roles(change: str, tmp_path: Path) -> None:
    swap = "static void swap(double **a, double **b)\n{\n    double *t = *a;\n    *a = *b;\n    *b = t;\n}\n"
    source = tmp_path / "wave.c"
    source.write_text(_WAVE.replace("@", change).replace("int main", f"{swap}int main"))
    before = _run(source)
    _, profile = run_profiled([str(tmp_path / "wave")], with_events=False)
    assert profile is not None
    profile = replace(profile, time=1)  # all advice counts, however long the run took
    known = {(one.file, one.line): one for one in explained_by(profile.objects)}
    sources = {"wave.c": read_source(source)}
    enclosed = next(one.enclosed for one in advise(profile, known, sources) if one.enclosed is not None)
    assert {item: kind for kind, item in enclosed.maps} == {"u[0:n]": "tofrom", "v[0:n]": "tofrom", "c[0:n]": "to"}
    lines = source.read_text().splitlines(keepends=True)
    lines.insert(
        enclosed.first - 1, f"#pragma omp target data {' '.join(f'map({k}: {i})' for k, i in enclosed.maps)}\n"
    )
    source.write_text("".join(lines))
    assert _run(source) == before


def _run(source: Path) -> str:
    command = (
        sys.executable,
        "-m",
        "rex_build",
        "cc",
        "--device",
        "cpu",
        "-o",
        "wave",
        source.name,
        "--",
        "-O1",
        "-lm",
    )
    built = subprocess.run(command, cwd=source.parent, env=os.environ, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return subprocess.run([str(source.parent / "wave")], capture_output=True, text=True, check=True).stdout
