"""How messages show code."""

from __future__ import annotations

from pycparser import c_ast


def text_of(node: c_ast.Node) -> str:
    """An expression for a message."""
    from pycparser import c_generator

    return str(c_generator.CGenerator().visit(node))
