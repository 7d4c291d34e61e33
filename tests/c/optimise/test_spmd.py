"""Generic regions that all threads of a team run: where barriers and guards stand, and what keeps the hand-over."""

# ruff: noqa: E501 - C loops on one line each

from __future__ import annotations

import re
from pathlib import Path

import pytest
from explained import transformations

from rex_build.base.diagnostics import InputError
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

HEAD = """
double sqrt(double); int omp_get_thread_num(void); int printf(const char *, ...);
#pragma omp begin declare target
static double twice(double v) { return sqrt(v) * 2; }
static int counter; static double count(double v) { return ++counter + v; }
static double say(double v) { __builtin_printf("%g\\n", v); return v; }
static double first(const double *p, int n) { return n > 0 ? p[0] : 0; }
static void next(double *p) { *p = *p * 3 + 1; }
static double roll(double *p) { return *p += 1; }
static void clear(double *p, int n) { for (int i = 0; i < n; ++i) p[i] = 0; }
static void swap(double *p, double *q) { double v = *p; *p = *q; *q = v; }
static double *at(double *p) { return p; }
static double size_of(const double *p) { return sizeof(int[(int)*p]); }
static double size_of_next(double *p) { double a[(int)++*p]; a[0] = 1; return a[0] + sizeof a; }
static double size_of_last(double *p) { typedef double row[(int)--*p]; row a; a[0] = 1; return sizeof(row) + a[0]; }
struct reading { volatile int now; };
static int asking(void) { return omp_get_thread_num(); }
static double seen(double *p) { double v;
#pragma omp atomic read
v = *p;
return v; }
static double seen_twice(double *p) { return seen(p) + seen(p); }
#pragma omp end declare target
"""
DISTRIBUTE = "#pragma omp target teams distribute map(tofrom: x[0:n * n], y[0:n * n])\nfor (int t = 0; t < n; ++t)"


def unit(tmp_path: Path, body: str, construct: str = DISTRIBUTE) -> LowerRequest:
    source = tmp_path / "unit.c"
    body = re.sub(r"\bPARALLEL\b(.*?)\|", r"\n#pragma omp parallel for\1\n", body)
    source.write_text(f"{HEAD}void f(int n, double *x, double *y, volatile int *v)\n{{\n{construct} {{ {body} }}\n}}\n")
    return LowerRequest(source=source, out_dir=tmp_path)


def said(request: LowerRequest) -> str:
    return "spmd: " + transformations(request)["spmd"]


def shape(request: LowerRequest) -> str:
    """What the kernel does, as words: R a parallel region, W a wait, F a statement of the first thread, S a shared
    variable, + a reduction."""
    text = lower_text(request).device.partition("__direct__(")[0]  # the one with no-alias pointers is the same
    marks = {
        "REX_TEAM_REGION": "R",
        "rex_team_wait": "W",
        "rex_team_first": "F",
        "REX_TEAM_SHARED": "S",
        "rex_reduce_all": "+",
        "REX_COMBINED_BY_ALL": "+",
    }
    return "".join(marks[m] for m in re.findall("|".join(marks), text))


