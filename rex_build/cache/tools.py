"""Digests of the tools: rex-build's own code, and compilers. They are computed again only when files have changed."""

from __future__ import annotations

import os
import sys

from ..base.launchers import LAUNCHERS
from .key import digest
from .memo import Memo, file_state, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The libraries that, beside rex-build's own files, decide what text rex-build writes.
_LIBRARIES = ("pycparser", "jinja2")
_SUFFIXES = (".py", ".j2", ".h", ".cu", ".c", ".cpp")


class NoCompilerError(Exception):
    """A compiler cannot be found or asked. What it would compile is not cached."""


def tool_digest(memo: Memo) -> str:
    """A digest of rex-build's code, templates and device headers, and of the libraries that write its text."""
    libraries = []
    search_path = _search_path(memo)
    for library in _LIBRARIES:
        for folder in search_path:
            # Installed packages are replaced as a whole and not edited, so the folder and one file stand for all files.
            path = f"{folder}/{library}"
            if os.path.isfile(path + "/__init__.py"):
                libraries.append(path)
                break
    return files_digest(memo, "rex-build", (PACKAGE,), (), libraries)


def _search_path(memo: Memo) -> Sequence[str]:
    """``sys.path`` as it is without ``python -S``. A hit runs under ``-S``, because setting up the path takes long.

    The path is remembered with the states of its folders and of the files that decide what it contains.
    """
    if "site" in sys.modules:
        return sys.path
    told = [os.environ.get(name, "") for name in ("PYTHONPATH", "PYTHONNOUSERSITE", "PYTHONUSERBASE", "HOME")]
    name = memo.name_of_all(["search path", sys.executable, sys.version, PACKAGE, *told])
    known = memo.recall(name)
    if known is not None:
        rows = known.decode("utf-8", "surrogateescape").split("\n")
        if all(_state(row.partition("\0")[0]) == row.partition("\0")[2] for row in rows):
            return [row.partition("\0")[0] for row in rows]
    import site

    site.main()
    paths = [*sys.path]
    for folder in sys.path:
        if os.path.isdir(folder):
            paths += (f"{folder}/{entry}" for entry in os.listdir(folder) if entry.endswith(".pth"))
    environment = os.path.dirname(sys.executable)
    paths += (f"{environment}/pyvenv.cfg", f"{os.path.dirname(environment)}/pyvenv.cfg", site.getusersitepackages())
    rows = [f"{path}\0{_state(path)}" for path in paths]
    states = [os.stat(path) for path in paths if os.path.exists(path)]
    memo.remember(name, "\n".join(rows).encode("utf-8", "surrogateescape"), *states)
    return sys.path


def _state(path: str) -> str:
    try:
        return str(file_state(os.stat(path)))
    except OSError:
        return "not there"


def files_digest(
    memo: Memo, what: str, folders: Sequence[str], files: Sequence[str] = (), libraries: Sequence[str] = ()
) -> str:
    """A digest of names and contents, which does not depend on where they are installed.

    It is computed again only when ``stat`` gives other values. ``folders`` are searched for source files, with
    everything below them. ``libraries`` are folders of other packages.
    """
    if (known := memo.seen.get("\0" + what)) is not None:
        return known
    names: list[str] = []
    states: list[os.stat_result] = []
    for folder in folders:
        _below(folder, names, states)
    for name in (*files, *libraries, *(f"{library}/__init__.py" for library in libraries)):
        names.append(name)
        states.append(os.stat(name))
    facts: list[str | int] = [what, *folders, *files, *libraries]
    for state in states:
        facts += (state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
    slot = memo.name_of_all(facts)
    found = memo.get(slot)
    if found is None:
        for library in libraries:
            names += (f"{library}/{module}" for module in sorted(os.listdir(library)) if module.endswith(".py"))
        parts = [f"{_short(name, libraries)} {digest(read_file(name))}" for name in names if os.path.isfile(name)]
        found = digest("\n".join(sorted(set(parts))).encode("utf-8", "surrogateescape"))
        memo.put(slot, found, *states)
    memo.seen["\0" + what] = found
    return found


def _short(name: str, libraries: Sequence[str]) -> str:
    """A file's name without the place where its package is installed."""
    for library in libraries:
        if name.startswith(library + "/"):
            return os.path.basename(library) + name[len(library) :]
    return os.path.relpath(name, PACKAGE)


def python_version() -> str:
    return f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]}"


