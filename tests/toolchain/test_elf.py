"""The ELF reader, on files that gcc and nvcc make."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rex_build.base.elf import ElfError, read_elf
from rex_build.tools.backends import identify

pytestmark = pytest.mark.compile


def test_shared_library(tmp_path: Path) -> None:
    source = 'int puts(const char *); int f(void) { return puts(""); }'
    source += "int v[4]; static int own; int *g(void) { return &own; }"
    path = tmp_path / "libx.so"
    command = ["gcc", "-shared", "-fPIC", "-xc", "-", "-Wl,-soname,libx.so.7", "-o", path]
    subprocess.run(command, input=source, text=True, check=True)
    elf = read_elf(path)
    assert (identify(elf), elf.soname) == ("cpu", "libx.so.7")
    assert {"f", "g", "v"} <= elf.defined.keys()
    assert elf.defined["v"] == 16
    assert not {"puts", "own"} & elf.defined.keys()
    assert "puts" in elf.undefined
    assert not {"f", "g", "v", "own"} & elf.undefined
    assert any(name.startswith("libc.so") for name in elf.needed)


@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not here")
@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_cubin(tmp_path: Path, arch: str) -> None:
    (tmp_path / "k.cu").write_text('extern "C" { __device__ int *v; __global__ void k() { v = (int *)malloc(4); } }\n')
    subprocess.run(["nvcc", "-c", "-cubin", f"-arch={arch}", "k.cu", "-o", "k.cubin"], cwd=tmp_path, check=True)
    elf = read_elf(tmp_path / "k.cubin")
    assert identify(elf) == arch
    assert {"k", "v"} <= elf.defined.keys()
    assert "malloc" in elf.undefined


DAMAGED = [b"", b"\x7fELF", b"\x7fELF\x01\x01" + bytes(60), b"text", b"\x7fELF\x02\x01" + b"\xff" * 80]


@pytest.mark.parametrize("data", DAMAGED, ids=range(len(DAMAGED)))
def test_damaged_files(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(ElfError):
        read_elf(tmp_path / "x")
