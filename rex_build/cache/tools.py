"""Digests of the tools: rex-build's own code, and compilers. They are computed again only when files have changed."""

from __future__ import annotations

import marshal
import os
import sys

from ..base.command_words import LAUNCHERS
from .key import digest
from .memo import Memo, file_state, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The libraries that, beside rex-build's own files, decide what text rex-build writes.
_LIBRARIES = ("pycparser",)
_SUFFIXES = (".py", ".j2", ".h", ".cu", ".c", ".cpp")
# Folders of ours that no C unit is lowered with. tests/test_structure.py checks that nothing on its way imports them.
NOT_FOR_C = ("cxx", "include/check", "include/cuda", "include/std", "profile", "report")


# Flags in configuration files of clang that read files.
_UNCHECKED = {
    *(
        b"-include",
        b"-imacros",
        b"--include",
        b"--imacros",
        b"-ivfsoverlay",
        b"-vfsoverlay",
        b"-include-pch",
        b"-Xclang",
    ),
    *(b"-fplugin", b"-B", b"--config", b"-load", b"-mllvm"),
}


class NoCompilerError(Exception):
    """A compiler cannot be found or asked. What it would compile is not cached."""


def tool_digest(memo: Memo, *, only_c: bool = False) -> str:
    """A digest of rex-build's code, templates and device headers, and of the libraries that write its text.

    ``only_c`` asks for what can change the outputs of a C unit.
    """
    libraries = []
    search_path = _search_path(memo)
    for library in _LIBRARIES:
        for folder in search_path:
            # Installed packages are replaced as a whole and not edited, so the folder and one file stand for all files.
            path = f"{folder}/{library}"
            if os.path.isfile(path + "/__init__.py"):
                libraries.append(path)
                break
    left_out = tuple([f"{PACKAGE}/{name}" for name in NOT_FOR_C]) if only_c else ()
    return files_digest(memo, "rex-build", (PACKAGE,), (), libraries, left_out)


def _search_path(memo: Memo) -> Sequence[str]:
    """``sys.path`` as it is without ``python -S``. A hit runs under ``-S``, because setting up the path takes long.

    The path is remembered with the states of its folders and of the files that decide what it contains.
    """
    if "site" in sys.modules:
        return sys.path
    told = [os.getenv(name, "") for name in ("PYTHONPATH", "PYTHONNOUSERSITE", "PYTHONUSERBASE", "HOME")]
    name = memo.name_of_all(["search path", sys.executable, sys.version, PACKAGE, *told])
    known = memo.recall(name)
    if known is not None:
        path: list[str]
        path, watched = marshal.loads(known)  # noqa: S302 (only what this user has remembered comes back)
        if all(_state(place) == state for place, state in watched):
            return path
    import site

    site.main()
    deciding = [*sys.path]
    for folder in sys.path:
        if os.path.isdir(folder):
            deciding += (f"{folder}/{entry}" for entry in os.listdir(folder) if entry.endswith(".pth"))
    environment = os.path.dirname(sys.executable)
    deciding += (f"{environment}/pyvenv.cfg", f"{os.path.dirname(environment)}/pyvenv.cfg", site.getusersitepackages())
    states = [(place, _state(place)) for place in deciding]
    kept: Any = (sys.path, states)
    memo.remember(name, marshal.dumps(kept), *[os.stat(place) for place, state in states if state])
    return sys.path


def _state(path: str) -> tuple[int, ...] | None:
    try:
        return file_state(os.stat(path))
    except OSError:
        return None


