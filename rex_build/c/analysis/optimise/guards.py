"""Conditions that let only some iterations reach an access, such as ``if ((i + j) % 2 == colour)``.

Two iterations of ``j`` that both pass this test are a multiple of 2 apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import gcd

from pycparser import c_ast

from ....base.records import dataclass
from ....plan.code import Entity
from ....tree.affine import Polynomial, number
from ...sema import walk
from ...sema.ctype import strip
from ...sema.type_questions import is_integer
from .affine import Values


@dataclass(frozen=True)
class Congruence:
    """In all iterations that pass a test, ``value`` has the remainder ``residue`` when divided by ``modulus``."""

    value: Polynomial
    modulus: int
    residue: Polynomial

    def step(self, variables: frozenset[Entity]) -> tuple[Entity, int] | None:
        """(a variable, a number by which its values in two such iterations can be divided apart from a constant)"""
        split = self.value.split(variables)
        if split is None or len(split[0]) != 1:
            return None
        ((variable, factor),) = split[0].items()
        known = factor.constant
        return None if known is None else (variable, self.modulus // gcd(known, self.modulus))


_Found = dict[c_ast.Node, tuple[Congruence, ...]]
Guards = Mapping[c_ast.Node, tuple[Congruence, ...]]


def guards_of(values: Values, body: c_ast.Node) -> Guards:
    """What is known wherever a part of an iteration's body is evaluated, for the parts of which something is."""
    found: _Found = {}
    _visit(values, body, (), found)
    return found


def _visit(values: Values, node: c_ast.Node | None, known: tuple[Congruence, ...], found: _Found) -> None:
    match node:
        case None | c_ast.Switch():  # a label may stand inside of an ``if``
            return
        case c_ast.Compound():
            for item in node.block_items or ():
                _visit(values, item, known, found)
                if isinstance(item, c_ast.If) and item.iffalse is None and _only_continues(item.iftrue):
                    known = (*known, *_learned(values, item.cond, False))
        case c_ast.If():
            _visit(values, node.cond, known, found)
            _visit(values, node.iftrue, (*known, *_learned(values, node.cond, True)), found)
            _visit(values, node.iffalse, (*known, *_learned(values, node.cond, False)), found)
        case _:
            if known:
                found[node] = known
            for _, child in node.children():
                _visit(values, child, known, found)


def _only_continues(node: c_ast.Node | None) -> bool:
    while isinstance(node, c_ast.Compound) and len(node.block_items or ()) == 1:
        node = node.block_items[0]
    return isinstance(node, c_ast.Continue)


def _learned(values: Values, condition: c_ast.Node, holds: bool) -> Iterator[Congruence]:
    """What follows if a condition holds, or if it does not."""
    match condition:
        case c_ast.BinaryOp(op="&&") if holds:
            yield from _learned(values, condition.left, True)
            yield from _learned(values, condition.right, True)
        case c_ast.BinaryOp(op="||") if not holds:
            yield from _learned(values, condition.left, False)
            yield from _learned(values, condition.right, False)
        case c_ast.UnaryOp(op="!"):
            yield from _learned(values, condition.expr, not holds)
        case c_ast.BinaryOp(op="==" | "!="):
            equal = holds == (condition.op == "==")
            for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
                if equal or values.sema.value(other) == 0:
                    yield from _remainder(values, side, other if equal else None)
        case c_ast.BinaryOp(op="%" | "&"):
            yield from _remainder(values, condition, None, holds)


def _remainder(values: Values, node: c_ast.Node, equals: c_ast.Node | None, odd: bool = True) -> Iterator[Congruence]:
    """What follows if a remainder ``equals`` something. Without that, it is not 0 if ``odd``, and else it is."""
    sema = values.sema
    if not isinstance(node, c_ast.BinaryOp) or node.op not in ("%", "&"):
        return
    divisor, value = sema.value(node.right), values.polynomial(node.left)
    if divisor is None or value is None or not is_integer(strip(sema.value_type(node))):
        return
    modulus = abs(divisor) if node.op == "%" else divisor + 1
    is_power = modulus > 0 and modulus & (modulus - 1) == 0
    if modulus < 2 or (not is_power and (node.op == "&" or value.bits is not None)):
        return
    if value.bits is not None and modulus > 1 << value.bits:
        return
    if equals is None and odd and modulus != 2:
        return
    residue = values.polynomial(equals) if equals is not None else number(int(odd))
    if residue is None or residue.atoms & {*values.moving}:
        return
    if any(isinstance(n, (c_ast.FuncCall, c_ast.Assignment)) for n in walk(node)):
        return
    yield Congruence(value, modulus, residue)
