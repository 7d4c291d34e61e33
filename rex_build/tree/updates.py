"""Statements that combine a variable with a value, such as ``s += a[i]``: which of them may be made in any order.

Threads can each combine some of the values, and then combine what they have, if an update is the operation itself. So
its value has no effects and is always evaluated, nothing uses the update's own value, and no conversion stands between
the operation and the variable: ``s += 0.5`` with an ``int`` drops the fraction each time. For integers the operation
may have more bits, because sums, products and bit operations are the same modulo a power of 2. An extremum compares
values as they are. If one of them is no number, it must be left out, as in ``if (x > s) s = x;``:
``s = s > x ? s : x`` takes it, and then the value after it.

In another order sums and products of floating point numbers are rounded otherwise, and of zeros of both signs another
one is kept. A program that names a variable in a ``reduction`` clause says that this does not matter
(docs/performance.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..base.records import dataclass
from . import nodes as tree
from .symbols import Function, Variable
from .types import Complex, Floating, Integer, Type
from .values import asked, computes, has_all, only_statement, same_value, widened

# The operators of an update, and the order in which an extremum's new value stands to the old one, by the operation.
_OPERATORS = {"rex_add": "+", "rex_mul": "*", "rex_band": "&", "rex_bor": "|", "rex_bxor": "^"}
_SHORTCUTS = {"rex_land": "&&", "rex_lor": "||"}
_EXTREMA = {"rex_min": ("<", "<="), "rex_max": (">", ">=")}
_LIBRARY = {"rex_min": "fmin", "rex_max": "fmax"}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True)
class Combining:
    """A variable, the operation that combines it with values, and which functions do nothing but compute a value."""

    variable: Variable
    operator: str
    computes: Callable[[Function], bool]

    def mentions(self, statement: tree.Statement) -> tuple[tree.Named, ...]:
        """The mentions of the variable in a statement that combines it with a value; none in all other statements."""
        if self.variable.type.volatile or self.variable.type.atomic:
            return ()
        match statement:
            case tree.Evaluate(expression=tree.Update() as update):
                return self._updated(update)
            case tree.Evaluate(expression=tree.Store(place=tree.Named(variable=v)) as store) if v is self.variable:
                return self._stored(store)
            case tree.If(otherwise=None, condition=tree.Binary() as condition):
                taken = _only_store(statement.then)
                if taken is not None and isinstance(taken.place, tree.Named) and taken.place.variable is self.variable:
                    own = self._extremum(condition, taken.value)
                    return (taken.place, own) if own is not None else ()
        return ()

    def _updated(self, update: tree.Update) -> tuple[tree.Named, ...]:
        place = update.place
        if not isinstance(place, tree.Named) or place.variable is not self.variable or not self._is_free(update.value):
            return ()
        fits = update.operator == _OPERATORS.get(self.operator) or (update.operator, self.operator) == ("-", "rex_add")
        return (place,) if fits and self._is_exact(update.computed) else ()

    def _stored(self, store: tree.Store) -> tuple[tree.Named, ...]:
        """``s = s + value``, ``s = s || value``, ``s = value > s ? value : s``, ``s = fmax(s, value)``."""
        assert isinstance(store.place, tree.Named)
        value, kinds = store.value, [store.value.type]
        while isinstance(value, tree.Convert):
            value = value.value
            kinds.append(value.type)
        has_all_values = all(has_all(kind, self.variable.type) for kind in kinds)
        match value:
            case tree.Binary() if all(map(self._is_exact, kinds)):
                own = self._operand(value, value.operator, _OPERATORS.get(self.operator, ""))
            case tree.ShortCircuit():
                own = self._operand(value, value.operator, _SHORTCUTS.get(self.operator, ""))
                if own is not None and self._own(asked(value.left)) is own and not _cannot_fail(value.right):
                    return ()  # where the program does not evaluate the value, it may not be evaluated
            case tree.Conditional(condition=tree.Binary() as condition) if has_all_values:
                own = self._chosen(value, condition)
                kept = self._own(value.then) or self._own(value.otherwise)
                return (store.place, own, kept) if own is not None and kept is not None else ()
            case tree.Call(callee=tree.FunctionAddress(function=function)) if kinds == [self.variable.type]:
                own = self._by_function(value, function)
            case _:
                own = None
        return (store.place, own) if own is not None else ()

    def _operand(self, value: tree.Binary | tree.ShortCircuit, operator: str, wanted: str) -> tree.Named | None:
        """The mention of the variable in an operation on it and a value."""
        sides = (value.left, value.right)
        left, right = map(self._own, sides if isinstance(value, tree.Binary) else map(asked, sides))
        if left is not None and self._is_free(value.right) and (operator == wanted or (operator, wanted) == ("-", "+")):
            return left
        return right if right is not None and self._is_free(value.left) and operator == wanted else None

    def _chosen(self, value: tree.Conditional, condition: tree.Binary) -> tree.Named | None:
        swapped = self._own(value.then) is not None
        if swapped and not isinstance(self.variable.type, Integer):
            return None  # it takes what is no number
        return self._extremum(condition, value.otherwise if swapped else value.then, swapped)

    def _extremum(self, condition: tree.Binary, taken: tree.Expression, swapped: bool = False) -> tree.Named | None:
        """The mention of ``s`` in the condition of ``if (value > s) s = value;`` for a maximum, and the like.

        ``swapped`` says that ``s`` is kept if the condition holds.
        """
        relation: str = condition.operator
        value, own = condition.left, self._own(condition.right)
        if own is None:
            relation, value, own = _MIRRORED.get(relation, ""), condition.right, self._own(condition.left)
        if swapped:
            relation = _MIRRORED.get(relation, "")
        if own is None or relation not in _EXTREMA.get(self.operator, ()) or not self._is_free(taken):
            return None
        plain = widened(taken)
        return own if has_all(self.variable.type, plain.type) and same_value(plain, widened(value)) else None

    def _by_function(self, call: tree.Call, function: Function) -> tree.Named | None:
        kind = self.variable.type
        suffix = {53: "", 24: "f"}.get(kind.digits) if isinstance(kind, Floating) else None
        if suffix is None or function.defined or self.operator not in _LIBRARY or len(call.arguments) != 2:
            return None
        if function.name != f"{_LIBRARY[self.operator]}{suffix}":
            return None
        a, b = call.arguments
        for one, other in ((a, b), (b, a)):
            if isinstance(one, tree.Load) and (own := self._own(one)) is not None and self._is_free(other):
                return own
        return None

    def _own(self, value: tree.Expression) -> tree.Named | None:
        """The mention in an expression that is the variable's value."""
        value = widened(value)
        place = value.place if isinstance(value, tree.Load) else None
        return place if isinstance(place, tree.Named) and place.variable is self.variable else None

    def _is_free(self, value: tree.Expression) -> bool:
        """Whether a value has no effects, and does not depend on the variable that it is combined with."""
        mentioned = any(isinstance(part, tree.Named) and part.variable is self.variable for part in tree.walk(value))
        return not mentioned and computes(value, self.computes)

    def _is_exact(self, kind: Type) -> bool:
        return _keeps(self.variable.type, kind)


