#!/usr/bin/env python3
"""What ``rex-build profile`` adds to a run, and how far it agrees with the profiles of libomptarget and CUPTI.

    bench/profile/run.py [--device cpu|cuda] [--runs N] [--check] [PROGRAM ARGUMENTS...]

Runs ``solver.c``, whose regions take about 50 us, with and without the profile in turn, and compares the least of the
times that the program measures itself, because other load only adds to them. Then longer regions and large copies
(``transfers.c``) are run with all profiles, and their times are compared line by line. ``--check`` fails if the
profile adds more than 5 %, if sums differ by more than 2 %, or if a GPU has no times of its own.

With a program, only its profiles are compared.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
REX_BUILD = (sys.executable, "-m", "rex_build")
NAMES = {
    "Runtime: target exe": "whole",
    "Runtime: Data Copy": "whole",
    "HostToDev": "allocate, to_device",
    "DevToHost": "from_device",
}
LEAST = {"whole": 500, "from_device": 500, "allocate, to_device": 1000}  # microseconds of an operation that is compared


def run(folder: Path, *command: str, **environment: str) -> str:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    variables = dict(os.environ, PYTHONPATH=path, OMP_TARGET_OFFLOAD="MANDATORY", OMP_NUM_THREADS="1", **environment)
    done = subprocess.run(command, cwd=folder, env=variables, text=True, capture_output=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(folder: Path, program: str, device: str, size: int, steps: int = 1) -> None:
    defines = (f"-DN={size}", f"-DSTEPS={steps}")
    options = ("--device", device, "-o", program, str(HERE / f"{program}.c"), "--", "-O2", *defines)
    run(folder, *REX_BUILD, "cc", *options)


def overhead(folder: Path, runs: int) -> float:
    """Prints the times of both kinds of runs; the largest ratio."""
    times: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for _ in range(runs):
        for kind, command in (("plain", ["./solver"]), ("profiled", [*REX_BUILD, "profile", "./solver"])):
            for line in run(folder, *command).splitlines():
                name, time = line.split()
                times[name][kind].append(float(time))
    print("| regions | plain, us | profiled, us | ratio |\n| --- | ---: | ---: | ---: |")
    ratios = []
    for name, kinds in times.items():
        plain, profiled = min(kinds["plain"]), min(kinds["profiled"])
        ratios.append(profiled / plain)
        print(f"| {name} | {plain:.2f} | {profiled:.2f} | {ratios[-1]:.3f} |")
    return max(ratios)


def of_libomptarget(profile: Path) -> dict[tuple[str, str], list[float]]:
    """The microseconds of each operation by line and name."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for event in json.loads(profile.read_text())["traceEvents"]:
        details = event.get("args", {}).get("detail", "").split(";")
        if event["name"] in NAMES and len(details) > 3:
            file, function, line = details[1:4]
            found[f"{file}:{line}, {function}", NAMES[event["name"]]].append(event["dur"])
    return found


def of_rex_build(profile: dict[str, Any]) -> dict[tuple[str, str], float]:
    """The microseconds of all operations by line and name."""
    found: dict[tuple[str, str], float] = {}
    for line in profile["lines"]:
        times = {"whole": line["time_ns"]} | {name: of["time_ns"] for name, of in line["operations"].items()}
        times["allocate, to_device"] = times.get("allocate", 0) + times.get("to_device", 0)
        for name in set(NAMES.values()):
            found[f"{line['file']}:{line['line']}, {line['function']}", name] = times.get(name, 0) / 1e3
    return found


def kernels_of_cupti(folder: Path, *command: str) -> float:
    """Runs the program with a recorder that knows CUPTI only: the microseconds of all kernels."""
    times = folder / "times"
    times.unlink(missing_ok=True)
    run(folder, *command, CUDA_INJECTION64_PATH=str(folder / "libkerneltime.so"), KERNELTIME_OUT=str(times))
    return float(sum(json.loads(line)["total_ns"] for line in times.read_text().splitlines())) / 1e3


