"""Runs: which regions are launched without a wait in between, and where the host waits for them."""

# ruff: noqa: E501 - C statements on one line each

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

HEAD = """
double sqrt(double);
void other(void);
volatile int gate;
_Complex double wide;
int sums[3];
#pragma omp declare reduction(own: int: omp_out += omp_in)
_Atomic int counter;
int plain;
struct S { int n; double *x; } held;
static double twice(double v) { return 2 * v; }
static double guarded(double v) { return gate ? v : 2 * twice(v); }
static double table[3] = {1, 2, 3};
#pragma omp declare target
double on_device;
#pragma omp end declare target
"""
PRAGMA = "#pragma omp target teams distribute parallel for"
ADD = f"\n{PRAGMA} map(tofrom: x[0:n]) map(to: y[0:n])\nfor (int i = 0; i < n; ++i) x[i] += y[i];\n"


def host(tmp_path: Path, body: str, before: str = "", no_opt: tuple[str, ...] = ()) -> str:
    source = tmp_path / "unit.c"
    source.write_text(
        f"{HEAD}{before}\nint f(int n, int steps, double *x, double *y, double *z)\n{{\n    int k = 0;\n{body}\n    return k;\n}}\n"
    )
    return lower_text(LowerRequest(source=source, out_dir=tmp_path, no_opt=no_opt)).host


def counts(text: str) -> tuple[int, int, int]:
    """(launches in runs, launches that are waited for, waits)"""
    launches, in_runs = text.count("__tgt_target_kernel("), text.count("rex_launched_in_order(")
    return in_runs, launches - in_runs, text.count("rex_wait_for_launches()")


def loop(inside: str) -> str:
    return f"for (int s = 0; s < steps; ++s) {{{inside}}}"


COUNT = f"\n{PRAGMA} map(to: x[0:n]) reduction(+: k)\nfor (int i = 0; i < n; ++i) k += x[i] > 0;\n"
FLAG = f"\n{PRAGMA} map(to: x[0:n]) map(tofrom: k)\nfor (int i = 0; i < n; ++i) if (x[i] > 0) k = 1;\n"
ATOMIC = f"\n{PRAGMA} map(to: x[0:n]) map(tofrom: z[0:9])\nfor (int i = 0; i < n; ++i) {{\n#pragma omp atomic\nz[i % 9] += x[i];\n}}\n"
RUNS = [
    (ADD + ATOMIC + ADD, (3, 0, 1)),
    (loop(ATOMIC.replace("atomic", "atomic seq_cst update")), (1, 0, 1)),
    (COUNT, (1, 0, 1)),
    (FLAG, (1, 0, 1)),
    (ADD + COUNT + "if (k > 3) z[0] = k;" + ADD, (3, 0, 1)),
    ("do {" + ADD + "k = 0;" + FLAG + "} while (k);", (2, 0, 1)),
    (ADD, (0, 1, 0)),
    (FLAG.replace("tofrom", "to"), (0, 1, 0)),
    (ADD + ADD, (2, 0, 1)),
    (loop(ADD), (1, 0, 1)),
    (loop(ADD + "double *t = x; x = y; y = t;"), (1, 0, 1)),
    (ADD + loop(ADD + loop(ADD) + "k += s;") + ADD, (4, 0, 1)),
    (loop(ADD + "if (k & 1) {" + ADD + "} else k = 3; if (s > 5) break; if (s > 3) continue;" + ADD), (3, 0, 1)),
    ("while (k < 3) {" + ADD + "k++; }", (1, 0, 1)),
    ("do {" + ADD + "z[k] = y[0] + held.n; } while (++k < 3);", (1, 0, 1)),
    (ADD + "k = plain; plain = 2;" + ADD, (2, 0, 1)),
    (ADD + ADD + "other();" + ADD + ADD, (4, 0, 2)),
    ("if (gate)\n" + loop(ADD) + "\nelse\n" + loop(ADD), (2, 0, 2)),
    ("#pragma omp target data map(tofrom: x[0:n], y[0:n])\n" + loop(ADD), (1, 0, 1)),
    ("#pragma omp parallel\n{" + ADD + ADD + "}", (2, 0, 1)),
    (ADD + ADD + "if (k) return 1;" + ADD, (2, 1, 1)),
    ("k = 2;" + ADD + ADD + "k = 3;", (2, 0, 1)),
    (ADD + "k = (int)sqrt(k);" + ADD, (2, 0, 1)),
    (ADD + "k = (int)twice(k);" + ADD, (2, 0, 1)),
]


