"""Random nests of loops, and regions of one thread, against the same programs compiled without offloading.

Inner loops may be spread over the grid where they are proved independent, and must not be where they are not. The
device runs iterations that share a grid backwards, so that dependences between them show.
``REX_EXAMPLES`` sets how many programs (two where it is not set, with eight kernels each); ``run_nests.py`` runs more,
outside pytest.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from blocks import Blocks
from breaks import Breaks, DressedBreaks
from compare import difference, false_claim
from nests import Nests
from views import Views

EXAMPLES = int(os.environ.get("REX_EXAMPLES", "2"))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("drawn", "suffix"),
    [(Nests, ".c"), (Blocks, ".c"), (Blocks, ".cpp"), (Breaks, ".c"), (DressedBreaks, ".cpp"), (Views, ".cpp")],
)
def test_same_on_the_device(drawn: type[Nests | Blocks | Breaks | Views], suffix: str) -> None:
    for number in range(EXAMPLES):
        text = drawn(f"test {number}").text()
        found = difference(text, suffix=suffix)
        assert found is None, f"{found}\n{text}"


@pytest.mark.compile
@pytest.mark.parametrize("drawn", [Breaks, DressedBreaks])
def test_claims_are_true(drawn: type[Breaks]) -> None:
    text = drawn("claims", 8).text()
    found, verified = false_claim(text, getattr(drawn, "suffix", ".c"))
    assert found is None, f"{found}\n{text}"
    assert verified["memory apart"] > 0
