"""What C's front end says of a region whose transformations are decided (``optimise/side.py``)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Any

from pycparser import c_ast

from ....base.spans import SourceSpan
from ....openmp.host_bounds import HostView
from ....openmp.regions import Planned
from ....optimise.accesses import Access
from ....optimise.collapse import Collapse
from ....optimise.restrict import Promises
from ....optimise.side import Side
from ....optimise.text import Text
from ....optimise.unroll import unrolled
from ....plan.claims import WatchedLoop
from ....plan.code import Code, Entity, Type
from ....plan.host_expression import HostExpression
from ....plan.loops import CanonicalLoop, LoopNest
from ....tree import nodes as tree
from ....tree.symbols import Function
from ...reading.statements import reader_of
from ...sema import Sema, locals_of, walk
from ...sema.ctype import Array, Scalar, alignof, strip
from ...sema.type_questions import is_misaligned, is_pointer
from ...syntax.nodes import OmpConstruct, ParsedUnit
from ..atomics import written
from ..device_library import ATOMIC_PREFIXES, library_name
from ..host_expressions import first_value
from .accesses import calls_of
from .collapse import InC, fronts_of, nest_of


class CSide(Side):
    """A region of C: the constructs of a ``chain`` in a ``function``, whose whole statement is the ``body``."""

    retypes = True

    def __init__(
        self,
        unit: ParsedUnit,
        sema: Sema,
        view: HostView,
        function: c_ast.FuncDef,
        chain: Sequence[OmpConstruct],
        *,
        body: c_ast.Node,
        off: Collection[str],
        shared: bool,
        claimed: bool,
    ) -> None:
        super().__init__()
        self.unit, self.sema, self.view, self.function, self.chain = unit, sema, view, function, chain
        self.body, self.off, self.shared, self.claimed = body, off, shared, claimed
        self.span, self.language = chain[0].directive.span, InC(unit, sema)
        self.calls, self.reader, self.written = calls_of(sema), reader_of(sema), written(unit, sema)

    # -- trees ------------------------------------------------------------------------------------------------------

    def bodies(self, region: Planned) -> Sequence[tree.Statement]:
        nest = region.nest
        return [self.reader.statement(nest.body if region.is_nest and nest is not None else self.body)]

    def constructs(self) -> Sequence[tree.Construct]:
        innermost = self.reader.statement(self.chain[-1])
        assert isinstance(innermost, tree.Construct)
        return [innermost]

    def check(self) -> None:
        pass

    def only_computes(self, function: Function) -> bool:
        return not function.defined and library_name(function.name) is not None

    def uses_arguments(self, function: Function) -> bool:
        name = function.name
        return library_name(name) is not None and not name.startswith(("omp_", "__rex", *ATOMIC_PREFIXES))

    # -- texts ------------------------------------------------------------------------------------------------------

    def text(self, nest: LoopNest | None = None, found: Collapse | None = None) -> Text:
        fronts = fronts_of(nest.body, found) if nest is not None and found is not None else ()
        return text_of(self.unit, self.sema, chain.from_iterable(fronts))

    def span_of(self, node: Any) -> SourceSpan | None:
        node = node.origin if isinstance(node, tree.Node) else node
        return self.unit.span_of(node) if node is not None else None

    def nest(self, nest: LoopNest, found: Collapse) -> LoopNest:
        return nest_of(self.sema, nest, found)

    def unrolled(self) -> frozenset[Code]:
        return frozenset[Code](loops_to_unroll(self.sema, [self.body]))

    def names_elsewhere(self, variable: Entity, mentions: Sequence[tree.Named]) -> bool:
        shown = {mention.origin for mention in mentions}
        named = (n for n in walk(self.body) if isinstance(n, c_ast.ID) and self.sema.symbol(n) is variable)
        return any(name not in shown for name in named)

    def has_stand_in(self, array: Entity, mentions: Sequence[tree.Named]) -> bool:  # noqa: ARG002
        subscripted = {node.name for node in walk(self.body) if isinstance(node, c_ast.ArrayRef)}
        return all(mention.origin in subscripted for mention in mentions)

    def is_aligned(self, place: tree.Place) -> bool:
        return not is_misaligned(self.sema.type(place.origin))

    # -- variables and the host -------------------------------------------------------------------------------------

    def is_pointer(self, variable: Entity) -> bool:
        return is_pointer(variable.type)

    def is_object(self, variable: Entity) -> bool:
        return not is_pointer(variable.type)

    def first_value(self, level: CanonicalLoop) -> HostExpression:
        return first_value(level, self.sema)

    def promises(self) -> Promises | None:
        if not any("restrict" in symbol.type.quals for symbol in self.view.captures):
            return None
        from .in_order import host_body

        body = host_body(self.unit, self.sema, self.function)
        return Promises(body, self.chain[0]) if body is not None else None


def loops_to_unroll(sema: Sema, bodies: Iterable[c_ast.Node]) -> frozenset[c_ast.Node]:
    """The loops to unroll in bodies of regions, or of functions."""
    reader = reader_of(sema)
    # It is not worth while to read a body without arrays.
    found = (b for b in bodies if any(isinstance(strip(symbol.type), Array) for symbol in locals_of(sema, b)))
    return frozenset(loop.origin for loop in unrolled(map(reader.statement, found)))


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
