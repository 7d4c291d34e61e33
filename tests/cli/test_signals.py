"""Signals that end a process: outputs are complete or not there, and nothing else stays."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rex_build

COMMAND = (sys.executable, "-S", "-X", "utf8", str(Path(rex_build.__file__).parent / "__main__.py"))
UNIT = """\
void scale(int n, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}
int main(void) { double x[4] = {0}; scale(4, x); return 0; }
"""
ENDING = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGALRM", "SIGXCPU", "SIGUSR1", "SIGUSR2")


def _files(folder: Path) -> set[str]:
    """All names. What gcc's own programs leave when gcc ends before them does not count."""
    names = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    return {name for name in names if not name.startswith("temporary/cc")}


def _ended(command: tuple[str, ...], folder: Path, number: int, after: float) -> int:
    """Run a command and send it a signal after some seconds. Returns its status."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(after)
        process.send_signal(number)
        return process.wait(60)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ENDING)
@pytest.mark.parametrize("command", ["lower", "rex-gcc"])
def test_nothing_stays(name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE", "off")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("REX_DEVICES", "cpu")
    (tmp_path / "temporary").mkdir()
    (tmp_path / "unit.c").write_text(UNIT)
    words, outputs = {
        "lower": (("lower", "unit.c", "--out-dir", "."), {"rose_unit.c", "rex_lib_unit.cu"}),
        "rex-gcc": (("rex-cc", "gcc", "-c", "unit.c"), {"unit.o"}),
    }[command]
    start = time.monotonic()
    subprocess.run((*COMMAND, *words), cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
    takes = time.monotonic() - start
    before = _files(tmp_path)
    pick = random.Random(name)
    statuses = set()
    for _ in range(3):
        for output in outputs:
            (tmp_path / output).unlink(missing_ok=True)
        # Before the first tenth, Python itself is not ready yet.
        statuses.add(_ended((*COMMAND, *words), tmp_path, getattr(signal, name), takes * pick.uniform(0.1, 1)))
        assert _files(tmp_path) <= before
    assert statuses <= {0, -getattr(signal, name)}


def test_what_a_kill_leaves_goes_with_the_next_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REX_BUILD_CACHE", "off")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("REX_DEVICES", "cpu")
    (tmp_path / "temporary").mkdir()
    (tmp_path / "unit.c").write_text(UNIT)
    words = ("rex-cc", "gcc", "-c", "unit.c")
    subprocess.run((*COMMAND, *words), cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
    before = _files(tmp_path)
    left = 0
    with subprocess.Popen((*COMMAND, *words), cwd=tmp_path, stderr=subprocess.DEVNULL) as other:
        while not left:  # the other one's folder is there, and only that one's
            left = len(_files(tmp_path) - before)
        subprocess.run((*COMMAND, *words), cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
        other.wait(60)
    assert other.returncode == 0, "a folder that is in use was taken away"
    for after in (0.3, 0.6):
        _ended((*COMMAND, *words), tmp_path, signal.SIGKILL, after)
    time.sleep(0.5)  # the compilers that it ran are still at work
    subprocess.run((*COMMAND, *words), cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
    assert _files(tmp_path) == before


def test_a_signal_while_outputs_are_placed(tmp_path: Path) -> None:
    """Both files are there, or neither, whenever the signal comes."""
    program = f"""
import os, signal, sys
sys.path.insert(0, {str(Path(rex_build.__file__).parents[1])!r})
from rex_build.base import ending, outputs
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup leaves it ignored
ending.clean_up_first()
step = int(sys.argv[1])
def count(event, arguments):
    global step
    if event in ("open", "os.rename"):
        step -= 1
        if step == 0:
            os.kill(os.getpid(), signal.SIGHUP)
sys.addaudithook(count)
try:
    outputs.place([("one", "1"), ("two", "2")])
except ending.EndedError as ended:
    ended.die()
"""
    seen = set()
    for step in range(1, 14):
        for name in ("one", "two"):
            (tmp_path / name).unlink(missing_ok=True)
        done = subprocess.run([sys.executable, "-c", program, str(step)], cwd=tmp_path, check=False)
        assert _files(tmp_path) == (set() if done.returncode else {"one", "two"})
        seen.add(done.returncode)
    assert seen == {0, -signal.SIGHUP}


def test_what_a_kill_leaves_beside_an_output_goes_when_it_is_asked_for_again(tmp_path: Path) -> None:
    """Whether it is made again or up to date. What another process writes stays, and what has another name."""
    program = f"""
import os, signal, sys
sys.path.insert(0, {str(Path(rex_build.__file__).parents[1])!r})
from rex_build.base import outputs
if sys.argv[1] == "kill":
    outputs.os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
elif sys.argv[1] == "beside":
    outputs.os.replace = lambda *_: print(*sorted(os.listdir()), flush=True) or sys.stdin.read()
outputs.place([("one", sys.argv[2])])
"""

    def run(*words: str) -> int:
        return subprocess.run([sys.executable, "-c", program, *words], cwd=tmp_path, check=False).returncode

    assert run("kill", "text") == -signal.SIGKILL
    assert len(_files(tmp_path)) == 1
    assert run("", "text") == 0
    assert _files(tmp_path) == {"one"}
    assert run("kill", "other") == -signal.SIGKILL
    assert len(_files(tmp_path)) == 2
    assert run("", "text") == 0
    assert _files(tmp_path) == {"one"}
    (tmp_path / ".one.txt").touch()
    command = [sys.executable, "-c", program, "beside", "theirs"]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        names = {*other.stdout.readline().decode().split()}
        assert run("", "ours") == 0
        assert _files(tmp_path) == names
        assert (tmp_path / "one").read_text() == "ours"
        other.communicate(b"")


def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    """As under nohup."""
    (tmp_path / "unit.c").write_text(UNIT)
    with subprocess.Popen(
        (*COMMAND, "lower", "unit.c", "--out-dir", "."),
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),  # noqa: PLW1509
        env={**os.environ, "REX_BUILD_CACHE": "off"},
    ) as process:
        time.sleep(0.1)
        process.send_signal(signal.SIGHUP)
        assert process.wait(60) == 0
    assert (tmp_path / "rose_unit.c").exists()
