"""All names that CUDA's headers declare outside of namespaces, in addition to those of C++, may be a program's own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rex_build.base.paths import include_dir
from rex_build.cxx import cuda_names

HEADERS = "".join(f"#include <{name}>\n" for name in ("cmath", "cstdlib", "cstring", "cstdio", "ctime", "complex"))
KINDS = (
    "FUNCTION_DECL", "STRUCT_DECL", "CLASS_DECL", "UNION_DECL", "ENUM_DECL", "ENUM_CONSTANT_DECL", "TYPEDEF_DECL",
    "FUNCTION_TEMPLATE", "CLASS_TEMPLATE", "VAR_DECL",
)  # fmt: skip
OUR_OWN = ("rex_", "REX_", "XOMP_", "omp_", "_", "operator", "(")


def _declared(file: Path) -> set[str]:
    from clang import cindex

    arguments = ["-x", "c++", "-std=c++17", "-fms-extensions", "-D__device_builtin__="]
    queue = list(cindex.Index.create().parse(str(file), args=arguments).cursor.get_children())
    found = set()
    while queue:
        cursor = queue.pop()
        if cursor.kind.name in KINDS:
            found.add(cursor.spelling)
        if cursor.kind.name in ("LINKAGE_SPEC", "UNEXPOSED_DECL"):
            queue += cursor.get_children()
    return found


def _preprocessed(folder: Path, name: str, text: str, *command: str) -> Path:
    source, made = folder / name, folder / f"{name}.ii"
    source.write_text(text)
    subprocess.run([*command, "-std=c++17", "-E", str(source), "-o", str(made)], check=True, capture_output=True)
    return made


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_no_name_is_forgotten(tmp_path: Path) -> None:
    ours = f"-I{include_dir()}"
    library = '#include "xomp_cuda_lib_inlined.cu"\n#include "rex_cxx.h"\n'
    device = _preprocessed(tmp_path, "device.cu", library, "nvcc", f"{ours}/short", ours, "-arch=sm_90")
    names = _declared(device) - _declared(_preprocessed(tmp_path, "host.cpp", HEADERS, "g++"))
    of_cuda = {name for name in names if name and not name.startswith(OUR_OWN)}
    assert len(of_cuda) > 100
    renamed = {line.split()[1] for line in cuda_names.renamed(of_cuda)}
    assert of_cuda - renamed - cuda_names.OF_BOTH - cuda_names.OVERLOADED - cuda_names.OF_KERNELS == set()
