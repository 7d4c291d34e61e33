"""Which bounds of C++ loops shape the grid, where the device has a variable of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from execution import rex_build

_HEAD = """
struct Inner { int n; };
struct Base { int rows; };
struct Mesh : Base {
    int n, sizes[3]; int *cells; volatile int live; Inner inner; Inner *other;
    int fill(int *a, int k);
};
struct Span { int *b, *e; int operator[](int i) const { return b[i]; } };
#pragma omp begin declare target
int on_device = 10;
#pragma omp end declare target
int global;
"""


def trip_count(tmp_path: Path, parameters: str, bound: str, clauses: str = "", around: str = "") -> str:
    """What the host takes as the trip count of a loop to ``bound``, or an empty text."""
    source = tmp_path / "unit.cpp"
    head = "int Mesh::fill(int *a, int k)" if parameters == "this" else f"int fill(int *a, {parameters})"
    loop = f"for (int i = 0; i < {bound}; i++) a[i] = 1;"
    directive = f"#pragma omp target teams distribute parallel for {clauses}"
    source.write_text(f"{_HEAD}{head}\n{{\n{around}\n{{\n{directive}\n{loop}\n}}\nreturn 0;\n}}\n")
    outcome = rex_build("lower", source, "--dump=host", "--", "-std=c++17")
    assert outcome.status == 0, outcome.stderr
    found = re.search(r"__rex_tripcount = (.*);", outcome.stdout)
    assert found is None or "262144" in outcome.stdout, "a hint may not make a grid of any size"
    return found[1] if found is not None else ""


@pytest.mark.parametrize(
    ("parameters", "bound", "clauses"),
    [
        ("Mesh m", "m.n", ""),
        ("Mesh &m", "m.n - 1", "map(to: m)"),
        ("const Mesh &m", "m.sizes[2] * m.rows", ""),
        ("Mesh &m, int k", "m.sizes[k + 1]", ""),
        ("Mesh &m", "m.inner.n", ""),
        ("Mesh *m", "m->n", "map(to: m[0:1])"),
        ("Mesh *m", "m[0].inner.n", "map(to: m[0:1])"),
        ("int *counts, int k", "counts[k]", "map(to: counts[0:k+1])"),
        ("int k", "on_device", ""),
        ("int k", "k", "map(to: k)"),
        ("this", "n + rows", ""),
        ("this", "this->inner.n", ""),
        ("this", "sizes[1]", ""),
    ],
)
def test_bounds_that_shape_the_grid(tmp_path: Path, parameters: str, bound: str, clauses: str) -> None:
    found = trip_count(tmp_path, parameters, bound, clauses)
    assert bound in found
    assert "rex_on_device" not in found


@pytest.mark.parametrize(
    ("parameters", "bound"), [("Mesh *m", "m->sizes[0]"), ("int *counts, int k", "counts[k]"), ("Mesh *m", "m[2].n")]
)
def test_pointers_are_followed_only_to_mapped_memory(tmp_path: Path, parameters: str, bound: str) -> None:
    name = re.split(r"\W", bound)[0]
    assert trip_count(tmp_path, parameters, bound).startswith(f"rex_on_device(__device_id, {name}) ? rex_steps_to<int>")


@pytest.mark.parametrize(
    ("parameters", "bound", "clauses", "around"),
    [
        ("Mesh *m", "m->n", "is_device_ptr(m)", ""),
        ("Mesh *m", "m->n", "firstprivate(m)", ""),
        ("Mesh &m", "m.n", "has_device_addr(m)", ""),
        ("Mesh &m", "m.n", "", "#pragma omp target data map(to: m) use_device_addr(m)"),
        ("Mesh &m, int k", "k / m.n", "", ""),  # which could be zero on the host
        ("Mesh &m", "m.cells[0]", "", ""),  # which may lead to the device's memory
        ("Mesh &m", "m.other->n", "", ""),
        ("Mesh **m", "m[0]->n", "", ""),
        ("Mesh &m", "m.live", "", ""),
        ("Mesh &m, int *b", "b[m.n]", "map(to: b[0:10])", ""),  # which may be beyond the host's array
        ("Span s", "s[0]", "", ""),
        ("this", "cells[0]", "", ""),
        ("this", "other->n", "", ""),
    ],
)
def test_bounds_that_the_host_must_not_read(
    tmp_path: Path, parameters: str, bound: str, clauses: str, around: str
) -> None:
    assert not trip_count(tmp_path, parameters, bound, clauses, around)
