"""Transformations of a region's kernel, of which the proofs ask the region's trees (``optimise/``).

All instantiations of a template share one text, so what changes it must hold for all of them. The body of loops
that share the grid stays the user's text, without their heads.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import Any

from ..base.diagnostics import SourceSpan
from ..base.records import dataclass, replace
from ..c.source.tokens import before_pragmas, has_word, next_token, statement_end
from ..openmp import queries
from ..openmp.canonical import Level
from ..openmp.regions import Planned
from ..openmp.restrictions import shares_memory
from ..optimise.accesses import Access, UnprovableError
from ..optimise.collapse import Collapse
from ..optimise.noalias import Promises
from ..optimise.side import Side, Text
from ..optimise.surroundings import Cover, UncollapsibleError
from ..optimise.tables import tables
from ..optimise.unroll import unrolled
from ..plan.claims import WatchedLoop
from ..plan.constructs import CanonicalLoop, Code, Entity, LoopNest
from ..plan.host_expression import HostExpression, Written
from ..tree import nodes as tree
from ..tree.symbols import Function
from . import libclang
from .declarators import may_be_static, own_array
from .functions import Function as Definition
from .host_bounds import host_view
from .instantiations import instantiations
from .libclang import is_users
from .loops import body_of, planned
from .loops import code_of as code_of_value
from .program import RegionFacts, written
from .reading.reader import computes, reader_of
from .team_steps import code_of, later_declarators
from .text_constructs import Construct, CxxType, Declaration, Head, LeftOut, Range, Spread, Variable, identifiers_in
from .text_constructs import Text as Place
from .unit import Unit

_NUMBERS = frozenset({"bool", "char", "signed", "unsigned", "short", "int", "long", "float", "double"})
_PRINTED = ("ARRAY_SUBSCRIPT_EXPR", "CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR", "UNARY_OPERATOR")


class CxxSide(Side):
    """A region of C++."""

    retypes = False

    def __init__(self, facts: RegionFacts, region: Planned) -> None:
        super().__init__()
        self.facts, unit = facts, facts.unit
        self.view = host_view(facts, region.captures, region.mapping, region.nest)
        self.off, self.claimed, self.shared, self.span = (
            unit.no_opt, unit.claimed, shares_memory(unit.requirements), facts.span,
        )  # fmt: skip
        self.language, self.calls = InCxx(facts), reader_of(unit).calls
        self._text, self.written = _text(facts), written(unit)

    # -- trees ------------------------------------------------------------------------------------------------------

    def bodies(self, region: Planned) -> Sequence[tree.Statement]:
        return [_body(self.facts, region, one) for one in self.facts.trees]

    def constructs(self) -> Sequence[tree.Construct]:
        last, found = self.facts.chain[-1], (tree.parts(whole, tree.Construct) for whole in self.facts.trees)
        return [next(one for one in inside if one.origin == last) for inside in found]

    def check(self) -> None:
        if not self.facts.trees:
            raise UnprovableError("nothing instantiates the template")
        if self.facts.asks_type:
            raise UnprovableError("the body asks for the type of an expression")

    def only_computes(self, function: Function) -> bool:
        return computes(function)

    def uses_arguments(self, function: Function) -> bool:
        return computes(function) or function.name in queries.READING

    # -- texts ------------------------------------------------------------------------------------------------------

    def text(self, nest: LoopNest | None = None, found: Collapse | None = None) -> Text:  # noqa: ARG002
        return self._text

    def span_of(self, node: Any) -> SourceSpan | None:
        return span_of(self.facts.unit, node)

    def nest(self, nest: LoopNest, found: Collapse) -> LoopNest:
        assert isinstance(nest.body, Range)
        pairs = zip(found.loops, found.covers, strict=True)
        heads = (head_of(self.facts, loop, cover, loop is loops[0]) for loops, cover in pairs for loop in loops)
        return LoopNest(found.levels, Spread(nest.body.start, nest.body.end, tuple(heads)))

    def unrolled(self) -> frozenset[Code]:
        unit, construct = self.facts.unit, self.facts.construct
        has_arrays = _has_arrays(unit, self.facts.function, construct.start, construct.end)
        return frozenset[Code](loops_to_unroll(unit, reader_of(unit).region(construct) if has_arrays else ()))

    def names_elsewhere(self, variable: Entity, mentions: Sequence[tree.Named]) -> bool:
        body, unit = self.facts.body, self.facts.unit
        shown = {unit.extent(mention.origin)[0] for mention in mentions if mention.origin is not None}
        found = self.facts.function.references(body.start, body.end)
        return any(r.variable is variable and r.start not in shown for r in found)

    def has_stand_in(self, array: Entity, mentions: Sequence[tree.Named]) -> bool:
        unit = self.facts.unit
        ends = [unit.extent(mention.origin)[1] if mention.origin is not None else -1 for mention in mentions]
        named = isinstance(array, Variable) and own_array(unit, array) is not None
        return named and all(end >= 0 and unit.text[next_token(unit.text, end)] == "[" for end in ends)

    def is_aligned(self, place: tree.Place) -> bool:
        cursor = place.origin
        return cursor is not None and cursor.type.get_align() >= cursor.type.get_size()

    # -- variables and the host -------------------------------------------------------------------------------------

    def is_pointer(self, variable: Entity) -> bool:
        return not isinstance(variable, Variable) or variable.type.kind not in ("scalar", "array", "record")

    def is_object(self, variable: Entity) -> bool:
        return isinstance(variable, Variable) and variable.type.kind != "pointer" and not variable.is_reference

    def first_value(self, level: CanonicalLoop) -> HostExpression:
        assert isinstance(level.lower, Place)
        text = level.lower.text
        return Written((text,), frozenset(name for _, name in identifiers_in(text)))

    def promises(self) -> Promises | None:
        facts, function = self.facts, self.facts.function
        if function.is_template or "restrict" not in facts.unit.text[function.start : function.end]:
            return None
        reader = reader_of(facts.unit)
        body = reader.body(reader.function(function.cursor))
        return Promises(body, facts.construct) if body is not None else None


def _text(facts: RegionFacts) -> Text:
    """How accesses are printed that the region's own text has. That of a lambda in it may be in a function."""
    unit = facts.unit

    def written(node: tree.Node, ends: str) -> Range | None:
        cursor = node.origin
        if cursor is None or isinstance(cursor, Construct) or not is_users(cursor) or cursor.kind.name not in _PRINTED:
            return None
        if cursor.referenced is not None and cursor.referenced.kind.name == "CONVERSION_FUNCTION":
            return None  # its text is that of the object
        start, end = unit.extent(cursor)
        inside = facts.body.start <= start < end <= facts.body.end
        return Range(start, end) if inside and unit.text[end - 1] in (ends or unit.text[end - 1]) else None

    def call(access: Access) -> Range | None:
        is_made = isinstance(access.node, tree.Call) and access.node.constructs
        return None if is_made else written(access.node, ")]")

    def statements(part: Sequence[tree.Statement]) -> tuple[Range, ...]:
        """Only where nothing but braces stands between them: a type could."""
        if not all(is_users(one.origin) for one in part):
            return ()
        found: list[Range] = []
        for start in sorted(unit.extent(one.origin)[0] for one in part):
            if not found or start >= found[-1].end:  # a declaration may have several variables
                found.append(Range(start, statement_end(unit.text, start)))
        between = (unit.text[one.end : other.start] for one, other in pairwise(found))
        inside = all(facts.body.start <= one.start < one.end <= facts.body.end for one in found)
        return tuple(found) if inside and all(not text.strip(" \n\t{") for text in between) else ()

    def kind(access: Access, has_value: bool) -> CxxType | None:
        """Only an instantiation's own type is known, which has no name in the template."""
        if has_value and len(facts.trees) > 1:
            return CxxType("auto", "other")
        cursor = access.place.origin
        text = cursor.type.get_canonical().spelling.removeprefix("const ") if cursor is not None else ""
        named = len(facts.trees) == 1 and _NUMBERS.issuperset(text.split() or "?")
        whole = named and cursor is not None and cursor.type.get_align() >= cursor.type.get_size()
        return CxxType(text, "scalar") if whole else None

    def place(node: tree.Node | Range) -> SourceSpan:
        span = unit.span(node.start) if isinstance(node, Range) else span_of(unit, node.origin)
        return span or facts.span

    def element(access: Access) -> Range | None:
        """Of a reference, it is what that is declared for."""
        place, cursor = access.place, access.place.origin
        if cursor is not None and not isinstance(cursor, Construct) and cursor.kind.name == "VAR_DECL":
            value = next((part for part in reversed(libclang.children(cursor)) if part.kind.is_expression()), None)
            place = replace(place, origin=value)
        return written(place, "")

    @cache
    def later() -> set[tree.Node]:
        return {node for whole in facts.trees for node in later_declarators(unit, whole)}

    def code(node: tree.Node) -> Code | None:
        return code_of(unit, later(), node)

    def without(body: tree.Statement, left_out: Collection[tree.Statement]) -> Spread | None:
        """Only where no declaration has variables that are left out and others."""
        whole, codes = code(body), [code(one) for one in left_out]
        kept = {*tree.parts(body, tree.Declare)}.difference(*(tree.parts(one, tree.Declare) for one in left_out))
        gone = {code.start for code in codes if isinstance(code, Range | Declaration)}
        known = len([one for one in codes if isinstance(one, Range | Declaration)]) == len(codes)
        if not known or not isinstance(whole, Range) or any(unit.extent(d.origin)[0] in gone for d in kept):
            return None
        return Spread(whole.start, whole.end, tuple(LeftOut(at, statement_end(unit.text, at)) for at in sorted(gone)))

    def record(access: Access) -> CxxType | None:  # noqa: ARG001
        return CxxType("auto", "other")

    return Text(place, element, call, kind, record, statements, partial(watched_loop, unit), code, without)


