"""Analyses canonical loops: finds the facts of an OpenMP loop nest and the number of its iterations.

Source: OpenMP 5.2, section 4.4.1 (canonical loop nest form) and 4.4.2 (OpenMP loop-iteration spaces).
"""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import partial

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...openmp import canonical
from ...openmp.canonical import Level
from ...plan.constructs import CanonicalLoop, Entity, LoopNest
from ...tree import nodes as tree
from ..reading.statements import reader_of
from ..sema import Sema
from ..sema.ctype import CType, EnumType, Pointer, Scalar, sizeof, strip
from ..sema.type_questions import decay, integer_range, is_pointer, is_unsigned, usual_arithmetic
from ..syntax.nodes import OmpConstruct, ParsedUnit
from ..syntax.parse import MOST_CONSTRUCTS

_INT_MAX = 2**31 - 1
_LONG_LONG = c_ast.Typename(None, [], None, c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["long", "long"])))

Show = Callable[[c_ast.Node], str]


def canonical_nest(
    unit: ParsedUnit, sema: Sema, construct: OmpConstruct, body: c_ast.Node, depth: int, private: Container[Entity] = ()
) -> LoopNest:
    """The ``depth`` nested canonical loops in ``body``, of which ``private`` variables have copies without a value."""
    if depth > MOST_CONSTRUCTS:
        what = f"'{construct.directive.name}' of more than {MOST_CONSTRUCTS} loops is not supported"
        raise error_at(construct.directive.span, what)
    statement = reader_of(sema).statement(body)
    nest = canonical.canonical_nest(construct.directive, statement, depth, private, _items, unit.span_of)
    levels, inner = ([planned(unit, sema, level) for level in part] for part in (nest.levels, nest.inner))
    in_32_bits = len(levels) == 1 and nest.levels[0].counts_in_32_bits
    return LoopNest(tuple(levels), nest.levels[-1].loop.origin.stmt, tuple(inner), in_32_bits)


def _items(block: tree.Block) -> int:
    """How many statements and declarations a block has."""
    if not isinstance(block.origin, c_ast.Compound):
        return len(block.statements)
    return sum(not isinstance(item, c_ast.EmptyStatement) for item in block.origin.block_items or ())


def planned(unit: ParsedUnit, sema: Sema, level: Level) -> CanonicalLoop:
    """A loop in canonical form as the plan has it."""
    span = unit.span_of(level.loop.origin)
    return canonical.planned([level], strip(level.symbol.type), partial(code_of, sema), span)


def code_of(sema: Sema, value: tree.Expression) -> c_ast.Node:
    """C's code for a value that is made of parts of the user's code."""
    found = _made(value)
    return sema.typed(found) if value.origin is None else found


def _made(value: tree.Expression) -> c_ast.Node:
    match value:
        case tree.Convert(origin=None, written=True):
            return c_ast.Cast(_LONG_LONG, _made(value.value))
        case tree.Constant(origin=None):
            return c_ast.Constant("int", str(value.value))
        case tree.Unary(origin=None):
            return c_ast.UnaryOp(value.operator, _made(value.operand))
        case tree.Binary(origin=None):
            return c_ast.BinaryOp(value.operator, _made(value.left), _made(value.right))
        case tree.Conditional(origin=None):
            return c_ast.TernaryOp(*map(_made, (value.condition, value.then, value.otherwise)))
        case tree.Convert(origin=None):
            return _made(value.value)
    return canonical.origin_of(value)


def _type(level: CanonicalLoop) -> CType:
    assert isinstance(level.type, CType)
    return level.type


def is_simple(node: c_ast.Node) -> bool:
    """Whether an expression reads well without parentheses and costs nothing to repeat."""
    return isinstance(node, (c_ast.Constant, c_ast.ID))


def _operand(node: c_ast.Node, show: Show) -> str:
    return show(node) if is_simple(node) else f"({show(node)})"


def step_text(level: CanonicalLoop, show: Show) -> str:
    """The magnitude of the step, as an expression."""
    if level.step_value is not None:
        return str(level.step_value)
    assert level.step is not None
    text = _operand(level.step, show)
    return f"-{text}" if level.step_negated == level.increasing else text


