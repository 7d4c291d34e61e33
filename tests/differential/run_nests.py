"""Run many random kernels on a device, against the same code compiled without offloading.

``python tests/differential/run_nests.py SEED COUNT [--of elements|rows|blocks|narrow|breaks|dressed|views]
[--device cuda] [--jobs N] [--keep DIR] [--claims]`` draws COUNT kernels, each with two or three launches,
``--together`` of them in one file, and prints one line at the end. They are nests of loops, loops over structures and
narrow elements, loops over rows in order, regions of one thread, loops that reduce narrow elements, or bodies that try
to break proofs, in C or ``dressed`` as C++, or reach memory by ``views`` and the like of C++. Every third file is
lowered without one of the transformations, so that the others are seen alone. With ``--claims`` the check device
verifies what transformations rely on instead, and the end says how many claims that were. Two of three images for the
cpu device are not optimised, which takes a third of the time, and each runs with the iterations of threads in every
order. Files that differ go to DIR. Only the standard library and rex-build are used.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from blocks import Blocks
from breaks import Breaks, DressedBreaks
from compare import difference, false_claim
from elements import Elements
from narrow import Narrow
from nests import Nests
from rows import Rows
from views import Views

from rex_build.base.processes import Progress
from rex_build.request import TRANSFORMATIONS

_DRAWN = {"nests": Nests, "elements": Elements, "rows": Rows, "blocks": Blocks, "narrow": Narrow, "breaks": Breaks}
_DRAWN |= {"dressed": DressedBreaks, "views": Views}


def main() -> int:
    parser = argparse.ArgumentParser(description="Run random kernels on a device.")
    parser.add_argument("seed")
    parser.add_argument("count", type=int, help="how many kernels")
    parser.add_argument("--of", choices=tuple(_DRAWN), default="nests")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--together", type=int, default=32, help="how many kernels a file has")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--keep", type=Path, metavar="DIR", help="files that differ go here, with what they printed")
    parser.add_argument("--no-opt", nargs="+", default=(), metavar="NAME", help="transformations to leave out of all")
    parser.add_argument(
        "--claims", action="store_true", help="verify the claims of transformations on the check device"
    )
    parser.add_argument("--cxx", action="store_true", help="compile the same text as C++")
    options = parser.parse_args()
    drawn = _DRAWN[options.of]
    suffix = ".cpp" if options.cxx else getattr(drawn, "suffix", ".c")
    start = time.monotonic()
    claims: Counter[str] = Counter()

    def one(first: int) -> tuple[int, int, bool]:
        """(how many kernels ran, how many other kernels there were for inner loops, whether something differs)"""
        seed = f"{options.seed} {first}"
        progress.begin(seed)
        count = min(options.together, options.count - first)
        text, draw = drawn(seed, count).text(), random.Random(seed)
        text = f"#define _Bool bool\n{text}" if options.cxx else text
        no_opt = options.no_opt or ([draw.choice([*TRANSFORMATIONS])] if draw.random() < 1 / 3 else [])
        with tempfile.TemporaryDirectory(prefix="rex-nests-") as folder:
            if options.claims:
                found, verified = false_claim(text, suffix)
                claims.update(verified)
            else:
                image = "-O0" if draw.random() < 2 / 3 else ""
                found = difference(text, no_opt, options.device, Path(folder), suffix, image)
            kernel = {"rows": "__staged__(\n", "blocks": "rex_block_", "narrow": "rex_groups_of"}.get(
                options.of, "__collapsed__("
            )
            collapsed = sum(path.read_text().count(kernel) for path in Path(folder).rglob("*.cu"))
        if found is not None:
            report = f"==== seed '{seed}', {count} kernels, left out: {' '.join(no_opt) or 'nothing'}\n{found}\n"
            print(report if not options.keep else report[:400], flush=True)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                name = seed.replace(" ", "-")
                (options.keep / f"{name}{suffix}").write_text(text)
                (options.keep / f"{name}.txt").write_text(report)
        progress.end()
        return count, collapsed, found is not None

    work = range(0, options.count, options.together)
    with Progress(len(work)) as progress, ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(one, work))
    kernels, collapsed, differ = (sum(column) for column in zip(*results, strict=True))
    print(
        f"{kernels} random kernels with several launches each in {len(work)} files ({collapsed} kernels for inner "
        f"loops): {differ} files differ, {time.monotonic() - start:.0f} s"
    )
    if claims:
        print("claims that were verified: " + ", ".join(f"{kind} {claims[kind]}" for kind in sorted(claims)))
    return 1 if differ or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
