"""How many threads teams have whose parallel regions ask for a number of the run: the same in C and C++."""

from __future__ import annotations

from pathlib import Path

import pytest
from execution import rex_build

pytestmark = pytest.mark.compile


@pytest.mark.parametrize("suffix", ["c", "cpp"])
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("num_threads(n)", "num_threads(n)", ("n",)),
        ("num_threads(2 * n)", "", ("2 * n", "128")),
        ("num_threads(n)", "num_threads(n + 1)", ("n", "n + 1")),
        ("num_threads(n)", "num_threads(64)", ("n", "64")),
        ("num_threads(256)", "num_threads(64)", ("256",)),
        # The region may change the number, or be the only one that has it.
        ("num_threads(changed)", "", ("128",)),
        ("num_threads(inner)", "", ("128",)),
        ("num_threads(a[0])", "", ("128",)),
        ("num_threads(1000 / n)", "", ("128",)),
        ("num_threads(ask(n))", "", ("128",)),
    ],
)
def test_threads_that_regions_ask_for(
    tmp_path: Path, suffix: str, first: str, second: str, expected: tuple[str, ...]
) -> None:  # fmt: skip
    source = tmp_path / f"unit.{suffix}"
    source.write_text(f"""
static int ask(int n) {{ return n; }}
void fill(int *a, int n, int changed) {{
#pragma omp target teams map(tofrom: a[0:n])
    {{
        int inner = n;
        changed += inner + ask(1);
#pragma omp parallel {first}
        a[0] = n;
#pragma omp parallel {second}
        a[1] = changed;
    }}
}}
""")
    outcome = rex_build("lower", source, "--dump=host")
    assert outcome.status == 0, outcome.stderr
    line = next(line for line in outcome.stdout.splitlines() if "int _threads_per_block_ =" in line)
    asked = line.partition("=")[2].replace("(", " ").replace(")", " ")
    assert asked.count("rex_larger") == len(expected) - 1
    assert all(f" {one}" in asked for one in expected)


@pytest.mark.parametrize("suffix", ["c", "cpp"])
@pytest.mark.parametrize(
    ("clauses", "value", "threads"),
    [
        ("thread_limit(192)", "i", "rex_threads(__rex_tripcount, 192, 32, 264)"),
        ("thread_limit(most)", "i", "rex_threads(__rex_tripcount, __rex_thread_limit, 32, 264)"),
        ("thread_limit(1)", "i", "rex_threads(__rex_tripcount, 1, 32, 264)"),
        # A team has as many as the program asks for, or can tell.
        ("num_threads(192)", "i", "192"),
        ("thread_limit(192) num_threads(96)", "i", "96"),
        ("thread_limit(192) num_teams(4)", "i", "192"),
        ("thread_limit(192)", "omp_get_num_threads()", "192"),
        ("thread_limit(192)", "omp_get_thread_limit()", "192"),
        ("thread_limit(192) dist_schedule(static, 64)", "i", "192"),
    ],
)
def test_short_loops_under_a_limit_use_more_multiprocessors(
    tmp_path: Path, suffix: str, clauses: str, value: str, threads: str
) -> None:
    source = tmp_path / f"unit.{suffix}"
    source.write_text(f"""
#include <omp.h>
void fill(int *a, int n, int most) {{
#pragma omp target teams distribute parallel for map(from: a[0:n]) {clauses}
    for (int i = 0; i < n; ++i)
        a[i] = {value};
}}
""")
    outcome = rex_build("lower", source, "--dump=host")
    assert outcome.status == 0, outcome.stderr
    assert f"int _threads_per_block_ = {threads};" in outcome.stdout


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_an_atomic_update_between_parallel_regions_is_the_first_threads(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / f"unit.{suffix}"
    source.write_text("""
void count(const int *a, int *sums, int n) {
#pragma omp target teams distribute map(to: a[0:n * 64]) map(tofrom: sums[0:2])
    for (int i = 0; i < n; ++i) {
        int sum = 0, old;
#pragma omp parallel for reduction(+: sum)
        for (int k = 0; k < 64; ++k)
            sum += a[i * 64 + k];
#pragma omp atomic
        sums[0] += sum;
#ifdef CAPTURE
#pragma omp atomic capture
        old = sums[1]++;
        sums[old] = i;
#endif
    }
}
""")
    outcome = rex_build("explain", source)
    assert "applied: spmd" in outcome.stdout, outcome.stderr
    outcome = rex_build("explain", source, "--", "-DCAPTURE")
    assert "left out: spmd: 'atomic' outside of parallel regions" in outcome.stdout
