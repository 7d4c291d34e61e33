"""A mistake of ours in the warnings takes nothing but the warnings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from execution import UNCACHED

PROGRAM = "int main()\n{\n    int x = 0;\n#pragma omp target map(tofrom: x)\n    x = 1;\n    return x != 1;\n}\n"
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