@pytest.mark.parametrize(("body", "expected"), RUNS)
def test_runs(tmp_path: Path, body: str, expected: tuple[int, int, int]) -> None:
    assert counts(host(tmp_path, body)) == expected


BETWEEN = [
    "other();",
    "k = (int)guarded(k);",
    "k = gate;",
    "gate = 1;",
    "k = counter;",
    "counter += 1;",
    "k = __atomic_load_n(&plain, 5);",
    "*(volatile int *)&plain = 1;",
    '__asm__ volatile("nop");',
    '__asm__ volatile("" ::: "memory");',
    "if (k) return 2;",
    "if (k) goto out; out:",
    "out: k++;",
    "switch (k) { case 1: k = 2; }",
    "#pragma omp barrier\n",
    "#pragma omp atomic\nplain += 1;",
    "#pragma omp flush\n",
    "#pragma omp taskwait\n",
    "#pragma omp target update from(x[0:n])\n",
    "#pragma omp target enter data map(to: z[0:n])\n",
    f"{PRAGMA} map(to: x[0:n]) reduction(+: wide)\nfor (int i = 0; i < n; ++i) wide += x[i] > 0;",
    f"{PRAGMA} map(to: x[0:n]) reduction(+: sums[0:3])\nfor (int i = 0; i < n; ++i) sums[i % 3] += x[i] > 0;",
    f"{PRAGMA} map(to: x[0:n]) reduction(own: k)\nfor (int i = 0; i < n; ++i) k += x[i] > 0;",
    f"{PRAGMA} map(tofrom: x[0:n]) if(k)\nfor (int i = 0; i < n; ++i) x[i] += 1;",
    f"{PRAGMA} map(tofrom: x[0:n]) nowait\nfor (int i = 0; i < n; ++i) x[i] += 1;",
    f"{PRAGMA} map(tofrom: x[0:n]) device(0)\nfor (int i = 0; i < n; ++i) x[i] += 1;",
    f"{PRAGMA} map(always, tofrom: x[0:n])\nfor (int i = 0; i < n; ++i) x[i] += 1;",
    f"{PRAGMA} is_device_ptr(x)\nfor (int i = 0; i < n; ++i) x[i] += 1;",
    f"{PRAGMA} map(tofrom: x[0:n])\nfor (int i = 0; i < n; ++i) x[i] += on_device;",
    f"{PRAGMA} map(tofrom: x[0:n])\nfor (int i = 0; i < n; ++i) x[i] += __builtin_omp_get_team_num();".replace(
        "__builtin_omp_get_team_num()", "twice(x[i]) + (x[i] > 3 ? (__builtin_trap(), 1) : 0)"
    ),
    f"{PRAGMA} map(tofrom: held)\nfor (int i = 0; i < n; ++i) held.x[i] = 1;",
    "#pragma omp target map(tofrom: x[0:n])\n{\nfor (int i = 0; i < n; ++i) x[i] += 1;\n}",
    ATOMIC.replace("atomic", "critical"),  # it has a lock in the image
]


def test_what_may_tell_the_time_is_waited_for(tmp_path: Path) -> None:
    """One region on either side of it is no run."""
    head = "int g{}(int n, int steps, double *x, double *y, double *z)\n{{\n    int k = 0;\n{}\n    return k;\n}}\n"
    functions = [head.format(number, ADD + between + ADD) for number, between in enumerate(BETWEEN)]
    _, *texts = re.split(r"^int g\d+\(", host(tmp_path, "", "".join(functions)), flags=re.MULTILINE)
    waiting = {between: counts(text)[::2] for between, text in zip(BETWEEN, texts, strict=True)}
    assert waiting == dict.fromkeys(BETWEEN, (0, 0))
    assert all(text.count("__tgt_target_kernel(") >= 2 for text in texts)


