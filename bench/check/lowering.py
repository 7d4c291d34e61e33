#!/usr/bin/env python3
"""What warnings add to lowering: ``bench/check/lowering.py [--work] [--rounds 5] [FILE... -- FLAGS]``.

Lowers units of several shapes with warnings and with -w, under which nothing is looked for, and prints ratios of the
two: of instructions (counted by valgrind, which other work on the machine does not disturb), and of processor time and
time, which are the least of some rounds. Ends with status 1 if a ratio of instructions is above the limit.

With --work, both are measured in a process that has lowered another unit before, so that imports do not count.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from units import units

ROOT = Path(__file__).resolve().parents[2]
LIMIT, CXX_LIMIT = 1.10, 1.15
_COUNTING = "#include <valgrind/callgrind.h>\nvoid rex_count_from_here(void) { CALLGRIND_ZERO_STATS; }\n"
_WORK = """
import ctypes, gc, json, os, resource, sys, time
gc.set_threshold(100_000, 20, 20)  # as the command has it
import rex_build.cxx.findings
from pathlib import Path
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest
first, unit, out, library, rounds, *flags = sys.argv[1:]
def lower(source, *chosen):
    lower_text(LowerRequest(Path(source), Path(out), tuple(flags), cc="cc", warnings=chosen))
def clocks():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + used.ru_utime + used.ru_stime, time.perf_counter()
lower(first)
lower(first)
if library:
    lower(unit)
    gc.collect()
    ctypes.CDLL(library).rex_count_from_here()
    lower(unit, *json.loads(rounds))
    os._exit(0)
found = {"with": [], "without": []}
for _ in range(int(rounds)):
    for name, chosen in (("with", ()), ("without", ("-w",))):
        gc.collect()  # so that no round looks for the garbage of others
        before = clocks()
        lower(unit, *chosen)
        found[name].append([after - start for start, after in zip(before, clocks())])
print(json.dumps({name: [min(column) for column in zip(*times)] for name, times in found.items()}))
"""
_FIRST = "void f(int n, double *x)\n{\n#pragma omp target map(tofrom: x[0:n])\n    x[0] = 1;\n}\n"


class Measure:
    """Lowers units in a folder, with what the compiler gets as ``flags``."""

    def __init__(self, folder: Path, work: bool, rounds: int, flags: Sequence[str]) -> None:
        self._folder, self._work, self._rounds, self._flags = folder, work, rounds, flags
        more = [os.environ["PYTHONPATH"]] if os.environ.get("PYTHONPATH") else []
        path = {"PYTHONPATH": os.pathsep.join([str(ROOT), *more]), "REX_BUILD_CACHE": "off", "PYTHONHASHSEED": "0"}
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self._environment = {**kept, **path}
        if self._work:
            (folder / "counting.c").write_text(_COUNTING)
            subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "counting.so", folder / "counting.c"], check=True)
        for suffix in ("c", "cpp"):
            (folder / f"first.{suffix}").write_text(_FIRST)

    def _command(self, unit: Path, chosen: Sequence[str], counts: bool) -> list[str]:
        """The command that lowers a unit, or in a process that has begun measures how."""
        python, out = sys.executable, str(self._folder / "out")
        if not self._work:
            return [python, "-m", "rex_build", "lower", str(unit), "--out-dir", out, "--", *self._flags, *chosen]
        first = str(self._folder / f"first{'.c' if unit.suffix == '.c' else '.cpp'}")
        library, rounds = (str(self._folder / "counting.so"), json.dumps(chosen)) if counts else ("", str(self._rounds))
        return [python, "-c", _WORK, first, str(unit), out, library, rounds, *self._flags]

    def instructions(self, unit: Path, *chosen: str) -> int:
        """Instructions of lowering, in all of its processes."""
        counted = self._folder / "callgrind"
        shutil.rmtree(counted, ignore_errors=True)
        counted.mkdir()
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counted}/%p"]
        subprocess.run(
            [*valgrind, *self._command(unit, chosen, True)],
            env=self._environment,
            check=True,
            capture_output=True,
        )
        texts = (file.read_text() for file in counted.iterdir())
        totals = (re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE) for text in texts)
        return sum(int(total[1]) for total in totals if total is not None)

    def times(self, unit: Path) -> dict[str, list[float]]:
        """(processor seconds with those of other processes, seconds) with warnings and without."""
        if self._work:
            said = subprocess.run(
                self._command(unit, (), False), env=self._environment, check=True, capture_output=True, text=True
            )
            return dict(json.loads(said.stdout.splitlines()[-1]))
        found: dict[str, list[float]] = {}
        for _ in range(self._rounds):
            for name, chosen in (("with", ()), ("without", ("-w",))):
                now = self._once(self._command(unit, chosen, False))
                found[name] = [min(pair) for pair in zip(now, found.get(name, now), strict=True)]
        return found

    def _once(self, command: Sequence[str]) -> list[float]:
        start = time.perf_counter()
        process = subprocess.Popen(command, env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{' '.join(command)} ended with status {process.returncode}")
        return [usage.ru_utime + usage.ru_stime, seconds]


def sources(files: Sequence[Path], folder: Path) -> Iterator[Path]:
    if files:
        yield from (file.resolve() for file in files)
        return
    for name, text in units().items():
        (folder / name).write_text(text)
        yield folder / name


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure what warnings add to lowering.")
    parser.add_argument("--work", action="store_true", help="without the start of a process and its imports")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="the least of N times counts (default 5)")
    parser.add_argument("--only", choices=("instructions", "times"), help="measure only these")
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE", help="these in place of generated units")
    words = sys.argv[1:]
    ours, flags = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    options = parser.parse_args(ours)
    missed = False
    columns = f"{'lines':>7}{'M instr.':>10}{'ratio':>8}{'cpu s':>8}{'ratio':>8}{'time s':>8}{'ratio':>8}"
    print(f"{'':<24}{columns}", flush=True)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        measure = Measure(folder, options.work, options.rounds, flags)
        for unit in sources(options.files, folder):
            row = f"{unit.name:<24}{unit.read_text().count(chr(10)):>7}"
            if options.only != "times":
                least = measure.instructions(unit, "-w")
                ratio = measure.instructions(unit) / least
                missed |= ratio > (LIMIT if unit.suffix == ".c" else CXX_LIMIT)
                row += f"{least / 1e6:>10.0f}{ratio:>8.3f}"
            if options.only != "instructions":
                times = measure.times(unit)
                pairs = list(zip(times["without"], times["with"], strict=True))
                row += "".join(f"{one:>8.2f}{other / one:>8.3f}" for one, other in pairs)
            print(row, flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
