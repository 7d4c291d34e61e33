"""When servers start and end, and what becomes of a command whose process, server or child is killed."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from served import Place


class Running:
    """A command with a compiler that writes down its process, and sleeps."""

    def __init__(self, place: Place, tmp_path: Path, **env: str) -> None:
        self.place, self.folder = place, tmp_path / "project"
        self.folder.mkdir()
        (self.folder / "unit.c").write_text((place.top / "warm" / "unit.c").read_text())
        (self.folder / "gcc-that-sleeps").write_text(
            '#!/bin/sh\necho $$ $PPID >"$0.new"\nmv "$0.new" pid\nexec sleep 60\n'
        )
        (self.folder / "gcc-that-sleeps").chmod(0o755)
        ready = place.command("lower", "missing.c", "--out-dir", "out")
        place.until_served(lambda: place.run(self.folder, ready, **env))
        command = place.command("lower", "unit.c", "--out-dir", "out", "--cc", "./gcc-that-sleeps")
        self.process = subprocess.Popen(
            command, cwd=self.folder, env={**place.env, **env}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        wait((self.folder / "pid").exists)
        self.compiler, self.child = map(int, (self.folder / "pid").read_text().split())
        self.server = place.processes()[self.child][0]

    def status(self) -> int:
        self.process.communicate(timeout=20)
        wait(lambda: not alive(self.compiler))
        wait(lambda: not alive(self.child))
        assert not (self.folder / "out").exists()
        return self.process.returncode


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait(until: Any) -> None:
    for _ in range(400):
        if until():
            return
        time.sleep(0.05)
    raise AssertionError("it does not happen")


@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, -15), (signal.SIGHUP, -1), (signal.SIGQUIT, -3), (signal.SIGKILL, -9)],
)
def test_signals_end_all_that_a_command_has_started(place: Place, tmp_path: Path, number: int, status: int) -> None:
    running = Running(place, tmp_path)
    running.process.send_signal(number)
    assert running.status() == status
    assert alive(running.server)


def test_a_command_stops_and_goes_on(place: Place, tmp_path: Path) -> None:
    def state(process: int) -> str:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]

    running = Running(place, tmp_path)
    processes = (running.process.pid, running.child, running.compiler)
    running.process.send_signal(signal.SIGTSTP)
    wait(lambda: all(state(one) == "T" for one in processes))
    running.process.send_signal(signal.SIGCONT)
    wait(lambda: {state(one) for one in processes} == {"S"})
    running.process.send_signal(signal.SIGTERM)
    assert running.status() == -15


def test_an_ignored_signal_stays_ignored(place: Place, tmp_path: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        running = Running(place, tmp_path)
    finally:
        signal.signal(signal.SIGINT, before)
    running.process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert running.process.poll() is None
    running.process.send_signal(signal.SIGTERM)
    assert running.status() == -15


@pytest.mark.parametrize("what", ["child", "server"])
def test_a_process_of_the_server_s_is_killed(place: Place, tmp_path: Path, what: str) -> None:
    running = Running(place, tmp_path)
    os.kill(getattr(running, what), signal.SIGKILL)
    if what == "child":
        os.kill(running.compiler, signal.SIGKILL)  # it goes on, as the compiler of a killed command does
    assert running.status() == -9


def test_a_server_that_hangs_is_not_waited_for(place: Place, tmp_path: Path) -> None:
    command = place.command("lower", "missing.c", "--out-dir", "out")
    place.until_served(lambda: place.run(tmp_path, command))
    for server in place.servers():
        os.kill(server, signal.SIGSTOP)
    try:
        alone = place.run(tmp_path, command, REX_BUILD_SERVER="off")
        assert place.run(tmp_path, command) == alone
    finally:
        for server in place.servers():
            os.kill(server, signal.SIGCONT)


def test_many_at_once(place: Place, tmp_path: Path) -> None:
    (tmp_path / "unit.c").write_text((place.top / "warm" / "unit.c").read_text())
    place.until_served(lambda: place.run(tmp_path, place.command("lower", "missing.c", "--out-dir", "out")))
    processes = [
        subprocess.Popen(place.command("lower", "unit.c", "--out-dir", str(at)), cwd=tmp_path, env=place.env)
        for at in range(60)
    ]
    assert [process.wait() for process in processes] == [0] * 60
    assert len({(tmp_path / str(at) / "rex_lib_unit.cu").read_bytes() for at in range(60)}) == 1
    assert len({(tmp_path / str(at) / "rose_unit.c").read_bytes() for at in range(60)}) == 1


def test_one_command_alone_starts_none(own: Place) -> None:
    for words in (["--help"], ["--version"], ["doctor"], ["lower", "--help"], ["cache", "stats"]):
        own.run(own.top / "warm", own.command(*words))
        own.run(own.top / "warm", own.command(*words))
    assert not own.folder.exists()
    own.run(own.top / "warm", own.command("lower", "unit.c", "--out-dir", "o"))
    time.sleep(0.5)
    assert not own.servers()
    own.run(own.top / "warm", own.command("lower", "unit.c", "--out-dir", "o"))
    wait(own.servers)


def test_it_holds_nothing_of_the_build_open(own: Place) -> None:
    line = shlex.join(map(os.fsdecode, own.command("lower", "unit.c", "--out-dir", "o")))
    for _ in range(3):  # pipes to this process, to cat, and one that the build has for itself
        own.run(own.top / "warm", ["bash", "-c", f"exec 9> >(cat); {line} | cat"])
    wait(own.servers)
    (server,) = own.servers()
    wait((own.folder / own_name(own)).exists)
    names = {os.readlink(file) for file in Path(f"/proc/{server}/fd").iterdir()}
    allowed = (os.devnull, "socket:", str(own.folder))
    assert all(name.startswith(allowed) for name in names), names
    assert os.readlink(f"/proc/{server}/cwd") == "/"
    assert b"XDG_RUNTIME_DIR" not in Path(f"/proc/{server}/environ").read_bytes()
    state = Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()
    assert state[2:5] == [str(server), str(server), "0"]  # group, session, terminal


def own_name(place: Place) -> str:
    return next(path.stem for path in place.folder.iterdir() if path.suffix == ".lock")


def test_it_ends_when_a_source_changes(own: Place) -> None:
    command = own.command("lower", "missing.c", "--out-dir", "out")
    own.until_served(lambda: own.run(own.top / "warm", command))
    servers = own.servers()
    start = own.root / "rex_build" / "cli" / "start.py"
    text = start.read_text()
    start.write_text(text.replace("    return _end(", "    print('changed')\n    return _end("))
    said = own.run(own.top / "warm", own.command("lower", "unit.c")).out
    assert said == b"changed\n"
    wait(lambda: not set(servers) & set(own.servers()))
    own.until_served(lambda: own.run(own.top / "warm", own.command("lower", "unit.c")))
    assert own.run(own.top / "warm", own.command("lower", "unit.c")).out == said


def test_a_folder_that_others_may_write_is_not_used(own: Place) -> None:
    command = own.command("lower", "missing.c", "--out-dir", "out")
    own.until_served(lambda: own.run(own.top / "warm", command))
    before = own.servers()
    own.folder.chmod(0o770)
    own.run(own.top / "warm", command)
    assert own.servers() == before
    own.folder.chmod(0o700)


def test_it_ends_when_idle(own: Place) -> None:
    file = own.root / "rex_build" / "cli" / "server" / "serve.py"
    file.write_text(file.read_text().replace("IDLE_S = 30.0", "IDLE_S = 1.0"))
    own.until_served(lambda: own.run(own.top / "warm", own.command("lower", "missing.c", "--out-dir", "out")))
    wait(lambda: not own.servers())
    assert not list(own.folder.iterdir())


def test_old_locks_are_removed(own: Place) -> None:
    own.folder.mkdir(mode=0o700)
    old, new, other = (own.folder / name for name in ("old.lock", "new.lock", "other"))
    for file in (old, new, other):
        file.touch()
    os.utime(old, (1_000_000_000, 1_000_000_000))
    os.utime(other, (1_000_000_000, 1_000_000_000))
    own.run(own.top / "warm", own.command("lower", "unit.c", "--out-dir", "o"))
    assert not old.exists()
    assert new.exists()
    assert other.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs two users")
def test_no_folder_is_made_for_another_user(own: Place) -> None:
    os.chown(own.folder.parent, 12345, 12345)
    for _ in range(2):
        own.run(own.top / "warm", own.command("lower", "unit.c", "--out-dir", "o"))
    assert not own.folder.exists()


def test_commands_of_two_masks_have_two_servers(own: Place) -> None:
    line = shlex.join(map(os.fsdecode, own.command("lower", "missing.c", "--out-dir", "out")))
    for mask in ("022", "077"):
        own.until_served(lambda mask=mask: own.run(own.top / "warm", ["bash", "-c", f"umask {mask}; exec {line}"]))
    assert len(own.servers()) == 2