@pytest.mark.parametrize("between", BETWEEN[:6])
def test_a_loop_around_it_is_no_run(tmp_path: Path, between: str) -> None:
    assert counts(host(tmp_path, loop(ADD + between)))[0] == 0
    assert counts(host(tmp_path, loop(ADD + ADD + between))) == (2, 0, 1), "the wait is in the loop"


def test_functions_that_compute_are_called(tmp_path: Path) -> None:
    body = f"\n{PRAGMA} map(tofrom: x[0:n])\nfor (int i = 0; i < n; ++i) x[i] = sqrt(twice(x[i]));\n"
    assert counts(host(tmp_path, loop(body))) == (1, 0, 1)


def test_the_wait_follows_the_loop(tmp_path: Path) -> None:
    text = host(tmp_path, f"{loop(ADD)}\n    k = (int)x[0];")
    after = text.split("rex_launched_in_order(", 1)[1]
    assert re.search(r"rex_wait_for_launches\(\);\s*\}\s*(#line[^\n]*\s*)?k = \(int\)x\[0\];", after)


SUM = f"\n{PRAGMA} map(to: x[0:n]) reduction(+: {{}})\nfor (int i = 0; i < n; ++i) {{}} += x[i] > 0;\n"


@pytest.mark.parametrize(
    ("name", "around", "is_own"),
    [
        ("k", "SUM", True),
        ("k", "#pragma omp target data map(tofrom: x[0:n])\n{ SUM }", True),
        ("k", "SUM\n#pragma omp parallel\n{ steps = 3; }", True),
        ("k", f"SUM {ADD} k++;", True),
        ("plain", "SUM", False),
        ("own", "static int own; SUM", False),
        ("k", "int *p = &k; SUM", False),
        ("k", "SUM\nother_one(&k);", False),
        ("k", "#pragma omp parallel\n{ SUM }", False),
        ("k", "#pragma omp parallel sections\n{\n#pragma omp section\n{ SUM } }", False),
        ("k", "SUM\n#pragma omp task shared(k)\n{ k++; }", False),
        ("k", "SUM\n#pragma omp target nowait map(tofrom: k)\n{ k++; }", False),
        ("k", "#pragma omp target update from(x[0:other_two(&k)])\nSUM", False),
        ("k", '__asm__ volatile("" : "+m"(k)); SUM', False),
    ],
)
def test_scalars_that_no_other_thread_reaches(tmp_path: Path, name: str, around: str, is_own: bool) -> None:
    """Bits of the last argument say which rows they have."""
    text = host(tmp_path, around.replace("SUM", SUM.format(name, name)), "void other_one(int *); int other_two(int *);")
    masks = [int(mask, 16) for mask in re.findall(r"rex_launched_in_order\([^)]*, (0x[0-9a-f]+)\)", text)]
    assert "__tgt_target_kernel(" in text
    assert any(masks) == is_own
    if is_own:
        row = text.split("void *__args_base[] = {")[1].split("};")[0].split(f"&{name},")[0].count(",")
        assert masks[0] == 1 << row


def test_unified_shared_memory_is_waited_for(tmp_path: Path) -> None:
    assert counts(host(tmp_path, ADD + ADD, "#pragma omp requires unified_shared_memory")) == (0, 2, 0)


def test_switched_off(tmp_path: Path) -> None:
    assert counts(host(tmp_path, ADD + ADD, no_opt=("inorder",))) == (0, 2, 0)


@pytest.mark.parametrize(
    "declaration",
    [
        "struct point { int x, y; } p = {5, 6};",
        "typedef struct { double v[2]; } pair; pair p = {{1, 2}};",
        "int p = sizeof(struct q { int a; });",
        "for (struct { int a; } s = {0}; s.a < 2; s.a++) k += s.a; int p = 0;",
        "int g(int a, double (*b)[3]); int p = 0;",
        "union { int a; struct { char b, c; }; } p = {0};",
    ],
)
def test_declarations_of_types_and_functions_are_nothing_to_look_into(tmp_path: Path, declaration: str) -> None:
    text = host(tmp_path, f"    {declaration}\n    (void)sizeof p;{ADD}{ADD}")
    assert text.count("rex_wait_for_launches()") == 1


