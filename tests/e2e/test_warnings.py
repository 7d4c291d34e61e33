"""gcc and g++ with -Wall -Wextra have nothing to say about generated code that they do not say about the user's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from execution import Program, find_programs, rex_build, run

from rex_build.base.paths import include_dir

pytestmark = pytest.mark.compile

# Of the programs those with the widest mixture of constructs: compiling all of them takes minutes.
_NAMES = {
    "functions", "nested_parallel", "nowait_depend", "reduction_operators", "target_data", "tasks", "map_struct",
    "sections_vla",
}  # fmt: skip
PROGRAMS = [p for p in find_programs() if p.name in _NAMES or p.name.startswith("c/")]

_WARNING = re.compile(r"^(?:.*/)?([^/\n]+?):(\d+):(?:\d+:)? warning: (.*)$", re.MULTILINE)
_STRICT = ("-Wall", "-Wextra", "-fopenmp", "-O1")


def _kinds(said: str) -> set[tuple[str, str, str]]:
    """(file, line, option) of warnings: what C and C++ say about a mistake differs in words."""
    return {(file, line, text.rpartition(" ")[2]) for file, line, text in _WARNING.findall(said)}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_no_warnings_of_ours(program: Program, tmp_path: Path) -> None:
    for source in program.sources:
        lowered = rex_build("lower", source, "--out-dir", tmp_path, "--", *program.cflags)
        assert lowered.status == 0, lowered.stderr
        flags = [*_STRICT, *program.cflags, f"-I{include_dir()}", f"-iquote{source.parent}", "-c", "-o", tmp_path / "o"]
        host = run(["gcc", *flags, tmp_path / f"rose_{source.stem}.c"], 100)
        device_flags = ["-std=c++17", "-DREX_DEVICE_CPU", f"-I{include_dir()}", "-x", "c++"]
        device_flags += ["-include", "cpu/rex_device.h"]
        device = run(
            ["g++", *_STRICT, *device_flags, "-c", "-o", tmp_path / "o", tmp_path / f"rex_lib_{source.stem}.cu"], 100
        )
        assert host.status == device.status == 0
        if host.stderr or device.stderr:
            own = run(["gcc", *flags, source], 100)
            assert set(_WARNING.findall(host.stderr)) <= set(_WARNING.findall(own.stderr))
            assert _kinds(device.stderr) <= _kinds(own.stderr)


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_device_macros_matter_where_device_code_is(suffix: str, tmp_path: Path) -> None:
    """A library's choices of device text that no device code has are not told."""
    condition = "#ifdef __CUDA_ARCH__\n{}#endif\n"
    function = "static inline int one(void) { return 1; }\n"
    (tmp_path / "library.h").write_text(condition.format("#define SIDE 1\n") + function)
    body = condition.format("    return 3;\n") + "    return 2;\n"
    (tmp_path / "own.h").write_text("static inline int two(void)\n{\n" + body + "}\n")
    source = tmp_path / f"unit.{suffix}"
    region = "#pragma omp target map(tofrom: s)\n    s = two();\n    return s != 2 * one();\n"
    source.write_text(f'#include "library.h"\n#include "own.h"\nint main(void)\n{{\n    int s = 0;\n{region}}}\n')
    lowered = rex_build("lower", source, "--out-dir", tmp_path / "out")
    assert lowered.status == 0, lowered.stderr
    assert [match[0] for match in _WARNING.findall(lowered.stderr)] == ["own.h"]


def test_programs_are_there() -> None:
    assert {p.name for p in PROGRAMS} >= _NAMES