def files_digest(
    memo: Memo,
    what: str,
    folders: Sequence[str],
    files: Sequence[str] = (),
    libraries: Sequence[str] = (),
    left_out: tuple[str, ...] = (),
) -> str:
    """A digest of names and contents, which does not depend on where they are installed.

    It is computed again only when ``stat`` gives other values. ``folders`` are searched for source files, with
    everything below them but the folders ``left_out``. ``libraries`` are folders of other packages.
    """
    if (known := memo.seen.get(question := "\0".join(["", what, *left_out]))) is not None:
        return known
    others = [*files, *libraries, *[library + "/__init__.py" for library in libraries]]
    asked = memo.name_of_all([what, *folders, *files, *libraries, *left_out])
    # The names are remembered, too. They still hold if the folders' states do, which are part of the slot's name.
    listed = memo.recall(asked)
    paths: list[str] = marshal.loads(listed) if listed else []  # noqa: S302 (from this user, as above)
    try:
        found = memo.get(_slot(asked, [*paths, *others], memo)) if paths else None
    except OSError:
        found = None  # a file is gone
    if found is None:
        paths = [path for folder in folders for path in _source_files(folder, left_out)]
        slot = _slot(asked, [*paths, *others], memo)
        names = [*paths, *others]
        for library in libraries:
            names += (f"{library}/{module}" for module in sorted(os.listdir(library)) if module.endswith(".py"))
        parts = [f"{_short(name, libraries)} {digest(read_file(name))}" for name in names if os.path.isfile(name)]
        found = digest("\n".join(sorted(set(parts))).encode("utf-8", "surrogateescape"))
        states = [os.stat(path) for path in (*paths, *others)]
        memo.put(slot, found, *states)
        memo.remember(asked, marshal.dumps(paths), *states)
    memo.seen[question] = found
    return found


def _slot(asked: bytes, paths: Sequence[str], memo: Memo) -> bytes:
    """The memo's name for the present states of files and folders. Whatever changes one of them changes its ctime."""
    states = [(state.st_ino, state.st_size, state.st_ctime_ns) for state in map(os.stat, paths)]
    return memo.name_of_all([asked, states])


def _short(name: str, libraries: Sequence[str]) -> str:
    """A file's name without the place where its package is installed."""
    for library in libraries:
        if name.startswith(library + "/"):
            return os.path.basename(library) + name[len(library) :]
    return os.path.relpath(name, PACKAGE)


def python_version() -> str:
    return f"{sys.implementation.name} {sys.version_info[0]}.{sys.version_info[1]}"


def _source_files(top: str, left_out: Sequence[str]) -> list[str]:
    """A folder and all folders below but those ``left_out``, and their source files."""
    folders = [top]
    files = []
    for folder in folders:
        paths = [f"{folder}/{name}" for name in sorted(os.listdir(folder)) if name != "__pycache__"]
        plain = [path for path in paths if "." not in os.path.basename(path) and path not in left_out]
        inner = [path for path in plain if os.path.isdir(path)]  # headers such as <tuple> have no suffix, either
        files += [path for path in paths if path.endswith(_SUFFIXES) or (path in plain and path not in inner)]
        folders += inner
    return folders + files


def which(program: str) -> str:
    """The program's path. Raises NoCompilerError when there is none."""
    if "/" in program:
        return program
    for folder in os.getenv("PATH", os.defpath).split(os.pathsep):
        path = f"{folder or '.'}/{program}"
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    raise NoCompilerError(f"{program} is not on PATH")


