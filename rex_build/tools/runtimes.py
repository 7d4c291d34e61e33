"""Finds the offload runtimes on this machine: LLVM's libomptarget, its version, and the libomp to link with it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from ..base.command_words import which
from ..base.elf import ElfError, read_elf
from ..base.records import dataclass
from .built_library import link_library
from .toolchain import Problem, tool_output

INSTALL_RUNTIME = "on Debian: apt-get install liboffload-22-dev libomp5-19 (or just libomp5-19 for CUDA 12 or the CPU)"
INSTALL_22 = "install LLVM 22's runtime (on Debian: apt-get install liboffload-22-dev)"
USE_CPU = "or build for the CPU device instead (--device cpu, in CMake DEVICES cpu)"

_OLDEST_RUNTIME = 19
_SYSTEM_LIBRARY_DIRS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64")


@dataclass(frozen=True)
class Runtime:
    """LLVM's libomptarget, and the libomp to link with it. ``version`` is LLVM's (major, minor[, patch])."""

    omptarget: Path
    omp: Path
    version: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"libomptarget {'.'.join(map(str, self.version))}"


def find_runtimes(llvm_root: str | None = None) -> tuple[Runtime, ...]:
    """Every libomptarget that has a libomp to link with it, newest first.

    ``llvm_root`` (or ``$REX_LLVM_ROOT``) restricts the search to one installation, such as ``/usr/lib/llvm-22``, or to
    a folder with the libraries themselves. The libomp may still come from elsewhere: Debian's LLVM 22 runtime uses
    19's.
    """
    root = llvm_root or os.environ.get("REX_LLVM_ROOT")
    everywhere = tuple(_library_dirs())
    dirs = tuple(_dirs_below(Path(root))) if root else everywhere
    runtimes: dict[Path, Runtime] = {}
    for folder in dirs:
        for library in sorted(folder.glob("libomptarget.so*")):
            real = library.resolve()
            omp = _find_omp((real.parent, *dirs, *everywhere))
            if real not in runtimes and omp and (version := _omptarget_version(real)):
                runtimes[real] = Runtime(real, omp, version)
    return tuple(sorted(runtimes.values(), key=lambda runtime: runtime.version, reverse=True))


def no_runtime(root: str | None) -> Problem:
    """The problem that there is no libomptarget, below ``root`` if that was given."""
    where = f" below {root}" if root else ""
    return Problem(f"LLVM's offload runtime (libomptarget and libomp) was not found{where}", INSTALL_RUNTIME)


_BEFORE_A_LIBRARY = ("-l", "--library", "-Xlinker")


def too_old(runtime: Runtime) -> Problem | None:
    """Why no device can use ``runtime`` because of its age, or None if its age is no problem."""
    if runtime.version[0] >= _OLDEST_RUNTIME:
        return None
    return Problem(
        f"{runtime.name} ({runtime.omptarget}) is too old: LLVM {_OLDEST_RUNTIME} is the oldest that is supported",
        INSTALL_RUNTIME,
    )


_OTHERS = "gomp|iomp5"  # runtimes beside libomp


def is_openmp_runtime(word: str, names: str = f"{_OTHERS}|omp|omptarget") -> bool:
    """Whether a word of a link line names an OpenMP runtime: gcc's, or another one than that which rex-build adds.

    CMake's FindOpenMP names it by its path. A program with two runtimes has two sets of threads, or stops at once. What
    stands for libomptarget in CMake's links ends in .stub.
    """
    if not any(name in word for name in names.split("|")):
        return False
    name = word.removeprefix("-l:") if word.startswith("-l:") else Path(word).name
    return re.fullmatch(rf"(?:-l|--library=)(?:{names})", word) is not None or (
        re.fullmatch(rf"lib(?:{names})\.(?:a|stub|so[.\d]*)", name) is not None
    )


def with_one_runtime(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a link that names libomptarget, as CMake's do, without other runtimes than the one it needs."""
    if not any(is_openmp_runtime(word, "omptarget") for word in words):
        return tuple(words)
    return tuple(word for word in words if not is_openmp_runtime(word, _OTHERS))


