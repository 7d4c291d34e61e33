"""C printed as CUDA C++ compiles without warnings for both devices, and computes what the C computes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from cuda_support import CUDA, PRELUDE, device_unit, gxx, run

from rex_build.analysis.devicecode import DeviceCode

UNITS = Path(__file__).parent / "units"
NAMES = ("language", "dialect", "checksums")
MAIN = """
#include <stdio.h>
int main(void)
{{
    for (int k = 0; k < 7; ++k) {{
{calls}    }}
    return 0;
}}
"""


def unit_text(name: str, tmp_path: Path) -> tuple[str, DeviceCode]:
    return device_unit(tmp_path, (UNITS / f"{name}.c").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_compiles_for_the_cpu(name: str, tmp_path: Path) -> None:
    text, code = unit_text(name, tmp_path)
    assert code.undefined == []
    done = gxx(tmp_path, text, "-fsyntax-only")
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_compiles_for_cuda(tmp_path: Path) -> None:
    for name in NAMES:
        text, code = unit_text(name, tmp_path)
        # Taking its address makes nvcc compile a function.
        used = "".join(f"    out[{i}] = (void *){_name(text, f.decl.name)};\n" for i, f in enumerate(code.functions))
        source = tmp_path / f"{name}.cu"
        source.write_text(f'{text}extern "C" __global__ void use(void **out)\n{{\n{used}}}\n')
        done = run("nvcc", *CUDA, "-cubin", source, "-o", tmp_path / f"{name}.cubin")
        assert done.returncode == 0, done.stderr + done.stdout


def _name(text: str, name: str) -> str:
    return f"{name}__c" if f"{name}__c(" in text else name


def test_computes_what_the_c_computes(tmp_path: Path) -> None:
    source = UNITS / "checksums.c"
    tests = re.findall(r"\blong (test_\w+)\(", source.read_text())
    calls = "".join(f'        printf("{t} %d %ld\\n", k, {t}(k));\n' for t in tests)
    main = MAIN.format(calls=calls)
    (tmp_path / "c.c").write_text(source.read_text() + main)
    done = run("gcc", "-std=gnu11", "-w", "-O1", tmp_path / "c.c", "-o", tmp_path / "c", "-lm")
    assert done.returncode == 0, done.stderr
    text, _ = unit_text("checksums", tmp_path)
    done = gxx(tmp_path, text + main, "-O1", "-o", tmp_path / "cxx")
    assert done.returncode == 0, done.stderr
    expected, found = run(tmp_path / "c").stdout.splitlines(), run(tmp_path / "cxx").stdout.splitlines()
    assert len(expected) == 7 * len(tests)
    assert found == expected


def printed(tmp_path: Path, code: str) -> str:
    """The printed unit without the prelude."""
    return device_unit(tmp_path, code)[0].removeprefix(PRELUDE)
