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
    made: dict[str, int] = {}
    try:
        newest = os.stat(source).st_mtime_ns if source else 0
        if source:
            check_is_not_source(source, [name for name, _ in files])
        for name, content in files:
            path = os.fspath(name)
            data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
            time = _time_of(path, data)
            if time is None:
                pending.append((_written(path, data, made), path))
            else:
                _take_left(_beside(path, 0))
                if time < newest:
                    os.utime(path)
        for temporary, path in pending:
            os.replace(temporary, path)
            placed.append(path)
    except BaseException as error:
        _take_away([*placed, *(temporary for temporary, handle in made.items() if _has_name(handle, temporary))])
        _close(made)
        for temporary in made:  # one may be there whose handle never came, because of a signal
            _take_left(temporary)
        if not isinstance(error, OSError):
            raise
        from .diagnostics import ToolError

        name = error.filename2 or error.filename or os.fspath(files[0][0])
        raise ToolError(f"cannot write {name}: {error.strerror}") from None
    _close(made)


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


def _beside(path: str, number: int) -> str:
    """A temporary name of a file. Locks on a file system that machines share may be each machine's own."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name[:40]}.{os.uname().nodename}.{number}")  # a longer name may be too long


def _written(path: str, data: bytes, made: dict[str, int]) -> str:
    """Write ``data`` beside ``path``. Returns the temporary name. Raises OSError with the name of ``path``."""
    if os.path.isdir(path):
        raise IsADirectoryError(21, "is a directory", path)
    try:
        temporary = _new(path, made)
        view = memoryview(data)
        while view:
            view = view[os.write(made[temporary], view) :]
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    return temporary


def _new(path: str, made: dict[str, int]) -> str:
    """A new file beside ``path``, noted in ``made`` with its handle. The kernel ends its lock when the process ends,
    however that ends, and what has no lock goes when that output is asked for again."""
    import fcntl

    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    number = 0
    while True:
        temporary = _beside(path, number)
        number += 1
        if not _take_left(temporary):
            continue
        made[temporary] = -1  # noted first, as a signal may come at any time
        try:
            made[temporary] = os.open(temporary, flags, 0o666)
        except FileExistsError:
            del made[temporary]
            continue
        try:
            fcntl.flock(made[temporary], fcntl.LOCK_EX)
        except OSError:  # the file system has no locks, so nobody takes anything away there
            return temporary
        if _has_name(made[temporary], temporary):  # or it was taken away before it was locked
            return temporary
        os.close(made.pop(temporary))


def _take_left(temporary: str) -> bool:
    """Take away what a killed process left under this name. Returns whether the name is free: no process writes it."""
    try:
        handle = os.open(temporary, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError as error:
        return isinstance(error, FileNotFoundError)
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(temporary)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def _has_name(handle: int, name: str) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(name))
    except OSError:
        return False


def _close(made: dict[str, int]) -> None:
    """End the locks."""
    for handle in made.values():
        if handle >= 0:
            os.close(handle)


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
