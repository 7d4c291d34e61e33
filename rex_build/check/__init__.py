"""What is wrong in a program although it can be lowered, whatever its language: findings about its trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..base.findings import Finding
from ..tree.nodes import Construct
from .barriers import Barriers
from .nesting import teams_beside_others


def findings_in(regions: Iterable[Construct], barriers: Barriers) -> Iterator[Finding]:
    """The findings in the regions of a unit, of a template's in each instantiation."""
    for region in regions:
        yield from barriers.region(region)
        yield from teams_beside_others(region)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Different findings in the order of the source."""
    return tuple(sorted(dict.fromkeys(findings), key=lambda f: (f.span.file, f.span.line, f.span.column, f.name)))
