"""``--on-unsupported=host``: what cannot be lowered stays on the host, at whatever stage that is found out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from execution import rex_build, run

PROGRAM = """\
#include <stdio.h>
int d = 1, l = 1;
#pragma omp declare target to(d) link(l)
int main(void)
{
    int a[4] = {0}, x = 5;
    BEFORE
#pragma omp target map(tofrom: a)
    a[0] += 100;
    REGION
    printf("%d %d %d\\n", a[0], a[3], x);
    return 0;
}
"""

LOOP = "for (int i = 0; i < 4; i++) a[i] += 2;"
COUNTED = "for (int i = 0; i < 4; i++) { a[i] += 2; s += 1; }"
SUM = "{ long double s = 2;\n"
TEAMS = "#pragma omp teams num_teams(1) reduction(+: x)"
OF_TEAMS = "#pragma omp teams num_teams(1) private(x) reduction(+: s)"
MAP = "#pragma omp target map(self, tofrom: a)"
SELF = "modifier 'self' in 'map' clause is not supported"

# region, then line and message of each warning. Errors of the parser, of what simplifies the tree, of the plan.
REGIONS = {
    "unknown clause": (f"#pragma omp target mpa(tofrom: a)\n{LOOP}", [(10, "unknown clause 'mpa'")]),
    "malformed clause, others kept": (
        f"#pragma omp target parallel for private(x) map(tofrm: a)\n{LOOP[:-10]} {{ x = i; a[i] += 2; }}",
        [(10, "unknown map-type 'tofrm'")],
    ),
    "misspelt directive inside": (
        f"#pragma omp target map(tofrom: a)\n{{\n#pragma omp paralel\n{LOOP}\n}}",
        [(12, "unknown OpenMP directive 'paralel'")],
    ),
    "unknown directive inside": (
        f"#pragma omp target map(tofrom: a)\n{{\n#pragma omp futuristic\n{LOOP}\n}}",
        [(12, "unknown OpenMP directive 'futuristic'")],
    ),
    "clause of a directive that is replaced": (
        f"#pragma omp target map(tofrom: a)\n{{\n#pragma omp unroll mostly\n{LOOP}\n}}",
        [(12, "unknown clause 'mostly'")],
    ),
    "refused clause": (
        f"#pragma omp target map(self, tofrom: a)\n{LOOP}",
        [(10, "modifier 'self' in 'map' clause is not supported")],
    ),
    "refused reduction": (
        f"{SUM}#pragma omp target parallel for reduction(+: s) map(tofrom: a)\n{COUNTED}\nx += s - 6; }}",
        [(11, "a reduction over a long double is not supported")],
    ),
    "refused reduction inside, what the clauses around map": (
        f"{SUM}#pragma omp target map(tofrom: a, s)\n{OF_TEAMS}\n{{ x = s = 5; {LOOP} }}\nx += s - 7; }}",
        [(12, "a reduction over a long double is not supported")],
    ),
    "firstprivate": (f"{MAP} firstprivate(x)\n{{ x = 2; {LOOP} }}", [(10, SELF)]),
    "reduction of teams into the copy of target": (f"{MAP}\n{TEAMS}\n{{ x++; {LOOP} }}", [(10, SELF)]),
    "what is not copied": (
        f"{MAP} defaultmap(tofrom: scalar)\n{{ x = d = l = 2; {LOOP} }}\n{MAP}\nd = l = 3;\nx += d + l - 3;",
        [(10, SELF), (12, SELF)],
    ),
}


@pytest.mark.compile
@pytest.mark.parametrize("name", REGIONS)
def test_regions_left_to_the_host(name: str, tmp_path: Path) -> None:
    region, warnings = REGIONS[name]
    source = tmp_path / "p.c"
    source.write_text(PROGRAM.replace("REGION", region).replace("BEFORE", ""))
    plain = rex_build("lower", source, "--out-dir", tmp_path / "out")
    assert plain.status == 1
    found = re.findall(r"p\.c:(\d+):\d+: error: (.*)", plain.stderr)
    assert [int(line) for line, _ in found] == [line for line, _ in warnings]

    built = rex_build("cc", "--device", "cpu", "--on-unsupported", "host", "-o", tmp_path / "p", source)

    assert built.status == 0, built.stderr
    warned = re.findall(r"p\.c:(\d+):\d+: warning: (.*)", built.stderr)
    assert [int(line) for line, _ in warned] == [line for line, _ in warnings]
    assert all(part in message for (_, message), (_, part) in zip(warned, warnings, strict=True))
    assert "this region stays on the host" in built.stderr
    assert run([tmp_path / "p"], 60).stdout == "102 2 5\n"


COPIES = """\
#include <omp.h>
#include <stdio.h>
int main(void)
{
    int x = 1, seen = 0, p = 3, a[8] = {0}, *at = a;
#pragma omp target map(self, tofrom: seen)
    {
        x += 1;
        seen = x;
    }
#pragma omp target map(self, tofrom: at[0:8]) firstprivate(p)
    {
        at += 1;
        at[0] = ++p;
    }
#pragma omp target teams num_teams(3) map(self, tofrom: a)
    {
#pragma omp distribute
        for (int i = 2; i < 8; i++)
            a[i] += omp_get_num_teams();
    }
    printf("%d %d %d %d %d %d\\n", x, seen, p, at == a, a[1], a[7]);
    return 0;
}
"""


@pytest.mark.compile
@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_regions_left_to_the_host_have_their_copies(suffix: str, tmp_path: Path) -> None:
    """Those of scalars and of pointers to sections that no clause names, and a team for each that is asked for."""
    source, program = tmp_path / f"unit{suffix}", tmp_path / "program"
    source.write_text(COPIES)
    outcome = rex_build("cc", "--device", "cpu", "--on-unsupported=host", "-o", program, source)
    assert outcome.stderr.count(SELF) == 3, outcome.stderr
    assert run([program], 60).stdout == "1 2 3 1 4 3\n"


@pytest.mark.compile
def test_tasks_with_events_in_regions_left_to_the_host(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(
        """\
