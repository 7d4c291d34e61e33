#!/usr/bin/env python3
"""What ``rex-build profile`` adds to a run, and how far it agrees with libomptarget's own profile.

    bench/profile/run.py [--device cpu|cuda] [--runs N] [--check] [PROGRAM ARGUMENTS...]

Runs ``solver.c``, whose regions take about 50 us, with and without the profile in turn, and compares the least of the
times that the program measures itself, because other load only adds to them. Then runs of longer regions and of large
copies (``transfers.c``) write both profiles, which are compared line by line. ``--check`` fails if the profile adds
more than 5 %, if sums differ by more than 2 %, or if a GPU has no times of its own.

With a program, only its two profiles are compared.
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


def agreement(folder: Path, *command: str) -> tuple[float, bool]:
    """Prints both profiles' sums for each line of a program; (the largest difference, if the GPU gave own times).

    libomptarget's time for a copy to a device contains the allocation before it. Operations of less than 500 us, and
    sums below 1 ms, are left out: the profiles' own clocks and calls are too large a part of them.
    """
    theirs: dict[tuple[str, str], list[float]] = defaultdict(list)
    both = {"LIBOMPTARGET_PROFILE": str(folder / "theirs"), "LIBOMPTARGET_PROFILE_GRANULARITY": "0"}
    run(folder, *REX_BUILD, "profile", "--json", "ours", *command, **both)
    for event in json.loads((folder / "theirs").read_text())["traceEvents"]:
        details = event.get("args", {}).get("detail", "").split(";")
        if event["name"] in NAMES and len(details) > 3:
            file, function, line = details[1:4]
            theirs[f"{file}:{line}, {function}", NAMES[event["name"]]].append(event["dur"])
    profile: dict[str, Any] = json.loads((folder / "ours").read_text())
    largest = 0.0
    print("\n| line | host's time, ms | libomptarget | rex-build | ratio |\n| --- | --- | ---: | ---: | ---: |")
    for line in profile["lines"]:
        place = f"{line['file']}:{line['line']}, {line['function']}"
        ours = {"whole": line["time_ns"]} | {name: of["time_ns"] for name, of in line["operations"].items()}
        ours["allocate, to_device"] = ours.get("allocate", 0) + ours.get("to_device", 0)
        for name in dict.fromkeys(NAMES.values()):
            times = theirs[place, name]
            time = sum(times)
            if time >= max(1000, 500 * len(times)):
                ratio = ours[name] / 1e3 / time
                largest = max(largest, abs(ratio - 1))
                print(f"| {place} | {name} | {time / 1e3:.2f} | {ours[name] / 1e6:.2f} | {ratio:.3f} |")
    of_gpu = {name for line in profile["lines"] for name in line["gpu"]}
    print(f"\nthe GPU's own times: {', '.join(sorted(of_gpu)) or 'none'}")
    return largest, bool(of_gpu)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a limit is exceeded")
    parser.add_argument("program", nargs=argparse.REMAINDER, help="a program made by rex-build, and its arguments")
    arguments = parser.parse_args()
    if arguments.program:
        with tempfile.TemporaryDirectory() as name:
            program = str(Path(arguments.program[0]).resolve())
            difference, _ = agreement(Path(name), program, *arguments.program[1:])
        return int(arguments.check and difference > 0.02)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, "solver", arguments.device, *((3_000, 20) if arguments.device == "cpu" else (100_000, 10_000)))
        added = overhead(folder, arguments.runs)
        if arguments.device == "cpu":  # regions that take much longer than both clocks' work
            build(folder, "solver", arguments.device, 30_000, 20)
        build(folder, "transfers", arguments.device, 2_000_000 if arguments.device == "cpu" else 50_000_000)
        found = [agreement(folder, program) for program in ("./solver", "./transfers")]
    difference, has_gpu_times = max(largest for largest, _ in found), all(has_times for _, has_times in found)
    lacking = arguments.device == "cuda" and not has_gpu_times
    if lacking:
        print("the GPU gave no times of its own")
    return int(arguments.check and (added > 1.05 or difference > 0.02 or lacking))


if __name__ == "__main__":
    sys.exit(main())
