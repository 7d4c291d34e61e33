"""What is wrong in a program although it can be lowered, whatever its language: findings about its trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..base.findings import Finding
from ..tree.nodes import Construct
from .barriers import Barriers
from .language import Language
from .nesting import teams_beside_others
from .privates import Privates
from .unset import unset_copies
from .uses import Called, Reader


def findings_in(regions: Iterable[Construct], language: Language) -> Iterator[Finding]:
    """The findings in the regions of a unit, of a template's in each instantiation."""
    barriers, called, privates = Barriers(language), Called(language.body, Reader()), Privates()
    for region in regions:
        yield from barriers.region(region)
        yield from teams_beside_others(region)
        yield from unset_copies(language, called, privates, region)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Different findings in the order of the source."""
    return tuple(sorted(dict.fromkeys(findings), key=lambda f: (f.span.file, f.span.line, f.span.column, f.name)))
