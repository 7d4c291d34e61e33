"""Random sequences of regions, data constructs and host statements in threads, against programs without offloading.

Regions in runs follow each other without waits on a GPU. ``REX_EXAMPLES`` sets how many programs (two where it is not
set, with six functions each); ``python tests/differential/test_sequences.py DEVICE SEED COUNT [NAME...]`` runs more,
outside pytest, on the device ``cpu`` or ``cuda``, and prints those that differ; the transformations of kernels with
these names are left out.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from compare import difference
from sequences import Sequences

EXAMPLES = int(os.environ.get("REX_EXAMPLES", "2"))


def test_same_on_the_device() -> None:
    for number in range(EXAMPLES):
        text = Sequences(f"test {number}").text()
        found = difference(text)
        assert found is None, f"{found}\n{text}"


def main(arguments: list[str]) -> int:
    """Run COUNT programs from SEED on; those that differ are printed. Returns the exit status."""
    device, seed, count, failures = arguments[0], arguments[1], int(arguments[2]), 0
    for number in range(count):
        text = Sequences(f"{seed} {number}").text()
        found = difference(text, tuple(arguments[3:]), device)
        if found is not None:
            failures += 1
            print(f"==== {seed}/{number}\n{found}\n{text}", flush=True)
    print(f"{count} programs, {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