def span_of(unit: Unit, code: Any) -> SourceSpan | None:
    """Where code of the user's is that a tree was made of."""
    code = code.origin if isinstance(code, tree.Node) else code
    if isinstance(code, Construct):
        return code.directive.span
    return unit.span(unit.extent(code)[0]) if code is not None and is_users(code) else None


def _body(facts: RegionFacts, region: Planned, around: tree.Construct) -> tree.Statement:
    """The body of the innermost associated loop, or as much around it as is one statement."""
    node: tree.Statement = around
    while isinstance(node, tree.Construct) and node.origin in facts.chain:
        node = _only(node.body or tree.Block(()))
    if not region.is_nest or region.nest is None:
        return node
    for _ in region.nest.levels:
        node = _only(node.body) if isinstance(node, tree.Loop) else node
    return node


def _only(node: tree.Statement) -> tree.Statement:
    while isinstance(node, tree.Block) and len(node.statements) == 1:
        node = node.statements[0]
    return node


def loops_to_unroll(unit: Unit, bodies: Iterable[tree.Statement]) -> frozenset[Range]:
    """The loops to unroll in bodies of regions, or of functions; in a template, of all its instantiations."""
    found = (Range(*unit.extent(loop.origin)) for loop in unrolled(bodies))
    return frozenset(loop for loop in found if not _asked(unit.text[: loop.start].rstrip()))


