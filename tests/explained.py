"""What ``rex-build explain`` says of transformations, for tests."""

from __future__ import annotations

from typing import Any

from rex_build.pipeline import explain
from rex_build.request import LowerRequest


def transformations(request: LowerRequest) -> dict[str, str]:
    """By name, why each transformation was applied in the only region of a unit, or ``no, `` and why not."""
    (only,) = explain(request)["regions"]
    return reasons(only)


def reasons(region: dict[str, Any]) -> dict[str, str]:
    """The same for one region of the facts."""
    return {one["name"]: f"{'' if one['applied'] else 'no, '}{one['why']}" for one in region["optimisations"]}