def trip_count(level: CanonicalLoop, sema: Sema, show: Show) -> str:
    """The number of iterations as a ``long long`` expression, which is exact up to 2^63 iterations.

    The bounds are compared in the same type as in the source. Their difference is computed in 64 bits.
    """
    if level.trips is not None:
        return str(level.trips)
    kind = _type(level)
    low, high = _operand(level.lower, show), _operand(level.bound, show)
    relation, up = level.relation, level.increasing
    if relation == "!=":
        relation = "<" if up else ">"
    first, last = (low, high) if up else (high, low)
    if is_pointer(kind):
        span = f"({first} < {last} ? (long long)({last} - {first}) : 0)"
        if relation in ("<=", ">="):
            span = f"({first} <= {last} ? (long long)({last} - {first}) + 1 : 0)"
        return _divided(span, level, show)
    bound_type = strip(decay(sema.type(level.bound)))
    common = usual_arithmetic(kind, bound_type)
    wide = sizeof(common) == 8
    lower_value, bound_value = sema.value(level.lower), sema.value(level.bound)
    starts_at_zero = up and lower_value == 0
    # The loop variable holds the start value in its own type, and is compared in the common type.
    low_c = _converted(low, level.lower, kind, common, sema)
    if lower_value is not None and lower_value >= 0 and _fits(lower_value, kind) and _fits(lower_value, common):
        low_c = low
    is_common = bound_type == common or (bound_value is not None and _fits(bound_value, common))
    high_c = high if is_common else f"({_name(common)}){high}"
    first, last = (low_c, high_c) if up else (high_c, low_c)
    signed = _is_signed(common)
    if wide and signed:
        difference = f"(long long)((unsigned long long){last} - (unsigned long long){first})"
    elif wide:
        difference = f"(long long)({last} - {first})"
    else:
        difference = f"(long long){last} - {first}"
    closed = relation in ("<=", ">=")
    if starts_at_zero and not closed and level.step_value == 1:
        return f"({last} > 0 ? (long long){last} : 0)"
    test = f"{first} {'<=' if closed else '<'} {last} ? "
    otherwise = " : 0"
    if starts_at_zero and closed and not signed:  # no unsigned number is less, and compilers warn of the comparison
        test = otherwise = ""
    if level.step_value == 1:
        return f"({test}{difference}{' + 1' if closed else ''}{otherwise})"
    step = step_text(level, show)
    if wide:  # the distance may be 2^63 or more, but not the number of steps
        distance = difference.removeprefix("(long long)")
        distance = distance if closed else f"({distance} - 1)"
        return f"({test}(long long)({distance} / {step}) + 1{otherwise})"
    if level.step_value is not None:  # the distance of two ints fits an unsigned int, in which GPUs divide faster
        distance = f"((unsigned int){last} - (unsigned int){first}{'' if closed else ' - 1'})"
        return f"({test}(long long)({distance} / {step}u + 1){otherwise})"
    if closed:
        return f"({test}({difference}) / {step} + 1{otherwise})"
    return f"({test}({difference} - 1) / {step} + 1{otherwise})"


def _divided(span: str, level: CanonicalLoop, show: Show) -> str:
    if level.step_value == 1:
        return span
    step = step_text(level, show)
    return f"(({span} + ({step}) - 1) / ({step}))"


def _converted(text: str, node: c_ast.Node, to: CType, common: CType, sema: Sema) -> str:
    own = strip(decay(sema.type(node)))
    to = to.info.underlying if isinstance(to, EnumType) else to
    if own != to:
        text = f"({_name(to)}){text}"
    widened = sizeof(to) < sizeof(common) and not (_is_signed(to) and is_unsigned(common))
    return text if to == common or widened else f"({_name(common)}){text}"


def _fits(value: int, kind: CType) -> bool:
    low, high = integer_range(kind)
    return low <= value <= high


def _name(kind: CType) -> str:
    assert isinstance(kind, Scalar)
    return kind.name


def _is_signed(kind: CType) -> bool:
    return isinstance(kind, Scalar) and not kind.name.startswith("unsigned") and kind.name != "_Bool"


def iteration_value(level: CanonicalLoop, counter: str, show: Show, type_text: str) -> str:
    """The loop variable's value in logical iteration ``counter`` (a ``long long``), as an expression."""
    step = step_text(level, show)
    low = _operand(level.lower, show)
    move = counter if step == "1" else f"{counter} * {step if step.isalnum() else f'({step})'}"
    if isinstance(level.type, Pointer):
        return f"{low} {'+' if level.increasing else '-'} {move}"
    zero = isinstance(level.lower, c_ast.Constant) and level.lower.value == "0"
    if zero and level.increasing:
        return f"({type_text})({move})" if move != counter else f"({type_text}){counter}"
    return f"({type_text})({low} {'+' if level.increasing else '-'} {move})"
