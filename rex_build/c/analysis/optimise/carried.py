"""Which variables take values from one iteration of a loop to another, and which get one value in an iteration."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress

from pycparser import c_ast

from ....optimise.obstacle import ObstacleError
from ....optimise.team_accesses import TeamPlaces
from ....plan.code import Entity
from ....plan.loops import CanonicalLoop
from ....plan.sharing import Reduction
from ....tree import first
from ...reading.statements import reader_of
from ...sema import Sema, Symbol, assignments, locals_of, walk
from ...sema.ctype import Pointer, strip
from ...sema.type_questions import is_arithmetic, is_integer
from .accesses import calls_of
from .surroundings import Surroundings, UncollapsibleError
from .updates import updates_of

_STEPS = ("++", "--", "p++", "p--")


def mentions(sema: Sema, body: c_ast.Node, symbol: Entity) -> list[c_ast.Node]:
    return [n for n in walk(body) if isinstance(n, c_ast.ID) and sema.symbol(n) is symbol]


def is_written_first(sema: Sema, body: c_ast.Node, symbol: Symbol) -> bool:
    """Whether every read of a scalar in a run of a body comes after a write in the same run."""
    reader = reader_of(sema)
    return first.is_written_first(reader.statement(body), reader.types.variable(symbol))


def _home(sema: Sema, bodies: Sequence[c_ast.Node], symbol: Entity) -> int:
    """The innermost of the bodies, by number, that has all mentions of a variable."""
    found = mentions(sema, bodies[0], symbol)
    home = 0
    for number, body in enumerate(bodies):
        nodes = {*walk(body)}
        if all(m in nodes for m in found):
            home = number
    return home


def check_scalars(
    region: Surroundings, bodies: Sequence[c_ast.Node], heads: Sequence[CanonicalLoop], inside: Collection[c_ast.Node]
) -> None:
    """Refuse variables that carry values from one iteration of an inner loop to another.

    ``bodies`` are those of an iteration and of the inner loops.
    """
    sema, body = region.sema, bodies[0]
    reduced = {r.symbol: r for r in region.reductions}
    declared, declared_inside = {*locals_of(sema, body)}, {*locals_of(sema, bodies[-1])}
    moving = {variable for head in heads for variable in (head.symbol, *head.same)}
    everywhere, changes = assignments(sema, body), assignments(sema, bodies[1])
    lent: set[Entity] = set()
    if everywhere.address_taken:
        with suppress(ObstacleError):
            lent = TeamPlaces(calls_of(sema), set(), (), ()).lent(reader_of(sema).statement(body), {})[1]
    for symbol in everywhere.symbols:
        if symbol in region.memory or symbol in declared_inside or symbol in moving or symbol in region.carried:
            continue
        if symbol in reduced:
            _check_reduction(sema, bodies[-1], reduced[symbol], inside, mentions(sema, body, symbol))
            continue
        if symbol in everywhere.address_taken and (symbol not in lent or symbol not in declared):
            raise _carried(sema, body, symbol)  # somebody may change it who does not name it
        if symbol not in changes.symbols:
            # Only what stands in front of the first inner loop changes it, and is repeated.
            if symbol not in declared and not is_written_first(sema, body, symbol):
                raise _carried(sema, body, symbol)
            continue
        if not is_arithmetic(strip(symbol.type)) or symbol in changes.address_taken:
            raise UncollapsibleError(f"inner loops share '{symbol.name}'", mentions(sema, bodies[1], symbol)[0])
        home = _home(sema, bodies, symbol)
        if home == 0 or any(symbol in assignments(sema, b).symbols for b in bodies[home + 1 :]):
            raise _carried(sema, body, symbol)
        if symbol in everywhere.address_taken or not is_written_first(sema, bodies[home], symbol):
            raise _carried(sema, body, symbol)
    for reduction in region.reductions:
        if reduction.symbol not in assignments(sema, bodies[0]).symbols and mentions(sema, bodies[0], reduction.symbol):
            raise UncollapsibleError(f"the reduction over '{reduction.symbol.name}' is read, but not added to")


def check_side_by_side(region: Surroundings, loops: Sequence[c_ast.For]) -> None:
    """Refuse variables that carry values from one of several loops to another."""
    sema, reduced = region.sema, {r.symbol for r in region.reductions}
    whole = c_ast.Compound(list(loops))
    for loop in loops:
        for symbol in assignments(sema, loop.stmt).symbols:
            if symbol in region.memory or symbol in reduced or symbol in locals_of(sema, loop.stmt):
                continue
            others = [other.stmt for other in loops if mentions(sema, other.stmt, symbol)]
            if len(others) > 1 and not all(is_written_first(sema, body, symbol) for body in others):
                raise _carried(sema, whole, symbol)


def _carried(sema: Sema, body: c_ast.Node, symbol: Entity) -> UncollapsibleError:
    why = f"'{symbol.name}' takes a value from one iteration of an inner loop to another"
    return UncollapsibleError(why, mentions(sema, body, symbol)[-1], "reduce it, or compute it anew in each iteration")


def single_values(
    region: Surroundings, bodies: Sequence[c_ast.Node]
) -> tuple[dict[Entity, c_ast.Node], frozenset[Entity]]:
    """(the variables that get one value in an iteration, each with it; those that get it outside of inner loops)"""
    sema, body = region.sema, bodies[0]
    values: dict[Symbol, list[c_ast.Node]] = {}
    assigned: set[Symbol] = set()
    changed = assignments(sema, body)
    declared = {*locals_of(sema, body)}
    for node in walk(body):
        match node:
            case c_ast.Decl() if node.init is not None and not isinstance(node.type, c_ast.FuncDecl):
                values.setdefault(sema.decl_symbol(node), []).append(node.init)
            case c_ast.Assignment(lvalue=c_ast.ID()):
                symbol = sema.symbol(node.lvalue)
                if symbol is not None:
                    values.setdefault(symbol, []).extend([node.rvalue] * (1 if node.op == "=" else 2))
                    assigned.add(symbol)
            case c_ast.UnaryOp() if node.op in _STEPS and isinstance(node.expr, c_ast.ID):
                symbol = sema.symbol(node.expr)
                if symbol is not None:
                    values.setdefault(symbol, []).extend([node.expr] * 2)
    single: dict[Entity, c_ast.Node] = {}
    for variable, found in values.items():
        kind = strip(variable.type)
        plain = is_integer(kind) or isinstance(kind, Pointer)
        plain = plain and not {"volatile", "_Atomic"} & set(variable.type.quals)
        if len(found) != 1 or not plain or isinstance(found[0], c_ast.InitList) or variable in changed.address_taken:
            continue
        if variable in region.memory or (variable not in declared and variable not in region.own):
            continue
        if variable in assigned:
            home = bodies[_home(sema, bodies, variable)]
            if not is_written_first(sema, home, variable):
                continue
        single[variable] = found[0]
    in_loops = {*walk(bodies[1])}
    return single, frozenset(s for s, value in single.items() if value not in in_loops)


# -- reductions ---------------------------------------------------------------------------------------------------


def _check_reduction(
    sema: Sema, body: c_ast.Node, reduction: Reduction, inside: Collection[c_ast.Node], mentions: Sequence[c_ast.Node]
) -> None:
    """Refuse a reduction variable that the innermost body uses otherwise than the clause says."""
    symbol = reduction.symbol
    problem = UncollapsibleError(f"'{symbol.name}' is used otherwise than in its reduction", next(iter(mentions), None))
    if reduction.functions is not None or reduction.count or reduction.is_variable:
        raise problem
    allowed = {mention for found in updates_of(sema, body, reduction).values() for mention in found}
    if any(m not in allowed or m not in inside for m in mentions):
        raise problem
