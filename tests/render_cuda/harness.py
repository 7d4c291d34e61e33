"""Prints every function of a C snippet as CUDA C++, as a device unit that stands alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

from pycparser import c_ast

from rex_build.analysis.devicecode import DeviceCode, collect
from rex_build.cparse import ParsedUnit, parse_unit
from rex_build.preprocess import preprocess
from rex_build.render.cuda_c import CudaPrinter, render_global, render_types
from rex_build.render.lines import resolve_line_markers
from rex_build.sema import Sema

# What the shipped device library gives the generated code, as far as these tests need it.
PRELUDE = """\
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#ifdef __CUDACC__
#pragma nv_diag_suppress 177, 550
#define abort() __trap()
#else
#define __device__
#define __global__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#endif
"""


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


def device_unit(tmp_path: Path, code: str, lines: bool = False) -> tuple[str, DeviceCode]:
    """The device text of a snippet whose functions are all used, and what was collected for it."""
    unit = parse(tmp_path, code)
    sema = Sema(unit.ast, unit.span_of)
    roots: list[c_ast.Node] = []
    for funcdef in own_functions(unit):
        sema.analyse(funcdef)
        use = c_ast.ID(funcdef.decl.name, funcdef.coord)
        sema._symbols[use] = sema.file_symbol(funcdef.decl.name)
        sema._types[use] = sema.function_type(funcdef)
        roots.append(use)
    collected = collect(sema, roots, unit)
    printer = CudaPrinter(sema, locate=unit.span_of)
    parts = [PRELUDE, *(f"#include <{h}>\n" for h in collected.system_headers), render_types(collected)]
    parts += [f"{printer.prototype(f)};\n" for f in collected.prototypes]
    # Initialisers of variables may name functions.
    functions = [printer.function(f) for f in collected.functions]
    variables = [render_global(printer, s, printer.device_names.symbol(s)) for s in collected.globals]
    named = [f"{printer.prototype(f)};\n" for f in collected.functions] if variables else []
    text = "".join([*parts, *named, *variables, *functions])
    text = resolve_line_markers(text) if lines else "".join(
        line for line in text.splitlines(keepends=True) if not line.startswith("\x01")
    )
    return text, collected


def gxx(tmp_path: Path, text: str, *flags: str) -> subprocess.CompletedProcess[str]:
    """Compile device text for the host as strictly as the cpu device does."""
    source = tmp_path / "unit.cu"
    source.write_text(text)
    command = ["g++", "-x", "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", *flags]
    return subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
