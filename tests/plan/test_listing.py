"""What ``rex-build explain`` prints: every directive, with what became of it below."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from rex_build.pipeline import explain_listing
from rex_build.plan.dump import as_text
from rex_build.request import LowerRequest

pytestmark = pytest.mark.compile

_UNIT = """\
#include "part.h"
struct s { int n; double *v; };
void f(struct s *p, int n, double *a, int c)
{
    int b[10];
#pragma omp target enter data map(to: p[0:1]) map(alloc: p->v[0:p->n]) if(n > 3)
#pragma omp target teams distribute parallel for num_teams(n) \\
        thread_limit(64) map(to: a[0:n]) \\
        map(from: b) if(target: c)
    for (int i = 0; i < n; i++)
        b[i] = a[i];
#pragma omp target update from(p->v[0:4])
#pragma omp target exit data map(delete: p->v[0:p->n])
#pragma omp target data use_device_ptr(a)
    {
#pragma omp target firstprivate(b)
        a[0] = b[0];
    }
}
"""
_PART = """\
void g(double *x)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < 9; i++)
        x[i] = 1;
}
"""


@pytest.fixture(scope="module")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The lines below each directive, by the line that shows it."""
    folder = tmp_path_factory.mktemp("listing")
    (folder / "part.h").write_text(_PART)
    (folder / "unit.c").write_text(_UNIT)
    text = explain_listing(LowerRequest(folder / "unit.c", folder))
    found = {}
    for block in text.split("\n\n"):
        head, *lines = block.replace(f"{folder}/", "").splitlines()
        found[head] = [line.removeprefix("    ") for line in lines]
    return found


def below(blocks: dict[str, list[str]], place: str) -> list[str]:
    (lines,) = (lines for head, lines in blocks.items() if head.startswith(f"{place}: "))
    return lines


def test_directives_stand_in_the_order_of_the_source_as_they_are_written(blocks: dict[str, list[str]]) -> None:
    assert [head.partition(": ")[0] for head in blocks] == [
        "part.h:3", "unit.c:6", "unit.c:7", "unit.c:12", "unit.c:13", "unit.c:14", "unit.c:16"
    ]  # fmt: skip
    whole = "unit.c:7: #pragma omp target teams distribute parallel for num_teams(n) thread_limit(64) map(to: a[0:n])"
    assert f"{whole} map(from: b) if(target: c)" in blocks, "continuation lines are part of it"


def test_variables_are_grouped_by_their_way(blocks: dict[str, list[str]]) -> None:
    assert below(blocks, "unit.c:6") == [
        "copied to the device: p[0:1] (16 bytes)",
        "allocated, but not copied: p->v[0:p->n] (8 * p->n bytes)",
        "does nothing if !(n > 3)",
    ]
    assert below(blocks, "unit.c:12") == ["copied from the device: p->v[0:4] (32 bytes)"]
    assert below(blocks, "unit.c:13") == ["removed from the device: p->v[0:p->n]"]
    assert below(blocks, "unit.c:14") == ["device address asked for: a"]
    region = below(blocks, "unit.c:7")
    assert "copied to the device: a[0:n] (8 * n bytes)" in region
    assert "copied from the device: b (40 bytes)" in region
    assert "passed by value: n" in region
    assert "runs on the host if !c" in region
    last = below(blocks, "unit.c:16")
    assert "copied for the kernel alone: b (40 bytes)" in last
    assert "taken from the device if it is there: a" in last


def test_regions_say_how_they_run(blocks: dict[str, list[str]]) -> None:
    region = below(blocks, "unit.c:7")
    assert region[:2] == [
        "becomes a kernel: the threads share the iterations of the loop",
        "launch: n teams of 64 threads",
    ]
    assert below(blocks, "part.h:3")[1] == "launch: as many teams of 256 threads as 9 iterations need"
    assert below(blocks, "unit.c:16")[:3] == [
        "becomes a kernel: one thread of a team runs the block, because nothing in it is parallel",
        "ONE THREAD runs all of it: 'target teams distribute parallel for' shares a loop among all threads",
        "launch: 1 team of 1 thread",
    ]


_RECURSIVE = """\
static void halves(int n, double *a)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] /= 2;
    if (n > 1)
        halves(n / 2, a);
}
void f(int n, double *a)
{
    #pragma omp target map(tofrom: a[0:n])
    halves(n, a);
}
"""


