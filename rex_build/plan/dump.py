"""Prints the plan as stable text, to be read, compared with ``diff``, and shown by ``explain --details``."""

from __future__ import annotations

import json
from typing import Any

from ..base.findings import place_data
from ..base.names import shown_function
from .claims import Claim
from .launch import LaunchShape
from .optimised import Optimisation
from .rows import DataMapping, flag_names
from .unit import TargetRegion, TranslationUnitPlan

_MOST = 120  # letters of a list in one line
_PLACE = ("file", "line", "column", "length")


def plan_text(plan: TranslationUnitPlan) -> str:
    return json.dumps(plan_facts(plan), indent=2)


def plan_facts(plan: TranslationUnitPlan) -> dict[str, Any]:
    """All that a user may want to know about the decisions, as a value that JSON has (docs/explain.schema.json)."""
    return {
        "source": plan.source_name,
        "unit": plan.unit,
        "entries": list(plan.entries),
        "regions": [_region_facts(region) for region in plan.regions],
        "data": [
            {"line": data.span.line, "directive": data.directive, "map": _rows(data.mapping)} for data in plan.data
        ],
        "device_variables": [v.device_name for v in plan.variables],
        "device_functions": [f.variable.name for f in plan.code.functions],
        "heap_variables": sorted(s.name for s in plan.escaping.declared | plan.escaping.copies),
    }


def _region_facts(region: TargetRegion) -> dict[str, Any]:
    launch = region.launch
    return {
        "file": region.span.file,
        "line": region.span.line,
        "column": region.span.column,
        "function": shown_function(region.function),
        "directive": region.directive,
        "kernel": region.kernel,
        "path": region.kind.value,
        "why": region.reason,
        "loop": _loop_facts(region),
        "map": _rows(region.mapping),
        "captures": [
            {"name": one.symbol.name, "transport": one.transport.value, "why": one.reason} for one in region.captures
        ],
        "team_shared": sorted(s.name for s in region.team_memory.shared),
        "launch": {
            "threads": launch.default_threads if launch.threads is None else str(launch.threads),
            "teams": _teams(launch),
            "trip_count": None if launch.trip_count is None else str(launch.trip_count),
            "thread_cap": launch.thread_cap or None,
            "why": launch.reason,
        },
        "optimisations": [_optimisation_facts(one) for one in region.optimised.facts],
        "claims": [_claim_facts(claim) for claim in dict.fromkeys(region.claims)],
    }


def _optimisation_facts(one: Optimisation) -> dict[str, Any]:
    """What became of a transformation. ``place`` prevents it, and ``remedy`` would allow it, where that is known."""
    facts: dict[str, Any] = {"name": one.name, "applied": one.applied, "why": one.reason}
    if one.span is not None:
        facts["place"] = place_data(one.span)
    if one.remedy:
        facts["remedy"] = one.remedy
    return facts


def _claim_facts(claim: Claim) -> dict[str, Any]:
    """What a transformation relies on, and how that is verified."""
    return {
        "kind": claim.kind.value,
        "for": claim.supports,
        "about": claim.about,
        "place": place_data(claim.span),
        "check": claim.check,
    }


def _teams(launch: LaunchShape) -> str | int:
    if launch.teams is not None:
        return str(launch.teams)
    return launch.default_teams if launch.trip_count is None else "as the trip count needs"


def _loop_facts(region: TargetRegion) -> dict[str, Any] | None:
    """The loop variables, outermost first, and how iterations are shared: in a stride of the grid, or as chunks."""
    if region.nest is None or region.schedule is None:
        return None
    variables = [level.symbol.name for level in region.nest.levels]
    return {"variables": variables, "schedule": "chunks" if region.schedule.chunked else "grid-stride"}


def _rows(mapping: DataMapping) -> list[dict[str, Any]]:
    """The rows of the offload arrays: what a row maps, how, and its map-type bits by their names in omptarget.h."""
    return [{"item": row.note.name, "how": row.note.how, "flags": flag_names(row.flags)} for row in mapping.rows]


def as_text(facts: Any, depth: int = 0) -> str:
    """Facts as text. A mapping has one line ``name: value`` for each entry, and a list one ``-`` for each item."""
    pad = "  " * depth
    if _is_word(facts):
        return f"{pad}{_word(facts)}"
    if isinstance(facts, dict):
        return "\n".join(_named(pad, str(name), value, depth) for name, value in facts.items())
    return "\n".join(_item(pad, item, depth) for item in facts)


def _named(pad: str, name: str, value: Any, depth: int) -> str:
    label = f"{pad}{name.replace('_', ' ')}:"
    if isinstance(value, list) and all(map(_is_word, value)):
        text = ", ".join(map(_word, value)) or "none"
        return f"{label} {text}" if len(text) <= _MOST else f"{label}\n{as_text(value, depth + 1)}"
    if not _is_word(value):
        return f"{label}\n{as_text(value, depth + 1)}" if value else f"{label} none"
    return f"{label} {_word(value)}"


def _item(pad: str, item: Any, depth: int) -> str:
    if isinstance(item, dict) and all(map(_is_word, item.values())):
        text = ", ".join(f"{name.replace('_', ' ')}: {_word(value)}" for name, value in item.items())
    else:
        text = as_text(item, depth + 1)
    return f"{pad}- {text.lstrip()}"


def _is_word(value: Any) -> bool:
    """Whether VALUE is shown as it is: what is no list or mapping, and a place."""
    return not isinstance(value, dict | list) or tuple(value) == _PLACE


def _word(value: Any) -> str:
    if isinstance(value, dict):
        return "{file}:{line}:{column}".format(**value)
    return (
        {True: "yes", False: "no", None: "none"}.get(value, str(value))
        if isinstance(value, bool | type(None))
        else str(value)
    )
