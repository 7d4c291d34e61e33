"""Folders for the files in between: each process has its own, also where many begin and end beside each other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_MANY = """
import sys
from pathlib import Path
from rex_build.base.work_folder import work_folder
for _ in range(150):
    with work_folder(Path(sys.argv[1]) / "output") as folder:
        file = folder / "file"
        file.write_text("mine")
        assert file.read_text() == "mine"
"""


def test_nobody_takes_away_what_another_one_has_just_made(tmp_path: Path) -> None:
    running = [
        subprocess.Popen([sys.executable, "-c", _MANY, tmp_path], stderr=subprocess.PIPE, text=True) for _ in range(6)
    ]
    assert [(done.communicate()[1], done.returncode) for done in running] == [("", 0)] * 6
    assert list(tmp_path.iterdir()) == []
