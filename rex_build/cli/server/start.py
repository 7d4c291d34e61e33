"""Starts a server, for the commands that follow."""

from __future__ import annotations

import fcntl
import os
import sys
import time
from contextlib import suppress

from . import alike
from .ask import SERVE, variables

LOCK = 3  # the number under which a server has its locked file
# Commands that follow each other within this time are a build.
_BUILD_S = 15
_KEPT_S = 24 * 3600


def start(name: str) -> None:
    """Start the server of this name if another command has missed it shortly before, and nobody has started it yet."""
    with suppress(OSError, NotImplementedError):
        path = alike.folder()
        # With sudo, HOME may be another user's, who could not use the folder then.
        if not os.path.isdir(path) and os.stat(os.path.dirname(path)).st_uid == os.geteuid():
            os.mkdir(path, 0o700)
        folder = alike.opened(path)
        if folder is None:
            return
        lock = f"/proc/self/fd/{folder}/{name}.lock"
        is_known = os.path.exists(lock)
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        if not is_known:
            _tidy(f"/proc/self/fd/{folder}")
            return
        if not -1 < time.time() - os.fstat(handle).st_mtime < _BUILD_S:
            os.utime(handle)
            return
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.stat(lock).st_ino == os.fstat(handle).st_ino:
            _spawn(name, path, fcntl.fcntl(handle, fcntl.F_DUPFD_CLOEXEC, 10))


def _tidy(folder: str) -> None:
    """Remove the locks of servers that nobody has missed for a day."""
    for name in os.listdir(folder):
        path = f"{folder}/{name}"
        if name.endswith(".lock") and time.time() - os.stat(path).st_mtime > _KEPT_S:
            with open(path, "rb") as file, suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(path)


def _spawn(name: str, folder: str, lock: int) -> None:
    """Start the process, which gets the lock, and nothing else that is open here."""
    program = [sys.executable, *(alike.python_options() or ()), f"{alike.PACKAGE}/__main__.py", SERVE, name, folder]
    program += alike.first_folders()
    environment = alike.chosen_variables(variables())
    numbers = [int(number) for number in os.listdir("/proc/self/fd")]
    if os.fork():
        return
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(nothing, number)
        os.dup2(lock, LOCK)
        for number in numbers:
            if number > LOCK:
                with suppress(OSError):
                    os.set_inheritable(number, False)
        os.execve(sys.executable, program, environment)  # noqa: S606
    finally:
        os._exit(127)
