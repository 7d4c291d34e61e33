"""A private copy of rex-build, and commands that a server's children and processes of their own run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import rex_build

UNIT = """\
#include <math.h>
double total(int n, const double *x)
{
    double sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: x[0:n])
    for (int i = 0; i < n; i++)
        sum += sqrt(x[i]);
    return sum;
}
"""


class Outcome(NamedTuple):
    """What a command leaves: its status, what it says, and the files with their modes."""

    status: int
    out: bytes
    errors: bytes
    files: dict[str, tuple[int, bytes]]


class Place:
    """A copy of the package with a folder for servers. ``setup`` is a shell text in front of every command."""

    def __init__(self, top: Path) -> None:
        self.top, self.root = top, top / "root"
        ours = Path(rex_build.__file__).parent
        shutil.copytree(ours, self.root / "rex_build", ignore=shutil.ignore_patterns("__pycache__"))
        self.main = self.root / "rex_build" / "__main__.py"
        self.folder = top / "run" / "rex-build-server"
        self.folder.parent.mkdir(mode=0o700)
        self.env = {
            **os.environ, "XDG_RUNTIME_DIR": str(self.folder.parent), "REX_BUILD_CACHE": "off", "REX_DEVICES": "cpu",
            "REX_BUILD_SERVER": "on",
        }  # fmt: skip
        # What a process writes for those after it would change the folders that a server looks at.
        warm = self.project("warm")
        for words in (["lower", "unit.c", "--out-dir", "o"], ["rex-gcc", "-c", "unit.c"]):
            subprocess.run(self.command(*words), cwd=warm, env={**self.env, "REX_BUILD_SERVER": "off"}, check=True)

    def command(self, *words: str | bytes | Path) -> list[str | bytes]:
        return [
            sys.executable,
            "-S",
            "-X",
            "utf8",
            str(self.main),
            *[w if isinstance(w, bytes) else str(w) for w in words],
        ]

    def project(self, name: str) -> Path:
        folder = self.top / name
        folder.mkdir()
        (folder / "unit.c").write_text(UNIT)
        (folder / "wrong.c").write_text(UNIT.replace("map(to", "map(nowhere"))
        (folder / "broken.c").write_text(UNIT.replace("double sum = 0", "double sum = "))
        os.link(folder / "unit.c", os.fsencode(folder) + b"/\xff\xe9.c")
        (folder / "warned.c").write_text(UNIT.replace("map(to", "map(from"))
        return folder

    def processes(self) -> dict[int, list[int]]:
        """What the system says of servers and their children, in numbers, by their process."""
        found = {}
        for entry in Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if b"--serve" in words and os.fsencode(self.folder) in words:
                    state = (entry / "stat").read_text().rpartition(")")[2].split()
                    found[int(entry.name)] = [int(number) for number in state[1:12]]
            except OSError:
                continue
        return found

    def servers(self) -> dict[int, int]:
        """How many pages the children of each server have touched, by the server's process."""
        found = self.processes()
        return {one: numbers[7] for one, numbers in found.items() if numbers[0] not in found}

    def until_served(self, run: Callable[[], Any]) -> None:
        """Repeat a command until a server's child runs it."""
        for _ in range(60):
            before = self.servers()
            run()
            after = self.servers()
            if any(after.get(one, 0) > faults for one, faults in before.items()):
                return
            time.sleep(0.3)
        raise AssertionError("no server")

    def run(self, folder: Path, command: Sequence[str | bytes], **env: str | None) -> Outcome:
        given: dict[Any, Any] = {**self.env, **env}
        done = subprocess.run(
            command, cwd=folder, env={k: v for k, v in given.items() if v is not None}, capture_output=True, timeout=120
        )
        files = {
            str(path.relative_to(folder)): (path.stat().st_mode, path.read_bytes())
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        return Outcome(done.returncode, done.stdout, done.stderr, files)

    def both(self, name: str, command: Sequence[str | bytes], **env: Any) -> tuple[Outcome, Outcome]:
        """The outcome in a process of its own, and in a server's child. Both folders have the same path."""
        self.until_served(lambda: self._fresh(name, command, {**env, "REX_BUILD_SERVER": "on"}))
        alone = self._fresh(name, command, {**env, "REX_BUILD_SERVER": "off"})
        before = self.servers()
        served = self._fresh(name, command, {**env, "REX_BUILD_SERVER": "on"})
        assert any(self.servers().get(one, 0) > faults for one, faults in before.items()), "it was not served"
        return alone, served

    def _fresh(self, name: str, command: Sequence[str | bytes], env: dict[str, Any]) -> Outcome:
        folder = self.top / name
        shutil.rmtree(folder, ignore_errors=True)
        return self.run(self.project(name), command, **env)

    def end(self) -> None:
        """Servers end by themselves once their folder is gone."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for _ in range(100):
            if not self.servers():
                return
            time.sleep(0.1)
        raise AssertionError("a server does not end")
