"""Conditions that let only some iterations reach an access, such as ``if ((i + j) % 2 == colour)``.

Two iterations of ``j`` that both pass this test are a multiple of 2 apart. If both pass ``j == 0``, they are the same.

Subscripts may depend on a condition, too, such as the neighbour on the left of a row that is a ring. In
``left = j > 0 ? j - 1 : n - 1``, ``left`` is ``j - 1`` or ``n - 1``. In the second case ``j`` is 0, if the loop does
not begin before 0. Then ``left`` is ``j + (n - 1)`` as well, which can be compared with other subscripts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from math import gcd

from ..base.records import dataclass, replace
from ..plan.constructs import Entity
from ..tree.affine import MINUS, Facts, Place, Polynomial, atom, fewer, number
from ..tree.nodes import (
    Binary,
    Block,
    Conditional,
    Continue,
    Expression,
    If,
    Named,
    Node,
    ShortCircuit,
    Statement,
    Switch,
    Unary,
    children,
)
from ..tree.nodes import Place as TreePlace
from ..tree.types import Integer, Type
from ..tree.values import asked, constant, only_statement, widened
from .surroundings import Counted

_MOST_CHOICES = 3
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


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


@dataclass(frozen=True)
class AtLeast:
    """A condition: the first value of a loop's variable, which is its least one, is not below ``least``."""

    variable: Entity
    least: int


@dataclass(frozen=True)
class Ends:
    """The least and the greatest values of loops' variables, where they are known. The variables ``tested`` begin with
    their least value, which the host may compare."""

    least: Mapping[Entity, Polynomial]
    most: Mapping[Entity, Polynomial]
    tested: Collection[Entity]


Case = tuple[Place, tuple[AtLeast, ...]]


def ends_of(facts: Facts, outer: Sequence[Counted], inner: Sequence[Counted]) -> Ends:
    """The ends of loops over integers, whose bounds are compared as they are.

    What an iteration of the ``outer`` loops does to variables comes after their bounds.
    """
    before = replace(facts, single=lambda _: None)
    least: dict[Entity, Polynomial] = {}
    most: dict[Entity, Polynomial] = {}
    tested: list[Entity] = []
    for loop, known_here in (*((one, before) for one in outer), *((one, facts) for one in inner)):
        head, kind, first = loop.head, loop.variable.type, loop.lower.type
        if not isinstance(kind, Integer) or not isinstance(first, Integer) or head.relation == "!=":
            continue
        if first.bits > kind.bits:
            continue
        if head.increasing and kind.signed and first.signed:
            tested.append(head.symbol)
        ends = (least, most) if head.increasing else (most, least)
        for known, part, beyond in ((ends[0], loop.lower, 0), (ends[1], loop.bound, head.relation in ("<", ">"))):
            alike = _is_signed(part.type) == kind.signed or (constant(part) or 0) > 0 or constant(part) == 0
            found = known_here.polynomial(part) if alike else None
            if found is not None and found.bits is None:
                known[head.symbol] = found + number((-1 if head.increasing else 1) * int(beyond))
    return Ends(least, most, tested)


def cases(facts: Facts, node: TreePlace, ends: Ends) -> list[Case]:
    """Where a place may be, each with what must hold so that it is one of them.

    There are none where nothing is chosen, or where what a choice leads to is not known.
    """
    choices: list[Conditional] = []
    _collect(facts, node, choices, set())
    found: list[Case] = []
    if not 0 < len(choices) <= _MOST_CHOICES:
        return found
    for taken in product((True, False), repeat=len(choices)):
        known = facts
        needs: list[AtLeast] = []
        for choice, holds in zip(choices, taken, strict=True):
            value, more = _value(known, choice, holds, ends)
            if value is None:
                return []
            known = replace(known, chosen={**known.chosen, choice: value})
            needs += more
        place = known.place(node)
        if place is None:
            return []
        found.append((place, tuple(dict.fromkeys(needs))))
    return found


def _collect(facts: Facts, node: Node, found: list[Conditional], seen: set[Entity]) -> None:
    """The choices in an expression, and in the values of its variables; those that others depend on first."""
    for child in children(node):
        _collect(facts, child, found, seen)
    entity = node.variable.entity if isinstance(node, Named) else None
    value = facts.single(entity) if entity is not None and entity not in seen else None
    if entity is not None and value is not None:
        seen.add(entity)
        _collect(facts, value, found, seen)
    if isinstance(node, Conditional) and node not in found:
        found.append(node)


def _value(facts: Facts, choice: Conditional, holds: bool, ends: Ends) -> tuple[Polynomial | None, tuple[AtLeast, ...]]:
    """(the value if the condition holds, or if it does not; what must hold for that)"""
    value = facts.polynomial(choice.then if holds else choice.otherwise)
    if value is None:
        return None, ()
    for variable in dict.fromkeys((*ends.least, *ends.most, *ends.tested)):
        fact = None if variable in value.atoms else _equal(facts, asked(choice.condition), holds, variable, ends)
        if fact is not None:
            return value + atom(variable) + MINUS * fact[0], fact[1]
    return value, ()


def _equal(
    facts: Facts, condition: Expression, holds: bool, variable: Entity, ends: Ends
) -> tuple[Polynomial, tuple[AtLeast, ...]] | None:
    """(what a loop's variable is equal to if a condition holds, or if it does not; what else must hold), if anything"""
    if not isinstance(condition, Binary) or condition.operator not in _OPPOSITE or not _is_signed(condition.left.type):
        return None
    left, right = facts.polynomial(condition.left), facts.polynomial(condition.right)
    if left is None or right is None or fewer(left.bits, right.bits) is not None:
        return None
    relation: str = condition.operator if holds else _OPPOSITE[condition.operator]
    split = (left + MINUS * right).split([variable])
    factor = split[0].get(variable) if split is not None else None
    if split is None or factor is None or factor.constant not in (1, -1):
        return None
    # The variable stands in this relation to the limit.
    limit = (MINUS if factor.constant == 1 else number(1)) * split[1]
    if factor.constant == -1:
        relation = _MIRRORED.get(relation, relation)
    if relation == "==":
        return limit, ()
    if relation in ("<", "<="):
        limit = limit + number(-1 if relation == "<" else 0)
        gap = ends.least[variable] + MINUS * limit if variable in ends.least else None
        if gap is not None and gap.constant is not None:
            return (limit, ()) if gap.constant >= 0 else None
        testable = limit.constant is not None and variable in ends.tested
        return (limit, (AtLeast(variable, limit.constant or 0),)) if testable else None
    if relation in (">", ">=") and variable in ends.most:
        limit = limit + number(1 if relation == ">" else 0)
        gap = limit + MINUS * ends.most[variable]
        return (limit, ()) if gap.constant is not None and gap.constant >= 0 else None
    return None


def _is_signed(kind: Type) -> bool:
    return isinstance(kind, Integer) and kind.signed
