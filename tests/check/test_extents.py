"""Which bytes accesses and list items cover, in both languages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tree"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cxx"))

from reading_c import read
from test_cxx_reading import unit_of

from rex_build.base.diagnostics import SourceSpan
from rex_build.check.called import Called
from rex_build.check.events import Language, Use
from rex_build.check.extents import AllExtents, Extent, meet
from rex_build.check.uses import Reader
from rex_build.cxx.reading.reader import Reader as CxxReader
from rex_build.directives.contents import directive_locators
from rex_build.tree import nodes as tree
from rex_build.tree.symbols import Function

pytestmark = pytest.mark.compile
_PROGRAM = """
enum { WIDTH = 4 };
struct Pair { int first; double second[3]; };
static void set(double *to, int at) { to[at + 1] = 0; }
void f(double *a, struct Pair *p, int n, int m)
{
#pragma omp target map(tofrom: a[m:n], p[1:2], p->second[1:2])
    {
        for (int i = 1; i <= n; ++i)
            a[i] = 0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < WIDTH; ++j)
                a[WIDTH * i + j] = 1;
        p[2].second[1] = 2;
        set(a, m);
    }
}
"""


def _program(suffix: str, tmp_path: Path) -> tuple[Language, Function, tree.Construct]:
    if suffix == ".c":
        bodies = read(tmp_path, _PROGRAM)
        functions = {body.function.name: body for body in bodies.values()}

        def body(function: Function) -> tree.Body | None:
            return functions.get(function.name)

        function = bodies["f"].function
    else:
        source = tmp_path / "unit.cpp"
        source.write_text(_PROGRAM)
        reader = CxxReader(unit_of(source))
        body = reader.body
        function = reader.function(next(one.cursor for one in reader.unit.functions if one.name == "f"))

    def nowhere(_: object) -> SourceSpan | None:
        return None

    found = body(function)
    assert found is not None
    region = next(node for node in tree.walk(found.statement) if isinstance(node, tree.Construct))
    return Language(body, nowhere, str, _PROGRAM, False), function, region


def _text(extent: Extent | None) -> str:
    def end(polynomial: object) -> str:
        terms = {"".join(sorted(atom.name for atom, _ in m)): f for m, f in polynomial.terms.items()}  # type: ignore[attr-defined]
        return " + ".join(f"{factor}{' ' * bool(name)}{name}" for name, factor in sorted(terms.items())) or "0"

    return "?" if extent is None else f"{end(extent.low)} to {end(extent.high)}{' dense' * extent.dense}"


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_extents(suffix: str, tmp_path: Path) -> None:
    language, function, region = _program(suffix, tmp_path)
    extents = AllExtents(language).of(function)
    items = [_text(extents.of_item(region, item)) for item in directive_locators(region.directive)]
    assert items == ["8 m to 8 m + 8 n dense", "32 to 96 dense", "8 to 24 dense"]
    events = Called(language.body, Reader()).of_region(region)
    writes = [use for use in events if isinstance(use, Use) and use.writes and use.root is not None and use.root.path]
    found = [extents.of_use(use) for use in writes]
    assert [_text(extent) for extent in found] == [
        "8 to 8 + 8 n dense", "0 to 32 n dense", "80 to 88 dense", "8 + 8 m to 16 + 8 m dense",
    ]  # fmt: skip
    first, second, *_ = found
    assert first is not None
    assert second is not None
    assert meet(first, second) is None
    assert first.behind(second) is None
