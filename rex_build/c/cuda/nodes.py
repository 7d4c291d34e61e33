"""What expressions are like as C++ has them, told from their nodes alone."""

from __future__ import annotations

from pycparser import c_ast

from . import text as ct


def is_bool_text(node: c_ast.Node) -> bool:
    """Whether C++ gives the expression type bool where C gives int."""
    if isinstance(node, c_ast.BinaryOp):
        return node.op in ct.COMPARISONS or node.op in ("&&", "||")
    return isinstance(node, c_ast.UnaryOp) and node.op == "!"


def is_plain(node: c_ast.Node) -> bool:
    """Whether printing the expression twice costs and changes nothing."""
    return isinstance(node, c_ast.ID | c_ast.Constant)
