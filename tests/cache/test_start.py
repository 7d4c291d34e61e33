"""Builds start the package itself with ``python -S``. Hits need neither ``site`` nor what it would import."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest
from cache_project import Project, events

import rex_build

PACKAGE = Path(rex_build.__file__).parent


class Environment:
    """A virtual environment with rex-build in it, or with a path to a checkout of it."""

    def __init__(self, root: Path, checkout: Path | None) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", root], check=True)
        self.python = root / "bin/python"
        self.site = next((root / "lib").glob("python3*")) / "site-packages"
        self.package = (checkout or self.site) / "rex_build"
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        paths = [*([checkout] if checkout else []), sysconfig.get_path("purelib")]
        (self.site / "others.pth").write_text("".join(f"{path}\n" for path in paths))
        time.sleep(2.1)  # younger files are read each time

    def lower(self, project: Project, *options: str) -> tuple[str, bool]:
        """(the event that was counted, whether ``site`` was imported)."""
        before = events()
        line = [str(self.python), "-X", "importtime", *options, str(self.package / "__main__.py"), "lower"]
        line += [str(project.root / "src/unit.c"), "--out-dir", str(project.out), "--base-dir", str(project.root)]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(
            [*line, "--", f"-I{project.root}/include"], capture_output=True, text=True, env=environment
        )
        assert not done.returncode, done.stderr
        new = [name for name, count in events().items() if count != before.get(name)]
        return new[0], "| site\n" in done.stderr


@pytest.mark.parametrize("checkout", ["", "a checkout"])
def test_hits_do_without_site(project: Project, tmp_path: Path, checkout: str) -> None:
    environment = Environment(tmp_path / "a venv", tmp_path / checkout if checkout else None)
    assert environment.lower(project, "-S") == ("miss: not seen before", True)
    assert environment.lower(project, "-S") == ("direct hit", False)
    # The key is the same as after any other way to start rex-build.
    assert environment.lower(project) == ("direct hit", True)


def test_a_library_that_changes_places(project: Project, tmp_path: Path) -> None:
    """The search path is remembered. An installation that changes it also changes the state of one of its folders."""
    environment = Environment(tmp_path / "venv", None)
    environment.lower(project, "-S")
    assert environment.lower(project, "-S") == ("direct hit", False)
    library = Path(sysconfig.get_path("purelib")) / "pycparser"
    shutil.copytree(library, tmp_path / "newer/pycparser")
    with (tmp_path / "newer/pycparser/__init__.py").open("a") as file:
        file.write("# of another version\n")
    (environment.site / "a.pth").write_text(f"{tmp_path}/newer\n")
    assert environment.lower(project, "-S") == ("miss: not seen before", True)
