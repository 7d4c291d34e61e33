"""How code of C is printed that transformations change or watch (``optimise/text.py``)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pycparser import c_ast

from ....base.spans import SourceSpan
from ....optimise.accesses import Access
from ....optimise.text import Text
from ....plan.claims import WatchedLoop
from ....plan.code import Code, Type
from ....tree import nodes as tree
from ...sema import Sema
from ...sema.ctype import Scalar, alignof, strip
from ...syntax.nodes import ParsedUnit

_ELEMENT = (c_ast.ArrayRef, c_ast.StructRef, c_ast.UnaryOp, c_ast.ID)


def text_of(unit: ParsedUnit, sema: Sema, fronts: Iterable[c_ast.Node] = ()) -> Text:
    """How code is printed. What stands in front of loops is printed with declarations of types between it."""
    ahead = list(fronts)

    def span(node: tree.Node | c_ast.Node) -> SourceSpan | None:
        return unit.span_of(node.origin if isinstance(node, tree.Node) else node)

    def element(access: Access) -> c_ast.Node | None:
        return access.outer.origin if isinstance(access.outer.origin, _ELEMENT) else None

    def kind(access: Access, _has_value: bool) -> Type | None:
        declared = sema.type(access.outer.origin)
        found = strip(declared)
        return found if isinstance(found, Scalar) and alignof(declared) >= alignof(found) else None

    def statements(part: Sequence[tree.Statement]) -> tuple[Code, ...]:
        first, last = part[0].origin, part[-1].origin
        return tuple(ahead[ahead.index(first) : ahead.index(last) + 1]) if first in ahead else (first,)

    def loop(one: tree.Loop) -> WatchedLoop:
        return WatchedLoop(one.origin, one.origin.stmt)

    def without(body: tree.Statement, left_out: Collection[tree.Statement]) -> c_ast.Node:
        return _without(body.origin, {one.origin for one in left_out}) or c_ast.EmptyStatement(body.origin.coord)

    return Text(
        span, element, lambda access: access.outer.origin, kind, statements, loop, lambda node: node.origin, without
    )


def _without(node: c_ast.Node | None, left_out: Collection[c_ast.Node]) -> c_ast.Node | None:
    """A statement without others in it, or None if nothing is left."""
    if node is None or node in left_out:
        return None
    match node:
        case c_ast.Compound():
            items = [part for item in node.block_items or () if (part := _without(item, left_out)) is not None]
            return c_ast.Compound(items, node.coord)
        case c_ast.If():
            then = _without(node.iftrue, left_out) or c_ast.EmptyStatement(node.coord)
            return c_ast.If(node.cond, then, _without(node.iffalse, left_out), node.coord)
        case c_ast.For():
            inner = _without(node.stmt, left_out) or c_ast.EmptyStatement(node.coord)
            return c_ast.For(node.init, node.cond, node.next, inner, node.coord)
    return node