LOOP = "for (int i = 0; i < n; ++i)"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # One barrier between two regions, none at the end of the team's iteration.
        (f"double a[64]; PARALLEL | {LOOP} a[i] = x[t * n + i]; PARALLEL | {LOOP} y[t * n + i] = a[n - 1 - i];", "SRWR"),
        # A region that only reads, after one that only reads.
        (f"double s = 0, p = 1; PARALLEL reduction(+: s) | {LOOP} s += x[i]; PARALLEL reduction(*: p) | {LOOP} p *= x[i] + s;", "R+R+"),
        # The sum is in every thread, and so is what is computed from it; regions wait for each other's results only.
        (f"double s = 0; PARALLEL reduction(+: s) | {LOOP} s += x[i]; double m = twice(s); PARALLEL | {LOOP} y[i] = m;", "R+R"),
        # The first thread writes what others read, and what others have read.
        (f"y[t] = 3; PARALLEL | {LOOP} x[i] = y[t];", "FWR"),
        (f"PARALLEL | {LOOP} x[i] = t; y[t] = x[t];", "RWF"),
        (f"double m = x[t]; PARALLEL | {LOOP} x[i] = m;", "WR"),
        (f"y[t] = x[t]; double m = y[t]; y[t] = m + 1; PARALLEL | {LOOP} x[i] = m;", "FWWFWR"),
        # Control flow that every thread decides alike.
        (f"for (int s = 0; s < 3; ++s) {{ PARALLEL | {LOOP} x[i] += s; }}", "WR"),
        (f"if (t > 2) {{ PARALLEL | {LOOP} x[i] += t; }} else y[t] = 1; PARALLEL | {LOOP} x[i] += y[t];", "RFWR"),
        # A loop that ends on what its regions write.
        (f"while (x[t] < 3) {{ PARALLEL | {LOOP} x[i] += 1; }}", "WRW"),
        # Two reductions of one region have one step; what a region assigns is shared.
        (f"double s = 0, p = 1; PARALLEL reduction(+: s) reduction(*: p) | {LOOP} {{ s += x[i]; p *= x[i]; }} y[t] = s + p;", "R+F"),
        (f"int last = 0; PARALLEL lastprivate(last) | {LOOP} last = i; y[t] = last;", "SFWRWF"),
        # A variable whose address is kept is the team's.
        (f"double s = 0; double *p = &s; PARALLEL | {LOOP} x[i] = s; y[t] = *p;", "SFWRWF"),
        # Shared memory has room for a large array where nothing of the library's is in it.
        (f"double a[5900]; PARALLEL | {LOOP} a[i] = x[i]; PARALLEL | {LOOP} y[i] = a[n - 1 - i];", "SRWR"),
        # Other arrays, and elements that the same thread has accessed, need no barrier; elements of others do.
        (f"double a[64], b[64]; PARALLEL | {LOOP} a[i] = x[i]; PARALLEL | {LOOP} b[i] = 2 * a[i]; PARALLEL | {LOOP} a[i] += b[i];", "SSRRR"),
        (f"double a[64]; PARALLEL | {LOOP} a[i] = x[i]; PARALLEL | for (int i = 1; i < n; ++i) y[i] = a[i];", "SRWR"),
        (f"double a[64]; PARALLEL | {LOOP} a[i] = x[i]; PARALLEL schedule(static, 2) | {LOOP} y[i] = a[i];", "SRWR"),
        (f"double a[64], b[64]; PARALLEL | {LOOP} a[i] = i; y[t] = b[3]; PARALLEL | {LOOP} b[i] = i;", "SSRFWR"),
        (f"double a[64], *p = a; PARALLEL | {LOOP} a[i] = i; PARALLEL | {LOOP} y[i] = p[i];", "SRWR"),
        # Functions may read what their parameters lead to, and change variables of their thread.
        (f"double m = first(x, n); next(&m); PARALLEL | {LOOP} y[i] = m;", "WR"),
        (f"double a[64]; PARALLEL | {LOOP} a[i] = i; clear(a, n); PARALLEL | {LOOP} y[i] = a[i];", "SRWFWR"),
        (f"double v[2] = {{1, 2}}; clear(v, 2); double m = v[1]; PARALLEL | {LOOP} y[i] = m;", "R"),
        (f"double m = 1; *at(&m) = 2; PARALLEL | {LOOP} x[i] = m;", "R"),
        # A team has as many threads as its regions ask for.
        (f"PARALLEL num_threads(7) | {LOOP} x[i] = omp_get_thread_num();", "R"),
        # Nobody can tell how many threads share a loop. Arrays that regions reduce are the team's.
        (f"double s = 0; PARALLEL num_threads(7) reduction(+: s) | {LOOP} s += x[i]; y[t] = s;", "R+F"),
        (f"double h[4] = {{0}}; PARALLEL reduction(+: h) | {LOOP} h[i % 4] += x[i]; y[t] = h[1];", "SFWRWF"),
        (f"double h[4] = {{0}}, s = 0; PARALLEL reduction(+: h, s) | {LOOP} {{ h[i % 4] += x[i]; s += 1; }} y[t] = h[1] + s;", "SFWR+WF"),
        # All threads compute a value that changes their variables, and the first one assigns it.
        (f"double m = t; y[t] = roll(&m) + 1; PARALLEL | {LOOP} x[i] = m;", "FWR"),
        (f"double m = t; y[t] += x[0] * roll(&m); PARALLEL | {LOOP} x[i] = m;", "WFWR"),
        # A small structure that regions only read is in every thread.
        (f"struct {{ double at, left; }} q = {{1, 2}}; q.at += t; PARALLEL | {LOOP} y[i] = q.at + q.left;", "R"),
        # A pointer that came with the launch: every thread sets its own.
        (f"y = x + t * n; PARALLEL | {LOOP} y[i] = 1;", "R"),
        (f"y += t; y[0] = 2; PARALLEL | {LOOP} x[i] = y[0];", "FWR"),
        # A part of a complex number is a part of its variable.
        (f"double _Complex z = 1; __real__ z = t; PARALLEL | {LOOP} x[i] = __real__ z;", "R"),
        (f"double _Complex z = 1; PARALLEL | {LOOP} if (i == 3) __imag__ z = t; y[t] = __imag__ z;", "SFWRWF"),
        (f"double _Complex z = 1; double *p = &__real__ z; *p = t; PARALLEL | {LOOP} x[i] = __real__ z;", "SFFWR"),
        (f"y[t] = count(t); PARALLEL | {LOOP} x[i] = 1;", "FWR"),
        (f"double z = 1, *p = &_Generic(0, int: z); *p = t; PARALLEL | {LOOP} x[i] = z;", "SFFWR"),
        (f"double z = 1; _Generic(0, int: z) = t; PARALLEL | {LOOP} x[i] = z;", "R"),
        (f"PARALLEL num_threads(n) | {LOOP} x[i] = 1;", "R"),
        (f"PARALLEL num_threads(1) | {LOOP} x[i + 1] = x[i];", "R"),
        (f"PARALLEL if(n > 4) | {LOOP} x[i + 1] = x[i];", "R"),
        (f"static int calls = 0; PARALLEL | {LOOP} x[i] = calls;", "R"),
        (f"static int calls = 0; calls += 1; PARALLEL | {LOOP} x[i] = calls;", "FWR"),
        (f"double _Complex z[64]; __imag__ z[1] = t; PARALLEL | {LOOP} x[i] = __imag__ z[i];", "SFWR"),
        # Functions read what the lengths of their arrays say.
        (f"y[t] = 2; double m = size_of(&y[t]); PARALLEL | {LOOP} x[i] = m;", "FWWR"),
        (f"y[t] = size_of_next(&y[t]); PARALLEL | {LOOP} x[i] = y[t];", "FWR"),
        # An array that a pointer leads to is the team's.
        (f"double a[3] = {{1}}, *p = a; p[0] = t; PARALLEL | {LOOP} x[i] = 1; y[t] = a[0];", "SFFWRWF"),
    ],
)  # fmt: skip
def test_steps(tmp_path: Path, body: str, expected: str) -> None:
    request = unit(tmp_path, body)
    assert said(request).startswith("spmd: all threads"), said(request)
    assert shape(request) == expected
    text = lower_text(request).device
    for old in ("rex_parallel(", "REX_REGION {", "rex_team_begin", "rex_team_end"):
        assert old not in text


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (f"double *p = (double *)&t; PARALLEL | {LOOP} x[i] = t; y[t] = *p;", "address of 't' is taken"),
        (f"double m = 1; y[t] = 1; swap(&m, &y[t]); PARALLEL | {LOOP} x[i] = m;", "a variable of its thread and memory"),
        (f"int i = 0; y[i++] = t; PARALLEL | {LOOP} x[i] = 1;", "a variable of its thread and memory"),
        (f"double m = say(t); PARALLEL | {LOOP} x[i] = m;", "'say' may have side effects"),
        (f"double (*sqrt)(double) = count; double m = sqrt(t); PARALLEL | {LOOP} x[i] = m;", "a call by address"),
        (f'printf("%d", t); PARALLEL | {LOOP} x[i] = 1;', "'printf' may have side effects"),
        (f"y[t] = omp_get_thread_num(); PARALLEL | {LOOP} x[i] = 1;", "'omp_get_thread_num' asks which thread runs it"),
        (f"int m = v[t]; PARALLEL | {LOOP} x[i] = m;", "volatile"),
        (f"struct reading q = *(struct reading *)&v[t]; PARALLEL | {LOOP} x[i] = 1;", "volatile"),
        (f"double m = size_of_next(y); PARALLEL | {LOOP} x[i] = m;", "changes memory that others see"),
        (f"double m = size_of_last(y); PARALLEL | {LOOP} x[i] = m;", "changes memory that others see"),
        (f"double *p = y; typedef int row[(int)++p[0]]; PARALLEL | {LOOP} x[i] = 1;", "variable size"),
        (f"PARALLEL num_threads(7) | {LOOP} x[i] = omp_get_thread_num(); PARALLEL | {LOOP} x[i] = 1;", "its own size"),
        (f"\n#pragma omp parallel num_threads(7)\nx[0] = 1; PARALLEL | {LOOP} x[i] = t;", "its own size"),
        (f"double k;\n#pragma omp atomic capture\nk = y[0]++;\nPARALLEL | {LOOP} x[i] = k;", "'atomic' outside"),
        (f"double m = seen(y); PARALLEL | {LOOP} x[i] = m;", "'seen' asks which thread runs it"),
        (f"while (seen_twice(y) < 3) {{ PARALLEL | {LOOP} x[i] = 1; }}", "'seen_twice' asks which thread runs it"),
        (f"PARALLEL reduction(+: y[0:4]) | {LOOP} y[i % 4] += 1;", "starts with a value of its team's own"),
        (f"PARALLEL | {LOOP} {{ PARALLEL | for (int j = 0; j < n; ++j) x[j] = i; }}", "inside a parallel region"),
        (f"double a[6100]; PARALLEL | {LOOP} a[i] = x[i]; PARALLEL | {LOOP} y[i] = a[n - 1 - i];", "too large"),
        (f"double a[5900], s = 0; PARALLEL reduction(+: s) | {LOOP} s += a[i] = x[i]; y[t] = s + a[n - 1];", "too large"),
        (f"again: PARALLEL | {LOOP} x[i] = 1; if (x[t] > 2) goto again;", "jumps"),
        (f"while (x[t] < 3) {{ if (t) continue; PARALLEL | {LOOP} x[i] += 1; }}", "end early"),
    ],
)  # fmt: skip
def test_what_keeps_the_hand_over(tmp_path: Path, body: str, why: str) -> None:
    request = unit(tmp_path, body)
    assert said(request).startswith("spmd: no, ")
    assert why in said(request)
    text = lower_text(request).device
    assert "rex_team_begin()" in text
    assert "REX_TEAM_REGION" not in text


