"""Functions of the OpenMP runtime that the host compiler's omp.h lacks, or that need other arguments than gcc's."""

from __future__ import annotations

from pycparser import c_ast

from ...base.names import identifiers
from ...base.paths import INITIAL_DEVICE_HEADER, INTEROP_HEADER
from ...base.spans import Replacement
from ...openmp.requirements import shares_memory
from ..sema import Sema, walk
from ..source.library_functions import NEWER, OF_TEAMS, WITH_DEPEND_OBJECTS, WITH_SHARED_MEMORY, WITH_STRINGS
from ..syntax.nodes import ParsedUnit


def declare_missing(unit: ParsedUnit, sema: Sema) -> tuple[str, ...]:
    """Declare the functions that the unit mentions and its omp.h lacks. Returns declarations for the host compiler."""
    words = identifiers(unit.pre.text)
    missing = [p for name, p in NEWER.items() if name in words and sema.file_symbol(name) is None]
    for declaration in missing:
        sema.declare(declaration)
    headers = [f'#include "{INTEROP_HEADER}"' for name in unit.pre.includes if name.endswith(f"/{INTEROP_HEADER}")]
    its_own = NEWER["omp_initial_device"] not in missing  # omp.h has the name, and mentions it once
    macros = [f'#include "{INITIAL_DEVICE_HEADER}"'] if unit.pre.text.count("omp_initial_device") > its_own else []
    # One mention is the declaration in omp.h, which then declares the other function.
    asked = [n for n in OF_TEAMS if unit.pre.text.count(n) > 1 and n not in sema.functions]
    macros += [f"#define {name} {OF_TEAMS[name]}" for name in asked]
    return (*headers, *(f"{declaration};" for declaration in missing), *macros)


def renamed_functions(unit: ParsedUnit) -> list[Replacement]:
    """The names that stand in the host file for functions that do not take what the host compiler passes, or do not
    answer for the unit's requirements."""
    renamed = {**WITH_DEPEND_OBJECTS, **WITH_STRINGS}
    if shares_memory(unit.requirements):
        renamed |= WITH_SHARED_MEMORY
    if not any(name in unit.pre.text for name in renamed):
        return []
    found = []
    for function in unit.ast.ext:
        if isinstance(function, c_ast.FuncDef):
            for node in walk(function.body):
                if isinstance(node, c_ast.ID) and node.name in renamed:
                    start = unit.offset_of(node)
                    found.append(Replacement(start, start + len(node.name), renamed[node.name]))
    return found
