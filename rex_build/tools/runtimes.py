"""Finds NVIDIA's compiler and GPUs, and the offload runtimes on this machine: LLVM's libomptarget, its version, and the
libomp to link with it."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from ..base.command_words import which
from ..base.diagnostics import ToolError
from ..base.elf import ElfError, read_elf
from ..base.records import dataclass
from .built_library import link_library
from .toolchain import Problem, resolved, tool_output, words_of

_FIRST_RUNTIME_FOR_CUDA_13 = (21, 1, 2)
# LLVM 22 needs cuFuncGetParamInfo from the driver. Without it, all of its CUDA support is silently off.
_DRIVER_FOR_LLVM_22 = (12, 4)
INSTALL_RUNTIME = "on Debian: apt-get install liboffload-22-dev libomp5-19 (or just libomp5-19 for CUDA 12 or the CPU)"
INSTALL_22 = "install LLVM 22's runtime (on Debian: apt-get install liboffload-22-dev)"
USE_CPU = "or build for the CPU device instead (--device cpu, in CMake DEVICES cpu)"
_OLDEST_RUNTIME = 19
_SYSTEM_LIBRARY_DIRS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64")
_BEFORE_A_LIBRARY = ("-l", "--library", "-Xlinker")
_OTHERS = "gomp|iomp5"  # runtimes beside libomp


@dataclass(frozen=True)
class Nvcc:
    """CUDA's compiler. ``version`` is the (major, minor) version of the toolkit."""

    command: tuple[str, ...]
    version: tuple[int, int]


@dataclass(frozen=True)
class Gpu:
    """One visible NVIDIA GPU. ``driver_cuda`` is the newest CUDA version that its driver supports, if known."""

    name: str
    arch: str
    driver_cuda: tuple[int, int] | None


def nvcc_from(command: Sequence[str]) -> Nvcc:
    """The nvcc that a command runs. Raises ToolError if it is not nvcc."""
    return _nvcc(tuple(command))


def find_nvcc() -> Nvcc | None:
    """nvcc from ``$NVCC``, ``$CUDACXX``, PATH, /usr/local/cuda or the Python packages of ``rex-build[cuda]``, or None.

    Raises ToolError if a variable is wrong.
    """
    for variable in ("NVCC", "CUDACXX"):
        if words := words_of(variable):
            return _nvcc(resolved(words, variable))
    if found := which("nvcc"):
        return _nvcc((found,))
    installed = (Path("/usr/local/cuda/bin/nvcc"), *newest_first("/usr/local", "cuda-*/bin/nvcc"), *_pypi_nvccs())
    return next((_nvcc((str(path),)) for path in installed if path.is_file()), None)


def need_nvcc() -> Nvcc:
    """nvcc, or a ToolError that says what to install."""
    nvcc = find_nvcc()
    if nvcc is None:
        raise Problem(
            "nvcc was not found: images for the cuda device need the CUDA toolkit",
            f"put nvcc on PATH, name it in NVCC, or pip install 'rex-build[cuda]'; {USE_CPU}",
        ).error()
    return nvcc


def _pypi_nvccs() -> Iterator[Path]:
    """The nvcc that PyPI's nvidia-cuda-nvcc installs beside this interpreter's other packages."""
    for folder in map(Path, sys.path):
        if folder.name in ("site-packages", "dist-packages"):
            yield from sorted(folder.glob("nvidia/cu[0-9]*/bin/nvcc"), reverse=True)


@cache
def _nvcc(command: tuple[str, ...]) -> Nvcc:
    text = tool_output(command, "--version")
    release = re.search(r"release (\d+)\.(\d+)", text)
    if not release:
        raise Problem(f"{shlex.join(command)} does not answer as nvcc does", "set NVCC to CUDA's nvcc").error()
    return Nvcc(command, (int(release[1]), int(release[2])))


@cache
def toolkit_folder(nvcc: Nvcc) -> Path | None:
    """The folder of nvcc's toolkit, which nvcc knows also where it is run by a script. None if it does not say so."""
    import subprocess

    command = (*nvcc.command, "--dryrun", "-c", "-x", "cu", "/dev/null", "-o", "/dev/null")
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    top = re.search(r"^#\$ TOP=(.*)$", done.stderr, re.MULTILINE)
    return Path(top[1].strip().strip('"')).resolve() if top else None


@cache
def nvcc_archs(nvcc: Nvcc) -> tuple[str, ...]:
    """The architectures for which nvcc can compile, oldest first: ``("sm_75", "sm_80", ...)``."""
    found = re.findall(r"^sm_(\d+)$", tool_output(nvcc.command, "--list-gpu-code"), re.MULTILINE)
    return tuple(f"sm_{number}" for number in sorted(map(int, found)))


