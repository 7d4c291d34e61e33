"""What C's analyses find in a C++ unit that is written as C. Their import takes as long as reading a short unit."""

from __future__ import annotations

from ...base.diagnostics import InputError
from ...base.findings import Finding
from ...base.spans import SourceSpan
from ...c.analysis.unit import plan_unit
from ...c.check import findings_of
from ...c.front_end import read_unit
from .text import WrittenInC


def findings_in_c(pre: WrittenInC) -> tuple[Finding, ...] | list[SourceSpan]:
    """The findings about a unit, or the places of what C, or its analyses, do not have."""
    try:
        read = read_unit(pre)
        return findings_of(plan_unit(read, "", (), separable=True, only_checked=True), read)
    except InputError as error:
        return [one.span for one in error.diagnostics if one.span is not None]
