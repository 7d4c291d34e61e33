"""The library that a profiled program loads: where it is built, and what it needs to know."""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import stat
import subprocess
from pathlib import Path

from ..base.diagnostics import Diagnostic, ToolError
from ..tools.cuda import find_nvcc, toolkit_folder
from ..tools.toolchain import asked, find_cc

_SOURCE = Path(__file__).with_name("recorder.c")
_OPTIONS = ("-O2", "-shared", "-fPIC", "-w")
_LIBRARIES = ("-ldl", "-lpthread")
_EVENTS = 1_000_000


def recorder(folder: Path) -> Path:
    """The library, built once for each user. If it cannot be kept, it is built in ``folder``. Raises ToolError."""
    compiler = find_cc().command
    text = _SOURCE.read_bytes()
    digest = hashlib.sha256(b"\0".join([text, os.fsencode(shlex.join(compiler)), platform.machine().encode()]))
    kept = _private_folder()
    if kept is None:
        return _build(compiler, folder / "recorder.so")
    library = kept / f"{digest.hexdigest()[:20]}.so"
    return library if _is_ours(library) else _build(compiler, library)


def environment(folder: Path, library: Path) -> dict[str, str]:
    """The variables with which a program loads the library and writes its profile below ``folder``."""
    libraries = folder / "libraries"
    libraries.mkdir()
    variables = {
        "LD_PRELOAD": " ".join(filter(None, (str(library), os.environ.get("LD_PRELOAD", "")))),
        "LD_LIBRARY_PATH": ":".join(filter(None, (str(libraries), os.environ.get("LD_LIBRARY_PATH", "")))),
        "REX_PROFILE_DIR": str(folder),
        "REX_PROFILE_LIBRARIES": str(libraries),
        "REX_PROFILE_EVENTS": str(_EVENTS),
        "OMP_TOOL": "enabled",
    }
    if "REX_PROFILE_CUPTI" not in os.environ and (cupti := _find_cupti()) is not None:
        variables["REX_PROFILE_CUPTI"] = str(cupti)
    return {**os.environ, **variables}


def _private_folder() -> Path | None:
    """A folder that only this user can write to: what lies there is run. None if there is none."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(base if os.path.isabs(base) else os.path.expanduser("~/.cache")) / "rex-build-profile"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    # A preloaded library's name may have neither blanks nor colons.
    return folder if _is_ours(folder) and os.access(folder, os.W_OK) and not set(str(folder)) & set(" :") else None


def _is_ours(path: Path) -> bool:
    """Whether a file or folder is there and nobody else can change it."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return not stat.S_ISLNK(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _build(compiler: tuple[str, ...], library: Path) -> Path:
    part = library.with_name(f".{library.name}.{os.getpid()}")
    command = [*compiler, *_OPTIONS, "-o", str(part), str(_SOURCE), *_LIBRARIES]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise ToolError(f"{shlex.join(command)} failed: {error.strerror}") from error
    if done.returncode:
        message = f"{shlex.join(command)} failed"
        raise ToolError([Diagnostic("error", message, notes=tuple(done.stderr.splitlines()[:5]))])
    part.chmod(0o700)
    part.replace(library)
    return library


def _find_cupti() -> Path | None:
    """CUPTI of nvcc's toolkit. The recorder itself looks where libraries usually are."""
    nvcc, _ = asked(find_nvcc)
    root = toolkit_folder(nvcc) if nvcc is not None else None
    if root is None:
        return None
    folders = (
        root / part for part in ("extras/CUPTI/lib64", "lib64", "lib", f"targets/{platform.machine()}-linux/lib")
    )
    return next((library for folder in folders for library in sorted(folder.glob("libcupti.so*"))), None)
