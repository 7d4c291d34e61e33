"""Runs a program with the recorder."""

from __future__ import annotations

import os
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
from .measured import Profile, read_profile
from .recorder import environment, recorder


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
