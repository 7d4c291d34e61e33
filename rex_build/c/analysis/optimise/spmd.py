"""Regions whose sequential part all threads of a team can run (:mod:`....optimise.teams`), in C."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

from ....openmp.team_memory import called_in_sequence
from ....optimise.team_forms import TeamCode
from ....optimise.teams import Candidate, run_by_all, unfit
from ....plan.constructs import Code, DeviceConstruct
from ....plan.unit import TargetRegion
from ....tree.symbols import Function
from ...reading.statements import reader_of
from ...sema import Symbol
from ...syntax.nodes import OmpConstruct, ParsedUnit
from ..closure import CallGraph
from ..host_expressions import host_expression
from .accesses import calls_of


def in_teams(
    unit: ParsedUnit,
    calls: CallGraph,
    regions: Sequence[TargetRegion],
    constructs: Mapping[OmpConstruct, DeviceConstruct],
    functions: Collection[Symbol],
    off: frozenset[str],
) -> tuple[list[TargetRegion], frozenset[Code]]:
    """(the regions with their steps, if all threads of a team can run their sequential parts, the functions that only
    parallel regions call). In ``functions``, initial threads would start parallel regions."""
    sema = calls.sema
    reader = reader_of(sema)

    def candidate(region: TargetRegion) -> Candidate:
        why = unfit(region, off)
        if not why and called_in_sequence(reader.statement(region.body), functions):
            why = "functions that it calls have parallel regions"
        if why:
            return Candidate(region, why=why)
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
            combining=lambda one: [reader.function(f) for f in one.functions or () if isinstance(f, Symbol)],
        )
        return Candidate(region, (code,))

    def code_of(function: Function) -> Code | None:
        shared = calls.is_separable and function.external
        return sema.functions.get(function.name) if function.defined and not shared else None

    candidates = [candidate(region) for region in regions]
    others = (one.region.body for one in candidates if one.why)
    return run_by_all(candidates, off, lambda: map(reader.statement, others), code_of)