@pytest.mark.parametrize(
    ("construct", "covered"),
    [
        (DISTRIBUTE, True),
        (
            "#pragma omp target teams distribute collapse(2)\nfor (int t = 0; t < n; ++t) for (int u = 0; u < 3; ++u)",
            True,
        ),
        ("int s = 0;\n#pragma omp target teams distribute reduction(+: s)\nfor (int t = 0; t < n; ++t)", False),
        ("#pragma omp target teams distribute\nfor (int t = 0; t < v[0]; ++t)", False),
        ("#pragma omp target teams\n", False),
    ],
)
def test_teams_with_one_iteration_each(tmp_path: Path, construct: str, covered: bool) -> None:
    """A second kernel has no loop of teams, and the host launches it where the grid has a team for each iteration."""
    request = unit(tmp_path, f"static const int w[2] = {{2, 3}}; PARALLEL | {LOOP} x[i] = w[i % 2];", construct)
    assert said(request).startswith("spmd: all")
    lowered = lower_text(request)
    assert lowered.device.count("REX_TEAM_ONCE") == covered
    assert ("REX_TEAM_LOOP" in lowered.device) == (construct[-1] != "\n")
    assert ("rex_covers(_num_blocks_, 1, __rex_tripcount)" in lowered.host) == covered
    off = LowerRequest(source=request.source, out_dir=tmp_path, no_opt=("once",))
    assert "REX_TEAM_ONCE" not in lower_text(off).device


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        # What no iteration does for another: all wait once, before the loop.
        ("for (int s = 0; s < 4; ++s) m += x[s];", "WL"),
        ("for (int s = 0; s < 4; ++s) { if (s == 2) continue; for (int r = 0; r < s; ++r) m += x[r]; }", "WLL"),
        ("for (int s = 0; s < 4; ++s) x[s] = s;", "WLF"),
        ("for (int s = 0; s < x[0]; ++s) m += s;", "WL"),
        ("for (int s = 0; s < 4; ++s) m += s;", "L"),
        # What one iteration reads, another has written.
        ("for (int s = 0; s < 4; ++s) { m += x[s]; x[s + 1] = m; }", "LWWF"),
        ("for (int s = 0; s < 4; ++s) { for (int r = 0; r < s; ++r) m += x[r]; x[s + 1] = m; }", "LWLWF"),
    ],
)
def test_waits_of_loops(tmp_path: Path, loop: str, expected: str) -> None:
    request = unit(tmp_path, f"double m = 0; PARALLEL | {LOOP} x[i] = t; {loop} PARALLEL | {LOOP} y[i] = m;")
    assert said(request).startswith("spmd: all threads"), said(request)
    text = lower_text(request).device.split("REX_TEAM_REGION")[1]
    marks = {"rex_team_wait": "W", "rex_team_first": "F", "for (int s": "L", "for (int r": "L"}
    found = "".join(marks[m] for m in re.findall("|".join(map(re.escape, marks)), text))
    assert found == expected + "W"  # and one before the region that follows


