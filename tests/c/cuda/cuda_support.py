"""Prints every function of a C snippet as CUDA C++, as a device unit that stands alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

from pycparser import c_ast

import rex_build
from rex_build.base.line_directives import resolve_line_markers
from rex_build.c.analysis.devicecode import Collected, collect
from rex_build.c.cuda.declarations import render_types
from rex_build.c.cuda.printer import definition, prototype, render_global, unit_scope
from rex_build.c.cuda.scope import PrintedUnit
from rex_build.c.front_end import parse_unit
from rex_build.c.sema.layout import sema_of
from rex_build.c.source.preprocess import preprocess
from rex_build.c.syntax.nodes import ParsedUnit

INCLUDE = Path(rex_build.__file__).parent / "include"
# What users' own code is at fault for is the host compiler's to say.
PRELUDE = """\
#include "xomp_cuda_lib_inlined.cu"
#ifdef __CUDACC__
#pragma nv_diag_suppress 177, 550
#else
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#endif
"""
CPU = ("-x", "c++", "-std=c++17", "-fopenmp", "-DREX_DEVICE_CPU", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}")
CUDA = ("-std=c++17", "-arch=sm_90", "-Xcompiler", "-Wall,-Wextra", "-Werror", "all-warnings", f"-I{INCLUDE}")


def parse(tmp_path: Path, code: str) -> ParsedUnit:
    source = tmp_path / "unit.c"
    source.write_text(code)
    return parse_unit(preprocess(source, ["-std=gnu11"], "gcc"))


def own_functions(unit: ParsedUnit) -> list[c_ast.FuncDef]:
    """The functions that the snippet itself defines."""
    return [
        node
        for node in unit.ast.ext
        if isinstance(node, c_ast.FuncDef) and not unit.pre.origin_of(node.coord.line)[0].system
    ]


def device_unit(tmp_path: Path, code: str, lines: bool = False, wraps: bool = False) -> tuple[str, Collected]:
    """The device text of a snippet whose functions are all used, and what was collected for it. ``wraps``: -fwrapv."""
    unit = parse(tmp_path, code)
    sema = sema_of(unit)
    roots: list[c_ast.Node] = []
    for funcdef in own_functions(unit):
        sema.analyse(funcdef)
        use = c_ast.ID(funcdef.decl.name, funcdef.coord)
        sema._symbols[use] = sema.file_symbol(funcdef.decl.name)
        sema._types[use] = sema.function_type(funcdef)
        roots.append(use)
    collected = collect(sema, roots, unit)
    used = collected.code
    printer = unit_scope(PrintedUnit(sema, used, unit.span_of, wraps))
    parts = [PRELUDE, *(f"#include <{h}>\n" for h in used.system_headers), render_types(unit, printer, used)]
    parts += [f"{prototype(printer, f)};\n" for f in used.prototypes]
    # Initialisers of variables may name functions.
    functions = [definition(printer, f) for f in used.functions]
    variables = [render_global(printer, s, printer.unit.device_names.symbol(s)) for s in used.globals]
    named = [f"{prototype(printer, f)};\n" for f in used.functions] if variables else []
    text = "".join([*parts, *named, *variables, *functions])
    text = (
        resolve_line_markers(text)
        if lines
        else "".join(line for line in text.splitlines(keepends=True) if not line.startswith("\x01"))
    )
    return text, collected


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)


def gxx(tmp_path: Path, text: str, *flags: str | Path) -> subprocess.CompletedProcess[str]:
    """Compile device text for the host as strictly as the cpu device does."""
    source = tmp_path / "unit.cu"
    source.write_text(text)
    return run("g++", *CPU, *flags, source)
