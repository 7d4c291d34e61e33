"""Rows that each thread walks along by itself (see c/analysis/optimise/walk.py), found in the region's tree.

What is not found costs time only: a launch has more threads at a time then than are good for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from ..plan.host_expression import HostExpression
from ..plan.host_expression import Variable as HostVariable
from ..plan.loops import LoopNest
from ..tree import nodes as tree
from ..tree.nodes import walk
from ..tree.questions import same_value
from ..tree.symbols import Variable
from ..tree.types import Pointer
from .facts import RegionFacts


def walked(facts: RegionFacts, nest: LoopNest) -> tuple[HostExpression, ...]:
    """The pointers to rows that a loop in an iteration of ``nest`` walks along, of the loop with the most rows."""
    for region in facts.trees:
        spread = next((n for n in walk(region) if isinstance(n, tree.Loop)), None)
        if spread is None:
            continue
        own = {level.symbol for level in nest.levels}
        most: list[str] = []
        for loop in _loops(spread.body):
            rows = _rows(facts, loop, own)
            most = rows if len(rows) > len(most) else most
        return tuple(map(HostVariable, most))
    return ()


def _loops(statement: tree.Statement) -> Iterator[tree.Loop]:
    """The loops to which every iteration comes."""
    if isinstance(statement, tree.Block):
        for one in statement.statements:
            yield from _loops(one)
    elif isinstance(statement, tree.Loop):
        yield statement
        yield from _loops(statement.body)


def _rows(facts: RegionFacts, loop: tree.Loop, own: AbstractSet[object]) -> list[str]:
    """The pointers whose elements an iteration of ``loop`` reads one after the other, from elsewhere in each thread."""
    counter, lower = _counted(loop)
    if counter is None or lower is None:
        return []
    apart = any(isinstance(n, tree.Pointee) for n in walk(lower)) or _names(lower, own)
    found: list[tuple[str, tree.Expression | None]] = []
    for node in walk(loop.body):
        if not isinstance(node, tree.Pointee) or not isinstance(node.pointer, tree.Offset):
            continue
        name = _pointer(facts, node.pointer.pointer)
        rest = _without(node.pointer.index, counter)
        if not name or rest is False:
            continue
        assert not isinstance(rest, bool)
        if apart or (rest is not None and _multiplies(rest, own)):
            known = any(n == name and _same(r, rest) for n, r in found)
            found += [] if known else [(name, rest)]
    return [name for name, _ in found]


def _counted(loop: tree.Loop) -> tuple[Variable | None, tree.Expression | None]:
    """The variable that a loop counts up by one, and where it begins."""
    step = loop.step
    if not isinstance(step, tree.Update) or step.operator != "+" or not isinstance(step.place, tree.Named):
        return None, None
    if not isinstance(step.value, tree.Constant) or step.value.value != 1:
        return None, None
    counter = step.place.variable
    match loop.start:
        case tree.Declare(variable=v, initialiser=lower) if v is counter and lower is not None:
            return counter, lower
        case tree.Evaluate(expression=tree.Store(place=tree.Named(variable=v), value=lower)) if v is counter:
            return counter, lower
    return None, None


def _names(node: tree.Node, own: AbstractSet[object]) -> bool:
    return any(isinstance(n, tree.Named) and n.variable.entity in own for n in walk(node))


def _pointer(facts: RegionFacts, pointer: tree.Expression) -> str:
    """The name of a pointer that the host has in front of the region: a variable, or a member of the object."""
    place = pointer.place if isinstance(pointer, tree.Load) else None
    if isinstance(place, tree.Named) and isinstance(place.type, Pointer):
        known = facts.unit.lookup(facts.function, place.variable.name, facts.construct.start)
        return place.variable.name if known is not None and known is place.variable.entity else ""
    if isinstance(place, tree.Part) and isinstance(place.whole, tree.Pointee):
        this = place.whole.pointer
        if isinstance(this, tree.Load) and isinstance(this.place, tree.Named) and this.place.variable.name == "this":
            return place.member.name
    return ""


def _plain(value: tree.Expression) -> tree.Expression:
    while isinstance(value, tree.Convert):
        value = value.value
    return value


def _without(index: tree.Expression, counter: Variable) -> tree.Expression | bool | None:
    """What is added to the counter in an index: None for nothing, False if the index is no sum with the counter."""
    index = _plain(index)
    if isinstance(index, tree.Load) and isinstance(index.place, tree.Named) and index.place.variable is counter:
        return None
    if not isinstance(index, tree.Binary) or index.operator != "+":
        return False
    for one, other in ((index.left, index.right), (index.right, index.left)):
        inner = _without(one, counter)
        if inner is None and not any(isinstance(n, tree.Named) and n.variable is counter for n in walk(other)):
            return other
    return False


def _multiplies(value: tree.Expression, own: AbstractSet[object]) -> bool:
    """Whether a value has a product with a counter of the loops that threads share."""
    return any(isinstance(n, tree.Binary) and n.operator == "*" and _names(n, own) for n in walk(value))


def _same(a: tree.Expression | None, b: tree.Expression | None) -> bool:
    return a is b if a is None or b is None else same_value(a, b)