@pytest.mark.parametrize(
    ("clauses", "said_of_it"),
    [("", "all threads"), (" dist_schedule(static, 3)", "deals out chunks"), (" private(k)", "private copies")],
)
def test_loops_that_teams_share_inside(tmp_path: Path, clauses: str, said_of_it: str) -> None:
    head = f"\n#pragma omp distribute{clauses}\nfor (int t = 0; t < n; ++t)"
    body = f"int k; double a[64]; {head} {{ k = t; PARALLEL | {LOOP} a[i] = k; PARALLEL | {LOOP} x[i] = a[n - 1 - i]; }}"
    request = unit(tmp_path, body, "#pragma omp target teams map(tofrom: x[0:n])\n")
    assert said_of_it in said(request)
    if not clauses:
        assert shape(request) == "SRWR"
        assert "REX_TEAM_LOOP" in lower_text(request).device


def test_the_size_of_a_team_is_known_where_it_is_constant(tmp_path: Path) -> None:
    body = f"double s = 0; PARALLEL reduction(+: s) | {LOOP} s += x[i]; y[t] = s;"
    assert "REX_TEAM_EXACTLY" not in lower_text(unit(tmp_path, body)).device
    limited = DISTRIBUTE.replace(" map", " thread_limit(64) map", 1)
    assert "REX_TEAM_EXACTLY(64)" in lower_text(unit(tmp_path, body, limited)).device
    limited = DISTRIBUTE.replace(" map", " thread_limit(n) map", 1)
    assert "REX_TEAM_EXACTLY" not in lower_text(unit(tmp_path, body, limited)).device


