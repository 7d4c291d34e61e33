"""Loops in canonical form (OpenMP 5.2, section 4.4.1), as the tree has them."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.records import dataclass
from ..tree import nodes as tree
from ..tree.symbols import Variable
from ..tree.types import Integer, Pointer
from ..tree.values import as_written, constant, is_value_of, unconverted

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


@dataclass(frozen=True, eq=False)
class Level:
    """A loop whose ``variable`` counts from ``lower`` to ``bound``, with the ``relation`` to it in front of each
    iteration. ``step`` is what is added to it if that is constant, and ``trips`` the number of iterations if that is.
    """

    loop: tree.Loop
    variable: Variable
    lower: tree.Expression
    relation: str
    bound: tree.Expression
    step: int | None
    increasing: bool
    trips: int | None

    @property
    def first(self) -> int | None:
        """The first value if it is constant."""
        return constant(self.lower)

    @property
    def closed(self) -> bool:
        """Whether the bound is one of the values."""
        return self.relation in ("<=", ">=")


def level_of(loop: tree.Loop) -> Level | None:
    """A loop in canonical form, or None for other loops."""
    start = loop.start
    while isinstance(start, tree.Block) and len(start.statements) == 1:
        (start,) = start.statements
    match start:
        case tree.Declare(variable=variable, initialiser=lower) if lower is not None:
            pass
        case tree.Evaluate(expression=tree.Store(place=tree.Named(variable=variable), value=lower)):
            pass
        case _:
            return None
    found, moved = _bound(loop.condition, variable), _step(loop.step, variable)
    if found is None or moved is None or not isinstance(variable.type, Integer | Pointer) or loop.body_first:
        return None
    (relation, bound), (step, increasing) = found, moved
    if increasing is None:
        increasing = relation in ("<", "<=")
    if step == 0 or (relation != "!=" and increasing != (relation in ("<", "<="))) or (relation == "!=" and step != 1):
        return None
    if any(_changes(part, variable) for part in tree.walk(loop.body)):
        return None
    lower = as_written(lower)
    return Level(loop, variable, lower, relation, bound, step, increasing, _trips(lower, relation, bound, step))


def _bound(condition: tree.Expression | None, variable: Variable) -> tuple[str, tree.Expression] | None:
    asked = unconverted(condition) if condition is not None else None
    if not isinstance(asked, tree.Binary) or asked.operator not in _MIRRORED:
        return None
    for own, other, relation in (
        (asked.left, asked.right, asked.operator),
        (asked.right, asked.left, _MIRRORED[asked.operator]),
    ):
        if is_value_of(own, variable):
            inner = as_written(other)
            named = any(isinstance(n, tree.Named) and n.variable is variable for n in tree.walk(inner))
            return (relation, inner) if not named else None
    return None


def _step(step: tree.Expression | None, variable: Variable) -> tuple[int | None, bool | None] | None:
    """(the size of the step if it is constant, whether it is added), or None for other forms."""
    value, added = None, True
    match step:
        case tree.Update(place=tree.Named(variable=own), operator="+" | "-") if own is variable:
            value, added = step.value, step.operator == "+"
        case tree.Store(place=tree.Named(variable=own)) if own is variable:
            total = unconverted(step.value)
            if isinstance(total, tree.Offset) and is_value_of(total.pointer, variable):
                value, added = total.index, not total.backward
            elif isinstance(total, tree.Binary) and total.operator in ("+", "-") and is_value_of(total.left, variable):
                value, added = total.right, total.operator == "+"
            elif isinstance(total, tree.Binary) and total.operator == "+" and is_value_of(total.right, variable):
                value = total.left
    if value is None:
        return None
    size = constant(value)
    if size is None:
        return None, None
    return abs(size), added == (size > 0)


def _changes(node: tree.Node, variable: Variable) -> bool:
    place = node.place if isinstance(node, tree.Store | tree.Update) else None
    return isinstance(place, tree.Named) and place.variable is variable


def _trips(lower: tree.Expression, relation: str, bound: tree.Expression, step: int | None) -> int | None:
    first, last = constant(lower), constant(bound)
    if first is None or last is None or step is None:
        return None
    distance = abs(last - first) if relation == "!=" else last - first if relation in ("<", "<=") else first - last
    return max(0, -(-(distance + (relation in ("<=", ">="))) // step))


@dataclass(frozen=True, eq=False)
class Nest:
    """The loops of a construct whose iterations are shared out, outermost first, and what an iteration of them runs.
    ``inner`` are others that belong to the construct."""

    levels: tuple[Level, ...]
    body: tree.Statement
    inner: tuple[Level, ...] = ()


def nest_of(body: tree.Statement, depth: int) -> Nest | None:
    """The ``depth`` loops of a construct, or None if they are not in canonical form. One that is not alone, or whose
    head names the variable of an outer one, runs within an iteration of those around it."""
    levels: list[Level] = []
    inner: list[Level] = []
    rest: tree.Statement | None = None
    for _ in range(depth):
        alone, loop = single(body), _only_loop(body)
        if rest is None and levels and alone is not loop:
            rest = body
        level = level_of(loop) if loop is not None else None
        if level is None or loop is None or (not levels and alone is not loop):
            return None
        outer = {one.variable for one in levels}
        heads = (node for part in (level.lower, level.bound) for node in tree.walk(part))
        if rest is None and any(isinstance(n, tree.Named) and n.variable in outer for n in heads):
            rest = body
        (levels if rest is None else inner).append(level)
        body = loop.body
    return Nest(tuple(levels), rest or body, tuple(inner))


def single(node: tree.Statement) -> tree.Statement | None:
    """A statement, or the only one in its blocks, or None if there are several."""
    while isinstance(node, tree.Block):
        items = [item for item in node.statements if not isinstance(item, tree.Block) or item.statements]
        if len(items) != 1:
            return None
        node = items[0]
    return node


def _only_loop(node: tree.Statement) -> tree.Loop | None:
    found = list(_loops(node))
    return found[0] if len(found) == 1 else None


def _loops(node: tree.Statement) -> Iterator[tree.Loop]:
    if isinstance(node, tree.Loop):
        yield node
    elif isinstance(node, tree.Block):
        for item in node.statements:
            yield from _loops(item)
