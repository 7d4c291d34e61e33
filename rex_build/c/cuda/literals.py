"""Prints compound literals, as values or as objects that live until the end of the block."""

from __future__ import annotations

from pycparser import c_ast

from ..sema.ctype import Array, CType, Record
from ..sema.initialisers import read_initialiser
from . import text as ct
from .conversions import convert
from .initialisers import assignment_texts, braces, initial_effects, initialiser_text
from .scope import Scope
from .storage import hoisted_object
from .text import Text
from .types import is_empty, is_empty_array, without_const
from .values import base_of


def compound_literal(scope: Scope, node: c_ast.CompoundLiteral) -> Text:
    t = without_const(scope.type(node))
    if node not in scope.body.pointed_into or isinstance(t, Array) or is_empty(t):
        return literal_of(scope, node, t, node.init)
    if scope.is_static:
        return ct.name(hoisted_object(scope, node, t, initialiser_text(scope, t, node.init)))
    return ct.assignment(ct.name(hoisted_object(scope, node, t, "")), "=", literal_of(scope, node, t, node.init))


def keep_changed_literal(scope: Scope, target: c_ast.Node) -> None:
    """Make an object of a compound literal of which a part is changed, as in ``(int){1} += 2``."""
    base = base_of(scope.sema, target)
    if isinstance(base, c_ast.CompoundLiteral):
        scope.body.pointed_into.add(base)


def literal_of(scope: Scope, node: c_ast.Node, t: CType, init: c_ast.Node) -> Text:
    t = without_const(t)
    if isinstance(t, Array):
        return _array_literal(scope, node, t, init)
    if isinstance(t, Record):
        return ct.braced(scope.declaration(t), braces(scope, read_initialiser(scope.sema, t, init)))
    value = read_initialiser(scope.sema, t, init).value
    text = convert(scope, value, t) if value is not None else ct.ZERO
    return ct.Cast(scope.declaration(t), text)


def literal_address(scope: Scope, node: c_ast.CompoundLiteral) -> Text:
    t = without_const(scope.type(node))
    if is_empty(t):
        pointer = ct.Cast(scope.types.pointer_to(t), ct.name(f"&{hoisted_object(scope, node, t, '')}"))
        effects = initial_effects(scope, t, node.init)
        return ct.comma([*effects, pointer]) if effects else pointer
    if isinstance(t, Array):
        return ct.Cast(scope.types.pointer_to(t), _array_literal(scope, node, t, node.init))
    if scope.is_static:
        return ct.prefix("&", ct.name(hoisted_object(scope, node, t, initialiser_text(scope, t, node.init))))
    name = hoisted_object(scope, node, t, "")
    return ct.prefix("&", ct.assignment(ct.name(name), "=", literal_of(scope, node, t, node.init)))


def _array_literal(scope: Scope, node: c_ast.Node, t: Array, init: c_ast.Node) -> Text:
    if scope.is_static and not is_empty_array(t):
        return ct.name(hoisted_object(scope, node, t, initialiser_text(scope, t, init)))
    name = hoisted_object(scope, node, t, "")
    if is_empty_array(t):
        return ct.comma([*initial_effects(scope, t, init), ct.Cast(scope.types.pointer_to(t.of), ct.name(name))])
    assignments = assignment_texts(scope, name, read_initialiser(scope.sema, t, init))
    return ct.comma([*(Text(text, ct.ASSIGN) for text in assignments), ct.name(name)])
