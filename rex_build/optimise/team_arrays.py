"""Finds arrays that are faster in shared memory: reduced ones of which the threads of a team can share one copy, and
those of a thread's own whose subscripts only the run knows.

A thread's own copy of a histogram is slow memory, and combining the copies of all threads takes longer than filling
them. The team's copy is in shared memory, and statements such as ``bins[x[i]] += w`` become atomic operations on it.
This needs that the body does nothing else with the array, for then nobody can tell whose copy it is.

Registers have no addresses, so ``count[x[i]]++`` keeps a thread's own ``count`` in its local memory. That is in the
cache, but threads that come to different elements come to different lines of it, one after the other. In shared memory
each thread has words of its own in one bank, whatever elements they come to (``include/rex_own_arrays.h``). An object
of a class stands in for the array there, which has its subscripts and nothing else. So the whole body is looked at for
anything but elements that are read or written. What is not found costs time only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.records import dataclass, replace
from ..plan.constructs import Atomic, Code, Entity, LoopNest, Reduction
from ..plan.optimised import OwnArray, TeamArray
from ..tree import nodes as tree
from ..tree.symbols import Variable
from ..tree.types import Array, Floating, Integer, Pointer, Type, end_of
from ..tree.updates import statements
from ..tree.values import only_statement
from .changes import changes_of, mentions
from .obstacle import Obstacle, ObstacleError
from .side import Side
from .tables import is_table

_ROOM = 24 << 10  # bytes of a team's arrays: half of what it may have without asking
_BYTES = 96  # of a thread: with these, as many threads run at a time as without
NO_ARRAY = "no array of the thread's own is written where data say"
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


def own_arrays(side: Side, nest: LoopNest, bodies: Sequence[tree.Statement], threads: int) -> tuple[OwnArray, ...]:
    """The arrays of an iteration that lie in shared memory, in all instantiations of its body, where a team has at most
    so many ``threads``. Raises ObstacleError if there is none."""
    side.check()
    every = [{declared.variable.entity: declared for declared in _wanted(nest, body)} for body in bodies]
    problem: ObstacleError | None = None
    made: list[OwnArray] = []
    left = min(_BYTES, _ROOM // threads)
    for array in every[0]:
        if array is None or not all(array in found for found in every):
            continue
        try:
            size = max(_bytes(side, body, found[array], array) for body, found in zip(bodies, every, strict=True))
            if size > left:
                raise ObstacleError(f"'{every[0][array].variable.name}' is too large for so many threads")
        except ObstacleError as error:
            problem = problem or error
            continue
        left -= size
        made.append(OwnArray(array, every[0][array].initialiser is not None))
    tables = [set(_tables(side, nest, body)) for body in bodies]
    made += (OwnArray(array, True, True) for array in sorted(set.intersection(*tables), key=lambda array: array.name))
    if not made:
        raise problem or ObstacleError(NO_ARRAY)
    return tuple(made)


def _tables(side: Side, nest: LoopNest, body: tree.Statement) -> Iterator[Entity]:
    """The constant arrays of an iteration of which data say what is read, and of which only elements are read."""
    declared = [node for node in tree.parts(body, tree.Declare) if is_table(node)]
    known = _Known(nest, body) if declared else None
    for node in declared:
        array, entity, uses = node.variable, node.variable.entity, mentions(body, node.variable)
        elements = [element for load in tree.parts(body, tree.Load) if (element := _element(load)) is not None]
        read = {named: index for named, index in elements if named.variable is array}
        by_data = known is not None and any(map(known.is_data, read.values()))
        if entity is None or not by_data or not all(use in read for use in uses):
            continue
        if not side.names_elsewhere(entity, uses) and side.has_stand_in(entity, uses):
            yield entity


def _wanted(nest: LoopNest, body: tree.Statement) -> Iterator[tree.Declare]:
    """The declarations of arrays in which each thread writes elements of which data say which."""
    arrays = {node.variable: node for node in tree.parts(body, tree.Declare) if isinstance(node.variable.type, Array)}
    if not arrays:
        return
    known = _Known(nest, body)
    written = map(_element, (*tree.parts(body, tree.Store), *tree.parts(body, tree.Update)))
    apart = {one[0].variable for one in written if one is not None and known.is_data(one[1])}
    yield from (node for variable, node in arrays.items() if variable in apart)


class _Known:
    """Which variables of an iteration have values that ``data`` decide, so that threads have different ones, and the
    compiler knows none."""

    def __init__(self, nest: LoopNest, body: tree.Statement) -> None:
        levels = {symbol for level in nest.levels for symbol in (level.symbol, *level.same)}
        named = {node.variable for node in tree.parts(body, tree.Named)}
        self.data = {variable for variable in named if variable.entity in levels} | {*changes_of(body).lent}
        follow: dict[Variable, set[Variable]] = {}  # those that depend on a variable
        for assigned, cause in _causes(body):
            if self.is_data(cause):
                self.data |= assigned
            for node in tree.parts(cause, tree.Named):
                follow.setdefault(node.variable, set()).update(assigned)
        left = [*self.data]
        while left:
            more = follow.get(left.pop(), set()) - self.data
            self.data |= more
            left += more

    def is_data(self, value: tree.Node) -> bool:
        """Whether a value is made of what memory has, a function gives, or other such values."""
        return any(
            isinstance(node, tree.Pointee | tree.Call | tree.Opaque)
            or (isinstance(node, tree.Named) and node.variable in self.data)
            for node in tree.walk(value)
        )


def _causes(body: tree.Statement) -> Iterator[tuple[set[Variable], tree.Expression]]:
    """(variables that get values, what these depend on: their own operands, and the conditions of branches)"""
    for node in tree.walk(body):
        match node:
            case tree.If():
                inside = map(_assigned, tree.walk(node))
                yield {variable for variable in inside if variable is not None}, node.condition
            case tree.Declare(initialiser=value) if value is not None:
                yield {node.variable}, value
            case tree.Store() | tree.Update() if (variable := _assigned(node)) is not None:
                yield {variable}, node.value


def _assigned(node: tree.Node) -> Variable | None:
    match node:
        case tree.Declare(variable=variable, initialiser=value) if value is not None:
            return variable
        case tree.Store(place=tree.Named(variable=variable)) | tree.Update(place=tree.Named(variable=variable)):
            return variable
    return None


def _element(access: tree.Node) -> tuple[tree.Named, tree.Expression] | None:
    """(the mention of a variable, the subscript) if a node reads or writes an element of it in the one form that an
    object of a class can stand for."""
    match access:
        case (
            tree.Load(place=tree.Pointee(pointer=pointer))
            | tree.Store(place=tree.Pointee(pointer=pointer))
            | tree.Update(place=tree.Pointee(pointer=pointer))
        ):
            match pointer:
                case tree.Offset(pointer=tree.Decay(array=tree.Named() as named), index=index, backward=False):
                    return named, index
    return None


def _bytes(side: Side, body: tree.Statement, declared: tree.Declare, entity: Entity) -> int:
    """The bytes of a thread's array. Raises ObstacleError if nothing can stand for the array."""
    array = declared.variable
    name, kind = array.name, array.type
    assert isinstance(kind, Array)
    size, of = kind.size, kind.of
    if size is None or not _is_plain(of):
        raise ObstacleError(f"'{name}' has other elements than numbers and pointers, or elements that are volatile")
    _check_surroundings(body, declared)
    shown = {element[0] for node in tree.walk(body) if (element := _element(node)) is not None}
    uses = mentions(body, array)
    if (other := next((use for use in uses if use not in shown), None)) is not None:
        raise ObstacleError(f"'{name}' is used otherwise than by its elements", other, "use its elements, a[k]")
    if side.names_elsewhere(entity, uses) or not side.has_stand_in(entity, uses):
        raise ObstacleError(f"'{name}' is declared or used in a form that nothing can stand in for")
    return -(-size // 4) * 4  # words


def _is_plain(of: Type) -> bool:
    plain = isinstance(of, Integer | Pointer) or (isinstance(of, Floating) and of.size in (4, 8))
    return plain and of.size in (1, 2, 4, 8) and not (of.volatile or of.atomic or of.const)


def _check_surroundings(body: tree.Statement, declared: tree.Declare) -> None:
    """Raise ObstacleError if an object cannot begin where the array is declared, or somebody may use it unseen."""
    for node in tree.walk(body):
        match node:
            case tree.Opaque(mentions=None):
                raise ObstacleError(node.why, node)
            case tree.Construct() if node.directive.name != "simd" or node.directive.clauses:
                raise ObstacleError("the body has constructs of its own", node)
            case tree.Target() | tree.Goto():
                raise ObstacleError(Obstacle.JUMPS, node)
            case tree.Switch() if declared in tree.parts(node, tree.Declare):
                raise ObstacleError(f"'{declared.variable.name}' is declared in a switch", node)
            case tree.Loop(start=tree.Node() as start) if declared in tree.parts(start, tree.Declare):
                raise ObstacleError(f"'{declared.variable.name}' is declared in the head of a loop", node)
            case _:
                pass


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
