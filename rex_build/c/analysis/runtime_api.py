"""Functions of the OpenMP runtime that the host compiler's omp.h lacks, or that need other arguments than gcc's."""

from __future__ import annotations

from pycparser import c_ast

from ...base.names import identifiers
from ...base.paths import INITIAL_DEVICE_HEADER, INTEROP_HEADER
from ...base.spans import Replacement
from ..sema import Sema, walk
from ..syntax.nodes import ParsedUnit

# The functions that LLVM 19 to 22 export, with types that need no header. An omp_depend_t is passed by its address.
_DEVICES = "rex_size, rex_size, int, int"
_NEWER = {
    "omp_control_tool": (
        "enum { omp_control_tool_start = 1, omp_control_tool_pause, omp_control_tool_flush, omp_control_tool_end }; "
        "int omp_control_tool(int, int, void *)"
    ),
    "omp_initial_device": "enum { omp_initial_device = -1 }",
    "omp_invalid_device": "enum { omp_invalid_device = -2 }",
    "omp_in_explicit_task": "int omp_in_explicit_task(void)",
    "omp_get_mapped_ptr": "void *omp_get_mapped_ptr(const void *, int)",
    "omp_target_is_accessible": "int omp_target_is_accessible(const void *, rex_size, int)",
    "omp_target_memcpy_async": f"int omp_target_memcpy_async(void *, const void *, rex_size, {_DEVICES}, int, void *)",
    "omp_target_memcpy_rect_async": (
        "int omp_target_memcpy_rect_async(void *, const void *, rex_size, int, const rex_size *, const rex_size *, "
        "const rex_size *, const rex_size *, const rex_size *, int, int, int, void *)"
    ),
    "omp_target_memset": "void *omp_target_memset(void *, int, rex_size, int)",
    "omp_target_memset_async": "void *omp_target_memset_async(void *, int, rex_size, int, int, void *)",
}


# LLVM's functions know the teams of host constructs, but not those that rex_kmp.h makes for host versions of regions.
_OF_TEAMS = {"omp_get_num_teams": "rex_num_teams", "omp_get_team_num": "rex_team_num"}


def is_about_missing(error: str) -> bool:
    """Whether an error of the host compiler may be about a name that its omp.h lacks, and that is declared for it."""
    return not identifiers(error).isdisjoint(_NEWER)


def declare_missing(unit: ParsedUnit, sema: Sema) -> tuple[str, ...]:
    """Declare the functions that the unit mentions and its omp.h lacks. Returns declarations for the host compiler."""
    words = identifiers(unit.pre.text)
    missing = [p for name, p in _NEWER.items() if name in words and sema.file_symbol(name) is None]
    for declaration in missing:
        sema.declare(declaration)
    headers = [f'#include "{INTEROP_HEADER}"' for name in unit.pre.includes if name.endswith(f"/{INTEROP_HEADER}")]
    its_own = _NEWER["omp_initial_device"] not in missing  # omp.h has the name, and mentions it once
    macros = [f'#include "{INITIAL_DEVICE_HEADER}"'] if unit.pre.text.count("omp_initial_device") > its_own else []
    # One mention is the declaration in omp.h, which then declares the other function.
    asked = [n for n in _OF_TEAMS if unit.pre.text.count(n) > 1 and n not in sema.functions]
    macros += [f"#define {name} {_OF_TEAMS[name]}" for name in asked]
    return (*headers, *(f"{declaration};" for declaration in missing), *macros)


# LLVM's functions cannot read gcc's depend objects. rex_kmp.h has versions that wait for the objects' dependences and
# do the work at once, which OpenMP 5.1, section 3.8.9, allows.
_WITH_DEPEND_OBJECTS = {
    "omp_target_memcpy_async": "rex_target_memcpy_now",
    "omp_target_memcpy_rect_async": "rex_target_memcpy_rect_now",
    "omp_target_memset_async": "rex_target_memset_now",
}
# In Fortran, strings are passed with their lengths. LLVM's own omp.h gives C programs other functions by these names.
_WITH_STRINGS = {
    "omp_set_affinity_format": "rex_set_affinity_format",
    "omp_get_affinity_format": "rex_get_affinity_format",
    "omp_display_affinity": "rex_display_affinity",
    "omp_capture_affinity": "rex_capture_affinity",
}


def shares_memory(unit: ParsedUnit) -> bool:
    """Whether the unit requires that devices reach all memory of the host."""
    return bool({"unified_shared_memory", "self_maps"}.intersection(unit.requirements))


# LLVM's function never finds memory accessible, whatever the program requires.
_WITH_SHARED_MEMORY = {"omp_target_is_accessible": "rex_shared_is_accessible"}


def renamed_functions(unit: ParsedUnit) -> list[Replacement]:
    """The names that stand in the host file for functions that do not take what the host compiler passes, or do not
    answer for the unit's requirements."""
    renamed = {**_WITH_DEPEND_OBJECTS, **_WITH_STRINGS}
    if shares_memory(unit):
        renamed |= _WITH_SHARED_MEMORY
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
