"""Programs do the same in whichever order the threads' iterations run, in C, in C++, and C programs as C++.

``python tests/execution.py --in-any-order --out DIR`` runs all of the first two.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from execution import Program, find_cxx_programs, find_programs, verify_in_any_order
from judge import KNOWN_REFUSED, KNOWN_WRONG, REFUSED, as_one, batches, judged

# What these check of a single team, of chunks, or of loops in order, is the order of iterations itself.
IN_ORDER = ("cxx/no_aliases", "cxx/team_histograms", "data/team_limits", "host_teams", "schedule", "team_regions")
PROGRAMS = [
    p for p in (*find_programs(), *find_cxx_programs()) if p.device in (None, "cpu") and p.name not in IN_ORDER
]
LEFT_OUT = {*KNOWN_REFUSED, *KNOWN_WRONG, *REFUSED, *IN_ORDER}
AS_CXX = batches(p for p in judged() if p.name not in LEFT_OUT)

pytestmark = pytest.mark.compile


@pytest.mark.sampled(45)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_program(program: Program, tmp_path: Path) -> None:
    assert verify_in_any_order(program, tmp_path) is None


@pytest.mark.sampled(24)
@pytest.mark.parametrize("batch", AS_CXX, ids=lambda batch: batch[0].name)
def test_c_programs_as_cxx(batch: list[Program], tmp_path: Path) -> None:
    assert verify_in_any_order(as_one(batch, tmp_path), tmp_path) is None