@pytest.mark.parametrize(("then", "reason"), [("x[i]", "threads wait in between"), ("x[i + 1]", "nothing is gained"), ("1", "nothing is gained")])
def test_what_is_read_again_after_a_barrier(tmp_path: Path, then: str, reason: str) -> None:
    """Other threads may have written it in the meantime, unless its memory overlaps nothing."""
    body = f"double s = 0; PARALLEL reduction(+: s) | {LOOP} s += x[i] + {then}; y[t] = s;"
    assert reason in transformations(unit(tmp_path, body))["noalias"]


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    ("combiner", "member", "expected"),
    [
        ("omp_out.v += omp_in.v", "double v", "all threads"),
        ("join(&omp_out, &omp_in)", "double v", "all threads"),
        ("asking(&omp_out, &omp_in)", "double v", "'s' is not into a team's own variable"),
        ("joined(&omp_out, &omp_in)", "double v", "'s' is not into a team's own variable"),
        ("omp_out.v += omp_in.v + omp_get_thread_num()", "double v", "'s' is not into a team's own variable"),
        ("omp_out.v += omp_in.v", "double *p, v", "'s' is not into a team's own variable"),
        ("omp_out.v += omp_in.v", "double v, w[9]", "'s' is not into a team's own variable"),
    ],
)
def test_declared_reductions(tmp_path: Path, combiner: str, member: str, expected: str, suffix: str) -> None:
    """All threads get what one of them has combined, as bytes; what combines may not tell who runs it."""
    source = tmp_path / f"unit{suffix}"
    source.write_text(
        f"""#include <omp.h>
struct sum {{ {member}; }};
static void join(struct sum *a, const struct sum *b) {{ a->v += b->v; }}
static void asking(struct sum *a, const struct sum *b) {{ a->v += b->v * (omp_get_num_threads() > 0); }}
static void joined(struct sum *a, const struct sum *b) {{ asking(a, b); }}
#pragma omp declare reduction(sum : struct sum : {combiner}) initializer(omp_priv = {{0}})
void f(int n, double *x)
{{
#pragma omp target teams distribute map(tofrom: x[0:n * n])
    for (int t = 0; t < n; ++t) {{
        struct sum s = {{0}};
#pragma omp parallel for reduction(sum : s)
        {LOOP} s.v += x[t * n + i];
        x[t * n] = s.v;
    }}
}}
"""
    )
    request = LowerRequest(source=source, out_dir=tmp_path)
    assert expected in said(request)
    assert (shape(request) == "R+F") == ("all" in expected)


