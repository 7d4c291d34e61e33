"""Every program of tests/programs/cxx does on the device what it does without offloading."""

from __future__ import annotations

from pathlib import Path

import pytest
from execution import Program, find_cxx_programs, verify

PROGRAMS = find_cxx_programs()

pytestmark = pytest.mark.compile


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_program(program: Program, device: str, arch: str | None, tmp_path: Path) -> None:
    problem = verify(program, tmp_path, device, arch)
    if problem:
        pytest.fail(problem, pytrace=False)


def test_there_are_programs() -> None:
    assert len(PROGRAMS) > 5
