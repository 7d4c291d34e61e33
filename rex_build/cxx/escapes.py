"""Finds variables of single threads in C++'s device code that other threads may reach (:mod:`..openmp.escapes`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ..base.diagnostics import SourceSpan, error_at
from ..openmp.escapes import address_flow, has_one_thread, passed_by_value, private_copies
from ..plan.constructs import DeviceConstruct, Entity, Escaping, TeamMemory
from ..plan.unit import TargetRegion
from ..tree import nodes as tree
from ..tree.points_to import WORLD, Place
from ..tree.symbols import Function as TreeFunction
from . import libclang
from .declarators import is_movable
from .functions import Function
from .reading.reader import reader_of
from .text_constructs import Construct, Variable
from .unit import Unit


class _Flows:
    """Where the addresses go of what the device code of a unit declares."""

    def __init__(
        self, unit: Unit, regions: Sequence[TargetRegion], starts: Iterable[Construct],
        constructs: Mapping[Any, DeviceConstruct], functions: Collection[Function], elsewhere: frozenset[Entity],
    ) -> None:  # fmt: skip
        self.unit, self.regions, self.constructs = unit, regions, constructs
        self.functions, self.elsewhere = functions, elsewhere
        self.reader = reader_of(unit)
        self.wholes = [whole for first in starts for whole in self.reader.region(first)]
        self.by_value = passed_by_value(regions, lambda symbol: symbol.type.kind == "array")
        self.temporaries: dict[Place, tree.Temporary] = {}

    def found(self, trusting: bool) -> set[Place]:
        """What other threads may reach; or with ``trusting`` what they reach if all code that is not understood keeps
        nothing."""
        unit, reader = self.unit, self.reader
        flow = address_flow(
            self.regions, self.constructs, reader.body, self._is_library, self.by_value, self.elsewhere,
            bool(unit.separable), trusting,
        )  # fmt: skip
        for whole in self.wholes:
            flow.statement(whole)
        for function in self.functions:  # that other units call, or virtual calls
            virtual = function.is_member and function.cursor.is_virtual_method()
            for called in map(reader.function, reader.definitions(function)) if virtual or unit.separable else ():
                if virtual or called.external:
                    flow.point(WORLD, called)
        found = flow.solve()
        self.temporaries.update(flow.made)
        return {p for p in found if p in flow.lasting or p in flow.own or p in flow.copies}

    def span_of(self, place: Place) -> SourceSpan:
        if isinstance(place, Variable):
            return self.unit.span(place.start)
        made = self.temporaries.get(place)
        origin = (made.origin or made.initialiser.origin) if made is not None else None
        is_users = origin is not None and libclang.is_users(origin)
        return self.unit.span(self.unit.extent(origin)[0]) if is_users else self.regions[0].span

    def _is_library(self, function: TreeFunction) -> bool:
        """Whether a function without a body is the library's."""
        cursor = self.reader.symbols.cursors.get(function)  # gcc's builtins have no declaration
        return cursor is None or not libclang.is_users(cursor)


def _named(place: Place) -> str:
    return f"'{place.name}'" if isinstance(place, Variable) else "an object without a name"


def escaping(
    unit: Unit, regions: Sequence[TargetRegion], starts: Iterable[Construct], constructs: Mapping[Any, DeviceConstruct],
    functions: Collection[Function], in_teams: Iterable[TeamMemory],
) -> Escaping:  # fmt: skip
    """The variables. ``starts`` are the constructs of the regions.

    What a block or a function's head declares is moved to the heap if other threads may reach it; private copies, and
    what cannot be moved, count if other threads get the addresses by code that is understood. Raises InputError for
    what cannot be moved.
    """
    if all(map(has_one_thread, regions)) and not unit.separable:
        return Escaping()
    elsewhere = frozenset[Entity]().union(*(memory.shared for memory in in_teams))
    flows = _Flows(unit, regions, starts, constructs, functions, elsewhere)
    found, copies = flows.found(False), private_copies(regions, constructs)
    declared = {s for s in found if isinstance(s, Variable) and s not in copies and is_movable(unit, s)}
    certain = flows.found(True) if found - declared else set()
    if immovable := certain - declared - copies:
        spans = ((flows.span_of(one), _named(one)) for one in immovable)
        place, name = min(spans, key=lambda one: (one[0].file, one[0].line, one[0].column, one[1]))
        what = f"other threads may reach {name}, which is on the stack of one thread"
        raise error_at(place, what, "declare a variable of its own: 'T name = value;'")
    return Escaping(frozenset(declared), frozenset(copies & certain))
