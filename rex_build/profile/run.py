"""Runs a program with the recorder, which is built from C once for each user."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from ..base.diagnostics import ToolError, UsageError
from ..base.records import replace
from ..tools.built_library import build_library, built_library
from ..tools.runtimes import find_nvcc, toolkit_folder
from ..tools.toolchain import asked
from .measured import Profile, read_profile

# The library that a profiled program loads: where it is built, and what it needs to know.

_SOURCE = Path(__file__).with_name("recorder.c")
_OPTIONS = ("-O2", "-w")
_LIBRARIES = ("-ldl", "-lpthread")
_EVENTS = 1_000_000


def recorder(folder: Path) -> Path:
    """The library, built once for each user. If it cannot be kept, it is built in ``folder``. Raises ToolError."""
    kept = built_library(_SOURCE, _OPTIONS, _LIBRARIES, "profile")
    if kept is None or set(str(kept)) & set(" :"):  # which the name of a preloaded library may not have
        return build_library(_SOURCE, _OPTIONS, _LIBRARIES, folder / "recorder.so")
    return kept


def environment(folder: Path, library: Path, with_events: bool) -> dict[str, str]:
    """The variables with which a program loads the library and writes its profile below ``folder``."""
    libraries = folder / "libraries"
    libraries.mkdir()
    variables = {
        "LD_PRELOAD": " ".join(filter(None, (str(library), os.environ.get("LD_PRELOAD", "")))),
        "LD_LIBRARY_PATH": ":".join(filter(None, (str(libraries), os.environ.get("LD_LIBRARY_PATH", "")))),
        "REX_PROFILE_DIR": str(folder),
        "REX_PROFILE_LIBRARIES": str(libraries),
        "REX_PROFILE_EVENTS": str(_EVENTS if with_events else 0),
        "OMP_TOOL": "enabled",
    }
    if "REX_PROFILE_CUPTI" not in os.environ and (cupti := _find_cupti()) is not None:
        variables["REX_PROFILE_CUPTI"] = str(cupti)
    return {**os.environ, **variables}


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


# Runs a program with the recorder.

def run_profiled(command: Sequence[str], with_events: bool) -> tuple[int, Profile | None]:
    """(the program's exit status, its profile, or None if it has not used a device).

    The status is negative if a signal has ended the program. Raises UsageError if there is no such program.
    """
    program = shutil.which(command[0])
    if program is None:
        raise UsageError(f"{command[0]} is no program that can be run")
    with tempfile.TemporaryDirectory(prefix="rex-profile-", dir=_folder_without_blanks()) as name:
        folder = Path(name)
        began = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %z")
        variables = environment(folder, recorder(folder), with_events)
        try:
            process = subprocess.Popen([program, *command[1:]], env=variables)
        except OSError as error:
            raise ToolError(f"cannot run {program}: {error.strerror}") from error
        status = _wait(process)
        profile = read_profile(folder.glob("*.json"))
    return status, replace(profile, command=shlex.join(command), began=began) if profile is not None else None


def _wait(process: subprocess.Popen[bytes]) -> int:
    """Wait for the program. An interrupt from the terminal goes to it, too, and it decides what that means."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return process.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def _folder_without_blanks() -> str | None:
    """Where temporary files go. The name of a preloaded library may have neither blanks nor colons."""
    given = tempfile.gettempdir()
    return given if not set(given) & set(" :") else next(filter(os.path.isdir, ("/tmp", "/var/tmp")), None)  # noqa: S108
