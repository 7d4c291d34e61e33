"""What :mod:`.....optimise.in_order` asks about the host code of a C unit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, partial

from pycparser import c_ast

from ....base.diagnostics import InputError, SourceSpan
from ....base.patterns import regex
from ....openmp.requirements import shares_memory
from ....optimise import in_order
from ....optimise.obstacle import ObstacleError
from ....plan.unit import TargetRegion
from ....tree import nodes as tree
from ....tree.symbols import Function
from ...reading.statements import reader_of
from ...sema import Sema, walk
from ...source.tokens import is_behind_pragma, statement_end
from ...syntax.nodes import OmpConstruct, ParsedUnit
from ..device_library import MATH_FUNCTIONS
from ..found import FoundConstruct

_ASSEMBLY = regex(r"\b(?:asm|__asm|__asm__)\b")
_WEAK = regex("weak|ifunc|alias")
_STATEMENTS = (c_ast.Compound, c_ast.If, c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch, OmpConstruct)


def launched_in_order(
    unit: ParsedUnit,
    sema: Sema,
    found: Sequence[FoundConstruct],
    regions: Sequence[TargetRegion],
    unknown: Sequence[ObstacleError | None],
    off: Collection[str],
) -> in_order.InOrder:
    """Find the runs of a unit. ``found`` are the constructs of the regions, and ``unknown`` says of each why it is not
    known what memory it accesses, if it is not."""
    code = _Code(unit, sema)
    host = in_order.Host(
        code.body, code.runs, lambda one: one.name in MATH_FUNCTIONS and not one.defined, code.callers, code.extent
    )
    placed = []
    for item, region, why in zip(found, regions, unknown, strict=True):
        check = partial(_check, sema, item.construct, region, why)
        placed.append(in_order.Placed(region, item.construct, (code.function(item.function),), check, code.span))
    return in_order.launched_in_order(host, placed, off, shares_memory(unit.requirements))


def _check(sema: Sema, construct: OmpConstruct, region: TargetRegion, unknown: ObstacleError | None) -> None:
    """Raise ObstacleError unless a region's kernel accesses only mapped memory and memory of its own."""
    assert region.nest is not None
    nest, whole = (reader_of(sema).statement(code) for code in (region.nest.body, construct.body))
    inside = frozenset(tree.parts(nest, tree.Call))
    for call in tree.parts(whole, tree.Call):
        called = call.callee.function if isinstance(call.callee, tree.FunctionAddress) else None
        if call not in inside or called is None or not (called.name in MATH_FUNCTIONS or called.name in sema.functions):
            what = "a call of more than a function of the unit that computes"
            remedy = "define the function in this unit, or move the call out of the region"
            raise ObstacleError(what, call.origin, remedy)
    if unknown is not None:
        raise unknown


def host_body(unit: ParsedUnit, sema: Sema, definition: c_ast.FuncDef) -> tree.Body | None:
    """The body of a function, if it has no assembly, of which the tree may have nothing."""
    start = unit.offset_of(definition.body)
    if _ASSEMBLY.search(unit.pre.text, start, statement_end(unit.pre.text, start)) is not None:
        return None
    try:
        sema.analyse(definition, on_host=True)
    except InputError:
        return None
    return reader_of(sema).body(definition)


class _Code:
    """The functions and the text of a unit."""

    def __init__(self, unit: ParsedUnit, sema: Sema) -> None:
        self.unit, self.sema = unit, sema
        self.reader = reader_of(sema)
        self.only_static = any(True for _ in unit.pre.in_own_parts(_WEAK))

    def span(self, node: c_ast.Node | None) -> SourceSpan | None:
        return self.unit.span_of(node) if isinstance(node, c_ast.Node) else None

    def function(self, definition: c_ast.FuncDef) -> Function:
        symbol = self.sema.file_symbol(definition.decl.name)
        assert symbol is not None
        found = self.reader.types.symbol(symbol)
        assert isinstance(found, Function)
        return found

    def body(self, function: Function) -> tree.Body | None:
        definition = self.sema.functions.get(function.name)
        return host_body(self.unit, self.sema, definition) if definition is not None else None

    def runs(self, function: Function) -> in_order.Body:
        definition = self.sema.functions.get(function.name)
        if definition is None:
            return "any"
        if "static" in definition.decl.storage:
            return "own"
        return "any" if self.only_static or "inline" in (definition.decl.funcspec or ()) else "program"

    @cached_property
    def _texts(self) -> list[tuple[c_ast.FuncDef, int, int]]:
        """The functions that are defined here, each with a stretch of the text that has its body."""
        starts = sorted((self.unit.offset_of(one.body), name) for name, one in self.sema.functions.items())
        ends = [*(at for at, _ in starts[1:]), len(self.unit.pre.text)]
        return [(self.sema.functions[name], at, end) for (at, name), end in zip(starts, ends, strict=True)]

    def callers(self, function: Function) -> Iterator[tuple[Function, ...]]:
        """The functions that call one directly. Few have its name in their text, and only these are walked through."""
        for definition, start, end in self._texts:
            if self.unit.pre.text.find(function.name, start, end) < 0:
                continue
            if any(_is_direct_call(node) and node.name.name == function.name for node in walk(definition.body)):
                yield (self.function(definition),)

    def extent(self, statement: tree.Node) -> tuple[int, int] | None:
        node, text = statement.origin, self.unit.pre.text
        if not isinstance(node, c_ast.Node):
            return None
        start = node.start if isinstance(node, OmpConstruct) else self.unit.offset_of(node)
        if is_behind_pragma(text, start):
            return None
        if not isinstance(node, _STATEMENTS):
            # The place of an expression may be behind a parenthesis.
            at = start - 1
            while at >= 0 and text[at].isspace():
                at -= 1
            if at >= 0 and text[at] not in ";{}" and text[text.rfind("\n", 0, at) + 1] != "#":
                return None
        return start, statement_end(text, start)


def _is_direct_call(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID)
