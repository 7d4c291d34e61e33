"""Prints the statements of a block, one a line, indented by four spaces a level, with their temporaries before them."""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from ...base.indent import indent
from ...base.line_directives import line_marker
from ...base.records import dataclass
from .scope import Scope

SIMPLE = (
    c_ast.Assignment, c_ast.FuncCall, c_ast.UnaryOp, c_ast.BinaryOp, c_ast.TernaryOp, c_ast.ID, c_ast.Constant,
    c_ast.Cast, c_ast.ExprList, c_ast.ArrayRef, c_ast.StructRef, c_ast.Return, c_ast.Break, c_ast.Continue, c_ast.Goto,
)  # fmt: skip


def block_lines(scope: Scope, items: Iterable[c_ast.Node], depth: int, split: bool = False) -> str:
    """The statements of one block. The temporaries of a statement are declared before it."""
    out: list[str] = []
    for item in items:
        saved, scope.body.hoisted = scope.body.hoisted, []
        text = scope.lines(item, depth, split or item in scope.body.split)
        out += [f"{indent(depth)}{line}\n" for line in scope.body.hoisted]
        out.append(text)
        scope.body.hoisted = saved
    return "".join(out)


def line_mark(scope: Scope, node: c_ast.Node) -> str:
    scope.body.where = node if getattr(node, "coord", None) is not None else scope.body.where
    if scope.unit.locate is None or getattr(node, "coord", None) is None:
        return ""
    span = scope.unit.locate(node)
    return line_marker(span) if span is not None else ""


def compound(scope: Scope, node: c_ast.Compound, depth: int) -> str:
    inner = block_lines(scope, node.block_items or [], depth + 1)
    return f"{indent(depth)}{{\n{inner}{indent(depth)}}}\n"


@dataclass(frozen=True)
class Branch:
    """The text after ``if (...)``: a statement on a line of its own, or a block up to its closing brace."""

    text: str
    is_block: bool

    def ended(self) -> str:
        """The branch with the end of its last line."""
        return self.text + "\n" * self.is_block


def branch(scope: Scope, node: c_ast.Node, depth: int, braces: bool = False, loop: c_ast.Node | None = None) -> Branch:
    """The text after ``if (...)`` or after the head of the ``loop``."""
    steps = scope.around.steps
    waits = steps is not None and loop in steps.ends
    before = scope.around.before.get(node, ())
    stepped = steps is not None and node in steps.barriers | steps.guarded | steps.computed
    braces = braces or waits or stepped or bool(before)
    if isinstance(node, SIMPLE) and not braces:
        saved, scope.body.hoisted = scope.body.hoisted, []
        text = scope.lines(node, depth + 1)
        needs_block = bool(scope.body.hoisted)
        scope.body.hoisted = saved
        if not needs_block:
            return Branch(f"\n{text}", is_block=False)
    items = node.block_items or [] if isinstance(node, c_ast.Compound) else [node]
    if isinstance(node, c_ast.EmptyStatement):
        items = []
    inner = "".join(f"{indent(depth + 1)}{line}\n" for line in before) if isinstance(node, c_ast.Compound) else ""
    inner += block_lines(scope, items, depth + 1)
    if waits:
        inner += f"{indent(depth + 1)}rex_team_wait();\n"
    return Branch(f" {{\n{inner}{indent(depth)}}}", is_block=True)