@pytest.mark.parametrize(
    "directive", ["parallel for", "parallel for collapse(2)", "for", "simd", "taskloop", "critical", "single"]
)
def test_loops_of_host_directives_stay_behind_them(tmp_path: Path, directive: str) -> None:
    loops = f"for (int s = 0; s < steps; ++s) for (int t = 0; t < steps; ++t) {{{ADD}{ADD}}}"
    text = host(tmp_path, f"#pragma omp {directive}\n    {loops}")
    found = re.search(rf"#pragma omp {re.escape(directive)}\n(#line[^\n]*\n|\s)*(\S)", text)
    assert found is not None
    assert found[2] == "f", "the loop follows, not a brace"


def test_blocks_of_host_directives_may_have_runs(tmp_path: Path) -> None:
    assert counts(host(tmp_path, f"#pragma omp parallel\n    {{{ADD}{ADD}}}")) == (2, 0, 1)


def test_sections_are_waited_for(tmp_path: Path) -> None:
    text = host(
        tmp_path, f"#pragma omp sections\n    {{{ADD}\n#pragma omp section\n{ADD}\n#pragma omp section\n{{{ADD}}}\n}}"
    )
    assert counts(text) == (0, 3, 0)


ADDING = f"static void add(int n, double *x, const double *y)\n{{{ADD}}}\n"
TWICE = (
    ADDING
    + "static inline void twice_added(int n, double *x, double *y)\n{\nadd(n, x, y);\nfor (int r = 0; r < 2; ++r) { add(n, y, x); }\n}\n"
)


NORM = f"static double norm(int n, const double *x)\n{{\ndouble sum = 0;{SUM.format('sum', 'sum')}return sum;\n}}\n"


def calling(text: str) -> tuple[int, int, int]:
    """(runs with calls, regions that are in their callers' runs, waits)"""
    assert text.count("rex_begin_run()") == text.count("rex_end_run()")
    return (
        text.count("rex_begin_run()"),
        text.count("rex_launched_in_callers_run("),
        text.count("rex_wait_for_launches()"),
    )