def tables_in(unit: Unit, functions: Iterable[Definition]) -> frozenset[Entity]:
    """The constant arrays in bodies of functions of which one serves all calls."""
    plain = (f for f in functions if not has_word(unit.text[f.start : f.body], "constexpr", "consteval"))
    found = tables(with_arrays(unit, plain))
    return frozenset(one for one in found if isinstance(one, Variable) and may_be_static(unit, one))


def with_arrays(unit: Unit, functions: Iterable[Definition]) -> Iterator[tree.Statement]:
    """The bodies of functions that have arrays: it is not worth while to read others."""
    reader = reader_of(unit)
    for function in functions:
        if _has_arrays(unit, function, function.start, function.end):
            made = instantiations(unit).get(function.start, ()) if function.is_template else (function.cursor,)
            found = (reader.body(reader.function(cursor)) for cursor in made)
            yield from (body.statement for body in found if body is not None)


def _asked(text: str) -> bool:
    """Whether the user has said how often a loop behind ``text`` is unrolled."""
    line = text[text.rfind("\n") + 1 :].strip()
    return line.startswith("#") and "unroll" in line


def _has_arrays(unit: Unit, function: Definition, start: int, end: int) -> bool:
    """Whether it is worth while to read a stretch of a function: it declares arrays, or what may have some."""
    places = reader_of(unit).places_of_arrays(function)
    return bisect_left(places, start) < bisect_left(places, end)


