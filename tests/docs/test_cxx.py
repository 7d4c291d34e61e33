"""The program with which the page about C++ begins does what the page says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from execution import UNCACHED, rex_build

PAGE = Path(__file__).parents[2] / "docs/cxx.md"

pytestmark = pytest.mark.compile


def test_the_first_program_runs(tmp_path: Path) -> None:
    text = PAGE.read_text()
    program = text[text.index("```cpp\n") + len("```cpp\n") : text.index("\n```", text.index("```cpp\n"))]
    command = re.search(r"^rex-build (cc .*?) && ", text, re.MULTILINE)
    expected = re.search(r"sum\(\)\);  // (\d+)", program)
    assert command is not None
    assert expected is not None
    (tmp_path / "field.cpp").write_text(program)
    built = rex_build(*command[1].split(), cwd=tmp_path, env=UNCACHED)
    assert built.status == 0, built.stderr
    done = subprocess.run(["./field"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected[1]
