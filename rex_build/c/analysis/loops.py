"""Analyses canonical loops: finds the facts of an OpenMP loop nest and the number of its iterations.

Source: OpenMP 5.2, section 4.4.1 (canonical loop nest form) and 4.4.2 (OpenMP loop-iteration spaces).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from pycparser import c_ast, c_generator

from ...base.diagnostics import InputError, error_at
from ...base.records import replace
from ...base.spans import SourceSpan
from ...openmp.canonical import RULE, Head, check_bounds, check_unchanged, course_of, nest_of
from ...plan.code import Code, Entity
from ...plan.loops import CanonicalLoop, LoopNest
from ..sema import Sema, Symbol, walk
from ..sema.conversions import decay, integer_promote, integer_range, usual_arithmetic
from ..sema.ctype import BOOL, CType, EnumType, Pointer, Scalar, sizeof, strip
from ..sema.type_questions import is_integer, is_pointer, is_unsigned
from ..syntax.attach import MOST_CONSTRUCTS
from ..syntax.nodes import LEAVES, OmpConstruct, ParsedUnit, only_loop, single_statement
from ..syntax.parser import Cleanup
from .forms import form_of

_INT_MAX = 2**31 - 1
_C = c_generator.CGenerator()

Show = Callable[[c_ast.Node], str]


class _Loops:
    """The loops of C (see :class:`~rex_build.openmp.canonical.Loops`)."""

    def __init__(self, unit: ParsedUnit, sema: Sema) -> None:
        self._unit, self._sema = unit, sema

    def only_loop(self, statement: c_ast.Node) -> tuple[c_ast.Node | None, bool]:
        only = single_statement(statement)
        return (only, True) if isinstance(only, c_ast.For) else (only_loop(statement), False)

    def canonical(self, loop: c_ast.Node) -> tuple[CanonicalLoop, c_ast.Node]:
        assert isinstance(loop, c_ast.For)
        return canonical_loop(self._unit, self._sema, loop), loop.stmt

    def names(self, code: Code) -> Iterator[tuple[Symbol | None, SourceSpan]]:
        nodes = walk(code) if isinstance(code, c_ast.Node) else ()
        return ((self._sema.symbol(n), self._unit.span_of(n)) for n in nodes if isinstance(n, c_ast.ID))

    def span(self, statement: c_ast.Node) -> SourceSpan | None:
        only = single_statement(statement)
        at = only if only is not None else statement
        return None if isinstance(at, OmpConstruct) else self._unit.span_of(at)


def canonical_nest(
    unit: ParsedUnit, sema: Sema, construct: OmpConstruct, body: c_ast.Node, depth: int, private: Container[Entity] = ()
) -> LoopNest:
    """The ``depth`` nested canonical loops in ``body``, of which ``private`` variables have copies without a value."""
    if depth > MOST_CONSTRUCTS:
        what = f"'{construct.directive.name}' of more than {MOST_CONSTRUCTS} loops is not supported"
        raise error_at(construct.directive.span, what)
    loops = _Loops(unit, sema)
    levels, inner, rest = nest_of(construct.directive, depth, body, loops)
    nest = LoopNest(tuple(levels), rest, tuple(inner), len(levels) == 1 and _counts_in_32_bits(levels[0], sema))
    check_bounds(nest, private, loops)
    return nest


def canonical_loop(unit: ParsedUnit, sema: Sema, loop: c_ast.For) -> CanonicalLoop:
    """A loop in canonical form. Several stages ask for it. Raises InputError for other loops."""
    known = sema.answers(canonical_loop)
    if loop not in known:
        known[loop] = _canonical_loop(unit, sema, loop)
    return known[loop]


def _canonical_loop(unit: ParsedUnit, sema: Sema, loop: c_ast.For) -> CanonicalLoop:
    def refuse(node: c_ast.Node | None, what: str) -> InputError:
        return error_at(unit.span_of(node if node is not None else loop), f"{what} is not canonical", RULE)

    if isinstance(loop.init, c_ast.DeclList) and any(isinstance(item, Cleanup) for item in loop.init.decls):
        raise error_at(unit.span_of(loop.init), "the attribute 'cleanup' of an OpenMP loop's variable is not supported")
    head = _head(sema, loop)
    if head is None:
        raise refuse(loop.init, "this loop's initialisation")
    symbol = head.symbol
    assert isinstance(symbol, Symbol)
    kind = strip(symbol.type)
    if not (is_integer(kind) or is_pointer(kind)):
        raise refuse(loop.init, "a loop variable that is neither integer nor pointer")
    if kind == BOOL:
        raise refuse(loop.init, "a loop variable of type '_Bool'")
    course = course_of(
        head,
        lambda part: sema.value(part.node),
        lambda part: {symbol} if any(_is(sema, n, symbol) for n in walk(part.node)) else (),
        lambda part: unit.span_of(part.node if part is not None else loop),
    )
    lower, bound = course.lower.node, course.bound.node
    for what, node in (("start", lower), ("bound", bound)):
        given = sema.value_type(node)
        if not (_point_to_the_same(kind, given) if is_pointer(kind) else is_integer(given)):
            raise refuse(node, f"a {what} of type '{given}' for a loop variable of type '{symbol.type}'")
    step = course.step.node if course.step is not None else None
    if step is not None and not is_integer(sema.value_type(step)):
        raise refuse(step, f"an increment of type '{sema.value_type(step)}'")
    check_unchanged(symbol, _changes(unit, sema, symbol, loop.stmt))
    level = CanonicalLoop(
        symbol=symbol,
        type=kind,
        declared=head.declared,
        lower=lower,
        bound=bound,
        step=step,
        step_value=course.step_value,
        step_negated=course.step_negated,
        increasing=course.increasing,
        relation=course.relation,
        trips=None,
        narrow_counts=0,
        span=unit.span_of(loop),
    )
    return counted(level, sema)


def counted(level: CanonicalLoop, sema: Sema) -> CanonicalLoop:
    """A loop with what follows from its bounds about the number of its iterations."""
    return replace(level, trips=_constant_trip_count(level, sema), narrow_counts=_narrow_counts(level, sema))


def _changes(unit: ParsedUnit, sema: Sema, symbol: Symbol, body: c_ast.Node) -> Iterator[SourceSpan]:
    """Where a statement assigns a variable."""
    for node in walk(body):
        assigned = node.lvalue if isinstance(node, c_ast.Assignment) else None
        if isinstance(node, c_ast.UnaryOp) and node.op in ("++", "p++", "--", "p--"):
            assigned = node.expr
        if assigned is not None and _is(sema, assigned, symbol):
            yield unit.span_of(node)


def _point_to_the_same(one: CType, other: CType) -> bool:
    """Whether two types are pointers to the same type, but for its qualifiers. Their difference counts elements."""
    return isinstance(one, Pointer) and isinstance(other, Pointer) and strip(one.to) == strip(other.to)


def _head(sema: Sema, loop: c_ast.For) -> Head | None:
    """The head of a loop, or None if it gives no variable a value."""
    symbol, declared, lower, init = None, False, None, loop.init
    if isinstance(init, c_ast.DeclList) and len(init.decls) == 1:
        (decl,) = init.decls  # GNU C allows a static assertion, too
        if isinstance(decl, c_ast.Decl) and decl.init is not None:
            symbol, declared, lower = sema.decl_symbol(decl), True, decl.init
    if isinstance(init, c_ast.Assignment) and init.op == "=" and isinstance(init.lvalue, c_ast.ID):
        symbol, lower = sema.symbol(init.lvalue), init.rvalue
    if symbol is None or lower is None:
        return None
    condition, increment = (form_of(node, sema) if node is not None else None for node in (loop.cond, loop.next))
    return Head(symbol, declared, form_of(lower, sema), condition, increment)


def _is(sema: Sema, node: c_ast.Node | None, symbol: Symbol) -> bool:
    return isinstance(node, c_ast.ID) and sema.symbol(node) is symbol


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


def _constant_trip_count(level: CanonicalLoop, sema: Sema) -> int | None:
    """The number of iterations, if every part of the loop's head is a non-negative constant that keeps its value.

    It is also known if the loop begins at its bound.
    """
    kind = _type(level)
    if _are_same(level.lower, level.bound) and (is_pointer(kind) or _holds(level.lower, kind, sema)):
        return 1 if level.relation in ("<=", ">=") else 0
    low, high, step = sema.value(level.lower), sema.value(level.bound), level.step_value
    if low is None or high is None or step is None or min(low, high) < 0 or not is_integer(kind):
        return None
    common = usual_arithmetic(kind, strip(decay(sema.type(level.bound))))
    if not (_fits(low, kind) and _fits(low, common) and _fits(high, common)):
        return None
    distance = high - low if level.increasing else low - high
    if level.relation in ("<=", ">="):
        distance += 1
    return max(0, -(-distance // step))


def _are_same(a: c_ast.Node, b: c_ast.Node) -> bool:
    """Whether two expressions without side effects read the same."""
    if type(a) is not type(b) or any(isinstance(n, (c_ast.FuncCall, c_ast.Assignment)) for n in walk(a)):
        return False
    return bool(_C.visit(a) == _C.visit(b))


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


def _holds(node: c_ast.Node, kind: CType, sema: Sema) -> bool:
    """Whether a variable of this type surely holds the value of the expression that initialises it."""
    value = sema.value(node)
    return strip(decay(sema.type(node))) == kind if value is None else _fits(value, kind)


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


def iteration_range(level: CanonicalLoop, name: str, sema: Sema, show: Show) -> list[str]:
    """Conditions on the loop variable ``name`` that hold in every iteration, of variables and numbers alone."""
    kind = _type(level)
    if not is_integer(kind) or level.relation == "!=":
        return []
    found = []
    for part, relation in ((level.lower, ">=" if level.increasing else "<="), (level.bound, level.relation)):
        value = sema.value(part)
        plain = all(isinstance(n, (c_ast.ID, c_ast.Constant, c_ast.BinaryOp, c_ast.UnaryOp)) for n in walk(part))
        plain = plain and not any(isinstance(n, c_ast.UnaryOp) and n.op not in ("+", "-") for n in walk(part))
        high = integer_range(kind)[1]
        same = strip(decay(sema.type(part))) == kind if value is None else 0 <= value <= min(high, _INT_MAX)
        if plain and same and not (value == 0 and is_unsigned(kind)):
            found.append(f"{name} {relation} {_operand(part, show)}")
    return found


def _narrow_counts(level: CanonicalLoop, sema: Sema) -> int:
    """The most iterations for which ``iteration_value`` stays in the range of ``int`` if the loop variable does."""
    if level.step_value is None:
        return 0
    most, kind = _INT_MAX // level.step_value, _type(level)
    if is_pointer(kind):
        return most
    low, start = integer_promote(strip(decay(sema.type(level.lower)))), sema.value(level.lower)
    if sizeof(low) == 8 or (sizeof(kind) >= 4 and integer_promote(kind) == low):
        return most
    if sizeof(kind) <= 4 and is_unsigned(low):
        return most  # everything is computed modulo 2^32
    if start is None or abs(start) > _INT_MAX:
        return 0
    way = _INT_MAX - start if level.increasing else _INT_MAX + start
    return min(most, way // level.step_value + 1)


def loop_depth(node: c_ast.Node) -> int:
    """The depth to which loops are nested in a statement (0 without a loop)."""
    depth = 0
    stack = [(node, 0)]
    while stack:
        one, around = stack.pop()
        if type(one) in LEAVES:  # most nodes
            continue
        if isinstance(one, (c_ast.For, c_ast.While, c_ast.DoWhile)):
            around += 1
            depth = max(depth, around)
        stack += [(child, around) for child in one]
    return depth


def _counts_in_32_bits(level: CanonicalLoop, sema: Sema) -> bool:
    """Whether a loop surely has at most 2^31 iterations, and its variable at most 32 bits."""
    kind = _type(level)
    if isinstance(kind, Pointer) or sizeof(kind) > 4 or not _is_signed(kind):
        return False
    bounds = (level.lower, level.bound)
    if any(isinstance(strip(decay(sema.type(b))), Pointer) or sizeof(strip(decay(sema.type(b)))) > 4 for b in bounds):
        return False
    least = sema.value(level.lower if level.increasing else level.bound)
    return least is not None and least >= 0
