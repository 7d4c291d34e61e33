"""Atomic constructs and objects: what statements of ``atomic`` are made of."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from ...openmp import atomics
from ...openmp.atomics import atomic_of
from ...plan.constructs import Atomic
from ..sema import Sema
from ..sema.ctype import Pointer, aligned, alignof
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .alignment import loose_alignment
from .forms import form_of, is_object


def atomic_operation(unit: ParsedUnit, construct: OmpConstruct) -> Atomic:
    """The operation of an ``atomic`` construct. Raises InputError for a statement in none of its forms."""
    body, directive = construct.body, construct.directive
    form, span = (form_of(body), unit.span_of(body)) if body is not None else (None, directive.span)
    return atomic_of(directive, form, span, unit.requirements, _joined)


def plain_update(node: c_ast.Node) -> Atomic | None:
    """The operation of a statement to which ``atomic`` or ``atomic compare`` could apply and which only updates."""
    return atomics.plain_update(form_of(node), _joined)


def _joined(operator: str, left: Any, right: Any) -> Any:
    return c_ast.BinaryOp(operator, left, right, right.coord)


def misaligned(sema: Sema, location: c_ast.Node) -> str | None:
    """Why the object of an lvalue may be misaligned: the member that is, or the lvalue's type if it needs no alignment.

    None if it is aligned.
    """
    align = alignof(aligned(sema.type(location), 0))
    if (loose := loose_alignment(sema, location)) and loose < align:
        return str(sema.type(location))
    while isinstance(location, c_ast.StructRef | c_ast.ArrayRef):
        if isinstance(location, c_ast.StructRef) and sum(f.offset for f in sema.member(location)) % align:
            return str(location.field.name)
        if isinstance(sema.type(location.name), Pointer):
            return None
        location = location.name
    return None


def is_atomic_access(sema: Sema, node: c_ast.Node) -> bool:
    """Whether an expression names an object whose type is ``_Atomic`` (C11, section 6.2.5)."""
    if isinstance(node, c_ast.ID):
        symbol = sema.symbol(node)
        return symbol is not None and "_Atomic" in symbol.type.quals
    return is_object(node) and "_Atomic" in sema.type(node).quals
