"""Random changes of headers, links, flags, environment and compilers: a hit is what an uncached run makes.

``REX_BUILD_MUTATIONS=20`` runs as many times more steps, from other seeds; ``REX_BUILD_MUTATION_SEED`` is the first.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from mutations import compare

TIMES = int(os.environ.get("REX_BUILD_MUTATIONS", "1"))
FIRST = int(os.environ.get("REX_BUILD_MUTATION_SEED", "1"))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("kind", "steps"), [("text", 60), ("whole", 15), ("image", 30), ("object", 15)])
def test_hits_are_what_an_uncached_run_makes(tmp_path: Path, kind: str, steps: int) -> None:
    total: Counter[str] = Counter()
    for seed in range(FIRST, FIRST + TIMES):
        total += compare(tmp_path / str(seed), seed, steps, kind)
    hits = sum(count for name, count in total.items() if "hit" in name)
    print(f"{kind}: seeds {FIRST} to {seed}, {total['comparisons']} comparisons, {hits} hits, {dict(total)}")
    assert total["comparisons"] == steps * TIMES
    assert hits > steps * TIMES / 20
