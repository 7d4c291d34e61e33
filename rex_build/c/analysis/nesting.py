"""Finds which constructs are nested in which."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ..sema import Sema
from ..syntax.nodes import OmpConstruct, branches


def constructs_in(sema: Sema, node: c_ast.Node) -> Sequence[OmpConstruct]:
    """The OpenMP constructs inside a statement, including the statement itself, in source order."""
    return sema.parts(node).of(OmpConstruct)


def has_leaf(sema: Sema, node: c_ast.Node, *leaves: str) -> bool:
    """Whether a statement contains a construct with one of these leaf constructs."""
    return any(set(c.directive.constructs).intersection(leaves) for c in constructs_in(sema, node))


def nesting(sema: Sema, roots: Sequence[c_ast.Node]) -> dict[OmpConstruct, tuple[OmpConstruct, ...]]:
    """For every construct, the constructs around it, outermost first."""
    around: dict[OmpConstruct, tuple[OmpConstruct, ...]] = {}
    stack: list[tuple[c_ast.Node, tuple[OmpConstruct, ...]]] = []
    for root in roots:
        if list(found := constructs_in(sema, root)) == [root]:  # there is nothing to look for inside
            around[root] = ()
        elif found:
            stack.append((root, ()))
    while stack:
        node, outer = stack.pop()
        if isinstance(node, OmpConstruct):
            around[node] = outer
            outer = (*outer, node)
        stack += [(part, outer) for part in branches(node)]
    return around
