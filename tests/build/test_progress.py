"""What builds show on a terminal while they run, and that they show nothing elsewhere."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.compile

_UNIT = "void f_{0}(int *x)\n{{\n#pragma omp target map(tofrom: x[0:1])\n    x[0] += {0};\n}}\n"


def on_terminal(folder: Path, *command: str, terminal: str = "xterm") -> tuple[int, str]:
    """(exit status, what the command writes to a terminal)"""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": terminal, "COLUMNS": "40"}
    process = subprocess.Popen(
        [sys.executable, "-m", "rex_build", *command], cwd=folder, env=environment, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    written = b""
    try:
        while part := os.read(ours, 4096):
            written += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    return process.wait(), written.decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(3):
        (tmp_path / f"unit_{number}.c").write_text(_UNIT.format(number))
    (tmp_path / "main.c").write_text("int main(void) { int unused; return 0; }\n")
    return tmp_path


UNITS = ("unit_0.c", "unit_1.c", "unit_2.c", "main.c")


def test_a_build_of_many_units_shows_how_far_it_is(folder: Path) -> None:
    status, text = on_terminal(folder, "cc", "--device", "cpu", "-j", "1", "-o", "app", *UNITS, "--", "-Wall")
    assert status == 0, text
    steps = re.findall(r"\r\x1b\[K\[(\d+)/4\] ([^\r]*)", text)
    assert [(int(number), name.strip()) for number, name in steps] == list(enumerate(UNITS))
    shown = [re.sub(r"^.*\x1b\[K", "", line) for line in text.replace("\r\n", "\n").split("\n")]
    assert any(line.startswith("main.c:") and "warning" in line for line in shown), "messages have lines of their own"
    assert shown[-1] == "", "nothing is left of it"


@pytest.mark.parametrize("terminal", ["dumb", None])
def test_it_shows_nothing_elsewhere(folder: Path, terminal: str | None) -> None:
    command = ("cc", "--device", "cpu", "-o", "app", *UNITS)
    if terminal:
        assert on_terminal(folder, *command, terminal=terminal) == (0, "")
        return
    done = subprocess.run([sys.executable, "-m", "rex_build", *command], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_in_place_of_a_compiler_it_says_which_unit_has_device_code(folder: Path) -> None:
    status, text = on_terminal(folder, "cc", "--device", "cpu", "--", "-c", "unit_0.c")
    assert (status, text.replace("\r\n", "\n")) == (0, "rex-build: unit_0.c: device code for cpu\n")
    status, text = on_terminal(folder, "cc", "--device", "cpu", "--", "-c", "main.c")
    assert (status, text) == (0, "")
