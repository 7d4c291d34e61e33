"""The search for what device code reaches."""

from pathlib import Path

import pytest

from rex_build.base.stack import on_deep_stack
from rex_build.cxx.call_graph import calls_of
from rex_build.cxx.front_end import plan_unit, read_unit
from rex_build.pipeline import preprocessed
from rex_build.request import LowerRequest

pytestmark = pytest.mark.compile

_CLASS = """
struct Scale{0} {{ double a; double operator()(double x) const {{ return a * x; }} }};
template <class T> T scaled{0}(T x) {{ return Scale{0}{{2}}(x); }}
template <class T> T scaled{0}(T x, T y) {{ return Scale{0}{{2}}(x + y); }}  // which nothing instantiates
"""
_LOOP = """
template <class F> void each(int n, F f) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) f(i);
}
"""


def _looked_at(count: int, folder: Path) -> int:
    """How many calls are noted where the body of a generic lambda expression names so many templates."""
    source = folder / f"unit_{count}.cpp"
    use = " + ".join(f"scaled{number}(x[i])" for number in range(count))
    run = f"void run(double *x, int n) {{ each(n, [=](auto i) {{ x[i] = {use}; }}); }}\n"
    source.write_text(_LOOP + "".join(map(_CLASS.format, range(count))) + run)
    pre = preprocessed(LowerRequest(source, folder))
    unit = read_unit(pre, (), "g++", lambda: pre)
    on_deep_stack(lambda: plan_unit(unit, source.name, ()))
    reached = calls_of(unit).reached
    assert len(reached.operators) == count  # each is perhaps called
    return sum(map(len, reached.callees.values()))


def test_search_is_linear(tmp_path: Path) -> None:
    """What nobody knows may call any operator of the unit: that is one fact, and not one for each pair."""
    assert _looked_at(24, tmp_path) < 3 * _looked_at(12, tmp_path)
