#!/usr/bin/env python3
"""What ``rex-build profile`` adds to a run, and how far it agrees with libomptarget's own profile.

    bench/profile/run.py [--device cpu|cuda] [--runs N] [--check]

Runs ``solver.c``, whose regions take about 50 us, with and without the profile in turn, and compares the least of the
times that the program measures itself, because other load only adds to them. Then a run of longer regions writes both
profiles, which are compared. ``--check`` fails if the profile adds more than 5 %, if sums differ by more than 2 %,
or if a GPU has no times of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
REX_BUILD = (sys.executable, "-m", "rex_build")
NAMES = {"Runtime: target exe": "whole region", "HostToDev": "to_device", "DevToHost": "from_device"}


def run(folder: Path, *command: str, **environment: str) -> str:
    variables = dict(
        os.environ, PYTHONPATH=str(ROOT), OMP_TARGET_OFFLOAD="MANDATORY", OMP_NUM_THREADS="1", **environment
    )
    done = subprocess.run(command, cwd=folder, env=variables, text=True, capture_output=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(folder: Path, device: str, size: int, steps: int) -> None:
    defines = (f"-DN={size}", f"-DSTEPS={steps}")
    options = ("--device", device, "-o", "solver", str(HERE / "solver.c"), "--", "-O2", *defines)
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


def agreement(folder: Path) -> tuple[float, bool]:
    """Prints both profiles' sums for the region in the loops; (the largest difference, if the GPU gave own times)."""
    theirs: Counter[str] = Counter()
    both = {"LIBOMPTARGET_PROFILE": str(folder / "theirs"), "LIBOMPTARGET_PROFILE_GRANULARITY": "0"}
    run(folder, *REX_BUILD, "profile", "--json", "ours", "./solver", **both)
    for event in json.loads((folder / "theirs").read_text())["traceEvents"]:
        if event["name"] in NAMES and ";relax;" in event.get("args", {}).get("detail", ""):
            theirs[NAMES[event["name"]]] += event["dur"]
    profile: dict[str, Any] = json.loads((folder / "ours").read_text())
    (line,) = (line for line in profile["lines"] if line["function"] == "relax")
    ours = {"whole region": line["time_ns"]} | {name: of["time_ns"] for name, of in line["operations"].items()}
    print("\n| host's time, ms | libomptarget | rex-build | ratio |\n| --- | ---: | ---: | ---: |")
    for name in NAMES.values():
        print(f"| {name} | {theirs[name] / 1e3:.2f} | {ours[name] / 1e6:.2f} | {ours[name] / 1e3 / theirs[name]:.3f} |")
    kernel = line["kernel_time_ns"]
    of_gpu = {name: total["time_ns"] for name, total in line["gpu"].items()}
    print(f"\nkernels: {kernel / 1e6 if kernel else '?'} ms; the GPU's own times, ns: {of_gpu or 'none'}")
    return abs(ours["whole region"] / 1e3 / theirs["whole region"] - 1), bool(of_gpu)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a limit is exceeded")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, arguments.device, *((3_000, 20) if arguments.device == "cpu" else (100_000, 10_000)))
        added = overhead(folder, arguments.runs)
        if arguments.device == "cpu":  # regions that take much longer than both clocks' work
            build(folder, arguments.device, 30_000, 20)
        difference, has_gpu_times = agreement(folder)
    lacking = arguments.device == "cuda" and not has_gpu_times
    if lacking:
        print("the GPU gave no times of its own")
    return int(arguments.check and (added > 1.05 or difference > 0.02 or lacking))


if __name__ == "__main__":
    sys.exit(main())
