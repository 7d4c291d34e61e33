"""Loops in canonical form (OpenMP 5.2, section 4.4.1): what the head of a loop says of its iterations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable
from typing import Protocol, TypeVar

from ..base.diagnostics import InputError, error_at
from ..base.records import dataclass
from ..base.spans import SourceSpan
from ..directives.model import Directive
from ..plan.code import Code, Entity
from ..plan.loops import CanonicalLoop, LoopNest
from .forms import Assign, Operation, Part, Step

RULE = "OpenMP 5.2, section 4.4.1: canonical loop nest form"
N = TypeVar("N")
_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


@dataclass(frozen=True)
class Head:
    """The head of a loop, whose variable begins with the value of ``lower``. What is missing is None."""

    symbol: Entity
    declared: bool
    lower: Part
    condition: Part | None
    increment: Part | None


@dataclass(frozen=True)
class Course:
    """How a loop in canonical form goes; see :class:`~rex_build.plan.loops.CanonicalLoop`. ``step`` None means 1."""

    symbol: Entity
    lower: Part
    relation: str
    bound: Part
    step: Part | None
    step_value: int | None
    step_negated: bool
    increasing: bool


def course_of(
    head: Head,
    value_of: Callable[[Part], int | None],
    names: Callable[[Part], Collection[Entity]],
    span_of: Callable[[Part | None], SourceSpan],
) -> Course:
    """What a loop's head means. Raises InputError at the part of it that is not canonical."""

    def refuse(part: Part | None, what: str) -> InputError:
        return error_at(span_of(part), f"{what} is not canonical", RULE)

    symbol, lower = head.symbol, head.lower
    relation, bound = bound_of(head)
    if bound is None:
        raise refuse(head.condition, "this loop's condition")
    found = increment(head)
    if found is None:
        raise refuse(head.increment, "this loop's increment")
    step, negated = found
    for part in (lower, bound, step):
        if part is not None and symbol in names(part):
            raise refuse(part, f"a loop whose head computes with its variable '{symbol.name}'")
    value = 1 if step is None else value_of(step)
    if value is not None and negated:
        value = -value
    if (problem := _wrong_step(relation, value)) is not None:
        raise refuse(head.increment, problem)
    increasing = value > 0 if value is not None else relation in ("<", "<=")
    size = abs(value) if value is not None else None
    return Course(symbol, lower, relation, bound, None if value is not None else step, size, negated, increasing)


class Loops(Protocol[N]):
    """The loops of a front end's statements."""

    def only_loop(self, statement: N) -> tuple[N | None, bool]:
        """(the only loop in a statement and the blocks in it, whether nothing stands beside it)"""
        ...

    def canonical(self, loop: N) -> tuple[CanonicalLoop, N]:
        """(a loop in canonical form, its statement). Raises InputError for others."""
        ...

    def names(self, code: Code) -> Iterable[tuple[Entity | None, SourceSpan]]:
        """The variables that a part of a loop's head names, and where."""
        ...

    def span(self, statement: N) -> SourceSpan | None:
        """The place of a statement that is no loop, if a message should show that and not the directive."""
        ...


def nest_of(
    directive: Directive, depth: int, body: N, loops: Loops[N]
) -> tuple[list[CanonicalLoop], list[CanonicalLoop], N]:
    """(the loops that a directive collapses of the ``depth`` nested ones in a statement, the others, what they are in).

    If a loop's bounds use an outer loop's variable, or code stands beside it, then it and the loops inside of it run
    within an iteration of the loops before. Every iteration still runs once, but fewer are shared among threads. Raises
    InputError at the loop, or the part of its head, that is not canonical.
    """
    levels: list[CanonicalLoop] = []
    inner: list[CanonicalLoop] = []
    rest: N | None = None
    for number in range(depth):
        loop, is_alone = loops.only_loop(body)
        if loop is None or not (is_alone or number):
            wanted = "a loop" if depth == 1 else f"{depth} nested loops"
            raise error_at(loops.span(body) or directive.span, f"'{directive.name}' needs {wanted} here", RULE)
        level, inside = loops.canonical(loop)
        parts = [part for part in (level.lower, level.bound, level.step) if part is not None]
        outer = {one.symbol for one in levels}
        if rest is None and (not is_alone or any(v in outer for part in parts for v, _ in loops.names(part))):
            rest = body
        (levels if rest is None else inner).append(level)
        body = inside
    return levels, inner, body if rest is None else rest


def check_unchanged(symbol: Entity, changes: Iterable[SourceSpan]) -> None:
    """Raise InputError if a loop's body changes its variable, where ``changes`` say."""
    for span in changes:
        cure = "change a copy of it, which the loop's body declares"
        raise error_at(span, f"the loop variable '{symbol.name}' is changed in the loop", cure, RULE)


def check_bounds(nest: LoopNest, private: Container[Entity], loops: Loops[N]) -> None:
    """Raise InputError for a bound that reads a ``private`` copy, which has no value before the loop begins."""
    for part in (part for level in nest.levels for part in (level.lower, level.bound, level.step) if part is not None):
        for variable, span in loops.names(part):
            if variable is not None and variable in private:
                what = f"the head of this loop reads '{variable.name}', whose private copy has no value yet"
                raise error_at(span, what, RULE)


def bound_of(head: Head) -> tuple[str, Part | None]:
    """(the relation of the loop variable to the bound, the bound), or no bound for other conditions."""
    condition, symbol = head.condition, head.symbol
    if isinstance(condition, Operation) and condition.operator in _MIRROR:
        if condition.left.entity is symbol:
            return condition.operator, condition.right
        if condition.right.entity is symbol:
            return _MIRROR[condition.operator], condition.left
    return "", None


def _wrong_step(relation: str, value: int | None) -> str | None:
    """What is wrong with an increment for this relation, or None. ``value`` is None if it is not constant."""
    if value == 0:
        return "a loop with increment 0"
    if relation == "!=":
        return None if value in (1, -1) else "a '!=' loop whose increment is not the constant 1 or -1"
    if value is not None and (value > 0) != (relation in ("<", "<=")):
        return "a loop that steps away from its bound"
    return None


def increment(head: Head) -> tuple[Part | None, bool] | None:
    """(step, whether it is subtracted). A step of None means 1. None for other forms."""
    part, symbol = head.increment, head.symbol
    if isinstance(part, Step) and part.x.entity is symbol:
        return None, part.operator == "-"
    if not isinstance(part, Assign) or part.x.entity is not symbol:
        return None
    if part.operator:
        return (part.value, part.operator == "-") if part.operator in "+-" else None
    total = part.value
    if isinstance(total, Operation) and total.operator in ("+", "-"):
        if total.left.entity is symbol:
            return total.right, total.operator == "-"
        if total.operator == "+" and total.right.entity is symbol:
            return total.left, False
    return None
