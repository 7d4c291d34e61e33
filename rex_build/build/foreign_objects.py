"""Finds objects in a link whose target regions another compiler compiled by itself, so that none runs on the host
unnoticed.

gcc's objects call functions of its own offloading runtime, which LLVM's lacks. The linker knows only the functions'
names, and says nothing at all about a shared library that brings gcc's runtime along, or when it makes one. clang's
objects link without a word, but only clang's linker would register their images. A region of one thread, which clang
has optimised and which has no debug information, leaves nothing in an object by which it could be found.
"""

from __future__ import annotations

import mmap
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from pathlib import Path
from types import MappingProxyType

from ..base.command_words import expanded
from ..base.diagnostics import Diagnostic, InputError
from ..base.patterns import regex
from ..base.records import dataclass
from .command_line import CommandLine, Input, Language
from .foreign import MOVE, NOT_LOWERED

_CALLS = b"GOMP_target"
_CLANG = "__omp_offloading_"  # in the names of functions that clang makes of regions
_REMEDY = "compile its source through rex-build (rex-gcc, rex-build cc), which lowers target regions of C and C++"
_REPORT = (
    "write the directive as a plain '#pragma omp' line, and keep the text of a header that is precompiled; report "
    "other cases as a bug of rex-build"
)
_LEFT = (_CALLS, b".gnu.lto_.offload_table", _CLANG.encode())
_NAMES_THE_OUTPUT = ("-o", "--output", "-h", "-soname", "--soname")
_FROM = ("-L", "-Wl,", "-Xlinker", "-T")  # options that name files for the linker
_SYSTEM = ("/lib", "/usr/lib")
_LOCAL = ("/usr/local/lib", "/usr/local/lib64", *map(str, Path("/usr/local/lib").glob("*-linux-gnu")))
_DYNAMIC = regex(r"\((?P<kind>NEEDED|RUNPATH|RPATH)\) .*\[(?P<value>.*)\]")
_CLANGS_NAME = regex(rf"{_CLANG}[\w.$]+")
_COMPRESSED = regex(r" \.debug_str .* [A-Z]*C[A-Z]* | \.zdebug_str ")  # of what readelf prints of sections
# How linkers name a member of an archive that they took: (libk.a)k.o or libk.a(k.o).
_MEMBER = regex(r"\((?P<archive>.+)\)(?P<name>[^()]+)|(?P<other>.+)\((?P<member>[^()]+)\)")


def check_linked(
    command: Sequence[str], line: CommandLine, on_unsupported: str, names: Mapping[str, str] = MappingProxyType({})
) -> list[Diagnostic]:
    """Warnings about files in a link that would run regions on the host, if ``on_unsupported`` is ``host``.

    Otherwise raises InputError for them. gcc's objects are left out, because the link itself fails with them. ``names``
    has the names under which messages name objects.
    """
    given, folders = linked_files(line)
    archives = [file for file in given if not _is_elf(file)]
    read: list[_Read] = []
    if _may_be_clangs(archives) or not all(_is_archive(file) for file in archives):
        read = _read_by_linker(command)  # which members it takes, and what its scripts name
    files = [*(file for file in given if file not in archives), *(file.path for file in read)]
    libraries = _with_needed([file for file in files if is_shared(file)], line, folders)
    found = _needed([file for file in libraries if mentions(file)], _is_call)
    return _problems({**found, **_clangs([*files, *libraries], read)}, on_unsupported, names)


def _clangs(files: Sequence[str], read: Sequence[_Read]) -> dict[str, str]:
    """What clang compiled alone among files of a link. Of archives, only the members count that the linker ``read``."""
    members = {(file.path, file.member) for file in read}
    by_clang = _of_clang(_may_be_clangs(dict.fromkeys(files)))
    return {w: name for w, name in by_clang.items() if w in files or _split(w, files) in members}


def _problems(found: Mapping[str, str], on_unsupported: str, names: Mapping[str, str]) -> list[Diagnostic]:
    """Warnings about what was found in a link, or InputError."""
    warn = on_unsupported == "host"
    severity, more, notes = ("warning", "; its regions run on the host", ()) if warn else ("error", "", (_REMEDY,))
    problems = [Diagnostic(severity, _what(names.get(w, w), name) + more, notes=notes) for w, name in found.items()]
    if problems and not warn:
        raise InputError(problems)
    return problems


