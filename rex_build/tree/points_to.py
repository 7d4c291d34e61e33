"""Finds what pointers may lead to, from constraints on values. Order and the parts of an object are ignored.

The analysis is inclusion-based (Andersen, Program Analysis and Specialization for the C Programming Language, 1994,
chapter 4).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from ..base.records import dataclass, field
from ..plan.constructs import Entity
from .nodes import Node
from .symbols import Function

WORLD = "world"  # all memory that every thread reaches, with its contents


class InCall(NamedTuple):
    """A variable of a function, in one call of it."""

    call: int
    of: Entity


# Something that has an address. Used as a value, it stands for its contents.
Place: TypeAlias = "Entity | Node | InCall | str"
Value: TypeAlias = "Place | tuple[str, object, int] | int"
# The parameters and the result of a function, or None for a function whose body is not known.
Signature: TypeAlias = "tuple[tuple[Value, ...], Value] | None"


@dataclass(frozen=False)
class Constraints:
    """The constraints, as pairs of values and places.

    ``points``: the value leads to the place (``p = &x``). ``copies``: the second value leads to all places of the first
    (``q = p``). ``loads``: the second value is the contents of the places to which the first leads (``q = *p``).
    ``stores``: the first value goes into the places to which the second leads (``*q = p``). ``calls``: the functions to
    which the first value leads get the arguments and give the result.
    """

    points: list[tuple[Value, Place]] = field(default_factory=list)
    copies: list[tuple[Value, Value]] = field(default_factory=list)
    loads: list[tuple[Value, Value]] = field(default_factory=list)
    stores: list[tuple[Value, Value]] = field(default_factory=list)
    calls: list[tuple[Value, list[Value], Value]] = field(default_factory=list)


def reached(constraints: Constraints, signature: Callable[[Function], Signature], separable: bool) -> set[Place]:
    """The places to which addresses in memory that every thread reaches lead, except that memory itself.

    In ``separable`` units these addresses may be those of functions in other units.
    """
    constraints.points.append((WORLD, WORLD))
    constraints.loads.append((WORLD, WORLD))
    constraints.stores.append((WORLD, WORLD))
    return _Sets(constraints, signature, separable).solve()


def passed(arguments: Sequence[Value], parameters: Sequence[Value]) -> Iterator[tuple[Value, Value]]:
    """Pairs of an argument and where it goes: to its parameter, or anywhere if it belongs to ``...``."""
    return zip_longest(arguments, parameters[: len(arguments)], fillvalue=WORLD)


class _Sets:
    """The places to which each value may lead.

    What ``WORLD`` leads to has the same contents as ``WORLD``. So who leads to it need not know all these places, which
    are many: it is enough that it leads to ``WORLD``.
    """

    def __init__(self, constraints: Constraints, signature: Callable[[Function], Signature], separable: bool) -> None:
        self._signature, self._separable = signature, separable
        self._targets: defaultdict[Value, set[Value]] = defaultdict(set)
        self._copied: defaultdict[Value, set[Value]] = defaultdict(set)
        self._loaded: defaultdict[Value, set[Value]] = defaultdict(set)
        self._stored: defaultdict[Value, set[Value]] = defaultdict(set)
        self._called: defaultdict[Value, list[tuple[list[Value], Value]]] = defaultdict(list)
        self._pending: list[tuple[Value, Value]] = []
        for source, to in constraints.copies:
            self._copied[source].add(to)
        for pointer, to in constraints.loads:
            self._loaded[pointer].add(to)
        for source, pointer in constraints.stores:
            self._stored[pointer].add(source)
        for callee, arguments, result in constraints.calls:
            self._called[callee].append((arguments, result))
        for value, place in constraints.points:
            self._point(value, place)

    def solve(self) -> set[Place]:
        while self._pending:
            value, place = self._pending.pop()
            if value == WORLD and isinstance(place, Function):
                self._enter(self._signature(place), None, WORLD)
            for to in tuple(self._copied[value]) if value != WORLD or place == WORLD else ():
                self._point(to, place)
            for to in tuple(self._loaded[value]):
                self._copy(place, to)
            for source in tuple(self._stored[value]):
                self._copy(source, place)
            for call in self._called[value]:
                if isinstance(place, Function):
                    self._enter(self._signature(place), *call)
                elif place == WORLD and value != WORLD:
                    self._call_the_world(call)
                elif place == WORLD and self._separable:
                    self._enter(None, *call)
        found = self._targets[WORLD]
        places = (p for p in found if isinstance(p, Entity | Node | InCall | str))
        return {p for p in places if p != WORLD and not isinstance(p, Function)}

    def _call_the_world(self, call: tuple[list[Value], Value]) -> None:
        """Add a call of any function to which ``WORLD`` leads, now or later."""
        if self._separable:
            self._enter(None, *call)
        self._called[WORLD].append(call)
        for place in tuple(self._targets[WORLD]):
            if isinstance(place, Function):
                self._enter(self._signature(place), *call)

    def _point(self, value: Value, place: Value) -> None:
        if place not in self._targets[value]:
            self._targets[value].add(place)
            self._pending.append((value, place))

    def _copy(self, source: Value, to: Value) -> None:
        if source != to and to not in self._copied[source]:
            self._copied[source].add(to)
            for place in (WORLD,) if source == WORLD else tuple(self._targets[source]):
                self._point(to, place)

    def _enter(self, function: Signature, arguments: list[Value] | None, result: Value) -> None:
        """Add a call. An argument that is None may come from anywhere."""
        if function is None:
            for argument in arguments or ():
                self._copy(argument, WORLD)
            self._copy(WORLD, result)
            return
        parameters, given = function
        for argument, parameter in passed(arguments or [WORLD] * len(parameters), parameters):
            self._copy(argument, parameter)
        self._copy(given, result)
