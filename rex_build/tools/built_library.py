"""Builds libraries and objects of ours from C, once for each user, compiler and version of the text."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ..base.diagnostics import Diagnostic, ToolError
from ..base.digests import sha256
from ..base.elf import ElfError, read_elf
from ..base.patterns import regex
from ..base.work_folder import work_folder
from .toolchain import find_cc


def built_library(source: Path, options: Sequence[str], libraries: Sequence[str], kind: str) -> Path | None:
    """The library of a C source and of the headers beside it, or None if there is no place where it can be kept.

    ``kind`` is part of the name of that place. Of processes that need a new one at once, one builds it, and the others
    wait for two minutes at most. Raises ToolError if there is no compiler or if it fails.
    """
    texts = [path.read_bytes() for path in sorted(source.parent.glob("*.[ch]"))]
    program, *words = find_cc().command
    words = [os.path.realpath(program), *words, *options, *libraries, os.uname().machine]
    library = kept_file(kind, [*texts, os.fsencode(shlex.join(words))], ".so")
    if library is None or is_ours(library):
        return library
    from filelock import FileLock, Timeout

    lock = FileLock(library.with_suffix(".lock"))
    with suppress(OSError, NotImplementedError, Timeout):  # without it, each builds its own
        lock.acquire(timeout=120)
    try:
        return library if is_ours(library) else build_library(source, options, libraries, library)
    finally:
        lock.release()


def build_library(source: Path, options: Sequence[str], libraries: Sequence[str], library: Path) -> Path:
    """Build the library under a name. Raises ToolError."""
    return compiled([*find_cc().command, *options, "-shared", "-fPIC", str(source), *libraries], library)


def compiled(command: Sequence[str], result: Path) -> Path:
    """Let a compiler write a file. Its name is there only when the file is whole. Raises ToolError."""
    import subprocess

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
    name = sha256(b"\0".join(made_from)).hexdigest()[:20] + suffix
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


# What programs are linked with in libomptarget's place: a library with its name and its functions, and nothing else.
#
# libomptarget needs LLVM's own library, of 150 MB. GNU ld reads all libraries that a library needs, to find out whether
# anything is undefined in them, and that takes several times as long as all else in the link of a small program. What
# is undefined in the user's objects and libraries is still found.

_ROW = regex(r"[0-9a-f]+ (?P<kind>\w) (?P<name>[\w.$]+)(?:@@?(?P<version>[\w.]+))?")


def link_library(library: Path, kept: Path | None = None) -> Path:
    """The library to link with in place of ``library``. It is ``library`` itself if no other can be made of it.

    It is ``kept`` under that name, or else among the files of this user.
    """
    import subprocess

    try:
        state = library.stat()
        known = [str(library).encode(), f"{state.st_size} {state.st_mtime_ns}".encode(), Path(__file__).read_bytes()]
        made = kept or kept_file("link", known, ".so")
        if made is None:
            return library
        if kept is not None or not is_ours(made):
            made.parent.mkdir(parents=True, exist_ok=True)
            _make(library, made)
    except (OSError, ElfError, ToolError, subprocess.SubprocessError):
        return library
    return made


def _make(library: Path, made: Path) -> None:
    """Make a library with the functions of another one in their versions. Raises ToolError if it has variables."""
    import subprocess
    import tempfile

    command = ["nm", "-D", "--defined-only", "--with-symbol-versions", str(library)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    versions: dict[str, list[str]] = {}
    for row in said.splitlines():
        match = _ROW.fullmatch(row)
        kind = match["kind"] if match else "D"
        if kind not in "TWA" and not kind.islower():
            raise ToolError(f"{library} has more than functions: {row}")
        if match and kind in "TW":  # others are names of versions, and what is local
            versions.setdefault(match["version"] or "", []).append(match["name"])
    names = [name for group in versions.values() for name in group]
    if not names:
        raise ToolError(f"nm found no functions in {library}")
    text = "".join(f".globl {name}\n.type {name}, %function\n{name}:\n" for name in names)
    script = "".join(f"{v} {{ global: {'; '.join(group)}; }};\n" for v, group in versions.items() if v)
    with tempfile.TemporaryDirectory(prefix="rex-build-") as folder:
        source, mapped = Path(folder, "functions.s"), Path(folder, "versions")
        source.write_text(f".text\n{text}.byte 0\n.section .note.GNU-stack\n")
        mapped.write_text(script)
        name = read_elf(library).soname or library.name
        more = ["-Xlinker", "--version-script", "-Xlinker", str(mapped)] if script else []
        compiled([*find_cc().command, "-shared", "-nostdlib", f"-Wl,-soname,{name}", *more, str(source)], made)
