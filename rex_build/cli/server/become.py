"""What a server's child does to be the command that has asked."""

from __future__ import annotations

import fcntl
import io
import marshal
import os
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

_PATIENCE_S = 5.0
_MOST_FILES = 253


def become(connection: socket.socket) -> None:
    """Take over what the command has sent, and tell it. Ends the process if that fails, or the command is gone."""
    try:
        os.setpgid(0, 0)
        connection.settimeout(_PATIENCE_S)
        connection.sendall(os.getpid().to_bytes(4, "little"))
        caller, arguments, environment, here, files = _received(connection)
        here, talk = _place_files(files, here, connection.detach())
        answers = socket.socket(fileno=talk)
        os.fchdir(here)
        os.close(here)
        os.environ.clear()
        os.environb.update(environment)
        time.tzset()
        sys.argv[:] = arguments
        _open_streams()
        with suppress(OSError):  # /proc may be read-only
            Path("/proc/self/comm").write_text(f"rex {caller}")
        answers.settimeout(_PATIENCE_S)
        answers.sendall(b".")
        begins = answers.recv(1) == b"!"
        answers.close()
    except BaseException:  # noqa: BLE001 - the command does its work itself
        os._exit(1)
    if not begins:
        os._exit(1)


def _received(connection: socket.socket) -> tuple[int, list[str], dict[bytes, bytes], int, dict[int, int]]:
    """(the command's process, its arguments, its environment, its folder, its open files by their numbers)."""
    data, ancillary, flags, _ = connection.recvmsg(1 << 16, socket.CMSG_SPACE(4 * _MOST_FILES), socket.MSG_CMSG_CLOEXEC)
    if flags & socket.MSG_CTRUNC or len(ancillary) != 1:
        raise OSError
    numbers = memoryview(ancillary[0][2]).cast("i").tolist()
    while len(data) < 8 or len(data) < 8 + int.from_bytes(data[:8], "little"):
        part = connection.recv(1 << 20)
        if not part:
            raise OSError
        data += part
    caller, arguments, environment, names = marshal.loads(data[8:])  # noqa: S302 - a process of this user has sent it
    here, *files = numbers
    if len(files) != len(names):
        raise OSError
    return caller, arguments, environment, here, dict(zip(names, files, strict=True))


def _place_files(files: dict[int, int], *kept: int) -> list[int]:
    """Give open files the numbers that they have in the command, and close all others but those to be ``kept``.

    Returns the numbers that these have now.
    """
    free = max([2, *files]) + 1
    moved = {number: fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, free) for number, file in files.items()}
    kept_now = [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, free) for file in kept]
    for number, file in moved.items():
        os.dup2(file, number, inheritable=True)
    for file in map(int, os.listdir("/proc/self/fd")):
        if file not in files and file not in kept_now:
            with suppress(OSError):  # the handle of the list itself
                os.close(file)
    return kept_now


def _open_streams() -> None:
    """Make the streams that Python makes when it starts, with the encodings that it has chosen for this process."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        made = getattr(sys, f"__{name}__")
        at_once = bool(number) and made.write_through  # python -u
        lines = number == 2 or (number == 1 and os.isatty(number))
        stream: Any = open(number, "rb" if not number else "wb", 0 if at_once else -1, closefd=False)  # noqa: SIM115
        stream = io.TextIOWrapper(stream, made.encoding, made.errors, "\n", lines, at_once)
        stream.mode = "w" if number else "r"
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
