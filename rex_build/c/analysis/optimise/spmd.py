"""Regions whose sequential part all threads of a team can run (:mod:`....optimise.teams`), in C."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial

from ....optimise.team_forms import TeamCode
from ....optimise.teams import run_by_all, unfit, with_fact
from ....plan.constructs import DeviceConstruct
from ....plan.region import TargetRegion
from ...reading.statements import reader_of
from ...sema import Symbol
from ...syntax.nodes import OmpConstruct, ParsedUnit
from ..call_graph import CallGraph
from ..host_expressions import host_expression
from ..team_functions import called_in_sequence
from .accesses import calls_of


def in_teams(
    unit: ParsedUnit,
    calls: CallGraph,
    region: TargetRegion,
    constructs: Mapping[OmpConstruct, DeviceConstruct],
    functions: Collection[Symbol],
    off: frozenset[str],
) -> TargetRegion:
    """The region with its steps, if all threads of a team can run its sequential part.

    ``functions`` are the functions in which its initial thread would start parallel regions.
    """
    sema = calls.sema
    why = unfit(region, off)
    if not why and called_in_sequence(sema, region.body, functions):
        why = "functions that it calls have parallel regions"
    if why:
        return with_fact(region, False, why)
    reader = reader_of(sema)
    code = TeamCode(
        region=reader.statement(region.body),
        sequential=reader.statement(region.nest.body if region.nest is not None else region.body),
        calls=calls_of(sema),
        construct=lambda node: constructs.get(node.origin),
        constant=sema.value,
        host=partial(host_expression, sema),
        span=unit.span_of,
        code=lambda node: node.origin,
        assigned=lambda node, _: node.origin,
        elsewhere=lambda function: function.name in calls.elsewhere,
    )
    return run_by_all(region, (code,), off)
