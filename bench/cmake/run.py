"""What rex-build adds to the configure time of a CMake project with many targets.

    python bench/cmake/run.py [--targets 100] [--calls 1] [--repeat 7]

A C project with that many libraries and one program is configured with and without find_package(RexBuild) and calls of
rex_add_offload_sources, alternately; the medians of the first configure run (with compiler checks) and of a repeated
one are compared. Exit status 1 when the first run grows by 10 % or more.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def write_project(folder: Path, targets: int, calls: int) -> None:
    """A project whose libraries have two sources each; the first ``calls`` of them are lowered."""
    folder.mkdir()
    lines = ["cmake_minimum_required(VERSION 3.23)", "project(many C)"]
    if calls:
        lines.append("find_package(RexBuild REQUIRED)")
    for number in range(targets):
        for part in "ab":
            text = f"int f{number}{part}(int x) {{ return x + {number}; }}\n"
            (folder / f"k{number}{part}.c").write_text(text)
        lines.append(f"add_library(lib{number} STATIC k{number}a.c k{number}b.c)")
        lines.append(f"target_compile_definitions(lib{number} PRIVATE NUMBER={number})")
        lines.append(f"target_include_directories(lib{number} PUBLIC include)")
        if number < calls:
            lines.append(f"rex_add_offload_sources(lib{number} SOURCES k{number}a.c DEVICES cpu)")
    (folder / "main.c").write_text("int main(void) { return 0; }\n")
    lines.append("add_executable(app main.c)")
    lines.append(f"target_link_libraries(app PRIVATE {' '.join(f'lib{number}' for number in range(targets))})")
    (folder / "CMakeLists.txt").write_text("\n".join(lines) + "\n")


def configure(source: Path, build: Path) -> float:
    """Seconds that one configure run takes."""
    options = [f"-DRexBuild_DIR={ROOT / 'cmake'}", f"-DRexBuild_PYTHON_EXECUTABLE={sys.executable}", "-G", "Ninja"]
    start = time.perf_counter()
    subprocess.run(["cmake", "-S", source, "-B", build, *options], check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", type=int, default=100)
    parser.add_argument("--calls", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    first: dict[str, list[float]] = {"plain": [], "rex-build": []}
    again: dict[str, list[float]] = {"plain": [], "rex-build": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_project(folder / "plain", options.targets, 0)
        write_project(folder / "rex-build", options.targets, options.calls)
        for _ in range(options.repeat):
            for kind, times in first.items():
                build = folder / f"build-{kind}"
                shutil.rmtree(build, ignore_errors=True)
                times.append(configure(folder / kind, build))
                again[kind].append(configure(folder / kind, build))
    growth = {}
    for what, times in (("first", first), ("again", again)):
        plain, rex = (statistics.median(times[kind]) for kind in ("plain", "rex-build"))
        growth[what] = rex / plain - 1
        print(f"{what:6} {plain * 1e3:8.0f} ms plain {rex * 1e3:8.0f} ms with rex-build   {growth[what]:+.1%}")
    return growth["first"] >= 0.1


if __name__ == "__main__":
    sys.exit(main())
