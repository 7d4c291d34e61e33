"""Atomic constructs and objects: what statements of ``atomic`` are made of, and what orders accesses of threads."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any

from pycparser import c_ast

from ...openmp import atomics
from ...openmp.atomics import Assign, Block, Branch, Choice, Operation, Part, Step, atomic_of
from ...plan.constructs import Atomic
from ..sema import Sema, Symbol
from ..sema.ctype import Pointer, aligned, alignof
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .alignment import loose_alignment
from .call_graph import CallGraph
from .device_library import ATOMIC_PREFIXES


def atomic_operation(unit: ParsedUnit, construct: OmpConstruct) -> Atomic:
    """The operation of an ``atomic`` construct. Raises InputError for a statement in none of its forms."""
    body, directive = construct.body, construct.directive
    form, span = (_form(body), unit.span_of(body)) if body is not None else (None, directive.span)
    return atomic_of(directive, form, span, unit.requirements, _joined)


def plain_update(node: c_ast.Node) -> Atomic | None:
    """The operation of a statement to which ``atomic`` or ``atomic compare`` could apply and which only updates."""
    return atomics.plain_update(_form(node), _joined)


def _joined(operator: str, left: Any, right: Any) -> Any:
    return c_ast.BinaryOp(operator, left, right, right.coord)


def _form(node: c_ast.Node) -> Part:
    """What a statement or an expression is made of."""
    match node:
        case c_ast.Compound():
            items = [i for i in node.block_items or [] if not isinstance(i, c_ast.EmptyStatement)]
            return Block(node, node, False, [_form(item) for item in items])
        case c_ast.Assignment():
            return Assign(node, node, False, _form(node.lvalue), node.op[:-1], _form(node.rvalue))
        case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
            return Step(node, node, False, _form(node.expr), node.op[-1], node.op.startswith("p"))
        case c_ast.BinaryOp():
            return Operation(node, _key(node), False, _form(node.left), node.op, _form(node.right))
        case c_ast.TernaryOp() if node.iftrue is not None:
            return Choice(node, _key(node), False, _form(node.cond), _form(node.iftrue), _form(node.iffalse))
        case c_ast.If():
            otherwise = _form(node.iffalse) if node.iffalse is not None else None
            return Branch(node, node, False, _form(node.cond), _form(node.iftrue), otherwise)
    is_statement = isinstance(node, (c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch, OmpConstruct))
    key = node if is_statement else _key(node)
    return Part(node, key, is_object(node) or isinstance(node, c_ast.CompoundLiteral))


def _key(node: c_ast.Node) -> Hashable:
    """Expressions that are written alike have the same."""
    own = tuple(getattr(node, name) for name in node.attr_names)
    own = tuple(tuple(one) if isinstance(one, list) else one for one in own)
    return type(node), own, tuple(_key(child) for _, child in node.children())


_ORDERING = frozenset({"critical", "flush", "ordered", "scan"})


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


def ordered_between_threads(unit: ParsedUnit, calls: CallGraph, body: c_ast.Node) -> frozenset[Symbol] | None:
    """The variables whose accesses by different threads a body, or a function it reaches, may order. None means all.

    The threads may be of different teams, or of the same worksharing loop. Relaxed atomics of other objects order
    nothing.
    """
    if calls.calls_through_pointers(body) or calls.calls_other_units(body):
        return None
    symbols: set[Symbol] = set()
    for part in (n for b in (body, *(f.body for f in calls.functions(body))) for n in calls.sema.parts(b).nodes):
        if isinstance(part, OmpConstruct) and not _ORDERING.isdisjoint(part.directive.constructs):
            return None
        if isinstance(part, OmpConstruct) and "atomic" in part.directive.constructs:
            operation = atomic_operation(unit, part)
            if operation.ordered:
                return None
            location = operation.location
            if isinstance(location, c_ast.ID) and (symbol := calls.sema.symbol(location)) is not None:
                symbols.add(symbol)
        name = part.name if isinstance(part, c_ast.ID) else ""
        if name.startswith(ATOMIC_PREFIXES) or re.match(r"omp_\w+_lock$", name):
            return None
        if is_atomic_access(calls.sema, part):
            return None
    return frozenset(symbols)


def is_atomic_access(sema: Sema, node: c_ast.Node) -> bool:
    """Whether an expression names an object whose type is ``_Atomic`` (C11, section 6.2.5)."""
    if isinstance(node, c_ast.ID):
        symbol = sema.symbol(node)
        return symbol is not None and "_Atomic" in symbol.type.quals
    return is_object(node) and "_Atomic" in sema.type(node).quals


def is_object(node: c_ast.Node) -> bool:
    """Whether an expression designates an object."""
    is_pointee = isinstance(node, c_ast.UnaryOp) and node.op == "*"
    return is_pointee or isinstance(node, c_ast.ID | c_ast.StructRef | c_ast.ArrayRef)
