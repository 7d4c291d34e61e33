"""Turns the user's expressions in clauses into values that the plan holds."""

from __future__ import annotations

from collections.abc import Mapping

from pycparser import c_ast, c_generator

from ...base.diagnostics import error_at
from ...base.patterns import regex
from ...base.precedence import ASSIGN, BINARY, COMMA, CONDITIONAL, POSTFIX, PRIMARY, UNARY
from ...directives.model import Expr
from ...plan.constructs import CanonicalLoop
from ...plan.host_expression import ONE, Binary, HostExpression, Number, Variable, Written
from ..sema import Sema, walk
from ..sema.literals import integer_constant
from .loops import step_text, trip_count

_PRECEDENCE = {
    c_ast.ID: PRIMARY,
    c_ast.Constant: PRIMARY,
    c_ast.ArrayRef: POSTFIX,
    c_ast.StructRef: POSTFIX,
    c_ast.FuncCall: POSTFIX,
    c_ast.UnaryOp: UNARY,
    c_ast.Cast: UNARY,
    c_ast.TernaryOp: CONDITIONAL,
    c_ast.Assignment: ASSIGN,
}
_printer = c_generator.CGenerator()
_HOLE = regex("\0(\\w+)\0")


def host_expression(sema: Sema, expr: Expr) -> HostExpression:
    """The value of a clause's expression that was analysed."""
    return _written(expr.node, (expr.text,), sema.value(expr.node))


def host_value(expr: Expr) -> HostExpression:
    """The value of an expression that only the run needs to know."""
    return _written(expr.node, (expr.text,), None)


def replaced_names(expr: Expr, names: Mapping[str, HostExpression]) -> HostExpression:
    """The value of an expression of a mapper's clause, with other expressions in the place of some names.

    Expressions of mappers are not analysed."""
    node = expr.node
    if isinstance(node, c_ast.ID) and node.name in names:
        return names[node.name]
    if any(type(part).__module__ != c_ast.__name__ for part in walk(node)):
        raise error_at(expr.span, f"'{expr.text}' is not supported in the clauses of a mapper")
    number = integer_constant(node.value) if isinstance(node, c_ast.Constant) and "int" in node.type else None
    texts = _HOLE.split(_WithHoles(names).visit(node))
    pieces = tuple(names[text] if number % 2 else text for number, text in enumerate(texts))
    return _written(node, pieces, number[0] if number is not None else None, without=names)


def host_trip_count(level: CanonicalLoop, sema: Sema) -> HostExpression:
    """How many iterations a loop has, computed from the host's values of its bounds."""
    if level.trips is not None:
        return Number(level.trips)
    parts = [part for part in (level.lower, level.bound, level.step) if part is not None]
    mentions = frozenset(n.name for part in parts for n in walk(part) if isinstance(n, c_ast.ID))
    return Written((trip_count(level, sema, _printer.visit),), mentions, PRIMARY)


def first_value(level: CanonicalLoop, sema: Sema) -> HostExpression:
    """The value of a loop's variable in its first iteration."""
    return _written(level.lower, (_printer.visit(level.lower),), sema.value(level.lower))


def readable_trip_count(level: CanonicalLoop, sema: Sema) -> HostExpression:
    """The number of iterations of a loop that has some, as a reader would write it.

    For example, ``for (i = 1; i < n; i++)`` has ``n - 1`` iterations.
    """
    if level.trips is not None:
        return Number(level.trips)
    first, last = (_written(node, (_printer.visit(node),), sema.value(node)) for node in (level.lower, level.bound))
    low, high = (first, last) if level.increasing else (last, first)
    is_closed = level.relation in ("<=", ">=")
    if level.step_value == 1:
        return _plus(high, (1 if is_closed else 0), low)
    step = Written((step_text(level, _printer.visit),), frozenset(), PRIMARY)
    return Binary("+", Binary("/", _plus(high, 0 if is_closed else -1, low), step), ONE)


def _plus(of: HostExpression, number: int, less: HostExpression) -> HostExpression:
    """``of + number - less``."""
    if less.value is None:
        of = Binary("-", of, less)
    else:
        number -= less.value
    return of if number == 0 else Binary("+" if number > 0 else "-", of, Number(abs(number)))


def _written(
    node: c_ast.Node,
    pieces: tuple[str | HostExpression, ...],
    value: int | None,
    without: Mapping[str, HostExpression] | None = None,
) -> HostExpression:
    if isinstance(node, c_ast.ID) and value is None:
        return Variable(node.name)
    binds = BINARY[node.op] if isinstance(node, c_ast.BinaryOp) else _PRECEDENCE.get(type(node), COMMA)
    mentions = {part.name for part in walk(node) if isinstance(part, c_ast.ID)}
    return Written(pieces, frozenset(mentions.difference(without or ())), binds, value)


class _WithHoles(c_generator.CGenerator):  # type: ignore[misc]
    """Prints an expression with marks around some names. Members of the same name get no marks."""

    def __init__(self, names: Mapping[str, HostExpression]) -> None:
        super().__init__()
        self._names = names

    def visit_ID(self, node: c_ast.ID) -> str:  # noqa: N802
        return f"\0{node.name}\0" if node.name in self._names else str(node.name)

    def visit_StructRef(self, node: c_ast.StructRef) -> str:  # noqa: N802
        return f"{self._parenthesize_unless_simple(node.name)}{node.type}{node.field.name}"
