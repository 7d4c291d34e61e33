"""Which constructs stand in which."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ..sema import walk
from ..syntax.nodes import OmpConstruct


def constructs_in(node: c_ast.Node) -> list[OmpConstruct]:
    """The OpenMP constructs inside a statement, itself included, in source order."""
    return [n for n in walk(node) if isinstance(n, OmpConstruct)]


def has_leaf(node: c_ast.Node, *leaves: str) -> bool:
    """Whether a construct with one of these leaf constructs stands in a statement."""
    return any(set(c.directive.constructs).intersection(leaves) for c in constructs_in(node))


def nesting(roots: Sequence[c_ast.Node]) -> dict[OmpConstruct, tuple[OmpConstruct, ...]]:
    """For every construct the ones that it is nested in, outermost first."""
    around: dict[OmpConstruct, tuple[OmpConstruct, ...]] = {}
    stack: list[tuple[c_ast.Node, tuple[OmpConstruct, ...]]] = [(root, ()) for root in roots]
    while stack:
        node, outer = stack.pop()
        if isinstance(node, OmpConstruct):
            around[node] = outer
            outer = (*outer, node)
        stack += [(child, outer) for _, child in node.children()]
    return around


def outermost_parallel(body: c_ast.Node) -> list[OmpConstruct]:
    """The constructs with parallel regions in a statement that stand in no other such region of it."""
    found: list[OmpConstruct] = []
    deeper: set[c_ast.Node] = set()
    for construct in constructs_in(body):
        if "parallel" in construct.directive.constructs and construct.body is not None and construct not in deeper:
            deeper.update(constructs_in(construct.body))
            found.append(construct)
    return found
