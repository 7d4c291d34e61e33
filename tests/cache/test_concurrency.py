"""Runs many processes on one store. bench/cache/stress.py does the same at full size."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cache_project import Project, events, store

import rex_build
from rex_build.cache.eviction import publish, scan, sweep
from rex_build.cache.locks import only_one
from rex_build.cache.store import HEADER_BYTES, Settings, Store, digest, read_settings
from rex_build.cli.cache_commands import verify

ROOT = Path(__file__).resolve().parents[2]
MAIN = Path(rex_build.__file__).parent / "__main__.py"


def test_each_key_is_computed_once_and_kills_damage_nothing(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "bench/cache/stress.py"), "--processes", "16", "--keys", "40"]
    command += ["--kills", "60"]
    done = subprocess.run([*command, str(tmp_path / "work")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr


def test_entries_appear_where_nobody_evicts(own_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An eviction counts the store anew, and would miss an entry that was noted before and appears after it."""
    settings = Settings(str(own_store), 100_000, "on", "")
    held = Store(settings)
    place = Store.place
    locked = []

    def watched(store: Store, written: str, kind: str, key: str) -> bool:
        with (own_store / "state/size.lock").open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                locked.append(key)
        return place(store, written, kind, key)

    monkeypatch.setattr(Store, "place", watched)
    assert publish(held, settings, "i", digest(b"one"), bytes(10_000))
    assert locked == [digest(b"one")]


def test_what_others_write_counts(own_store: Path) -> None:
    settings = Settings(str(own_store), 100_000, "on", "")
    held = Store(settings)
    for number in range(5):
        assert held.write("i", digest(b"%d" % number), bytes(10_000))
    for number in range(30):
        publish(held, settings, "i", digest(b"late %d" % number), bytes(10_000))
    assert 0 < sum(entry.size for entry in scan(held)) <= 50_000


def test_killed_writers_leave_room_to_others(own_store: Path) -> None:
    settings = Settings(str(own_store), 100_000, "on", "")
    held = Store(settings)
    child = os.fork()
    if not child:
        for number in range(5):
            held.write("i", digest(b"%d" % number), bytes(10_000))
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    alive = held.write("i", digest(b"alive"), bytes(10_000))
    assert alive
    for path in (own_store / "new").iterdir():
        os.utime(path, (1, 1))
    assert sweep(held) == 10_000 + HEADER_BYTES
    assert [str(path) for path in (own_store / "new").iterdir()] == [alive[0]]
    assert held.place(alive, "i", digest(b"alive"))


def _line(project: Project) -> list[str]:
    line = [sys.executable, str(MAIN), "lower", str(project.root / "src/unit.c"), "--out-dir"]
    return [*line, str(project.out), "--base-dir", str(project.root), "--", f"-I{project.root}/include"]


def test_two_command_lines_at_once(project: Project) -> None:
    time.sleep(0.05)
    running = [subprocess.Popen(_line(project), stderr=subprocess.PIPE) for _ in range(3)]
    assert [process.communicate()[1] for process in running] == [b""] * 3
    assert events() == {"miss: not seen before": 1, "direct hit": 2}


def test_a_killed_holder_blocks_nobody(project: Project) -> None:
    child = os.fork()
    if not child:
        with only_one(store(), "abc"):
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    start = time.monotonic()
    with only_one(store(), "abc"):
        assert time.monotonic() - start < 5


def test_who_waits_in_vain_does_the_work(project: Project) -> None:
    with only_one(store(), "abc") as waited:
        assert not waited
        start = time.monotonic()
        with only_one(store(), "abc", patience_s=0.2) as waited_inside:
            assert waited_inside
        assert 0.1 < time.monotonic() - start < 5


def test_readers_do_not_wait(project: Project) -> None:
    assert publish(store(), read_settings(), "r", "ab" * 32, b"content")
    with only_one(store(), "ab" * 32):
        assert store().get("r", "ab" * 32) == b"content"


@pytest.mark.parametrize("seconds", [0.1, 0.2, 0.3, 0.4])
def test_a_killed_command_line_leaves_whole_outputs(project: Project, seconds: float) -> None:
    """Whenever the process dies, existing outputs are complete and the next run is right."""
    process = subprocess.Popen(_line(project), stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    process.kill()
    process.wait()
    for path in project.out.glob("r*"):
        assert path.read_text().endswith("\n")
    assert not verify(store())
    project.lower()


_NO_LOCKS = """\
#include <errno.h>
#include <sys/file.h>
int flock(int file, int how) { (void)file; (void)how; errno = %s; return -1; }
"""


@pytest.mark.parametrize("error", ["ENOSYS", "ENOLCK", "EOPNOTSUPP"])
def test_where_files_cannot_be_locked(project: Project, tmp_path: Path, error: str) -> None:
    """On Lustre without ``flock``, or NFS without its lock daemon, the cache warns at once and works."""
    (tmp_path / "locks.c").write_text(_NO_LOCKS % error)
    library = tmp_path / "locks.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, tmp_path / "locks.c"], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    start = time.monotonic()
    first = subprocess.run(_line(project), env=environment, capture_output=True, text=True, check=True)
    assert time.monotonic() - start < 20
    assert first.stderr.count("warning: cache: cannot lock files in") == 2  # for keys and for the size
    second = subprocess.run(_line(project), env=environment, capture_output=True, text=True, check=True)
    assert second.stderr == ""
    assert events() == {"miss: not seen before": 1, "direct hit": 1}
