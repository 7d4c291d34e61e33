"""The README's first program has the warning that stands below it, and its cure is right."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]


@pytest.mark.compile
def test_the_warning_is_as_printed(tmp_path: Path) -> None:
    page = (_ROOT / "README.md").read_text(encoding="utf-8")
    program, warning = re.findall(r"^```c?\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[:2]
    assert _messages(program, tmp_path) == warning
    cured = program.replace("map(tofrom: s)", "reduction(+: s)")
    assert cured != program
    assert _messages(cured, tmp_path) == ""


def _messages(program: str, folder: Path) -> str:
    (folder / "sum.c").write_text(program, encoding="utf-8")
    command = [sys.executable, "-m", "rex_build", "lower", "sum.c", "--out-dir", "out"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stderr
