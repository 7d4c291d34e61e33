"""Walks the tree, including OpenMP constructs and the expressions in their clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, TypeVar

from pycparser import c_ast

from ...directives.contents import directive_expressions
from ..syntax.nodes import LEAVES, OmpConstruct

_N = TypeVar("_N", bound=c_ast.Node)

# Most other nodes have two children, which need no iterator. The last one is named first.
_PAIRS = {
    c_ast.BinaryOp: attrgetter("right", "left"),
    c_ast.Assignment: attrgetter("rvalue", "lvalue"),
    c_ast.ArrayRef: attrgetter("subscript", "name"),
}


def walk(node: c_ast.Node, clauses: bool = False) -> Iterator[c_ast.Node]:
    """``node`` and all its descendants in source order, each before its children.

    With ``clauses``, the expressions in clauses of OmpConstruct nodes are included, before the construct's body.
    """
    stack = [node]
    while stack:
        n = stack.pop()
        yield n
        if type(n) in LEAVES:  # most nodes
            continue
        if pair := _PAIRS.get(type(n)):
            stack += pair(n)
            continue
        children = _children(n)
        if clauses and isinstance(n, OmpConstruct):
            children = [e.node for e in directive_expressions(n.directive)] + children
        children.reverse()
        stack += children


def _children(node: c_ast.Node) -> list[c_ast.Node]:
    """The nodes directly in a node, in source order."""
    return [node.stmt, node.cond] if isinstance(node, c_ast.DoWhile) else list(node)


class Parts:
    """What ``walk`` finds below a node, for those who look for few classes of nodes.

    Many stages look through the same bodies, of which most nodes are names and constants.
    """

    def __init__(self, nodes: Iterable[c_ast.Node]) -> None:
        self.nodes = list(nodes)
        self._of_class: dict[type, list[c_ast.Node]] = {}
        self._found: dict[tuple[type, ...], list[Any]] = {}
        self._places: dict[c_ast.Node, int] = {}
        for node in self.nodes:
            try:
                self._of_class[node.__class__].append(node)
            except KeyError:
                self._of_class[node.__class__] = [node]

    def inside(self, node: c_ast.Node) -> range:
        """The places in ``nodes`` of what is below one of them."""
        start = self.place(node) + 1
        last = node
        while type(last) not in LEAVES and (children := _children(last)):
            last = children[-1]
        end = self._places.get(last)
        if end is None:  # nodes have been replaced since
            end = max(self._places.get(n, -1) for n in walk(node))
        return range(start, end + 1)

    def place(self, node: c_ast.Node) -> int:
        """The place in ``nodes`` of one of them."""
        if not self._places:
            self._places = {one: at for at, one in enumerate(self.nodes)}
        return self._places[node]

    def of(self, *classes: type[_N]) -> Sequence[_N]:
        """The nodes of these classes, in source order."""
        found = self._found.get(classes)
        if found is None:
            those = [cls for cls in self._of_class if issubclass(cls, classes)]
            if len(those) == 1:
                found = self._of_class[those[0]]
            else:
                found = [node for node in self.nodes if node.__class__ in those] if those else []
            self._found[classes] = found
        return found


def declarations(parts: Parts) -> Iterator[c_ast.Decl]:
    """The declarations of variables and functions in a part of the tree, without those of members and parameters."""
    within: set[c_ast.Node] = set()
    for part in parts.of(c_ast.Struct, c_ast.Union, c_ast.ParamList, c_ast.Decl):
        if isinstance(part, c_ast.Struct | c_ast.Union):
            within.update(part.decls or ())
        elif isinstance(part, c_ast.ParamList):
            within.update(part.params)
        elif isinstance(part, c_ast.Decl) and part.name is not None and part not in within:
            yield part
