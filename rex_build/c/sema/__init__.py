"""The meaning of names and expressions in a C translation unit: symbols, scopes, types and constant values."""

from .analysis import Assignments, Reference, Sema
from .initialiser_types import Step
from .symbols import Symbol, symbols_of
from .traversal import (
    clause_expressions,
    clause_locators,
    declarations,
    directive_expressions,
    directive_locators,
    locator_expressions,
    walk,
)

__all__ = [
    "Assignments",
    "Reference",
    "Sema",
    "Step",
    "Symbol",
    "clause_expressions",
    "clause_locators",
    "declarations",
    "directive_expressions",
    "directive_locators",
    "locator_expressions",
    "symbols_of",
    "walk",
]
