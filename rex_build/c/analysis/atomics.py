"""The statement forms of ``atomic`` (OpenMP 5.2, section 15.8.4), reduced to one operation on one location."""

from __future__ import annotations

import re

from pycparser import c_ast

from ...base.diagnostics import InputError, error_at
from ...base.records import replace
from ...plan.constructs import Atomic
from ..sema import Sema, Symbol
from ..sema.ctype import Pointer, aligned, alignof
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .alignment import loose_alignment
from .call_graph import CallGraph
from .device_library import ATOMIC_PREFIXES

OPERATORS = {
    "+": "rex_add",
    "-": "rex_sub",
    "*": "rex_mul",
    "/": "rex_div",
    "&": "rex_band",
    "|": "rex_bor",
    "^": "rex_bxor",
    "<<": "rex_shl",
    ">>": "rex_shr",
}


_ORDERS = ("seq_cst", "acq_rel", "acquire", "release", "relaxed")


def atomic_operation(unit: ParsedUnit, construct: OmpConstruct) -> Atomic:
    """The operation of an ``atomic`` construct. Raises InputError for a statement in none of its forms."""
    directive = construct.directive
    kind = next((n for n in ("read", "write", "capture", "compare", "update") if directive.has(n)), "update")
    compares = directive.has("compare")
    body = construct.body

    def refuse() -> InputError:
        return error_at(
            unit.span_of(body) if body is not None else directive.span,
            f"not a statement that 'atomic {kind}' can apply to",
            "OpenMP 5.2, section 15.8.4: atomic construct",
        )

    if compares:
        kind = "compare capture" if kind == "capture" else "compare"
        found = _compare_capture(body) if kind == "compare capture" else _compare(body)
    elif kind == "capture":
        found = _capture(body)
    elif kind == "read" and isinstance(body, c_ast.Assignment) and body.op == "=":
        found = Atomic("read", body.rvalue, None, None, False, body.lvalue, False)
    elif kind == "write" and isinstance(body, c_ast.Assignment) and body.op == "=":
        found = Atomic("write", body.lvalue, None, body.rvalue, False, None, False)
    elif kind == "update" and body is not None:
        found = _update(body)
    else:
        found = None
    if found is None or not (is_object(found.location) or isinstance(found.location, c_ast.CompoundLiteral)):
        raise refuse()
    default = unit.requirements.get("atomic_default_mem_order")
    order = next((c.name for c in directive.clauses if c.name in _ORDERS), default)
    return replace(found, ordered=order not in (None, "relaxed"))


_ORDERING = frozenset({"critical", "flush", "ordered", "scan"})


def misaligned(sema: Sema, location: c_ast.Node) -> str | None:
    """Why the object of an lvalue may be misaligned: the member that is, or the lvalue's type if it needs no alignment.

    None if it is aligned.
    """
    align = alignof(aligned(sema.type(location), 0))
    if (loose := loose_alignment(sema, location)) and loose < align:
        return str(sema.type(location))
    while isinstance(location, c_ast.StructRef | c_ast.ArrayRef):
        if isinstance(location, c_ast.StructRef) and sum(f.offset for f in sema.member(location)) % align:
            return str(location.field.name)
        if isinstance(sema.type(location.name), Pointer):
            return None
        location = location.name
    return None


def ordered_between_threads(unit: ParsedUnit, calls: CallGraph, body: c_ast.Node) -> frozenset[Symbol] | None:
    """The variables whose accesses by different threads a body, or a function it reaches, may order. None means all.

    The threads may be of different teams, or of the same worksharing loop. Relaxed atomics of other objects order
    nothing.
    """
    if calls.calls_through_pointers(body) or calls.calls_other_units(body):
        return None
    symbols: set[Symbol] = set()
    for part in (n for b in (body, *(f.body for f in calls.functions(body))) for n in calls.sema.parts(b).nodes):
        if isinstance(part, OmpConstruct) and not _ORDERING.isdisjoint(part.directive.constructs):
            return None
        if isinstance(part, OmpConstruct) and "atomic" in part.directive.constructs:
            operation = atomic_operation(unit, part)
            if operation.ordered:
                return None
            location = operation.location
            if isinstance(location, c_ast.ID) and (symbol := calls.sema.symbol(location)) is not None:
                symbols.add(symbol)
        name = part.name if isinstance(part, c_ast.ID) else ""
        if name.startswith(ATOMIC_PREFIXES) or re.match(r"omp_\w+_lock$", name):
            return None
        if is_atomic_access(calls.sema, part):
            return None
    return frozenset(symbols)


