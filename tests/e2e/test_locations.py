"""libomptarget's messages name the user's directives and variables, with every release of it that is here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from execution import rex_build

from rex_build.tools.runtimes import find_runtimes

pytestmark = pytest.mark.compile

ROOTS = [runtime.omptarget.parents[1] for runtime in find_runtimes()]

_HEADER = """\
static inline void from_a_header(double *x)
{
#pragma omp target map(tofrom: x[0:4])
    x[1] = 2;
}
"""
_SOURCE = """\
#include <stdio.h>
#include <stdlib.h>
#include "part.h"
struct grid { int n; double *v; };
static double x[100], factor = 3;
static void failing(int which)
{
    if (which == 1) {
#pragma omp target enter data map(to: x[0:10])
#pragma omp target enter data map(to: x[5:10])
    }
    if (which == 2) {
#pragma omp target data map(present, to: x[20:10])
        ;
    }
    if (which == 3)
#pragma omp target update to(present: x[30:10])
    if (which == 4)
    #pragma omp target map(present, alloc: x[40:10])
        ;
    if (which == 5)
#pragma omp target exit data map(present, from: x[50:10])
    ;
}
int main(int count, char **arguments)
{
    struct grid g = {8, calloc(8, sizeof(double))};
    from_a_header(x);
#pragma omp target data map(to: g) map(tofrom: g.v[0:g.n])
    {
    #pragma omp target firstprivate(factor)
        g.v[0] = factor;
#pragma omp target update from(g.v[1:4])
    }
#pragma omp target enter data map(to: x[50:20])
#pragma omp target exit data map(delete: x[50:20])
#line 500 "odd;name.y"
#pragma omp target map(iterator(k=0:2), tofrom: x[k*4:2])
    x[0] = 1;
    printf("%g\\n", g.v[0]);
    if (count > 1)
        failing(atoi(arguments[1]));
    return 0;
}
"""


def built(folder: Path, root: Path, device: str = "cpu") -> Path:
    (folder / "part.h").write_text(_HEADER)
    (folder / "main.c").write_text(_SOURCE)
    done = rex_build("cc", "--device", device, "--llvm-root", root, "-o", "program", "main.c", cwd=folder)
    assert done.status == 0, done.stderr
    return folder / "program"


@pytest.fixture(scope="module", params=ROOTS, ids=[root.name for root in ROOTS])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp(request.param.name), request.param)


def said(program: Path, *arguments: str, **environment: str) -> str:
    variables = {key: value for key, value in os.environ.items() if not key.startswith(("OMP_", "LIBOMPTARGET_"))}
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env=variables | environment)
    return done.stderr


def test_every_call_names_its_directive_and_its_variables(program: Path) -> None:
    text = said(program, LIBOMPTARGET_INFO="-1")
    head, row = (
        r"(kernel|data region)(?: with \w+_mapper)? at (\S+?):\d+ with \d+ arguments: ?\n",
        r".*\(.*\)\[\d+\].*\n",
    )
    entered = re.findall(f"{head}((?:{row})+)", text)
    found = [(place, what, re.findall(r"(\w+)\((.*)\)\[", rows)) for what, place, rows in entered]
    assert [each for each in found if "register" not in each[0]] == [
        ("part.h:3", "kernel", [("tofrom", "x[0:4]")]),
        ("main.c:29", "data region", [("alloc", "g"), ("to", "g"), ("tofrom", "g.v[0:g.n]")]),
        ("main.c:31", "kernel", [("tofrom", "g"), ("firstprivate", "factor")]),
        ("main.c:33", "data region", [("from", "g.v[1:4]")]),
        ("main.c:29", "data region", [("alloc", "g"), ("to", "g"), ("tofrom", "g.v[0:g.n]")]),
        ("main.c:35", "data region", [("to", "x[50:20]")]),
        ("main.c:36", "data region", [("alloc", "x[50:20]")]),
        ("odd,name.y:500", "kernel", [("alloc", "x"), *2 * [("tofrom", "x[k * 4:2]")]]),
    ]
    assert "at unknown:0:0" not in text
    assert re.search(r"g\.v\[0:g\.n\] at main\.c:29:", text), "the table of mappings says where an entry comes from"


@pytest.mark.parametrize(
    ("which", "place"),
    [(1, "main.c:10:13"), (2, "main.c:13:13"), (3, "main.c:17:13"), (4, "main.c:19:17"), (5, "main.c:22:13")],
)
def test_errors_name_the_directive(program: Path, which: int, place: str) -> None:
    assert re.search(rf"^{place}: .*fatal error", said(program, str(which)), re.MULTILINE)


@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not here")
@pytest.mark.skipif(Path("/dev/nvidiactl").exists(), reason="here is a GPU")
def test_mandatory_offload_without_a_device_names_the_directive(tmp_path: Path) -> None:
    text = said(built(tmp_path, ROOTS[0], "cuda"), OMP_TARGET_OFFLOAD="MANDATORY")
    assert re.search(r"^part\.h:3:13: .*fatal error", text, re.MULTILINE)


def test_profiles_name_functions(program: Path, tmp_path: Path) -> None:
    said(program, LIBOMPTARGET_PROFILE=str(tmp_path / "profile"), LIBOMPTARGET_PROFILE_GRANULARITY="0")
    text = (tmp_path / "profile").read_text()
    assert "part.h;from_a_header;3;" in text
    assert "main.c;main;31;" in text
