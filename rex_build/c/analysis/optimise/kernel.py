"""What C's front end says of a region whose transformations are decided (``optimise/side.py``), and about host code
(:mod:`....optimise.in_order`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import chain
from typing import Any

from pycparser import c_ast, c_generator

from ....base.diagnostics import InputError, SourceSpan
from ....base.patterns import regex
from ....base.records import dataclass
from ....openmp.canonical import Level
from ....openmp.host_bounds import HostView
from ....openmp.regions import Planned
from ....openmp.restrictions import shares_memory
from ....optimise import in_order
from ....optimise.accesses import Access
from ....optimise.collapse import Collapse
from ....optimise.noalias import Promises
from ....optimise.obstacle import ObstacleError
from ....optimise.side import Side, Text
from ....optimise.surroundings import UncollapsibleError
from ....optimise.tables import tables
from ....optimise.unroll import unrolled
from ....plan.claims import WatchedLoop
from ....plan.constructs import CanonicalLoop, Code, Entity, LoopNest, Type
from ....plan.host_expression import HostExpression
from ....plan.unit import TargetRegion
from ....tree import nodes as tree
from ....tree.symbols import Function
from ...reading.statements import reader_of
from ...sema import Sema, locals_of, walk
from ...sema.ctype import Array, Scalar, alignof, strip
from ...sema.type_questions import is_misaligned, is_pointer
from ...source.tokens import is_behind_pragma, statement_end
from ...syntax.nodes import OmpConstruct, ParsedUnit
from ..device_library import ATOMIC_PREFIXES, MATH_FUNCTIONS, library_name
from ..found import FoundConstruct
from ..host_expressions import first_value
from ..loops import code_of, planned
from ..program import written
from .accesses import calls_of

_printer = c_generator.CGenerator()
Fronts = tuple[tuple[c_ast.Node, ...], ...]
_ELEMENT = (c_ast.ArrayRef, c_ast.StructRef, c_ast.UnaryOp, c_ast.ID)
_ASSEMBLY = regex(r"\b(?:asm|__asm|__asm__)\b")
_WEAK = regex("weak|ifunc|alias")
_STATEMENTS = (c_ast.Compound, c_ast.If, c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch, OmpConstruct)


@dataclass(frozen=True)
class InC:
    """How C's front end reads loops."""

    unit: ParsedUnit
    sema: Sema

    def head(self, level: Level) -> CanonicalLoop:
        return planned(self.unit, self.sema, level)

    def check_names(self, body: tree.Statement, levels: Sequence[CanonicalLoop]) -> None:
        sema = self.sema
        variables = {level.symbol.name: level.symbol for level in levels}
        same: dict[Entity | None, Entity] = {v: level.symbol for level in levels for v in level.same}
        parts = [part for lv in levels for part in (lv.lower, lv.bound, lv.step) if isinstance(part, c_ast.Node)]
        for node in (n for part in (body.origin, *parts) for n in walk(part)):
            is_name = isinstance(node, c_ast.ID) and node.name in variables
            is_declaration = isinstance(node, c_ast.Decl) and node.name in variables
            meant: Entity | None = sema.symbol(node) if is_name else sema.decl_symbol(node) if is_declaration else None
            if meant in same:
                meant = same[meant]
            if (is_name or is_declaration) and meant is not variables[node.name]:
                raise UncollapsibleError(f"'{node.name}' means several variables", node, "give them names of their own")
        if len(variables) < len(levels):
            raise UncollapsibleError("loops have variables of one name")

    def text(self, node: tree.Node) -> str:
        return str(_printer.visit(node.origin))


def fronts_of(body: c_ast.Node, found: Collapse) -> Fronts:
    """What stands in front of the loops of each level, also between loops side by side."""
    fronts = []
    for loops in found.loops:
        parts = _ahead(body)
        fronts.append(tuple(part for part in parts if not isinstance(part, c_ast.For)))
        bodies = [loop.origin.stmt for loop in loops]
        body = bodies[0] if len(bodies) == 1 else c_ast.Compound(bodies, loops[-1].origin.coord)
    return tuple(fronts)


def _ahead(body: c_ast.Node) -> list[c_ast.Node]:
    """The statements in front of the loop that a body ends with. An ``if`` around it is one without its statement."""
    items = body.block_items or [] if isinstance(body, c_ast.Compound) else [body]
    items = [_plain(i) for i in items if not isinstance(i, (c_ast.EmptyStatement, c_ast.Pragma))]
    *before, last = items
    if isinstance(last, c_ast.Compound):
        return [*before, *_ahead(last)]
    if isinstance(last, c_ast.If):
        return [*before, c_ast.If(last.cond, None, None, last.coord), *_ahead(last.iftrue)]
    return before


