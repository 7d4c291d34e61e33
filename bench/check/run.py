#!/usr/bin/env python3
"""What a checked run of loop kernels costs: ``bench/check/run.py [--rounds 3] [KERNEL...]``.

Builds kernels of bench/kernels/src with smaller sizes for the cpu device and for the check device, runs them in turns,
and prints the least processor time and the largest memory of whole processes. Ends with status 1 if a checked run takes
more than 30 times the time or 8 times the memory.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "bench" / "kernels" / "src"
MOST_TIME, MOST_MEMORY = 30, 8
# The sizes, with which the cpu device takes some tenths of a second, and the number of timed steps.
KERNELS = {
    "triad": ({"N": "(1L << 22)"}, 20),
    "axpy": ({"N": "(1 << 22)"}, 20),
    "sum": ({"N": "(1 << 22)"}, 20),
    "matmul": ({"N": "256"}, 4),
    "stencil2d": ({"N": "1024"}, 20),
    "spmv": ({"N": "(1 << 16)"}, 20),
    "nbody": ({"N": "2048"}, 4),
    "histogram": ({"N": "(1 << 22)"}, 8),
    "blur": ({"WIDTH": "960", "HEIGHT": "540"}, 8),
    "wave3d": ({"N": "64"}, 20),
    "pathfinder": ({"COLUMNS": "(1 << 16)"}, 4),
    "kmeans": ({"N": "(1 << 15)"}, 4),
}


def build(name: str, device: str, folder: Path) -> Path:
    text = (SOURCES / f"{name}.c").read_text()
    for macro, value in KERNELS[name][0].items():
        text, found = re.subn(rf"^#define {macro} .*$", f"#define {macro} {value}", text, flags=re.MULTILINE)
        assert found == 1, f"{name} has no {macro}"
    source, program = folder / f"{name}.c", folder / f"{name}-{device}"
    source.write_text(text)
    command = [sys.executable, "-m", "rex_build", "cc", "--device", device, "-o", program, source, "--", "-O2", "-g"]
    subprocess.run([*command, f"-I{SOURCES}", "-lm"], check=True, cwd=ROOT)
    return program


def cost(program: Path, steps: int) -> tuple[float, int]:
    """(processor seconds, kilobytes of memory)"""
    variables = {"BENCH_STEPS": str(steps), "KMP_BLOCKTIME": "0", "REX_CHECK": "continue"}
    process = subprocess.Popen(
        [program], env={**os.environ, **variables}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{program} ended with status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("kernels", nargs="*", default=list(KERNELS))
    options = parser.parse_args()
    above = 0
    print("| kernel | cpu s | check s | times | cpu MB | check MB | times |\n|---|--:|--:|--:|--:|--:|--:|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.kernels:
            programs = [build(name, device, Path(folder)) for device in ("cpu", "check")]
            runs = [[cost(program, KERNELS[name][1]) for program in programs] for _ in range(options.rounds)]
            (plain, memory), (checked, more) = (
                (min(time for time, _ in costs), max(size for _, size in costs)) for costs in zip(*runs, strict=True)
            )
            print(
                f"| {name} | {plain:.2f} | {checked:.2f} | {checked / plain:.1f} "
                f"| {memory / 1000:.0f} | {more / 1000:.0f} | {more / memory:.1f} |",
                flush=True,
            )
            above += checked > MOST_TIME * plain or more > MOST_MEMORY * memory
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
