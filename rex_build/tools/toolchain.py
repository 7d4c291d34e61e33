"""Which compilers and offload runtimes are here, which versions they are, and which of them fit together."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from ..base.diagnostics import Diagnostic, ToolError, UsageError
from ..base.elf import ElfError, read_elf
from ..base.records import dataclass
from ..cache.tools import LAUNCHERS

INSTALL_RUNTIME = "on Debian: apt-get install liboffload-22-dev libomp5-19 (or just libomp5-19 for CUDA 12 or the CPU)"
USE_CPU = "or build for the CPU device instead (--device cpu, in CMake DEVICES cpu)"

_INSTALL_22 = "install LLVM 22's runtime (on Debian: apt-get install liboffload-22-dev)"
_OLDEST_RUNTIME = 19
_FIRST_RUNTIME_FOR_CUDA_13 = (21, 1, 2)
_LAST_RUNTIME_WITH_CPU_DEVICE = 22
_SYSTEM_LIBRARY_DIRS = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64")


@dataclass(frozen=True)
class Compiler:
    """A compiler as it is called: ``command`` may start with a launcher (``ccache gcc``)."""

    command: tuple[str, ...]

    @property
    def version(self) -> str:
        """The first line of what it says about itself. Raises ToolError when it does not run."""
        return tool_output(self.command, "--version").partition("\n")[0].strip()

    @property
    def program(self) -> str:
        """The compiler itself, without a launcher in front and options behind."""
        return next((word for word in self.command if Path(word).name not in LAUNCHERS), self.command[0])

    @property
    def options(self) -> tuple[str, ...]:
        """The words after the compiler itself."""
        return self.command[self.command.index(self.program) + 1 :]


@dataclass(frozen=True)
class Nvcc:
    """CUDA's compiler; ``version`` is the toolkit's (major, minor)."""

    command: tuple[str, ...]
    version: tuple[int, int]


@dataclass(frozen=True)
class Runtime:
    """LLVM's libomptarget with the libomp to link beside it. ``version`` is (major, minor[, patch]) of LLVM."""

    omptarget: Path
    omp: Path
    version: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"libomptarget {'.'.join(map(str, self.version))}"


@dataclass(frozen=True)
class Gpu:
    """One visible NVIDIA GPU. ``driver_cuda`` is the newest CUDA version its driver serves, when known."""

    name: str
    arch: str
    driver_cuda: tuple[int, int] | None


@dataclass(frozen=True)
class Problem:
    """Why something cannot work, and what to do about it."""

    message: str
    remedy: str

    def error(self) -> ToolError:
        return ToolError([Diagnostic("error", self.message, notes=(self.remedy,))])


# Compilers


def given_compiler(command: str) -> Compiler:
    """The compiler a command line names, ``gcc`` or ``ccache gcc``. Raises ToolError when it is not there."""
    return Compiler(_resolve(shlex.split(command) or [""], "the command line"))


def nvcc_from(compiler: Compiler) -> Nvcc:
    """A compiler that is nvcc. Raises ToolError when it is not."""
    return _nvcc(compiler.command)


def find_cc() -> Compiler:
    """The C compiler: ``$CC``, else gcc, else cc. Raises ToolError when there is none."""
    return _compiler("CC", ("gcc", "cc"), "C", "on Debian: apt-get install gcc libc6-dev")


def find_cxx() -> Compiler:
    """The C++ compiler that makes images for the CPU device: ``$CXX``, else g++, else c++. Raises ToolError."""
    return _compiler("CXX", ("g++", "c++"), "C++", "on Debian: apt-get install g++")


def find_nvcc() -> Nvcc | None:
    """nvcc from ``$NVCC``, ``$CUDACXX``, PATH, /usr/local/cuda or the Python packages of ``rex-build[cuda]``, or None.

    Raises ToolError on a wrong variable.
    """
    for variable in ("NVCC", "CUDACXX"):
        if words := _words_of(variable):
            return _nvcc(_resolve(words, variable))
    if found := shutil.which("nvcc"):
        return _nvcc((found,))
    installed = (Path("/usr/local/cuda/bin/nvcc"), *_newest_first("/usr/local", "cuda-*/bin/nvcc"), *_pypi_nvccs())
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


def _compiler(variable: str, names: Sequence[str], language: str, remedy: str) -> Compiler:
    if words := _words_of(variable):
        return Compiler(_resolve(words, variable))
    if found := next(filter(None, map(shutil.which, names)), None):
        return Compiler((found,))
    raise Problem(f"no {language} compiler was found (looked for {', '.join(names)})", remedy).error()


def _words_of(variable: str) -> list[str]:
    """The command in an environment variable: a path, with blanks perhaps (CMake sets CC so), or words for a shell."""
    text = os.environ.get(variable, "").strip()
    return [text] if "/" in text and Path(text).is_file() else shlex.split(text)


def _pypi_nvccs() -> Iterator[Path]:
    """nvcc as PyPI's nvidia-cuda-nvcc installs it beside this interpreter's other packages."""
    for folder in map(Path, sys.path):
        if folder.name in ("site-packages", "dist-packages"):
            yield from sorted(folder.glob("nvidia/cu[0-9]*/bin/nvcc"), reverse=True)


