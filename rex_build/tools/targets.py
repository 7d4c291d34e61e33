"""Decides which device images to make for a command line, and which runtime to use for them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..base.diagnostics import ToolError, UsageError, unknown_word
from ..base.paths import include_dir
from .backends import BACKENDS, CHECK, CPU, CUDA, Backend, backend_of, parse_arch
from .built_library import built_library
from .runtimes import Runtime, find_nvcc, find_runtimes, no_runtime


def normalise_arch(text: str) -> str:
    """``sm_90`` for ``90``, ``sm_90`` or ``90-real``, and ``cpu`` for ``cpu``. Raises UsageError for other words."""
    arch = parse_arch(text)
    if arch is None and (text.endswith("-virtual") or text.startswith("compute_")):
        real = text.removesuffix("-virtual").removeprefix("compute_")
        raise UsageError(f"{text!r} asks for PTX, but LLVM's runtime loads machine code alone: write {real}")
    if arch is None:
        raise UsageError(f"unknown architecture {text!r}: expected cpu or one like sm_90")
    return arch


def check_devices(devices: Sequence[str]) -> None:
    """Raise UsageError if there are no such devices, or not together."""
    for device in devices:
        if device not in BACKENDS:
            what = f"unknown device {device!r}: expected cuda, cpu or cuda,cpu, or check"
            if device.startswith("sm"):
                raise UsageError(f"{what}; an architecture is given to --arch, or by REX_CUDA_ARCHITECTURES")
            raise unknown_word(what, {"gpu": CUDA.name}.get(device, device.lower()), BACKENDS)
    if CHECK.name in devices and {*devices} != {CHECK.name}:
        raise UsageError("the check device is used alone: a program that checks itself is not meant for other devices")


def image_targets(devices: Sequence[str] | None, archs: Sequence[str]) -> tuple[str, ...]:
    """The images that every unit gets: ``sm_<NN>`` for each architecture, and ``cpu``.

    ``devices`` None means cuda if nvcc is found, else cpu. No ``archs`` mean the GPU here, else sm_90. Raises
    UsageError.
    """
    devices = devices or ((CUDA if find_nvcc() else CPU).name,)
    wanted = tuple(dict.fromkeys(map(normalise_arch, archs)))
    check_devices(devices)
    if any(backend_of(arch) is not CUDA for arch in wanted) or (wanted and CUDA.name not in devices):
        raise UsageError("--arch is about the cuda device; the CPU device is asked for with --device cpu")
    cuda = (wanted or (CUDA.default_arch(),)) if CUDA.name in devices else ()
    return (*cuda, *(backend.default_arch() for backend in (CPU, CHECK) if backend.name in devices))


def backends_of(targets: Iterable[str]) -> list[Backend]:
    """The backends of these images, each once."""
    return list(dict.fromkeys(map(backend_of, targets)))


def select_runtime(backends: Iterable[Backend], archs: Iterable[str] = (), llvm_root: str | None = None) -> Runtime:
    """The newest runtime that supports all of ``backends`` with the compilers here, and images for ``archs``.

    Raises ToolError with the remedy.
    """
    runtimes = find_runtimes(llvm_root)
    if not runtimes:
        raise no_runtime(llvm_root or os.environ.get("REX_LLVM_ROOT")).error()
    wanted = {backend: [arch for arch in archs if backend_of(arch) is backend] for backend in backends}
    for backend in wanted:
        backend.find_compiler()
    misfits = [[backend.misfit(runtime, own) for backend, own in wanted.items()] for runtime in runtimes]
    for runtime, problems in zip(runtimes, misfits, strict=True):
        if not any(problems):
            return runtime
    raise next(filter(None, misfits[0])).error()


# The library that programs of the check device are linked with.

_SOURCE = include_dir() / "check" / "runtime.c"
# It defines functions of the C library, which must not call themselves.
_OPTIONS = ("-std=gnu11", "-O2", "-g", "-fno-builtin", "-fno-tree-loop-distribute-patterns", "-ftls-model=initial-exec")


def check_library() -> Path:
    """The library, built once for each user. Raises ToolError."""
    library = built_library(_SOURCE, _OPTIONS, ("-ldl", "-lpthread"), "check")
    if library is None:
        message = "there is no folder for the library of the check device: let XDG_CACHE_HOME name one of your own"
        raise ToolError(message)
    return library


def check_link_flags(backends: Iterable[Backend]) -> list[str]:
    """What programs for these devices link in front of all other libraries, whose functions this one wraps."""
    if CHECK not in backends:
        return []
    return ["-Wl,--push-state,--no-as-needed", str(check_library()), "-Wl,--pop-state"]
