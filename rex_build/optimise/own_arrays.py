"""Finds arrays of the thread's own that are faster in shared memory: those whose subscripts only the run knows.

Registers have no addresses, so ``count[x[i]]++`` keeps ``count`` in the thread's local memory. That is in the cache,
but threads that come to different elements come to different lines of it, one after the other. In shared memory each
thread has words of its own in one bank, whatever elements they come to (``include/rex_own_arrays.h``).

An object of a class stands in for the array there, which has its subscripts and nothing else. So the whole body is
looked at for anything but elements that are read or written. What is not found costs time only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..plan.constructs import Entity, LoopNest
from ..plan.optimised import OwnArray
from ..tree import nodes as tree
from ..tree.symbols import Variable
from ..tree.types import Array, Floating, Integer, Pointer, Type
from .changes import changes_of, mentions
from .obstacle import Obstacle, ObstacleError
from .side import Side

_ROOM = 24 << 10  # bytes of a team's arrays: half of what it may have without asking
_LEAST = 16  # bytes of a table: compilers choose among fewer elements
_BYTES = 96  # of a thread: with these, as many threads run at a time as without
NO_ARRAY = "no array of the thread's own is written where data say"


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
    declared = [node for node in tree.parts(body, tree.Declare) if _is_table(node)]
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


def _is_table(node: tree.Declare) -> bool:
    """Whether an array of numbers is constant, and has constants."""
    kind, value = node.variable.type, node.initialiser
    if not isinstance(kind, Array) or kind.size is None or not isinstance(value, tree.Aggregate):
        return False
    of, is_long = kind.of, kind.size >= _LEAST
    is_plain = isinstance(of, Integer | Floating) and of.const and not (of.volatile or of.atomic)
    return is_plain and is_long and all(_is_number(part) for _, part in value.parts)


def _is_number(value: tree.Expression) -> bool:
    while isinstance(value, tree.Convert | tree.Unary):
        value = value.value if isinstance(value, tree.Convert) else value.operand
    return isinstance(value, tree.Constant) and value.value is not None


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
