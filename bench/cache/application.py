"""A generated application, built with Ninja and Make: what a rebuild costs, and what the cache saves.

    bench/cache/application.py [--units 1000] [--folders 40] [--headers 60] [--jobs N] [--only GENERATOR] WORK-FOLDER

Every unit has one or two target regions and includes some of the shared headers, which include one another. Three
checkouts on one store: Ninja with a cold store, Ninja again, Make. Prints one line of JSON per step: seconds, processor
time, commands run, and what the cache counted; at the end, what rex-gcc takes in place of gcc for an application of
which few units have regions, beside gcc and clang. Ends with status 1 when a promise is broken.
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
sys.path[:0] = [str(ROOT / "bench" / "lowering")]

import in_place  # noqa: E402
from in_place import processor_seconds  # noqa: E402

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

    def __init__(self, root: Path, generator: str, jobs: int, shape: tuple[int, int, int]) -> None:
        generate(root, *shape)
        self.root = root
        self.ninja = generator == "Ninja"
        self.jobs = jobs
        self.build_dir = root / "build"
        self._generator = generator
        self.configure()

    def configure(self) -> None:
        shutil.rmtree(self.build_dir, ignore_errors=True)
        command = ["cmake", "-S", self.root, "-B", self.build_dir, "-G", self._generator]
        command += [f"-DRexBuild_DIR={ROOT}/cmake", f"-DRexBuild_PYTHON_EXECUTABLE={sys.executable}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def build(self, step: str) -> dict[str, Any]:
        """Build, print and return what it took."""
        return self._run(step, [["cmake", "--build", str(self.build_dir), "--parallel", str(self.jobs)]])

    def units_only(self, step: str) -> dict[str, Any]:
        """Build the objects of every unit, with their images, and nothing else."""
        units = sorted(self.root.glob("part*/*.c"))
        names = [f"CMakeFiles/app.dir/{path.relative_to(self.root)}.o" for path in units]
        ninja = ["ninja", "-C", str(self.build_dir), "-j", str(self.jobs)]
        return self._run(step, [[*ninja, *names[at : at + 500]] for at in range(0, len(names), 500)])

    def _run(self, step: str, commands: list[list[str]]) -> dict[str, Any]:
        """Run build commands, print and return what they took.

        ``asked`` counts the units that were to be lowered, and ``lowered`` those that the cache did not have.
        ``images`` and ``compiled_images`` count their images in the same way.
        """
        subprocess.run([*REX_BUILD, "cache", "stats", "--zero"], check=True, stdout=subprocess.DEVNULL)
        start, before = time.monotonic(), processor_seconds()
        said = ""
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            said += done.stdout
            if done.returncode:
                sys.exit(done.stdout[-4000:] + done.stderr[-4000:])
        seconds, used = time.monotonic() - start, processor_seconds() - before
        asked = subprocess.run([*REX_BUILD, "cache", "stats", "--json"], check=True, capture_output=True)
        counted = json.loads(asked.stdout)
        lowered = sum(count for name, count in counted["misses"].items() if name.startswith("miss: "))
        compiled_images = sum(count for name, count in counted["misses"].items() if name.startswith("image miss: "))
        # "[3/80] Building ...", "[  4%] Building ...": Make also says which targets it has looked at.
        commands = re.findall(r"^\[[ 0-9/%]+\] (?!Built target)", said, re.MULTILINE)
        facts: dict[str, Any] = {
            "step": step,
            "generator": self._generator,
            "seconds": round(seconds, 1),
            "processor_seconds": round(used, 1),
            "commands": len(commands),
            "asked": lowered + counted["hits"].get("direct hit", 0),
            "lowered": lowered,
            "images": compiled_images + counted["hits"].get("image hit", 0),
            "compiled_images": compiled_images,
            "compiled": len(re.findall(r"Building C ", said)),
            "linked": len(re.findall(r"Linking ", said)),
            "hits": counted["hits"],
            "misses": counted["misses"],
        }
        print(json.dumps(facts), flush=True)
        return facts

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace a text that must be there in a file of the application."""
        path = self.root / name
        text = path.read_text()
        if old not in text:
            raise ValueError(f"{name} has no {old!r}")
        tick(path)
        path.write_text(text.replace(old, new, 1))


def tick(file: Path) -> None:
    """Wait until what is written now is newer than what was built. Some file systems tell whole seconds only."""
    time.sleep(0.05 if file.stat().st_mtime_ns % 10**9 else 1.1)


class Promises:
    """What was promised, and what of it was not kept."""

    def __init__(self) -> None:
        self.broken: list[str] = []

    def __call__(self, what: str, kept: bool) -> None:
        print(("kept:   " if kept else "BROKEN: ") + what, flush=True)
        if not kept:
            self.broken.append(what)


# What a build does with a unit, whether the cache has it or not: lowers it, makes its image, compiles and links.
COUNTS = ("asked", "images", "compiled", "linked")


