"""Partial updates on two ways through a program."""

from __future__ import annotations

from pathlib import Path

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest


def test_updates_of_parts_meet(tmp_path: Path) -> None:
    """The parts have bounds that only the run knows. Each way updates another part."""
    source = tmp_path / "unit.c"
    source.write_text(
        """\
void use(int *);
int main(int n, char **words)
{
    int x[100];
    (void)words;
    for (int i = 0; i < 100; i++) x[i] = i;
#pragma omp target data map(to: x)
    {
#pragma omp target
        for (int i = 0; i < n; i++) x[i] += 1;
        if (n > 3) {
#pragma omp target update from(x[0:n])
        } else {
#pragma omp target update from(x[1:n + 2])
        }
        use(x);
    }
    return 0;
}
"""
    )
    assert lower_text(LowerRequest(source, tmp_path, ("-fopenmp",), cc="gcc")).entries
