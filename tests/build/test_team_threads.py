"""How many threads a team of the cpu device has, and what is said about it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from build_tool import Tool

pytestmark = pytest.mark.compile


TEAM = """\
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int threads[3] = {0}, limit = 64;
#pragma omp target teams num_teams(3) thread_limit(limit) map(tofrom: threads)
    {
#pragma omp parallel
        if (omp_get_thread_num() == 0)
            threads[omp_get_team_num()] = omp_get_num_threads();
    }
    printf("%d %d %d\\n", threads[0], threads[1], threads[2]);
}
"""


@pytest.mark.parametrize(("given", "threads"), [("1000", 64), ("16", 16)])
def test_teams_of_the_cpu_device_get_the_threads_that_the_user_sets(
    cc: Tool, project: Path, given: str, threads: int
) -> None:
    """Without the setting a team has as many threads as the host has cores. thread_limit holds in any case."""
    (project / "team.c").write_text(TEAM)
    cc.run("rex-gcc", "-fopenmp", "team.c", "-o", "team", cwd=project)
    cc.env["REX_CPU_TEAM_THREADS"] = given
    assert cc.run(project / "team").split() == [str(threads)] * 3


# What each region asks for, whether it can tell, and how many threads it must have: 0 if any number is right.
ASKING = [
    ("target parallel num_threads(24)", "", True, 24),
    ("target teams num_teams(1) thread_limit(64)", "#pragma omp parallel num_threads(24)", True, 24),
    ("target teams num_teams(1) thread_limit(64)", "#pragma omp parallel", False, 0),
    ("target parallel thread_limit(64)", "", True, 0),
    ("target thread_limit(64)", "#pragma omp parallel num_threads(3)\n;\n#pragma omp parallel", True, 0),
]


@pytest.mark.parametrize("suffix", ["c", "cc"])
def test_the_cpu_device_says_that_a_team_has_fewer_threads(cc: Tool, project: Path, suffix: str) -> None:
    """Only for a region that can tell, once in a unit, and not to a user who has set the number. ``num_threads`` is
    granted."""
    units = []
    for number, (region, inside, tells, _) in enumerate(ASKING):
        value = "if (omp_get_thread_num() == 0) n = omp_get_num_threads();" if tells else "n = 1;"
        lines = [f"#pragma omp {region} map(tofrom: n)", "{", inside, value, "}"]
        text = [f"int f{number}(void);", f"int f{number}(void)", "{", "int n = 0;", *lines, "return n;", "}"]
        units.append(project / f"u{number}.{suffix}")
        units[-1].write_text("#include <omp.h>\n" + "\n".join(text) + "\n")
    calls = "".join(f'    printf("%d ", f{number}());\n' for number in range(len(ASKING)))
    declared = "".join(f"int f{number}(void);\n" for number in range(len(ASKING)))
    units.append(project / f"main.{suffix}")
    units[-1].write_text(f"#include <stdio.h>\n{declared}int main(void)\n{{\n{calls}    return 0;\n}}\n")
    cc.run("rex-g++" if suffix == "cc" else "rex-gcc", "-fopenmp", *units, "-o", "program", cwd=project)
    for setting in ({}, {"REX_CPU_TEAM_THREADS": "4"}):
        run = subprocess.run(
            [project / "program"], env={**cc.env, **setting}, capture_output=True, text=True, check=True
        )
        granted = [asked for _, _, _, asked in ASKING]
        assert [n for n, asked in zip(map(int, run.stdout.split()), granted, strict=True) if asked] == [24, 24]
        said = [line for line in run.stderr.splitlines() if "a team may have 64 threads" in line]
        expected = [] if setting else [f"u3.{suffix}:", f"u4.{suffix}:"]
        assert len(said) == len(run.stderr.splitlines()) == len(expected)
        assert all(name in line for name, line in zip(expected, said, strict=True))
