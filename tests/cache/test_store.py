"""A store may be in any state. Outputs are right, there is at most a warning, and nothing outside of it is changed."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cache_project import DAMAGE, Project, events, store

import rex_build
from rex_build.cache.eviction import publish, read_size, scan, trim
from rex_build.cache.store import Settings, Store
from rex_build.cli.cache_commands import verify
from rex_build.cli.main import main

ROOT = os.geteuid() == 0


def _entries(folder: Path) -> list[Path]:
    return [path for kind in "mri" for path in (folder / kind).glob("*/*")]


def test_a_missing_store_is_made(project: Project, own_store: Path) -> None:
    assert not own_store.exists()
    project.lower()
    assert len(_entries(own_store)) == 2


def test_off(project: Project, own_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE", "off")
    project.lower()
    assert not own_store.exists()


def test_readonly(project: Project, own_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project.lower()
    before = {path: path.stat().st_mtime_ns for path in own_store.rglob("*")}
    monkeypatch.setenv("REX_BUILD_CACHE", "readonly")
    shutil.rmtree(project.out)
    project.lower()
    assert (project.out / "rose_unit.c").exists()
    project.lower("-DNEW")
    assert {path: path.stat().st_mtime_ns for path in own_store.rglob("*")} == before


@pytest.mark.parametrize("setting", [("REX_BUILD_CACHE", "often"), ("REX_BUILD_CACHE_SIZE", "big")])
def test_settings_that_make_no_sense(
    project: Project, setting: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(*setting)
    project.lower()
    assert f"warning: cache: {setting[0]}={setting[1]}" in capsys.readouterr().err
    assert project.lower() == "direct hit"


def test_the_configuration_file(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REX_BUILD_CACHE_DIR")
    config = tmp_path / "config/rex-build/cache.conf"
    config.parent.mkdir(parents=True)
    config.write_text(f"# where\nREX_BUILD_CACHE_DIR = {tmp_path}/elsewhere\n")
    project.lower()
    assert len(_entries(tmp_path / "elsewhere")) == 2


def test_the_default_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rex_build.cache.store import read_settings

    monkeypatch.delenv("REX_BUILD_CACHE_DIR")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert read_settings().root == f"{tmp_path}/.cache/rex-build"
    monkeypatch.setenv("XDG_CACHE_HOME", f"{tmp_path}/xdg")
    assert read_settings().root == f"{tmp_path}/xdg/rex-build"
    assert read_settings().limit == 5 * 10**9


# Damage


@pytest.mark.parametrize("kind", ["m", "r"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_entries(
    project: Project, own_store: Path, kind: str, damage: Callable[[Path], object], capsys: pytest.CaptureFixture[str]
) -> None:
    project.lower()
    (entry,) = (own_store / kind).glob("*/*")
    damage(entry)
    if entry.is_file() and not entry.is_symlink():
        assert list(verify(store())) == [str(entry)]
    # If the manifest is lost, the preprocessed text still finds the result.
    assert project.lower() == ("preprocessed hit" if kind == "m" else "miss: evicted")
    assert "warning: cache: entry" in capsys.readouterr().err
    assert project.lower() == "direct hit"
    outside = own_store.parent / "outside"
    assert not outside.exists() or outside.read_text() == "outside"


@pytest.mark.parametrize("change", ["pipe", "huge"])
def test_whatever_stands_in_place_of_files(project: Project, own_store: Path, change: str) -> None:
    """Entries, logs, notes and locks. Nobody writes to the pipes, and no memory holds the files."""
    project.lower()
    for file in [path for path in own_store.rglob("*") if path.is_file()]:
        if change == "huge":
            os.truncate(file, 1 << 40)
        else:
            file.unlink()
            os.mkfifo(file)
    source = str(project.root / "src/unit.c")
    lower = ["lower", source, "--out-dir", str(project.root / "again"), "--", f"-I{project.root}/include"]
    for words in (lower, ["cache", "stats"], ["cache", "verify"], ["cache", "trim", "--size", "1K"]):
        done = subprocess.run([sys.executable, "-m", "rex_build", *words], capture_output=True, text=True, timeout=100)
        assert done.returncode in (0, 1), done.stderr
        assert "Traceback" not in done.stderr


def test_a_shard_that_leads_elsewhere(project: Project, own_store: Path, tmp_path: Path) -> None:
    """A link inside the store is not followed, neither to write nor to evict."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / ("f" * 62)).write_text("precious")
    project.lower()
    for shard in own_store.glob("[mr]/*"):
        shutil.rmtree(shard)
        shard.symlink_to(elsewhere)
    project.lower()
    trim(store(), 0)
    assert [path.name for path in elsewhere.iterdir()] == ["f" * 62]


