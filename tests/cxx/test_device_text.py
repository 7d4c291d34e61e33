"""What the cpu device cannot show of a device file: which variables are in memory that a team's threads share."""

from __future__ import annotations

import re
from pathlib import Path

from execution import PROGRAMS, rex_build


def device_text(program: str, folder: Path) -> str:
    outcome = rex_build("lower", PROGRAMS / "cxx" / f"{program}.cpp", "--out-dir", folder, "--", "-std=gnu++17")
    assert outcome.status == 0, outcome.stderr
    return (folder / f"rex_lib_{program}.cu").read_text()


def test_what_threads_of_a_team_change_is_shared(tmp_path: Path) -> None:
    """A closure copies what it captures on GPUs: arrays and scalars that it changes are in memory of the team."""
    text = device_text("team_memory", tmp_path)
    assert "REX_TEAM_SHARED float tile[32];" in text
    assert "REX_TEAM_SHARED float sum;" in text
    generic = device_text("generic", tmp_path)
    assert "REX_TEAM_SHARED double local; local = 0;" in generic
    assert "REX_TEAM_SHARED double base" not in generic  # which the parallel region only reads
    assert "REX_TEAM_SHARED T tile[64];" in device_text("arrays", tmp_path)


def test_only_what_device_code_needs(tmp_path: Path) -> None:
    text = device_text("host_directives", tmp_path)
    assert re.search(r"int main\(int argc, char \*\*\)\s*;", text)
    assert "Noisy global" not in text
    assert "#include <iostream>" in text
    functions = device_text("functions", tmp_path)
    assert "__host__ __device__ static int fibonacci(int n)" in functions
    assert functions.count("__host__ __device__ double scaled(") == 2  # its declaration and its definition