def is_atomic_access(sema: Sema, node: c_ast.Node) -> bool:
    """Whether an expression names an object whose type is ``_Atomic`` (C11, section 6.2.5)."""
    if isinstance(node, c_ast.ID):
        symbol = sema.symbol(node)
        return symbol is not None and "_Atomic" in symbol.type.quals
    return is_object(node) and "_Atomic" in sema.type(node).quals


def is_object(node: c_ast.Node) -> bool:
    """Whether an expression designates an object."""
    is_pointee = isinstance(node, c_ast.UnaryOp) and node.op == "*"
    return is_pointee or isinstance(node, c_ast.ID | c_ast.StructRef | c_ast.ArrayRef)


def _block(node: c_ast.Node | None) -> list[c_ast.Node]:
    """The statements of a (possibly braced) statement."""
    while isinstance(node, c_ast.Compound):
        items = [i for i in node.block_items or [] if not isinstance(i, c_ast.EmptyStatement)]
        if len(items) != 1:
            return items
        node = items[0]
    return [node] if node is not None else []


def _compare(body: c_ast.Node | None) -> Atomic | None:
    """``if (x == e) x = d;``, ``x = x == e ? d : x;`` and the same with ``<`` or ``>`` (where d is e)."""
    statements = _block(body)
    if len(statements) != 1:
        return None
    node = statements[0]
    if isinstance(node, c_ast.If) and node.iffalse is None:
        then = _block(node.iftrue)
        if len(then) == 1 and isinstance(then[0], c_ast.Assignment) and then[0].op == "=":
            return _conditional(node.cond, then[0].lvalue, then[0].rvalue)
    if isinstance(node, c_ast.Assignment) and node.op == "=" and isinstance(node.rvalue, c_ast.TernaryOp):
        choice = node.rvalue
        if choice.iftrue is not None and same_expression(choice.iffalse, node.lvalue):
            return _conditional(choice.cond, node.lvalue, choice.iftrue)
    return None


def _conditional(test: c_ast.Node, x: c_ast.Node, desired: c_ast.Node) -> Atomic | None:
    """``x = desired`` under a condition that compares x."""
    if not isinstance(test, c_ast.BinaryOp) or test.op not in ("==", "<", ">"):
        return None
    if same_expression(test.left, x):
        other, op = test.right, test.op
    elif same_expression(test.right, x):
        other, op = test.left, {"<": ">", ">": "<"}.get(test.op, test.op)
    else:
        return None
    if op == "==":
        return Atomic("compare", x, None, other, False, None, False, desired=desired)
    if not same_expression(other, desired):
        return None
    return Atomic("update", x, "rex_max" if op == "<" else "rex_min", desired, False, None, False)


def _compare_capture(body: c_ast.Node | None) -> Atomic | None:
    """The forms of ``compare capture``.

    They capture the old or new value, only on failure, or the comparison's result.
    """
    statements = _block(body)
    if len(statements) == 1 and isinstance(statements[0], c_ast.If):
        return _with_failure(statements[0])
    if len(statements) == 1 and isinstance(statements[0], c_ast.Assignment):  # v = x = x == e ? d : x;
        outer = statements[0]
        inner = _compare(outer.rvalue)
        return inner.capturing(outer.lvalue, new=True) if inner is not None and outer.op == "=" else None
    if len(statements) != 2:
        return None
    first, second = statements
    if isinstance(first, c_ast.Assignment) and first.op == "=":
        changed = _compare(second)
        if changed is not None and same_expression(first.rvalue, changed.location):
            return changed.capturing(first.lvalue, new=False)
        if isinstance(second, c_ast.If) and same_expression(second.cond, first.lvalue):
            # r = x == e; if (r) x = d; [else v = x;]
            found = _with_failure(c_ast.If(first.rvalue, second.iftrue, second.iffalse))
            return replace(found, outcome=first.lvalue) if found is not None else None
    changed = _compare(first)
    if changed is None or not isinstance(second, c_ast.Assignment) or second.op != "=":
        return None
    return changed.capturing(second.lvalue, new=True) if same_expression(second.rvalue, changed.location) else None


