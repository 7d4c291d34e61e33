"""A small version of ``bench/cache/application.py``, which shows what Ninja and Make do after each kind of edit."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [pytest.mark.cmake, pytest.mark.slow]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
@pytest.mark.skipif(shutil.which("ninja") is None, reason="no ninja here")
def test_builds_do_no_more_than_they_have_to(generator: str, tmp_path: Path) -> None:
    """Two of the three units include the header that is changed, and one does not."""
    command = [sys.executable, str(ROOT / "bench/cache/application.py"), "--units", "3", "--folders", "2"]
    command += ["--headers", "9", "--only", generator, str(tmp_path / "app")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "BROKEN" not in done.stdout
    assert done.stdout.count("kept: ") == 8
    assert done.stdout.count("its 2 dependents are lowered") == 1
