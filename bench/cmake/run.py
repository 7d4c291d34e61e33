"""What rex-build adds to the configure time of a CMake project with many targets.

    python bench/cmake/run.py [--targets 100] [--calls 1] [--repeat 9] [--bare] [--cmake PROGRAM] [--generator NAME]

A C project with that many libraries in ten folders is configured with and without find_package(RexBuild) and calls of
rex_add_offload_sources, alternately. As ordinary projects do, it looks for headers and functions, for threads and for
OpenMP, and has tests and rules for its installation; with --bare it has nothing but its targets. rex-build is used as
pip installs it. Three kinds of run are compared by the quickest of each, by the clock and in processor time, as other
work on the machine only ever adds:

    fresh    a new build folder, and nothing known of this machine: rex-build asks the compilers what they are, once
    first    a new build folder; what this machine has is remembered from other builds
    again    the same build folder once more, when nothing has changed

Exit status 1 when `first` or `again` takes 10 % more by the clock.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = 10
LIMIT = 0.1

CHECKS = """\
include(CheckIncludeFile)
include(CheckSymbolExists)
include(CheckCSourceCompiles)
include(GNUInstallDirs)
include(CTest)
foreach(header IN ITEMS stdint.h unistd.h sys/mman.h sys/time.h pthread.h)
  string(MAKE_C_IDENTIFIER "HAVE_${header}" variable)
  check_include_file(${header} ${variable})
endforeach()
check_symbol_exists(posix_memalign stdlib.h HAVE_POSIX_MEMALIGN)
check_symbol_exists(clock_gettime time.h HAVE_CLOCK_GETTIME)
check_c_source_compiles("int main(void) { return __builtin_popcount(0); }" HAVE_POPCOUNT)
find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED)
"""


class Times(NamedTuple):
    """Seconds."""

    clock: float
    processor: float


def write_project(folder: Path, targets: int, calls: int, bare: bool) -> None:
    """A project whose libraries have four sources each; one source of the first ``calls`` of them is lowered."""
    top = ["cmake_minimum_required(VERSION 3.23)", "project(many C)", *([] if bare else [CHECKS])]
    if calls:
        top.append("find_package(RexBuild REQUIRED)")
    parts: dict[int, list[str]] = {number: [] for number in range(FOLDERS)}
    for number in range(targets):
        place = number % FOLDERS
        (folder / f"part{place}" / "include").mkdir(parents=True, exist_ok=True)
        for letter in "abcd":
            text = f"int f{number}{letter}(int x) {{ return x + {number}; }}\n"
            (folder / f"part{place}" / f"k{number}{letter}.c").write_text(text)
        name = f"lib{number}"
        lines = parts[place]
        lines.append(f"add_library({name} STATIC {' '.join(f'k{number}{letter}.c' for letter in 'abcd')})")
        lines.append(f"target_compile_definitions({name} PRIVATE NUMBER={number})")
        lines.append(f"target_include_directories({name} PUBLIC include)")
        if not bare:
            lines.append(f"target_link_libraries({name} PUBLIC Threads::Threads)")
            lines.append(f"target_compile_options({name} PRIVATE -Wall -Wextra)")
            lines.append(f"install(TARGETS {name} ARCHIVE DESTINATION ${{CMAKE_INSTALL_LIBDIR}})")
            lines.append(f"add_test(NAME {name} COMMAND app {number})")
        if number < calls:
            lines.append(f"rex_add_offload_sources({name} SOURCES k{number}a.c DEVICES cpu)")
    for place, lines in parts.items():
        if lines:
            (folder / f"part{place}" / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
            top.append(f"add_subdirectory(part{place})")
    (folder / "main.c").write_text("int main(void) { return 0; }\n")
    top.append("add_executable(app main.c)")
    top.append(f"target_link_libraries(app PRIVATE {' '.join(f'lib{number}' for number in range(targets))})")
    (folder / "CMakeLists.txt").write_text("\n".join(top) + "\n")


def install(folder: Path) -> Path:
    """rex-build installed below ``folder``. Returns the folder of its CMake files.

    In an environment with an editable installation, Python would run the checkout instead.
    """
    if importlib.util.find_spec("rex_build"):
        sys.exit("run this with a Python that has what rex-build needs and scikit-build-core, but no rex-build")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", folder, ROOT], check=True)
    shutil.rmtree(folder / "bin")  # a script there would look for the package in the environment, not beside itself
    return folder / "rex_build" / "share" / "cmake" / "RexBuild"


def configure(options: argparse.Namespace, source: Path, build: Path, cmake_dir: Path, cache: Path) -> Times:
    """What one configure run takes."""
    command = [options.cmake, "-S", source, "-B", build, f"-DRexBuild_DIR={cmake_dir}", "-G", options.generator]
    command.append(f"-DRexBuild_PYTHON_EXECUTABLE={sys.executable}")
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=dict(os.environ, REX_BUILD_CACHE_DIR=str(cache)))
    after, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
    return Times(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", type=int, default=100)
    parser.add_argument("--calls", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--generator", default="Ninja")
    options = parser.parse_args()
    times: dict[str, dict[str, list[Times]]] = {
        run: {"plain": [], "rex-build": []} for run in ("fresh", "first", "again")
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cmake_dir = install(folder / "site")
        for kind in ("plain", "rex-build"):
            write_project(folder / kind, options.targets, options.calls if kind == "rex-build" else 0, options.bare)
        for _ in range(options.repeat):
            shutil.rmtree(folder / "cache", ignore_errors=True)
            for run, runs in times.items():
                for kind in runs:
                    build = folder / f"build-{kind}"
                    if run != "again":
                        shutil.rmtree(build, ignore_errors=True)
                    runs[kind].append(configure(options, folder / kind, build, cmake_dir, folder / "cache"))
    failed = False
    for run, runs in times.items():
        words = [f"{run:6}"]
        for what in ("clock", "processor"):
            plain, rex = (min(getattr(t, what) for t in runs[kind]) for kind in ("plain", "rex-build"))
            words.append(f"{what} {plain * 1e3:5.0f} ms, with rex-build {rex * 1e3:5.0f} ms ({rex / plain - 1:+.1%})")
            failed |= what == "clock" and run != "fresh" and rex / plain - 1 >= LIMIT
        print("   ".join(words))
    return failed


if __name__ == "__main__":
    sys.exit(main())
