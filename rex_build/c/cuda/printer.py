"""Prints C as CUDA C++ (C++17 that nvcc and g++ accept without warnings). Here its parts come together."""

from __future__ import annotations

from collections.abc import Mapping

from ..sema import Symbol
from .expressions import discarded, emit, place
from .scope import Body, Grammar, Scope
from .statements import inner_text, lines_of, statement_text
from .surroundings import PrintedUnit, Surroundings

_GRAMMAR = Grammar(emit, place, discarded, lines_of, statement_text, inner_text)
_ANYWHERE = Surroundings()


def unit_scope(unit: PrintedUnit, names: Mapping[Symbol, str] | None = None, around: Surroundings = _ANYWHERE) -> Scope:
    """The scope in which all code of a unit is printed."""
    return Scope(_GRAMMAR, unit, around, names or {}, Body())
