"""Compare many small random programs with themselves, built without any transformation of kernels.

``python tests/differential/run_files.py SEED COUNT [--device cuda] [--jobs N] [--seconds S] [--keep DIR]`` draws COUNT
files, each with one to four kernels of one kind (nests, structures and narrow elements, rows in order, regions of one
thread), builds each by itself, with all transformations and with all of them left out, and prints one line at the end.
After S seconds no further file begins. Files whose two programs print different things go to DIR. Only the standard
library and rex-build are used.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from blocks import Blocks
from compare import unlike_unoptimised
from elements import Elements
from nests import Nests
from rows import Rows

from rex_build.base.processes import Progress

_KINDS = (Nests, Elements, Rows, Blocks)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare small random programs with their unoptimised builds.")
    parser.add_argument("seed")
    parser.add_argument("count", type=int, help="how many files")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no file after this time")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="files that differ go here, with what they printed")
    options = parser.parse_args()
    start = time.monotonic()

    def one(number: int) -> tuple[int, int, bool]:
        """(files that ran, their kernels, whether they differ)"""
        if time.monotonic() - start > options.seconds:
            return 0, 0, False
        seed = f"{options.seed} file {number}"
        progress.begin(seed)
        draw = random.Random(seed)
        kind, count = draw.choice(_KINDS), draw.randint(1, 4)
        text = kind(seed, count).text()
        with tempfile.TemporaryDirectory(prefix="rex-files-") as folder:
            found = unlike_unoptimised(text, Path(folder), options.device)
        if found is not None:
            print(f"==== '{seed}', {kind.__name__}, {count} kernels\n{found[:400]}", flush=True)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{options.seed}-{number}.c").write_text(text)
                (options.keep / f"{options.seed}-{number}.txt").write_text(found)
        progress.end()
        return 1, count, found is not None

    with Progress(options.count) as progress, ThreadPoolExecutor(options.jobs) as pool:
        files, kernels, differ = (sum(column) for column in zip(*pool.map(one, range(options.count)), strict=True))
    print(f"{files} files with {kernels} kernels: {differ} differ, {time.monotonic() - start:.0f} s")
    return 1 if differ or not files else 0


if __name__ == "__main__":
    sys.exit(main())