def _below(folder: str, names: list[str], states: list[os.stat_result]) -> None:
    """Add the source files below a folder, in the order of their names, and what ``stat`` says of them."""
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)  # a name in an open folder is found faster than a path
    try:
        for name in sorted(os.listdir(place)):
            if name.endswith(_SUFFIXES):
                names.append(f"{folder}/{name}")
                states.append(os.stat(name, dir_fd=place))
            elif "." not in name and name != "__pycache__":
                _below(f"{folder}/{name}", names, states)
    finally:
        os.close(place)


def which(program: str) -> str:
    """The program's path. Raises NoCompilerError when there is none."""
    if "/" in program:
        return program
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = f"{folder or '.'}/{program}"
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    raise NoCompilerError(f"{program} is not on PATH")


def compiler_identity(command: str, memo: Memo, *parts: str) -> str:
    """A digest of a compiler: its own bytes, its version message, and the programs that it calls.

    ``parts`` names these programs for ``-print-prog-name=``: cc1, as and so on. A compiler that is a script or a
    launcher is asked every time, because the program that it calls can change while it does not.
    """
    path = os.path.realpath(which(command))
    try:
        state = os.stat(path)
        own = memo.file(path)
        with open(path, "rb", buffering=0) as file:
            is_script = file.read(2) == b"#!"
    except OSError as error:
        raise NoCompilerError(f"{command}: {error.strerror}") from error
    fixed = not is_script and not os.path.basename(path).startswith(LAUNCHERS)
    # The name under which a driver is called may decide what it does, and so do these variables.
    environment = "\0".join(os.environ.get(n, "") for n in ("GCC_EXEC_PREFIX", "COMPILER_PATH"))
    label = f"compiler\0{os.path.basename(command)}\0{environment}\0{parts}".encode("utf-8", "surrogateescape")
    name = bytes.fromhex(digest(memo.name(path, state) + label))
    if fixed and (known := memo.recall(name)) is not None:
        own_identity, *behind = known.decode("utf-8", "surrogateescape").split("\0")
        try:
            return digest("\n".join([own_identity, *map(memo.file, behind)]).encode())
        except OSError:
            pass  # a program is gone, so the compiler is asked again
    said, behind = _ask(command, parts)
    own_identity = digest(f"{own}\n{said}".encode("utf-8", "surrogateescape"))
    if fixed:
        memo.remember(name, "\0".join([own_identity, *behind]).encode("utf-8", "surrogateescape"), state)
    try:
        return digest("\n".join([own_identity, *map(memo.file, behind)]).encode())
    except OSError as error:
        raise NoCompilerError(f"{command}: {error.strerror}") from error


def _ask(command: str, parts: tuple[str, ...]) -> tuple[str, list[str]]:
    """(the compiler's version message, the files of the programs that it calls)."""
    import subprocess

    said = []
    behind = []
    environment = {**os.environ, "LC_ALL": "C"}
    for question in ("--version", *(f"-print-prog-name={part}" for part in parts)):
        try:
            answer = subprocess.run(
                [command, question], capture_output=True, env=environment, timeout=30, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise NoCompilerError(f"{command} {question}: {error}") from error
        text = answer.stdout.decode("utf-8", "surrogateescape").strip()
        if question == "--version":
            if answer.returncode:
                raise NoCompilerError(f"{command} does not tell its version")
            said.append(text)
        elif os.path.isabs(text) and os.path.isfile(text):
            behind.append(os.path.realpath(text))
    return "\n".join(said), behind
