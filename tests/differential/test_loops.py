"""Random loops of four kinds, against the same programs compiled without offloading.

They run over rows in order, over structures and narrow elements, or reduce arrays or narrow elements. ``REX_EXAMPLES``
sets how many programs of each (one where it is not set); ``run_nests.py --of rows``, ``elements`` or ``narrow`` runs
more, outside pytest.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from compare import difference
from elements import Elements
from histograms import Histograms
from narrow import Narrow
from rows import Rows

EXAMPLES = int(os.environ.get("REX_EXAMPLES", "1"))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("kind", "kernels"), [(Rows, 6), (Elements, 8), (Histograms, 16), (Narrow, 16)])
def test_same_on_the_device(kind: type[Rows | Elements | Histograms | Narrow], kernels: int, device: str) -> None:
    for number in range(EXAMPLES):
        text = kind(f"test {number}", kernels).text()
        found = difference(text, device=device)
        assert found is None, f"{found}\n{text}"
