"""What a finding advises, written into the program as it stands there, takes the finding away."""

from __future__ import annotations

from pathlib import Path

import pytest

from rex_build.pipeline import lower_text
from rex_build.request import LowerRequest

_SCALE = """\
#include <stdio.h>
void scale(double *x, int n)
{
#pragma omp target teams distribute parallel for map(to: x[0:n])
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}
int main(void)
{
    double a[100] = {1};
    scale(a, 100);
    printf("%g\\n", a[0]);
}
"""
_ONE_ELEMENT = """\
#include <stdlib.h>
int main(void)
{
    int n = 50;
    double *x = malloc(n * sizeof *x);
#pragma omp target teams distribute parallel for map(tofrom: x[n])
    for (int i = 0; i < n; ++i)
        x[i] = i;
    free(x);
}
"""
_FREED_INSIDE = """\
#include <stdlib.h>
void fill(int n)
{
    int *a = malloc(n * sizeof *a);
#pragma omp target data map(from: a[0:n])
    {
#pragma omp target
        a[0] = 3;
        free(a);
    }
}
"""


@pytest.mark.compile
@pytest.mark.parametrize(
    ("program", "name", "advice", "cured"),
    [
        (_SCALE, "lost-result", "map(tofrom: x[0:n])", ("map(to: x[0:n])", "map(tofrom: x[0:n])")),
        (_ONE_ELEMENT, "bounds", "the first n are x[0:n]", ("x[n]", "x[0:n]")),
        (_ONE_ELEMENT.replace("n = 50", "n = rand()"), "bounds", "x[0:n]", ("x[n]", "x[0:n]")),
        (_FREED_INSIDE, "leak", "behind the statement", ("        free(a);\n    }", "    }\n    free(a);")),
    ],
)
def test_cures(program: str, name: str, advice: str, cured: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "program.c"

    def findings(text: str) -> dict[str, str]:
        file.write_text(text)
        return {f.name: f.advice for f in lower_text(LowerRequest(file, tmp_path, ())).findings}

    assert advice in findings(program)[name]
    assert program.count(cured[0]) == 1
    assert findings(program.replace(*cured)) == {}