def without_openmp_runtimes(words: Iterable[str]) -> list[str]:
    """The words of a link without such runtimes, wherever options for the linker name them, too."""
    kept: list[str] = []
    rest = iter(words)
    for word in rest:
        if word.startswith("-Wl,"):
            parts = without_openmp_runtimes(word.split(",")[1:])
            kept += [",".join(["-Wl", *parts])] if parts else []
        elif word in _BEFORE_A_LIBRARY:
            value = next(rest, "")
            joined = value if word == "-Xlinker" else f"-l{value}"
            kept += [] if is_openmp_runtime(joined) else [word, value]
        elif word == "-o":
            kept += [word, *([value] if (value := next(rest, "")) else [])]
        elif not is_openmp_runtime(word):
            kept.append(word)
    return kept


def link_flags(runtime: Runtime, kept: Path | None = None) -> tuple[str, ...]:
    """The arguments that link a program with the runtime, by full paths and so that it is found at run time.

    The library that stands for libomptarget is ``kept`` there, if that is given. ``-fno-openmp`` undoes an ``-fopenmp``
    among the user's flags, with which gcc would link libgomp as well.
    """
    folders = dict.fromkeys(str(library.parent) for library in (runtime.omptarget, runtime.omp))
    rpath = (f"-Wl,-rpath,{folder}" for folder in folders)
    return ("-fno-openmp", str(link_library(runtime.omptarget, kept)), str(runtime.omp), *rpath)


def _library_dirs() -> Iterator[Path]:
    """The folders that may hold the runtime. LLVM's own folders come newest first."""
    yield from (Path(entry) for entry in os.environ.get("LD_LIBRARY_PATH", "").split(":") if entry)
    for root in newest_first("/usr/lib", "llvm-*"):
        yield root / "lib"
    yield from map(Path, _SYSTEM_LIBRARY_DIRS)
    if llvm_config := which("llvm-config"):
        yield Path(tool_output([llvm_config], "--libdir").strip())


def _dirs_below(root: Path) -> Iterator[Path]:
    for lib in (root / "lib", root / "lib64", root):
        yield lib
        yield from (lib / triple for triple in ("x86_64-linux-gnu", "x86_64-unknown-linux-gnu"))


def newest_first(base: str, pattern: str) -> list[Path]:
    """The paths below a folder that match a pattern, those with the highest numbers first."""

    def version(path: Path) -> tuple[int, ...]:
        return tuple(map(int, re.findall(r"\d+", str(path.relative_to(base)))))

    return sorted(Path(base).glob(pattern), key=version, reverse=True)


def _find_omp(dirs: Iterable[Path]) -> Path | None:
    candidates = (folder / name for folder in dirs for name in ("libomp.so.5", "libomp.so"))
    return next((path.resolve() for path in candidates if path.is_file()), None)


@cache
def _omptarget_version(library: Path) -> tuple[int, ...] | None:
    """LLVM's version according to the library: its soname, else the libLLVM that it needs, else a version string.

    For 21.1, the patch level decides whether it reads CUDA 13's cubins, so the binary is searched for that.
    """
    try:
        elf = read_elf(library)
    except (OSError, ElfError):
        return None
    for name in (elf.soname or "", *elf.needed):
        if match := re.fullmatch(r"(?:libomptarget\.so\.|libLLVM(?:\.so\.|-))(\d+)(?:\.(\d+))?.*", name):
            version = tuple(int(part) for part in match.groups() if part)
            break
    else:
        text = re.search(rb"LLVM (\d+)\.(\d+)\.\d+", library.read_bytes())
        if not text:
            return None
        version = (int(text[1]), int(text[2]))
    if version[0] == 21 and (patch := re.search(rb"\b21\.1\.(\d+)\b", library.read_bytes())):
        version = (21, 1, int(patch[1]))
    return version
