#!/usr/bin/env python3
"""What rex-gcc costs in place of gcc, for files without target directives and for an application with few of them.

    bench/lowering/in_place.py [--runs N] [--json FILE]

Medians of N runs (default 21) of whole processes: seconds of one compilation for a file of one line, one with four
headers of the system, and one in C++; processor seconds for an application of 78 units of which three have regions,
with its link, once rex-build's cache is warm. The same commands of gcc are the base, and clang's stand beside them.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT), str(ROOT / "tests" / "build"), str(ROOT / "tests")]

from build_tool import install_programs  # noqa: E402
from generate import unit_without_target, usual_unit  # noqa: E402

UNITS, WITH_REGIONS = 78, 3
FILES = {
    "one line": ("tiny.c", "int f(int x) { return x + 1; }\n"),
    "100 lines, 4 headers, host OpenMP": ("usual.c", unit_without_target(100).replace("#include <omp.h>\n", "")),
    "C++ with <iostream> and <vector>": (
        "large.cpp",
        "#include <iostream>\n#include <vector>\nvoid f(const std::vector<int> &v) { std::cout << v.size(); }\n",
    ),
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure what rex-gcc costs in place of gcc.")
    parser.add_argument("--runs", type=int, default=21, metavar="N")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there as well")
    options = parser.parse_args()
    numbers: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as name:
        prepare(Path(name))
        for what, (file, text) in FILES.items():
            Path(file).write_text(text)
            numbers[what] = row(file.endswith("cpp"), ["-O2", "-fopenmp", "-c", file, "-o", "out.o"], options.runs)
        numbers[f"{UNITS} units, {WITH_REGIONS} with regions, and their link (processor time)"] = application()
    if options.json:
        options.json.write_text(json.dumps(numbers, indent=2) + "\n")
    for what, times in numbers.items():
        base = times["gcc"]
        print(f"{what:<66}" + "".join(f"  {who} {t:.3f} s ({t / base:.2f})" for who, t in times.items()))
    return 0


def prepare(folder: Path) -> None:
    """Make an empty folder the current one, with rex-gcc on the search path and a store of its own."""
    (folder / "bin").mkdir()
    install_programs(ROOT, folder / "bin", own=True)
    os.environ.update(
        PATH=f"{folder / 'bin'}:{os.environ['PATH']}", REX_DEVICES="cpu", XDG_CACHE_HOME=str(folder / "home")
    )
    os.environ["REX_BUILD_CACHE_DIR"] = str(folder / "store")
    os.chdir(folder)


def row(cxx: bool, words: Sequence[str], runs: int) -> dict[str, float]:
    """The median seconds of one command with each compiler, which take turns."""
    compilers = {"gcc": "g++" if cxx else "gcc", "rex-gcc": "rex-g++" if cxx else "rex-gcc"}
    if shutil.which("clang-19"):
        compilers["clang"] = "clang++-19" if cxx else "clang-19"
    times: dict[str, list[float]] = {who: [] for who in compilers}
    for turn in range(runs + 1):
        for who, compiler in compilers.items():
            start = time.perf_counter()
            subprocess.run([compiler, *words], check=True)
            times[who] += [time.perf_counter() - start] if turn else []
    return {who: statistics.median(found) for who, found in times.items()}


def application(units: int = UNITS, with_regions: int = WITH_REGIONS, runs: int = 3) -> dict[str, float]:
    """Processor seconds for all units and the link. rex-gcc builds once before it is measured.

    clang does without the link, which would need its own OpenMP library, and nobody reads gcc's omp.h.
    """
    names = []
    for number in range(units):
        text = usual_unit() if number < with_regions else unit_without_target(150)
        Path(f"unit{number}.c").write_text(text.replace("#include <omp.h>\n", "double omp_get_wtime(void);\n"))
        names.append(f"unit{number}")

    def build(compiler: str, link: bool = True) -> float:
        before = processor_seconds()
        for name in names:
            subprocess.run([compiler, "-O2", "-fPIC", "-fopenmp", "-w", "-c", f"{name}.c"], check=True)
        if link:
            objects = [f"{name}.o" for name in names]
            subprocess.run(
                [compiler, "-fopenmp", "-shared", "-Wl,-z,muldefs", *objects, "-lm", "-o", "app.so"], check=True
            )
        return processor_seconds() - before

    build("rex-gcc")
    times: dict[str, list[float]] = {}
    for _ in range(runs):
        times.setdefault("gcc", []).append(build("gcc"))
        times.setdefault("rex-gcc", []).append(build("rex-gcc"))
        if shutil.which("clang-19"):
            times.setdefault("clang without the link", []).append(build("clang-19", link=False))
    return {who: statistics.median(found) for who, found in times.items()}


def processor_seconds() -> float:
    """What the processes that have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
