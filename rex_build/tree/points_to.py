"""Finds what pointers may lead to, from constraints on values. Order and the parts of an object are ignored.

The analysis is inclusion-based (Andersen, Program Analysis and Specialization for the C Programming Language, 1994,
chapter 4). A quicker analysis comes first (Steensgaard, POPL 1996). It puts values and places into classes, and shows
which classes cannot be in memory that every thread reaches. Such a class is then treated as a single place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import TypeAlias

from ..base.records import dataclass, field
from ..plan.code import Entity
from .nodes import Node
from .symbols import Function

WORLD = "world"  # all memory that every thread reaches, with its contents

# Something that has an address. Used as a value, it stands for its contents.
Place: TypeAlias = "Entity | Node | str"
Value: TypeAlias = "Place | tuple[str, object] | int"
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
    classes = _Classes(constraints, signature, separable)
    if not any(classes.in_world(p) for _, p in constraints.points if p != WORLD and not isinstance(p, Function)):
        return set()
    return _Sets(constraints, signature, separable, classes).solve()


def passed(arguments: Sequence[Value], parameters: Sequence[Value]) -> Iterator[tuple[Value, Value]]:
    """Pairs of an argument and where it goes: to its parameter, or anywhere if it belongs to ``...``."""
    return zip_longest(arguments, parameters[: len(arguments)], fillvalue=WORLD)


class _Classes:
    """Values and places in classes. All places to which one value may lead are in the same class."""

    def __init__(self, constraints: Constraints, signature: Callable[[Function], Signature], separable: bool) -> None:
        self._parent: dict[Value, Value] = {}
        self._target: dict[Value, Value] = {}
        for value, place in constraints.points:
            self._union(self._leads(value), place)
        for source, to in constraints.copies:
            self._same(source, to)
        for pointer, to in constraints.loads:
            self._union(self._leads(self._leads(pointer)), self._leads(to))
        for source, pointer in constraints.stores:
            self._union(self._leads(self._leads(pointer)), self._leads(source))
        functions = {p: signature(p) for _, p in constraints.points if isinstance(p, Function)}
        for _, arguments, result in constraints.calls:
            for known in functions.values():
                self._call(known, arguments, result)
            if separable:
                self._call(None, arguments, result)
        waiting = dict(functions)
        while called := [f for f in waiting if self.in_world(f)]:
            for function in called:
                known = waiting.pop(function)
                if known is not None:
                    self._call(None, known[0], known[1])

    def find(self, value: Value) -> Value:
        while (parent := self._parent.get(value, value)) != value:
            self._parent[value] = value = self._parent.get(parent, parent)
        return value

    def in_world(self, place: Value) -> bool:
        return self.find(place) == self.find(WORLD)

    def _leads(self, value: Value) -> Value:
        root = self.find(value)
        if root not in self._target:
            self._target[root] = ("what is behind", root)
        return self.find(self._target[root])

    def _union(self, one: Value, other: Value) -> None:
        pending = [(one, other)]
        while pending:
            one, other = map(self.find, pending.pop())
            if one == other:
                continue
            self._parent[one] = other
            target = self._target.pop(one, None)
            if target is not None:
                pending.append((target, self._target.setdefault(other, target)))

    def _same(self, one: Value, other: Value) -> None:
        self._union(self._leads(one), self._leads(other))

    def _call(self, function: Signature, arguments: Sequence[Value], result: Value) -> None:
        if function is None:
            for value in (*arguments, result):
                self._same(value, WORLD)
            return
        for argument, parameter in passed(arguments, function[0]):
            self._same(parameter, argument)
        self._same(function[1], result)


class _Sets:
    """The places to which each value may lead. Each class other than that of ``WORLD`` counts as one place.

    What ``WORLD`` leads to has the same contents as ``WORLD``. So who leads to it need not know all these places, which
    are many: it is enough that it leads to ``WORLD``.
    """

    def __init__(
        self, constraints: Constraints, signature: Callable[[Function], Signature], separable: bool, classes: _Classes
    ) -> None:
        self._classes, self._signature, self._separable = classes, signature, separable
        self._targets: defaultdict[Value, set[Value]] = defaultdict(set)
        self._copied: defaultdict[Value, set[Value]] = defaultdict(set)
        self._loaded: defaultdict[Value, set[Value]] = defaultdict(set)
        self._stored: defaultdict[Value, set[Value]] = defaultdict(set)
        self._called: defaultdict[Value, list[tuple[list[Value], Value]]] = defaultdict(list)
        self._pending: list[tuple[Value, Value]] = []
        one = self._one
        for source, to in constraints.copies:
            self._copied[one(source)].add(one(to))
        for pointer, to in constraints.loads:
            self._loaded[one(pointer)].add(one(to))
        for source, pointer in constraints.stores:
            self._stored[one(pointer)].add(one(source))
        for callee, arguments, result in constraints.calls:
            self._called[one(callee)].append(([one(a) for a in arguments], one(result)))
        for value, place in constraints.points:
            self._point(one(value), one(place))

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
        return {p for p in found if p != WORLD and not isinstance(p, tuple | int) and not isinstance(p, Function)}

    def _call_the_world(self, call: tuple[list[Value], Value]) -> None:
        """Add a call of any function to which ``WORLD`` leads, now or later."""
        if self._separable:
            self._enter(None, *call)
        self._called[WORLD].append(call)
        for place in tuple(self._targets[WORLD]):
            if isinstance(place, Function):
                self._enter(self._signature(place), *call)

    def _one(self, value: Value) -> Value:
        if isinstance(value, tuple | int | Function) or self._classes.in_world(value):
            return value
        return ("class", self._classes.find(value))

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
        parameters = [self._one(p) for p in function[0]]
        for argument, parameter in passed(arguments or [WORLD] * len(parameters), parameters):
            self._copy(argument, parameter)
        self._copy(self._one(function[1]), result)
