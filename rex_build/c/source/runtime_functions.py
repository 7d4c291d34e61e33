"""The functions of LLVM's runtime that a host compiler's omp.h lacks, or that do not take what that compiler passes."""

from __future__ import annotations

import re

from ...base.names import identifiers
from ...base.patterns import regex
from .preprocess import Preprocessed

# The functions that LLVM 19 to 22 export, with types that need no header. An omp_depend_t is passed by its address.
_DEVICES = "rex_size, rex_size, int, int"
NEWER = {
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
# LLVM's functions cannot read gcc's depend objects. rex_kmp.h has versions that wait for the objects' dependences and
# do the work at once, which OpenMP 5.1, section 3.8.9, allows.
WITH_DEPEND_OBJECTS = {
    "omp_target_memcpy_async": "rex_target_memcpy_now",
    "omp_target_memcpy_rect_async": "rex_target_memcpy_rect_now",
    "omp_target_memset_async": "rex_target_memset_now",
}
# In Fortran, strings are passed with their lengths. LLVM's own omp.h gives C programs other functions by these names.
WITH_STRINGS = {
    "omp_set_affinity_format": "rex_set_affinity_format",
    "omp_get_affinity_format": "rex_get_affinity_format",
    "omp_display_affinity": "rex_display_affinity",
    "omp_capture_affinity": "rex_capture_affinity",
}
# LLVM's function never finds memory accessible, whatever the program requires.
WITH_SHARED_MEMORY = {"omp_target_is_accessible": "rex_shared_is_accessible"}
# LLVM's functions know the teams of host constructs, but not those that rex_kmp.h makes for host versions of regions.
OF_TEAMS = {"omp_get_num_teams": "rex_num_teams", "omp_get_team_num": "rex_team_num"}
_SIZE = regex(r"\brex_size\b")


def is_about_missing(error: str) -> bool:
    """Whether an error of the host compiler may be about a name that its omp.h lacks, and that is declared for it."""
    return not identifiers(error).isdisjoint(NEWER)


def missing_functions(pre: Preprocessed) -> str:
    """The declarations of the functions that a C++ unit mentions and its omp.h lacks, or an empty text."""
    found = []
    for name, declaration in NEWER.items():
        if name in pre.text and name != "omp_initial_device":  # for that, calls need other arguments, too
            word = re.compile(rf"\b{name}\b")
            if len(word.findall(pre.text)) == sum(1 for _ in pre.in_own_parts(word)):
                found.append(f"{_SIZE.sub('__SIZE_TYPE__', declaration)}; ")
    return f'extern "C" {{ {"".join(found)}}}' if found else ""
