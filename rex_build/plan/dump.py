"""Prints the plan as stable text, to be read, compared with ``diff``, and shown by ``explain``."""

from __future__ import annotations

import json
from typing import Any

from .captures import Transport
from .claims import Claim
from .data import DataConstruct
from .launch import LaunchShape
from .region import TargetRegion
from .rows import DataMapping
from .unit import TranslationUnitPlan


def plan_text(plan: TranslationUnitPlan) -> str:
    return json.dumps(plan_facts(plan), indent=2)


def plan_facts(plan: TranslationUnitPlan) -> dict[str, Any]:
    """Everything that a user may want to know about the decisions, as a value that can be printed as JSON."""
    return {
        "source": plan.source_name,
        "unit": plan.unit,
        "entries": list(plan.entries),
        "regions": [_region_facts(region) for region in plan.regions],
        "data": [_data_facts(data) for data in plan.data],
        "device_variables": [v.device_name for v in plan.variables],
        "device_functions": [f.variable.name for f in plan.code.functions],
        "heap_variables": sorted(s.name for s in plan.escaping.declared | plan.escaping.copies),
    }


def _region_facts(region: TargetRegion) -> dict[str, Any]:
    launch = region.launch
    literals = [c.symbol.name for c in region.captures if c.transport is Transport.LITERAL]
    return {
        "file": region.span.file,
        "line": region.span.line,
        "column": region.span.column,
        "function": region.function,
        "directive": region.directive,
        "kernel": region.kernel,
        "path": region.kind.value,
        "why": region.reason,
        "loop": _loop_facts(region),
        "map": _rows(region.mapping),
        "literals": literals,
        "captures": [f"{c.symbol.name}: {c.transport.value} ({c.reason})" for c in region.captures],
        "team_shared": sorted(s.name for s in region.team_memory.shared),
        "launch": {
            "threads": launch.default_threads if launch.threads is None else str(launch.threads),
            "teams": _teams(launch),
            "trip_count": None if launch.trip_count is None else str(launch.trip_count),
            "thread_cap": launch.thread_cap or None,
            "why": launch.reason,
        },
        "optimisations": [f"{o.name}: {'' if o.applied else 'no, '}{o.reason}" for o in region.optimised.facts],
        "claims": [_claim_facts(claim) for claim in dict.fromkeys(region.claims)],
    }


def _claim_facts(claim: Claim) -> dict[str, str]:
    """What a transformation relies on, and how that is verified."""
    return {
        "kind": claim.kind.value,
        "for": claim.supports,
        "about": claim.about,
        "place": str(claim.span),
        "check": claim.check,
    }


def _teams(launch: LaunchShape) -> str | int:
    if launch.teams is not None:
        return str(launch.teams)
    return launch.default_teams if launch.trip_count is None else "as the trip count needs"


def _loop_facts(region: TargetRegion) -> str | None:
    if region.nest is None or region.schedule is None:
        return None
    variables = ", ".join(level.symbol.name for level in region.nest.levels)
    schedule = region.schedule
    chunked = schedule.thread_chunk is not None or schedule.team_chunk is not None or schedule.even
    how = "XOMP round robin for the chunks asked for" if chunked else "direct grid-stride"
    return f"canonical over {variables}: {how}"


def _rows(mapping: DataMapping) -> list[str]:
    return [f"{row.note} [{row.flags:#x}]" for row in mapping.rows]


def _data_facts(data: DataConstruct) -> dict[str, Any]:
    return {"line": data.span.line, "directive": data.directive, "map": _rows(data.mapping)}
