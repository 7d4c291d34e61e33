"""Loops in canonical form (OpenMP 5.2, section 4.4.1): what the head of a loop says of its iterations."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import cached_property
from typing import Any

from ..base.diagnostics import InputError, SourceSpan, error_at
from ..base.records import dataclass
from ..directives.model import Directive
from ..plan.constructs import CanonicalLoop, Code, Entity
from ..plan.constructs import Type as PlannedType
from ..tree import nodes as tree
from ..tree.symbols import Variable
from ..tree.types import Integer, Pointer, Record, Type, Unknown, common, is_variable_length, promoted, value_of
from ..tree.values import as_written, constant, only_statement, same_value

RULE = "OpenMP 5.2, section 4.4.1: canonical loop nest form"
# What to write: the number of iterations is known before the first one.
_FORM = "write it as 'for (int i = first; i < end; i += step)'; or with '<=', '>', '>=' or '-=', or pointers"
MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
_CHANGES = frozenset(("=", "++", "--", "+=", "-="))  # operators of iterators
_INT_MAX = 2**31 - 1
_ARITHMETIC = (tree.Constant, tree.Binary, tree.ShortCircuit)
_CHANGING = frozenset((tree.Store, tree.Update, tree.Call))  # what may change a variable


class NotCanonicalError(Exception):
    """A loop is not in canonical form. ``origin`` is the front end's code that shows why, if there is any."""

    def __init__(self, message: str, origin: Any = None, *cures: str) -> None:
        super().__init__(message)
        self.origin, self.cures = origin, cures


def changed(variable: Entity, origin: Any) -> NotCanonicalError:
    """The error for a loop that changes its variable."""
    cure = "change a copy of it, which the loop's body declares"
    return NotCanonicalError(f"the loop variable '{variable.name}' is changed in the loop", origin, cure)


