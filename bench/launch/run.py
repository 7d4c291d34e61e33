#!/usr/bin/env python3
"""What a launch costs beside the runtime's own work, and the first one beside later ones, in instructions.

    bench/launch/run.py [--check] [--keep DIR]

Needs gcc, valgrind with its headers, and libomptarget. Every region of ``shapes.c``, all its data present, is launched
on the cpu device by the block that rex-build generates and by a hand-written call of ``__tgt_target_kernel`` with the
same arguments; callgrind counts both. The program's first launch, after ``rex_offload_init()``, is compared with its
tenth. Numbers of instructions repeat, unlike times. ``--check`` fails where a generated launch takes 5 % more, or a
first one 20 % more.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SHAPES = ("literals", "one", "no_alias", "four", "twelve", "reduction", "tiles", "clauses")
LOOKED_UP = ("mapped_elsewhere",)  # pointers that the runtime is asked about: what this costs is shown, and not limited
FIRST = ("untouched", "one")
LAUNCH_LIMIT, FIRST_LIMIT = 1.05, 1.20

sys.path.insert(0, str(ROOT))

from rex_build.base.paths import include_dir  # noqa: E402
from rex_build.tools.backends import CPU  # noqa: E402
from rex_build.tools.runtimes import link_flags  # noqa: E402
from rex_build.tools.targets import select_runtime  # noqa: E402


def run(*command: str, folder: Path) -> None:
    environment = dict(os.environ, PYTHONPATH=str(ROOT), OMP_NUM_THREADS="1", OMP_TARGET_OFFLOAD="MANDATORY")
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, env=environment)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def identities(host: Path) -> dict[str, str]:
    """The identity of the kernel that each function launches here: the direct one where there are two."""
    found: dict[str, str] = {}
    for identity, name in re.findall(
        r"^static char (OUT__\d+__[0-9a-f]+__(\w+?)__\d+__(?:direct_)?id__);", host.read_text(), re.M
    ):
        if name not in found or "direct" in identity:
            found[name] = identity
    return found


def build(folder: Path) -> None:
    """The program ``shapes`` in ``folder``."""
    lowering = (sys.executable, "-m", "rex_build")
    run(*lowering, "lower", str(HERE / "shapes.c"), "--out-dir", str(folder), "--", "-O2", folder=folder)
    run(*lowering, "device", "rex_lib_shapes.cu", "--arch", "cpu", "-o", "image", folder=folder)
    run(*lowering, "register", "--out", "register_cubin.cpp", "rose_shapes.c", "image", folder=folder)
    hand = [
        "-DBY_HAND",
        *(f"-DID_{name}={identity}" for name, identity in identities(folder / "rose_shapes.c").items()),
    ]
    sources = ["rose_shapes.c", "-x", "c", "register_cubin.cpp", "-x", "none"]
    flags = ["-O2", "-fopenmp", f"-I{include_dir()}", *hand]
    run("gcc", *flags, *sources, *link_flags(select_runtime([CPU])), "-o", "shapes", folder=folder)


def count(folder: Path) -> dict[str, int]:
    """Instructions of one call of each function."""
    run("valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=out", "./shapes", folder=folder)
    counts = {}
    for dump in folder.glob("out.*"):
        text = dump.read_text()
        trigger = re.search(r"^desc: Trigger: .*?(\w+)$", text, re.M)
        total = re.search(r"^totals: (\d+)|^summary: (\d+)", text, re.M)
        if trigger and total:
            counts[trigger[1]] = int(total[1] or total[2])
    return counts


def row(name: str, cost: int, reference: int) -> float:
    """Prints a row of a table; the ratio."""
    print(f"| {name} | {cost} | {reference} | {cost / reference:.3f} |")
    return cost / reference


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="exit with 1 where a launch takes more than 5 %% more")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave program and profiles there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.keep or Path(temporary)).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        build(folder)
        counts = count(folder)
    print("| region | generated | by hand | ratio |\n| --- | ---: | ---: | ---: |")
    launches = [row(shape, counts[shape], counts[f"hand_{shape}"]) for shape in SHAPES]
    for shape in LOOKED_UP:
        row(shape, counts[shape], counts[f"hand_{shape}"])
    print("\n| region | first | tenth | ratio |\n| --- | ---: | ---: | ---: |")
    firsts = [row(shape, counts[f"first_{shape}"], counts[f"tenth_{shape}"]) for shape in FIRST]
    return int(arguments.check and (max(launches) > LAUNCH_LIMIT or max(firsts) > FIRST_LIMIT))


if __name__ == "__main__":
    sys.exit(main())
