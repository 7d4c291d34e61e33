"""A hit of one unit against ccache's direct hit on the same file, in turns.

    bench/cache/hit.py [--rounds 60] [--environment VENV] [--source FILE] WORK-FOLDER -- CFLAGS...

VENV is a virtual environment that rex-build is installed in (default: this checkout's code, with the Python that runs
this). rex-build is started as CMake does it, and by its script. Prints JSON: wall and processor milliseconds, the least
and the median, and millions of instructions where valgrind is installed, which no other work on the machine changes;
beside what the interpreter takes alone. Ends with status 1 when CMake's command takes more than 5 times what ccache
does (medians), or 30 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import re
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


def instructions(command: list[str]) -> float:
    """Millions that one run takes."""
    # A script whose interpreter's path has spaces in it starts through a shell.
    counter = ["valgrind", "--tool=callgrind", "--trace-children=yes", "--callgrind-out-file=/dev/null", *command]
    done = subprocess.run(counter, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True)
    return round(sum(map(int, re.findall(r"Collected : (\d+)", done.stderr))) / 1e6, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--environment", type=Path)
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
    interpreter, package = sys.executable, ROOT / "rex_build"
    if options.environment is not None:
        interpreter = str(options.environment.absolute() / "bin/python")
        package = next(options.environment.absolute().glob("lib/python3*/site-packages/rex_build"))
    lower = ["lower", str(source), "--out-dir", str(work / "out"), "--base-dir", str(work)]
    lower += ["--depfile", str(work / "out/unit.d"), "--", *flags]
    commands = {
        "ccache": ["ccache", "gcc", *flags, "-c", str(source), "-o", str(work / "unit.o")],
        "rex-build": [interpreter, "-S", "-X", "utf8", str(package / "__main__.py"), *lower],
        "python alone": [interpreter, "-c", "pass"],
        "python without site": [interpreter, "-S", "-c", "pass"],
    }
    if options.environment is not None:
        commands["rex-build by its script"] = [str(options.environment.absolute() / "bin/rex-build"), *lower]
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
            "least_processor": round(min(used for _, used in taken), 1),
        }
        for name, taken in times.items()
    }
    if shutil.which("valgrind"):
        for name, command in commands.items():
            facts[name]["million_instructions"] = instructions(command)
    ratio = facts["rex-build"]["median"] / facts["ccache"]["median"]
    least = facts["rex-build"]["least"] / facts["ccache"]["least"]
    print(json.dumps({**facts, "ratio_of_medians": round(ratio, 2), "ratio_of_least": round(least, 2)}, indent=2))
    return 0 if ratio <= 5 and facts["rex-build"]["median"] <= 30 else 1


if __name__ == "__main__":
    sys.exit(main())