def compiler_identity(command: str, memo: Memo, *parts: str) -> str:
    """A digest of a compiler: its own bytes, its version message, its configuration, and the programs that it calls.

    ``parts`` names these programs for ``-print-prog-name=``: cc1, as and so on. A compiler that is a script or a
    launcher is asked every time, also for the command that it would run, because what it calls and with which flags can
    change while it does not.
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
    environment = "\0".join(os.getenv(n, "") for n in ("GCC_EXEC_PREFIX", "COMPILER_PATH", "HOME"))
    label = f"compiler\0{os.path.basename(command)}\0{environment}\0{parts}".encode("utf-8", "surrogateescape")
    name = bytes.fromhex(digest(memo.name(path, state) + label))
    if fixed and (known := memo.recall(name)) is not None:
        own_identity, *behind = known.decode("utf-8", "surrogateescape").split("\0")
        try:
            return _with_parts(own_identity, behind, memo)
        except OSError:
            pass  # a program is gone, so the compiler is asked again
    said, behind = _ask(command, parts, fixed)
    own_identity = digest(f"{own}\n{said}".encode("utf-8", "surrogateescape"))
    if fixed:
        memo.remember(name, "\0".join([own_identity, *behind]).encode("utf-8", "surrogateescape"), state)
    try:
        return _with_parts(own_identity, behind, memo)
    except OSError as error:
        raise NoCompilerError(f"{command}: {error.strerror}") from error


# How ``compiler_identity`` remembers what is behind a compiler: the path of a program, or one of these and a name.
_ON_PATH, _MAYBE, _CONFIGURATION, _LISTED = "path:", "maybe:", "configuration:", "list:"


def _with_parts(own_identity: str, behind: Sequence[str], memo: Memo) -> str:
    """The digest of a compiler and of the present state of all that is behind it. Raises OSError."""
    return digest(
        "\n".join([own_identity, *(_content(part, memo) for part in behind)]).encode("utf-8", "surrogateescape")
    )


def _content(part: str, memo: Memo) -> str:
    kind, colon, name = part.partition(":")
    if kind + colon == _ON_PATH:
        try:
            return memo.file(which(name))
        except NoCompilerError:
            return ""
    if kind + colon == _MAYBE:
        return memo.file(name) if os.path.exists(name) else ""
    if kind + colon == _LISTED:
        return " ".join(sorted(os.listdir(name))) if os.path.isdir(name) else ""
    if kind + colon == _CONFIGURATION:
        files = sorted(file for file in os.listdir(name) if file.endswith(".cfg")) if os.path.isdir(name) else []
        for file in files:
            if _UNCHECKED & set(read_file(f"{name}/{file}").replace(b"=", b" ").split()) or b"@" in read_file(
                f"{name}/{file}"
            ):
                raise NoCompilerError(f"configuration file {name}/{file}")
        return " ".join(f"{file} {memo.file(f'{name}/{file}')}" for file in files)
    return memo.file(part)


def _ask(command: str, parts: tuple[str, ...], fixed: bool) -> tuple[str, list[str]]:
    """(what the compiler says of itself, what is behind it)."""
    import re
    import subprocess

    def answer(*words: str) -> tuple[int, str, str]:
        try:
            done = subprocess.run(
                [command, *words], capture_output=True, env=environment, timeout=30, stdin=subprocess.DEVNULL
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise NoCompilerError(f"{command} {words[0]}: {error}") from error
        out, errors = (text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr))
        return done.returncode, out.strip(), errors

    environment = {**os.environ, "LC_ALL": "C"}
    status, said, _ = answer("--version")
    if status:
        raise NoCompilerError(f"{command} does not tell its version")
    behind = []
    for part in parts:
        _, program, _ = answer(f"-print-prog-name={part}")
        if os.path.isabs(program) and os.path.isfile(program):
            behind.append(os.path.realpath(program))
        elif program == part:
            behind.append(_ON_PATH + part)
    if "clang" in said:
        # Names a configuration file that does not exist, to be told where such files would be.
        _, _, told = answer("-v", "--config=rex-build-asks-where.cfg", "-E", "-x", "c", os.devnull)
        behind += (_CONFIGURATION + folder for folder in re.findall(r"searched for in the directory: (.*)", told))
        _, _, told = answer("-v", "-E", "-x", "c", os.devnull)
        installed = {os.path.dirname(path) for path in re.findall(r"Found candidate GCC installation: (.*)", told)}
        behind += (_LISTED + folder for folder in sorted(installed))
    elif parts:
        _, told, _ = answer("-print-search-dirs")
        behind += (f"{_MAYBE}{folder.rstrip('/')}/specs" for folder in re.findall("^install: (.*)", told))
    if not fixed and parts:
        said += answer("-###", "-E", "-x", "c", os.devnull)[2]
    return said, behind