def _resolve(words: Sequence[str], variable: str) -> tuple[str, ...]:
    program = shutil.which(words[0])
    if program is None:
        raise Problem(
            f"{variable} names {words[0]!r}, which is no program here", f"correct or unset {variable}"
        ).error()
    return (program, *words[1:])


@cache
def _nvcc(command: tuple[str, ...]) -> Nvcc:
    text = tool_output(command, "--version")
    release = re.search(r"release (\d+)\.(\d+)", text)
    if not release:
        raise Problem(f"{shlex.join(command)} does not answer as nvcc does", "set NVCC to CUDA's nvcc").error()
    return Nvcc(command, (int(release[1]), int(release[2])))


@cache
def nvcc_archs(nvcc: Nvcc) -> tuple[str, ...]:
    """The architectures nvcc compiles for, oldest first: ``("sm_75", "sm_80", ...)``."""
    found = re.findall(r"^sm_(\d+)$", tool_output(nvcc.command, "--list-gpu-code"), re.MULTILINE)
    return tuple(f"sm_{number}" for number in sorted(map(int, found)))


def tool_output(command: Sequence[str], *arguments: str) -> str:
    """What a tool prints on stdout. Raises ToolError when it cannot be run or fails."""
    try:
        return subprocess.run(
            [*command, *arguments], check=True, capture_output=True, text=True, errors="replace", timeout=60
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise ToolError(f"{shlex.join([*command, *arguments])} failed: {error}") from error


# Architectures


def normalise_arch(text: str) -> str:
    """``90``, ``sm_90`` or ``90-real`` -> ``sm_90``; ``cpu`` stays. Raises UsageError for anything else."""
    if text == "cpu":
        return text
    match = re.fullmatch(r"(?:sm_)?(\d{2,3}[af]?)(?:-real)?", text)
    if not match:
        raise UsageError(f"unknown architecture {text!r}: expected cpu or one like sm_90")
    return f"sm_{match[1]}"


def default_cuda_arch() -> str:
    """The architecture of the first visible GPU, else sm_90."""
    found = gpus()
    return found[0].arch if found else "sm_90"


# The offload runtime


def find_runtimes(llvm_root: str | None = None) -> tuple[Runtime, ...]:
    """Every libomptarget with a libomp to go with it, newest first.

    ``llvm_root`` (else ``$REX_LLVM_ROOT``) restricts the search to that installation, ``/usr/lib/llvm-22`` say, or to a
    folder with the libraries themselves. Its libomp may still come from elsewhere: Debian's LLVM 22 runtime uses 19's.
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


def select_runtime(devices: Iterable[str], archs: Iterable[str] = (), llvm_root: str | None = None) -> Runtime:
    """The newest runtime that serves all of ``devices`` (``cuda``, ``cpu``). Raises ToolError with the remedy.

    ``archs`` are the ``sm_<NN>`` that the cuda device's images are made for.
    """
    runtimes = find_runtimes(llvm_root)
    if not runtimes:
        raise no_runtime(llvm_root or os.environ.get("REX_LLVM_ROOT")).error()
    first: Problem | None = None
    for runtime in runtimes:
        problems = (device_problem(device, runtime, archs) for device in devices)
        problem = next(filter(None, problems), None)
        if problem is None:
            return runtime
        first = first or problem
    assert first is not None
    raise first.error()


def device_problem(device: str, runtime: Runtime, archs: Iterable[str] = ()) -> Problem | None:
    """Why ``runtime`` and the compilers here cannot serve ``device`` (``cuda`` or ``cpu``); None when they can."""
    if device == "cpu":
        find_cxx()
        return cpu_problem(runtime)
    return pair_problem(runtime, need_nvcc(), archs)


def no_runtime(root: str | None) -> Problem:
    """The problem of having no libomptarget (below ``root``, when that was asked for)."""
    where = f" below {root}" if root else ""
    return Problem(f"LLVM's offload runtime (libomptarget and libomp) was not found{where}", INSTALL_RUNTIME)


def is_libgomp(word: str) -> bool:
    """Whether a word of a link line names gcc's OpenMP runtime, as FindOpenMP of CMake does with its path."""
    return word == "-lgomp" or re.fullmatch(r"libgomp\.(a|so[.\d]*)", Path(word).name) is not None


def link_flags(runtime: Runtime) -> tuple[str, ...]:
    """Arguments that link a program with the runtime by full path, findable at run time.

    ``-fno-openmp`` undoes an ``-fopenmp`` among the user's flags: with it gcc would link libgomp beside libomp.
    """
    folders = dict.fromkeys(str(library.parent) for library in (runtime.omptarget, runtime.omp))
    rpath = (f"-Wl,-rpath,{folder}" for folder in folders)
    return ("-fno-openmp", str(runtime.omptarget), str(runtime.omp), *rpath)


def _library_dirs() -> Iterator[Path]:
    """Folders that may hold the runtime, LLVM's own ones newest first."""
    yield from (Path(entry) for entry in os.environ.get("LD_LIBRARY_PATH", "").split(":") if entry)
    for root in _newest_first("/usr/lib", "llvm-*"):
        yield root / "lib"
    yield from map(Path, _SYSTEM_LIBRARY_DIRS)
    if llvm_config := shutil.which("llvm-config"):
        yield Path(tool_output([llvm_config], "--libdir").strip())


def _dirs_below(root: Path) -> Iterator[Path]:
    for lib in (root / "lib", root / "lib64", root):
        yield lib
        yield from (lib / triple for triple in ("x86_64-linux-gnu", "x86_64-unknown-linux-gnu"))


def _newest_first(base: str, pattern: str) -> list[Path]:
    def version(path: Path) -> tuple[int, ...]:
        return tuple(map(int, re.findall(r"\d+", str(path.relative_to(base)))))

    return sorted(Path(base).glob(pattern), key=version, reverse=True)


def _find_omp(dirs: Iterable[Path]) -> Path | None:
    candidates = (folder / name for folder in dirs for name in ("libomp.so.5", "libomp.so"))
    return next((path.resolve() for path in candidates if path.is_file()), None)


@cache
def _omptarget_version(library: Path) -> tuple[int, ...] | None:
    """LLVM's version as the library itself tells it: its soname, else the libLLVM it needs, else a version string.

    21.1's patch level decides whether it reads CUDA 13's cubins, so for 21 the binary is searched for it.
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


# What fits together


def pair_problem(runtime: Runtime, nvcc: Nvcc, archs: Iterable[str] = ()) -> Problem | None:
    """Why ``runtime`` cannot load images that ``nvcc`` makes for ``archs`` (``sm_<NN>``); None when it can.

    Source: the CUDA plugin of LLVM 17 to 23: up to LLVM 20, and in 21.1.0 and 21.1.1, cubins of ELF ABI
    version 8 (CUDA 13 and newer) are rejected; up to 19 only sm_35 to sm_90 are known.
    """
    if problem := _too_old(runtime):
        return problem
    if nvcc.version >= (13, 0) and runtime.version < _FIRST_RUNTIME_FOR_CUDA_13 and runtime.version != (21, 1):
        cuda = ".".join(map(str, nvcc.version))
        return Problem(
            f"{runtime.name} ({runtime.omptarget}) cannot load images made by CUDA {cuda}, only by CUDA 12 or older",
            f"{_INSTALL_22}, or name a CUDA 12 nvcc in NVCC, {USE_CPU}",
        )
    unknown = [arch for arch in archs if runtime.version[0] <= 19 and int(re.sub(r"\D", "", arch)) > 90]
    if unknown:
        return Problem(
            f"{runtime.name} ({runtime.omptarget}) does not know {', '.join(unknown)}: it serves sm_35 to sm_90",
            f"{_INSTALL_22}, {USE_CPU}",
        )
    missing = [arch for arch in archs if arch.rstrip("af") not in nvcc_archs(nvcc)]
    return arch_problem(nvcc, missing) if missing else None


def arch_problem(nvcc: Nvcc, missing: Sequence[str]) -> Problem:
    """The problem of asking nvcc for architectures it does not have."""
    cuda = ".".join(map(str, nvcc.version))
    return Problem(
        f"nvcc of CUDA {cuda} does not compile for {', '.join(missing)}", f"it knows {', '.join(nvcc_archs(nvcc))}"
    )


def cpu_problem(runtime: Runtime) -> Problem | None:
    """Why ``runtime`` cannot drive the CPU device; None when it can.

    LLVM 23's host plugin wants a newer kernel-argument version, with another calling convention.
    """
    if problem := _too_old(runtime):
        return problem
    if runtime.version[0] > _LAST_RUNTIME_WITH_CPU_DEVICE:
        return Problem(
            f"{runtime.name} ({runtime.omptarget}) calls kernels of the CPU device in a way that is not supported",
            f"use LLVM 19 to 22 for the CPU device; {INSTALL_RUNTIME}",
        )
    return None


def check_pair(runtime: Runtime, nvcc: Nvcc, archs: Iterable[str] = ()) -> None:
    """Raise ToolError, with the remedy, when ``runtime`` cannot load what ``nvcc`` makes."""
    if problem := pair_problem(runtime, nvcc, archs):
        raise problem.error()


def _too_old(runtime: Runtime) -> Problem | None:
    if runtime.version[0] >= _OLDEST_RUNTIME:
        return None
    return Problem(
        f"{runtime.name} ({runtime.omptarget}) is too old: LLVM {_OLDEST_RUNTIME} is the oldest that is supported",
        INSTALL_RUNTIME,
    )


# GPUs


@cache
def gpus() -> tuple[Gpu, ...]:
    """The visible NVIDIA GPUs, asked of nvidia-smi and, where that is missing, of the driver library."""
    if smi := shutil.which("nvidia-smi"):
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
    """Through CUDA's driver API; empty without a driver or without a GPU."""
    import ctypes

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
