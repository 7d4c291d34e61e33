"""Links with the runtime read no library of LLVM's but those that programs use, and hide nothing that is undefined."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from build_tool import MAIN_C, SCALE_C, SCALE_H, Tool, needed
from cmake_project import ADD, LISTS, built, write

from rex_build.tools.built_library import link_library
from rex_build.tools.runtimes import Runtime, find_runtimes

pytestmark = pytest.mark.compile

RUNTIMES = find_runtimes()
LINKERS = [name for name in ("bfd", "gold", "lld", "mold") if shutil.which(f"ld.{name}")]


@pytest.mark.parametrize("runtime", RUNTIMES, ids=[runtime.name for runtime in RUNTIMES])
def test_same_functions_under_the_same_name(tmp_path: Path, runtime: Runtime) -> None:
    library = runtime.omptarget
    made = link_library(library, tmp_path / "made.so")
    assert made == tmp_path / "made.so"

    def functions(path: Path) -> list[str]:
        command = ["nm", "-D", "--defined-only", "--with-symbol-versions", str(path)]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return sorted(" ".join(row.split()[1:]) for row in said.splitlines() if row.split()[1] in "TW")

    assert functions(made) == functions(library) != []
    names = [re.findall(r"soname: \[(.*)\]", needed(path)) for path in (made, library)]
    assert names[0] == names[1] != []
    assert "NEEDED" not in needed(made)


def test_an_nm_that_finds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then programs are linked with the real library: one without functions would be kept for all later links."""
    nm = tmp_path / "nm"
    nm.write_text("#!/bin/sh\n")
    nm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    library = RUNTIMES[0].omptarget
    assert link_library(library, tmp_path / "kept.so") == library
    assert not (tmp_path / "kept.so").exists()


@pytest.mark.parametrize("linker", LINKERS)
def test_what_a_link_reads(cc: Tool, tmp_path: Path, linker: str) -> None:
    for name, text in (("main.c", MAIN_C), ("scale.c", SCALE_C), ("scale.h", SCALE_H)):
        (tmp_path / name).write_text(text)
    options = ["-Wl,--trace", f"-fuse-ld={linker}"]
    output = cc.run("rex-gcc", "main.c", "scale.c", "-o", "app", *options, cwd=tmp_path)
    assert "LLVM" not in output.upper().replace("/USR/LIB/LLVM-", "")
    assert cc.run(tmp_path / "app") == "2\n"
    assert "libomptarget.so" in needed(tmp_path / "app")
    # A library of the user's needs another one that nobody has.
    (tmp_path / "lacks.c").write_text("int nobody(void);\nint lacks(void) { return nobody(); }\n")
    cc.run("gcc", "-shared", "-fPIC", "lacks.c", "-o", "liblacks.so", cwd=tmp_path)
    (tmp_path / "uses.c").write_text("int lacks(void);\nint uses(void) { return lacks(); }\n")
    command = ["rex-gcc", "main.c", "scale.c", "uses.c", "./liblacks.so", "-o", "other", f"-fuse-ld={linker}"]
    done = subprocess.run(command, cwd=tmp_path, env=cc.env, capture_output=True, text=True)
    command = ["gcc", "uses.c", "./liblacks.so", "-Wl,-e,uses", "-nostartfiles", "-o", "plain", f"-fuse-ld={linker}"]
    plain = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode != 0) == (plain.returncode != 0)
    assert ("nobody" in done.stderr) == ("nobody" in plain.stderr)


@pytest.mark.cmake
def test_what_a_link_of_cmake_reads(tool: Tool, project: Path, tmp_path: Path) -> None:
    write(project, LISTS + "target_link_options(app PRIVATE -Wl,--trace)\n" + ADD.format(more=""))
    output = built(tool, project, tmp_path / "b", "-G", "Ninja")
    assert "rex-build/libomptarget.stub" in output
    assert "libLLVM" not in output
    assert tool.run(tmp_path / "b" / "app") == "2\n"
