"""Regions whose sequential part all threads of a team can run (:mod:`..optimise.teams`), in C++."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from ..base.patterns import regex
from ..base.records import replace
from ..c.source.tokens import statement_end
from ..optimise.obstacle import ObstacleError
from ..optimise.team_accesses import entity_of
from ..optimise.team_forms import TeamCode, loops_of
from ..optimise.teams import run_by_all, unfit, with_fact
from ..plan.captures import Transport
from ..plan.code import Code
from ..plan.constructs import DeviceConstruct
from ..plan.region import TargetRegion
from ..tree.calls import Calls
from ..tree.nodes import Construct, Declare, Evaluate, Named, Node, walk
from ..tree.types import Record
from .clauses import value_of
from .code import Assigned, Declaration, Range, Text
from .code import Construct as Directive
from .libclang import is_users
from .reading.reader import computes, reader_of
from .unit import Unit

_QUALIFIED = regex(r"::\s*omp_\w+")  # it means the device library's functions, which ask who runs them


def in_teams(
    unit: Unit, region: TargetRegion, first: Directive, last: Directive, constructs: Mapping[Any, DeviceConstruct]
) -> TargetRegion:
    """The region with its steps, if all threads of a team can run its sequential part.

    ``first`` and ``last`` are the outermost and the innermost construct that make it.
    """
    if why := unfit(region, unit.no_opt):
        return with_fact(region, False, why)
    reader = reader_of(unit)
    calls = Calls(reader.body, computes)
    try:
        codes = [_code(unit, region, whole, last, calls, constructs) for whole in reader.region(first)]
    except ObstacleError as problem:
        return with_fact(region, False, str(problem), region.span)
    if _differ(region, codes):
        return with_fact(region, False, "a variable is an object in one instantiation and none in another")
    region = run_by_all(region, codes, unit.no_opt)
    if region.steps is not None and _QUALIFIED.search(unit.text, region.body_start, region.end):
        return replace(region, steps=replace(region.steps, stateful=True))
    return region


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
        host=value_of,
        span=lambda origin: unit.span(_range(unit, origin).start),
        code=partial(_code_of, unit, _later_declarators(unit, body)),
        assigned=partial(_assigned, unit),
        elsewhere=lambda function: not function.defined and function.name.rpartition("::")[2] in others,
    )


def _later_declarators(unit: Unit, body: Node) -> set[Node]:
    """The variables that are not the first of their declaration. Nothing can stand in front of these."""
    seen: set[int] = set()
    later: set[Node] = set()
    for node in walk(body):
        if isinstance(node, Declare) and node.origin is not None and is_users(node.origin):
            start = unit.extent(node.origin)[0]
            if start in seen:
                later.add(node)
            seen.add(start)
    return later


def _range(unit: Unit, origin: Any) -> Range:
    return origin.body if isinstance(origin, Directive) else Range(*unit.extent(origin))


def _code_of(unit: Unit, later: Collection[Node], node: Node) -> Code | None:
    origin = node.origin
    if origin is None or isinstance(origin, Directive):
        return origin
    if not is_users(origin) or node in later:
        return None
    start, end = unit.extent(origin)
    is_value = not isinstance(node, Evaluate) and origin.kind.is_expression()
    if is_value:
        return Range(start, end)
    if unit.text[max(0, start - 200) : start].rstrip().endswith("("):
        return None  # it is the first part of a statement's head
    return Declaration(start) if isinstance(node, Declare) else Range(start, statement_end(unit.text, start))


def _assigned(unit: Unit, statement: Node, value: Node) -> Code | None:
    whole, part = _code_of(unit, (), statement), _code_of(unit, (), value)
    return Assigned(whole, part) if isinstance(whole, Range) and isinstance(part, Range) else None
