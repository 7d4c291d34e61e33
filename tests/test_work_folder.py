"""Folders for the files in between: each process has its own, also where many begin and end beside each other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from rex_build.base.ending import take_away

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


_ENDED = """
import os, shutil, signal, sys, time
from pathlib import Path
from rex_build.base import ending
from rex_build.base.work_folder import work_folder

where = Path(sys.argv[1])

def work(last):
    count = 0
    def trace(frame, event, _):
        nonlocal count
        count += 1
        if count == last:
            sys.settrace(None)
            os.kill(os.getpid(), signal.SIGTERM)
        return trace
    sys.settrace(trace)
    with work_folder(where / "output") as folder:
        (folder / "file").write_text("mine")

last = ended = 0
while True:
    last += 1
    process = os.fork()
    if not process:
        status = 0
        try:
            ending.clean_up_first()
            try:
                work(last)
            finally:
                ending.raise_if_ended()  # as the program does
        except ending.EndedError as error:
            error.die()
        finally:
            os._exit(0)
    state = os.waitpid(process, 0)[1]
    assert not list(where.iterdir()), f"left by a signal at step {last}"
    if os.WIFEXITED(state):
        break
    ended += 1
print(ended)
"""


def test_a_signal_at_any_statement_leaves_nothing(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", _ENDED, tmp_path], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50


def test_what_a_program_still_writes_goes_too(tmp_path: Path) -> None:
    """A compiler that is told to end may have started others, which write a moment longer."""
    folder = tmp_path / "folder"
    folder.mkdir()
    writes = 'i=0; while [ $i -lt 300 ]; do : > "$0/$i" || exit; i=$((i+1)); done 2>/dev/null'
    with subprocess.Popen(["sh", "-c", writes, folder], stderr=subprocess.DEVNULL):
        take_away(str(folder))
    assert not folder.exists()
