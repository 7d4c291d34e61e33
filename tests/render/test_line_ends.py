"""Lines end where gcc says that they end: at a line feed, a carriage return, or both together."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

from rex_build.base.diagnostics import source_lines
from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_PROGRAM = """\
/* two
   lines */
int sum(int n, const int *x)
{
    int s = 0;
#pragma omp target map(to: x[0:n]) \\
                   map(tofrom: s)
    {
        /* a comment
           in the body */
        for (int i = 0; i < n; i++)
            s += x[i];
    }
    return s;
}
"""


@pytest.mark.parametrize("ends", [("\r",), ("\r\n",), ("\n", "\r"), ("\r", "\r\n", "\n", "\n")])
def test_line_ends(ends: tuple[str, ...], tmp_path: Path) -> None:
    source = tmp_path / "sum.c"
    texts = []
    for each in (("\n",), ends):
        lines = _PROGRAM.splitlines()
        source.write_bytes("".join(line + end for line, end in zip(lines, cycle(each), strict=False)).encode())
        lowered = lower_text(LowerRequest(source, tmp_path, ("-fopenmp",), cc="gcc"))
        texts.append((lowered.host, lowered.device))
        source_lines.cache_clear()
    assert texts[0] == texts[1]

