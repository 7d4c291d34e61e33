"""Two profiles beside each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rex_build.base.diagnostics import InputError
from rex_build.profile.compare import compared


def profile(file: Path, whole: int, **times: int) -> Path:
    lines = [
        {"file": "a.c", "line": n, "function": name, "what": "target", "time_ns": time}
        for n, (name, time) in enumerate(times.items())
    ]
    file.write_text(json.dumps({"version": 1, "time_ns": whole, "lines": lines}))
    return file


def test_lines_are_known_again_in_another_version(tmp_path: Path) -> None:
    before = profile(tmp_path / "before", 10_000_000, f=8_000_000, g=1_000_000, h=500_000)
    after = profile(tmp_path / "after", 4_000_000, new=100_000, f=2_000_000, g=1_100_000)
    rows = [line.split("  ") for line in compared(before, after).splitlines()]
    assert [[cell.strip() for cell in row if cell] for row in rows] == [
        ["before", "after", "change", "line"],
        ["10 ms", "4 ms", "−60.0 %", "the whole run"],
        ["8 ms", "2 ms", "−75.0 %", "a.c: target, in f"],
        ["500 µs", "gone", "a.c: target, in h"],
        ["1 ms", "1.1 ms", "+10.0 %", "a.c: target, in g"],
        ["100 µs", "new", "a.c: target, in new"],
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 2, "time_ns": 1, "lines": []}'])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "other").write_text(text)
    with pytest.raises(InputError, match="is no profile"):
        compared(tmp_path / "other", tmp_path / "other")


def test_what_is_no_line_is_named_as_in_the_profile(tmp_path: Path) -> None:
    start = {"file": "b.cpp", "line": 1, "function": "g", "what": "start of the device", "time_ns": 1_000_000}
    (tmp_path / "one").write_text(json.dumps({"version": 1, "time_ns": 2_000_000, "lines": [start]}))
    assert compared(tmp_path / "one", tmp_path / "one").endswith("+0.0 %  (start of the device)")
