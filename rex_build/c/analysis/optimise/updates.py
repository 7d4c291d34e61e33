"""Which statements of a body only combine a variable with values (:mod:`.....tree.updates`)."""

from __future__ import annotations

from pycparser import c_ast

from ....plan.code import Entity
from ....plan.sharing import Reduction
from ....tree import first
from ....tree.updates import Combining, statements
from ...reading.statements import reader_of
from ...sema import Sema, Symbol, walk
from .accesses import calls_of


def updates_of(sema: Sema, body: c_ast.Node, reduction: Reduction) -> dict[c_ast.Node, list[c_ast.Node]]:
    """The statements in a body that combine a variable with a value in any order, each with its mentions of it."""
    reader = reader_of(sema)
    assert isinstance(reduction.symbol, Symbol)
    combining = Combining(reader.types.variable(reduction.symbol), reduction.operator, calls_of(sema).only_computes)
    found = {part.origin: combining.mentions(part) for part in statements(reader.statement(body))}
    return {node: [mention.origin for mention in mentions] for node, mentions in found.items() if mentions}


def mentions(sema: Sema, body: c_ast.Node, symbol: Entity) -> list[c_ast.Node]:
    return [n for n in walk(body) if isinstance(n, c_ast.ID) and sema.symbol(n) is symbol]


def is_written_first(sema: Sema, body: c_ast.Node, symbol: Symbol) -> bool:
    """Whether every read of a scalar in a run of a body comes after a write in the same run."""
    reader = reader_of(sema)
    return first.is_written_first(reader.statement(body), reader.types.variable(symbol))
