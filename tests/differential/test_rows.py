"""Random loops over rows in order, against the same programs compiled without offloading.

``REX_EXAMPLES`` sets how many programs (one where it is not set, with six kernels); ``run_nests.py --of rows`` runs
more, outside pytest.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from compare import difference
from rows import Rows

EXAMPLES = int(os.environ.get("REX_EXAMPLES", "1"))


def test_same_on_the_device(device: str) -> None:
    for number in range(EXAMPLES):
        text = Rows(f"test {number}", 6).text()
        found = difference(text, device=device)
        assert found is None, f"{found}\n{text}"
