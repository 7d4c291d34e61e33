"""Lowering of short texts, and C read back."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from execution import rex_build
from pycparser import c_ast

from rex_build.base.paths import include_dir
from rex_build.c.front_end import parse_unit
from rex_build.c.source.preprocess import read_preprocessed


def lower(folder: Path, text: str, *flags: str, name: str = "unit.c") -> Path:
    """Lower ``text`` as ``folder/name``, and return the output folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    done = rex_build("lower", name, "--out-dir", "out", "--", *flags, cwd=folder)
    assert done.status == 0, done.stderr
    return folder / "out"


def compile_host(host: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """What gcc says about a host file."""
    command = ["gcc", "-fopenmp", "-c", "-o", host.with_suffix(".o"), f"-I{include_dir()}", *flags, host.name]
    return subprocess.run(command, cwd=host.parent, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})


def read_back(host: Path) -> c_ast.FileAST:
    """The tree of a host file."""
    command = ["gcc", "-E", "-P", "-fopenmp", f"-I{include_dir()}", str(host)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    text = re.sub(r"^#pragma.*$", "", text, flags=re.MULTILINE)
    return parse_unit(read_preprocessed(text, host.name)).ast


def calls(tree: c_ast.Node, name: str) -> Iterator[c_ast.FuncCall]:
    """Calls of a function, in source order."""
    for _, child in tree.children():
        if isinstance(child, c_ast.FuncCall) and isinstance(child.name, c_ast.ID) and child.name.name == name:
            yield child
        yield from calls(child, name)


def declarations(tree: c_ast.Node, name: str) -> Iterator[c_ast.Decl]:
    for _, child in tree.children():
        if isinstance(child, c_ast.Decl) and child.name == name:
            yield child
        yield from declarations(child, name)


def map_flags(row: c_ast.Node) -> int:
    """The value of a row of ``__arg_types``."""
    if isinstance(row, c_ast.Constant):
        return int(row.value, 0)
    if isinstance(row, c_ast.Cast):
        return map_flags(row.expr)
    assert isinstance(row, c_ast.BinaryOp), row
    left, right = map_flags(row.left), map_flags(row.right)
    return left << right if row.op == "<<" else left | right


def parameters(cu: str, kernel: str) -> list[str]:
    """The parameters of a kernel in a generated CUDA file."""
    match = re.search(rf"\n{kernel}\((.*?)\)\s*\n?\{{", cu, re.DOTALL)
    assert match is not None, kernel
    return [p.strip() for p in match[1].split(",")]