def test_switched_off(tmp_path: Path) -> None:
    request = unit(tmp_path, f"PARALLEL | {LOOP} x[i] = 1;")
    off = LowerRequest(source=request.source, out_dir=tmp_path, no_opt=("spmd",))
    assert said(off) == "spmd: no, switched off"
    assert "REX_TEAM_REGION" not in lower_text(off).device


def test_regions_count_in_32_bits_where_that_is_enough(tmp_path: Path) -> None:
    assert "REX_REGION_LOOP_32" in lower_text(unit(tmp_path, f"PARALLEL | {LOOP} x[i] = 1;")).device
    for loop in (
        "for (int i = -n; i < n; ++i)",
        "for (unsigned i = 0; i < 3000000000u; ++i)",
        "for (long i = 0; i < n; ++i)",
    ):
        text = lower_text(unit(tmp_path, f"PARALLEL | {loop} x[0] = 1;")).device
        assert "REX_REGION_LOOP(" in text


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    ("body", "begins"),
    [
        ("x[omp_get_team_num()] += omp_get_thread_num();", "REX_TEAM_TOGETHER REX_TEAM_QUERIES REX_TEAM_REGION"),
        ("{\n#pragma omp barrier\n}", "REX_TEAM_TOGETHER REX_TEAM_REGION"),
        ("waiting();", "REX_TEAM_QUERIES REX_TEAM_TOGETHER REX_TEAM_REGION"),
        ("{\n#pragma omp parallel\n{ x[0] = 1; }\n}", ""),
    ],
)
def test_a_kernel_that_is_a_parallel_region(tmp_path: Path, body: str, begins: str, suffix: str) -> None:
    """Its threads do not ask the device library's state who they are, and functions that only they call do neither."""
    source = tmp_path / f"unit{suffix}"
    waiting = "\nvoid waiting(void)\n{\n#pragma omp barrier\n}\n"
    construct = "#pragma omp target teams map(tofrom: x[0:n])\n#pragma omp parallel\n"
    source.write_text(f"#include <omp.h>{waiting}void f(int n, double *x)\n{{\n{construct}{body}\n}}\n")
    text = lower_text(LowerRequest(source=source, out_dir=tmp_path)).device
    assert " ".join(re.findall(r"REX_TEAM_[A-Z_]+\b", text)) == begins


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    ("declared", "body", "more"),
    [
        ("", "x[0] = asking();\n#pragma omp parallel\nx[omp_get_thread_num()] = asking();", ""),
        ("", "#pragma omp parallel\nx[0] = asking();", "#pragma omp target map(tofrom: x[0:n])\nx[0] = asking();"),
        ("", "#pragma omp parallel\nx[0] = asking();", "#pragma omp target map(tofrom: x[0:n])\nx[0] = outer();"),
        ("", "x[1] = 2;\n#pragma omp parallel num_threads((int)x[1])\nx[0] = asking();", ""),
        ("", "#pragma omp parallel\nx[0] = apart();", ""),
        ("static int (*which)(void) = asking;", "#pragma omp parallel\nx[0] = which();", ""),
    ],
)
def test_functions_that_others_may_call_ask_for_their_caller(
    tmp_path: Path, declared: str, body: str, more: str, suffix: str
) -> None:
    """One text of a function serves all its callers, so it looks at its thread only if it is one of a whole team."""
    source = tmp_path / f"unit{suffix}"
    functions = "static int asking(void) { return omp_get_thread_num(); }\nstatic int outer(void) { return asking(); }\n"
    functions += "static int apart(void)\n{\nint found = 0;\n#pragma omp parallel\nfound = asking();\nreturn found;\n}\n"
    declared = f"#pragma omp begin declare target\n{declared}\n#pragma omp end declare target\n" if declared else ""
    construct = "#pragma omp target teams map(tofrom: x[0:n])\n"
    source.write_text(
        f"#include <omp.h>\n{functions}{declared}void f(int n, double *x)\n{{\n{construct}{{\n{body}\n}}\n{more}\n}}\n"
    )
    try:
        text = lower_text(LowerRequest(source=source, out_dir=tmp_path)).device
    except InputError:
        assert "which" in declared  # calls by address are refused in some forms
        return
    asking = text[text.index("asking(") :]
    assert "REX_TEAM_QUERIES" not in asking[: asking.index("}")]
    assert not more or "REX_TEAM_TOGETHER_STATE" in text


