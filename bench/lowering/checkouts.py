#!/usr/bin/env python3
"""What a change costs: the same work by several checkouts of rex-build, in turn, beside clang 19 and ccache.

    bench/lowering/checkouts.py [--rounds 15] [--instructions] [--only WHAT] CHECKOUT...

Lowers a C unit of 150 lines and a C++ unit of ten, compiles the first for sm_90 in place of gcc (without rex-build's
cache), and takes it from the cache. Prints medians of wall and of processor seconds with those of all child processes,
and ratios to the first checkout's. With --instructions it counts what all processes take in user mode instead, by perf,
or what rex-build's own process takes, by valgrind, where perf cannot count: other work on the machine does not change
that. Run it with the Python of a virtual environment that has rex-build's dependencies, and rex-build not as an
editable installation, whose start would be counted, too.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from generate import usual_unit

SMALL_CXX = """\
#include <vector>
template <typename T> T scaled(T x, T by) { return x * by; }
void scale(std::vector<double> &v)
{
    double *p = v.data();
    long n = v.size();
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
    for (long i = 0; i < n; i++)
        p[i] = scaled(p[i], 2.0);
}
"""
WARM = 3  # runs that write what later ones read: compiled modules, what is known of tools


def environment(folder: Path, cache: str) -> dict[str, str]:
    ours = {"XDG_CACHE_HOME": str(folder / "home"), "CCACHE_DIR": str(folder / "ccache"), "PYTHONHASHSEED": "0"}
    ours |= {"REX_BUILD_CACHE": cache, "REX_BUILD_CACHE_DIR": str(folder / "store")}
    ours |= {"REX_DEVICES": "cuda", "REX_CUDA_ARCHITECTURES": "90", "REX_BUILD_SERVER": "off"}  # older ones have that
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, **ours}


def commands(checkout: str, folder: Path) -> dict[str, list[str]]:
    """What is measured, by name. ``checkout`` may be ``clang`` or ``ccache``, which do what they can."""
    build = ["-O2", "-fopenmp", "-c", "usual.c", "-o", "usual.o"]
    if checkout == "clang":
        return {"-c for sm_90": ["clang-19", "--offload-arch=sm_90", *build]} if shutil.which("clang-19") else {}
    if checkout == "ccache":
        return {"hit": ["ccache", "gcc", *build]} if shutil.which("ccache") else {}
    # As builds start it, with what is imported as a module below it.
    python = [sys.executable, "-S", "-X", "utf8", f"{checkout}/rex_build/__main__.py"]
    out = ["--out-dir", str(folder / "out"), "--", "-O2", "-fopenmp"]
    return {
        "lower, C, 150 lines": [*python, "lower", "usual.c", *out],
        "lower, C++, 10 lines": [*python, "lower", "small.cpp", *out],
        "-c for sm_90": [*python, "rex-gcc", *build],
        "hit": [*python, "lower", "usual.c", *out],
    }


def seconds(command: list[str], env: dict[str, str], cwd: Path) -> tuple[float, ...]:
    """(wall, processor) seconds of one run, with its children."""
    start = time.perf_counter()
    process = subprocess.Popen(command, env=env, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status:
        sys.exit(f"{' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    process.returncode = 0
    return wall, usage.ru_utime + usage.ru_stime


def instructions(command: list[str], env: dict[str, str], cwd: Path) -> tuple[float, ...]:
    """(millions,) that one run takes in user mode: with its children by perf, and without them by valgrind."""
    perf = ["perf", "stat", "-x,", "-e", "instructions:u", *command]
    if shutil.which("perf"):
        done = subprocess.run(perf, env=env, cwd=cwd, capture_output=True, text=True, check=True)
        if found := re.search(r"^(\d+),,instructions", done.stderr, re.MULTILINE):
            return (int(found[1]) / 1e6,)
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run([*valgrind, *command], env=env, cwd=cwd, capture_output=True, text=True, check=True)
    return (sum(map(int, re.findall(r"Collected : (\d+)", done.stderr))) / 1e6,)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("checkouts", nargs="+", metavar="CHECKOUT", type=os.path.abspath)
    parser.add_argument("--rounds", type=int, default=15, metavar="N")
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--only", default="", metavar="WHAT", help="only what has this in its name")
    options = parser.parse_args()
    others = [] if options.instructions else ["clang", "ccache"]
    measure = instructions if options.instructions else seconds
    found: dict[str, dict[str, list[tuple[float, ...]]]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "usual.c").write_text(usual_unit())
        (folder / "small.cpp").write_text(SMALL_CXX)
        time.sleep(2.1)  # what was written just now is read each time
        turns = [
            (what, who, command)
            for who in [*options.checkouts, *others]
            for what, command in commands(who, folder).items()
            if options.only in what
        ]
        for number in range(-WARM, options.rounds):
            for what, who, command in turns:
                env = environment(folder, "on" if what == "hit" else "off")
                # What counts changes the environment, and so what is asked about tools, which hits find again.
                warm = number < -1 or (number < 0 and what != "hit")
                taken = (seconds if warm else measure)(command, env, folder)
                if number >= 0:
                    found.setdefault(what, {}).setdefault(who, []).append(taken)
    for what, rows in found.items():
        print(what)
        base = rows[options.checkouts[0]]
        for who, rounds in rows.items():
            pairs = [
                (statistics.median(column), statistics.median(first))
                for column, first in zip(zip(*rounds, strict=True), zip(*base, strict=True), strict=True)
            ]
            print(f"    {who:<40}" + "".join(f"{value:>12.4g}{value / first:>7.3f}" for value, first in pairs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
