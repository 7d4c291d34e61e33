"""Objects out of alignment are changed in pieces that are aligned: GPUs end a program over others. Here the cpu image
is asked, whose compiler can check each access."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from execution import UNCACHED, Program, find_programs, rex_build, run

_NAMES = ("c/vectors", "c/records", "c/gnu_c", "c/c23", "c/half_precision", "c/atomic_objects", "bit_fields")
_PROGRAMS = [program for program in find_programs() if program.name in _NAMES]
# Loads are not looked at: g++ takes the address of an element for one. The host plugin's memory is aligned to 16.
_STORE = re.compile(r"^(.*runtime error: store to misaligned .* requires (?:2|4|8|16) byte alignment)$", re.MULTILINE)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("program", _PROGRAMS, ids=[program.name for program in _PROGRAMS])
def test_stores_are_aligned(program: Program, tmp_path: Path) -> None:
    command = ["cc", "--device", "cpu", "-o", tmp_path / "program", *program.sources, "--", *program.cflags, "-lm"]
    built = rex_build(*command, "-w", env={"CXX": "g++ -fsanitize=alignment -O0", **UNCACHED})
    assert built.status == 0, built.stderr
    outcome = run([tmp_path / "program"], 100)
    assert (outcome.status, _STORE.findall(outcome.stderr)) == (0, [])
