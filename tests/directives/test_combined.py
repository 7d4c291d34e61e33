"""Combined constructs taken apart, and what the host compiler gets to see."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from directives_support import parse

from rex_build.directives.combined import host_spelling, leaf_clauses, spell_clause, with_clauses


def by_leaf(text):
    return {leaf: " ".join(map(spell_clause, clauses)) for leaf, clauses in leaf_clauses(parse(text)).items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("target map(to: a) nowait", {"target": "map(to: a) nowait"}),
        ("target parallel private(a)", {"target": "", "parallel": "private(a)"}),
        (
            "target parallel firstprivate(a)",
            {"target": "firstprivate(a)", "parallel": "firstprivate(a)"},
        ),
        (
            "target teams firstprivate(a) map(to: b)",
            {"target": "firstprivate(a) map(to: b)", "teams": "firstprivate(a)"},
        ),
        (
            "target teams distribute parallel for firstprivate(a)",
            {
                "target": "firstprivate(a)",
                "teams": "shared(a)",
                "distribute": "firstprivate(a)",
                "parallel": "shared(a)",
                "for": "firstprivate(a)",
            },
        ),
        (
            "target parallel for lastprivate(a, b) firstprivate(b)",
            {
                "target": "map(tofrom: a, b)",
                "parallel": "shared(a) shared(b)",
                "for": "lastprivate(a, b) firstprivate(b)",
            },
        ),
        (
            "target parallel for reduction(+: a, b) map(tofrom: a)",
            {"target": "map(tofrom: b) map(tofrom: a)", "parallel": "shared(a, b)", "for": "reduction(+: a, b)"},
        ),
        (
            "target teams distribute reduction(max: a)",
            {"target": "map(tofrom: a)", "teams": "reduction(max: a)", "distribute": ""},
        ),
        (
            "target teams distribute parallel for simd reduction(+: a) collapse(2)",
            {
                "target": "map(tofrom: a)",
                "teams": "reduction(+: a)",
                "distribute": "collapse(2)",
                "parallel": "shared(a)",
                "for": "reduction(+: a) collapse(2)",
                "simd": "reduction(+: a) collapse(2)",
            },
        ),
        (
            "target parallel for if(c) nowait num_threads(4) schedule(static)",
            {"target": "if(c) nowait", "parallel": "if(c) num_threads(4)", "for": "schedule(static)"},
        ),
        (
            "target parallel if(parallel: c) if(target: d) default(none) shared(a)",
            {"target": "if(target: d)", "parallel": "if(parallel: c) default(none) shared(a)"},
        ),
        (
            "target teams thread_limit(4) num_teams(2) shared(a)",
            {"target": "thread_limit(4)", "teams": "thread_limit(4) num_teams(2) shared(a)"},
        ),
        ("for private(a) nowait", {"for": "private(a) nowait"}),
    ],
)
def test_leaf_clauses(text, expected):
    assert by_leaf(text) == expected


TARGET_ONLY = "map(to: a) device(0) defaultmap(none) nowait depend(in: a) thread_limit(4) if(n)"
HOST = [
    ("target", None),
    (f"target {TARGET_ONLY}", None),
    ("target teams num_teams(4) reduction(+: s)", "parallel num_threads(1) reduction(+: s)"),
    ("target teams if(n) private(x) reduction(+: s)", "parallel num_threads(1) private(x) reduction(+: s)"),
    ("target private(x)", "parallel num_threads(1) private(x)"),
    ("target teams firstprivate(x) shared(y)", "parallel num_threads(1) firstprivate(x) shared(y)"),
    ("target teams in_reduction(+: s) private(x, y) allocate(align(64): x) allocate(s)",
     "parallel num_threads(1) private(x, y) allocate(align(64): x)"),
    ("teams num_teams(4)", None),
    ("target data map(to: a)", None),
    ("target enter data map(to: a)", None),
    ("target update to(a)", None),
    ("declare target", None),
    ("end declare target", None),
    (f"target parallel num_threads(4) {TARGET_ONLY}", "parallel num_threads(4) if(n)"),
    ("target parallel if(parallel: n) if(target: n)", "parallel if(parallel: n)"),
    ("target parallel reduction(+: s) private(x) default(none) shared(y)",
     "parallel reduction(+: s) private(x) shared(y)"),
    (f"target parallel for {TARGET_ONLY} schedule(static, 4)", "parallel for if(n) schedule(static, 4)"),
    ("target parallel for firstprivate(x) lastprivate(x)", "parallel for firstprivate(x) lastprivate(x)"),
    ("target parallel for simd safelen(4) simdlen(2)", "parallel for simd safelen(4) simdlen(2)"),
    ("target teams distribute num_teams(4) dist_schedule(static, 2) collapse(2)",
     "parallel for schedule(static, 2) collapse(2)"),
    ("target teams distribute parallel for num_teams(1) dist_schedule(static, 2)", "parallel for"),
    ("target teams distribute num_teams(1) if(n) dist_schedule(static, 2)", "parallel for num_threads(1)"),
    ("target teams distribute num_teams(n)", "parallel for if(parallel: (n) != 1)"),
    ("target teams distribute num_teams(n) if(teams: x)", "parallel for if(parallel: ((x) ? (n) : 1) != 1)"),
    ("target teams distribute if(teams: x)", "parallel for if(parallel: ((x) ? (rex_omp_max_teams()) : 1) != 1)"),
    ("teams distribute simd num_teams(1: n) if(n) if(simd: x)",
     "parallel for simd if(parallel: (n) && (n) != 1) if(simd: x)"),
    # OMP_NUM_TEAMS may say that there is one team.
    ("target teams distribute reduction(+: s) private(x)",
     "parallel for if(parallel: (rex_omp_max_teams()) != 1) reduction(+: s) private(x)"),
    ("target teams distribute simd lastprivate(x)",
     "parallel for simd if(parallel: (rex_omp_max_teams()) != 1) lastprivate(x)"),
    ("target teams distribute parallel for default(shared) shared(y)", "parallel for shared(y)"),
    ("target teams distribute parallel for simd if(simd: n) reduction(&&: s)",
     "parallel for simd if(simd: n) reduction(&&: s)"),
    ("teams distribute parallel for if(n)", "parallel for if(n)"),
    ("target teams distribute parallel for if(n)", "parallel for if(n)"),
    ("distribute parallel for num_threads(2)", "parallel for num_threads(2)"),
    ("distribute private(x) dist_schedule(static)", "parallel for num_threads(1) private(x)"),
    ("distribute simd", "parallel for simd num_threads(1)"),
    ("target simd reduction(+: s)", "simd reduction(+: s)"),
    ("target simd firstprivate(x)", "parallel for simd num_threads(1) firstprivate(x)"),
    ("target teams loop bind(teams) lastprivate(x)", "parallel for lastprivate(x)"),
    ("target parallel loop order(concurrent)", "parallel for order(concurrent)"),
    ("target loop", "parallel for"),
    ("parallel for nowait_not_known", "parallel for nowait_not_known"),
    ("parallel for schedule(static,4)", "parallel for schedule(static, 4)"),
    ("single nowait", "single nowait"),
    ("barrier", "barrier"),
    ("critical(name)", "critical(name)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), HOST)
def test_host_spelling(text, expected):
    assert host_spelling(parse(text)) == expected


def test_the_spelling_of_a_directive_is_the_directive_itself():
    text = "target teams distribute parallel for map(always, to: a[0:n]) if(target: n > 1) num_teams(2)"
    directive = parse(text)
    assert with_clauses(directive, directive.clauses).text == text


@pytest.mark.compile
@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_gcc_accepts_the_host_spellings(tmp_path):
    lines = ["int rex_omp_max_teams(void);", "void f(int n, int *a, int s, int x, int y) {"]
    for _, spelling in HOST:
        if spelling is None or "not_known" in spelling:
            continue
        lines.append(f"#pragma omp {spelling}")
        if spelling.split()[0] in {"single", "critical"} or (" for" not in spelling and "simd" not in spelling):
            lines.append(";" if spelling == "barrier" else "{ a[0] += x + y + s; }")
        elif "collapse" in spelling:
            lines.append("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i] += j;")
        else:
            lines.append("for (int i = 0; i < n; i++) { x = i; a[i] = y; s = s && x; }")
    source = tmp_path / "host.c"
    source.write_text("\n".join([*lines, "}"]))
    done = subprocess.run(
        ["gcc", "-fopenmp", "-Wall", "-Wno-uninitialized", "-fsyntax-only", str(source)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
