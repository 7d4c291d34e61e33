"""What builds of a large application cost with CMake: without rex-build, and with each of its functions.

    bench/cmake/application.py [--units 1000] [--regions 100] [--headers 60] [--jobs N] [--rounds 5] WORK-FOLDER

One program of units in C and C++, some of which have a target region, is built for the cpu device with Ninja, and
with rex-build as pip installs it. Run this with a Python that has what rex-build needs and scikit-build-core, but no
rex-build.

Prints a line for each step: the processor time of the plain build, and of each function with how many times the plain
one's that is. Other work makes processors slower, so the three builds take turns, in another order each time. Steps
that are quick are done several times: the times are medians, and the ratios are medians of each turn's. Cold builds
are made in parts, whose times are added. Ends with status 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from run import install

KINDS = {
    "plain": "",
    "rex_target_offload": "find_package(RexBuild REQUIRED)\nrex_target_offload(app DEVICES cpu)\n",
    "rex_add_offload_sources": "find_package(RexBuild REQUIRED)\n"
    "rex_add_offload_sources(app SOURCES ${regions} DEVICES cpu)\n",
}
UNIT = """\
{includes}
struct state{number} {{ double first[16], second[16]; int count; }};
static double add{number}(struct state{number} *s, double x)
{{
    for (int i = 0; i < 16; i++)
        s->first[i] = s->second[i] * x + {number};
    return s->first[s->count & 15];
}}
{extern}void unit{number}(int n, double *x)
{{
    struct state{number} s = {{{{0}}, {{0}}, n}};
{directive}
    for (int i = 0; i < n; i++)
        x[i] = x[i] * FACTOR{factor} + {number};
    if (n < 0)
        printf("%g\\n", add{number}(&s, x[0]));
}}
"""
DIRECTIVE = "#pragma omp target teams distribute parallel for map(tofrom: x[0:n])"


def generate(root: Path, units: int, regions: int, headers: int) -> None:
    """Write the application. The same numbers give the same files, whatever the place."""
    dice = random.Random(1)
    (root / "include").mkdir(parents=True)
    for number in range(headers):
        later = sorted(dice.sample(range(number + 1, headers), min(2, headers - number - 1))) if number % 3 else []
        lines = [f"#ifndef H{number}", f"#define H{number}", *(f'#include "h{other}.h"' for other in later)]
        lines += [f"#define FACTOR{number} {number}.5", f"struct pair{number} {{ double first, second; }};", "#endif"]
        (root / "include" / f"h{number}.h").write_text("\n".join(lines) + "\n")
    names: dict[bool, list[str]] = {True: [], False: []}
    has_region = set(dice.sample(range(units), regions))
    for number in range(units):
        is_cxx = number % 2 == 1
        used = sorted(dice.sample(range(headers), min(4, headers)))
        system = ["cstdio", "vector", "string"] if is_cxx else ["stdio.h", "stdlib.h", "math.h"]
        lines = [*(f"#include <{name}>" for name in system), *(f'#include "h{header}.h"' for header in used)]
        text = UNIT.format(
            includes="\n".join(lines),
            number=number,
            extern='extern "C" ' if is_cxx else "",
            directive=DIRECTIVE if number in has_region else "",
            factor=used[0],
        )
        name = f"part{number % 20}/unit{number}.{'cpp' if is_cxx else 'c'}"
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
        names[number in has_region].append(name)
    calls = "".join(f"    unit{number}(n, x);\n" for number in range(units))
    declared = "".join(f"void unit{number}(int, double *);\n" for number in range(units))
    (root / "main.c").write_text(f"{declared}int main(void)\n{{\n    double x[8] = {{0}};\n    int n = 8;\n{calls}}}\n")
    lists = "cmake_minimum_required(VERSION 3.23)\nproject(app C CXX)\n"
    lists += f"set(regions {' '.join(names[True])})\nadd_executable(app main.c ${{regions}} {' '.join(names[False])})\n"
    lists += "target_include_directories(app PRIVATE include)\ntarget_compile_options(app PRIVATE -fopenmp)\n"
    lists += "target_link_options(app PRIVATE -fopenmp)\n"
    (root / "CMakeLists.txt").write_text(lists)


class Application:
    """A checkout of the application, with a build folder and a cache of its own, for one kind of build."""

    def __init__(self, options: argparse.Namespace, kind: str, cmake_dir: Path) -> None:
        work: Path = options.work
        self.cmake_dir = cmake_dir
        # The names are of one length, as each is a part of every path that a build writes and reads.
        self.source = work / f"source{list(KINDS).index(kind)}"
        self.build = work / f"build{list(KINDS).index(kind)}"
        self.jobs: int = options.jobs
        self.parts = {True: 0, False: 0}  # how many of the cold build are made
        self.environment = dict(os.environ, REX_BUILD_CACHE_DIR=str(work / f"cache-{kind}"))
        generate(self.source, options.units, options.regions, options.headers)
        with (self.source / "CMakeLists.txt").open("a") as file:
            file.write(KINDS[kind])

    def cost(self, *command: object, after: float = 0, may_fail: bool = False) -> float:
        """The processor time of a command, which is interrupted ``after`` so many seconds."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(
            list(map(str, command)), env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        if after:
            time.sleep(after)
            process.send_signal(signal.SIGINT)
        said = process.communicate()[0]
        if process.returncode and not after and not may_fail:
            sys.exit(said.decode()[-3000:])
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        return now.ru_utime + now.ru_stime - before.ru_utime - before.ru_stime

    def configure(self) -> float:
        """A configure run, which is the first one if there is no build folder yet."""
        options = (f"-DRexBuild_DIR={self.cmake_dir}", f"-DRexBuild_PYTHON_EXECUTABLE={sys.executable}")
        return self.cost("cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", *options)

    def first_configure(self) -> float:
        shutil.rmtree(self.build, ignore_errors=True)
        return self.configure()

    def make(self, *targets: str, after: float = 0, may_fail: bool = False) -> float:
        more = ("-k", "0") if may_fail else ()
        return self.cost("ninja", "-C", self.build, f"-j{self.jobs}", *more, *targets, after=after, may_fail=may_fail)

    def link(self) -> float:
        (self.build / "app").unlink(missing_ok=True)
        return self.make()

    def units(self, with_regions: bool) -> list[Path]:
        found = sorted(self.source.glob("part*/unit*"))
        return [path for path in found if (DIRECTIVE in path.read_text()) == with_regions]

    def objects(self, with_regions: bool) -> list[str]:
        names = (path.relative_to(self.source) for path in self.units(with_regions))
        return [f"CMakeFiles/app.dir/{name}.o" for name in names]

    def next_part(self, with_regions: bool) -> float:
        first = self.parts[with_regions]
        self.parts[with_regions] += 1
        return self.make(*self.objects(with_regions)[first::PARTS])

    def changed(self, paths: list[Path], add: str) -> float:
        """What a build costs after a text was added to these files."""
        for path in paths:
            path.write_text(path.read_text() + add)
        return self.make()

    def other_branch_and_back(self) -> float:
        paths = self.units(True)[::5] + self.units(False)[::20] + sorted((self.source / "include").glob("h1?.h"))
        texts = {path: path.read_text() for path in paths}
        cost = self.changed(paths, "\nextern int branch;\n")
        for path, text in texts.items():
            path.write_text(text)
        return cost + self.make()

    def second_folder(self) -> float:
        """What a build costs in another folder, when the cache knows all units with regions."""
        shutil.rmtree(self.build)
        self.build = self.build.with_name(self.build.name.replace("build", "other"))
        return self.configure() + self.make()

    def interrupted(self) -> float:
        """What is built before an interrupt in the middle, and after it."""
        shutil.rmtree(self.build)
        self.configure()
        return self.make(after=3) + self.make()

    def one_fails(self) -> float:
        path = self.units(True)[0]
        text = path.read_text()
        path.write_text(text.replace(DIRECTIVE, DIRECTIVE + " wrong(1)"))
        cost = self.make(may_fail=True)
        path.write_text(text)
        return cost + self.make()

    def edges(self) -> int:
        return (self.build / "build.ninja").read_text().count("\nbuild ")


