"""The statements of functions, as the check of structured blocks asks for them."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from ...openmp import structured_blocks
from ...openmp.host_forms import plain_number
from ...openmp.structured_blocks import Block, jumps_of
from ..sema import Sema
from ..syntax.nodes import OmpConstruct, ParsedUnit, branches, only_loop

_WORDS = {
    c_ast.Return: "return", c_ast.Break: "break", c_ast.Continue: "continue", c_ast.Label: "label",
    c_ast.For: "loop", c_ast.While: "loop", c_ast.DoWhile: "loop", c_ast.Switch: "switch", c_ast.FuncDef: "function",
}  # fmt: skip


class _Statements:
    """The statements of a function. An extent counts the nodes in front of its begin, and of its end."""

    def __init__(self, function: c_ast.Node) -> None:
        self.nodes: list[c_ast.Node] = []
        self._extents: dict[c_ast.Node, tuple[int, int]] = {}
        self._number(function)

    def _number(self, node: c_ast.Node) -> None:
        start = len(self.nodes)
        self.nodes.append(node)
        for part in branches(node):
            self._number(part)
        self._extents[node] = start, len(self.nodes)

    def word(self, node: c_ast.Node) -> str:
        if isinstance(node, c_ast.Goto):
            return "goto" if isinstance(node.name, str) else "computed"
        return _WORDS.get(type(node), "")

    def label(self, node: c_ast.Node) -> str:
        return str(node.name)

    def extent(self, node: c_ast.Node) -> tuple[int, int]:
        return self._extents[node]

    def parts(self, node: c_ast.Node) -> list[c_ast.Node]:
        return branches(node)

    def blocks(self) -> Iterator[Block]:
        for node in self.nodes:
            if not isinstance(node, OmpConstruct) or node.body is None:
                continue
            at = around = node.body
            if node.directive.association == "loop":
                for _ in range(plain_number(node.directive, "collapse", 1)):
                    around = only_loop(at) or around
                    at = getattr(around, "stmt", around)
            start, loop = (self._extents[one][0] for one in (at, around))
            yield Block(node.directive.name, start, loop, self._extents[node.body][1])


def check_jumps(unit: ParsedUnit, sema: Sema, function: c_ast.Node) -> None:
    """Raise InputError where control can leave the statement of a construct before its end, or come in by ``goto``."""
    parts = sema.parts(function)
    bodies = [node.body for node in parts.of(OmpConstruct) if node.body is not None]
    jumps = (c_ast.Return, c_ast.Goto, c_ast.Break, c_ast.Continue)
    if bodies and (parts.of(c_ast.Goto) or any(sema.parts(body).of(*jumps) for body in bodies)):
        code = _Statements(function)
        found, blocks = jumps_of(function, code), list(code.blocks())
        structured_blocks.check_jumps(found, blocks, lambda place: unit.span_of(code.nodes[place]))
