"""How code of C is printed that transformations change or watch (``optimise/text.py``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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

    return Text(span, element, lambda access: access.outer.origin, kind, statements, loop)
