"""Compiles ``launcher.c`` for this user, and writes down where compilers find their own headers.

The launcher answers for ``rex-gcc`` and its like (``in_place.sh``) where a file surely has nothing to lower. Python
would only start to find that out. It is a program of the user's own, in a folder of its own: nothing in the cache's
store is ever executed.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ..base.command_words import LAUNCHERS, which
from ..base.digests import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import CompletedProcess

_SOURCE = Path(__file__).with_name("launcher.c")


def folder() -> Path | None:
    """The launcher's folder, as ``in_place.sh`` names it. None if the user has no home."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        home = os.environ.get("HOME", "")
        if not os.path.isabs(home):
            return None
        base = f"{home}/.cache"
    return Path(base, "rex-build-launcher", sha256(_SOURCE.read_bytes()).hexdigest()[:16])


def prepare(compiler: str) -> None:
    """Make the launcher, and let it know ``compiler``. Without it everything works as well, but takes longer."""
    where = folder()
    program = which(compiler)
    if where is None or program is None:
        return
    with suppress(OSError):
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
        if where.stat().st_uid != os.geteuid():
            return
        _ask(program, where)
        if not (where / "launcher").exists():
            _make(program, where)


def _make(program: str, where: Path) -> None:
    """Compile the launcher. Raises OSError."""
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory(dir=where) as part:
        made = Path(part, "launcher")
        _run(program, "-O2", "-w", "-x", "c", str(_SOURCE), "-o", str(made))
        if subprocess.run([made]).returncode == _NO_ARGUMENTS:  # it is for this machine
            made.replace(where / "launcher")


_NO_ARGUMENTS = 3
# Variables with which a compiler is another program, and those that name more folders, which the launcher reads itself.
_OTHER_PROGRAM = ("GCC_EXEC_PREFIX", "COMPILER_PATH")
_MORE_FOLDERS = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")


def _ask(program: str, where: Path) -> None:
    """Write down the compiler's own folders, once for each state of it. Raises OSError."""
    if any(name in os.environ for name in _OTHER_PROGRAM):
        return
    state = os.stat(program)
    seconds, nanoseconds = divmod(state.st_mtime_ns, 10**9)
    row = f"{state.st_ino} {state.st_size} {seconds}.{nanoseconds:09d}"
    for language in ("c", "c++"):
        known = where / f"{program.replace('/', '%')}.{language}"
        text = known.read_text(errors="surrogateescape") if known.exists() else ""
        if text.partition("\n")[0] != row:
            text = "\n".join([row, *_own_folders(program, language), ""])
            part = where / f"{known.name}.{os.getpid()}"
            part.write_text(text, errors="surrogateescape")
            part.replace(known)


def _run(*command: str) -> CompletedProcess[bytes]:
    """The output of a command. Raises OSError, also where it fails."""
    import subprocess

    environment = {**os.environ, "LC_ALL": "C"}
    try:
        return subprocess.run(command, check=True, capture_output=True, timeout=60, env=environment)
    except subprocess.SubprocessError as error:
        raise OSError(f"{command[0]}: {error}") from error


def _own_folders(program: str, language: str) -> list[str]:
    """The folders in which gcc itself looks for headers, with ``?`` before those that do not exist.

    There are none for other compilers, and for programs in front of one.
    """
    from ..cache.discover import search_path

    real = os.path.realpath(program)
    with open(real, "rb") as file:
        if file.read(2) == b"#!" or os.path.basename(real).startswith(LAUNCHERS):
            return []
    said = _run(program, "-v").stderr
    specs = _run(program, "-print-file-name=specs").stdout
    if b"\ngcc version" not in said or b"/" in specs:
        return []
    found = search_path([program], language, without=_MORE_FOLDERS)
    return [*found.bracket, *(f"?{name}" for name in found.missing)] if found is not None and not found.quote else []
