"""Puts output files in place: all of them or none, and only those whose content has changed. Makes depfiles."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def check_is_not_source(source: str | os.PathLike[str], outputs: Iterable[str | os.PathLike[str]]) -> None:
    """Raise UsageError if an output is the file that it is made from, under whatever name."""
    for output in outputs:
        if os.path.exists(output) and os.path.samefile(source, output):
            from .diagnostics import UsageError

            raise UsageError(f"the output '{os.fspath(output)}' is the source itself")


def place(files: Sequence[tuple[str | os.PathLike[str], str | bytes]], source: str | os.PathLike[str] = "") -> None:
    """Write each (path, content) that is not there already. Files are written under a temporary name and then renamed.

    A file that is up to date keeps its time stamp, so that build systems do not rebuild what depends on it. But it
    becomes newer than ``source``, if that is given: whoever touches a source wants all that is made from it to be made
    again. Raises ToolError when a file cannot be written, and leaves no output behind then.
    """
    pending: list[tuple[str, str]] = []
    placed: list[str] = []
    try:
        newest = os.stat(source).st_mtime_ns if source else 0
        if source:
            check_is_not_source(source, [name for name, _ in files])
        for name, content in files:
            path = os.fspath(name)
            data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
            time = _time_of(path, data)
            if time is None:
                pending.append((_beside(path, data), path))  # noted first, as a signal may come at any time
                _write(*pending[-1], data)
            elif time < newest:
                os.utime(path)
        for temporary, path in pending:
            os.replace(temporary, path)
            placed.append(path)
    except BaseException as error:
        _take_away([*placed, *(temporary for temporary, _ in pending)])
        if not isinstance(error, OSError):
            raise
        from .diagnostics import ToolError

        name = error.filename2 or error.filename or os.fspath(files[0][0])
        raise ToolError(f"cannot write {name}: {error.strerror}") from None


def _take_away(paths: Iterable[str]) -> None:
    from contextlib import suppress

    for path in paths:
        with suppress(OSError):  # it is not there yet, or somebody else has taken it away
            os.unlink(path)


def _time_of(path: str, data: bytes) -> int | None:
    """The time stamp of the file if it holds ``data``, else None."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        state = os.fstat(handle)
        if state.st_size != len(data):
            return None
        with open(handle, "rb", buffering=0, closefd=False) as file:
            return state.st_mtime_ns if file.readall() == data else None
    except OSError:
        return None
    finally:
        os.close(handle)


def _beside(path: str, data: bytes) -> str:
    """The temporary name of a file, which only this process uses."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name[:40]}.{os.getpid()}.{id(data):x}")  # a longer name may be too long


def _write(temporary: str, path: str, data: bytes) -> None:
    """Write ``data``, which is for ``path``. Raises OSError with the name of ``path``."""
    if os.path.isdir(path):
        raise IsADirectoryError(21, "is a directory", path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        try:
            handle = os.open(temporary, flags, 0o666)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            handle = os.open(temporary, flags, 0o666)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view) :]
        finally:
            os.close(handle)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def escape(path: str) -> str:
    """A path as gcc's -MQ writes it: blanks, ``#`` and ``$`` would otherwise be read as syntax."""
    out = path.replace("\\ ", "\\\\ ").replace("$", "$$").replace("#", "\\#")
    return out.replace(" ", "\\ ")


def write_depfile(target: str, dependencies: Iterable[str]) -> str:
    """The text of a depfile. Dependencies become absolute, because build systems resolve relative paths differently."""
    names = list(dict.fromkeys(dependencies))
    text = "".join([f" \\\n  {name}" for name in names])
    # Most names are absolute paths without special characters, and are written as they are. To escape hundreds of
    # system headers one by one would take as long as the rest of a cache hit.
    plain = text.count(" \\\n  /") == len(names) == text.count("\\") and text.count(" ") == 3 * len(names)
    if not plain or any(part in text for part in ("//", "/.", "$", "#")):
        text = "".join([f" \\\n  {escape(os.path.abspath(name))}" for name in names])
    return f"{escape(target)}:{text}\n"
