"""Every program of tests/programs does on the device what it does without offloading, and no warning is given."""

from __future__ import annotations

from pathlib import Path

import pytest
from execution import Program, every_warning, find_programs, verify

PROGRAMS = find_programs()

pytestmark = pytest.mark.compile


@pytest.mark.sampled(8)
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_program(program: Program, device: str, arch: str | None, tmp_path: Path) -> None:
    if program.device not in (None, device):
        pytest.skip(f"for the {program.device} device only")
    problem = verify(program, tmp_path, device, arch, every_warning(program))
    if problem:
        pytest.fail(problem, pytrace=False)


def test_there_are_programs() -> None:
    assert len(PROGRAMS) > 80
