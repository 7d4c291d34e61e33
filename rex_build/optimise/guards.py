"""Conditions that let only some iterations reach an access, such as ``if ((i + j) % 2 == colour)``.

Two iterations of ``j`` that both pass this test are a multiple of 2 apart. If both pass ``j == 0``, they are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import gcd

from ..base.records import dataclass
from ..plan.constructs import Entity
from ..tree.affine import MINUS, Facts, Polynomial, fewer, number
from ..tree.nodes import Binary, Block, Continue, Expression, If, Node, ShortCircuit, Statement, Switch, Unary, children
from ..tree.values import asked, constant, only_statement, widened


@dataclass(frozen=True)
class Congruence:
    """In all iterations that pass a test, ``value`` has the remainder ``residue`` when divided by ``modulus``, or it is
    equal to that if the modulus is 0."""

    value: Polynomial
    modulus: int
    residue: Polynomial

    def step(self, variables: frozenset[Entity]) -> tuple[Entity, int] | None:
        """(a variable, a number by which its values in two such iterations can be divided apart from a constant, which
        is 0 if they are equal)"""
        split = self.value.split(variables)
        if split is None or len(split[0]) != 1:
            return None
        ((variable, factor),) = split[0].items()
        known = factor.constant
        return None if known is None else (variable, self.modulus // gcd(known, self.modulus))


_Found = dict[Node, tuple[Congruence, ...]]
Guards = Mapping[Node, tuple[Congruence, ...]]


def guards_of(facts: Facts, body: Statement) -> Guards:
    """What is known wherever a part of an iteration's body is evaluated, for the parts of which something is."""
    found: _Found = {}
    _visit(facts, body, (), found)
    return found


def _visit(facts: Facts, node: Node, known: tuple[Congruence, ...], found: _Found) -> None:
    match node:
        case Switch():  # a label may stand inside of an ``if``
            return
        case Block():
            for item in node.statements:
                _visit(facts, item, known, found)
                if isinstance(item, If) and item.otherwise is None and isinstance(only_statement(item.then), Continue):
                    known = (*known, *_learned(facts, item.condition, False))
        case If():
            _visit(facts, node.condition, known, found)
            _visit(facts, node.then, (*known, *_learned(facts, node.condition, True)), found)
            if node.otherwise is not None:
                _visit(facts, node.otherwise, (*known, *_learned(facts, node.condition, False)), found)
        case _:
            if known:
                found[node] = known
            for child in children(node):
                _visit(facts, child, known, found)


def _learned(facts: Facts, condition: Expression, holds: bool) -> Iterator[Congruence]:
    """What follows if a condition holds, or if it does not."""
    match asked(condition):
        case ShortCircuit(operator="&&", left=left, right=right) if holds:
            yield from _learned(facts, left, True)
            yield from _learned(facts, right, True)
        case ShortCircuit(operator="||", left=left, right=right) if not holds:
            yield from _learned(facts, left, False)
            yield from _learned(facts, right, False)
        case Unary(operator="!", operand=operand):
            yield from _learned(facts, operand, not holds)
        case Binary(operator="==" | "!=" as operator, left=left, right=right):
            equal = holds == (operator == "==")
            for side, other in ((left, right), (right, left)):
                if equal or constant(other) == 0:
                    yield from _remainder(facts, widened(side), other if equal else None)
            if equal:
                yield from _equality(facts, left, right)
        case Binary(operator="%" | "&") as remainder:
            yield from _remainder(facts, remainder, None, holds)


def _equality(facts: Facts, left: Expression, right: Expression) -> Iterator[Congruence]:
    """What follows if two values are equal."""
    one, other = facts.polynomial(left), facts.polynomial(right)
    if one is not None and other is not None and fewer(one.bits, other.bits) is None:
        yield Congruence(one + MINUS * other, 0, number(0))


def _remainder(facts: Facts, node: Expression, equals: Expression | None, odd: bool = True) -> Iterator[Congruence]:
    """What follows if a remainder ``equals`` something. Without that, it is not 0 if ``odd``, and else it is."""
    if not isinstance(node, Binary) or node.operator not in ("%", "&"):
        return
    divisor, value = constant(node.right), facts.polynomial(node.left)
    if divisor is None or value is None:
        return
    modulus = abs(divisor) if node.operator == "%" else divisor + 1
    is_power = modulus > 0 and modulus & (modulus - 1) == 0
    if modulus < 2 or (not is_power and (node.operator == "&" or value.bits is not None)):
        return
    if value.bits is not None and modulus > 1 << value.bits:
        return
    if equals is None and odd and modulus != 2:
        return
    residue = facts.polynomial(equals) if equals is not None else number(int(odd))
    if residue is None or residue.atoms & {*facts.moving}:
        return
    yield Congruence(value, modulus, residue)
