"""Functions of the OpenMP runtime that are younger than the host compiler's omp.h."""

from __future__ import annotations

from ..cparse import ParsedUnit
from ..sema import Sema

# OpenMP 5.1 and 6.0, as LLVM 19 to 22 export them, in types that need no header: an omp_depend_t goes by its address.
_DEVICES = "rex_size, rex_size, int, int"
_NEWER = {
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


def declare_missing(unit: ParsedUnit, sema: Sema) -> tuple[str, ...]:
    """Make the unit know those that it mentions and its omp.h lacks; their prototypes, for the host compiler."""
    missing = tuple(p for name, p in _NEWER.items() if name in unit.pre.text and sema.file_symbol(name) is None)
    for prototype in missing:
        sema.declare(prototype)
    return missing
