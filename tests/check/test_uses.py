"""What regions of both languages read, write, lend and keep, and under which names the user knows it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tree"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cxx"))

from reading_c import read
from test_cxx_reading import unit_of

from rex_build.check.called import Called
from rex_build.check.events import Bound, Escape, Event, Lent, item_root, root_of, spelt
from rex_build.check.privates import Privates
from rex_build.check.uses import Reader
from rex_build.cxx.reading.reader import Reader as CxxReader
from rex_build.directives.contents import directive_locators
from rex_build.tree import nodes as tree
from rex_build.tree.symbols import Function

pytestmark = pytest.mark.compile
_PROGRAM = """
struct Part { int count; double *values; double fixed[4]; };
static void add(double *to, double what) { *to += what; }
void keep(double *);
void f(struct Part *all, int n, double x)
{
    double sum = 0, *other;
#pragma omp target map(tofrom: all->values[0:n], sum) map(to: all[0:1]) private(other)
    {
        all->values[n] = x;
        add(&sum, all[1].fixed[n]);
        if (n)
            keep(all->values + n);
        other = all->values;
    }
}
"""


def _text(event: Event) -> str:
    def root(one: object) -> str:
        variable, path = getattr(one, "variable", None), getattr(one, "path", ())
        return "?" if variable is None else f"{variable.name}{''.join(path)}"

    match event:
        case Lent():
            return f"{event.name}({', '.join(map(root, event.arguments))}){' if' * len(event.conditions)}"
        case Bound():
            return f"{root(event.pointer)} -> {root(event.to)}"
        case Escape():
            return f"&{root(event.root)}"
        case _:
            does = "r" * event.reads + "w" * event.writes
            return f"{does} {root(event.root)}{' in a call' * bool(event.calls)}"


def _of(tmp_path: Path, suffix: str) -> tuple[tree.Construct, list[str]]:
    """The region of the program, and what it does."""
    if suffix == ".c":
        bodies = read(tmp_path, _PROGRAM)
        statement = bodies["f"].statement
        region = next(node for node in tree.walk(statement) if isinstance(node, tree.Construct))

        def body(function: Function) -> tree.Body | None:
            return bodies.get(function.name)
    else:
        source = tmp_path / "unit.cpp"
        source.write_text(_PROGRAM)
        reader = CxxReader(unit_of(source))
        (region,) = reader.region(reader.unit.constructs[0])
        body = reader.body
    return region, [_text(event) for event in Called(body, Reader()).of_region(region)]


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_what_a_region_does(suffix: str, tmp_path: Path) -> None:
    region, events = _of(tmp_path, suffix)
    assert events == [
        "r x", "r n", "r all", "r all*.values", "w all*.values*",
        "r n", "r all", "r all*.fixed", "rw sum in a call", "add(sum, ?)",
        "r n", "r n", "r all", "r all*.values", "keep(all*.values*) if",
        "r all", "other -> all*.values*", "w other",
    ]  # fmt: skip
    roots = [item_root(region, item) for item in directive_locators(region.directive)]
    assert [f"{r.variable.name}{''.join(r.path)}" for r in roots if r is not None] == [
        "all*.values*", "sum", "all*", "other",
    ]  # fmt: skip
    assert [variable.name for variable in Privates().of(region)] == ["other"]


_CLASS = """
struct Base { double *values; };
struct Field : Base {
    int n; double total, *&other;
    double &at(int i) { return values[i]; }
    void run(double &sum)
    {
        auto scale = [&](int i) { sum += total * i; };
#pragma omp target map(tofrom: values[0:n], this->total)
        {
            values[0] += n;
            sum = this->total;
            other[1] = 0;
            scale(2);
        }
    }
};
"""


def test_names_of_members(tmp_path: Path) -> None:
    """Members of ``this``, of bases and what references mean are said as they are written."""
    source = tmp_path / "unit.cpp"
    source.write_text(_CLASS)
    reader = CxxReader(unit_of(source))
    (region,) = reader.region(reader.unit.constructs[0])
    roots = [item_root(region, item) for item in directive_locators(region.directive)]
    assert [spelt(root) for root in roots if root is not None] == ["values", "total"]
    places = [node.place for node in tree.walk(region) if isinstance(node, tree.Store | tree.Update)]
    assert [spelt(root) for place in places if (root := root_of(place)) is not None] == ["values", "sum", "other"]
    writes = {_text(event) for event in Called(reader.body, Reader()).of_region(region)}
    assert {"rw this*.values*", "w sum*", "w this*.other**"} <= writes
