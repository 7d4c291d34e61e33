"""What C's front end says of a region whose transformations are decided (``optimise/side.py``)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

from pycparser import c_ast

from ....base.spans import SourceSpan
from ....openmp.host_bounds import HostView
from ....openmp.regions import Planned
from ....optimise.collapse import Collapse
from ....optimise.restrict import Promises
from ....optimise.side import Side
from ....optimise.text import Text
from ....plan.code import Code, Entity
from ....plan.host_expression import HostExpression
from ....plan.loops import CanonicalLoop, LoopNest
from ....tree import nodes as tree
from ....tree.symbols import Function
from ...reading.statements import reader_of
from ...sema import Sema, walk
from ...sema.type_questions import is_misaligned, is_pointer
from ...syntax.nodes import OmpConstruct, ParsedUnit
from ..atomics import written
from ..device_library import ATOMIC_PREFIXES, library_name
from ..host_expressions import first_value
from .accesses import calls_of
from .collapse import InC, fronts_of, nest_of
from .text import text_of
from .unroll import loops_to_unroll


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
