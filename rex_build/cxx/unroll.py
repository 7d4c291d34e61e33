"""The loops of regions and functions to unroll (:mod:`..optimise.unroll`)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from ..optimise.unroll import unrolled
from ..tree import nodes as tree
from .code import Construct, Range
from .functions import Function
from .instantiations import instantiations
from .reading.reader import reader_of
from .unit import Unit


def loops_to_unroll(
    unit: Unit, regions: Iterable[tuple[Function, Construct]], functions: Iterable[Function]
) -> frozenset[Range]:
    """The loops to unroll in regions, and in functions that they reach; in a template, of all its instantiations."""
    reader = reader_of(unit)

    def bodies() -> Iterator[tree.Statement]:
        for function, construct in regions:
            if _has_arrays(unit, function, construct.start, construct.end):
                yield from reader.region(construct)
        for function in functions:
            if _has_arrays(unit, function, function.start, function.end):
                made = instantiations(unit).get(function.start, ()) if function.is_template else (function.cursor,)
                found = (reader.body(reader.function(cursor)) for cursor in made)
                yield from (body.statement for body in found if body is not None)

    found = (Range(*unit.extent(loop.origin)) for loop in unrolled(bodies()))
    return frozenset(loop for loop in found if not _asked(unit.text[: loop.start].rstrip()))


def _asked(text: str) -> bool:
    """Whether the user has said how often a loop behind ``text`` is unrolled."""
    line = text[text.rfind("\n") + 1 :].strip()
    return line.startswith("#") and "unroll" in line


def _has_arrays(unit: Unit, function: Function, start: int, end: int) -> bool:
    """Whether it is worth while to read a stretch of a function: it declares arrays, or what may have some."""
    places = reader_of(unit).places_of_arrays(function)
    return bisect_left(places, start) < bisect_left(places, end)
