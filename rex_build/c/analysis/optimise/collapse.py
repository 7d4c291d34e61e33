"""What C's front end knows of loops that may share the grid (``optimise/collapse.py``), and the nest that it prints."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pycparser import c_ast, c_generator

from ....base.records import dataclass
from ....openmp.canonical import Level
from ....optimise.collapse import Collapse
from ....optimise.surroundings import UncollapsibleError
from ....plan.code import Entity
from ....plan.loops import CanonicalLoop, LoopNest
from ....tree import nodes as tree
from ...sema import Sema, walk
from ...syntax.nodes import OmpConstruct, ParsedUnit
from ..loops import code_of, planned

_printer = c_generator.CGenerator()
Fronts = tuple[tuple[c_ast.Node, ...], ...]


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
