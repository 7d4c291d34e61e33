"""Whether threads share a scalar of the region or have copies of it: the same in C and C++."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from execution import rex_build

pytestmark = pytest.mark.compile
UNIT = """struct pair { int *p; int n; };
static void update(int *p, int i)
{
#pragma omp atomic
    *p += i;
}
static void ordered(int *a)
{
#pragma omp atomic seq_cst
    a[0] += 1;
}
void f(int n, int *a, int **b)
{
    int t = 0;
#pragma omp target teams distribute parallel for map(a[0:n], b[0:n])
    for (int i = 0; i < n; i++) { BODY }
}
"""
COPIES = ("t = i; a[i] = t;", "t += i; a[i] = t;")
STORAGE = (
    "t = 1; b[0] = &t;",
    "{ struct pair own = {&t, i}; t = i; b[i] = own.p; }",
    "t = i; update(&t, i);",
    "t = i; ordered(a);",
    "t = i; __atomic_store_n(a, 1, 3);",
)


@pytest.mark.parametrize("name", ["unit.c", "unit.cpp"])
@pytest.mark.parametrize(("body", "transport"), [*((b, "literal") for b in COPIES), *((b, "address") for b in STORAGE)])
def test_threads_share_what_they_could_pass_on(tmp_path: Path, name: str, body: str, transport: str) -> None:
    source = tmp_path / name
    source.write_text(UNIT.replace("BODY", body))
    outcome = rex_build("lower", source, "--dump=plan", "--", "-Wno-rex-all")
    assert outcome.status == 0, outcome.stderr
    (region,) = json.loads(outcome.stdout)["regions"]
    assert {c["transport"] for c in region["captures"] if c["name"] == "t"} == {transport}


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_a_task_on_the_host_has_its_own_variable_of_a_loop_that_no_directive_has(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / f"unit.{suffix}"
    source.write_text("""
void fill(int *a, int n) {
    int i, j;
#pragma omp target map(tofrom: a[0:4 * n])
    for (int k = 0; k < 4; k++) {
#pragma omp task
        for (i = 0; i < n; i++) {
            a[k * n + i] = k;
#pragma omp simd
            for (j = 0; j < 4; j++)
                a[j] = 1;
        }
    }
}
""")
    outcome = rex_build("lower", source, "--dump=host")
    assert outcome.status == 0, outcome.stderr
    line = next(line for line in outcome.stdout.splitlines() if "omp task" in line)
    assert "(i, n, a)" in line  # a loop of a construct has its own variable
