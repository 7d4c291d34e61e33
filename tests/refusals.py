"""A C++ unit that is refused, and how it is checked that it is refused by name."""

from __future__ import annotations

import re
from pathlib import Path

from execution import rex_build

REGION = "void f(int n)\n{{\n    int x = 0;\n{before}\n#pragma omp target {clauses}\n    {{ {body} }}\n}}\n"


def region(body: str, clauses: str = "map(tofrom: x)", before: str = "") -> str:
    return REGION.format(body=body, clauses=clauses, before=before)


def check_refused(tmp_path: Path, text: str, line: int, column: int, message: str) -> None:
    """The unit's error is at this line and column, has the message in it, and shows the place with a caret."""
    source = tmp_path / "unit.cpp"
    source.write_text(text)
    outcome = rex_build("lower", source, "--out-dir", tmp_path / "out", "--", "-std=c++20")
    assert outcome.status == 1, outcome.stderr
    found = re.findall(r"unit\.cpp:(\d+):(\d+): error: (.*)", outcome.stderr)
    assert any(message in said and (int(at), int(col)) == (line, column) for at, col, said in found), outcome.stderr
    assert re.search(r"^ *\d+ \| .*\n +\| \s*\^", outcome.stderr, re.MULTILINE), outcome.stderr
    assert not (tmp_path / "out").exists()
