"""A generated application, built with Ninja and Make: what a rebuild costs, and what the cache saves.

    bench/cache/application.py [--units 1000] [--folders 40] [--headers 60] [--generator Ninja] [--jobs N] WORK-FOLDER

Every unit has one or two target regions and includes some of the shared headers, which include one another. Prints one
line of JSON per step: seconds, commands run, and what the cache counted. Ends with status 1 when a promise is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
REX_BUILD = (sys.executable, str(ROOT / "rex_build" / "__main__.py"))


def generate(root: Path, units: int, folders: int, headers: int) -> None:
    """Write the application. The same numbers give the same files, whatever the place."""
    dice = random.Random(1)
    include = root / "include"
    include.mkdir(parents=True)
    for number in range(headers):
        # A header includes up to two with larger numbers: the last ones are leaves that many units reach.
        later = sorted(dice.sample(range(number + 1, headers), min(2, headers - number - 1))) if number % 3 else []
        lines = [f"#ifndef H{number}", f"#define H{number}", *(f'#include "h{other}.h"' for other in later)]
        lines += [f"#define FACTOR{number} {number}.5", f"struct pair{number} {{ double first, second; }};", "#endif"]
        (include / f"h{number}.h").write_text("\n".join(lines) + "\n")
    names = []
    for number in range(units):
        folder = root / f"part{number % folders}"
        folder.mkdir(exist_ok=True)
        used = sorted(dice.sample(range(headers), min(4, headers)))
        text = ["#include <stdio.h>", "#include <math.h>", *(f'#include "h{header}.h"' for header in used)]
        text += ["", f"/* unit {number} */", f"void unit{number}(int n, double *x)", "{"]
        for region in range(1 + number % 2):
            factor = f"FACTOR{used[region]}"
            text += ["#pragma omp target teams distribute parallel for map(tofrom: x[0:n])"]
            text += ["    for (int i = 0; i < n; i++)", f"        x[i] = x[i] * {factor} + sqrt(x[i] + {number}.0);"]
        text += ['    if (n < 0) puts("negative");', "}", ""]
        (folder / f"unit{number}.c").write_text("\n".join(text))
        names.append(f"part{number % folders}/unit{number}.c")
    calls = "".join(f"    unit{number}(n, x);\n" for number in range(0, units, max(1, units // 20)))
    declared = "".join(f"void unit{number}(int, double *);\n" for number in range(units))
    (root / "main.c").write_text(
        f"#include <stdio.h>\n{declared}int main(void)\n{{\n    double x[64] = {{1}};\n    int n = 64;\n{calls}"
        '    printf("%g\\n", x[0] * 0);\n    return 0;\n}\n'
    )
    listed = "\n  ".join(names)
    (root / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.23)\nproject(app C)\nset(CMAKE_C_FLAGS -O1)\nadd_executable(app main.c)\n"
        f"target_include_directories(app PRIVATE include)\ntarget_link_libraries(app PRIVATE m)\n"
        f"find_package(RexBuild REQUIRED)\nrex_add_offload_sources(app DEVICES cpu SOURCES\n  {listed})\n"
    )


class Application:
    """One checkout with one build folder."""

    def __init__(self, root: Path, generator: str, jobs: int) -> None:
        self.root = root
        self.generator = generator
        self.jobs = jobs
        self.build_dir = root / "build"

    def configure(self) -> None:
        command = ["cmake", "-S", self.root, "-B", self.build_dir, "-G", self.generator, f"-DRexBuild_DIR={ROOT}/cmake"]
        command += [f"-DRexBuild_PYTHON_EXECUTABLE={sys.executable}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def build(self, step: str) -> dict[str, Any]:
        """Build, print and return what it took. ``lowered`` and so on count the commands that were run."""
        subprocess.run([*REX_BUILD, "cache", "stats", "--zero"], check=True, stdout=subprocess.DEVNULL)
        start = time.monotonic()
        command = ["cmake", "--build", self.build_dir, "--parallel", str(self.jobs)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - start
        if done.returncode:
            sys.exit(done.stdout[-4000:] + done.stderr[-4000:])
        asked = subprocess.run([*REX_BUILD, "cache", "stats", "--json"], check=True, capture_output=True)
        counted = json.loads(asked.stdout)
        facts: dict[str, Any] = {
            "step": step,
            "seconds": round(seconds, 1),
            "lowered": len(re.findall(r"Lowering ", done.stdout)),
            "images": len(re.findall(r"Device image of ", done.stdout)),
            "linked": len(re.findall(r"Linking ", done.stdout)),
            "hits": counted["hits"],
            "misses": counted["misses"],
        }
        print(json.dumps(facts), flush=True)
        return facts

    def rules_only(self, step: str) -> float:
        """Seconds for lowering every unit and making every image, without host compiles: what the cache is about."""
        start = time.monotonic()
        units = sorted(self.root.glob("part*/*.c"))
        outputs = [f"rex/app/{path.relative_to(self.root).with_suffix('')}" for path in units]
        names = [f"{os.path.dirname(name)}/rex_lib_{os.path.basename(name)}.cpu.so" for name in outputs]
        for at in range(0, len(names), 500):
            command = ["ninja", "-C", self.build_dir, "-j", str(self.jobs), *names[at : at + 500]]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - start
        print(json.dumps({"step": step, "seconds": round(seconds, 1)}), flush=True)
        return seconds


def dependents(root: Path, header: str) -> int:
    """How many units include a header, over others or not."""
    reached = {header}
    while True:
        more = {
            path.name
            for path in (root / "include").iterdir()
            if path.name not in reached and any(f'"{name}"' in path.read_text() for name in reached)
        }
        if not more:
            break
        reached |= more
    return sum(any(f'"{name}"' in path.read_text() for name in reached) for path in root.glob("part*/*.c"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--units", type=int, default=1000)
    parser.add_argument("--folders", type=int, default=40)
    parser.add_argument("--headers", type=int, default=60)
    parser.add_argument("--generator", default="Ninja")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    os.environ["REX_BUILD_CACHE_DIR"] = str(options.work.absolute() / "store")
    shutil.rmtree(options.work, ignore_errors=True)
    broken = []

    def promise(what: str, kept: bool) -> None:
        print(("kept:   " if kept else "BROKEN: ") + what, flush=True)
        if not kept:
            broken.append(what)

    root = options.work.absolute() / "first"
    generate(root, options.units, options.folders, options.headers)
    app = Application(root, options.generator, options.jobs)
    app.configure()
    ninja = options.generator == "Ninja"
    cold_rules = app.rules_only("cold: lowering and images") if ninja else 0.0
    app.build("the rest of the cold build")
    facts = app.build("nothing changed")
    promise("the second build runs no command", not (facts["lowered"] or facts["images"] or facts["linked"]))
    unit = root / "part0" / "unit0.c"
    time.sleep(1.1)  # whole seconds are what some file systems tell
    unit.write_text(unit.read_text().replace("* FACTOR", "* 2 * FACTOR", 1))
    facts = app.build("one unit changed")
    promise("one unit lowered, one image, one link", (facts["lowered"], facts["images"], facts["linked"]) == (1, 1, 1))
    time.sleep(1.1)
    unit.write_text(unit.read_text().replace("/* unit 0 */", "/* unit zero */"))
    facts = app.build("a comment changed")
    promise("one unit lowered, no image compiled", facts["lowered"] == 1 and "image miss" not in str(facts["misses"]))
    header = f"h{options.headers - 1}.h"
    time.sleep(1.1)
    leaf = root / "include" / header
    leaf.write_text(leaf.read_text().replace(".5", ".25"))
    facts = app.build("a leaf header changed")
    wanted = dependents(root, header)
    promise(f"the {wanted} dependents of a leaf header are lowered, and no others", facts["lowered"] == wanted)
    if ninja:
        shutil.rmtree(app.build_dir)
        app.configure()
        subprocess.run([*REX_BUILD, "cache", "stats", "--zero"], check=True, stdout=subprocess.DEVNULL)
        warm = app.rules_only("warm: lowering and images")
        promise(f"warm is 10 times faster than cold ({cold_rules / warm:.1f})", cold_rules / warm >= 10)
    second = options.work.absolute() / "another place" / "second"
    generate(second, options.units, options.folders, options.headers)
    app = Application(second, options.generator, options.jobs)
    app.configure()
    facts = app.build("a second checkout")
    hits, misses = sum(facts["hits"].values()), sum(facts["misses"].values())
    promise(f"99 % hits in the second checkout ({hits} of {hits + misses})", hits >= 0.99 * (hits + misses))
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
