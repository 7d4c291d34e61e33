"""Builtins of gcc's, and what <cmath> makes of them, only compute: what a loop accesses is known, in C and C++."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from execution import rex_build

pytestmark = pytest.mark.compile
BUILTINS = (
    "__builtin_popcount(i)", "__builtin_clzll(i + 1)", "__builtin_ctz(i + 1)", "__builtin_parityl(i)",
    "__builtin_bswap32(i)", "__builtin_expect(i, 1)", "__builtin_isnan(a[i])", "__builtin_isunordered(a[i], 1.0)",
    "__builtin_fpclassify(0, 1, 4, 3, 2, a[i])",
)  # fmt: skip
OF_CMATH = ("signbit", "isnan", "isinf", "isfinite", "isnormal", "fpclassify")


FUNCTION = """
void fill{number}(const double *a, double *b, int n) {{
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(from: b[0:n])
    for (int i = 0; i < n; ++i) {{
        b[i] = {value};
        for (int k = 0; k < 3; ++k)
            b[i] += a[k];
    }}
}}
"""


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_what_a_loop_accesses_is_known(tmp_path: Path, suffix: str) -> None:
    of_cxx = [*(f"std::{name}(a[i])" for name in OF_CMATH), "std::isgreater(a[i], 1.0)"]
    values = [*BUILTINS, *(of_cxx if suffix == "cpp" else ())]
    source = tmp_path / f"unit.{suffix}"
    text = "".join(FUNCTION.format(number=number, value=value) for number, value in enumerate(values))
    source.write_text(("#include <cmath>\n" if suffix == "cpp" else "") + text)
    outcome = rex_build("explain", "--json", source)
    assert outcome.status == 0, outcome.stderr
    regions = json.loads(outcome.stdout)["regions"]
    made = [{one["name"] for one in region["optimisations"] if one["applied"]} for region in regions]
    assert [value for value, names in zip(values, made, strict=True) if "noalias" not in names] == []
