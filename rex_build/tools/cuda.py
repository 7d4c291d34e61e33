"""NVIDIA's compiler and GPUs on this machine, and the runtimes that can load what the compiler makes."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from ..base.command_words import which
from ..base.diagnostics import ToolError
from ..base.records import dataclass
from .runtimes import INSTALL_22, USE_CPU, Runtime, newest_first, too_old
from .toolchain import Problem, resolved, tool_output, words_of

_FIRST_RUNTIME_FOR_CUDA_13 = (21, 1, 2)
# LLVM 22 needs cuFuncGetParamInfo from the driver. Without it, all of its CUDA support is silently off.
_DRIVER_FOR_LLVM_22 = (12, 4)


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
