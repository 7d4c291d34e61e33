"""Properties that expressions have in C++, found from their nodes alone."""

from __future__ import annotations

from pycparser import c_ast

from . import text as ct


def is_bool_text(node: c_ast.Node) -> bool:
    """Whether the expression has type bool in C++ and int in C."""
    if isinstance(node, c_ast.BinaryOp):
        return node.op in ct.COMPARISONS or node.op in ("&&", "||")
    return isinstance(node, c_ast.UnaryOp) and node.op == "!"


def is_plain(node: c_ast.Node) -> bool:
    """Whether the expression may be printed twice without cost and without another meaning."""
    return isinstance(node, c_ast.ID | c_ast.Constant)
