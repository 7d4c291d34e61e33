"""The meaning of names and expressions in a C translation unit: symbols, scopes, types and constant values."""

from .analysis import Sema
from .initialiser_types import Step
from .symbols import StorageClass, Symbol, SymbolKind, symbols_of
from .traversal import Parts, declarations, walk
from .uses import Reference, free_variables, globals_declared_again, locals_of

__all__ = [
    "Parts",
    "Reference",
    "Sema",
    "Step",
    "StorageClass",
    "Symbol",
    "SymbolKind",
    "declarations",
    "free_variables",
    "globals_declared_again",
    "locals_of",
    "symbols_of",
    "walk",
]
