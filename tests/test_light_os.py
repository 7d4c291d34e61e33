"""``base/light_os.py`` answers as ``os`` does, and a hit works without ``os``."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import rex_build
from rex_build.base import light_os

PARTS = ("a", "b", "file", "link", "up", "round", "nowhere", "absolute", "deep", "..", ".", "", "none")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with files, folders, and links of all kinds."""
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/file").touch()
    links = {"link": "a/b", "a/b/up": "../file", "round": "a/round", "a/round": "../round", "nowhere": "none"}
    for name, target in {**links, "absolute": str(tmp_path), "deep": "absolute/link/.././b/"}.items():
        (tmp_path / name).symlink_to(target)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_paths_are_those_of_os(folder: Path) -> None:
    asked = random.Random(1)
    for _ in range(3000):
        beginning = asked.choice(("", "", "", "/", "//", "///", f"{folder}/"))
        name = beginning + "/".join(asked.choices(PARTS, k=asked.randrange(1, 7)))
        for question in ("abspath", "basename", "dirname", "exists", "isabs", "isdir", "isfile", "islink", "lexists"):
            assert getattr(light_os.path, question)(name) == getattr(os.path, question)(name), (question, name)
        assert light_os.path.realpath(name) == os.path.realpath(name), name
        other = asked.choice(("", "/", "x", "./x"))
        assert light_os.path.join(name, other) == os.path.join(name, other), (name, other)
    assert light_os.path.samefile("deep", "a/b")
    assert not light_os.path.samefile("a", "a/b")


def test_the_rest_is_that_of_os(monkeypatch: pytest.MonkeyPatch) -> None:
    assert light_os.environ is os.environ
    assert light_os.path.commonpath is os.path.commonpath
    assert (light_os.pathsep, light_os.defpath, light_os.devnull) == (os.pathsep, os.defpath, os.devnull)
    for home in ("/home/me", "/home/me/", "/", ""):
        monkeypatch.setenv("HOME", home)
        assert light_os.path.expanduser("~") == os.path.expanduser("~")
    assert light_os.path.expanduser("~root/x") == os.path.expanduser("~root/x")
    # Without os, the variables are those that the process began with, in whatever bytes they are.
    environment = {"REX_BYTES": b"a\xffb", "PYTHONPATH": os.fsencode(Path(rex_build.__file__).parents[1])}
    program = (
        "import sys\nfrom rex_build.base import light_os\nassert 'os' not in sys.modules\n"
        "found = [light_os.getenv('REX_BYTES'), light_os.getenv('REX_NONE', 'none'), light_os.fsencode('\\udcff')]\n"
        "import os\nassert found == [os.getenv('REX_BYTES'), 'none', b'\\xff'], found"
    )
    subprocess.run([sys.executable, "-S", "-X", "utf8", "-c", program], env=environment, check=True)
