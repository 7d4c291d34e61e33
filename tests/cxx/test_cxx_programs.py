"""Every program of tests/programs/cxx does on the device what it does without offloading."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from execution import Program, build_offloaded, find_cxx_programs, verify

PROGRAMS = find_cxx_programs()

pytestmark = pytest.mark.compile


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_program(program: Program, device: str, arch: str | None, tmp_path: Path) -> None:
    problem = verify(program, tmp_path, device, arch)
    if problem:
        pytest.fail(problem, pytrace=False)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_nvcc_compiles(program: Program, tmp_path: Path) -> None:
    """g++ compiles the cpu device's images, and accepts host functions in device code. nvcc does not."""
    outcome = build_offloaded(program, tmp_path / "program", "cuda", "sm_90")
    assert outcome.status == 0, outcome.describe("rex-build")


def test_there_are_programs() -> None:
    assert len(PROGRAMS) > 5
