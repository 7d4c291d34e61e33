"""Kernels written as generated ones are, run through libomptarget's host plugin and compiled by nvcc."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from execution import quick_nvcc

HERE = Path(__file__).parent
INCLUDE = HERE.parents[1] / "rex_build" / "include"
PROGRAMS = ("worksharing", "teams", "atomics", "c_library")
INCLUDES = (f"-I{INCLUDE}", f"-I{HERE}")


def find_library(*candidates: str) -> Path:
    """The first of the given absolute paths that exists. Skips the test when there is none."""
    for candidate in candidates:
        if Path(candidate).exists():
            return Path(candidate)
    pytest.skip(f"{Path(candidates[0]).name} is not installed")


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """Standard output and error of a command that must succeed, within two minutes."""
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        env={**os.environ, **(env or {})},
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.mark.sampled(4)
@pytest.mark.parametrize("program", PROGRAMS)
def test_runs_on_cpu_device(program: str, tmp_path: Path) -> None:
    libomptarget = find_library(
        "/usr/lib/llvm-22/lib/libomptarget.so.22.1", "/usr/lib/llvm-19/lib/libomptarget.so.19.1"
    )
    libomp = find_library("/usr/lib/llvm-19/lib/libomp.so.5", "/usr/lib/x86_64-linux-gnu/libomp.so.5")
    image = tmp_path / f"{program}.so"
    compiled = tmp_path / f"{program}.o"
    warnings = run(
        *("g++", "-x", "c++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-fopenmp", "-fPIC", "-DREX_DEVICE_CPU"),
        *(*INCLUDES, "-c", HERE / f"{program}.cu", "-o", compiled),
    )
    assert warnings == ""
    # Linked without -fopenmp: the image's GOMP_* calls are the program's libomp's, never libgomp's.
    run("g++", "-shared", "-Wl,-Bsymbolic", compiled, libomp, "-o", image)
    exported = run("nm", "-D", "--defined-only", image)
    others = exported.replace("rex_cpu_image", "")  # by which registrations know an image
    assert not re.search(r"rex_|omp_|threadIdx", others), exported
    executable = tmp_path / program
    warnings = run(
        *("gcc", "-O1", "-Wall", "-Wextra", "-fopenmp", *INCLUDES, f'-DIMAGE="{image}"'),
        *("-c", HERE / f"{program}.c", "-o", tmp_path / "host.o"),
    )
    assert warnings == ""
    run(
        *("gcc", tmp_path / "host.o", "-o", executable, libomptarget, libomp),
        f"-Wl,-rpath,{libomptarget.parent}:{libomp.parent}",
    )
    # Three threads: parts of unequal length, and more threads than a small machine has cores.
    output = run(executable, env={"OMP_TARGET_OFFLOAD": "MANDATORY", "OMP_NUM_THREADS": "3", "TMPDIR": str(tmp_path)})
    assert output.endswith("0 failures\n")


def test_devices_have_the_same_headers() -> None:
    """One file chooses between the devices, and what it gets of the one it gets of the other."""
    headers = [path for path in INCLUDE.rglob("*.*") if "check" not in path.relative_to(INCLUDE).parts]
    texts = {path.name: re.sub(r"/[*].*?[*]/", "", path.read_text(), flags=re.DOTALL) for path in headers}
    asking = [name for name, text in texts.items() if "REX_DEVICE_CPU" in text]
    assert asking == ["xomp_cuda_lib_inlined.cu"]
    chosen = {device: re.findall(rf'#include "{device}/(.*)"', texts[asking[0]]) for device in ("cpu", "cuda")}
    assert chosen["cpu"] == chosen["cuda"] != []


def resources(ptxas: str) -> dict[str, str]:
    """Per kernel, what ``ptxas -v`` reports about it."""
    report = re.compile(r"Compiling entry function '(\w+)'.*\n(?:.*\n)?\s*(.*spill loads)\n.*: (Used .*)")
    return {kernel: f"{spills}; {used}" for kernel, spills, used in report.findall(ptxas)}


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
@pytest.mark.sampled(4)
@pytest.mark.parametrize("program", PROGRAMS)
def test_compiles_for_cuda(program: str, tmp_path: Path) -> None:
    # The largest one. Of kernels of others, ptxas would warn that it does not know how much stack they need.
    options = quick_nvcc() if program == "atomics" else ("-Xptxas", "-v")
    output = run(
        *("nvcc", "-std=c++17", "-cubin", "-arch=sm_90", "-Xcompiler", "-Wall,-Wextra", "--Werror", "all-warnings"),
        *(*options, *INCLUDES, HERE / f"{program}.cu", "-o", tmp_path / "image.cubin"),
    )
    assert "arning" not in output
    if program == "worksharing":
        kernels = resources(output)
        for kernel in ("cover", "deal", "free_of_state", "exclude"):
            assert "smem" not in kernels[kernel]
            assert " 0 bytes spill stores" in kernels[kernel]
        assert "256 bytes smem" in kernels["reduce_double_"]
