"""Finds objects in a link whose target regions gcc compiled by itself, so that none runs on the host unnoticed.

Such objects call functions of gcc's own offloading runtime, which LLVM's lacks. The linker knows only the functions'
names, and says nothing at all about a shared library that brings gcc's runtime along, or when it makes one.
"""

from __future__ import annotations

import mmap
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..base.diagnostics import Diagnostic, InputError
from ..base.records import dataclass
from .command_line import CommandLine

_CALLS = b"GOMP_target"
_REMEDY = "compile its source through rex-build (rex-gcc, rex-build cc), which lowers target regions of C and C++"
_REPORT = "write the directive as a plain '#pragma omp' line; please report this as a bug of rex-build"
_LEFT = (_CALLS, b".gnu.lto_.offload_table")
_NAMES_THE_OUTPUT = ("-o", "--output", "-h", "-soname", "--soname")
_FROM = ("-L", "-Wl,", "-Xlinker", "-T")  # options that name files for the linker
# How linkers name a member of an archive that they took: (libk.a)k.o or libk.a(k.o).
_MEMBER = re.compile(r"\((?P<archive>.+)\)(?P<name>[^()]+)|(?P<other>.+)\((?P<member>[^()]+)\)")


def check_shared_libraries(line: CommandLine, on_unsupported: str) -> list[Diagnostic]:
    """Warnings about shared libraries in a link whose regions run on the host, if ``on_unsupported`` is ``host``.

    Otherwise raises InputError for them.
    """
    libraries = [file for file in _libraries(line) if _mentions(file)]
    warn = on_unsupported == "host"
    more = "; its regions run on the host" if warn else ""
    found = [
        Diagnostic("warning" if warn else "error", f"{_what(where, name)}{more}", notes=() if warn else (_REMEDY,))
        for where, name in _needed(libraries, _is_call).items()
    ]
    if found and not warn:
        raise InputError(found)
    return found


def check_objects(objects: Mapping[str, str]) -> None:
    """Raise InputError if the host's compiler has compiled a target construct into an object. They are deleted then.

    ``objects`` has the names of their sources. Lowering finds all constructs, and this is what holds if it does not.
    """
    compiled = [path for path in objects if _mentions(path, _LEFT)]
    found = {**_needed(compiled, _is_call), **_for_link_time_optimisation(compiled)}
    if not found:
        return
    for path in compiled:
        Path(path).unlink(missing_ok=True)
    what = "has a target construct that rex-build has not found, and that the compiler left to the host"
    raise InputError([Diagnostic("error", f"{objects[path]} {what}", notes=(_REPORT,)) for path in found])


def check_shared_output(command: Sequence[str], line: CommandLine, names: Mapping[str, str]) -> None:
    """Raise InputError if a shared library that was just linked calls gcc's runtime. It is deleted then.

    ``names`` has the names under which messages name objects.
    """
    output = Path(line.output or "a.out")
    if "-shared" not in line.words or not _mentions(output):
        return
    if found := explain_failed_link(command, line, names):
        output.unlink()
        raise InputError(found)


def explain_failed_link(command: Sequence[str], line: CommandLine, names: Mapping[str, str]) -> list[Diagnostic]:
    """Messages about objects that call gcc's own offloading functions, and about those that need the runtime in a link
    that has none. They are looked for among what the linker says that it reads.

    ``names`` has the names under which messages name them.
    """
    without_runtime = line.option_without_runtime
    if not names and all(file.is_source for file in line.inputs) and not any(w.startswith(_FROM) for w in line.words):
        return []  # as most links in which configure scripts ask for something

    def wanted(name: str) -> bool:
        return _is_call(name) or (name.startswith("__tgt_") and bool(without_runtime))

    read = _read_by_linker(command) or [_Read(file.name) for file in line.inputs if not file.is_source]
    files = list(dict.fromkeys(file.path for file in read))
    members = {(file.path, file.member) for file in read}
    found: dict[str, str] = {}
    for where, name in {**_needed(files, wanted), **_for_link_time_optimisation(files)}.items():
        path, member = _split(where, files)
        if (path, member) in members or (path, "") in members:
            found.setdefault(names.get(path, path) + (f":{member}" if member else ""), name)
    return [_failed(where, name, without_runtime) for where, name in found.items()]


def _failed(where: str, name: str, without_runtime: str) -> Diagnostic:
    if _is_call(name):
        return Diagnostic("error", _what(where, name), notes=(_REMEDY,))
    what = f"{where} has target constructs, and with {without_runtime} there is no offload runtime (it calls {name})"
    return Diagnostic("error", what, notes=(f"link without {without_runtime}",))


