"""Parallel regions in functions are for all threads of a team where only its sequential part calls the functions."""

import json
from pathlib import Path

import pytest
from execution import UNCACHED, rex_build

_UNIT = """
static void raise(int *to, int by) {
#pragma omp parallel for
    for (int i = 0; i < 90; i++) to[i] += by;
}
static void refers(int &to) {
#pragma omp parallel for reduction(+: to)
    for (int i = 0; i < 90; i++) to += i;
}
static void again(int *to, int depth) {
    raise(to, depth);
    if (depth > 0) again(to, depth - 1);
}
static void between(int *to) { int own[90] = {}; raise(own, 1); to[0] = own[89]; }
typedef void (*Action)(int *, int);
template <class T> struct Box { T *to; void run(T by) { raise(to, by); } };
void use(int *a, int n) {
#pragma omp target map(tofrom: a[0:90])
    { %s }
%s
}
"""

_TEAM = {
    "a function": "raise(a, 1);",
    "in a loop": "for (int i = 0; i < 3; i++) raise(a, i);",
    "below another one": "between(a);",
    "a method of a template": "Box<int> box{a}; box.run(2);",
}
_ONE_THREAD = {
    "with a reference": "refers(a[0]);",
    "recursive": "again(a, 3);",
    "by its address": "Action f = raise; f(a, 1);",
    "in a lambda": "auto f = [](int *to) { raise(to, 1); }; f(a);",
    "nothing parallel": "a[0] = n;",
}


def _teams(tmp_path: Path, statement: str, beside: str = "") -> int:
    source = tmp_path / "unit.cpp"
    source.write_text(_UNIT % (statement, beside))
    outcome = rex_build("explain", "--json", source, "--", "-O2", env=UNCACHED)
    assert outcome.status == 0, outcome.stderr
    return int(json.loads(outcome.stdout)["regions"][0]["launch"]["threads"])


@pytest.mark.parametrize("statement", _TEAM.values(), ids=_TEAM)
def test_all_threads(statement: str, tmp_path: Path) -> None:
    assert _teams(tmp_path, statement) > 1


@pytest.mark.parametrize("statement", _ONE_THREAD.values(), ids=_ONE_THREAD)
def test_one_thread(statement: str, tmp_path: Path) -> None:
    assert _teams(tmp_path, statement) == 1


@pytest.mark.parametrize("directive", ["target teams distribute parallel for", "target parallel for", "target simd"])
def test_another_caller(directive: str, tmp_path: Path) -> None:
    """The device text has the function once, and threads that call it alone have one thread in each region."""
    beside = f"#pragma omp {directive} map(tofrom: a[0:90])\n    for (int i = 0; i < n; i++) raise(a, i);"
    assert _teams(tmp_path, "raise(a, 1);", beside) == 1
    assert _teams(tmp_path, "raise(a, 1);", beside.replace("raise(a, i)", "a[i] += n")) > 1


def test_shared_closure(tmp_path: Path) -> None:
    source = tmp_path / "unit.cpp"
    statement = "auto f = [n](int *to) { raise(to, n); }; f(a);\n#pragma omp parallel\n raise(a, 0);"
    source.write_text(_UNIT % (statement, ""))
    outcome = rex_build("lower", source, "--out-dir", tmp_path, "--", "-O2", env=UNCACHED)
    assert outcome.status == 1
    assert "'f', a closure with captures that threads of a team share, is not supported" in outcome.stderr