def check_objects(objects: Mapping[str, Input]) -> None:
    """Raise InputError if the host's compiler has compiled a target construct into an object. They are deleted then.

    ``objects`` has their sources. Lowering finds all constructs of C and C++, and this is what holds if it does not. In
    Fortran, a macro or an included file can hide one from the search for them.
    """
    compiled = [path for path in objects if mentions(path, _LEFT)]
    found = {**_needed(compiled, _is_call), **_for_link_time_optimisation(compiled), **_of_clang(compiled)}
    if not found:
        return
    for path in compiled:
        Path(path).unlink(missing_ok=True)
    what = "has a target construct that rex-build has not found, and that the compiler left to the host"
    raise InputError(
        [
            Diagnostic("error", f"{source.name}: {NOT_LOWERED.format('Fortran')}", notes=(MOVE,))
            if (source := objects[path]).language is Language.FORTRAN
            else Diagnostic("error", f"{source.name} {what}", notes=(_REPORT,))
            for path in found
        ]
    )


def check_output(
    command: Sequence[str], line: CommandLine, names: Mapping[str, str], on_unsupported: str, known: Sized
) -> list[Diagnostic]:
    """Raise InputError if a shared library that was just linked calls gcc's runtime, or if what was linked has a region
    of clang's, in a file that only the linker knows. It is deleted then.

    ``names`` has the names under which messages name objects. If ``on_unsupported`` is ``host``, clang's regions are
    warnings, unless such warnings are ``known`` from before the link.
    """
    output = Path(line.output or "a.out")
    try:
        if not known and _may_be_clangs([str(output)]):
            read = _read_by_linker(command)
            return _problems(_clangs([file.path for file in read], read), on_unsupported, names)
        if "-shared" in line.words and mentions(output) and (found := explain_failed_link(command, line, names)):
            raise InputError(found)
    except InputError:
        output.unlink()
        raise
    return []


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
    compiler, sign = ("gcc", "calls") if _is_call(name) else ("clang", "has")
    return f"{where} has target constructs that {compiler} compiled by itself (it {sign} {name})"


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
        return None if text.startswith(_SYSTEM) else _Read(text)
    match = _MEMBER.fullmatch(text)
    if match is None:
        return None
    path, member = match["archive"] or match["other"], match["name"] or match["member"]
    return _Read(path, member) if Path(path).is_file() else None


def linked_files(line: CommandLine) -> tuple[list[str], list[str]]:
    """(the files of a link without sources and without those in the linker's own folders, the folders of -L)."""
    files = [file.name for file in line.inputs if not file.is_source and Path(file.name).is_file()]
    words = iter(_linker_words(line))
    folders: list[str] = []
    named: list[tuple[str, bool]] = []
    static = False
    for word in words:
        if word in ("-Bstatic", "-dn", "-static"):
            static = True
        elif word in ("-Bdynamic", "-dy"):
            static = False
        elif word.startswith(("-L", "--library-path")):
            folders.append(word.removeprefix("-L").removeprefix("--library-path").lstrip("=") or next(words, ""))
        elif word.startswith(("-l", "--library=")):
            name = word.removeprefix("--library=").removeprefix("-l") or next(words, "")
            named.append((name, static))
        elif word in _NAMES_THE_OUTPUT:
            next(words, "")
        elif not word.startswith("-") and word not in files and (_is_elf(word) or _is_archive(word)):
            files.append(word)  # for the linker alone
    folders += [*os.environ.get("LIBRARY_PATH", "").split(os.pathsep), *_LOCAL]
    for name, only_static in dict.fromkeys(named):
        wanted = (name[1:],) if name.startswith(":") else (f"lib{name}.so", f"lib{name}.a")[only_static:]
        found = (str(file) for folder in folders if folder for n in wanted if (file := Path(folder, n)).is_file())
        files += [first] if (first := next(found, "")) else []
    return files, folders


def _linker_words(line: CommandLine) -> list[str]:
    words = (part for word in line.words for part in (word.split(",")[1:] if word.startswith("-Wl,") else [word]))
    return list(expanded(words))


