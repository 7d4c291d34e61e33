"""Turns ``fprintf`` to the standard streams into ``printf`` for device code, which has only the program's stdout.

Device code is made from the tree. The host's text is not changed.
"""

from __future__ import annotations

from pycparser import c_ast

from ...base.patterns import regex
from ..syntax.nodes import branches

_MENTIONED = regex(r"\b(?:fprintf|fputs)\s*\([^;]*\b(?:stdout|stderr)\b")


def use_one_stream(tree: c_ast.FileAST, text: str) -> None:
    """Rewrite the calls in the functions of ``tree``; ``text`` is the preprocessed text."""
    if not _MENTIONED.search(text):
        return
    stack: list[c_ast.Node] = [item.body for item in tree.ext if isinstance(item, c_ast.FuncDef)]
    while stack:
        node = stack.pop()
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.args is not None:
            arguments = node.args.exprs
            if node.name.name == "fprintf" and _is_standard(arguments[0]):
                node.name.name = "printf"
                node.args.exprs = arguments[1:]
            elif node.name.name == "fputs" and len(arguments) == 2 and _is_standard(arguments[1]):
                node.name.name = "printf"
                node.args.exprs = [c_ast.Constant("string", '"%s"', node.coord), arguments[0]]
        stack += branches(node)


def _is_standard(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.ID) and node.name in ("stdout", "stderr")
