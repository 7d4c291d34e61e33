"""Modules that are imported together are those that Python would import, whatever has happened to their files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rex_build.base import kept, together

# Imports the package below the current folder, and prints where each module's code came from and what it says.
PROGRAM = """
import sys
sys.path[:0] = [sys.argv[1], "."]
from rex_build.base import kept
kept.FILE = "kept"
from rex_build.base.together import together
with together("x"):
    import app.first, app.below.second
for name in ("app", "app.first", "app.below", "app.below.second"):
    module = sys.modules[name]
    print(type(module.__spec__.loader).__name__.strip("_"), module.__file__, getattr(module, "WORD", ""))
    assert module.__loader__ is module.__spec__.loader and module.__cached__.endswith(".pyc"), name
    assert module.__package__ == (name if hasattr(module, "__path__") else name.rpartition(".")[0])
assert not any("Finder" in repr(type(one)) and "together" in repr(one) for one in sys.meta_path)
"""
SEARCHED, AT_HAND = "SourceFileLoader", "Loader"


@pytest.fixture
def app(tmp_path: Path) -> Path:
    for name, text in {"__init__": "", "first": "WORD = 1", "below/__init__": "", "below/second": "WORD = 2"}.items():
        (tmp_path / f"app/{name}.py").parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"app/{name}.py").write_text(text)
    return tmp_path


def imported(folder: Path, *options: str) -> dict[str, tuple[str, str]]:
    """How each module came, and its word, by its file below ``folder``."""
    command = [sys.executable, *options, "-c", PROGRAM, str(Path(kept.__file__).parents[2])]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split(" ") for line in done.stdout.splitlines()]
    return {os.path.relpath(file, folder): (loader, word) for loader, file, word in rows}


def test_modules_come_from_one_file_until_they_change(app: Path) -> None:
    words = {"app/__init__.py": "", "app/first.py": "1", "app/below/__init__.py": "", "app/below/second.py": "2"}

    def came(loader: str, **others: str) -> dict[str, tuple[str, str]]:
        """The package itself is always searched for."""
        by_file = {"app/__init__.py": SEARCHED, **{f: others.get(Path(f).stem, loader) for f in [*words][1:]}}
        return {file: (by_file[file], word) for file, word in words.items()}

    assert imported(app) == came(SEARCHED)
    assert imported(app) == came(AT_HAND)
    kept_file = app / "kept.x"
    whole, state = kept_file.read_bytes(), kept_file.stat()

    # A changed module is read again, alone, and is at hand the next time. Under -B nothing is written.
    (app / "app/first.py").write_text("WORD = 12")
    words["app/first.py"] = "12"
    assert imported(app, "-B") == came(AT_HAND, first=SEARCHED)
    assert kept_file.stat() == state or kept_file.stat().st_mtime_ns == state.st_mtime_ns
    assert imported(app) == came(AT_HAND, first=SEARCHED)
    assert imported(app) == came(AT_HAND)

    # Another time of the same text counts as a change, as does another place of the whole package.
    os.utime(app / "app/below/second.py", (1, 1))
    assert imported(app) == came(AT_HAND, second=SEARCHED)
    shutil.copytree(app / "app", app / "other/app", copy_function=shutil.copy2)
    shutil.copy(kept_file, app / "other/kept.x")
    assert {file for file, (loader, _) in imported(app / "other").items() if loader == SEARCHED} == set(words)

    # A file that is damaged is as good as none.
    for damaged in (b"", whole[:1000], whole[:-10]):
        kept_file.write_bytes(damaged)
        assert imported(app) == came(SEARCHED)
        assert imported(app) == came(AT_HAND)


def test_a_module_that_is_gone_is_not_found(app: Path) -> None:
    imported(app)
    (app / "app/first.py").unlink()
    with pytest.raises(AssertionError, match=r"app\.first"):
        imported(app)


def test_the_state_of_a_file_that_is_not_there() -> None:
    assert together._state("/no/such/file") is None
