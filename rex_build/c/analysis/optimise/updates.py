"""Which statements of a body only combine a variable with values (:mod:`.....tree.updates`)."""

from __future__ import annotations

from functools import partial

from pycparser import c_ast

from ....plan.sharing import Reduction
from ....tree.symbols import Function
from ....tree.updates import Combining, statements
from ...reading.statements import reader_of
from ...sema import Sema, Symbol
from ..device_library import MATH_FUNCTIONS
from ..purity import is_pure


def updates_of(sema: Sema, body: c_ast.Node, reduction: Reduction) -> dict[c_ast.Node, list[c_ast.Node]]:
    """The statements in a body that combine a variable with a value in any order, each with its mentions of it."""
    reader = reader_of(sema)
    assert isinstance(reduction.symbol, Symbol)
    combining = Combining(reader.types.variable(reduction.symbol), reduction.operator, partial(_computes, sema))
    found = {part.origin: combining.mentions(part) for part in statements(reader.statement(body))}
    return {node: [mention.origin for mention in mentions] for node, mentions in found.items() if mentions}


def _computes(sema: Sema, function: Function) -> bool:
    return is_pure(sema, function.name) if function.defined else function.name in MATH_FUNCTIONS
