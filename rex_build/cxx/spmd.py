"""Regions whose sequential part all threads of a team can run (:mod:`..optimise.teams`), in C++."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ..base.patterns import regex
from ..base.records import replace
from ..c.source.tokens import words_in
from ..openmp.queries import PLACES
from ..optimise.obstacle import ObstacleError
from ..optimise.team_forms import TeamCode, loops_of
from ..optimise.teams import Candidate, run_by_all, unfit
from ..plan.constructs import Code, DeviceConstruct
from ..plan.rows import Transport
from ..plan.unit import TargetRegion
from ..tree import symbols as tree_symbols
from ..tree.calls import Calls
from ..tree.nodes import Construct, Named, Node, walk
from ..tree.symbols import entity_of
from ..tree.types import Record, Void
from .call_graph import calls_of
from .functions import Function
from .list_items import written
from .reading.reader import reader_of
from .regions import Decided
from .team_functions import TeamFunctions
from .team_steps import code_of, later_declarators
from .text_constructs import Assigned, Range, Text
from .text_constructs import Construct as Directive
from .unit import Unit

_QUERY = regex(r"(::\s*)?\b(omp_\w+)")


def in_teams(
    unit: Unit,
    decided: Sequence[Decided],
    constructs: Mapping[Any, DeviceConstruct],
    functions: Collection[Function],
    teams: TeamFunctions,
) -> tuple[list[TargetRegion], frozenset[Code]]:
    """(the regions with their steps, if all threads of a team can run their sequential parts, those of the device's
    ``functions`` that only parallel regions call)"""
    reader = reader_of(unit)
    calls = reader.calls
    candidates = [_candidate(unit, one.region, one.chain, calls, constructs, teams) for one in decided]
    kept = {function.start for function in functions}
    if any(one.codes for one in candidates) and _asks_library(unit):
        kept = set()
        candidates = [replace(one, stateful=True) for one in candidates]

    def code_of(called: tree_symbols.Function) -> Code | None:
        function = unit.defined(reader.symbols.cursors[called])
        if function is None or function.start not in kept or (unit.separable and called.external):
            return None
        return Range(function.start, function.end)

    others = (one.chain[0] for one, candidate in zip(decided, candidates, strict=True) if candidate.why)
    trees = (whole for first in others for whole in reader.region(first))
    return run_by_all(candidates, unit.no_opt, lambda: trees, code_of)


def _candidate(
    unit: Unit,
    region: TargetRegion,
    chain: Sequence[Directive],
    calls: Calls,
    constructs: Mapping[Any, DeviceConstruct],
    teams: TeamFunctions,
) -> Candidate:
    why = unfit(region, unit.no_opt)
    if not why and teams.are_called_in(unit, chain[0]):
        why = "functions that it calls have parallel regions"
    if why:
        return Candidate(region, why=why)
    try:
        wholes = reader_of(unit).region(chain[0])
        codes = tuple(_code(unit, region, whole, chain[-1], calls, constructs) for whole in wholes)
    except ObstacleError as problem:
        return Candidate(region, why=str(problem), span=region.span)
    if _differ(region, codes):
        return Candidate(region, why="a variable is an object in one instantiation and none in another")
    return Candidate(region, codes)


def _asks_library(unit: Unit) -> bool:
    """Whether a query's name does not mean what the first line of a kernel or function says: it is qualified, or
    stands in no body, as in a default argument or an initialiser of a member."""
    for query in unit.pre.in_own_parts(_QUERY):
        if query[1] is not None:
            return True
        function = unit.function_at(query.start()) if query[2] in PLACES else None
        if query[2] in PLACES and (function is None or query.start() < function.body):
            return True
    return False


def _differ(region: TargetRegion, codes: Sequence[TeamCode]) -> bool:
    """Whether a variable is a record in one instantiation of a template only. In the others the kernel copies it."""
    mapped = {c.symbol for c in region.captures if c.transport is Transport.ADDRESS}
    kinds = {
        (entity_of(n.variable), isinstance(n.type, Record))
        for code in codes
        for n in walk(code.region)
        if isinstance(n, Named) and entity_of(n.variable) in mapped
    }
    return len(kinds) > len({entity for entity, _ in kinds})


def _code(
    unit: Unit,
    region: TargetRegion,
    whole: Construct,
    last: Directive,
    calls: Calls,
    constructs: Mapping[Any, DeviceConstruct],
) -> TeamCode:
    body = next((n.body for n in walk(whole) if isinstance(n, Construct) and n.origin is last), None)
    if body is None:
        raise ObstacleError("a region of an unusual form", whole)
    nest = region.nest
    reader = reader_of(unit)
    others = {str(cursor.spelling) for cursor in unit.elsewhere}
    return TeamCode(
        region=body,
        sequential=loops_of(body, len(nest.levels))[-1].body if nest is not None else body,
        calls=calls,
        construct=lambda node: constructs.get(node.origin),
        constant=lambda text: reader.constant(text.text, text.place) if isinstance(text, Text) else None,
        host=lambda expr: written(expr.text),
        span=lambda origin: unit.span(_range(unit, origin).start),
        code=partial(code_of, unit, later_declarators(unit, body)),
        assigned=partial(_assigned, unit),
        elsewhere=lambda function: not function.defined and function.name.rpartition("::")[2] in others,
        combining=lambda _: combining_functions(unit),
    )


def combining_functions(unit: Unit) -> Iterator[tree_symbols.Function]:
    """All functions that the unit's declared reductions may call. Any name in their text may be that of one."""
    reader = reader_of(unit)
    for reduction in unit.user_reductions:
        for word in words_in(reduction.source):
            yield tree_symbols.Function(word, Void(), True, False, None)
    for function in calls_of(unit).reached.combining:
        yield from map(reader.function, reader.definitions(function))


def _range(unit: Unit, origin: Any) -> Range:
    return origin.body if isinstance(origin, Directive) else Range(*unit.extent(origin))


def _assigned(unit: Unit, statement: Node, value: Node) -> Code | None:
    whole, part = code_of(unit, (), statement), code_of(unit, (), value)
    return Assigned(whole, part) if isinstance(whole, Range) and isinstance(part, Range) else None
