"""Every program of tests/programs/cxx does on the device what it does without offloading, and no warning is given."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from execution import UNCACHED, Program, every_warning, find_cxx_programs, quick_nvcc, rex_build, verify

PROGRAMS = find_cxx_programs()

pytestmark = pytest.mark.compile
needs_nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")


@pytest.mark.sampled(10)
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_program(program: Program, device: str, arch: str | None, tmp_path: Path) -> None:
    problem = verify(program, tmp_path, device, arch, every_warning(program))
    if problem:
        pytest.fail(problem, pytrace=False)


@needs_nvcc
@pytest.mark.sampled(40)
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_nvcc_takes_its_device_files(program: Program, tmp_path: Path) -> None:
    options = ("--separable",) if len(program.sources) > 1 else ()  # one may use device variables of another
    for source in program.sources:
        done = rex_build("lower", source, "--out-dir", tmp_path, *options, "--", *program.cflags, env=UNCACHED)
        assert done.status == 0, done.stderr
    problem = nvcc_problem(tmp_path, *options)
    if problem:
        pytest.fail(problem, pytrace=False)


def nvcc_problem(folder: Path, *options: str) -> str | None:
    """What nvcc says against device files. g++ accepts host functions in device code, and nvcc does not."""
    for cu in sorted(folder.glob("*.cu")):
        image = cu.with_suffix(".cubin")
        done = rex_build("device", cu, "--arch", "sm_90", "-o", image, *options, "--", *quick_nvcc(), env=UNCACHED)
        if done.status != 0 or "warning #" in done.stderr:  # ptxas's about stacks have no number
            return done.describe("nvcc")
    return None


@needs_nvcc
def test_nvcc_is_asked(tmp_path: Path) -> None:
    text = "void host_only(); __global__ void kernel() { host_only(); }\n"
    (tmp_path / "unit.cu").write_text(text)
    assert "host_only" in (nvcc_problem(tmp_path) or "")
    (tmp_path / "unit.cu").write_text("__global__ void kernel() { int unused; }\n")
    assert "unused" in (nvcc_problem(tmp_path) or "")


def test_there_are_programs() -> None:
    assert len(PROGRAMS) > 5


@needs_nvcc
def test_nvcc_says_nothing_of_text_that_the_host_compiler_judges(tmp_path: Path) -> None:
    source = tmp_path / "quiet.cpp"
    source.write_text(
        "template <class T> struct Text {\n    const T *at;\n    unsigned n;\n"
        "    int compare(const Text &other) const { return ((const int)n) - (const int)other.n; }\n"
        "    bool is_empty() const { return 0u > n; }\n};\n"
        "int main()\n{\n    int s = 1;\n#pragma omp target map(tofrom: s)\n    {\n"
        '        Text<char> t = {"a", 1};\n        s = t.compare(t) + t.is_empty();\n    }\n    return s;\n}\n'
    )
    assert rex_build("lower", source, "--out-dir", tmp_path).status == 0
    cu, image = tmp_path / "rex_lib_quiet.cu", tmp_path / "image"
    done = rex_build("device", cu, "--arch", "sm_90", "-o", image, "--", *quick_nvcc(), env=UNCACHED)
    assert (done.status, done.stderr) == (0, "")