@pytest.mark.parametrize(
    ("before", "body", "expected"),
    [
        (ADDING, loop("add(n, x, y);"), (1, 1, 0)),
        (ADDING, loop("add(n, x, y); double *t = x; x = y; y = t; k += s;"), (1, 1, 0)),
        (ADDING, loop(ADD + "if (k & 1) add(n, x, y); else continue;"), (1, 1, 0)),
        (ADDING, "while (k < 3)\n    add(++k, x, y);", (1, 1, 0)),
        (TWICE, loop("twice_added(n, x, y);"), (2, 1, 0)),  # the function has a run with calls itself
        (ADDING.replace(ADD, ADD + ADD), loop("add(n, x, y);"), (1, 0, 1)),  # the function has a run
        (ADDING, "add(n, x, y); add(n, y, x);", (1, 1, 0)),
        (ADDING, "add(n, x, y); k = 3; other(); add(n, y, x);", (0, 0, 0)),
        (ADDING, "add(n, x, y); other(); add(n, x, y); add(n, y, x);", (1, 1, 0)),
        (ADDING, "if (k) { add(n, x, y); add(n, y, x); } else\n add(n, y, x);", (1, 1, 0)),
        (ADDING, ADD + "add(n, y, x);", (1, 1, 0)),
        (NORM, "double a = norm(n, x), b = norm(n, y);", (0, 0, 1)),  # nothing may stand in front of declarations
        (NORM, "(norm(n, x)) ? k++ : 0; (void)norm(n, y), k++; (k) = norm(n, x) > 1;", (0, 0, 1)),
        (NORM + ADDING, "add(n, x, y); double a = norm(n, x); z[0] = a; k = norm(n, y) > a; add(n, y, x);", (1, 1, 1)),
        (ADDING, loop("other(); " + loop("add(n, x, y);")), (1, 1, 0)),
        (ADDING, "#pragma omp parallel\n{\n" + loop("add(n, x, y);") + "}", (1, 1, 0)),
        (ADDING.replace("static", ""), loop("add(n, x, y);"), (1, 1, 0)),
        (ADDING.replace("static", "__attribute__((weak))"), loop("add(n, x, y);"), (0, 0, 0)),
        (ADDING.replace("static", "inline"), loop("add(n, x, y);"), (0, 0, 0)),
        (ADDING, loop("add(n, x, y); other();"), (0, 0, 0)),
        (ADDING, loop("add(gate, x, y);"), (0, 0, 0)),
        (ADDING, loop("k += (add(n, x, y), 1);"), (1, 1, 0)),
        (NORM, loop("const double a = norm(n, x), b = a / norm(n, y); z[s] = b;"), (1, 0, 1)),
        (NORM, "while (norm(n, x) > 1) {" + ADD + "}", (1, 0, 1)),
        (NORM, loop(ADD + "if (sqrt(norm(n, x)) < 1) break;"), (1, 0, 1)),
        (NORM, "k = norm(n, x) > 1;", (0, 0, 1)),  # no loop, but the function's region alone is a run
        (
            ADDING + NORM.replace("return sum", "add(n, t, x); return sum").replace("*x)", "*x, double *t)"),
            loop("k += norm(n, x, y) > 1;"),
            (2, 1, 0),
        ),
        (NORM.replace("return sum", "if (sum > 3) return 3; return sum"), loop("k += norm(n, x) > 1;"), (0, 0, 1)),
        (NORM.replace("return sum", "return sum + gate"), loop("k += norm(n, x) > 1;"), (0, 0, 1)),
        (NORM, loop("k += norm(n, x) > gate;"), (0, 0, 1)),
        (NORM, loop("k += norm(gate, x) > 1;"), (0, 0, 1)),
        (ADDING, "void (*g)(int, double *, const double *) = add;" + loop("g(n, x, y);"), (0, 0, 0)),
        (ADDING.replace("int n,", "volatile int n,"), loop("add(n, x, y);"), (0, 0, 0)),
        (ADDING.replace(ADD, ADD + "other();"), loop("add(n, x, y);"), (0, 0, 0)),
        (ADDING.replace(ADD, ADD + "gate = 1;"), loop("add(n, x, y);"), (0, 0, 0)),
        (ADDING.replace(ADD, "if (n < 3) return;" + ADD), loop("add(n, x, y);"), (0, 0, 0)),
        (ADDING.replace(ADD, ADD + '__asm__ volatile("nop");'), loop("add(n, x, y);"), (0, 0, 0)),
        (ADDING.replace(ADD, ADD + "if (n > 3) add(n - 1, x, y);"), loop("add(n, x, y);"), (0, 0, 0)),
        (ADDING.replace(ADD, ADD + "\n#pragma omp target update from(x[0:n])\n"), loop("add(n, x, y);"), (0, 0, 0)),
        (ADDING.replace(ADD, ADD.replace("map(to: y", "device(0) map(to: y")), loop("add(n, x, y);"), (0, 0, 0)),
    ],
)
def test_loops_with_calls_are_runs(tmp_path: Path, before: str, body: str, expected: tuple[int, int, int]) -> None:
    assert calling(host(tmp_path, body, before)) == expected


def test_functions_that_another_library_may_replace(tmp_path: Path) -> None:
    """Then the loop is a run in programs only, and its own regions are launched as those of the function."""
    text = host(tmp_path, loop(ADD + "add(n, x, y);"), ADDING.replace("static", ""))
    assert "REX_UNLESS_SHARED(rex_begin_run());" in text
    assert "REX_UNLESS_SHARED(rex_end_run());" in text
    assert (calling(text)[1], text.count("rex_launched_in_order(")) == (2, 0)
    within = host(tmp_path, loop("twice_added(n, x, y);"), TWICE.replace("static void add", "void add"))
    assert within.count("REX_UNLESS_SHARED(rex_begin_run());") == 2, "functions that static functions call count"


def test_runs_with_calls_can_be_left_out(tmp_path: Path) -> None:
    assert calling(host(tmp_path, loop("add(n, x, y);"), ADDING, no_opt=("inorder",))) == (0, 0, 0)