def edits(app: Application, promise: Promises) -> None:
    """What building again costs, in a checkout that has been built: after nothing, and after four kinds of edits."""
    facts = app.build("nothing changed")
    promise("a second build runs no command", facts["commands"] == 0)
    unit = "part0/unit0.c"
    tick(app.root / unit)
    (app.root / unit).touch()
    facts = app.build("one unit touched, not changed")
    counts = tuple(facts[name] for name in COUNTS)
    promise(
        "a unit touched: its lowering and its image are hits; it is compiled and linked again",
        counts == (1, 1, 1, 1) and facts["lowered"] == facts["compiled_images"] == 0,
    )
    app.edit(unit, " + sqrt(", " + 2 * sqrt(")
    facts = app.build("one unit changed")
    counts = tuple(facts[name] for name in COUNTS)
    promise("a unit changed: one lowered, one image, one link", counts == (1, 1, 1, 1))
    app.edit(unit, "/* unit 0 */", "/* unit zero */")
    facts = app.build("a comment changed")
    kept = facts["asked"] == 1 and facts["compiled_images"] == 0 and facts["linked"] <= 1
    promise("a comment changed: one lowered, no image compiled", kept)
    leaf, wanted = some_leaf(app.root)
    app.edit(f"include/{leaf}", ".5", ".25")
    facts = app.build(f"{leaf}, included by no other header, changed")
    promise(
        f"a leaf header changed: its {wanted} dependents are lowered, and no others",
        facts["asked"] == facts["images"] == facts["compiled"] == wanted and facts["linked"] == 1,
    )


def some_leaf(root: Path) -> tuple[str, int]:
    """The header without inclusions that about a third of the units depend on, and how many those are."""
    leaves = [path.name for path in (root / "include").iterdir() if "#include" not in path.read_text()]
    counts = {name: dependents(root, name) for name in sorted(leaves)}
    third = len(list(root.glob("part*/*.c"))) / 3
    return min(counts.items(), key=lambda item: abs(item[1] - third))


def dependents(root: Path, header: str) -> int:
    """How many units include a header, over others or not."""
    texts = {path.name: path.read_text() for path in (root / "include").iterdir()}
    reached = {header}
    while True:
        more = {name for name, text in texts.items() if any(f'"{header}"' in text for header in reached)} - reached
        if not more:
            break
        reached |= more
    return sum(any(f'"{name}"' in text for name in reached) for text in map(Path.read_text, root.glob("part*/*.c")))


_GENERATORS = {"another place/second": "Ninja", "third": "Unix Makefiles"}  # by the folders of other checkouts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--units", type=int, default=1000)
    parser.add_argument("--folders", type=int, default=40)
    parser.add_argument("--headers", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", choices=_GENERATORS.values(), help="edits and another checkout with this one alone")
    options = parser.parse_args()
    work = options.work.absolute()
    os.environ["REX_BUILD_CACHE_DIR"] = str(work / "store")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each process compiles what was edited
    shutil.rmtree(work, ignore_errors=True)
    promise = Promises()
    shape = (options.units, options.folders, options.headers)

    app = Application(work / "first", "Ninja", options.jobs, shape)
    cold = app.units_only("cold: units")
    once = all(cold[name] == options.units for name in ("asked", "lowered", "images", "compiled_images", "compiled"))
    promise(f"cold: each of {options.units} units is lowered once and compiled once, and so is its image", once)
    app.build("the rest of the cold build")
    if options.only != "Unix Makefiles":
        edits(app, promise)
    app.configure()
    warm = app.units_only("build folder deleted, warm: units")
    kept = warm["asked"] == warm["images"] == options.units and warm["lowered"] == warm["compiled_images"] == 0
    promise("warm: no unit is lowered, and no image compiled", kept)
    if options.units >= 40:  # below that, what Ninja itself takes and the first files of the system count too much
        ratio = cold["processor_seconds"] / warm["processor_seconds"]
        promise(f"warm takes a tenth of cold, or less (1/{ratio:.1f})", ratio >= 10)
    for name, generator in _GENERATORS.items():
        if options.only not in (None, generator):
            continue
        app = Application(work / name, generator, options.jobs, shape)
        facts = app.build("another checkout")
        hits, misses = sum(facts["hits"].values()), sum(facts["misses"].values())
        promise(f"99 % hits in another checkout ({hits} of {hits + misses})", hits >= 0.99 * (hits + misses))
    if not app.ninja:
        edits(app, promise)

    (work / "in_place").mkdir()
    in_place.prepare(work / "in_place")
    is_measured = options.units >= 40
    units, with_regions, runs = (in_place.UNITS, in_place.WITH_REGIONS, 3) if is_measured else (2, 1, 1)
    taken = in_place.application(units, with_regions, runs)
    what = f"{units} units, {with_regions} with regions, warm, in place of gcc: processor seconds"
    print(json.dumps({"step": what, **{who: round(seconds, 2) for who, seconds in taken.items()}}), flush=True)
    if is_measured:
        promise("they take at most 1.3 times what gcc takes", taken["rex-gcc"] <= 1.3 * taken["gcc"])
    return 1 if promise.broken else 0


if __name__ == "__main__":
    sys.exit(main())
