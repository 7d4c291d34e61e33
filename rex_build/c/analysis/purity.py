"""The functions that calls name, and which of the library do more than compute."""

from __future__ import annotations

from pycparser import c_ast

from ..sema import Sema
from .device_library import ATOMIC_PREFIXES


def called_name(sema: Sema, call: c_ast.FuncCall) -> str | None:
    """The function that a call names, or None for a call by address."""
    if not isinstance(call.name, c_ast.ID):
        return None
    symbol = sema.symbol(call.name)
    return call.name.name if symbol is None or not symbol.is_variable else None


# Library functions that do more than compute a value.
_ACTING = (
    "omp_", "printf", "malloc", "free", "abort", "mem", "str", "stp", "put", "calloc", "realloc", "aligned_alloc",
    "qsort", "alloca", "trap", "__assert", *ATOMIC_PREFIXES,
)  # fmt: skip


def acts(name: str) -> bool:
    """Whether a function of the library does more than compute a value."""
    return name.startswith(_ACTING)
