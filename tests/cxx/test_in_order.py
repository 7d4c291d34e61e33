"""Runs of regions in C++ units: what may stand between launches, and whose functions are known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

HEAD = """
#include <iostream>
#include <utility>
volatile int gate;
void other();
int opened();
static double twice(double v) { return 2 * v; }
inline double thrice(double v) { return 3 * v; }
double strong(double v) { return 4 * v; }
static int checked(int v) { if (v > 3) throw v; return v; }
template <typename T> T largest(T a, T b) { return a < b ? b : a; }
struct Plain { int n; double *x; int size() const { return n; } double &operator()(int i) const { return x[i]; } };
struct Loud { int n; ~Loud() { other(); } };
struct Quiet { int n; Quiet(int n_) : n(n_) {} ~Quiet() { n = 0; } };
struct Base { virtual int ask() const { return 1; } };
"""
PRAGMA = "#pragma omp target teams distribute parallel for"
ADD = f"\n{PRAGMA} map(tofrom: x[0:n]) map(to: y[0:n])\nfor (int i = 0; i < n; ++i) x[i] += y[i];\n"


def host(tmp_path: Path, body: str, before: str = "") -> str:
    source = tmp_path / "unit.cpp"
    source.write_text(f"{HEAD}{before}{function('f', body)}")
    return lower_text(LowerRequest(source=source, out_dir=tmp_path)).host


def function(name: str, body: str) -> str:
    parameters = "int n, int steps, double *x, double *y, const Plain &view, const Base &base"
    return f"\nint {name}({parameters})\n{{\n    int k = 0;\n{body}\n    return k;\n}}\n"


def hosts(tmp_path: Path, bodies: Sequence[str]) -> list[str]:
    """What becomes of functions of one unit with these bodies: reading the headers takes longer than all of them."""
    functions = "".join(function(f"g{number}", body) for number, body in enumerate(bodies))
    _, *texts = re.split(r"^int [fg]\d*\(", host(tmp_path, "", functions), flags=re.MULTILINE)
    return texts[:-1]


def loop(inside: str) -> str:
    return f"for (int s = 0; s < steps; ++s) {{{inside}}}"


COMPUTE = (
    "double *t = x; x = y; y = t;",
    "std::swap(x, y);",
    "k = (int)twice(k) + (int)thrice(k);",
    "k = largest(k, 3) + std::max(k, 4);",
    "k += view.size(); view(3) = k;",
    "Quiet q(3); k += q.n;",
    "int &r = k; r++;",
    f"{PRAGMA} map(tofrom: x[0:n])\nfor (int i = 0; i < n; ++i) {{\n#pragma omp atomic\nx[i % 7] += y[i];\n}}",
    "if (k > 3) continue;",
)


def test_host_code_that_only_computes_is_part_of_a_run(tmp_path: Path) -> None:
    texts = hosts(tmp_path, [loop(ADD + between) for between in COMPUTE])
    found = [(text.count("rex_launched_in_order("), text.count("rex_wait_for_launches()")) for text in texts]
    expected = {between: (1 + ("#pragma" in between), 1) for between in COMPUTE}
    assert dict(zip(COMPUTE, found, strict=True)) == expected


TELLS = (
    "other();",
    "k = (int)strong(k);",
    "k = checked(k);",
    "if (k > 3) throw 3;",
    "std::cout << k;",
    "Loud loud = {3};",
    "k = gate;",
    "static int first = opened(); k += first;",
    "thread_local int own = opened(); k += own;",
    "k += base.ask();",
    "delete[] new int[n];",
    "if (k > 3) return 3;",
    'asm volatile("nop");',
    "auto later = [&] { other(); }; later();",
    f"{PRAGMA} map(tofrom: x[0:n]) device(0)\nfor (int i = 0; i < n; ++i) x[i] += 1;",
    f"{PRAGMA} is_device_ptr(x)\nfor (int i = 0; i < n; ++i) x[i] += 1;",
)


@pytest.mark.parametrize("in_loop", [False, True])
def test_what_may_tell_the_time_is_waited_for(tmp_path: Path, in_loop: bool) -> None:
    texts = hosts(tmp_path, [loop(ADD + between) if in_loop else ADD + between + ADD for between in TELLS])
    assert all("__tgt_target_kernel(" in text for text in texts)
    assert [between for between, text in zip(TELLS, texts, strict=True) if "rex_launched_in_order(" in text] == []


_MANY = f"void all(int n, T *x, T *y) {{ {loop('one(n, x, y);')} }}"
_TEMPLATE = f"template <typename T> void add(int n, T *x, T *y) {{{ADD}}}"


@pytest.mark.parametrize(
    ("function", "call", "run"),
    [
        (f"static void add(int n, double *x, double *y) {{{ADD}}}", "add(n, x, y);", "    rex_begin_run();"),
        (f"namespace {{ void add(int n, double *x, double *y) {{{ADD}}} }}", "add(n, x, y);", "    rex_begin_run();"),
        (f"inline void add(int n, double *x, double *y) {{{ADD}}}", "add(n, x, y);", "    rex_begin_run();"),
        (f"void add(int n, double *x, double *y) {{{ADD}}}", "add(n, x, y);", "REX_UNLESS_SHARED(rex_begin_run());"),
        (
            f"struct A {{ void add(int n, double *x, double *y) {{{ADD}}} }};",
            "A().add(n, x, y);",
            "    rex_begin_run();",
        ),
        (f"static void add(int n, double *x, double *y) {{{ADD} other(); }}", "add(n, x, y);", ""),
        (_TEMPLATE, "add(n, x, y);", "    rex_begin_run();"),
        (_TEMPLATE, "add(n, x, y); add(n, (float *)x, (float *)y);", "    rex_begin_run();"),
        (
            f"template <class T> struct A {{ {_MANY} void one(int n, T *x, T *y) {{{ADD}}} int steps; }};",
            "A<double>().all(n, x, y);",
            "    rex_begin_run();",
        ),
    ],
)
def test_functions_with_regions_are_called_in_runs(tmp_path: Path, function: str, call: str, run: str) -> None:
    text = host(tmp_path, loop(call), function)
    assert text.count("rex_begin_run()") == text.count("rex_end_run()")
    assert ("rex_begin_run()" in text) == bool(run)
    assert run in text
    assert ("rex_launched_in_callers_run(" in text) == bool(run)


@pytest.mark.parametrize(
    ("between", "calls", "runs"),
    [
        ("", "all(n, steps, x, y);", True),
        ("", "all(n, steps, x, y); all(n, steps, (float *)x, (float *)y);", True),
        ("act(*x);", "all(n, steps, x, y);", True),
        ("act(*x);", "all(n, steps, x, y); all(n, steps, (float *)x, (float *)y);", False),  # one of them does more
        ("if constexpr (sizeof(T) == 4) other();", "all(n, steps, x, y);", True),
        ("if constexpr (sizeof(T) == 4) other();", "all(n, steps, (float *)x, (float *)y);", False),
    ],
)
def test_runs_in_templates(tmp_path: Path, between: str, calls: str, runs: bool) -> None:
    """All instantiations have the same runs. Whoever has the copy that the program takes waits at its end."""
    acts = "inline void act(double) {}\ninline void act(float) { other(); }"
    function = f"template <class T> void all(int n, int steps, T *x, T *y) {{ {loop(ADD + between)} }}"
    (tmp_path / "all.h").write_text(f"{acts}\n{function}\n")
    text = host(tmp_path, calls, '#include "all.h"\n')
    assert ("rex_launched_in_order(" in text) == ("rex_wait_for_launches()" in text) == runs


def test_inline_functions_of_headers_may_be_another_units(tmp_path: Path) -> None:
    """The linker may take the copy of a unit that was not lowered, which waits for nothing."""
    for function in (f"inline void add(int n, double *x, double *y)\n{{{ADD}}}", _TEMPLATE):
        (tmp_path / "add.h").write_text(f"{function}\n")
        text = host(tmp_path, loop("add(n, x, y);"), '#include "add.h"\n')
        assert "rex_begin_run()" not in text


def test_a_loop_stays_behind_its_pragma(tmp_path: Path) -> None:
    text = host(tmp_path, f"#pragma GCC ivdep\n{loop(ADD)}")
    assert "rex_launched_in_order(" not in text


def test_branches_that_are_decided_at_compile_time_keep_their_braces(tmp_path: Path) -> None:
    add = f"static void add(int n, double *x, double *y) {{{ADD}}}"
    text = host(tmp_path, "if constexpr (sizeof(int) == 4) { add(n, x, y); } add(n, y, x);", add)
    assert text.count("rex_begin_run()") == text.count("rex_end_run()") == 1
