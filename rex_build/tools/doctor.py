"""``rex-build doctor``: shows what was found, whether it fits together, and what to install if it does not."""

from __future__ import annotations

import os
import platform
import re
import sys
from importlib.util import find_spec
from typing import Any

from .. import __version__
from ..base.paths import PACKAGE_DIR, cmake_dir, include_dir
from .backends import BACKENDS, CHECK
from .built_library import link_library
from .runtimes import Nvcc, Runtime, find_nvcc, find_runtimes, gpus, no_runtime, nvcc_archs
from .toolchain import Compiler, Problem, asked, find_cc, find_cxx

Facts = dict[str, Any]


def examine(llvm_root: str | None = None) -> Facts:
    """Everything that the doctor knows, as a value that can be printed as JSON.

    ``ok`` is true if some device can be built for and used here. Each of ``devices`` has ``builds`` and ``runs``, and
    the reasons against either in ``problems``, each with a message and a remedy. Raises ToolError if packages are
    missing that rex-build itself needs.
    """
    if missing := [name for name in ("pycparser", "jinja2", "filelock") if find_spec(name) is None]:
        remedy = f"{sys.executable} -m pip install {' '.join(missing)}"
        raise Problem(f"rex-build cannot run: {sys.executable} has no {', '.join(missing)}", remedy).error()
    cc, cc_problems = asked(find_cc)
    cxx, _ = asked(find_cxx)
    nvcc, _ = asked(find_nvcc)
    runtimes, runtime_problems = asked(lambda: find_runtimes(llvm_root))
    if not runtimes and not runtime_problems:
        runtime_problems = [no_runtime(llvm_root or os.environ.get("REX_LLVM_ROOT"))]
    common = cc_problems + runtime_problems + _platform_problems()
    runtime = _choose(runtimes or ())
    devices = {
        name: _device_facts(common + backend.build_problems(runtime), backend.run_problems(runtime))
        for name, backend in BACKENDS.items()
    }
    return {
        "version": __version__,
        "python": sys.executable,
        "package_dir": str(PACKAGE_DIR),
        "include_dir": str(include_dir()),
        "check_options": list(CHECK.host_options),
        "cmake_dir": str(cmake_dir()),
        "cc": _compiler_facts(cc),
        "cxx": _compiler_facts(cxx),
        "libclang": _libclang(),
        "nvcc": _nvcc_facts(nvcc),
        "runtimes": [_runtime_facts(runtime) for runtime in runtimes or ()],
        "runtime": _runtime_facts(runtime) if runtime else None,
        "gpus": [{"name": gpu.name, "arch": gpu.arch, "driver_cuda": _dotted(gpu.driver_cuda)} for gpu in gpus()],
        "devices": devices,
        "ok": any(device["runs"] for device in devices.values()),
    }


def _libclang() -> str | None:
    """The version of libclang, which reads C++ units, or None if it is not installed."""
    try:
        from clang import cindex
    except ImportError:
        return None
    try:
        ask = cindex.conf.lib.clang_getClangVersion
    except cindex.LibclangError:
        return None
    ask.restype = cindex._CXString
    said = re.search(r"version (\S+)", cindex._CXString.from_result(ask()))
    return said[1] if said else "unknown"


def _platform_problems() -> list[Problem]:
    if (platform.system(), platform.machine()) == ("Linux", "x86_64"):
        return []
    return [Problem(f"{platform.system()} on {platform.machine()} is not supported", "use x86-64 Linux")]


def _choose(runtimes: tuple[Runtime, ...]) -> Runtime | None:
    """The newest of the runtimes that support the most devices."""

    def problems(runtime: Runtime) -> int:
        return sum(backend.misfit(runtime) is not None for backend in BACKENDS.values())

    return min(runtimes, key=problems, default=None)


def _device_facts(build_problems: list[Problem], run_problems: list[Problem]) -> Facts:
    problems = build_problems or run_problems
    return {
        "builds": not build_problems,
        "runs": not problems,
        "problems": [{"message": problem.message, "remedy": problem.remedy} for problem in problems],
    }


def _compiler_facts(compiler: Compiler | None) -> Facts | None:
    return {"command": list(compiler.command), "version": compiler.version} if compiler else None


def _nvcc_facts(nvcc: Nvcc | None) -> Facts | None:
    if nvcc is None:
        return None
    return {"command": list(nvcc.command), "version": _dotted(nvcc.version), "archs": list(nvcc_archs(nvcc))}


def _runtime_facts(runtime: Runtime) -> Facts:
    return {
        "libomptarget": str(runtime.omptarget),
        "libomp": str(runtime.omp),
        "version": _dotted(runtime.version),
        "linked": str(link_library(runtime.omptarget)),
    }


def _dotted(version: tuple[int, ...] | None) -> str | None:
    return ".".join(map(str, version)) if version else None


def as_text(facts: Facts) -> str:
    """The facts as text."""
    lines = [f"rex-build {facts['version']}"]

    def row(name: str, value: str | None) -> None:
        lines.append(f"  {name:<14}{value or 'not found'}")

    row("C compiler", _compiler_text(facts["cc"]))
    row("C++ compiler", _compiler_text(facts["cxx"]))
    row("libclang", facts["libclang"] or "not found: pip install 'rex-build[cxx]' to lower C++ units")
    nvcc = facts["nvcc"]
    row("nvcc", f"CUDA {nvcc['version']} ({' '.join(nvcc['command'])}); {', '.join(nvcc['archs'])}" if nvcc else None)
    for runtime in facts["runtimes"] or [None]:
        row("libomptarget", f"LLVM {runtime['version']} ({runtime['libomptarget']})" if runtime else None)
        row("libomp", runtime["libomp"] if runtime else None)
    if facts["runtime"] and len(facts["runtimes"]) > 1:
        row("in use", f"libomptarget {facts['runtime']['version']}; --llvm-root or REX_LLVM_ROOT chooses another")
    for gpu in facts["gpus"] or [None]:
        row("GPU", f"{gpu['name']} ({gpu['arch']}), driver for CUDA {gpu['driver_cuda']}" if gpu else None)
    for name, device in facts["devices"].items():
        state = "works" if device["runs"] else "builds, but cannot run here" if device["builds"] else "does not work"
        lines.append(f"device {name}: {state}")
        for problem in device["problems"]:
            lines += [f"  - {problem['message']}", f"    {problem['remedy']}"]
    return "\n".join(lines)


def _compiler_text(compiler: Facts | None) -> str | None:
    return f"{compiler['version']} ({' '.join(compiler['command'])})" if compiler else None
