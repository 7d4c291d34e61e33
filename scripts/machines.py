#!/usr/bin/env python3
"""Runs the main job with every pair of a Python, a host compiler and an nvcc, and prints a table.

    scripts/machines.py [--python PROGRAM]... [--cc NAME]... [--nvcc PROGRAM-OR-VERSION]... WORK-FOLDER

Each Python gets an environment of its own with the wheel of this checkout. The job is two C files, of which one calls
device code of the other, and a C++ file: lowered, compiled for the cpu device and for sm_90, linked, and run on the cpu
device. A version such as 13.1.80 stands for the nvcc of PyPI's nvidia-cuda-nvcc. Compilers that are not there are left
out. Ends with status 1 if a job fails; WORK-FOLDER keeps the messages.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMPILERS = [*(f"gcc-{n}" for n in range(11, 16)), *(f"clang-{n}" for n in range(16, 24))]
FILES = {
    "main.c": """\
#include <stdio.h>
#pragma omp declare target
double scaled(double x);
#pragma omp end declare target
int main(void)
{
    double x[100], sum = 0;
#pragma omp target teams distribute parallel for map(from: x) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < 100; i++)
        sum += x[i] = scaled(i);
    printf("%g %g\\n", x[7], sum);
    return 0;
}
""",
    "scaled.c": """\
#pragma omp declare target
double scaled(double x) { return 2 * x; }
#pragma omp end declare target
""",
    "vectors.cpp": """\
#include <cstdio>
#include <vector>
template <typename T> T scaled(T x) { return 2 * x; }
int main()
{
    std::vector<double> v(100, 1.0);
    double *p = v.data(), sum = 0;
#pragma omp target teams distribute parallel for map(tofrom: p[0:100], sum) reduction(+: sum)
    for (int i = 0; i < 100; i++)
        sum += p[i] = scaled(p[i] * i);
    std::printf("%g %g\\n", p[7], sum);
}
""",
}
EXPECTED = "14 9900\n"


def run(command: Sequence[str | Path], **more: object) -> str:
    """The output. Raises RuntimeError with the last line of the messages."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, **more)  # type: ignore[call-overload]
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name}: {(done.stderr or done.stdout).strip()}")
    return str(done.stdout)


def environment(python: str, wheel: Path, work: Path) -> Path:
    """A virtual environment of this Python, with the wheel."""
    version = run([python, "-c", "import platform; print(platform.python_version())"]).strip()
    folder = work / f"python-{version}"
    if not folder.exists():
        run([python, "-m", "venv", folder])
        run([folder / "bin/pip", "install", "--quiet", f"{wheel}[cxx]"])
    return folder


def nvcc_of(name: str, work: Path) -> str:
    """The program, which comes from PyPI for a version."""
    if not name[0].isdigit():
        return name
    folder = work / f"nvcc-{name}"
    if not folder.exists():
        run([sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, f"nvidia-cuda-nvcc=={name}"])
    return str(next(folder.glob("nvidia/*/bin/nvcc")))


def job(venv: Path, compiler: str, nvcc: str, folder: Path) -> str:
    """What became of one job: ``ok``, or what went wrong."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    cxx = compiler.replace("gcc", "g++").replace("clang", "clang++")
    env = {**os.environ, "PATH": f"{venv}/bin:{os.environ['PATH']}", "REX_CC": compiler, "REX_CXX": cxx}
    env |= {"NVCC": nvcc, "REX_DEVICES": "cuda,cpu", "REX_CUDA_ARCHITECTURES": "90", "REX_BUILD_CACHE": "off"}
    env |= {"OMP_TARGET_OFFLOAD": "MANDATORY"}
    flags = ["-O2", "-fopenmp"]
    try:
        for name in ("main.c", "scaled.c"):
            run(["rex-gcc", *flags, "-c", name], cwd=folder, env=env)
        run(["rex-gcc", *flags, "main.o", "scaled.o", "-o", "c"], cwd=folder, env=env)
        run(["rex-g++", *flags, "vectors.cpp", "-o", "cxx"], cwd=folder, env=env)
        said = [run([folder / program], cwd=folder, env=env) for program in ("c", "cxx")]
    except RuntimeError as error:
        (folder / "messages").write_text(f"{error}\n")
        return str(error).splitlines()[0][:60]
    return "ok" if said == [EXPECTED, EXPECTED] else f"wrong: {said}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--python", action="append")
    parser.add_argument("--cc", action="append")
    parser.add_argument("--nvcc", action="append")
    options = parser.parse_args()
    work = options.work.absolute()
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", work / "wheel", ROOT])
    (wheel,) = (work / "wheel").glob("*.whl")
    pythons = [environment(python, wheel, work) for python in options.python or [sys.executable]]
    compilers = [name for name in options.cc or COMPILERS if shutil.which(name)]
    failed = 0
    for nvcc in options.nvcc or ["nvcc"]:
        program = nvcc_of(nvcc, work)
        release = run([program, "--version"]).partition("release ")[2].partition(",")[0]
        print(f"\n| CUDA {release} | {' | '.join(venv.name.replace('-', ' ') for venv in pythons)} |")
        print("|---|" + "---|" * len(pythons), flush=True)
        for compiler in compilers:
            row = [job(venv, compiler, program, work / f"{compiler}-{venv.name}-{release}") for venv in pythons]
            failed += sum(one != "ok" for one in row)
            version = run([compiler, "-dumpfullversion" if "gcc" in compiler else "-dumpversion"]).strip()
            print(f"| {compiler.partition('-')[0]} {version} | {' | '.join(row)} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