def kernels_of_rex_build(profile: dict[str, Any]) -> float | None:
    times = [line["gpu"]["launch"]["time_ns"] / 1e3 for line in profile["lines"] if "launch" in line["gpu"]]
    return sum(times) if times else None


def agreement(folder: Path, runs: int, on_gpu: bool, *command: str) -> tuple[float, bool]:
    """Prints each profile's sums for each line of a program; (the largest difference, if the GPU gave own times).

    libomptarget's profile is taken in the same runs, since copies take a tenth more or less from one process to the
    next. Its time for a copy to a device contains the allocation before it and about 13 us of its own work. Operations
    of less than ``LEAST``, and sums below 1 ms a run, are left out: each profile's times contain the other's work.
    CUPTI has runs of its own, in turn, since only one tool can have it; the least sums of all kernels are compared.
    """
    theirs: dict[tuple[str, str], list[float]] = defaultdict(list)
    ours: dict[tuple[str, str], float] = defaultdict(float)
    kernels: list[tuple[float, float]] = []
    both = {"LIBOMPTARGET_PROFILE": str(folder / "theirs"), "LIBOMPTARGET_PROFILE_GRANULARITY": "0"}
    for _ in range(runs):
        run(folder, *REX_BUILD, "profile", "--json", "ours", *command, **both)
        for place, each in of_libomptarget(folder / "theirs").items():
            theirs[place] += each
        for place, time in of_rex_build(json.loads((folder / "ours").read_text())).items():
            ours[place] += time
        if on_gpu:
            run(folder, *REX_BUILD, "profile", "--json", "ours", *command)
            mine = kernels_of_rex_build(json.loads((folder / "ours").read_text()))
            if mine is not None:
                kernels.append((kernels_of_cupti(folder, *command), mine))
    print("\n| line | time, ms | calls | theirs | rex-build | ratio |\n| --- | --- | ---: | ---: | ---: | ---: |")
    rows = [(*place, len(each), sum(each), ours[place]) for place, each in theirs.items()]
    rows = [row for row in rows if row[3] >= max(1000 * runs, LEAST[row[1]] * row[2])]
    if kernels:
        rows.append(("all kernels", "on the GPU (CUPTI)", 1, *map(min, zip(*kernels, strict=True))))
    for line, name, calls, their_time, our_time in sorted(rows, key=lambda row: -row[3]):
        times = f"{their_time / 1e3:.3f} | {our_time / 1e3:.3f} | {our_time / their_time:.3f}"
        print(f"| {line} | {name} | {calls} | {times} |")
    return max((abs(our_time / their_time - 1) for *_, their_time, our_time in rows), default=0.0), bool(kernels)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a limit is exceeded")
    parser.add_argument("program", nargs=argparse.REMAINDER, help="a program made by rex-build, and its arguments")
    arguments = parser.parse_args()
    on_gpu = arguments.device == "cuda"
    with tempfile.TemporaryDirectory() as name:
        folder, added = Path(name), 0.0
        if on_gpu:
            run(folder, str(ROOT / "bench/kernels/build-kerneltime.sh"), "libkerneltime.so")
        if arguments.program:
            programs = [[str(Path(arguments.program[0]).resolve()), *arguments.program[1:]]]
        else:
            build(folder, "solver", arguments.device, *((100_000, 10_000) if on_gpu else (3_000, 20)))
            added = overhead(folder, arguments.runs)
            if not on_gpu:  # regions that take much longer than both clocks' work
                build(folder, "solver", arguments.device, 30_000, 20)
            build(folder, "transfers", arguments.device, 50_000_000 if on_gpu else 2_000_000)
            programs = [["./solver"], ["./transfers"]]
        found = [agreement(folder, arguments.runs, on_gpu, *program) for program in programs]
    difference, has_gpu_times = max(largest for largest, _ in found), all(has_times for _, has_times in found)
    lacking = on_gpu and not has_gpu_times
    if lacking:
        print("the GPU gave no times of its own")
    return int(arguments.check and (added > 1.05 or difference > 0.02 or lacking))


if __name__ == "__main__":
    sys.exit(main())
