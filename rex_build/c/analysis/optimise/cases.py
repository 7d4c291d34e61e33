"""Subscripts that depend on a condition, such as the neighbour on the left of a row that is a ring.

In ``left = j > 0 ? j - 1 : n - 1``, ``left`` is ``j - 1`` or ``n - 1``. In the second case ``j`` is 0, if the loop does
not begin before 0. Then ``left`` is ``j + (n - 1)`` as well, which can be compared with other subscripts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product

from pycparser import c_ast

from ....base.records import dataclass, replace
from ....plan.code import Entity
from ....plan.loops import CanonicalLoop
from ....tree.affine import MINUS, Place, Polynomial, atom, fewer, number
from ....tree.nodes import Conditional
from ...sema.ctype import CType, sizeof, strip
from ...sema.type_questions import is_integer, is_unsigned
from .affine import Values

_MOST_CHOICES = 3
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


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


def ends_of(values: Values, heads: Sequence[CanonicalLoop]) -> Ends:
    """The ends of loops with variables that are signed."""
    least: dict[Entity, Polynomial] = {}
    most: dict[Entity, Polynomial] = {}
    tested: list[Entity] = []
    for head in heads:
        kind, first = strip(head.symbol.type), strip(values.sema.value_type(head.lower))
        if not _is_signed(kind) or not _is_signed(first) or sizeof(first) > sizeof(kind) or head.relation == "!=":
            continue
        if head.increasing:
            tested.append(head.symbol)
        ends = (least, most) if head.increasing else (most, least)
        for known, part, beyond in ((ends[0], head.lower, 0), (ends[1], head.bound, head.relation in ("<", ">"))):
            found = values.polynomial(part) if _is_signed(strip(values.sema.value_type(part))) else None
            if found is not None and found.bits is None:
                known[head.symbol] = found + number((-1 if head.increasing else 1) * int(beyond))
    return Ends(least, most, tested)


def cases(values: Values, node: c_ast.Node, ends: Ends) -> list[Case]:
    """Where an lvalue may be, each place with what must hold so that it is one of them.

    There are none where nothing is chosen, or where what a choice leads to is not known.
    """
    choices: list[c_ast.TernaryOp] = []
    _collect(values, node, choices, set())
    found: list[Case] = []
    if not 0 < len(choices) <= _MOST_CHOICES:
        return found
    for taken in product((True, False), repeat=len(choices)):
        known = values
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


def _collect(values: Values, node: c_ast.Node, found: list[c_ast.TernaryOp], seen: set[Entity]) -> None:
    """The choices in an expression, and in the values of its variables; those that others depend on first."""
    for child in node:
        _collect(values, child, found, seen)
    symbol = values.sema.symbol(node) if isinstance(node, c_ast.ID) else None
    if symbol is not None and symbol in values.single and symbol not in seen:
        seen.add(symbol)
        _collect(values, values.single[symbol], found, seen)
    if isinstance(node, c_ast.TernaryOp) and node not in found:
        found.append(node)


def _value(
    values: Values, choice: c_ast.TernaryOp, holds: bool, ends: Ends
) -> tuple[Polynomial | None, tuple[AtLeast, ...]]:
    """(the value if the condition holds, or if it does not; what must hold for that)"""
    both = values.reader.value(choice)
    branch = None if not isinstance(both, Conditional) else both.then if holds else both.otherwise
    value = values.facts.polynomial(branch) if branch is not None else None
    if value is None:
        return None, ()
    for variable in dict.fromkeys((*ends.least, *ends.most, *ends.tested)):
        fact = None if variable in value.atoms else _equal(values, choice.cond, holds, variable, ends)
        if fact is not None:
            return value + atom(variable) + MINUS * fact[0], fact[1]
    return value, ()


def _equal(
    values: Values, condition: c_ast.Node, holds: bool, variable: Entity, ends: Ends
) -> tuple[Polynomial, tuple[AtLeast, ...]] | None:
    """(what a loop's variable is equal to if a condition holds, or if it does not; what else must hold), if anything"""
    if not isinstance(condition, c_ast.BinaryOp) or condition.op not in _OPPOSITE:
        return None
    sides = (condition.left, condition.right)
    found = [values.polynomial(side) for side in sides if _is_signed(strip(values.sema.value_type(side)))]
    if len(found) < 2 or found[0] is None or found[1] is None or fewer(found[0].bits, found[1].bits) is not None:
        return None
    relation = condition.op if holds else _OPPOSITE[condition.op]
    split = (found[0] + MINUS * found[1]).split([variable])
    factor = split[0].get(variable) if split is not None else None
    if split is None or factor is None or factor.constant not in (1, -1):
        return None
    # The variable stands in this relation to the limit.
    limit = (MINUS if factor.constant == 1 else number(1)) * split[1]
    if factor.constant == -1:
        relation = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(relation, relation)
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


def _is_signed(kind: CType) -> bool:
    return is_integer(kind) and not is_unsigned(kind)
