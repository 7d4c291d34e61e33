"""Finds variables of single threads in C++'s device code that other threads may reach (:mod:`..openmp.escapes`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..base.diagnostics import SourceSpan, error_at
from ..openmp.addresses import AddressFlow
from ..openmp.escapes import address_flow, has_one_thread, passed_by_value
from ..plan.constructs import DeviceConstruct, Entity, Escaping, TeamMemory
from ..plan.unit import TargetRegion
from ..tree.points_to import Place
from ..tree.symbols import Function
from . import libclang
from .declarators import is_movable
from .reading.reader import reader_of
from .text_constructs import Construct, Variable
from .unit import Unit


def escaping(
    unit: Unit, regions: Sequence[TargetRegion], starts: Iterable[Construct], constructs: Mapping[Any, DeviceConstruct],
    in_teams: Iterable[TeamMemory],
) -> Escaping:  # fmt: skip
    """The variables. ``starts`` are the constructs of the regions.

    These are the variables whose addresses other threads certainly get: by code that the reader understands, looked at
    call by call. Raises InputError for those that cannot be moved.
    """
    if all(map(has_one_thread, regions)) and not unit.separable:
        return Escaping()
    reader = reader_of(unit)

    def is_library(function: Function) -> bool:
        """Whether a function without a body is the library's."""
        cursor = reader.symbols.cursors.get(function)  # gcc's builtins have no declaration
        return cursor is None or not libclang.is_users(cursor)

    elsewhere = frozenset[Entity]().union(*(memory.shared for memory in in_teams))
    by_value = passed_by_value(regions, lambda symbol: symbol.type.kind == "array")
    flow = address_flow(
        regions, constructs, reader.body, is_library, by_value, elsewhere, separable=False, trusting=True
    )
    for whole in (whole for first in starts for whole in reader.region(first)):
        flow.statement(whole)
    found = {p for p in flow.solve() if p in flow.lasting or p in flow.own or p in flow.copies}
    copies = found & flow.copies
    declared = {s for s in found - copies if isinstance(s, Variable) and is_movable(unit, s)}
    if immovable := found - declared - copies:
        spans = ((_span_of(unit, one, flow, regions[0].span), _named(one)) for one in immovable)
        place, name = min(spans, key=lambda one: (one[0].file, one[0].line, one[0].column, one[1]))
        what = f"other threads may reach {name}, which is on the stack of one thread"
        raise error_at(place, what, "declare a variable of its own: 'T name = value;'")
    return Escaping(frozenset(declared), frozenset(s for s in flow.copies if s in copies))


def _named(place: Place) -> str:
    return f"'{place.name}'" if isinstance(place, Variable) else "an object without a name"


def _span_of(unit: Unit, place: Place, flow: AddressFlow, region: SourceSpan) -> SourceSpan:
    if isinstance(place, Variable):
        return unit.span(place.start)
    made = flow.made.get(place)
    origin = (made.origin or made.initialiser.origin) if made is not None else None
    is_users = origin is not None and libclang.is_users(origin)
    return unit.span(unit.extent(origin)[0]) if is_users else region
