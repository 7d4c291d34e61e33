"""Digests of the tools: rex-build's own code, and compilers. They are computed again only when files have changed."""

from __future__ import annotations

import marshal
import os
import sys

from ..base.command_words import which
from .flags import DRIVER_VARIABLES, NotCachedError
from .memo import Memo, file_state, read_file
from .store import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The libraries that, beside rex-build's own files, decide what text rex-build writes. C++ units are read with the last.
_LIBRARIES = ("pycparser", "clang")
_SUFFIXES = (".py", ".h", ".cu", ".c", ".cpp", ".so")
# Folders of ours that no C unit is lowered with. tests/test_structure.py checks that nothing on its way imports them.
NOT_FOR_C = ("cxx", "include/check", "include/short", "include/std", "profile", "report")


# Variables under which a compiler may give other answers. They say where it looks for programs, libraries and files.
_ASKED_UNDER = (*DRIVER_VARIABLES, "LIBRARY_PATH", "LPATH", "LD_LIBRARY_PATH", "HOME")

# Flags in configuration files of clang that read files.
_UNCHECKED = frozenset((
    b"-include", b"-imacros", b"--include", b"--imacros", b"-ivfsoverlay", b"-vfsoverlay", b"-include-pch", b"-Xclang",
    b"-fplugin", b"-B", b"--config", b"-load", b"-mllvm",
))  # fmt: skip


def tool_digest(memo: Memo, *, only_c: bool = False) -> str:
    """A digest of rex-build's code and device headers, and of the libraries that write its text.

    ``only_c`` asks for what can change the outputs of a C unit.
    """
    if (known := memo.seen.get(question := f"\0rex-build {only_c}")) is not None:
        return known
    libraries = []
    search_path = _search_path(memo)
    for library in _LIBRARIES[:-1] if only_c else _LIBRARIES:
        for folder in search_path:
            path = f"{folder}/{library}"
            if os.path.isfile(path + "/__init__.py"):
                libraries.append(path)
                break
    left_out = tuple([f"{PACKAGE}/{name}" for name in NOT_FOR_C]) if only_c else ()
    found = files_digest(memo, "rex-build", (PACKAGE,), (), libraries, left_out)
    if not only_c and libraries[-1:] and libraries[-1].endswith("/clang"):
        found = digest(f"{found} {_libclang(libraries[-1], memo)}".encode())
    memo.seen[question] = found
    return found


def _libclang(package: str, memo: Memo) -> str:
    """The digest of the libclang that Python's part of it loads. Empty if that stands in the package itself."""
    chosen = [os.getenv(name, "") for name in ("LIBCLANG_LIBRARY_FILE", "LIBCLANG_LIBRARY_PATH")]
    if os.path.isdir(f"{package}/native") and not any(chosen):
        return ""
    states = [_state(f"{package}/cindex.py"), _state("/etc/ld.so.cache")]
    name = memo.name_of_all(["libclang", package, states, *chosen, os.getenv("LD_LIBRARY_PATH", "")])
    known = memo.recall(name)
    if known is None:
        if "site" not in sys.modules:
            raise NotCachedError("libclang is not known yet")
        known = _loaded_libclang()
        memo.remember(name, known)
    path = known.decode("utf-8", "surrogateescape")
    return memo.file(path) if os.path.isfile(path) else ""


def _loaded_libclang() -> bytes:
    """The file that is loaded. Empty if there is none."""
    from clang import cindex

    try:
        cindex.conf.lib  # noqa: B018
    except cindex.LibclangError:  # lowering says it
        return b""
    lines = read_file("/proc/self/maps").splitlines()
    return next((line[line.index(b"/") :] for line in lines if b"/libclang" in line), b"")


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
    everything below them but the folders ``left_out``. So are ``libraries``, which are folders of other packages.
    """
    if (known := memo.seen.get(question := "\0".join(["", what, *left_out]))) is not None:
        return known
    asked = memo.name_of_all([what, *folders, *files, *libraries, *left_out])
    # The names are remembered, too. They still hold if the folders' states do, which are part of the slot's name.
    listed = memo.recall(asked)
    paths: list[str] = marshal.loads(listed) if listed else []  # noqa: S302 (from this user, as above)
    try:
        found = memo.get(_slot(asked, [*paths, *files], memo)) if paths else None
    except OSError:
        found = None  # a file is gone
    if found is None:
        paths = [path for folder in (*folders, *libraries) for path in _source_files(folder, left_out)]
        names = [*paths, *files]
        slot = _slot(asked, names, memo)
        parts = [f"{_short(name, libraries)} {digest(read_file(name))}" for name in names if os.path.isfile(name)]
        found = digest("\n".join(sorted(set(parts))).encode("utf-8", "surrogateescape"))
        states = [os.stat(path) for path in names]
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


def program_path(program: str) -> str:
    """The program's path. Raises NotCachedError when there is none."""
    if path := which(program):
        return path
    raise NotCachedError(f"{program} is not on PATH")


