"""Which device images to make, from what a command line asks for."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.diagnostics import UsageError
from .toolchain import default_cuda_arch, find_nvcc, normalise_arch


def image_targets(devices: Sequence[str] | None, archs: Sequence[str]) -> tuple[str, ...]:
    """The images every unit gets: ``sm_<NN>`` for each architecture, and ``cpu``.

    ``devices`` None means cuda where nvcc is found, else cpu; no ``archs`` mean the GPU here, else sm_90. Raises
    UsageError.
    """
    devices = devices or (("cuda",) if find_nvcc() else ("cpu",))
    wanted = tuple(dict.fromkeys(map(normalise_arch, archs)))
    for device in devices:
        if device not in ("cuda", "cpu"):
            raise UsageError(f"unknown device {device!r}: expected cuda, cpu or cuda,cpu")
    if "cpu" in wanted or (wanted and "cuda" not in devices):
        raise UsageError("--arch is about the cuda device; the CPU device is asked for with --device cpu")
    cuda = (wanted or (default_cuda_arch(),)) if "cuda" in devices else ()
    return (*cuda, *(("cpu",) if "cpu" in devices else ()))