@dataclass(frozen=True)
class InCxx:
    """How the C++ front end reads loops."""

    facts: RegionFacts

    def head(self, level: Level) -> CanonicalLoop:
        if not libclang.is_users(level.loop.origin):
            raise UncollapsibleError("a loop inside that stands elsewhere", level.loop)
        head = planned(self.facts.unit, self.facts.function, level)
        if head.step is not None:
            raise UncollapsibleError("a loop inside has an unusual head", level.loop)
        return head

    def check_names(self, body: tree.Statement, levels: Sequence[CanonicalLoop]) -> None:
        unit, function = self.facts.unit, self.facts.function
        names = {level.symbol.name: (level.symbol, *level.same) for level in levels}
        if len(names) < len(levels):
            raise UncollapsibleError("loops have variables of one name")
        alone = isinstance(body, tree.Loop) and libclang.is_users(body.origin)
        start, end = unit.extent(body.origin) if alone else (self.facts.body.start, self.facts.body.end)
        for symbol in (level.symbol for level in levels if not level.declared):
            if isinstance(symbol, Variable) and start <= symbol.start < end:
                why = f"'{symbol.name}' is declared in front of its loop"
                raise UncollapsibleError(why, body, "declare it in the loop's head")
        if any(other.name != level.symbol.name for level in levels for other in level.same):
            raise UncollapsibleError("loops side by side have variables of different names")
        meant = {r.start: r.variable for r in function.references(start, end)}
        for at, name in identifiers_in(unit.text[start:end]):
            own = names.get(name, ())
            if own and meant.get(start + at) not in own and not any(_declares(one, start + at) for one in own):
                raise UncollapsibleError(f"'{name}' means several variables", body, "give them names of their own")

    def text(self, node: tree.Node) -> str:
        unit, origin = self.facts.unit, node.origin
        if origin is None or not libclang.is_users(origin):
            return "an access"
        start, end = unit.extent(origin)
        return " ".join(unit.text[start:end].split())


def _declares(symbol: Entity, at: int) -> bool:
    """Whether a place is in the declaration of a variable, which does not mention it otherwise."""
    return isinstance(symbol, Variable) and symbol.start <= at < symbol.end


def watched_loop(unit: Unit, loop: tree.Loop) -> WatchedLoop:
    """A loop with the pragmas in front of it, which are for loops alone, and what an iteration runs."""
    start, body = unit.extent(loop.origin)[0], body_of(unit, loop.origin)
    end = statement_end(unit.text, body)
    return WatchedLoop(Range(before_pragmas(unit.text, start, omp=False), end), Range(body, end))


def head_of(facts: RegionFacts, loop: tree.Loop, cover: Cover, first: bool) -> Head:
    """What stands in place of a loop's head, with a ``simd`` directive in front of it. The ``first`` of loops side by
    side moves their variable."""
    unit = facts.unit
    start, body = unit.extent(loop.origin)[0], body_of(unit, loop.origin)
    simd = [c for c in facts.inside if c.start < start and next_token(unit.text, c.pragma_end) == start]
    moves = None
    if cover.moves is not None and first:
        by = code_of_value(unit, cover.moves)
        moves = Place(f"{cover.loop.symbol.name} += {by.text}", by.place)
    guards = tuple(code_of_value(unit, guard) for guard in cover.guards)
    return Head(min((c.start for c in simd), default=start), body, moves, guards)