def compiler_identity(
    command: str, memo: Memo, *parts: str, flags: Sequence[str] = (), language: str = "c"
) -> str:
    """A digest of a compiler: its own bytes, its version message, its configuration, and the programs that it calls.

    ``parts`` names these programs for ``-print-prog-name=``: cc1, as and so on. Only a driver of gcc's, clang's or
    nvcc's own is believed, as long as its file does not change. Every other program, such as MPI's wrappers, may call
    another compiler with other flags each time. So it is asked each time what it would run for these ``flags``.
    """
    path = os.path.realpath(program_path(command))
    try:
        state = os.stat(path)
        own = memo.file(path)
    except OSError as error:
        raise NotCachedError(f"{command}: {error.strerror}") from error
    # The name under which a driver is called may decide what it does, and so do these variables.
    environment = "\0".join(os.getenv(name, "") for name in _ASKED_UNDER)
    label = f"compiler\0{os.path.basename(command)}\0{environment}\0{parts}".encode("utf-8", "surrogateescape")
    name = bytes.fromhex(digest(memo.name(path, state) + label))
    if (known := memo.recall(name)) is not None:
        own_identity, *behind = known.decode("utf-8", "surrogateescape").split("\0")
        try:
            return _with_parts(own_identity, behind, memo)
        except OSError:
            pass  # a program is gone, so the compiler is asked again
    from .drivers import ask

    said, behind, believed = ask(command, path, parts, flags, language)
    own_identity = digest(f"{own}\n{said}".encode("utf-8", "surrogateescape"))
    if believed:
        memo.remember(name, "\0".join([own_identity, *behind]).encode("utf-8", "surrogateescape"), state)
    try:
        return _with_parts(own_identity, behind, memo)
    except OSError as error:
        raise NotCachedError(f"{command}: {error.strerror}") from error


def _with_parts(own_identity: str, behind: Sequence[str], memo: Memo) -> str:
    """The digest of a compiler and of the present state of all that is behind it. Raises OSError.

    A place where a file could be and is not says nothing, so that variables with other such places make no difference.
    """
    contents = [(part, _content(part, memo)) for part in behind]
    told = [content for part, content in contents if content or not part.startswith("maybe:")]
    return digest("\n".join([own_identity, *told]).encode("utf-8", "surrogateescape"))


def _content(part: str, memo: Memo) -> str:
    """What counts of a part that ``drivers.ask`` has named."""
    kind, colon, name = part.partition(":")
    if not colon or part.startswith("/"):
        return memo.file(part)
    if kind == "path":
        try:
            return memo.file(program_path(name))
        except NotCachedError:
            return ""
    if kind == "maybe":
        return memo.file(name) if os.path.exists(name) else ""
    names = sorted(os.listdir(name)) if os.path.isdir(name) else []
    return " ".join(names) if kind == "list" else " ".join(_with_flags(f"{name}/{file}", memo) for file in names)


def _with_flags(path: str, memo: Memo) -> str:
    """The name and the digest of a configuration file of clang's. Empty for other files."""
    if not path.endswith(".cfg"):
        return ""
    text = read_file(path)
    if b"@" in text or _UNCHECKED & set(text.replace(b"=", b" ").split()):
        raise NotCachedError(f"configuration file {path}")
    return f"{os.path.basename(path)} {memo.file(path)}"
