"""A hit of one unit against ccache's direct hit on the same file, in turns.

    bench/cache/hit.py [--rounds 60] [--rex-build COMMAND] [--source FILE] WORK-FOLDER -- CFLAGS...

COMMAND is the installed script of a plain virtual environment (default: this checkout's code). Prints JSON: wall and
processor milliseconds, the least and the median, beside what the interpreter takes alone. Ends with status 1 above 5
times ccache, or 30 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = """\
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
void scale(int n, double *x)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] = sqrt(x[i]) * 2;
}
"""


def milliseconds(command: list[str]) -> tuple[float, float]:
    """(wall, processor) time of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[0]} ended with status {process.returncode}")
    return wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--rex-build", default=f"{sys.executable} {ROOT}/rex_build/__main__.py")
    parser.add_argument("--source", type=Path)
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:split])
    flags = words[split + 1 :]
    work = options.work.absolute()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    source = work / "unit.c"
    source.write_text(SOURCE if options.source is None else options.source.read_text())
    os.environ["REX_BUILD_CACHE_DIR"] = str(work / "store")
    os.environ["CCACHE_DIR"] = str(work / "ccache")
    rex_build = options.rex_build.split()
    interpreter = rex_build[0]
    if len(rex_build) == 1:
        interpreter = Path(shutil.which(interpreter) or interpreter).read_text().partition("\n")[0].removeprefix("#!")
    lower = [*rex_build, "lower", str(source), "--out-dir", str(work / "out"), "--base-dir", str(work)]
    lower += ["--depfile", str(work / "out/unit.d"), "--", *flags]
    commands = {
        "ccache": ["ccache", "gcc", *flags, "-c", str(source), "-o", str(work / "unit.o")],
        "rex-build": lower,
        "python alone": [interpreter, "-c", "pass"],
        "python without site": [interpreter, "-I", "-S", "-c", "pass"],
    }
    time.sleep(2.1)  # what was written just now is hashed every time
    for command in commands.values():
        for _ in range(3):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(options.rounds):
        for name, command in commands.items():
            times[name].append(milliseconds(command))
    facts = {
        name: {
            "least": round(min(wall for wall, _ in taken), 1),
            "median": round(statistics.median(wall for wall, _ in taken), 1),
            "processor": round(statistics.median(used for _, used in taken), 1),
        }
        for name, taken in times.items()
    }
    ratio = facts["rex-build"]["median"] / facts["ccache"]["median"]
    print(json.dumps({**facts, "ratio_of_medians": round(ratio, 2)}, indent=2))
    return 0 if ratio <= 5 and facts["rex-build"]["median"] <= 30 else 1


if __name__ == "__main__":
    sys.exit(main())
