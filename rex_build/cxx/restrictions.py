"""What device code of C++ units may not do, as in C units."""

from __future__ import annotations

from collections.abc import Iterator

from ..base.diagnostics import error_at
from ..openmp.restrictions import ASSEMBLY
from .code import Variable
from .facts import RegionFacts
from .queries import reached_by
from .unit import Unit


def check_restrictions(facts: RegionFacts) -> None:
    """Raise InputError for inline assembly in a region or a function that it reaches."""
    unit, body = facts.unit, facts.body
    parts = [(facts.function, body.start, body.end)]
    parts += [(f, f.body, f.end) for f in reached_by(unit, facts.text)]
    for function, start, end in parts:
        for place in function.mentions.assembly:
            if start <= place < end:
                raise error_at(unit.span(place), f"{ASSEMBLY} in device code")


def threadprivate(unit: Unit) -> Iterator[Variable]:
    """The variables of which each thread of the host has its own."""
    for one in unit.directives:
        if one.directive.name != "threadprivate":
            continue
        function = unit.function_at(one.start)
        for item in one.directive.arguments:
            if function is not None and (found := unit.lookup(function, item.name, one.start)) is not None:
                yield found
            elif function is None:
                yield from (v for v in unit.globals if f"::{v.host}".endswith(f"::{item.name.removeprefix('::')}"))