def _is_call(name: str) -> bool:
    return name.encode().startswith(_CALLS)


def _what(where: str, name: str) -> str:
    return f"{where} has target constructs that gcc compiled by itself (it calls {name})"


# What a link reads


@dataclass(frozen=True)
class _Read:
    """A file that a linker reads, or a member of an archive."""

    path: str
    member: str = ""


def _read_by_linker(command: Sequence[str]) -> list[_Read]:
    """What the linker of a failed command names when it is asked to, without the libraries of the system."""
    with tempfile.TemporaryDirectory(prefix="rex-build-") as folder:
        lines = _lines([*command, "-Wl,-t,-t", "-o", f"{folder}/traced"])
    return [read for text in lines if (read := _as_file(text.strip()))]


def _as_file(text: str) -> _Read | None:
    if Path(text).is_file():
        return None if text.startswith(("/lib", "/usr/lib")) else _Read(text)
    match = _MEMBER.fullmatch(text)
    if match is None:
        return None
    path, member = match["archive"] or match["other"], match["name"] or match["member"]
    return _Read(path, member) if Path(path).is_file() else None


def _libraries(line: CommandLine) -> Iterator[str]:
    """The shared libraries in a link, without those in the linker's own folders."""
    yield from (file.name for file in line.inputs if ".so" in file.name and Path(file.name).is_file())
    words = iter([part for word in line.words for part in (word.split(",")[1:] if word.startswith("-Wl,") else [word])])
    folders: list[str] = []
    named: list[str] = []
    static = False
    for word in words:
        if word in ("-Bstatic", "-dn", "-static"):
            static = True
        elif word in ("-Bdynamic", "-dy"):
            static = False
        elif word.startswith("-L"):
            folders.append(word[2:] or next(words, ""))
        elif word.startswith(("-l", "--library=")) and not static:
            named.append(word.removeprefix("--library=").removeprefix("-l") or next(words, ""))
        elif word in _NAMES_THE_OUTPUT:
            next(words, "")
        elif ".so" in word and Path(word).is_file():  # for the linker alone
            yield word
    folders += os.environ.get("LIBRARY_PATH", "").split(os.pathsep)
    for name in dict.fromkeys(named):
        files = (name[1:],) if name.startswith(":") else (f"lib{name}.so", f"lib{name}.a")
        found = (str(file) for folder in folders if folder for n in files if (file := Path(folder, n)).is_file())
        first = next(found, "")
        if ".so" in Path(first).name:
            yield first


def _mentions(path: Path | str, names: Sequence[bytes] = (_CALLS,)) -> bool:
    """Whether a file has the name of such a function anywhere, which takes no time to find out."""
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return any(data.find(name) >= 0 for name in names)
    except (OSError, ValueError):
        return False


# What files need


def _needed(files: Sequence[str], wanted: Callable[[str], bool]) -> dict[str, str]:
    """The first function that each file, or member of an archive, takes from elsewhere, of those that are wanted."""
    found: dict[str, str] = {}
    for dynamic in ((), ("-D",)):
        for row in _lines(["nm", "-A", "-u", *dynamic, *files]) if files else ():
            where, _, name = row.partition(" U ")
            if wanted(name):
                found.setdefault(where.rstrip().rstrip(":"), name.partition("@")[0])
    return found


def _for_link_time_optimisation(files: Sequence[str]) -> dict[str, str]:
    """The files, and members of archives, that have regions for the optimiser, which nm does not show."""
    found: dict[str, str] = {}
    where = files[0] if files else ""
    for row in _lines(["readelf", "--wide", "--sections", *files, *files[:1]]) if files else ():
        if row.startswith("File: "):
            where = re.sub(r"\((.*)\)$", r":\1", row[len("File: ") :].strip())
        elif ".gnu.lto_.offload_table." in row:
            found[where] = "GOMP_target_ext"
    return found


def _lines(command: Sequence[str]) -> list[str]:
    """What a command writes, whether it fails or not."""
    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(
            command, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet, text=True, errors="surrogateescape"
        )
    except OSError:
        return []
    return done.stdout.splitlines()


def _split(where: str, files: Iterable[str]) -> tuple[str, str]:
    """(the file, the member of this archive) of nm's name for a place."""
    if where in files:
        return where, ""
    path, _, member = where.rpartition(":")
    return path, member