@pytest.mark.parametrize("part", ["m", "r", "new", "stats", "state", "locks"])
def test_a_part_of_the_store_that_leads_elsewhere(
    project: Project, own_store: Path, tmp_path: Path, part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is done to the store, the files behind the link do not change."""
    project.lower()
    elsewhere = tmp_path / "elsewhere"
    (own_store / part).rename(elsewhere)
    (own_store / part).symlink_to(elsewhere)
    for path in elsewhere.rglob("*"):
        if path.is_file():
            path.write_text("precious")
            os.utime(path, (1, 1))
    before = {path: path.stat().st_mtime_ns for path in (elsewhere, *elsewhere.rglob("*"))}
    project.lower()
    project.lower("-DNEW")
    trim(store(), 0)
    verify(store())
    for words in (["stats", "--zero"], ["trim", "--size", "0"], ["verify", "--remove"], ["clear"]):
        main(["cache", *words])
    assert {path: path.stat().st_mtime_ns for path in (elsewhere, *elsewhere.rglob("*"))} == before
    assert all(path.read_text() == "precious" for path in elsewhere.rglob("*") if path.is_file())


def test_a_store_in_a_folder_with_other_things(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If the folder is a user's home, files below names like the store's own are not touched."""
    home = tmp_path / "home"
    files = [home / name for name in ("new/mail", "stats/2024.csv", "state/of.txt", "locks/door", "m/y", "i/2/3")]
    for path in files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("precious")
        os.utime(path, (1, 1))
    monkeypatch.setenv("REX_BUILD_CACHE_DIR", str(home))
    project.lower()
    assert project.lower() == "direct hit"
    trim(store(), 0)
    for words in (["stats", "--zero"], ["trim", "--size", "0"], ["verify", "--remove"], ["clear"]):
        assert main(["cache", *words]) == 0
    assert sorted(path for path in home.rglob("*") if path.is_file()) == sorted(files)


def test_a_file_where_the_store_should_be(project: Project, own_store: Path) -> None:
    own_store.write_text("mine")
    project.lower()
    assert own_store.read_text() == "mine"


@pytest.fixture
def unwritable_store(own_store: Path) -> Iterator[Path]:
    """A store that nobody can write to, not even root."""
    own_store.mkdir(mode=0o555)
    if ROOT:
        if shutil.which("chattr") is None:
            pytest.skip("root writes everywhere, and there is no chattr")
        done = subprocess.run(["chattr", "+i", own_store], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"root writes everywhere here: {done.stderr.strip()}")
    yield own_store
    if ROOT:
        subprocess.run(["chattr", "-i", own_store], check=True)


def test_a_store_without_write_permission(
    project: Project, unwritable_store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        project.lower()
        assert "warning: cache: cannot" in capsys.readouterr().err
    assert not list(unwritable_store.iterdir())


def test_store_and_outputs_on_different_file_systems(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK) or memory.stat().st_dev == project.root.stat().st_dev:
        pytest.skip("/dev/shm is no other file system here")
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        monkeypatch.setenv("REX_BUILD_CACHE_DIR", folder)
        project.lower()
        shutil.rmtree(project.out)
        assert project.lower() == "direct hit"
        assert not verify(store())


def test_a_store_for_a_group(project: Project, own_store: Path) -> None:
    """If the folder's group may write, it may write to everything in the store, whatever the umask is."""
    own_store.mkdir()
    own_store.chmod(0o2775)
    before = os.umask(0o077)
    try:
        project.lower()
        project.lower()
    finally:
        os.umask(before)
    for path in own_store.rglob("*"):
        if path.name == f"memo.{os.getuid()}":  # only its owner trusts this file
            assert path.stat().st_mode & 0o7777 == 0o600
        elif path.is_dir():
            assert path.stat().st_mode & 0o7777 == 0o2775, path
        else:
            assert path.stat().st_mode & 0o060 == 0o060, path
    assert project.lower() == "direct hit"


def test_a_store_of_ones_own(project: Project, own_store: Path) -> None:
    before = os.umask(0o077)
    try:
        project.lower()
    finally:
        os.umask(before)
    assert not [path for path in own_store.rglob("*") if path.stat().st_mode & 0o077]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"cannot mount a tmpfs: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_full_disk(
    project: Project, small_disk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE_DIR", str(small_disk / "store"))
    (small_disk / "ballast").write_bytes(b"x" * 60_000)
    project.lower()
    project.lower()
    assert "No space left" in capsys.readouterr().err
    assert not verify(store())


def test_files_that_cannot_grow(project: Project, own_store: Path) -> None:
    """As with a quota: entries are larger than the outputs and do not fit."""
    project.lower()
    largest = max(path.stat().st_size for path in (project.out).iterdir())
    (entry,) = own_store.glob("r/*/*")
    assert largest < entry.stat().st_size
    shutil.rmtree(own_store)
    shutil.rmtree(project.out)
    main = Path(rex_build.__file__).parent / "__main__.py"
    line = [sys.executable, str(main), "lower", str(project.root / "src/unit.c"), "--out-dir", str(project.out)]
    command = f"ulimit -f {largest // 1024 + 1}; exec {shlex.join(line)} -- -I{project.root}/include"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert not done.returncode, done.stderr
    assert "warning: cache: cannot write to" in done.stderr
    assert (project.out / "rose_unit.c").exists()
    assert not _entries(own_store)
    assert not list((own_store / "new").iterdir())


def test_read_only_media(project: Project, small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE_DIR", str(small_disk))
    subprocess.run(["mount", "-o", "remount,size=16m", small_disk], check=True)
    project.lower()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    shutil.rmtree(project.out)
    project.lower()
    project.lower("-DNEW")
    assert (project.out / "rose_unit.c").exists()


def test_a_clock_set_back(project: Project, own_store: Path) -> None:
    """Entries, headers and notes with times in the future are as good as others."""
    project.lower()
    future = time.time() + 10**7
    for path in [*own_store.rglob("*"), project.root / "include/scale.h"]:
        os.utime(path, (future, future))
    assert project.lower() == "direct hit"
    project.lower("-DX")
    assert project.lower("-DX") == "direct hit"
    trim(store(), 0)
    assert not _entries(own_store)


# Placing outputs


def test_a_read_only_source_and_umask(project: Project) -> None:
    project.lower()
    (project.root / "src/unit.c").chmod(0o444)
    shutil.rmtree(project.out)
    before = os.umask(0o027)
    try:
        assert project.lower() == "direct hit"
    finally:
        os.umask(before)
    assert (project.out / "rose_unit.c").stat().st_mode & 0o777 == 0o640


def test_an_edited_output_does_not_reach_the_store(project: Project) -> None:
    project.lower()
    with (project.out / "rose_unit.c").open("r+b") as file:
        file.write(b"edited in place")
    assert project.lower() == "direct hit"
    assert not verify(store())


# Bounds


def _fill(settings: Settings, sizes: list[int]) -> list[str]:
    """Store entries of these payload sizes, each used a second later than the one before. Returns their paths."""
    held = Store(settings)
    paths = []
    for number, size in enumerate(sizes):
        key = f"{number:02x}" * 32
        publish(held, settings, "r", key, b"x" * size)
        os.utime(held.path("r", key), ns=(number * 10**9, number * 10**9))
        paths.append(held.path("r", key))
    return paths


def test_least_recently_used_goes_first(own_store: Path) -> None:
    settings = Settings(str(own_store), 10_000, "on", "")
    paths = _fill(settings, [1000] * 8)
    assert all(map(os.path.exists, paths))
    held = Store(settings)
    assert held.get("r", "00" * 32) is not None  # used just now
    publish(held, settings, "r", "ff" * 32, b"x" * 2000)
    assert os.path.exists(paths[0])
    assert not os.path.exists(paths[1])
    assert os.path.exists(held.path("r", "ff" * 32))
    assert sum(entry.size for entry in scan(held)) <= 10_000


def test_the_limit_holds(own_store: Path) -> None:
    settings = Settings(str(own_store), 50_000, "on", "")
    _fill(settings, [3000] * 60)
    held = Store(settings)
    size = sum(entry.size for entry in scan(held))
    assert 25_000 < size <= 50_000
    assert read_size(held) == (size, len(scan(held)))


def test_a_lost_note_of_the_size(own_store: Path) -> None:
    settings = Settings(str(own_store), 50_000, "on", "")
    _fill(settings, [3000] * 5)
    (own_store / "state/size").write_text("nonsense")
    assert read_size(Store(settings))[1] == 5


def test_units_stay_within_the_limit(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE_SIZE", "20K")
    for number in range(5):
        project.lower(f"-DN={number}")
    assert sum(entry.size for entry in scan(store())) <= 20_000
    assert events()["miss: not seen before"] == 5


def test_abandoned_files_are_removed(project: Project, own_store: Path) -> None:
    project.lower()
    old, new, other = (own_store / "new" / name for name in ("host.1.a.1.part", "host.1.a.2.part", "somebody's"))
    for path in (old, new, other):
        path.write_text("half of it")
    os.utime(old, (1, 1))
    os.utime(other, (1, 1))
    trim(store(), 10**9)
    assert new.exists()
    assert other.exists()
    assert not old.exists()
