"""Compound literals: values, and objects that live until the end of the block."""

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


def compound_literal(scope: Scope, node: c_ast.CompoundLiteral) -> Text:
    t = without_const(scope.type(node))
    if node not in scope.body.kept or not isinstance(t, Record) or is_empty(t):
        return literal_of(scope, node, t, node.init)
    if scope.body.is_static:
        return ct.name(hoisted_object(scope, node, t, initialiser_text(scope, t, node.init)))
    return ct.assignment(ct.name(hoisted_object(scope, node, t, "")), "=", literal_of(scope, node, t, node.init))


def literal_of(scope: Scope, node: c_ast.Node, t: CType, init: c_ast.Node) -> Text:
    t = without_const(t)
    if isinstance(t, Array):
        return _array_literal(scope, node, t, init)
    if isinstance(t, Record):
        made = braces(scope, read_initialiser(scope.sema, t, init))
        return Text(made if made.startswith("[&]") else f"({scope.declaration(t)}){made}", ct.POSTFIX)
    value = read_initialiser(scope.sema, t, init).value
    text = convert(scope, value, t) if value is not None else ct.ZERO
    return ct.cast(scope.declaration(t), text)


def literal_address(scope: Scope, node: c_ast.CompoundLiteral) -> Text:
    t = without_const(scope.type(node))
    if is_empty(t):
        pointer = ct.cast(scope.types.pointer_to(t), ct.name(f"&{hoisted_object(scope, node, t, '')}"))
        effects = [effect.at(ct.ASSIGN) for effect in initial_effects(scope, t, node.init)]
        return Text(", ".join([*effects, pointer.text]), ct.COMMA if effects else pointer.prec)
    if isinstance(t, Array):
        return ct.cast(scope.types.pointer_to(t), _array_literal(scope, node, t, node.init))
    if scope.body.is_static:
        return ct.prefix("&", ct.name(hoisted_object(scope, node, t, initialiser_text(scope, t, node.init))))
    name = hoisted_object(scope, node, t, "")
    return ct.prefix("&", ct.assignment(ct.name(name), "=", literal_of(scope, node, t, node.init)))


def _array_literal(scope: Scope, node: c_ast.Node, t: Array, init: c_ast.Node) -> Text:
    if scope.body.is_static and not is_empty_array(t):
        return ct.name(hoisted_object(scope, node, t, initialiser_text(scope, t, init)))
    name = hoisted_object(scope, node, t, "")
    if is_empty_array(t):
        effects = [effect.at(ct.ASSIGN) for effect in initial_effects(scope, t, init)]
        return Text(", ".join([*effects, f"({scope.types.pointer_to(t.of)}){name}"]), ct.COMMA)
    assignments = [
        Text(e, ct.ASSIGN).text for e in assignment_texts(scope, name, read_initialiser(scope.sema, t, init))
    ]
    return Text(", ".join([*assignments, name]), ct.COMMA)
