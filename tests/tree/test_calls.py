"""What is said of functions that code calls: which of the memory that their parameters lead to they touch."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reading_c import read

from rex_build.tree.calls import Calls, Reach, UnknownError

TEXT = """
struct box { int *p; int n; struct box *next; };
static int total;
double sin(double);
int unknown(int);
int one(int x) { int y = x; y += 2; return y; }
double wave(double x) { return sin(x) + one(2); }
void set(int *p, int v) { *p = v; }
void both(int *p, int *q) { set(q + 2, *p); }
int chosen(int *p, int *q, int c) { int *r = c ? p : q; return r[1]; }
void local(int *p) { int x = 1, y[3] = {0}; set(&x, *p); both(&x, y); }
void keep(struct box *b, int *p) { b->p = p; }
void keep_in_own(int *p) { struct box b = {0}; keep(&b, p); *b.p = 3; }
void behind(struct box *b) { b->p[1] = b->next->n; }
int *moved(int *p) { int *q = p; ++q; return q; }
int through(int *p) { return *moved(p); }
void count(int n) { total += n; }
int watched(volatile int *p) { return *p; }
int asks(int x) { return unknown(x); }
int again(int n) { return n ? again(n - 1) : 0; }
long number(int *p) { return (long)p; }
int *from(long n) { return (int *)n; }
void escapes(int **q) { int x; *q = &x; }
int called(int (*f)(int)) { return f(1); }
"""
EXPECTED = {
    "one": Reach(),
    "wave": Reach(),
    "set": Reach(writes=frozenset((0,))),
    "both": Reach(frozenset((0,)), frozenset((1,))),
    "chosen": Reach(reads=frozenset((0, 1))),
    "local": Reach(reads=frozenset((0,))),
    "keep": Reach(writes=frozenset((0,)), stores=frozenset(((0, 1),))),
    "keep_in_own": Reach(writes=frozenset((0,))),
    "behind": Reach(frozenset((0, None)), frozenset((None,))),
    "moved": Reach(result=frozenset((0,))),
    "through": Reach(reads=frozenset((0,))),
    "count": Reach(frozenset((None,)), frozenset((None,))),
    "watched": Reach(reads=frozenset((0,)), ordered=True),
}
UNKNOWN = {
    "asks": "not in this unit",
    "again": "calls itself",
    "number": "made an integer",
    "from": "made from an integer",
    "escapes": "goes to memory",
    "called": "by address",
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reach | str]:
    bodies = read(tmp_path_factory.mktemp("unit"), TEXT)
    by_function = {body.function: body for body in bodies.values()}
    calls = Calls(by_function.get, lambda function: function.name == "sin")
    said: dict[str, Reach | str] = {}
    for name, body in bodies.items():
        try:
            said[name] = calls.of_function(body.function)
        except UnknownError as problem:
            said[name] = str(problem)
    return said


@pytest.mark.parametrize("name", EXPECTED)
def test_reach(name: str, found: dict[str, Reach | str]) -> None:
    assert found[name] == EXPECTED[name]


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_nobody_knows(name: str, found: dict[str, Reach | str]) -> None:
    assert UNKNOWN[name] in str(found[name])
