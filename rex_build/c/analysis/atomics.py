"""Atomic constructs and objects: what statements of ``atomic`` are made of."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from ...openmp import atomics
from ...openmp.atomics import atomic_of, check_object
from ...plan.constructs import Atomic
from ..reading.statements import reader_of
from ..sema import Sema
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .alignment import loose_alignment
from .forms import form_of, is_object


def atomic_operation(unit: ParsedUnit, sema: Sema, construct: OmpConstruct) -> Atomic:
    """The operation of an ``atomic`` construct. Raises InputError for one that devices do not have."""
    body, directive, reader = construct.body, construct.directive, reader_of(sema)
    form, span = (form_of(body), unit.span_of(body)) if body is not None else (None, directive.span)
    found = atomic_of(directive, form, span, unit.requirements, _joined)
    place = reader.place(found.location)
    operand = reader.value(found.operand) if found.operation == "update" and found.operand is not None else None
    check_object(directive, [(place, loose_alignment(sema, found.location))], operand, unit.span_of(found.location))
    return found


def plain_update(node: c_ast.Node) -> Atomic | None:
    """The operation of a statement to which ``atomic`` or ``atomic compare`` could apply and which only updates."""
    return atomics.plain_update(form_of(node), _joined)


def _joined(operator: str, left: Any, right: Any) -> Any:
    return c_ast.BinaryOp(operator, left, right, right.coord)


def is_atomic_access(sema: Sema, node: c_ast.Node) -> bool:
    """Whether an expression names an object whose type is ``_Atomic`` (C11, section 6.2.5)."""
    if isinstance(node, c_ast.ID):
        symbol = sema.symbol(node)
        return symbol is not None and "_Atomic" in symbol.type.quals
    return is_object(node) and "_Atomic" in sema.type(node).quals
