"""Which functions name one with a region: a word is one of its mentions unless it surely means something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from rex_build.base.mentions import naming
from rex_build.cxx.naming import means_other, stretch
from rex_build.cxx.unit import Unit
from rex_build.pipeline import preprocessed
from rex_build.request import LowerRequest

pytestmark = pytest.mark.compile
_SOURCE = """
template <class T> T sum(const T *p)
{
    T s = 0;
#pragma omp target map(to: p[0:2]) map(tofrom: s)
    s += p[0];
    return s;
}
struct Base { virtual int total() { return 0; } };
struct Device : Base { int total() override { int v[2] = {}; return sum(v); } };
struct Other { int sum() const { return 1; } int twice() const { return 2 * sum(); } int field; };
double sum(double a, double b) { return a + b; }
namespace inner { int sum = 3; }
int as_variable(int n) { int sum = n; return sum + inner::sum; }
int as_parameter(int sum) { return sum; }
int as_member(const Other &o) { return o.sum(); }
int as_other(double a) { return int(sum(a, a)); }
template <class T> T as_members(T &o) { return o.sum() + T(0); }
template <class T> int as_both(T *p) { int n = 0; { int sum = 1; n += sum; } return n + sum(p); }
template <class T> T as_dependent(T a) { return sum(a, a); }
int as_value(int (*f)(const int *), const int *p) { return f(p); }
int handed(const int *p) { return as_value(&sum<int>, p) + as_value(sum<int>, p); }
int by_base(Base *b) { return b->total(); }
int by_name(const int *p) { auto add = [=] { return ::sum(p); }; return add(); }
int unconcerned(int n) { return as_variable(n) + as_parameter(n); }
template <class T> struct Kept { T *p; ~Kept() { sum(p); } };
"""


def test_what_a_word_means(tmp_path: Path) -> None:
    source = tmp_path / "unit.cpp"
    source.write_text(_SOURCE)
    unit = Unit(preprocessed(LowerRequest(source, tmp_path)), (), "g++")
    functions = [f for f in unit.functions if f.name != "as_value"]
    first = [number for number, f in enumerate(functions) if unit.constructs_in(f.start, f.end)]
    parts = [stretch(f, f.body) for f in functions]
    found = {functions[n].name for n in naming(unit.text, parts, first, means_other(unit, functions))}
    assert found == {"sum", "total", "as_both", "as_dependent", "handed", "by_base", "by_name", "~Kept<T>"}
    without = {functions[number].name for number in naming(unit.text, parts, first)}
    assert without > found
    assert "as_member" not in without