def _with_failure(node: c_ast.If) -> Atomic | None:
    """``if (x == e) x = d; [else v = x;]``"""
    found = _compare(c_ast.If(node.cond, node.iftrue, None))
    if found is None or found.operation != "compare" or node.iffalse is None:
        return found
    otherwise = _block(node.iffalse)
    kept = otherwise[0] if len(otherwise) == 1 else None
    if not isinstance(kept, c_ast.Assignment) or kept.op != "=" or not same_expression(kept.rvalue, found.location):
        return None
    return replace(found, captured=kept.lvalue, on_failure=True)


def plain_update(node: c_ast.Node) -> Atomic | None:
    """The operation of a statement to which ``atomic`` or ``atomic compare`` could apply and which only updates."""
    found = _compare(node) or _update(node)
    return found if found is not None and found.operation == "update" else None


def _update(node: c_ast.Node) -> Atomic | None:
    if isinstance(node, c_ast.UnaryOp) and node.op in ("++", "p++", "--", "p--"):
        return Atomic("update", node.expr, OPERATORS[node.op.strip("p")[0]], None, False, None, False)
    if not isinstance(node, c_ast.Assignment):
        return None
    if node.op != "=":
        tag = OPERATORS.get(node.op[:-1])
        return Atomic("update", node.lvalue, tag, node.rvalue, False, None, False) if tag else None
    total = node.rvalue
    if isinstance(total, c_ast.BinaryOp) and total.op in OPERATORS:
        # ``x = x op a op b`` means ``x = x op (a op b)`` only if op is associative. The leftmost operand decides.
        if same_expression(node.lvalue, total.left):
            return Atomic("update", node.lvalue, OPERATORS[total.op], total.right, False, None, False)
        if same_expression(node.lvalue, total.right):
            return Atomic("update", node.lvalue, OPERATORS[total.op], total.left, True, None, False)
        if total.op in "+*&|^":
            rest = _without(total, node.lvalue, total.op)
            if rest is not None:
                return Atomic("update", node.lvalue, OPERATORS[total.op], rest, False, None, False)
    return None


def _without(total: c_ast.Node, x: c_ast.Node, op: str) -> c_ast.Node | None:
    """``a op b`` from ``x op a op b`` (a chain of one associative operator with ``x`` leftmost)."""
    if not isinstance(total, c_ast.BinaryOp) or total.op != op:
        return None
    if same_expression(total.left, x):
        return total.right
    left = _without(total.left, x, op)
    return c_ast.BinaryOp(op, left, total.right, total.coord) if left is not None else None


def _capture(body: c_ast.Node | None) -> Atomic | None:
    if isinstance(body, c_ast.Compound):
        items = body.block_items or []
        if len(items) != 2:
            return None
        first, second = items
        if isinstance(first, c_ast.Assignment) and first.op == "=":
            changed = _update(second)
            if changed is not None and same_expression(first.rvalue, changed.location):
                return changed.capturing(first.lvalue, new=False)
            if (
                isinstance(second, c_ast.Assignment)
                and second.op == "="
                and same_expression(first.rvalue, second.lvalue)
            ):
                return Atomic("exchange", second.lvalue, None, second.rvalue, False, first.lvalue, False)
        if isinstance(second, c_ast.Assignment) and second.op == "=":
            changed = _update(first)
            if changed is not None and same_expression(second.rvalue, changed.location):
                return changed.capturing(second.lvalue, new=True)
        return None
    if not isinstance(body, c_ast.Assignment) or body.op != "=":
        return None
    changed = _update(body.rvalue)
    if changed is None:
        return None
    post = isinstance(body.rvalue, c_ast.UnaryOp) and body.rvalue.op.startswith("p")
    return changed.capturing(body.lvalue, new=not post)


def same_expression(a: c_ast.Node, b: c_ast.Node) -> bool:
    """Whether two pure expressions are written alike."""
    mine, theirs = a.children(), b.children()
    return (
        type(a) is type(b)
        and all(getattr(a, name) == getattr(b, name) for name in a.attr_names)
        and len(mine) == len(theirs)
        and all(same_expression(x, y) for (_, x), (_, y) in zip(mine, theirs, strict=True))
    )
