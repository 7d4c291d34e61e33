"""Runs command lines of rex-build in processes that one process forks, which has imported all of it: to start Python
and to import rex-build takes about as long as to lower one of the programs.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

_ROOT = Path(__file__).resolve().parents[1]
_own = threading.local()
spent = 0.0  # processor seconds of all commands and their processes
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
    arguments: Sequence[str], seconds: float, env: Mapping[str, str], cwd: Path | None, root: Path = _ROOT
) -> tuple[int | None, bytes, bytes]:
    """The exit status (negative: the signal that ended it, None: out of time), the output and the errors of one
    command line of the rex-build in ``root``. Each thread has a process of its own that forks."""
    global spent  # noqa: PLW0603
    if not hasattr(_own, "servers"):
        _own.servers = {}
    if root not in _own.servers:
        command = [sys.executable, __file__, str(root)]
        _own.servers[root] = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    server: subprocess.Popen[bytes] = _own.servers[root]
    assert server.stdin is not None
    assert server.stdout is not None
    with tempfile.TemporaryDirectory(prefix="rex-forked-") as folder:
        request = [list(arguments), int(seconds), dict(env), os.path.abspath(cwd or "."), folder]
        server.stdin.write(json.dumps(request).encode() + b"\n")
        server.stdin.flush()
        words = server.stdout.readline().split()
        status = int(words[0])
        spent += float(words[1])
        texts = [Path(folder, name).read_bytes() for name in ("stdout", "stderr")]
    return (None if status == -signal.SIGALRM else status), texts[0], texts[1]


def _serve() -> None:
    sys.path[0] = sys.argv[1]
    package = importlib.import_module("rex_build")
    for module in pkgutil.walk_packages(package.__path__, "rex_build."):
        importlib.import_module(module.name)
    _lower_once()
    gc.freeze()
    for line in sys.stdin.buffer:
        child = os.fork()
        if child == 0:
            _run(*json.loads(line))
        _, status, used = os.wait4(child, 0)
        print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, flush=True)


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


def _run(arguments: list[str], seconds: int, env: dict[str, str], cwd: str, folder: str) -> NoReturn:
    """What ``python -m rex_build`` does, in this process."""
    signal.alarm(seconds)
    for number, name in enumerate((os.devnull, f"{folder}/stdout", f"{folder}/stderr")):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), number)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = [f"{sys.path[0]}/rex_build/__main__.py", *arguments]
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
    _serve()