def _plain(node: c_ast.Node) -> c_ast.Node:
    """A statement without a ``simd`` construct around it."""
    return _plain(node.body) if isinstance(node, OmpConstruct) else node


def nest_of(sema: Sema, nest: LoopNest, found: Collapse) -> LoopNest:
    """The body of one iteration of all loops: the statements in front of them, and the innermost body."""
    assert isinstance(nest.body, c_ast.Node)
    fronts = fronts_of(nest.body, found)
    bodies = [loop.origin.stmt for loop in found.loops[-1]]
    body = bodies[0] if len(bodies) == 1 else c_ast.Compound(bodies, found.loops[-1][-1].origin.coord)
    variables = {variable for head in found.inner for variable in (head.symbol, *head.same)}
    for before, one in zip(reversed(fronts), reversed(found.covers), strict=True):
        for guard in reversed(one.guards):
            body = c_ast.If(code_of(sema, guard), body, None, body.coord)
        if one.moves is not None and one.variable is not None:
            variable = one.variable.origin
            move = c_ast.Assignment("+=", variable, code_of(sema, one.moves), variable.coord)
            body = c_ast.Compound([sema.typed(move), body], body.coord)
        if before:
            body = _with_front(sema, before, body, variables)
    return LoopNest(found.levels, body)


def _with_front(
    sema: Sema, before: Sequence[c_ast.Node], body: c_ast.Node, variables: Collection[Entity]
) -> c_ast.Node:
    items: list[c_ast.Node] = []
    for number, node in enumerate(before):
        if isinstance(node, c_ast.If) and node.iftrue is None:
            inner = _with_front(sema, before[number + 1 :], body, variables)
            return c_ast.Compound([*items, c_ast.If(node.cond, inner, None, node.coord)], node.coord)
        if isinstance(node, c_ast.Decl) and node.name and sema.decl_symbol(node) in variables:
            continue
        items.append(node)
    return c_ast.Compound([*items, body], body.coord)


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
        body = host_body(self.unit, self.sema, self.function)
        return Promises(body, self.chain[0]) if body is not None else None


def loops_to_unroll(sema: Sema, bodies: Iterable[c_ast.Node]) -> frozenset[c_ast.Node]:
    """The loops to unroll in bodies of regions, or of functions."""
    return frozenset(loop.origin for loop in unrolled(_with_arrays(sema, bodies)))


def tables_in(sema: Sema, functions: Iterable[c_ast.Node]) -> frozenset[Entity]:
    """The constant arrays in bodies of functions of which one serves all calls."""
    return tables(_with_arrays(sema, functions))


def _with_arrays(sema: Sema, bodies: Iterable[c_ast.Node]) -> Iterator[tree.Statement]:
    """Those that have arrays: it is not worth while to read others."""
    found = (b for b in bodies if any(isinstance(strip(symbol.type), Array) for symbol in locals_of(sema, b)))
    return map(reader_of(sema).statement, found)


def text_of(unit: ParsedUnit, sema: Sema, fronts: Iterable[c_ast.Node] = ()) -> Text:
    """How code is printed. What stands in front of loops is printed with declarations of types between it."""
    ahead = list(fronts)

    def span(node: tree.Node | c_ast.Node) -> SourceSpan | None:
        return unit.span_of(node.origin if isinstance(node, tree.Node) else node)

    def element(access: Access) -> c_ast.Node | None:
        return access.node.origin if isinstance(access.node.origin, _ELEMENT) else None

    def kind(access: Access, _has_value: bool) -> Type | None:
        declared = sema.type(access.node.origin)
        found = strip(declared)
        return found if isinstance(found, Scalar) and alignof(declared) >= alignof(found) else None

    def record(access: Access) -> Type | None:
        return strip(sema.type(access.node.origin))

    def statements(part: Sequence[tree.Statement]) -> tuple[Code, ...]:
        first, last = part[0].origin, part[-1].origin
        return tuple(ahead[ahead.index(first) : ahead.index(last) + 1]) if first in ahead else (first,)

    def loop(one: tree.Loop) -> WatchedLoop:
        return WatchedLoop(one.origin, one.origin.stmt)

    def without(body: tree.Statement, left_out: Collection[tree.Statement]) -> c_ast.Node:
        return _without(body.origin, {one.origin for one in left_out}) or c_ast.EmptyStatement(body.origin.coord)

    def code(node: tree.Node) -> c_ast.Node:
        return node.origin

    return Text(span, element, lambda access: access.node.origin, kind, record, statements, loop, code, without)


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
