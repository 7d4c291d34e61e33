"""The loops of regions and functions to unroll (:mod:`.....optimise.unroll`)."""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from ....optimise.unroll import unrolled
from ...reading.statements import reader_of
from ...sema import Sema, locals_of
from ...sema.ctype import Array, strip


def loops_to_unroll(sema: Sema, bodies: Iterable[c_ast.Node]) -> frozenset[c_ast.Node]:
    """The loops to unroll in bodies of regions, or of functions."""
    reader = reader_of(sema)
    found = (body for body in bodies if _has_arrays(sema, body))
    return frozenset(loop.origin for loop in unrolled(map(reader.statement, found)))


def _has_arrays(sema: Sema, body: c_ast.Node) -> bool:
    """Whether it is worth while to read a body."""
    return any(isinstance(strip(symbol.type), Array) for symbol in locals_of(sema, body))
