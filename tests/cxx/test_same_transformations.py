"""A program has the same transformations in C and, as the same text, in C++.

What differs yet is in a list that only shrinks: a difference that does not stand there fails, and so does one that
stands there and is gone.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from execution import UNCACHED, rex_build

KERNELS = Path(__file__).resolve().parents[2] / "bench" / "kernels" / "src"

# The transformations that both have.
SHARED = ("index32", "once", "noalias", "readonly", "collapse")

_MEMBERS = "pointers in structures are no parameters of C++ kernels"
_NARROW = "threads of C++ kernels run one iteration after the other"
_TRIPS = "hosts of C++ units compute fewer trip counts before a launch"
_TYPE = "C leaves it out where a parameter would get another type, and C++ parameters keep theirs"
# By program, the number of the region, and the transformation.
DIFFERENT: dict[tuple[str, int, str], str] = {
    ("equalise", 3, "noalias"): _NARROW,
    ("equalise", 3, "readonly"): _NARROW,
    ("lookups", 0, "once"): _TRIPS,
    ("pagerank", 0, "noalias"): _MEMBERS,
    ("pagerank", 0, "readonly"): _MEMBERS,
    ("paths", 0, "readonly"): _TYPE,
}
PROGRAMS = """
    axpy bfs boltzmann deposit distances equalise gaussian histogram hotspot kmeans lookups matmul nbody pagerank paths
    pathfinder rows_heat softmax spmv stencil2d sum tiles wave3d
""".split()  # noqa: SIM905


def applied(source: Path, *options: str) -> list[dict[str, bool]]:
    """For each region, which transformations were applied."""
    outcome = rex_build("explain", "--json", source, "--", "-O2", f"-I{KERNELS}", *options, env=UNCACHED)
    assert outcome.status == 0, outcome.stderr
    regions = json.loads(outcome.stdout)["regions"]
    return [{one["name"]: one["applied"] for one in region["optimisations"]} for region in regions]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_same(name: str, tmp_path: Path) -> None:
    source = KERNELS / f"{name}.c"
    copy = tmp_path / f"{name}.cpp"
    copy.write_text(source.read_text())
    checked = subprocess.run(["g++", "-fsyntax-only", "-w", f"-I{KERNELS}", copy], check=False)
    assert checked.returncode == 0, "this program is not C++"
    of_c, of_cxx = applied(source), applied(copy)
    assert len(of_c) == len(of_cxx)
    different = {
        (name, number, kind)
        for number, (one, other) in enumerate(zip(of_c, of_cxx, strict=True))
        for kind in SHARED
        if one.get(kind) != other.get(kind)
    }
    assert different == {key for key in DIFFERENT if key[0] == name}


def test_a_methods_parameters_are_those_of_its_definition(tmp_path: Path) -> None:
    """A method of a class template may be defined outside of it, with other names for its parameters."""
    source = tmp_path / "unit.cpp"
    source.write_text("""
template <class T> struct Scale { T factor; void run(T *to, const T *from, int n); };
template <class T> void Scale<T>::run(T *a, const T *b, int n) {
#pragma omp target teams distribute parallel for map(to: b[0:n]) map(from: a[0:n])
    for (int i = 0; i < n; ++i) { a[i] = 1; a[i] += b[i]; }
}
template struct Scale<float>;
void use(double *a, double *b) { Scale<double> s{2}; s.run(a, b, 4); }
""")
    (found,) = applied(source)
    assert found["noalias"]
    assert found["readonly"]