ONCE, QUICK, PARTS = 1, 0, 9  # how often a step is done; quick ones as often as the command line says
STEPS: dict[str, tuple[int, Callable[[Application], float]]] = {
    "configure": (QUICK, Application.first_configure),
    "configure again": (QUICK, Application.configure),
    "cold: units without regions": (PARTS, lambda app: app.next_part(False)),
    "cold: units with regions": (PARTS, lambda app: app.next_part(True)),
    "link": (QUICK, Application.link),
    "no-op": (QUICK, Application.make),
    "a unit without regions": (QUICK, lambda app: app.changed(app.units(False)[:1], "\nextern int more;\n")),
    "a unit with regions": (QUICK, lambda app: app.changed(app.units(True)[:1], "\nextern int more;\n")),
    "a header": (ONCE, lambda app: app.changed([app.source / "include" / "h59.h"], "\nextern int more;\n")),
    "another branch and back": (ONCE, Application.other_branch_and_back),
    "a unit that fails": (QUICK, Application.one_fails),
    "a second build folder, warm": (QUICK, Application.second_folder),
    "an interrupt in the middle, warm": (ONCE, Application.interrupted),
}
# How many times the plain build's cost each function may take.
LIMITS = {
    ("configure", "rex_add_offload_sources"): 1.15,
    ("cold: units without regions", "rex_target_offload"): 1.1,
    ("cold: units without regions", "rex_add_offload_sources"): 1.1,
    ("link", "rex_target_offload"): 1.2,
    ("link", "rex_add_offload_sources"): 1.2,
    ("a second build folder, warm", "rex_target_offload"): 1.05,
    ("a second build folder, warm", "rex_add_offload_sources"): 1.05,
    ("no-op", "rex_target_offload"): 1.05,
    ("no-op", "rex_add_offload_sources"): 1.05,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=int, default=1000)
    parser.add_argument("--regions", type=int, default=100)
    parser.add_argument("--headers", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rounds", type=int, default=5, help="how often quick steps are done")
    parser.add_argument("work", type=Path)
    options = parser.parse_args()
    cmake_dir = install(options.work / "site")
    applications = {kind: Application(options, kind, cmake_dir) for kind in KINDS}
    for application in applications.values():  # rex-build remembers what this machine has
        application.configure()
    broken = []
    print(f"{'':34}{'plain':>10}", *(f"{kind:>26}" for kind in KINDS if kind != "plain"), sep="", flush=True)
    for step, (times, run) in STEPS.items():
        turns = []
        for turn in range(times or options.rounds):
            order = [*applications][turn % len(KINDS) :] + [*applications][: turn % len(KINDS)]
            turns.append({kind: run(applications[kind]) for kind in order})
        whole = sum if times == PARTS else median
        words = [f"{step:34}{whole(turn['plain'] for turn in turns):8.2f} s"]
        for kind in KINDS:
            if kind == "plain":
                continue
            ratio = median(turn[kind] / turn["plain"] for turn in turns)
            words.append(f"{whole(turn[kind] for turn in turns):17.2f} s ({ratio:.2f})")
            if ratio > LIMITS.get((step, kind), float("inf")):
                broken.append(f"{step} with {kind}: {ratio:.2f}, not {LIMITS[step, kind]}")
        print(*words, f"   load {os.getloadavg()[0]:.0f}", flush=True)
    edges = {kind: app.edges() for kind, app in applications.items()}
    print("edges", edges)
    if any(edges[kind] - edges["plain"] > 2 * options.regions for kind in edges):
        broken.append(f"edges: {edges}")
    print("\n".join(broken))
    return bool(broken)


if __name__ == "__main__":
    sys.exit(main())
