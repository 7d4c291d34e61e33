"""Runs command lines of rex-build in processes that one process forks, which has imported all of it: to start Python
and to import rex-build takes as long as to lower one of the programs, and four times as long as a small unit.

Tests ask it by ``call``. In the builds that they start, ``python`` asks it.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import os
import pkgutil
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NoReturn

TESTS = Path(__file__).resolve().parent
_starting = threading.Lock()
_servers: list[subprocess.Popen[bytes]] = []
_UNIT = """\
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double sum(int n, double *a)
{
    double s = 0;
#pragma omp target data map(tofrom: a[0:n])
    {
#pragma omp target teams distribute parallel for reduction(+: s)
        for (int i = 0; i < n; i++)
            s += sqrt(a[i]);
#pragma omp target
        {
#pragma omp parallel for
            for (int i = 0; i < n; i++)
                a[i] *= 2;
        }
    }
    return s;
}
"""


def call(
    arguments: Sequence[str], seconds: float, env: Mapping[str, str], cwd: Path | None, root: Path = TESTS.parent
) -> tuple[int | None, bytes, bytes]:
    """The exit status (negative: the signal that ended it, None: out of time), the output and the errors of one
    command line of the rex-build in ``root``."""
    with tempfile.TemporaryDirectory(prefix="rex-forked-") as name, socket.socket(socket.AF_UNIX) as server:
        folder = Path(name)
        with _starting:
            server.connect(str(_serving(root) / "socket"))
        words = [0o22, os.path.abspath(cwd or "."), len(arguments), *arguments, *(f"{k}={v}" for k, v in env.items())]
        message = b"".join(os.fsencode(str(word)) + b"\0" for word in words)
        with open(os.devnull, "rb") as none, open(folder / "1", "wb") as out, open(folder / "2", "wb") as errors:
            size = len(message).to_bytes(8, "little")
            socket.send_fds(server, [size], [stream.fileno() for stream in (none, out, errors)])
        server.sendall(message)
        server.settimeout(seconds)
        try:
            status = os.waitstatus_to_exitcode(int(server.recv(16)))
        except TimeoutError:
            status = None
        return status, (folder / "1").read_bytes(), (folder / "2").read_bytes()


@cache
def python(root: Path) -> Path:
    """A program in Python's place that has the commands of the rex-build in ``root`` run. It is Python for all else."""
    with _starting:
        folder = _serving(root)
    places = {"MAIN": root / "rex_build" / "__main__.py", "PYTHON": sys.executable, "SOCKET": folder / "socket"}
    macros = [f'-D{name}="{place}"' for name, place in places.items()]
    command = ["gcc", "-w", *macros, str(TESTS / "in_place_of_python.c"), "-o", str(folder / "python")]
    subprocess.run(command, check=True)
    return folder / "python"


def spent() -> float:
    """The processor seconds of all commands, with their processes."""
    ticks = 0
    for server in _servers:
        words = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
        ticks += sum(map(int, words[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


@cache
def _serving(root: Path) -> Path:
    """The folder with the socket of the process that has imported the rex-build in ``root``."""
    folder = Path(tempfile.mkdtemp(prefix="rex-forked-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    command = [sys.executable, __file__, str(root), str(folder)]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdout is not None
    assert server.stdout.readline() == b"listens\n"
    _servers.append(server)
    return folder


def _serve(root: str, folder: str) -> None:
    """Answers each command line with what wait() says of its process, until this process's input ends."""
    sys.path[0] = root
    package = importlib.import_module("rex_build")
    for module in pkgutil.walk_packages(package.__path__, "rex_build."):
        importlib.import_module(module.name)
    _lower_once()
    gc.freeze()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"{folder}/socket")
    listener.listen(100)
    ended, end = socket.socketpair()
    end.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(end.fileno())
    print("listens", flush=True)
    poll = select.poll()
    for source in (sys.stdin, listener, ended):
        poll.register(source, select.POLLIN)
    running: dict[int, socket.socket] = {}
    while sys.stdin.fileno() not in (ready := [source for source, _ in poll.poll()]):
        if listener.fileno() in ready:
            client = listener.accept()[0]
            child = os.fork()
            if child == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for other in (listener, ended, end, *running.values()):
                    other.close()
                _run(root, client)
            running[child] = client
            poll.register(client, select.POLLRDHUP)
        for child, client in running.items():
            if client.fileno() in ready:  # who asked has ended
                poll.unregister(client)
                os.kill(child, signal.SIGTERM)
        if ended.fileno() in ready:
            ended.recv(1000)
        while running and (found := os.waitpid(-1, os.WNOHANG))[0]:
            client = running.pop(found[0])
            with suppress(KeyError, OSError):
                poll.unregister(client)
                client.sendall(str(found[1]).encode())
            client.close()


def _lower_once() -> None:
    """Lower a unit of C and one of C++, so that patterns are compiled, templates read and libclang loaded. What the
    environment decides is forgotten again: each command has its own."""
    main = importlib.import_module("rex_build.cli.main").main
    environment = dict(os.environ)
    os.environ["REX_BUILD_CACHE"] = "off"
    with tempfile.TemporaryDirectory(prefix="rex-forked-") as folder:
        for name in ("unit.c", "unit.cpp"):
            unit = Path(folder, name)
            unit.write_text(_UNIT)
            main(["lower", str(unit), "--out-dir", folder])
    os.environ.clear()
    os.environ.update(environment)
    libclang = importlib.import_module("rex_build.cxx.libclang")
    libclang._folders.cache_clear()
    libclang.load.cache_clear()


def _run(root: str, client: socket.socket) -> NoReturn:
    """What ``python -m rex_build`` does, in this process."""
    size, streams, _, _ = socket.recv_fds(client, 8, 3)
    with client.makefile("rb") as message:
        text = message.read(int.from_bytes(size, "little"))
    client.close()
    mask, cwd, count, *words = map(os.fsdecode, text.split(b"\0")[:-1])
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.umask(int(mask))
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(entry.split("=", 1) for entry in words[int(count) :])
    sys.argv = [f"{root}/rex_build/__main__.py", *words[: int(count)]]
    status: object = 1
    try:
        status = importlib.import_module("rex_build.__main__").main()
    except SystemExit as ended:
        status = ended.code
    except BaseException:  # noqa: BLE001 - as Python reports what nobody caught
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else status is not None)


if __name__ == "__main__":
    _serve(sys.argv[1], sys.argv[2])
