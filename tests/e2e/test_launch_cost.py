"""What launches cost, in instructions, which repeat where times do not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "launch" / "run.py"


@pytest.mark.compile
@pytest.mark.skipif(
    not (shutil.which("valgrind") and Path("/usr/include/valgrind/callgrind.h").exists()),
    reason="valgrind is not here, or without its headers",
)
def test_launches_cost_what_hand_written_ones_do(tmp_path: Path) -> None:
    """With all data present, and the first launch hardly more than the tenth."""
    done = subprocess.run([sys.executable, BENCH, "--check", "--keep", tmp_path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == 16, done.stdout