def pair_problem(runtime: Runtime, nvcc: Nvcc, archs: Iterable[str] = ()) -> Problem | None:
    """Why ``runtime`` cannot load images that ``nvcc`` makes for ``archs`` (``sm_<NN>``), or None if it can.

    Source: the CUDA plugin of LLVM 17 to 23. Releases up to 20, and 21.1.0 and 21.1.1, reject cubins of ELF ABI version
    8 (CUDA 13 and newer). Releases up to 19 know only sm_35 to sm_90.
    """
    if problem := too_old(runtime):
        return problem
    if nvcc.version >= (13, 0) and runtime.version < _FIRST_RUNTIME_FOR_CUDA_13 and runtime.version != (21, 1):
        cuda = ".".join(map(str, nvcc.version))
        return Problem(
            f"{runtime.name} ({runtime.omptarget}) cannot load images made by CUDA {cuda}, only by CUDA 12 or older",
            f"{INSTALL_22}, or name a CUDA 12 nvcc in NVCC, {USE_CPU}",
        )
    unknown = [arch for arch in archs if runtime.version[0] <= 19 and int(re.sub(r"\D", "", arch)) > 90]
    if unknown:
        return Problem(
            f"{runtime.name} ({runtime.omptarget}) does not know {', '.join(unknown)}: it serves sm_35 to sm_90",
            f"{INSTALL_22}, {USE_CPU}",
        )
    missing = [arch for arch in archs if arch.rstrip("af") not in nvcc_archs(nvcc)]
    return arch_problem(nvcc, missing) if missing else None


def arch_problem(nvcc: Nvcc, missing: Sequence[str]) -> Problem:
    """The problem that nvcc does not know some architectures."""
    cuda = ".".join(map(str, nvcc.version))
    return Problem(
        f"nvcc of CUDA {cuda} does not compile for {', '.join(missing)}", f"it knows {', '.join(nvcc_archs(nvcc))}"
    )


@cache
def gpus() -> tuple[Gpu, ...]:
    """The visible NVIDIA GPUs, according to nvidia-smi, or to the driver library if that is missing."""
    if smi := which("nvidia-smi"):
        try:
            return _gpus_from_smi(smi)
        except ToolError:
            return ()
    return _gpus_from_driver()


def _gpus_from_smi(smi: str) -> tuple[Gpu, ...]:
    rows = tool_output([smi], "--query-gpu=name,compute_cap", "--format=csv,noheader").splitlines()
    release = re.search(r"CUDA Version\s*:\s*(\d+)\.(\d+)", tool_output([smi]))
    driver = (int(release[1]), int(release[2])) if release else None
    found = (row.rsplit(",", 1) for row in rows if "," in row)
    return tuple(Gpu(name.strip(), "sm_" + cap.strip().replace(".", ""), driver) for name, cap in found)


def _gpus_from_driver() -> tuple[Gpu, ...]:
    """The GPUs that CUDA's driver API lists. There are none without a driver."""
    import ctypes  # lowering does not ask

    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return ()
    version, count = ctypes.c_int(), ctypes.c_int()
    if cuda.cuInit(0) or cuda.cuDriverGetVersion(ctypes.byref(version)) or cuda.cuDeviceGetCount(ctypes.byref(count)):
        return ()
    driver = (version.value // 1000, version.value % 1000 // 10)
    found = []
    for device in range(count.value):
        name, major, minor = ctypes.create_string_buffer(256), ctypes.c_int(), ctypes.c_int()
        cuda.cuDeviceGetName(name, 256, device)
        cuda.cuDeviceGetAttribute(ctypes.byref(major), 75, device)  # COMPUTE_CAPABILITY_MAJOR
        cuda.cuDeviceGetAttribute(ctypes.byref(minor), 76, device)  # COMPUTE_CAPABILITY_MINOR
        found.append(Gpu(name.value.decode(errors="replace"), f"sm_{major.value}{minor.value}", driver))
    return tuple(found)


def no_nvcc() -> Problem:
    """The problem that there is no nvcc."""
    remedy = "install NVIDIA's CUDA toolkit, name its nvcc in NVCC, or pip install 'rex-build[cuda]'"
    return Problem("nvcc was not found", remedy)


def gpu_problems(runtime: Runtime | None) -> list[Problem]:
    """The problems that prevent an image from running here, although it can be built."""
    import ctypes

    if not gpus():
        return [
            Problem("no NVIDIA GPU is visible", "programs built here run where there is one; here, use the CPU device")
        ]
    found = []
    driver = gpus()[0].driver_cuda
    if runtime and runtime.version[0] == 22 and driver and driver < _DRIVER_FOR_LLVM_22:
        message = f"{runtime.name} needs a driver for CUDA 12.4 or newer, this one is for {driver[0]}.{driver[1]}"
        found.append(Problem(message, "update the NVIDIA driver"))
    try:
        ctypes.CDLL("libcuda.so")
    except OSError:
        message = "libomptarget loads the driver as libcuda.so, which was not found"
        found.append(Problem(message, "make libcuda.so a link to the driver's libcuda.so.1"))
    return found


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


def too_old(runtime: Runtime) -> Problem | None:
    """Why no device can use ``runtime`` because of its age, or None if its age is no problem."""
    if runtime.version[0] >= _OLDEST_RUNTIME:
        return None
    return Problem(
        f"{runtime.name} ({runtime.omptarget}) is too old: LLVM {_OLDEST_RUNTIME} is the oldest that is supported",
        INSTALL_RUNTIME,
    )


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
