"""Programs of csmith as device functions: the checksum of everything they leave behind is that of plain C."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from csmith import SMALL, difference, generate, is_installed

SEEDS = (20, 22, 23, 24, 26)  # one of each variant

pytestmark = [
    pytest.mark.compile,
    pytest.mark.skipif(not is_installed(), reason="csmith and its headers (libcsmith-dev) are not installed"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_same_checksum_on_the_device(seed: int, tmp_path: Path) -> None:
    found = generate(seed, tmp_path, SMALL)
    assert found is not None, "the seed's program does not end or is not defined: choose another"
    problem = difference(*found, tmp_path)
    if problem:
        pytest.fail(problem, pytrace=False)
