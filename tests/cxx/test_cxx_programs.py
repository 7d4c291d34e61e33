"""Every program of tests/programs/cxx does on the device what it does without offloading."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from execution import UNCACHED, Program, find_cxx_programs, quick_nvcc, rex_build, verify

PROGRAMS = find_cxx_programs()

pytestmark = pytest.mark.compile


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_program(program: Program, device: str, arch: str | None, tmp_path: Path) -> None:
    problem = verify(program, tmp_path, device, arch)
    problem = problem or (device == "cpu" and nvcc_problem(tmp_path)) or None
    if problem:
        pytest.fail(problem, pytrace=False)


def nvcc_problem(folder: Path) -> str | None:
    """What nvcc, if it is here, says against the device files of a program that was built for the cpu device.

    Device files are the same for both devices. g++ accepts host functions in device code, and nvcc does not.
    """
    for cu in sorted((folder / "generated").glob("*.cu")) if shutil.which("nvcc") else ():
        image = cu.with_suffix(".cubin")
        done = rex_build("device", cu, "--arch", "sm_90", "-o", image, "--", *quick_nvcc(), env=UNCACHED)
        if done.status != 0 or "warning #" in done.stderr:  # ptxas's about stacks have no number
            return done.describe("nvcc")
    return None


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_nvcc_is_asked(tmp_path: Path) -> None:
    (tmp_path / "generated").mkdir()
    text = "void host_only(); __global__ void kernel() { host_only(); }\n"
    (tmp_path / "generated" / "unit.cu").write_text(text)
    assert "host_only" in (nvcc_problem(tmp_path) or "")
    (tmp_path / "generated" / "unit.cu").write_text("__global__ void kernel() { int unused; }\n")
    assert "unused" in (nvcc_problem(tmp_path) or "")


def test_there_are_programs() -> None:
    assert len(PROGRAMS) > 5