def _with_needed(libraries: Sequence[str], line: CommandLine, folders: Sequence[str]) -> list[str]:
    """The shared libraries, and those that they need, as far as they are not the system's.

    ``folders`` are those of ``-L``: the linker does not look there, but a program may be started so that it finds them.
    """
    found = dict.fromkeys(libraries)
    asked = _options_with_folders(line) + [os.environ.get(name, "") for name in ("LD_RUN_PATH", "LD_LIBRARY_PATH")]
    usual = [folder for text in asked for folder in text.split(os.pathsep) if folder]
    level = list(found)
    while level:
        level = [
            next((file for f in (*usual, *own, *folders) if f and os.path.isfile(file := os.path.join(f, name))), "")
            for name, own in _dynamic(level)
        ]
        level = [file for file in dict.fromkeys(level) if file and file not in found and not file.startswith(_SYSTEM)]
        found.update(dict.fromkeys(level))
    return list(found)


def _options_with_folders(line: CommandLine) -> list[str]:
    """What the options for the linker name as the folders of libraries that libraries need."""
    found: list[str] = []
    words = iter(word for word in _linker_words(line) if word != "-Xlinker")
    for word in words:
        name, equals, value = word.partition("=")
        if name.lstrip("-") in ("rpath", "rpath-link", "R") and word.startswith("-"):
            found.append(value if equals else next(words, ""))
    return found


def _dynamic(libraries: Sequence[str]) -> list[tuple[str, list[str]]]:
    """(the name, folders in which it may be) of each library that one of these shared libraries needs."""
    names: list[tuple[str, str]] = []
    folders: dict[str, list[str]] = {}
    for where, row in _by_file(libraries, "--dynamic"):
        if not (match := _DYNAMIC.search(row)):
            continue
        if match["kind"] == "NEEDED":
            names.append((where, match["value"]))
        else:
            value = re.sub(r"\$ORIGIN|\$\{ORIGIN\}", lambda _, file=where: os.path.dirname(file) or ".", match["value"])
            folders.setdefault(where, []).extend(value.split(os.pathsep))
    return [(name, [*folders.get(where, ()), os.path.dirname(where) or "."]) for where, name in dict.fromkeys(names)]


def _is_elf(path: str) -> bool:
    return begins_with(path, b"\x7fELF")


def _is_archive(path: str) -> bool:
    """Whether this is an archive that has its members in itself."""
    return begins_with(path, b"!<arch>\n")


def begins_with(path: str, text: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(text)) == text
    except OSError:
        return False


def is_shared(path: str) -> bool:
    return ".so" in os.path.basename(path)


def mentions(path: Path | str, names: Sequence[bytes] = (_CALLS,)) -> bool:
    """Whether a file has the name of such a function anywhere, which takes no time to find out."""
    try:
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return any(data.find(name) >= 0 for name in names)
    except (OSError, ValueError):
        return False


def _may_be_clangs(files: Iterable[str]) -> list[str]:
    """The files that have the name of a region of clang's, or may have it in debug information that is compressed."""
    clangs = [file for file in files if mentions(file, [_CLANG.encode(), b"clang version"])]
    named = {file for file in clangs if mentions(file, [_CLANG.encode()])}
    others = _by_file([file for file in clangs if file not in named], "--sections")
    named |= {where.partition(":")[0] for where, row in others if _COMPRESSED.search(row)}
    return [file for file in clangs if file in named]


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
    rows = _by_file(files, "--sections")
    return {where: "GOMP_target_ext" for where, row in rows if ".gnu.lto_.offload_table." in row}


def _of_clang(files: Sequence[str]) -> dict[str, str]:
    """A function that clang made of a region, for each file, or member of an archive, that registers no images.

    Where clang has put it into its caller, only debug information still names it.
    """
    found: dict[str, str] = {}
    registered: set[str] = set()
    for where, row in _by_file(files, "--syms", "--decompress", "--string-dump=.debug_str"):
        if match := _CLANGS_NAME.search(row):
            found.setdefault(where, match[0])
        elif "__tgt_register_lib" in row:
            registered.add(where)
    return {where: name for where, name in found.items() if where not in registered}


def _by_file(files: Sequence[str], *options: str) -> Iterator[tuple[str, str]]:
    """(a file or member of an archive, a row that readelf prints of it)."""
    where = files[0] if files else ""
    for row in _lines(["readelf", "--wide", *options, *files, *files[:1]]) if files else ():
        if row.startswith("File: "):
            where = re.sub(r"\((.*)\)$", r":\1", row[len("File: ") :].strip())
        else:
            yield where, row


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
