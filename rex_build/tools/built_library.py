"""Builds libraries and objects of ours from C, once for each user, compiler and version of the text."""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import stat
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ..base.diagnostics import Diagnostic, ToolError
from ..base.work_folder import work_folder
from .toolchain import find_cc


def built_library(source: Path, options: Sequence[str], libraries: Sequence[str], kind: str) -> Path | None:
    """The library of a C source and of the headers beside it, or None if there is no place where it can be kept.

    ``kind`` is part of the name of that place. Raises ToolError if there is no compiler or if it fails.
    """
    texts = [path.read_bytes() for path in sorted(source.parent.glob("*.[ch]"))]
    words = [*find_cc().command, *options, *libraries, platform.machine()]
    library = kept_file(kind, [*texts, os.fsencode(shlex.join(words))], ".so")
    if library is None or is_ours(library):
        return library
    return build_library(source, options, libraries, library)


def build_library(source: Path, options: Sequence[str], libraries: Sequence[str], library: Path) -> Path:
    """Build the library under a name. Raises ToolError."""
    return compiled([*find_cc().command, *options, "-shared", "-fPIC", str(source), *libraries], library)


def compiled(command: Sequence[str], result: Path) -> Path:
    """Let a compiler write a file. Its name is there only when the file is whole. Raises ToolError."""
    with work_folder(result) as folder:
        part = folder / result.name
        command = [*command, "-o", str(part)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        except OSError as error:
            raise ToolError(f"{shlex.join(command)} failed: {error.strerror}") from error
        if done.returncode:
            message = f"{shlex.join(command)} failed"
            raise ToolError([Diagnostic("error", message, notes=tuple(done.stderr.splitlines()[:5]))])
        part.chmod(0o700)
        part.replace(result)
    return result


def kept_file(kind: str, made_from: Sequence[bytes], suffix: str) -> Path | None:
    """Where a file is kept that is made from these texts, or None if there is no place. It may not be there yet."""
    kept = _private_folder(kind)
    name = hashlib.sha256(b"\0".join(made_from)).hexdigest()[:20] + suffix
    return None if kept is None else kept / name


def _private_folder(kind: str) -> Path | None:
    """A folder that only this user can write to: what lies there is run. None if there is none."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(base if os.path.isabs(base) else os.path.expanduser("~/.cache")) / f"rex-build-{kind}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if is_ours(folder) and os.access(folder, os.W_OK) else None


def is_ours(path: Path) -> bool:
    """Whether a file or folder is there and nobody else can change it."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return not stat.S_ISLNK(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o022
