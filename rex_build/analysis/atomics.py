"""The statement forms of ``atomic`` (OpenMP 5.2, section 15.8.4), reduced to one operation on one location."""

from __future__ import annotations

from pycparser import c_ast

from ..cparse import OmpConstruct, ParsedUnit
from ..diagnostics import InputError, error_at
from ..plan import Atomic
from .mapping import same_expression

_TAGS = {
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


def atomic_operation(unit: ParsedUnit, construct: OmpConstruct) -> Atomic:
    """What an ``atomic`` construct does. Raises InputError for statements that are none of its forms."""
    directive = construct.directive
    kind = next((n for n in ("read", "write", "capture", "update") if directive.has(n)), "update")
    body = construct.body

    def refuse() -> InputError:
        return error_at(
            unit.span_of(body) if body is not None else directive.span,
            f"not a statement that 'atomic {kind}' can apply to",
            "OpenMP 5.2, section 15.8.4: atomic construct",
        )

    if kind == "capture":
        found = _capture(body)
    elif kind == "read" and isinstance(body, c_ast.Assignment) and body.op == "=":
        found = Atomic("read", body.rvalue, None, None, False, body.lvalue, False)
    elif kind == "write" and isinstance(body, c_ast.Assignment) and body.op == "=":
        found = Atomic("write", body.lvalue, None, body.rvalue, False, None, False)
    elif kind == "update" and body is not None:
        found = _update(body)
    else:
        found = None
    if found is None:
        raise refuse()
    return found


def _update(node: c_ast.Node) -> Atomic | None:
    if isinstance(node, c_ast.UnaryOp) and node.op in ("++", "p++", "--", "p--"):
        return Atomic("update", node.expr, _TAGS[node.op.strip("p")[0]], None, False, None, False)
    if not isinstance(node, c_ast.Assignment):
        return None
    if node.op != "=":
        tag = _TAGS.get(node.op[:-1])
        return Atomic("update", node.lvalue, tag, node.rvalue, False, None, False) if tag else None
    total = node.rvalue
    if isinstance(total, c_ast.BinaryOp) and total.op in _TAGS:
        # x = x op a op b is x = x op (a op b) to the programmer only when op associates; the leftmost operand decides.
        if same_expression(node.lvalue, total.left):
            return Atomic("update", node.lvalue, _TAGS[total.op], total.right, False, None, False)
        if same_expression(node.lvalue, total.right):
            return Atomic("update", node.lvalue, _TAGS[total.op], total.left, True, None, False)
        if total.op in "+*&|^":
            rest = _without(total, node.lvalue, total.op)
            if rest is not None:
                return Atomic("update", node.lvalue, _TAGS[total.op], rest, False, None, False)
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
            if isinstance(second, c_ast.Assignment) and second.op == "=" and same_expression(first.rvalue, second.lvalue):
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