#include <stdio.h>
#include <omp.h>
int main(void)
{
    int a[4] = {0}, x = 5;
#pragma omp target map(tofrom: a, x)
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 4; i++) {
        omp_event_handle_t done;
#pragma omp task detach(done) depend(out: x) firstprivate(i)
        {
            a[i] += 1;
#pragma omp task firstprivate(i, done)
            { a[i] += 1; omp_fulfill_event(done); }
        }
#pragma omp task depend(in: x) firstprivate(i)
        x += a[i] == 2;
    }
    printf("%d %d %d\\n", a[0], a[3], x);
    return 0;
}
"""
    )
    built = rex_build("cc", "--device", "cpu", "--on-unsupported", "host", "-o", tmp_path / "p", source)
    assert built.status == 0, built.stderr
    assert "clause 'detach' on 'task' is not supported" in built.stderr
    assert run([tmp_path / "p"], 60).stdout == "2 2 9\n"


@pytest.mark.compile
def test_directives_that_nobody_knows_are_the_host_compilers(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(PROGRAM.replace("BEFORE", "\n#pragma omp futuristic thing(3)\n x = 6;").replace("REGION", ""))
    built = rex_build("cc", "--device", "cpu", "-o", tmp_path / "p", source)
    assert built.status == 0, built.stderr
    assert run([tmp_path / "p"], 60).stdout == "100 0 6\n"


@pytest.mark.parametrize(
    "line", ["#pragma omp target data mpa(to: a)", "#pragma omp target update form(a)", "#pragma omp declare target(b)"]
)
def test_other_directives_about_devices_remain_errors(line: str, tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(f"int a;\nvoid f(void)\n{{\n#pragma omp target\na = 1;\n{line}\n{{ }}\n}}\n")
    outcome = rex_build("lower", source, "--out-dir", tmp_path / "out", "--on-unsupported", "host")
    assert outcome.status == 1
    assert "error:" in outcome.stderr
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())
