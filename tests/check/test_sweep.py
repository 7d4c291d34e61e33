"""Correct programs run in silence on the check device. All of them take minutes, so CI runs those that have comments
which silence something, and a few others. ``python tests/check/sweep.py`` runs all.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from execution import lot
from sweep import Checked, checked_programs, complaint

_ORDERED = ("atomic_update", "critical", "locks", "nested_parallel_for", "reduction_arrays", "tasks")


def _chosen() -> list[Checked]:
    found = list(checked_programs())
    silenced = [p for p in found if any("rex-ignore" in source.read_text() for source in p.sources)]
    others = [*sorted(found, key=lot)[:5], *(p for p in found if p.name in (*_ORDERED, "sample_project", "example"))]
    return list(dict.fromkeys([*silenced, *others]))


@pytest.mark.compile
@pytest.mark.sampled(12)
@pytest.mark.parametrize("program", _chosen(), ids=lambda program: program.name)
def test_right_programs_are_silent(program: Checked, tmp_path: Path) -> None:
    assert complaint(program, tmp_path) is None
