"""What host code around regions is made of is its compiler's business: whatever gcc takes can be lowered, and gcc takes
what comes out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from execution import TESTS, rex_build, run

from rex_build.base.paths import include_dir

FILES = sorted((TESTS / "host_text").glob("*.c"))


@pytest.mark.compile
@pytest.mark.parametrize("source", FILES, ids=[path.stem for path in FILES])
def test_host_text(source: Path, tmp_path: Path) -> None:
    """The files may say on a line of their own which flags they need: ``// cflags: ...``."""
    lines = source.read_text().splitlines()
    flags = next((line.split()[2:] for line in lines if line.startswith("// cflags:")), [])
    check = ["gcc", "-w", "-fopenmp", *flags]
    assert run([*check, "-fsyntax-only", source], 100).status == 0
    lowered = rex_build("lower", source, "--out-dir", tmp_path, "--", "-fopenmp", *flags)
    assert lowered.status == 0, lowered.stderr
    # That a directive may not stand where it stands gcc sees only when it compiles.
    command = [*check, f"-I{include_dir()}", "-c", tmp_path / f"rose_{source.name}", "-o", os.devnull]
    host = run(command, 100)
    assert host.status == 0, host.stderr
    assert "__global__" in (tmp_path / f"rex_lib_{source.stem}.cu").read_text()


@pytest.mark.compile
def test_definitions_in_replaced_lines_stay_and_the_compilers_own_do_not_come(tmp_path: Path) -> None:
    source = TESTS / "programs/header_regions.c"
    lowered = rex_build("lower", source, "--out-dir", tmp_path, "--", "-fopenmp", f"-I{source.parent}")
    assert lowered.status == 0, lowered.stderr
    assert "#define __" not in (tmp_path / "rose_header_regions.c").read_text().replace("#define __REX", "")