@dataclass(frozen=True, eq=False)
class Level:
    """A loop whose ``variable`` counts from ``lower`` to ``bound``, with the ``relation`` to it in front of each
    iteration.

    In each iteration ``step`` is added to it, or subtracted if ``step_negated``; None means 1. ``step_value`` is the
    step's magnitude in the loop's direction if that is constant.
    """

    loop: tree.Loop
    variable: Variable
    declared: bool
    lower: tree.Expression
    relation: str
    bound: tree.Expression
    step: tree.Expression | None
    step_value: int | None
    step_negated: bool
    increasing: bool

    @property
    def symbol(self) -> Entity:
        assert self.variable.entity is not None
        return self.variable.entity

    @property
    def is_plain(self) -> bool:
        """Whether the variable is a number or a pointer, and no iterator or reference."""
        kind = self.variable.type
        return isinstance(kind, Integer | Pointer) and not _is_reference(kind)

    @property
    def parts(self) -> tuple[tree.Expression, ...]:
        return (self.lower, self.bound) if self.step is None else (self.lower, self.bound, self.step)

    @property
    def first(self) -> int | None:
        """The first value if it is constant."""
        return constant(self.lower)

    @property
    def closed(self) -> bool:
        """Whether the bound is one of the values."""
        return self.relation in ("<=", ">=")

    @cached_property
    def trips(self) -> int | None:
        """The number of iterations if the head is constant, or if the loop begins at its bound."""
        kind, bound = self._type, self.bound.type
        if same_value(self.lower, self.bound) and (isinstance(kind, Pointer) or _holds(kind, self.lower)):
            return int(self.closed)
        first, last, step = constant(self.lower), constant(self.bound), self.step_value
        if first is None or last is None or step is None or not isinstance(kind, Integer):
            return None
        compared = common(promoted(kind), promoted(bound))
        if not (_fits(first, kind) and _fits(first, compared) and _fits(last, compared)):
            return None
        distance = last - first if self.increasing else first - last
        return max(0, -(-(distance + self.closed) // step))

    @property
    def narrow_counts(self) -> int:
        """The most iterations of which each value can be computed with a counter of type ``int``."""
        kind, low, step = self._type, promoted(self.lower.type), self.step_value
        most = _INT_MAX // step if step is not None else 0
        if isinstance(kind, Pointer) and self.is_plain:
            return most
        if step is None or not isinstance(kind, Integer) or not isinstance(low, Integer):
            return 0
        if low.size == 8 or (kind.size >= 4 and promoted(kind) == low) or (kind.size <= 4 and not low.signed):
            return most
        first = self.first
        if first is None or abs(first) > _INT_MAX:
            return 0
        way = _INT_MAX - first if self.increasing else _INT_MAX + first
        return min(most, way // step + 1)

    @property
    def limits(self) -> tuple[str, str]:
        """The variable's relations to its first value and to the bound, which a compiler may be told in each iteration.

        They are empty where that would need more than arithmetic of variables, in the type of the loop's variable.
        """
        kind = self._type
        if not isinstance(kind, Integer) or self.relation == "!=":
            return "", ""
        return (
            (">=" if self.increasing else "<=") if _is_limit(kind, self.lower) else "",
            self.relation if _is_limit(kind, self.bound) else "",
        )

    @property
    def _type(self) -> Type:
        return value_of(self.variable.type)

    @property
    def counts_in_32_bits(self) -> bool:
        """Whether there are surely at most 2^31 iterations, and the variable has at most 32 bits."""
        kind, ends = self.variable.type, (self.lower.type, self.bound.type)
        if not isinstance(kind, Integer) or kind.size > 4 or kind.least >= 0:
            return False
        least = constant(self.lower if self.increasing else self.bound)
        narrow = all(isinstance(end, Integer) and end.size <= 4 for end in ends)
        return narrow and least is not None and least >= 0

    def names(self, variables: Container[Variable]) -> Iterator[tree.Named]:
        """Where the head names one of these variables."""
        nodes = (node for part in self.parts for node in tree.walk(part))
        return (node for node in nodes if isinstance(node, tree.Named) and node.variable in variables)


def _fits(value: int, kind: Type) -> bool:
    return isinstance(kind, Integer) and kind.least <= value <= kind.greatest


def _holds(kind: Type, part: tree.Expression) -> bool:
    """Whether a variable of a type surely has the value of the expression that it gets."""
    value = constant(part)
    return value_of(part.type) == kind if value is None else _fits(value, kind)


def _is_limit(kind: Integer, part: tree.Expression) -> bool:
    """Whether an end of a loop is arithmetic of variables in a type, and says anything that the type does not say."""
    value = constant(part)
    fits = value_of(part.type) == kind if value is None else 0 <= value <= min(kind.greatest, _INT_MAX)
    return fits and not (value == 0 and kind.least == 0) and _is_arithmetic(part)


def _is_arithmetic(part: tree.Node) -> bool:
    match part:
        case tree.Convert(written=False, value=inner) | tree.Unary(operator="-", operand=inner):
            return _is_arithmetic(inner)
        case tree.Load(place=tree.Named()):
            return True
        case tree.Load(place=tree.Pointee(pointer=tree.Load(place=tree.Named(variable=reference)))):
            return _is_reference(reference.type)
    return isinstance(part, _ARITHMETIC) and all(map(_is_arithmetic, tree.children(part)))


def planned(
    levels: Sequence[Level], kind: PlannedType, code: Callable[..., Code], span: SourceSpan
) -> CanonicalLoop:
    """A loop as the plan has it; in a template, of all instantiations. ``kind`` is the type of its variable, and
    ``code`` gives a part of its head, of all instantiations."""
    level, *others = levels
    lower, bound = code(*(one.lower for one in levels)), code(*(one.bound for one in levels))
    value = level.step_value if all(other.step_value == level.step_value for other in others) else None
    limits = (one if all(other.limits[at] for other in others) else "" for at, one in enumerate(level.limits))
    return CanonicalLoop(
        symbol=level.symbol,
        type=kind,
        declared=level.declared,
        lower=lower,
        bound=bound,
        step=code(*(one.step for one in levels)) if level.step is not None and value is None else None,
        step_value=value,
        step_negated=level.step_negated,
        increasing=level.increasing,
        relation=level.relation,
        trips=level.trips if all(other.trips == level.trips for other in others) else None,
        narrow_counts=min(one.narrow_counts for one in levels),
        limits=tuple((limit, end) for limit, end in zip(limits, (lower, bound), strict=True) if limit),
        span=span,
    )


@dataclass(frozen=True, eq=False)
class Nest:
    """The loops of a construct whose iterations are shared out, outermost first. ``inner`` are others that belong to
    the construct, and run in an iteration of those."""

    levels: tuple[Level, ...]
    inner: tuple[Level, ...] = ()

    @property
    def body(self) -> tree.Statement:
        """What an iteration runs."""
        return self.levels[-1].loop.body


def canonical(loop: tree.Loop) -> Level:
    """A loop in canonical form. Raises NotCanonicalError for others."""

    def wrong(node: tree.Node | None, what: str) -> NotCanonicalError:
        origin = origin_of(node) if node is not None else None
        return NotCanonicalError(f"{what} is not canonical", loop.origin if origin is None else origin, _FORM)

    start = only_statement(loop.start)
    if isinstance(start, tree.Block) and start.statements:
        raise wrong(start, "a loop with more than one variable")
    variable, lower = _start(start)
    if variable is None or lower is None or variable.entity is None or loop.body_first:
        raise wrong(start, "this loop's initialisation")
    kind = variable.type.to if isinstance(variable.type, Pointer) and variable.type.reference else variable.type
    if not isinstance(kind, Integer | Pointer | Record | Unknown):
        raise wrong(start, "a loop variable that is neither integer nor pointer")
    if isinstance(kind, Integer) and kind.boolean:
        raise wrong(start, "a loop variable that is a truth value")
    if isinstance(start, tree.Declare) and start.end is not None and not isinstance(kind, Record):
        raise wrong(start, "a loop variable with the attribute 'cleanup'")
    lower, (relation, bound), moved = as_written(lower), _bound(loop.condition, variable), _moved(loop.step, variable)
    if bound is None:
        raise wrong(loop.condition, "this loop's condition")
    if moved is None:
        raise wrong(loop.step, "this loop's increment")
    step, negated = moved
    value = 1 if step is None else constant(step)
    value = -value if value is not None and negated else value
    increasing = value > 0 if value is not None else relation in ("<", "<=")
    size = abs(value) if value is not None else None
    found = Level(
        loop, variable, isinstance(start, tree.Declare), lower, relation, bound, step, size, negated, increasing
    )
    for name in found.names((variable,)):
        raise wrong(name, f"a loop whose head computes with its variable '{variable.name}'")
    if (problem := _wrong_step(relation, value)) is not None:
        raise wrong(loop.step, problem)
    for what, part in (("start", lower), ("bound", bound)):
        if (problem := _wrong_type(kind, part)) is not None:
            raise wrong(part, f"a {what} that is {problem}")
    if step is not None and not isinstance(step, tree.Opaque) and not isinstance(step.type, Integer | Unknown):
        raise wrong(step, "an increment that is no integer")
    for node in tree.walk(loop.body):
        if type(node) in _CHANGING and _changed(node) is variable:
            raise changed(variable, origin_of(node))
    return found


def canonical_nest(
    directive: Directive,
    body: tree.Statement,
    depth: int,
    private: Container[Entity],
    count: Callable[[tree.Block], int],
    span: Callable[[Any], SourceSpan],
) -> Nest:
    """The ``depth`` nested loops in a directive's statement. Raises InputError at what is not canonical.

    So are bounds that read a ``private`` copy, which has no value before the loop begins. ``count`` gives how many
    statements and declarations a block has, and ``span`` where the front end's code stands.
    """
    try:
        nest = nest_of(directive.name, body, depth, count)
    except NotCanonicalError as problem:
        raise refused(problem, directive, span) from None
    heads = (node for level in nest.levels for part in level.parts for node in tree.walk(part))
    for node in heads:
        if isinstance(node, tree.Named) and node.variable.entity is not None and node.variable.entity in private:
            what = f"the head of this loop reads '{node.variable.name}', whose private copy has no value yet"
            raise refused(NotCanonicalError(what, node.origin), directive, span)
    return nest


def refused(problem: NotCanonicalError, directive: Directive, span: Callable[[Any], SourceSpan]) -> InputError:
    """The error for a directive's loop that is not in canonical form."""
    at = span(problem.origin) if problem.origin is not None else directive.span
    return error_at(at, str(problem), *problem.cures, RULE)


def statements_of(block: tree.Block) -> int:
    """How many statements of a block do something."""
    return sum(not isinstance(item, tree.Block) or bool(item.statements) for item in block.statements)


def nest_of(
    name: str, body: tree.Statement, depth: int, count: Callable[[tree.Block], int] = statements_of
) -> Nest:
    """The ``depth`` nested loops in the statement of a directive of a name.

    If a loop's bounds use an outer loop's variable, or code stands beside it, then it and the loops inside of it run
    within an iteration of the loops before. Every iteration still runs once, but fewer are shared among threads. Raises
    NotCanonicalError.
    """
    levels: list[Level] = []
    inner: list[Level] = []
    for number in range(depth):
        loop, alone = only_loop(body), single(body, count)
        if loop is None or not (loop is alone or number):
            wanted = "a loop" if depth == 1 else f"{depth} nested loops"
            at = loop or alone or body
            origin = None if isinstance(at, tree.Construct) else at.origin
            raise NotCanonicalError(f"'{name}' needs {wanted} here", origin, _FORM)
        level = canonical(loop)
        is_free = not inner and loop is alone and not any(level.names({one.variable for one in levels}))
        (levels if is_free else inner).append(level)
        body = loop.body
    return Nest(tuple(levels), tuple(inner))


def only_loop(node: tree.Statement) -> tree.Loop | None:
    """The only ``for`` that a statement is, or has in its blocks."""
    if isinstance(node, tree.Loop):
        return node if node.start is not None or node.step is not None else None
    found = [one for item in node.statements if (one := only_loop(item))] if isinstance(node, tree.Block) else []
    return found[0] if len(found) == 1 else None


def single(node: tree.Statement, count: Callable[[tree.Block], int]) -> tree.Statement | None:
    """A statement, or the only one in its blocks, or None if there are several."""
    while isinstance(node, tree.Block):
        items = [item for item in node.statements if not isinstance(item, tree.Block) or item.statements]
        if len(items) != 1 or count(node) != 1:
            return None
        node = items[0]
    return node


def origin_of(node: tree.Node) -> Any:
    """The front end's code of a node, or of what the language converts silently in it."""
    while node.origin is None:
        inner = converted_in(node)
        if inner is None:
            return None
        node = inner
    return node.origin


def converted_in(node: tree.Node) -> tree.Node | None:
    """What is converted, loaded, copied or referred to."""
    match node:
        case tree.Convert(value=inner) | tree.Ending(value=inner) | tree.Load(place=inner):
            return inner
        case tree.AddressOf(place=inner) | tree.Decay(array=inner):
            return inner
        case tree.Pointee(pointer=tree.Load(place=tree.Named() as inner)) if _is_reference(inner.variable.type):
            return inner
        case tree.Temporary(initialiser=inner) | tree.Evaluate(expression=inner):
            return inner
    return None


def variable_of(node: tree.Node | None) -> Variable | None:
    """The variable that a place or a value is, also by a reference."""
    while node is not None and not isinstance(node, tree.Named):
        is_other = isinstance(node, tree.Decay | tree.Evaluate) or (isinstance(node, tree.Convert) and node.written)
        node = None if is_other else converted_in(node)
    return node.variable if node is not None else None


def _is_reference(kind: Type) -> bool:
    return isinstance(kind, Pointer) and kind.reference


def _start(start: tree.Statement | None) -> tuple[Variable | None, tree.Expression | None]:
    """(the variable that a loop's start gives a value, the value)"""
    if isinstance(start, tree.Declare):
        return start.variable, start.initialiser
    if isinstance(start, tree.Evaluate) and (found := _assigned(start.expression)) is not None:
        operator, place, value = found
        return (variable_of(place), value) if operator == "=" else (None, None)
    return None, None


def _assigned(node: tree.Node | None) -> tuple[str, tree.Node, tree.Expression | None] | None:
    """(the operator of an assignment, what it changes, the value on its right side if it has one)"""
    while isinstance(node, tree.AddressOf | tree.Ending | tree.Convert | tree.Temporary):
        node = converted_in(node)
    match node:
        case tree.Store():
            return "=", node.place, node.value
        case tree.Update():
            return f"{node.operator}=", node.place, node.value
        case tree.Call() if (called := _called(node)) is not None and called[0] in _CHANGES:
            operator, operands = called
            is_step = operator in ("++", "--")  # of which one has an operand that means nothing
            return operator, operands[0], None if is_step or len(operands) < 2 else operands[1]
    return None


def _changed(node: tree.Node) -> Variable | None:
    """The variable that a node changes."""
    found = _assigned(node)
    return variable_of(found[1]) if found is not None else None


def _called(node: tree.Call) -> tuple[str, tuple[tree.Expression, ...]] | None:
    """(the operator of a class that is called, its operands)"""
    name = node.callee.function.name if isinstance(node.callee, tree.FunctionAddress) else ""
    _, mark, operator = name.rpartition("operator")
    return (operator, node.arguments) if mark and node.arguments else None


def _operation(value: tree.Node | None) -> tuple[str, tree.Expression, tree.Expression] | None:
    """(an operator, its two operands)"""
    while isinstance(value, tree.AddressOf | tree.Ending | tree.Convert | tree.Temporary):
        value = converted_in(value)
    match value:
        case tree.Binary():
            return value.operator, value.left, value.right
        case tree.Offset():
            return "-" if value.backward else "+", value.pointer, value.index
        case tree.Unary(operator="!", operand=operand):  # what C++20 makes of a != b
            found = _operation(operand)
            return ("!=", *found[1:]) if found is not None and found[0] == "==" else None
        case tree.Call() if (called := _called(value)) is not None and len(called[1]) == 2:
            compared = _operation(called[1][0]) if called[0] in MIRROR else None
            if compared is not None and compared[0] == "<=>":  # what C++20 makes of a < b
                return (called[0], *compared[1:])
            return (called[0], *called[1])
    return None


def _bound(condition: tree.Expression | None, variable: Variable) -> tuple[str, tree.Expression | None]:
    """(the relation of the loop variable to the bound, the bound), or no bound for other conditions"""
    found = _operation(condition)
    if found is not None and found[0] in MIRROR:
        operator, left, right = found
        if variable_of(left) is variable:
            return operator, as_written(right)
        if variable_of(right) is variable:
            return MIRROR[operator], as_written(left)
    return "", None


def _moved(step: tree.Expression | None, variable: Variable) -> tuple[tree.Expression | None, bool] | None:
    """(what is added to the variable, or None for 1, whether it is subtracted), or None for other forms"""
    found = _assigned(step)
    if found is None or variable_of(found[1]) is not variable:
        return None
    operator, _, value = found
    if operator in ("++", "--", "+=", "-="):
        return (as_written(value) if value is not None else None), operator[0] == "-"
    total = _operation(value) if operator == "=" else None
    if total is None:
        return None
    operator, left, right = total
    if variable_of(left) is variable and operator in ("+", "-"):
        return as_written(right), operator == "-"
    return (as_written(left), False) if variable_of(right) is variable and operator == "+" else None


def _wrong_step(relation: str, value: int | None) -> str | None:
    """What is wrong with an increment for this relation, or None. ``value`` is None if it is not constant."""
    if value == 0:
        return "a loop with increment 0"
    if relation == "!=":
        return None if value in (1, -1) else "a '!=' loop whose increment is not the constant 1 or -1"
    if value is not None and (value > 0) != (relation in ("<", "<=")):
        return "a loop that steps away from its bound"
    return None


def _wrong_type(kind: Type, part: tree.Expression) -> str | None:
    """What is wrong with the type of a start or a bound for a loop variable of a type, or None."""
    given = part.type
    if isinstance(part, tree.Opaque) or isinstance(given, Unknown):
        return None
    if isinstance(kind, Integer):
        return None if isinstance(given, Integer) else "no integer"
    if isinstance(kind, Pointer):
        same = isinstance(given, Pointer) and (value_of(given.to) == value_of(kind.to) or is_variable_length(given.to))
        return None if same else "no pointer to the loop variable's type"
    return None
