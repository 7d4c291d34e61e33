"""Statements that combine a variable with a value, such as ``s += a[i]``: which of them may be made in any order.

Threads can each combine some of the values, and then combine what they have, if an update is the operation itself. So
its value has no effects and is always evaluated, nothing uses the update's own value, and no conversion stands between
the operation and the variable: ``s += 0.5`` with an ``int`` drops the fraction each time. For integers a conversion to
fewer bits may stand there, because sums, products and bit operations are the same modulo a power of 2. An extremum
compares with values of which the variable's type has all. If one of the values is no number, it must be left out, as
in ``if (x > s) s = x;``: ``s = s > x ? s : x`` takes it, and then the value after it.

In another order sums and products of floating point numbers are rounded otherwise, and of zeros of both signs another
one is kept. A program that names a variable in a ``reduction`` clause says that this does not matter
(docs/performance.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pycparser import c_ast, c_generator

from ....plan.code import Entity
from ....plan.sharing import Reduction
from ...sema import Sema, walk
from ...sema.conversions import integer_range, usual_arithmetic
from ...sema.ctype import BOOL, DOUBLE, FLOAT, CType, strip
from ...sema.type_questions import is_arithmetic, is_integer
from ...syntax.nodes import OmpConstruct
from ..device_library import MATH_FUNCTIONS
from ..purity import called_name, is_pure

_printer = c_generator.CGenerator()
_STEPS = ("++", "--", "p++", "p--")
_MINIMA = {"rex_min": ("<", "<=", "fmin"), "rex_max": (">", ">=", "fmax")}
_OPERATORS = {
    "rex_add": ("+", "-"),
    "rex_mul": ("*",),
    "rex_band": ("&",),
    "rex_bor": ("|",),
    "rex_bxor": ("^",),
    "rex_land": ("&&",),
    "rex_lor": ("||",),
}
_SHORTCUTS = ("&&", "||")
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_Mine = Callable[["c_ast.Node | None"], bool]


def statements(node: c_ast.Node | None) -> Iterator[c_ast.Node]:
    """The statements in a body, each before those inside it. Nobody uses the values of expressions among them."""
    match node:
        case None:
            return
        case c_ast.Compound():
            for item in node.block_items or ():
                yield from statements(item)
        case c_ast.If():
            yield node
            yield from statements(node.iftrue)
            yield from statements(node.iffalse)
        case c_ast.For() | c_ast.While() | c_ast.DoWhile() | c_ast.Switch():
            yield from statements(node.stmt)
        case c_ast.Case() | c_ast.Default():
            for item in node.stmts or ():
                yield from statements(item)
        case OmpConstruct() if node.directive.constructs == ("simd",):
            yield from statements(node.body)
        case _:
            yield node


def combined(sema: Sema, node: c_ast.Node, reduction: Reduction) -> list[c_ast.Node]:
    """The mentions of a variable in a statement that combines it with a value, if the order does not matter."""
    symbol, operators = reduction.symbol, _OPERATORS.get(reduction.operator, ())

    def mine(part: c_ast.Node | None) -> bool:
        return isinstance(part, c_ast.ID) and sema.symbol(part) is symbol

    def free(part: c_ast.Node | None) -> bool:
        return part is not None and _only_computes(sema, part, symbol)

    match node:
        case c_ast.Assignment() if mine(node.lvalue) and node.op.removesuffix("=") in operators and free(node.rvalue):
            return [node.lvalue] if _is_exact(sema, symbol, node.rvalue) else []
        case c_ast.UnaryOp() if node.op in _STEPS and "+" in operators and mine(node.expr):
            return [node.expr] if strip(symbol.type) != BOOL else []
        case c_ast.Assignment(op="=", rvalue=c_ast.BinaryOp()) if mine(node.lvalue) and node.rvalue.op in operators:
            return _operation(sema, node, symbol, mine, free)
        case c_ast.If(iffalse=None, cond=c_ast.BinaryOp()):
            taken = _only_assignment(node.iftrue)
            if taken is not None and mine(taken.lvalue) and free(taken.rvalue):
                found = _extremum(sema, node.cond, taken.rvalue, reduction, mine)
                return [taken.lvalue, found] if found is not None else []
        case c_ast.Assignment(op="=", rvalue=c_ast.TernaryOp(cond=c_ast.BinaryOp())) if mine(node.lvalue):
            choice = node.rvalue
            kept, taken = (choice.iffalse, choice.iftrue) if mine(choice.iffalse) else (choice.iftrue, choice.iffalse)
            swapped = kept is choice.iftrue
            if mine(kept) and free(taken):
                found = _extremum(sema, choice.cond, taken, reduction, mine, swapped)
                return [node.lvalue, kept, found] if found is not None else []
        case c_ast.Assignment(op="=", rvalue=c_ast.FuncCall()) if mine(node.lvalue) and reduction.operator in _MINIMA:
            return _library_extremum(sema, node, reduction, mine, free)
    return []


def _only_computes(sema: Sema, value: c_ast.Node, symbol: Entity) -> bool:
    """Whether a value has no effects, and does not depend on the variable that it is combined with."""
    for part in walk(value):
        match part:
            case c_ast.ID():
                if sema.symbol(part) is symbol:
                    return False
            case c_ast.FuncCall():
                name = called_name(sema, part)
                if name is None or not (is_pure(sema, name) if name in sema.functions else name in MATH_FUNCTIONS):
                    return False
            case c_ast.UnaryOp() if part.op in _STEPS:
                return False
            case c_ast.Assignment() | c_ast.Compound() | OmpConstruct():
                return False
    return True


def _cannot_fail(value: c_ast.Node) -> bool:
    """Whether a value may be computed although the program does not: it reads no memory, and divides by nothing."""
    for part in walk(value):
        match part:
            case c_ast.ArrayRef() | c_ast.StructRef(type="->") | c_ast.FuncCall() | c_ast.UnaryOp(op="*"):
                return False
            case c_ast.BinaryOp(op="/" | "%" | "<<" | ">>"):
                return False
    return True


def _is_exact(sema: Sema, symbol: Entity, *values: c_ast.Node) -> bool:
    """Whether the result of an operation with values is kept as it is, or modulo a power of 2."""
    own = strip(symbol.type)
    kinds = [strip(sema.value_type(value)) for value in values]
    if own == BOOL or not all(is_arithmetic(kind) for kind in (own, *kinds)):
        return False
    if is_integer(own):
        return all(is_integer(kind) for kind in kinds)
    return all(usual_arithmetic(own, kind) == own for kind in kinds)


def _operation(sema: Sema, node: c_ast.Assignment, symbol: Entity, mine: _Mine, free: _Mine) -> list[c_ast.Node]:
    """The mentions in ``s = s + value`` and the like."""
    total = node.rvalue
    shortcut = total.op in _SHORTCUTS
    if mine(total.left) and free(total.right):
        value, use = total.right, total.left
        if shortcut and not _cannot_fail(value):
            return []
    elif mine(total.right) and free(total.left) and total.op != "-":
        value, use = total.left, total.right
    else:
        return []
    if shortcut:
        return [node.lvalue, use]
    return [node.lvalue, use] if _is_exact(sema, symbol, value) else []


def _only_assignment(node: c_ast.Node | None) -> c_ast.Assignment | None:
    while isinstance(node, c_ast.Compound) and len(node.block_items or ()) == 1:
        node = node.block_items[0]
    return node if isinstance(node, c_ast.Assignment) and node.op == "=" else None


def _extremum(
    sema: Sema,
    condition: c_ast.BinaryOp,
    taken: c_ast.Node,
    reduction: Reduction,
    mine: _Mine,
    swapped: bool = False,
) -> c_ast.Node | None:
    """The mention of ``s`` in the condition of ``if (value > s) s = value;`` for a maximum, and the like.

    ``swapped`` says that ``s`` is kept if the condition holds.
    """
    relation, value, own = condition.op, condition.left, condition.right
    if mine(condition.left):
        relation, value, own = _MIRRORED.get(relation, ""), condition.right, condition.left
    if swapped:
        relation = _MIRRORED.get(relation, "")
    if not mine(own) or relation not in _MINIMA.get(reduction.operator, ())[:2]:
        return None
    if _printer.visit(value) != _printer.visit(taken):
        return None
    if is_integer(strip(reduction.symbol.type)):
        return own if _has_all_values(reduction.symbol.type, sema.value_type(value)) else None
    return own if not swapped and _is_exact(sema, reduction.symbol, value) else None


def _has_all_values(kind: CType, other: CType) -> bool:
    """Whether an integer type has all values of another one."""
    kind, other = strip(kind), strip(other)
    if not is_integer(kind) or not is_integer(other):
        return False
    (low, high), (lowest, highest) = integer_range(kind), integer_range(other)
    return low <= lowest and highest <= high


def _library_extremum(
    sema: Sema, node: c_ast.Assignment, reduction: Reduction, mine: _Mine, free: _Mine
) -> list[c_ast.Node]:
    """The mentions in ``s = fmax(s, value)`` and the like, in the function for the variable's type."""
    name, arguments = called_name(sema, node.rvalue) or "", node.rvalue.args.exprs if node.rvalue.args else []
    kind = strip(reduction.symbol.type)
    base = _MINIMA[reduction.operator][2]
    if len(arguments) != 2 or name in sema.functions or {DOUBLE: base, FLOAT: f"{base}f"}.get(kind) != name:
        return []
    own = [a for a in arguments if mine(a)]
    others = [a for a in arguments if a not in own]
    if len(own) != 1 or not free(others[0]) or not _is_exact(sema, reduction.symbol, others[0]):
        return []
    return [node.lvalue, own[0]]