@pytest.mark.parametrize("name", ["recursive.c", "recursive.cpp"])
def test_parallel_regions_of_one_thread_are_said_to_be_there(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(_RECURSIVE)
    text = explain_listing(LowerRequest(tmp_path / name, tmp_path, cc="g++" if name.endswith("pp") else "gcc"))
    assert "its parallel regions are in functions that others call, too, or that call themselves" in text
    assert "ONE THREAD runs all of it" in text


def test_what_was_applied_and_why_not(blocks: dict[str, list[str]]) -> None:
    """A transformation is named once, those that one reason prevents together, and none that has nothing to do."""
    from rex_build.request import TRANSFORMATIONS

    for place in ("unit.c:7", "unit.c:16", "part.h:3"):
        lines = below(blocks, place)
        said = [line for line in lines if line.startswith(("applied: ", "left out: "))]
        names = [n for line in said for n in line.partition(": ")[2].partition(": ")[0].split(", ")]
        assert len(set(names)) == len(names)
        assert set(names) <= set(TRANSFORMATIONS)
        assert all(line.count(": ") >= 2 for line in said), "each has a reason"
        assert not any(line.startswith("not applied") for line in lines)


def test_details_have_a_line_for_each_fact() -> None:
    once = {"name": "once", "applied": True, "place": {"file": "a.c", "line": 3, "column": 5, "length": 1}}
    facts = {"literals": ["a", "b"], "optimisations": [once, "x" * 120], "loop": None, "launch": {"threads": 256}}
    assert as_text(facts).splitlines() == [
        "literals: a, b", "optimisations:", "  - name: once, applied: yes, place: a.c:3:5", f"  - {'x' * 120}",
        "loop: none", "launch:", "  threads: 256"
    ]  # fmt: skip


_LEFT_OUT = [
    (
        """\
for (int i = 0; i < m; i++)
    for (int j = 1; j < n; j++)
        a[i * n + j] += a[i * n + j - 1]; /* here */""",
        "collapse: 'a[((i * n) + j) - 1]' and 'a[(i * n) + j]' may be the same element in different iterations of 'j'",
        "; to allow it, if they never are, say so by collapse in the directive",
    ),
    (
        """\
for (int i = 0; i < m; i++) {
    a[i] = 0; /* here */
    for (int j = 0; j < n; j++)
        a[i * n + j] = 1;
}""",
        "collapse: a statement in front of an inner loop changes more than a variable",
        "; to allow it, put it into a region of its own, or into the innermost loop",
    ),
    (
        """\
for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
        a[j] = rows[i][j]; /* here */""",
        (
            "noalias, readonly, scalarise, hoist, align, collapse, broadcast, inorder: "
            "a pointer is loaded from memory or chosen at run time"
        ),
        "; to allow it, load the pointer before the region, or keep the data in one array, a[i * n + j]",
    ),
    (
        """\
for (int i = 0; i < m; i++) {
    double s = 0;
    for (int j = 0; j < n; j++) {
        s += 1;
        a[i * n + j] = s; /* here */
    }
}""",
        "collapse: 's' takes a value from one iteration of an inner loop to another",
        "; to allow it, reduce it, or compute it anew in each iteration",
    ),
    (
        "for (int i = 0; i < m; i++)\n    a[i] = counted(i); /* here */",
        (
            "noalias, readonly, scalarise, hoist, align, collapse, broadcast, inorder: "
            "'counted' may have side effects: 'n' is a variable of the device"
        ),
        "",
    ),
]


@pytest.mark.parametrize(("loop", "reason", "remedy"), _LEFT_OUT)
def test_what_the_users_code_prevents_has_its_line_and_a_way_out(
    tmp_path: Path, loop: str, reason: str, remedy: str
) -> None:
    text = "static double counted(int x) { static int n; return x + n++; }\n"
    text += "void f(int m, int n, double *a, double **rows)\n{\n#pragma omp target teams distribute\n"
    text += f"{loop}\n}}\n"
    (tmp_path / "unit.c").write_text(text)
    lines = [line.strip() for line in explain_listing(LowerRequest(tmp_path / "unit.c", tmp_path)).splitlines()]
    here = text[: text.index("/* here */")].count("\n") + 1
    assert f"left out: {reason} (line {here}){remedy}" in lines


@pytest.mark.parametrize(
    ("loop", "count"),
    [
        ("int i = 0; i < n; i++", "n"),
        ("int i = 0; i < n * 2; i++", "n * 2"),
        ("int i = 1; i <= n; i++", "n"),
        ("int i = 1; i < n; i++", "n - 1"),
        ("int i = n - 1; i >= 0; i--", "n - 1 + 1"),
        ("int i = m; i < n; i++", "n - m"),
        ("int i = m; i <= n - m; i++", "n - m - m + 1"),
        ("int i = 0; i < n; i += 4", "(n - 1) / 4 + 1"),
        ("int i = n; i > m - 1; i -= m + 1", "(n - (m - 1) - 1) / (m + 1) + 1"),
        ("int i = 0; i < 64; i++", "64"),
    ],
)
def test_the_launch_says_how_many_iterations_there_are(tmp_path: Path, loop: str, count: str) -> None:
    """The count is an expression of C, so it is computed and compared with the iterations that really run."""
    unit = tmp_path / "unit.c"
    pragma = "#pragma omp target teams distribute parallel for map(tofrom: a[0:n])"
    unit.write_text(f"void f(int n, int m, double *a)\n{{\n{pragma}\n    for ({loop}) a[i] = 1;\n}}\n")
    (line,) = (one for one in explain_listing(LowerRequest(unit, tmp_path)).splitlines() if "launch: " in one)
    said = f"launch: as many teams of 256 threads as {count} iterations need"
    light = ", 512 threads if these are at most 4,194,304" if count != "64" else ""  # each of them moves 8 bytes
    assert line.strip() == said + light
    check = tmp_path / "check.c"
    variables = "int n = 37, m = 5, k = 0; (void)n, (void)m;"
    check.write_text(f"int main(void) {{ {variables} for ({loop}) k++; return k != {count}; }}")
    subprocess.run(["gcc", check, "-o", tmp_path / "check"], check=True)
    subprocess.run([tmp_path / "check"], check=True)


def test_collapsed_loops_multiply_their_counts(tmp_path: Path) -> None:
    unit = tmp_path / "unit.c"
    unit.write_text(
        "void f(int n, int m, double *a)\n{\n"
        "#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:n * m])\n"
        "    for (int i = 0; i < n; i++)\n        for (int j = 1; j < m; j++)\n            a[i * m + j] = 1;\n}\n"
    )
    assert "as n * (m - 1) iterations need" in explain_listing(LowerRequest(unit, tmp_path))