def commute(one: tree.Node, other: tree.Node) -> bool:
    """Whether both update an object of one type by one operation, in that type, so that their order does not matter."""
    if not isinstance(one, tree.Update) or not isinstance(other, tree.Update) or one.place.type != other.place.type:
        return False
    exact = _keeps(one.place.type, one.computed) and _keeps(other.place.type, other.computed)
    operators = {node.operator.replace("-", "+") for node in (one, other)}
    return exact and len(operators) == 1 and operators <= {*_OPERATORS.values()}


def _keeps(own: Type, kind: Type) -> bool:
    """Whether an object keeps the result of an operation of a type as it is, or modulo a power of 2."""
    if isinstance(own, Integer) and not own.boolean:
        return isinstance(kind, Integer) and not kind.boolean and kind.bits >= own.bits
    return isinstance(own, Floating | Complex) and kind == own


def statements(node: tree.Statement | None) -> Iterator[tree.Statement]:
    """The statements in a body, each before those inside it. Nobody uses the values of expressions among them."""
    if node is None:
        return
    yield node
    match node:
        case tree.Block():
            for item in node.statements:
                yield from statements(item)
        case tree.If():
            yield from statements(node.then)
            yield from statements(node.otherwise)
        case tree.Loop() | tree.Switch():
            yield from statements(node.body)
        case tree.Construct() if node.directive.constructs == ("simd",):
            yield from statements(node.body)


def _only_store(node: tree.Statement | None) -> tree.Store | None:
    node = only_statement(node)
    return node.expression if isinstance(node, tree.Evaluate) and isinstance(node.expression, tree.Store) else None


def _cannot_fail(value: tree.Expression) -> bool:
    """Whether a value may be computed although the program does not: it reads no memory, and divides by nothing."""
    for part in tree.walk(value):
        if isinstance(part, tree.Pointee | tree.Call):
            return False
        if isinstance(part, tree.Binary) and part.operator in ("/", "%", "<<", ">>"):
            return False
    return True
