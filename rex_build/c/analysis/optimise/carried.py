"""Which variables take values from one iteration of a loop to another, and which get one value in an iteration."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from enum import Enum

from pycparser import c_ast, c_generator

from ....plan.code import Entity
from ....plan.loops import CanonicalLoop
from ....plan.sharing import Reduction
from ...sema import Sema, assignments, locals_of, walk
from ...sema.ctype import Pointer, strip
from ...sema.type_questions import is_arithmetic, is_integer
from ...syntax.nodes import OmpConstruct
from ..purity import called_name
from .surroundings import Surroundings, UncollapsibleError

_printer = c_generator.CGenerator()
_STEPS = ("++", "--", "p++", "p--")
_MINIMA = {"rex_min": ("<", "<=", "fmin"), "rex_max": (">", ">=", "fmax")}
_OPERATORS = {
    "rex_add": ("+", "-"),
    "rex_mul": ("*",),
    "rex_band": ("&",),
    "rex_bor": ("|",),
    "rex_bxor": ("^",),
    "rex_land": ("&&",),
    "rex_lor": ("||",),
}


def mentions(sema: Sema, body: c_ast.Node, symbol: Entity) -> list[c_ast.Node]:
    return [n for n in walk(body) if isinstance(n, c_ast.ID) and sema.symbol(n) is symbol]


def is_written_first(sema: Sema, body: c_ast.Node, symbol: Entity) -> bool:
    """Whether every read of a scalar in a run of a body comes after a write in the same run."""
    return _first(sema, body, symbol) in (_First.WRITE, _First.PERHAPS)


class _First(Enum):
    """What a statement first does with a variable."""

    NOTHING = "does not mention it"
    WRITE = "writes it"
    PERHAPS = "writes it before it reads it, or does not mention it"
    READ = "may read it"


def _first(sema: Sema, node: c_ast.Node | None, symbol: Entity) -> _First:
    if node is None or not mentions(sema, node, symbol):
        return _First.NOTHING
    match node:
        case c_ast.Compound():
            return _first_of(sema, node.block_items or (), symbol)
        case c_ast.DeclList():
            return _first_of(sema, node.decls, symbol)
        case c_ast.Assignment(op="=", lvalue=c_ast.ID()) if sema.symbol(node.lvalue) is symbol:
            return _First.READ if mentions(sema, node.rvalue, symbol) else _First.WRITE
        case c_ast.If() if not mentions(sema, node.cond, symbol):
            found = {_first(sema, node.iftrue, symbol), _first(sema, node.iffalse, symbol)}
            return _First.READ if _First.READ in found else found.pop() if len(found) == 1 else _First.PERHAPS
        case c_ast.For():
            begins = _first(sema, node.init, symbol)
            if begins is not _First.NOTHING:
                return begins
            if node.cond is not None and mentions(sema, node.cond, symbol):
                return _First.READ
            found_in = _first(sema, node.stmt, symbol)
            return _First.PERHAPS if found_in in (_First.WRITE, _First.PERHAPS) else _First.READ
        case c_ast.While() if not mentions(sema, node.cond, symbol):
            return _First.READ if _first(sema, node.stmt, symbol) is _First.READ else _First.PERHAPS
        case OmpConstruct() if node.directive.constructs == ("simd",):
            return _first(sema, node.body, symbol)
    return _First.READ


def _first_of(sema: Sema, items: Iterable[c_ast.Node], symbol: Entity) -> _First:
    """What several statements, one after the other, first do with a variable."""
    so_far = _First.NOTHING
    for item in items:
        found = _first(sema, item, symbol)
        if found in (_First.READ, _First.WRITE):
            return found
        so_far = found if found is _First.PERHAPS else so_far
    return so_far


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
    sema = region.sema
    reduced = {r.symbol: r for r in region.reductions}
    declared_inside = {*locals_of(sema, bodies[-1])}
    moving = {variable for head in heads for variable in (head.symbol, *head.same)}
    for symbol in assignments(sema, bodies[0]).symbols:
        if symbol in region.memory or symbol in declared_inside or symbol in moving or symbol in region.carried:
            continue
        if symbol in reduced:
            _check_reduction(sema, bodies[-1], reduced[symbol], inside, mentions(sema, bodies[0], symbol))
            continue
        changes = assignments(sema, bodies[1])
        if symbol not in changes.symbols:
            continue  # only statements in front of the first inner loop change it
        if not is_arithmetic(strip(symbol.type)) or symbol in changes.address_taken:
            raise UncollapsibleError(f"inner loops share '{symbol.name}'", mentions(sema, bodies[1], symbol)[0])
        home = _home(sema, bodies, symbol)
        if home == 0 or any(symbol in assignments(sema, b).symbols for b in bodies[home + 1 :]):
            raise _carried(sema, bodies[0], symbol)
        if symbol in assignments(sema, bodies[0]).address_taken or not is_written_first(sema, bodies[home], symbol):
            raise _carried(sema, bodies[0], symbol)
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
    values: dict[Entity, list[c_ast.Node]] = {}
    assigned: set[Entity] = set()
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
    allowed: set[c_ast.Node] = set()
    for node in walk(body):
        allowed.update(combined(sema, node, reduction))
    if any(m not in allowed or m not in inside for m in mentions):
        raise problem


def combined(sema: Sema, node: c_ast.Node, reduction: Reduction) -> list[c_ast.Node]:
    """The mentions of a reduction variable in a statement that combines it with a value."""
    symbol, operators = reduction.symbol, _OPERATORS.get(reduction.operator, ())

    def mine(part: c_ast.Node | None) -> bool:
        return isinstance(part, c_ast.ID) and sema.symbol(part) is symbol

    def free(part: c_ast.Node | None) -> bool:
        return part is not None and not mentions(sema, part, symbol)

    match node:
        case c_ast.Assignment() if mine(node.lvalue) and node.op.removesuffix("=") in operators and free(node.rvalue):
            return [node.lvalue]
        case c_ast.UnaryOp() if node.op in _STEPS and "+" in operators and mine(node.expr):
            return [node.expr]
        case c_ast.Assignment(op="=", rvalue=c_ast.BinaryOp()) if mine(node.lvalue) and node.rvalue.op in operators:
            value = node.rvalue
            if mine(value.left) and free(value.right):
                return [node.lvalue, value.left]
            if mine(value.right) and free(value.left) and value.op != "-":
                return [node.lvalue, value.right]
        case c_ast.If(iffalse=None, cond=c_ast.BinaryOp()):
            taken = _only_assignment(node.iftrue)
            if taken is not None and mine(taken.lvalue) and free(taken.rvalue):
                found = _extremum(node.cond, taken.rvalue, reduction, mine)
                return [taken.lvalue, found] if found is not None else []
        case c_ast.Assignment(op="=", rvalue=c_ast.TernaryOp(cond=c_ast.BinaryOp())) if mine(node.lvalue):
            choice = node.rvalue
            kept, taken = (choice.iffalse, choice.iftrue) if mine(choice.iffalse) else (choice.iftrue, choice.iffalse)
            swapped = kept is choice.iftrue
            if mine(kept) and free(taken):
                found = _extremum(choice.cond, taken, reduction, mine, swapped)
                return [node.lvalue, kept, found] if found is not None else []
        case c_ast.Assignment(op="=", rvalue=c_ast.FuncCall()) if mine(node.lvalue) and reduction.operator in _MINIMA:
            name, arguments = called_name(sema, node.rvalue) or "", node.rvalue.args.exprs if node.rvalue.args else []
            base = _MINIMA[reduction.operator][2]
            if name in (base, f"{base}f") and len(arguments) == 2:
                own = [a for a in arguments if mine(a)]
                if len(own) == 1 and all(a in own or free(a) for a in arguments):
                    return [node.lvalue, own[0]]
    return []


def _only_assignment(node: c_ast.Node | None) -> c_ast.Assignment | None:
    while isinstance(node, c_ast.Compound) and len(node.block_items or ()) == 1:
        node = node.block_items[0]
    return node if isinstance(node, c_ast.Assignment) and node.op == "=" else None


def _extremum(
    condition: c_ast.BinaryOp,
    taken: c_ast.Node,
    reduction: Reduction,
    mine: Callable[[c_ast.Node | None], bool],
    swapped: bool = False,
) -> c_ast.Node | None:
    """The mention of ``s`` in the condition of ``if (value > s) s = value;`` for a maximum, and the like.

    ``swapped`` says that ``s`` is kept if the condition holds.
    """
    mirrored = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
    relation, value, own = condition.op, condition.left, condition.right
    if mine(condition.left):
        relation, value, own = mirrored.get(relation, ""), condition.right, condition.left
    if swapped:
        relation = mirrored.get(relation, "")
    same = mine(own) and _printer.visit(value) == _printer.visit(taken)
    return own if same and relation in _MINIMA.get(reduction.operator, ())[:2] else None
