"""Prints ``switch`` statements."""

from __future__ import annotations

from pycparser import c_ast

from ...base.indent import indent
from ..sema import walk
from ..sema.conversions import integer_promote, integer_range, wrap
from ..sema.ctype import CType
from ..syntax.parser import Cleanup
from . import text as ct
from .blocks import block_lines, line_mark
from .declarations import cleanup_lines
from .jumps import can_complete
from .nodes import is_bool_text
from .scope import Scope
from .text import Text

_LONGEST_RANGE = 32  # a case range with up to this many values gets a label for each


def _is_long(values: range) -> bool:
    return values.stop - values.start > _LONGEST_RANGE


def switch_statement(scope: Scope, node: c_ast.Switch, depth: int) -> str:
    t = integer_promote(scope.value_type(node.cond))
    condition = scope.emit(node.cond)
    condition = ct.Cast("int", condition) if is_bool_text(node.cond) else condition
    if ranges := _long_ranges(scope, node.stmt, t):
        bounds = [_label_value(scope, bound, t) for case in ranges for bound in case.expr]
        condition = ct.call(f"rex_start_of_range<{scope.declaration(t)}>", condition, *bounds)
    out = [f"{line_mark(scope, node)}{indent(depth)}switch ({condition.text}) {{\n"]
    scope.body.switch_types.append(t)
    items = node.stmt.block_items or [] if isinstance(node.stmt, c_ast.Compound) else [node.stmt]
    for position, item in enumerate(items):
        if position and _is_label(scope, item) and _falls_through(items[position - 1]):
            out.append(f"{indent(depth + 1)}[[fallthrough]];\n")
        saved, scope.body.hoisted = scope.body.hoisted, []
        if isinstance(item, c_ast.Case | c_ast.Default):
            line = _case_lines(scope, item, depth, items[position + 1 :])
        else:
            line = scope.lines(item, depth + 1, True)
        out += [f"{indent(depth + 1)}{h}\n" for h in scope.body.hoisted]
        scope.body.hoisted = saved
        out.append(line)
    scope.body.switch_types.pop()
    return "".join(out) + f"{indent(depth)}}}\n"


def _is_label(scope: Scope, node: c_ast.Node) -> bool:
    """Whether a label is printed for a statement. A range without values has none."""
    return isinstance(node, c_ast.Case | c_ast.Default) and _case_label(scope, node) != ""


def _falls_through(previous: c_ast.Node) -> bool:
    if isinstance(previous, c_ast.Case | c_ast.Default):
        real = [s for s in previous.stmts or () if not isinstance(s, c_ast.EmptyStatement)]
        return bool(real) and can_complete(real[-1])
    return not isinstance(previous, c_ast.Decl | c_ast.Typedef) and can_complete(previous)


def _case_range(scope: Scope, node: c_ast.Case | c_ast.Default, t: CType) -> range | None:
    """The values of ``case low ... high`` in a switch over type ``t``, or None for other labels."""
    if isinstance(node, c_ast.Default) or not isinstance(node.expr, c_ast.BinaryOp) or node.expr.op != "...":
        return None
    low, high = scope.sema.value(node.expr.left), scope.sema.value(node.expr.right)
    if low is None or high is None:
        raise scope.error(node, "a case range whose bounds are not known is not supported")
    return range(wrap(low, t), wrap(high, t) + 1)


def _long_ranges(scope: Scope, body: c_ast.Node, t: CType) -> list[c_ast.Case]:
    """The case ranges of a switch that get a single label, for their first value. Inner switches do not count."""
    found: list[c_ast.Case] = []
    stack = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.Case) and (values := _case_range(scope, node, t)) and _is_long(values):
            found.append(node)
        if not isinstance(node, c_ast.Switch):
            stack += reversed(list(node))
    return found


def _case_label(scope: Scope, node: c_ast.Case | c_ast.Default) -> str:
    """The label, or one label for each value of a range. nvcc accepts ranges, but ignores their inner values."""
    if isinstance(node, c_ast.Default):
        return "default:"
    t = scope.body.switch_types[-1]
    values = _case_range(scope, node, t)
    if values is None:
        return f"case {_label_value(scope, node.expr, t).text}:"
    if _is_long(values):
        return f"case {_label_value(scope, node.expr.left, t).text}:"
    return " ".join(f"case {value}{'u' if value >= 2**63 else ''}:" for value in values)


def _label_value(scope: Scope, node: c_ast.Node, t: CType) -> Text:
    """A constant as a label of a switch over type ``t``. C converts it, and C++ needs a cast."""
    value = scope.sema.value(node)
    text = scope.emit(node)
    low, high = integer_range(t)
    return text if value is None or low <= value <= high else ct.Cast(scope.declaration(t), text)


def _case_lines(scope: Scope, node: c_ast.Case | c_ast.Default, depth: int, rest: list[c_ast.Node]) -> str:
    """A case with its statements. If no later statement uses its declarations, it gets a block of its own."""
    stmts = [s for s in node.stmts or [] if not isinstance(s, c_ast.EmptyStatement)]
    declares = any(isinstance(s, c_ast.Decl) for s in stmts)
    cleanups = [s for s in stmts if isinstance(s, Cleanup)]
    if cleanups and any(isinstance(item, c_ast.Case | c_ast.Default) for item in rest):
        cleanup_lines(scope, cleanups[0], depth, True)
    label = _case_label(scope, node)
    if not label:
        return block_lines(scope, stmts, depth + 1, True)
    head = f"{line_mark(scope, node)}{indent(depth)}{label}"
    if not stmts:
        return head + (";\n" if not rest else "\n")
    block = declares and _is_private(scope, stmts, rest)
    if len(stmts) == 1 and isinstance(stmts[0], c_ast.Compound):
        stmts, block = stmts[0].block_items or [], True
    inner = block_lines(scope, stmts, depth + 1, declares and not block)
    if block:
        return f"{head} {{\n{inner}{indent(depth)}}}\n"
    return f"{head}\n{inner}" if inner else f"{head};\n"


def _is_private(scope: Scope, stmts: list[c_ast.Node], rest: list[c_ast.Node]) -> bool:
    declared = {scope.sema.decl_symbol(s) for s in stmts if isinstance(s, c_ast.Decl) and s.name is not None}
    if any(isinstance(n, c_ast.Label | c_ast.Case | c_ast.Default) for s in stmts for n in walk(s)):
        return False
    used = (n for item in rest for n in walk(item) if isinstance(n, c_ast.ID))
    return not any(scope.sema.symbol(n) in declared for n in used)


def nested_case(scope: Scope, node: c_ast.Case, depth: int) -> str:
    """A case label inside a nested block."""
    inner = block_lines(scope, node.stmts or [], depth)
    label = _case_label(scope, node)
    if not label:
        return inner
    return f"{indent(max(depth - 1, 0))}{label}" + (f"\n{inner}" if inner else ";\n")
