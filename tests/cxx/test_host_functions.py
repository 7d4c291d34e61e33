"""Pointers to functions in C++ units: those of the host's are refused wherever device code might call them."""

from __future__ import annotations

from pathlib import Path

import pytest
from execution import rex_build

UNIT = """using Op = double (*)(double);
static double twice(double x) { return 2 * x; }
static double half(double x) { return x / 2; }
template <class T> struct Stage { T op; T keep; double gain; double run(double x) const { return op(x) * gain; } };
using Plain = Stage<Op>;
struct Pipeline { Plain stages[2]; };
static double apply(Op f, double x) { return f(x); }
double h(Plain &p, Pipeline &whole, Op *table, double x)
{
#pragma omp target map(tofrom: x) map(to: p, whole, table[0:2])
    { BODY }
    return x;
}
"""

OF_HOST = {
    "kept": "auto f = p.op; x = f(x);",
    "set later": "Op f; f = table[1]; x = f(x);",
    "chosen": "Op f = x > 0 ? p.op : twice; x = f(x);",
    "passed on": "x = apply(p.op, x);",
    "of a closure": "auto g = [f = p.op](double y) { return f(y); }; x = g(x);",
    "in a method": "x = p.run(x);",
    "in a method of a member": "x = whole.stages[1].run(x);",
    "in a loop": "for (auto &s : whole.stages) x = s.op(x);",
    "of a copy": "Plain q = p; x = q.op(x);",
    "by a reference": "auto &r = p; x = r.op(x);",
    "by a pointer": "const Plain *q = &whole.stages[0]; x = q->op(x);",
}

OF_DEVICE = {
    "chosen": "Op f = x > 0 ? twice : half; x = f(x);",
    "passed on": "x = apply(half, x);",
    "of an object": "Plain q{half, twice, 3}; x = q.op(x);",
    "in a table": "Op local[2] = {twice, half}; x = local[1](x);",
    "compared": "if (p.op && p.op != p.keep) x = x + p.gain;",
    "of an object that is copied": "Plain q = p; x = q.gain;",
}


def lowered(tmp_path: Path, body: str) -> str:
    """What is said of a unit with this region."""
    source = tmp_path / "unit.cpp"
    source.write_text(UNIT.replace("BODY", body))
    return rex_build("lower", source, "--dump=device", "--", "-std=c++17").stderr


@pytest.mark.parametrize("name", OF_HOST)
def test_of_the_host(tmp_path: Path, name: str) -> None:
    assert "leads to a function of the host's, which device code cannot call" in lowered(tmp_path, OF_HOST[name])


@pytest.mark.parametrize("name", OF_DEVICE)
def test_of_the_device(tmp_path: Path, name: str) -> None:
    assert "error" not in lowered(tmp_path, OF_DEVICE[name])