@pytest.mark.parametrize(("trips", "limit", "rolled"), [(200, 64, False), (200, 0, True), (50, 64, False)])
def test_loops_whose_turns_are_known_may_be_unrolled(tmp_path: Path, trips: int, limit: int, rolled: bool) -> None:
    """Only where a thread perhaps runs one iteration, the loop of a parallel region must stay one."""
    source = tmp_path / "turns.c"
    clause = f"thread_limit({limit})" if limit else ""
    source.write_text(f"""void f(int n, float *x) {{
#pragma omp target teams distribute {clause} map(tofrom: x[0:n * {trips}])
for (int t = 0; t < n; t++)
#pragma omp parallel for
    for (int i = 0; i < {trips}; i++) x[t * {trips} + i] *= 2;
}}""")
    request = LowerRequest(source=source, out_dir=tmp_path)
    assert said(request).startswith("spmd: all threads"), said(request)
    assert ("REX_ONE_ITERATION" in lower_text(request).device) == rolled


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
@pytest.mark.parametrize(
    ("value", "many"),
    [
        ("x[t * n + i]", True),
        ("p[i]", True),  # a pointer of the region's own
        ("table[i % 64] + x[t * n + i]", True),
        ("table[i % 64]", False),  # the team's memory
        ("i * t", False),
    ],
)
def test_loads_from_outside_of_the_team_are_on_their_way_together(
    tmp_path: Path, suffix: str, value: str, many: bool
) -> None:
    source = tmp_path / f"rows{suffix}"
    source.write_text(f"""void f(int n, float *x, float *y) {{
#pragma omp target teams distribute map(tofrom: x[0:n * n], y[0:n])
for (int t = 0; t < n; t++) {{
    float table[64], sum = 0;
    float *p = x + t * n;
#pragma omp parallel for
    for (int k = 0; k < 64; k++) table[k] = k;
#pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < n; i++) sum += {value};
    y[t] = sum + table[3] + p[0];
}}
}}""")
    request = LowerRequest(source=source, out_dir=tmp_path)
    assert said(request).startswith("spmd: all threads"), said(request)
    assert ("REX_REGION_BATCHES" in lower_text(request).device) == many
