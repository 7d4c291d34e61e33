"""Finds reduced arrays of which the threads of a team can share one copy.

A thread's own copy of a histogram is slow memory, and combining the copies of all threads takes longer than filling
them. The team's copy is in shared memory, and statements such as ``bins[x[i]] += w`` become atomic operations on it.
This needs that the body does nothing else with the array, for then nobody can tell whose copy it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.records import dataclass, replace
from ..plan.constructs import Atomic, Code, LoopNest, Reduction
from ..plan.optimised import TeamArray
from ..tree import nodes as tree
from ..tree.symbols import Variable
from ..tree.types import Floating, Integer, end_of
from ..tree.updates import statements
from ..tree.values import only_statement
from .changes import changes_of
from .obstacle import ObstacleError
from .side import Side

ROOM = 24 << 10  # bytes of shared memory for all copies of a team: eight teams of a multiprocessor then have room
_UNKNOWN_ROOM = 8 << 10  # for an array whose length only the run knows
_FEW = 32  # elements that threads would often want at the same time, but of which each can keep its own copy
_ACTS = (tree.Store, tree.Update, tree.Call, tree.Opaque)
_COMBINED_BY = {
    "rex_add": ("rex_add", "rex_sub"),
    "rex_mul": ("rex_mul",),
    "rex_band": ("rex_band",),
    "rex_bor": ("rex_bor",),
    "rex_bxor": ("rex_bxor",),
    "rex_min": ("rex_min",),
    "rex_max": ("rex_max",),
}


def team_arrays(
    side: Side, nest: LoopNest, bodies: Sequence[tree.Statement], reductions: Sequence[Reduction]
) -> tuple[TeamArray, ...]:
    """The arrays among what the loop reduces that a team can share, in all instantiations of its body.

    Raises ObstacleError if there is none.
    """
    found: list[TeamArray] = []
    problem: ObstacleError | None = None
    left = ROOM
    for reduction in reductions:
        if not reduction.count:
            continue
        try:
            side.check()
            every = [_Body(side, nest, body, reduction) for body in bodies]
            updates = {code: update for one in every for code, update in one.updates().items()}
            if side.names_elsewhere(reduction.symbol, [use for one in every for use in one.uses]):
                raise ObstacleError(f"the type of '{reduction.symbol.name}' is asked for")
        except ObstacleError as error:
            problem = problem or error
            continue
        size = max(one.size for one in every)
        wanted = min(_UNKNOWN_ROOM, left) if reduction.is_variable else reduction.count * size
        room = wanted // size if wanted <= left else 0
        left -= room * size
        repeatable = frozenset(code for one in every for code in one.repeatable)
        found.append(TeamArray(reduction.symbol, room, tuple(updates.items()), reduction.operator, repeatable))
    if not found:
        raise problem or ObstacleError("no reduction of an array")
    return tuple(found)


class _Body:
    """A body, and an array that it reduces. Raises ObstacleError."""

    def __init__(self, side: Side, nest: LoopNest, body: tree.Statement, reduction: Reduction) -> None:
        self.side, self.nest, self.body, self.reduction = side, nest, body, reduction
        self.repeatable: set[Code] = set()
        self.name = name = reduction.symbol.name
        self.uses = self._mentions(body)
        kind = end_of(self.uses[0].variable.type) if self.uses else None
        plain = (isinstance(kind, Integer) and not kind.boolean) or (isinstance(kind, Floating) and kind.digits <= 53)
        if reduction.functions is not None or (kind is not None and (not plain or kind.size not in (4, 8))):
            raise ObstacleError(f"the hardware has no atomic operation for the elements of '{name}'")
        if reduction.operator not in _COMBINED_BY:
            raise ObstacleError(f"the hardware has no atomic operation for the operator that reduces '{name}'")
        if kind is not None and (kind.volatile or kind.atomic):
            raise ObstacleError(f"'{name}' is volatile or _Atomic")
        if not reduction.is_variable and reduction.count <= _FEW:
            raise ObstacleError(f"'{name}' has so few elements that threads would wait for each other")
        if any(isinstance(node, tree.Construct) for node in tree.walk(body)):
            raise ObstacleError("the body has constructs of its own")
        self.size = (kind.size if kind is not None else None) or 0

    def updates(self) -> dict[Code, Atomic]:
        """The statements that combine elements of the array with values. Raises ObstacleError if there are others."""
        found: dict[Code, Atomic] = {}
        elements: list[tree.Place] = []
        explained: set[tree.Node] = set()
        for statement in statements(self.body):
            element = self._updated(statement)
            made = self.side.update(statement) if element is not None else None
            if element is None or made is None or made[1].operator not in _COMBINED_BY[self.reduction.operator]:
                continue
            code, update = made
            if not (update.reversed and update.operator == "rex_sub"):
                found[code] = replace(update, reversed=False)
                if sum(isinstance(node, _ACTS) for node in tree.walk(statement)) == 1:
                    self.repeatable.add(code)
                elements.append(element)
                explained.update(self._mentions(statement))
        other = next((use for use in self.uses if use not in explained), None)
        if other is not None or not found:
            remedy = "only combine its elements with values, in statements such as a[k] += x"
            raise ObstacleError(f"'{self.name}' is used otherwise than in its reduction", other, remedy)
        varying = self._varying()
        if all(_is_uniform(element, varying) for element in elements):
            raise ObstacleError(f"all threads come to the same elements of '{self.name}' at a time")
        return found

    def _mentions(self, node: tree.Node) -> list[tree.Named]:
        """The mentions of the array. Raises ObstacleError where there may be others."""
        found: list[tree.Named] = []
        for part in tree.walk(node):
            if isinstance(part, tree.Opaque) and part.mentions is None:
                raise ObstacleError(part.why, part)
            if isinstance(part, tree.Named) and part.variable.entity is self.reduction.symbol:
                found.append(part)
        return found

    def _updated(self, statement: tree.Statement) -> tree.Place | None:
        """The element in which a statement combines a value with what it has, if the statement does nothing else.

        What it names several times, it may be printed with once.
        """
        form = _form(statement)
        if form is None or not self._is_element(form.place) or len(self._mentions(statement)) != form.names:
            return None
        if form.names > 1:
            acts = [n for n in tree.walk(statement) if isinstance(n, tree.Store | tree.Update | tree.Call)]
            if len(acts) > 1 or changes_of(statement).lent:
                return None
        total = form.total
        sides = (total.left, total.right) if total is not None else ()
        if sides and not any(self._is_own(side) for side in sides):
            return None  # x + a + b is not x + (a + b)
        return form.place

    def _is_own(self, value: tree.Expression) -> bool:
        value = _plain(value)
        return isinstance(value, tree.Load) and self._is_element(value.place)

    def _is_element(self, place: tree.Place) -> bool:
        """Whether a place is ``a[i]`` or ``a[i][j]`` of the array ``a``, whose subscripts do not mention it."""
        depth = 0
        while True:
            match place:
                case tree.Pointee(pointer=pointer):
                    depth += 1
                    while isinstance(pointer, tree.Offset):
                        if self._mentions(pointer.index):
                            return False
                        pointer = pointer.pointer
                    match pointer:
                        case tree.Decay(array=array):
                            place = array
                        case tree.Load(place=tree.Named() as named):
                            place = named
                        case _:
                            return False
                case tree.Named(variable=variable):
                    return depth > 0 and variable.entity is self.reduction.symbol
                case _:
                    return False

    def _varying(self) -> set[Variable]:
        """The variables that may have other values in other threads: what an iteration has or changes, without the
        counters of inner loops."""
        changes, counters = changes_of(self.body), set(_counters(self.body))
        levels = {s for level in self.nest.levels for s in (level.symbol, *level.same)}
        named = {node.variable for node in tree.walk(self.body) if isinstance(node, tree.Named)}
        inside = {*changes.variables, *changes.declared} - counters
        return inside | {v for v in named if v.entity in levels}


@dataclass(frozen=True)
class _Form:
    """A statement that updates a ``place``, which it ``names`` so often. The operation ``total`` is assigned."""

    place: tree.Place
    names: int
    total: tree.Binary | None = None


def _form(statement: tree.Statement) -> _Form | None:
    match statement:
        case tree.Evaluate(expression=tree.Update(place=place)):
            return _Form(place, 1)
        case tree.Evaluate(expression=tree.Store(place=place, value=value)):
            value = _plain(value)
            if isinstance(value, tree.Conditional):
                return _Form(place, 3)
            return _Form(place, 2, value) if isinstance(value, tree.Binary) else None
        case tree.If(then=then, otherwise=None):
            match only_statement(then):
                case tree.Evaluate(expression=tree.Store(place=place)):
                    return _Form(place, 2)
    return None


def _plain(value: tree.Expression) -> tree.Expression:
    while isinstance(value, tree.Convert):
        value = value.value
    return value


def _counters(body: tree.Statement) -> Iterator[Variable]:
    """The counters of a body's loops."""
    for loop in (node for node in tree.walk(body) if isinstance(node, tree.Loop)):
        for part in tree.walk(loop.start) if loop.start is not None else ():
            match part:
                case tree.Declare(variable=variable):
                    yield variable
                case tree.Store(place=tree.Named(variable=variable)):
                    yield variable


def _is_uniform(element: tree.Place, varying: set[Variable]) -> bool:
    """Whether subscripts are made of constants and counters of inner loops, which are the same in all threads."""
    subscripts: list[tree.Expression] = []
    while isinstance(element, tree.Pointee):
        pointer = element.pointer
        while isinstance(pointer, tree.Offset):
            subscripts.append(pointer.index)
            pointer = pointer.pointer
        if not isinstance(pointer, tree.Decay):
            break
        element = pointer.array
    parts = [node for subscript in subscripts for node in tree.walk(subscript)]
    loads = any(isinstance(n, tree.Call | tree.Part | tree.Pointee | tree.Store | tree.Update) for n in parts)
    return not loads and varying.isdisjoint(n.variable for n in parts if isinstance(n, tree.Named))
