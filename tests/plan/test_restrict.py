"""What the user says by restrict about pointers is not tested again at a launch, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from execution import UNCACHED, rex_build

BODY = """
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n]) {clauses}
for (int i = 0; i < n; ++i) {{ a[i] += b[i]; a[i] += b[i]; }}
"""


@pytest.mark.parametrize("suffix", ["c", "cpp"])
@pytest.mark.parametrize(
    ("parameters", "before", "clauses", "tested"),
    [
        ("double *a, double *b", "", "", True),
        ("double *__restrict__ a, double *b", "", "", False),
        ("double *a, double *__restrict__ b", "", "", False),
        ("double *__restrict__ a, double *b", "b = a;", "", True),
        ("double *__restrict__ a, double *b", "double **p = &b; *p = a;", "", True),
        ("double *__restrict__ a", "double *b = a;", "", True),
        ("double *a", "double *__restrict__ b = a;", "", False),
        ("double *__restrict__ a, double *b", "", "nowait", True),
    ],
)
def test_restrict(parameters: str, before: str, clauses: str, tested: bool, suffix: str, tmp_path: Path) -> None:
    source = tmp_path / f"unit.{suffix}"
    source.write_text(f"void f(int n, {parameters})\n{{\n{before}{BODY.format(clauses=clauses)}}}\n")
    outcome = rex_build("lower", source, "--out-dir", tmp_path, "--", "-O2", env=UNCACHED)
    assert outcome.status == 0, outcome.stderr
    host = (tmp_path / f"rose_unit.{suffix}").read_text()
    assert "__rex_direct =" in host
    assert ("rex_apart" in host) == tested
