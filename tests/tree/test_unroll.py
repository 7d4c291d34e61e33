"""Which loops are unrolled, so that arrays of a thread's own lie in registers."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from reading_c import read

from rex_build.optimise.unroll import unrolled

ALL = "for (int k = 0; k < 4; k++) v[k] = x[k];"


def number(tmp_path: Path, text: str) -> int:
    body = read(tmp_path, f"void use(double *); void f(double *x, int n) {{ double v[4], w[9]; {text} }}")["f"]
    return len(unrolled([body.statement]))


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        (ALL, 1),
        ("for (int k = 3; k >= 0; k--) v[k] = x[k];", 1),
        ("int k; for (k = 0; k != 4; k += 2) v[k] = v[k + 1] = x[k];", 1),
        ("for (unsigned char k = 4; k; k--) v[k - 1] = 0;", 0),
        ("for (int i = 0; i < 3; i++) for (int k = 0; k < 3; k++) w[i * 3 + k] = x[i] * x[k];", 2),
        ("for (int i = 0; i < n; i++) for (int k = 0; k < 3; k++) w[k] += x[i];", 1),
        (f"for (int i = 0; i < n; i++) {{ {ALL} }}", 1),
        (f"{ALL} x[0] = v[n];", 0),  # a subscript that is not constant
        (f"{ALL} for (int i = 0; i < n; i++) x[i] = v[i];", 0),
        (f"{ALL} use(v);", 0),  # its address is used
        ("for (int k = 0; k < 4; k++) { v[k] = x[k]; if (x[k]) k++; }", 0),
        ("for (int k = 0; k < n; k++) v[k] = x[k];", 0),
        ("for (unsigned char k = 0; k < 300; k++) v[k & 3] = 0;", 0),  # it never ends
        ("double large[100]; for (int k = 0; k < 4; k++) large[k] = x[k];", 0),
        ("for (int k = 0; k < 4; k++) x[k] = 0;", 0),  # not the thread's own
        ("struct s { int n; double v[4]; } s; for (int k = 0; k < 4; k++) s.v[k] = x[k]; x[0] = s.n;", 1),
    ],
)
def test_which_loops_are_unrolled(tmp_path: Path, text: str, loops: int) -> None:
    assert number(tmp_path, text) == loops


def test_the_code_stays_small(tmp_path: Path) -> None:
    nest = "".join(f"for (int i{n} = 0; i{n} < 8; i{n}++) " for n in range(5))
    assert number(tmp_path, f"{nest} v[i0 & 3] += x[i1] * x[i2] + x[i3] * x[i4];") < 5
