"""What ``rex-build explain --json`` writes is as docs/explain.schema.json says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rex_build.pipeline import explain
from rex_build.request import LowerRequest

_ROOT = Path(__file__).parents[2]
_SCHEMA: dict[str, Any] = json.loads((_ROOT / "docs" / "explain.schema.json").read_text(encoding="utf-8"))
_FOUND = """\
int counted(int i);
struct point { float x, y; };
void f(int n, int m, double *a, struct point *p)
{
    double s = 0;
#pragma omp target enter data map(to: p[0:n])
#pragma omp target teams distribute parallel for map(tofrom: s) if (n > 9) num_teams(m)
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            s += a[i * m + j] + a[i * m + j - 1] + p[i].x;
#pragma omp target exit data map(release: p[0:n])
}
"""


@pytest.mark.parametrize("suffix", [".c", ".cpp"])
def test_each_member_is_described(suffix: str, tmp_path: Path) -> None:
    source = tmp_path / f"unit{suffix}"
    source.write_text(_FOUND, encoding="utf-8")
    facts = explain(LowerRequest(source, tmp_path))
    jsonschema.validate(facts, _SCHEMA)
    assert all(facts[member] for member in ("findings", "data", "regions"))


@pytest.mark.parametrize("name", ["axpy.c", "rows_heat.c", "kmeans.c", "stencil_view.cpp"])
def test_facts_of_benchmarks(name: str, tmp_path: Path) -> None:
    sources = _ROOT / "bench" / "kernels" / "src"
    facts = explain(LowerRequest(sources / name, tmp_path, cflags=("-O2", f"-I{sources}")))
    jsonschema.validate([facts], _SCHEMA)


def test_a_file_without_directives(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("int x;\n", encoding="utf-8")
    jsonschema.validate(explain(LowerRequest(source, tmp_path)), _SCHEMA)
