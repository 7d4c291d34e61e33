"""Flags from a build system, and the command line that CMake makes from the same properties."""

from __future__ import annotations

from pathlib import Path

import pytest

from rex_build.base.diagnostics import UsageError
from rex_build.base.parameters import read_params

CASES = {
    "definitions are verbatim": (
        'D A\nD S="a b;c"\nD E=\nD P=f(a,b)\n',
        ["-DA", '-DS="a b;c"', "-DE=", "-DP=f(a,b)"],
    ),
    "definitions that CMake drops": ("D F(a,b)=(a+b)\nD G(x)\nD H=a#b\nO -DI(x)=x\n", ["-DI(x)=x"]),
    "implicit directories go": ("I /a b\nI /usr/include\nX /usr/include\n", ["-I/a b"]),
    "repeats go": ("I /a\nI /b\nI /a\nD X\nD X\n", ["-DX", "-I/a", "-I/b"]),
    "options": (
        "O -Wall\nO SHELL:-include 'x y.h'\nO SHELL:-include z.h\nO -Wall\n",
        ["-Wall", "-include", "x y.h", "-include", "z.h"],
    ),
    "flags are split": ("C -O3 -DNDEBUG -DQ='a b'\nC \n", ["-O3", "-DNDEBUG", "-DQ=a b"]),
    "no standard": ("std \nstddefault 17\next \n", []),
    "standard": ("std 11\nstddefault 17\next ON\n", ["-std=gnu11"]),
    "no extensions": ("std 99\nstddefault 17\next OFF\n", ["-std=c99"]),
    "feature below the default": ("std \nF c_std_99\nstddefault 17\next \n", []),
    "feature above the default": ("std \nF c_std_23\nF c_std_99\nstddefault 17\next \n", ["-std=gnu23"]),
    "feature raises the standard": ("std 99\nF c_std_11\nF c_restrict\nstddefault 17\next \n", ["-std=gnu11"]),
    "default without extensions": ("std \nstddefault 17\next OFF\n", ["-std=c17"]),
    "precompiled headers": (
        'P <stdio.h>\nP "x.h"\nP /a/y.h\n',
        ["-include", "stdio.h", "-include", "x.h", "-include", "/a/y.h"],
    ),
    "order": (
        "O -w\nI /i\nD D\nC -O2\nstd 11\nstddefault 17\next ON\n",
        ["-DD", "-I/i", "-O2", "-std=gnu11", "-w"],
    ),
}


@pytest.mark.parametrize(("text", "flags"), CASES.values(), ids=CASES)
def test_params(tmp_path: Path, text: str, flags: list[str]) -> None:
    (tmp_path / "p").write_text(text)
    assert list(read_params([tmp_path / "p"])) == flags


def test_several_files_add_up(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("D A\nI /a\nstd 11\n")
    (tmp_path / "source").write_text("D B\n")
    assert read_params([tmp_path / "target", tmp_path / "source"]) == ("-DA", "-DB", "-I/a", "-std=gnu11")


@pytest.mark.parametrize(
    ("text", "message"), [("Z x\n", "p:1: expected one of"), ("\n", "p:1:"), ("std 12\n", "unknown C standard '12'")]
)
def test_wrong_lines(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "p").write_text(text)
    with pytest.raises(UsageError, match=message):
        read_params([tmp_path / "p"])


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        read_params([tmp_path / "nowhere"])
