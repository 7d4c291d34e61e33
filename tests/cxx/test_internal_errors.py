"""A mistake of ours in the warnings takes nothing but the warnings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from execution import UNCACHED

PROGRAM = "int main()\n{\n    int x = 0;\n#pragma omp target map(tofrom: x)\n    x = 1;\n    return x != 1;\n}\n"
LARGE = """#include "library.h"
template <class T> T sum(const T *p, int n)
{
    T all = 0;
    const T *q = p;
#pragma omp target teams distribute parallel for map(to: q[0:n]) map(tofrom: all)
    for (int i = 0; i < n; ++i)
        all += q[i];
    return all;
}
int main()
{
    double x[3] = {1, 2, 3};
    return sum(x, 3) + total0() < 0;
}
"""
FAULTY = """
import sys
import {module} as module
from rex_build.base.diagnostics import InputError, InternalError, ToolError
def broken(*_):
    raise {error}("something\\nlong")
module.findings_of = broken
from rex_build.cli.main import main
sys.exit(main({arguments}))
"""


@pytest.mark.parametrize("error", ["KeyError", "InternalError", "InputError", "ToolError", "RecursionError"])
@pytest.mark.parametrize(("name", "module"), [("a.c", "rex_build.c.findings"), ("a.cpp", "rex_build.cxx.findings")])
def test_the_unit_is_lowered_all_the_same(name: str, module: str, error: str, tmp_path: Path) -> None:
    source = tmp_path / name
    source.write_text(PROGRAM)
    arguments = ["lower", str(source), "--out-dir", str(tmp_path / "out")]
    text = FAULTY.format(module=module, arguments=arguments, error=error)
    env = {**os.environ, **UNCACHED}
    env.pop("REX_BUILD_TRACEBACK", None)
    done = subprocess.run([sys.executable, "-c", text], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(f"internal error in the search for mistakes: {error}: ") == 1
    assert len(list((tmp_path / "out").glob("rex_lib_a.cu"))) == 1


def test_functions_of_a_large_header_do_not_hide_those_with_regions(tmp_path: Path) -> None:
    """The warnings look at so much text, first of all at functions with regions and those that call them."""
    body = f"int sum = 0; {'sum += 1; ' * 9} return sum;"
    library = "".join(f"inline int total{n}() {{ {body} }}\n" for n in range(1800))
    (tmp_path / "library.h").write_text(library)
    source = tmp_path / "large.cpp"
    source.write_text(LARGE)
    command = [sys.executable, "-m", "rex_build", "lower", str(source), "--out-dir", str(tmp_path / "out")]
    env = {**os.environ, **UNCACHED}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "large.cpp:8:9: warning: all threads" in done.stderr
    assert "internal error" not in done.stderr
