"""Atomic constructs and objects of C: how what ``atomic`` applies to is written."""

from __future__ import annotations

from functools import partial
from typing import Any

from pycparser import c_ast

from ...openmp.atomics import Written, atomic_of
from ...plan.constructs import Atomic
from ..reading.statements import reader_of
from ..sema import Sema
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .alignment import loose_alignment


def atomic_operation(unit: ParsedUnit, sema: Sema, construct: OmpConstruct) -> Atomic:
    """The operation of an ``atomic`` construct. Raises InputError for one that devices do not have."""
    body, directive = construct.body, construct.directive
    span = unit.span_of(body) if body is not None else directive.span
    return atomic_of(directive, [reader_of(sema).statement(body)], span, unit.requirements, written(unit, sema))


def written(unit: ParsedUnit, sema: Sema) -> Written:
    """How C's code is written."""
    return Written(lambda node: node, _joined, unit.span_of, partial(loose_alignment, sema))


def _joined(operator: str, left: Any, right: Any) -> Any:
    return c_ast.BinaryOp(operator, left, right, right.coord)


def is_object(node: c_ast.Node) -> bool:
    """Whether an expression designates an object."""
    is_pointee = isinstance(node, c_ast.UnaryOp) and node.op == "*"
    return is_pointee or isinstance(node, c_ast.ID | c_ast.StructRef | c_ast.ArrayRef)


def is_atomic_access(sema: Sema, node: c_ast.Node) -> bool:
    """Whether an expression names an object whose type is ``_Atomic`` (C11, section 6.2.5)."""
    if isinstance(node, c_ast.ID):
        symbol = sema.symbol(node)
        return symbol is not None and "_Atomic" in symbol.type.quals
    return is_object(node) and "_Atomic" in sema.type(node).quals
