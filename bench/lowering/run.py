#!/usr/bin/env python3
"""How long lowering takes, as ratios to what the C compiler needs for the same file.

    bench/lowering/run.py [--runs N] [--json FILE] [--check]

Every number is the best of N runs of whole processes, one at a time, without rex-build's cache. --check exits with
status 1 when a limit is missed: 0.5 s for a unit of 150 lines of which 0.15 s for imports, 20 s and 500 MB for 20,000
lines with 300 regions, time linear in the length, a unit without target directives in the time of the preprocessor.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from generate import long_unit, regions_in, unit_without_target, usual_unit  # noqa: E402

_IMPORTS = (
    "import time; start = time.perf_counter()\n"
    "import rex_build.cli.main, rex_build.pipeline, rex_build.base.parameters, rex_build.tools.toolchain\n"
    "import rex_build.plan.unit, rex_build.c.analysis.unit, rex_build.render.device, rex_build.render.host\n"
    "print(time.perf_counter() - start)\n"
)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure how long lowering takes.")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="the best of N counts (default 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there as well")
    parser.add_argument("--check", action="store_true", help="exit with status 1 when a limit is missed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        numbers = measure(Path(folder), options.runs)
    if options.json:
        options.json.write_text(json.dumps(numbers, indent=2) + "\n")
    print(table(numbers))
    missed = limits_missed(numbers)
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed and options.check else 0


def measure(folder: Path, runs: int) -> dict[str, float]:
    """Seconds and megabytes by name."""
    numbers = {"imports": best_of(runs, lambda: inner_time(_IMPORTS))}
    usual = folder / "usual.c"
    usual.write_text(usual_unit())
    numbers |= against_gcc("usual", usual, runs)
    for lines in (5000, 10000, 20000):
        unit = folder / f"long_{lines}.c"
        unit.write_text(long_unit(lines))
        few = max(1, runs // 2)
        if lines == 20000:
            numbers |= against_gcc(str(lines), unit, few)
        else:
            numbers[f"{lines} lower"] = best_of(few, lambda unit=unit: lower(unit)[0])
    without = folder / "without.c"
    without.write_text(unit_without_target(20000))
    numbers |= against_gcc("without", without, runs)
    numbers["start"] = best_of(runs, lambda: run([sys.executable, "-m", "rex_build", "--version"])[0])
    return numbers


def against_gcc(name: str, unit: Path, runs: int) -> dict[str, float]:
    gcc = ["gcc", "-fopenmp", str(unit)]
    out = str(unit.with_suffix(".o"))
    return {
        f"{name} lower": best_of(runs, lambda: lower(unit)[0]),
        f"{name} memory": lower(unit)[1],
        f"{name} gcc -E": best_of(runs, lambda: run([*gcc, "-E", "-o", out])[0]),
        f"{name} gcc -O2 -c": best_of(runs if runs > 2 else 1, lambda: run([*gcc, "-O2", "-c", "-o", out])[0]),
    }


def lower(unit: Path) -> tuple[float, float]:
    return run([sys.executable, "-m", "rex_build", "lower", str(unit), "--out-dir", str(unit.parent / "out"), "--"])


def run(command: Sequence[str]) -> tuple[float, float]:
    """(seconds, most megabytes in use) of one process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed with status {process.returncode}")
    return seconds, usage.ru_maxrss / 1024


def inner_time(program: str, *arguments: str) -> float:
    command = [sys.executable, "-c", program, *arguments]
    return float(subprocess.run(command, env=environment(), capture_output=True, text=True, check=True).stdout)


def environment() -> dict[str, str]:
    """Ours, with this checkout's package, compiled modules kept as in an installation, and no cache."""
    here = str(Path(__file__).parents[2])
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": here, "REX_BUILD_CACHE": "off"}


def best_of(runs: int, once: object) -> float:
    assert callable(once)
    return min(once() for _ in range(max(1, runs)))


def growth(numbers: dict[str, float]) -> float:
    """Seconds per line from 10,000 to 20,000 lines, over seconds per line from 5,000 to 10,000: 1 when linear."""
    first = (numbers["10000 lower"] - numbers["5000 lower"]) / 5000
    return (numbers["20000 lower"] - numbers["10000 lower"]) / 10000 / first


def table(numbers: dict[str, float]) -> str:
    def row(what: str, seconds: float, of: str | None = None) -> str:
        if of is None:
            return f"{what:<44}{seconds:8.3f} s"
        e, c = numbers[f"{of} gcc -E"], numbers[f"{of} gcc -O2 -c"]
        memory = numbers[f"{of} memory"]
        return f"{what:<44}{seconds:8.3f} s {seconds / e:9.1f} {seconds / c:13.2f} {memory:8.0f} MB"

    return "\n".join(
        (
            f"{'':<54}{'x gcc -E':>10}{'x gcc -O2 -c':>14}{'memory':>12}",
            row("150 lines, 5 headers, 4 regions", numbers["usual lower"], "usual"),
            row("  of which imports", numbers["imports"]),
            row(f"20,000 lines, {regions_in(20000)} regions", numbers["20000 lower"], "20000"),
            row("10,000 lines", numbers["10000 lower"]),
            row(" 5,000 lines", numbers["5000 lower"]),
            f"{'  growth from 10,000 to 20,000 lines (1: linear)':<47}{growth(numbers):5.2f}",
            row("20,000 lines without target directives", numbers["without lower"], "without"),
            row("  rex-build --version", numbers["start"]),
        )
    )


def limits_missed(numbers: dict[str, float]) -> list[str]:
    passed_through = numbers["without lower"] - numbers["start"] - numbers["without gcc -E"]
    limits = (
        ("seconds for 150 lines", numbers["usual lower"], 0.5),
        ("seconds for imports", numbers["imports"], 0.15),
        ("seconds for 20,000 lines", numbers["20000 lower"], 20),
        ("megabytes for 20,000 lines", numbers["20000 memory"], 500),
        ("growth", growth(numbers), 1.3),
        ("seconds beside start and gcc -E to pass a unit through", passed_through, 0.1),
    )
    return [f"{what}: {value:.3g}, limit {limit}" for what, value, limit in limits if value > limit]


if __name__ == "__main__":
    sys.exit(main())
