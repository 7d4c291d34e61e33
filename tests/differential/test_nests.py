"""Random nests of loops on the cpu device, against the same programs compiled without offloading.

Inner loops may be spread over the grid where they are proved independent, and must not be where they are not. The
device runs iterations that share a grid backwards, so that dependences between them show.
``REX_EXAMPLES`` sets how many programs (two where it is not set, with eight kernels each);
``python tests/differential/test_nests.py SEED COUNT [NAME...]`` runs more, outside pytest, and prints those that
differ; the transformations of kernels with these names are left out.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from execution import find_programs, verify
from nests import Nests
from test_differential import difference

EXAMPLES = int(os.environ.get("REX_EXAMPLES", "2"))
BACKWARDS = "g++ -DREX_CPU_BACKWARDS"


@pytest.fixture(autouse=True)
def _backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", BACKWARDS)


def test_same_on_the_device() -> None:
    for number in range(EXAMPLES):
        text = Nests(f"test {number}").text()
        found = difference(text)
        assert found is None, f"{found}\n{text}"


_SHOWING = ("collapse", "effects", "mapped_elsewhere", "slanted")


@pytest.mark.parametrize("name", [f"optimise_{name}" for name in _SHOWING])
def test_programs_do_not_show_the_order(name: str, tmp_path: Path) -> None:
    (program,) = [p for p in find_programs() if p.name == name]
    assert verify(program, tmp_path, "cpu") is None


def main(arguments: list[str]) -> int:
    """Run COUNT programs from SEED on; those that differ are printed. Returns the exit status."""
    os.environ["CXX"] = BACKWARDS
    seed, count, failures = arguments[0], int(arguments[1]), 0
    for number in range(count):
        text = Nests(f"{seed} {number}").text()
        found = difference(text, tuple(arguments[2:]))
        if found is not None:
            failures += 1
            print(f"==== {seed}/{number}\n{found}\n{text}", flush=True)
        if number % 50 == 49:
            print(f"{number + 1} programs, {failures} differ so far", flush=True)
    print(f"{count} programs, {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
