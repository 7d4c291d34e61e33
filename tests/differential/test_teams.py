"""Random teams with parallel regions, of which all threads run the sequential part, under the thread sanitizer.

``REX_EXAMPLES`` sets how many units of twelve functions (one if it is not set); ``teams.py`` runs more outside pytest.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import teams

EXAMPLES = int(os.environ.get("REX_EXAMPLES", "1"))


def test_threads_wait_for_each_other(tmp_path: Path) -> None:
    for number in range(EXAMPLES):
        text = teams.Teams(f"test {number}", 12).text()
        found, together = teams.failure(text, tmp_path)
        assert found is None, f"{found}\n{text}"
        assert together >= 9


def test_a_missing_barrier_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = tmp_path / "header.h"
    text = teams._HEADER.read_text()
    wait = "rex_team_wait() { __syncthreads(); }"
    assert text.count(wait) == 1
    header.write_text(text.replace(wait, "rex_team_wait() {}"))
    monkeypatch.setattr(teams, "_HEADER", header)
    body = """{ unsigned a[8];
        #pragma omp parallel for
        for (int i = 0; i < 8; ++i) a[i] = x[t * 8 + i];
        #pragma omp parallel for
        for (int i = 0; i < 8; ++i) y[t * 8 + i] = a[7 - i]; }"""
    unit = f"""void f0(int n, unsigned *x, unsigned *y) {{
        #pragma omp target teams distribute map(tofrom: x[0:n * 8], y[0:n * 8])
        for (int t = 0; t < n; ++t) {body} }}\n"""
    found, together = teams.failure(unit, tmp_path)
    assert together == 1
    assert found is not None
    assert "data race" in found
