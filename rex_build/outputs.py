"""Put output files in place: all of them or none, and only those that differ."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .diagnostics import ToolError


def place(files: Sequence[tuple[Path, str]]) -> None:
    """Write each (path, text) that is not there already, beside its place first and then by renaming.

    A file that is up to date keeps its time stamp, so that build systems skip what follows from it. Raises ToolError,
    with no output left behind, when a file cannot be written.
    """
    pending: list[tuple[str, Path]] = []
    try:
        for path, text in files:
            data = text.encode("utf-8", "surrogateescape")
            try:
                if path.read_bytes() == data:
                    continue
            except OSError:
                pass
            pending.append((_write_beside(path, data), path))
        while pending:
            temporary, path = pending[0]
            os.replace(temporary, path)
            pending.pop(0)
    except OSError as error:
        raise ToolError(f"cannot write {error.filename or files[0][0]}: {error.strerror}") from None
    finally:
        for temporary, _ in pending:
            os.unlink(temporary)


def _write_beside(path: Path, data: bytes) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        raise IsADirectoryError(21, "is a directory", str(path))
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        # mkstemp makes files private; outputs have the permissions that the user's umask gives.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
    except OSError:
        os.unlink(temporary)
        raise
    return temporary
