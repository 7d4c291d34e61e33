"""Folders for the files in between, beside what is made of them. What killed processes left there goes first."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from pathlib import Path

from . import ending
from .diagnostics import ToolError


@contextmanager
def work_folder(output: Path) -> Iterator[Path]:
    """A new folder beside an output, which is gone afterwards. Raises ToolError if there cannot be one.

    The process holds a lock on it, which the kernel releases when the process ends, however it ends.
    """
    # Locks on a file system that several machines share may be each machine's own, so the name has the machine's.
    where = output.absolute().parent
    prefix = f".rex-work-{os.uname().nodename}-"
    try:
        with suppress(OSError):  # such a folder may be closed to readers
            for name in os.listdir(where):
                if name.startswith(prefix):
                    _take_away(where / name)
        folder, handle = _held(prefix, where)
    except OSError as error:
        raise ToolError(f"cannot write {output}: {error.strerror}") from error
    try:
        yield folder
    finally:
        ending.take_away(str(folder))
        os.close(handle)


class WorkFolder:
    """A ``work_folder`` beside an output that is made when its path is first asked for."""

    def __init__(self, output: Path) -> None:
        self._output = output
        self._stack = ExitStack()

    def __enter__(self) -> WorkFolder:  # noqa: PYI034 (Python 3.10 has no Self)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @cached_property
    def path(self) -> Path:
        return self._stack.enter_context(work_folder(self._output))


def _held(prefix: str, where: Path) -> tuple[Path, int]:
    """A new folder, and the lock on it. Raises OSError."""
    while True:
        folder = where / f"{prefix}{os.urandom(6).hex()}"
        ending.folders.append(str(folder))
        os.mkdir(folder, 0o700)
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:  # another process took it for a left one
            continue
        with suppress(OSError):  # the file system has no locks, so nobody takes anything away there
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.path.isdir(folder):  # or it was taken away before it was locked
            return folder, handle
        os.close(handle)


def _take_away(left: Path) -> None:
    """Take a folder away unless a process holds it."""
    with suppress(OSError):
        handle = os.open(left, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            import shutil

            shutil.rmtree(left)
        finally:
            os.close(handle)
