"""Chooses the loops to unroll, so that the arrays of a thread lie in registers.

A GPU's registers have no addresses. An array of a thread's own lies in them only if every subscript is a constant.
``t[i][l]`` is one where the loops over ``i`` and ``l`` have a constant number of iterations and are unrolled. The
compiler unrolls short loops only, and an array that one other loop indexes lies in memory.

Unrolling changes no result, so what this module does not see costs time only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..base.records import dataclass
from ..tree import nodes as tree
from ..tree.nodes import Node, children, walk
from ..tree.symbols import Variable
from ..tree.types import Array, Integer, Record
from ..tree.values import constant

_BYTES = 512  # of one array, or structure with arrays: half of a thread's registers
_ITERATIONS = 64
_NODES = 6000  # of what a loop becomes


@dataclass(frozen=True, eq=False)
class _Use:
    """A use of an array's element, and the loops whose counters are in its subscripts. None: they are not constant."""

    array: Variable
    loops: tuple[tree.Loop, ...] | None


def unrolled(statements: Iterable[tree.Statement]) -> tuple[tree.Loop, ...]:
    """The loops to unroll in regions and in bodies of functions, in the order of the text."""
    return tuple(loop for statement in statements for loop in _of_one(statement))


def _of_one(statement: tree.Statement) -> Iterator[tree.Loop]:
    arrays = {n.variable for n in walk(statement) if isinstance(n, tree.Declare) and _is_small(n)}
    if not arrays:
        return
    counts: dict[tree.Loop, int] = {}
    uses = list(_uses(statement, arrays, {}, counts))
    allowed = set(counts)
    while True:
        kept = arrays - {use.array for use in uses if use.loops is None or not allowed.issuperset(use.loops)}
        wanted = {loop for use in uses if use.array in kept for loop in use.loops or ()}
        long = {loop for loop in wanted if counts[loop] * _size(loop.body, wanted, counts) > _NODES}
        if not long:
            break
        allowed -= long
    yield from (node for node in walk(statement) if isinstance(node, tree.Loop) and node in wanted)


def _is_small(node: tree.Declare) -> bool:
    size = node.variable.type.size if isinstance(node.variable.type, Array | Record) else None
    return size is not None and size <= _BYTES


def _size(node: Node, wanted: set[tree.Loop], counts: Mapping[tree.Loop, int]) -> int:
    """How many nodes there are once the ``wanted`` loops are unrolled."""
    times = counts[node] if isinstance(node, tree.Loop) and node in wanted else 1
    return times * (1 + sum(_size(child, wanted, counts) for child in children(node)))


def _uses(
    node: Node, arrays: set[Variable], counters: Mapping[Variable, tree.Loop], counts: dict[tree.Loop, int]
) -> Iterator[_Use]:
    """The uses of arrays in a node. ``counters`` are those of the counted loops around it; ``counts`` gets the numbers
    of iterations of those in it."""
    match node:
        case tree.Pointee() | tree.Part():
            array, subscripts = _element(node)
            if array in arrays:
                yield _Use(array, _loops_of(subscripts, counters))
                for subscript in subscripts:
                    yield from _uses(subscript, arrays, counters, counts)
                return
        case tree.Named() if node.variable in arrays:
            yield _Use(node.variable, None)  # the whole array, or its address
        case tree.Construct() if node.directive.name != "simd" and isinstance(node.body, tree.Loop):
            for child in children(node.body):  # threads share its iterations
                yield from _uses(child, arrays, counters, counts)
            return
        case tree.Loop():
            counted = _counted(node)
            if counted is not None:
                counter, counts[node] = counted
                counters = {**counters, counter: node}
        case _:
            pass
    for child in children(node):
        yield from _uses(child, arrays, counters, counts)


def _element(place: Node) -> tuple[Variable | None, list[tree.Expression]]:
    """The array of which a place is a part, and all subscripts that lead to it; or None."""
    subscripts: list[tree.Expression] = []
    while True:
        match place:
            case tree.Named():
                return place.variable, subscripts
            case tree.Part():
                place = place.whole
            case tree.Pointee(pointer=tree.Offset(pointer=tree.Decay(array=array), index=index)):
                subscripts.append(index)
                place = array
            case _:
                return None, []


def _loops_of(
    subscripts: Iterable[tree.Expression], counters: Mapping[Variable, tree.Loop]
) -> tuple[tree.Loop, ...] | None:
    """The loops of which subscripts name the counters, or None if they depend on anything else."""
    found: list[tree.Loop] = []
    for node in (node for subscript in subscripts for node in walk(subscript)):
        match node:
            case tree.Named(variable=variable) if variable in counters:
                found.append(counters[variable])
            case tree.Constant() | tree.Load() | tree.Convert() | tree.Unary() | tree.Binary():
                pass
            case _:
                return None
    return tuple(found)


def _counted(loop: tree.Loop) -> tuple[Variable, int] | None:
    """The counter of a loop with a constant number of iterations, and that number."""
    step, condition = loop.step, loop.condition
    if not isinstance(step, tree.Update) or step.operator not in ("+", "-") or not isinstance(step.place, tree.Named):
        return None
    counter = step.place.variable
    match loop.start:
        case tree.Declare(variable=variable, initialiser=first) if variable is counter and first is not None:
            pass
        case tree.Evaluate(expression=tree.Store(place=tree.Named(variable=variable), value=first)) if (
            variable is counter
        ):
            pass
        case _:
            return None
    if not isinstance(condition, tree.Binary) or _named(condition.left) is not counter or _changes(loop.body, counter):
        return None
    value, by, bound = constant(first), constant(step.value), constant(condition.right)
    if value is None or by is None or bound is None or not isinstance(counter.type, Integer):
        return None
    by = by if step.operator == "+" else -by
    if (holds := _COMPARED.get(condition.operator)) is None:
        return None
    for iterations in range(_ITERATIONS + 1):
        if not holds(value, bound):
            return counter, iterations
        value += by
        if not counter.type.least <= value <= counter.type.greatest:
            return None
    return None


_COMPARED = {
    "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "!=": int.__ne__,
    "==": int.__eq__,
}  # fmt: skip


def _named(value: tree.Expression) -> Variable | None:
    while isinstance(value, tree.Convert):
        value = value.value
    return value.place.variable if isinstance(value, tree.Load) and isinstance(value.place, tree.Named) else None


def _changes(body: tree.Statement, counter: Variable) -> bool:
    """Whether a body may change the counter: it names it other than to read it."""
    reads = {node.place for node in walk(body) if isinstance(node, tree.Load)}
    return any(
        (isinstance(node, tree.Named) and node.variable is counter and node not in reads)
        or (isinstance(node, tree.Opaque) and node.mentions is None)
        for node in walk(body)
    )
