"""Decides everything about data constructs: ``target data``, ``enter data``, ``exit data`` and ``update``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..base.diagnostics import error_at
from ..base.records import replace
from ..base.spans import Replacement
from ..directives.model import ListClause, Locator
from ..openmp.mappers import by_symbol, clause_items
from ..openmp.mapping import Mapper
from ..plan.host_expression import Number, Written
from ..plan.rows import MAP_PRESENT, MAP_RETURN_PARAM, DataMapping, MapRow, RowNote
from ..plan.unit import DataConstruct
from .clauses import check, condition_of, device_of
from .code import Construct, Variable, declare
from .functions import Function
from .list_items import ListReader
from .loops import on_host
from .tasks import task_of
from .unit import Unit


def analyse_data(unit: Unit, construct: Construct) -> DataConstruct:
    """Decide one data construct. Raises InputError for list items that cannot be mapped."""
    check(construct)
    directive = construct.directive
    function = unit.function_at(construct.start)
    if function is None:
        raise error_at(directive.span, f"'{directive.name}' is in no function")
    reader = ListReader(unit, function, construct.start, references=True)
    mapper = reader.rows(construct)
    items = by_symbol(clause_items(mapper, directive.clauses))
    pointers: list[tuple[int, str, str]] = []
    renames: tuple[Replacement, ...] = ()
    end_mapping = None
    for symbol, own in items.items():
        if directive.name == "target update":
            for item in own:
                mapper.update(item)
        else:
            mapper.map_symbol(symbol, own)
    if directive.name == "target data":
        renames = _device_addresses(reader, construct, mapper, pointers)
        end_mapping = DataMapping(tuple(replace(r, flags=r.flags & ~MAP_PRESENT) for r in mapper.rows))
    task = None
    if directive.name != "target data":
        roots = {symbol for symbol in items if isinstance(symbol, Variable)}
        addressed = {symbol for symbol, own in items.items() if not all(item.is_through for item in own)}
        task = task_of(unit, function, construct, roots, addressed, ())
    return DataConstruct(
        directive=directive.name,
        span=directive.span,
        function=function.name,
        mapping=mapper.finish(),
        end_mapping=end_mapping,
        device=device_of(directive.clauses),
        condition=condition_of(directive.clauses, directive.name, "target"),
        task=task,
        start=construct.start,
        pragma_end=construct.pragma_end,
        end=construct.end if directive.name == "target data" else construct.pragma_end,
        device_pointers=tuple(pointers),
        renames=renames,
    )


def _device_addresses(
    reader: ListReader, construct: Construct, mapper: Mapper, pointers: list[tuple[int, str, str]]
) -> tuple[Replacement, ...]:
    """Give the statement of ``use_device_ptr`` device addresses under the pointers' names. Returns what becomes of
    members in it that are named otherwise."""
    renames: list[Replacement] = []
    for clause in construct.directive.clauses:
        if not isinstance(clause, ListClause) or clause.name not in ("use_device_ptr", "use_device_addr"):
            continue
        for item in clause.items:
            member = reader.member_named(item)
            variable = member or reader.named(item)
            name = variable.name
            host = variable.host if member is None else f"this->{name}"
            renames += _member_names(reader.unit, reader.function, construct, item, name) if member is not None else ()
            kind = replace(variable.type, text=on_host(variable.type, name))
            row = len(mapper.rows)
            if kind.kind == "pointer":
                begin = Written((f"(void *){host}",), frozenset((name,)), 14)
                pointers.append((row, declare(kind, name), f"({kind.text})"))
            elif clause.name == "use_device_ptr" or variable.is_variable_length:
                raise error_at(item.span, f"'{item.text}' in '{clause.name}' is not a pointer")
            else:  # a reference to the variable on the device
                begin = Written((f"(void *)&{host}",), frozenset((name,)), 14)
                cast = f"*({declare(kind, '*') if kind.kind == 'array' else kind.text + ' *'})"
                pointers.append((row, declare(kind, f"(&{name})" if kind.kind == "array" else f"&{name}"), cast))
            mapper.rows.append(MapRow(begin, begin, Number(0), MAP_RETURN_PARAM, RowNote(clause.name, item.text)))
    return tuple(renames)


def _member_names(
    unit: Unit, function: Function, construct: Construct, item: Locator, name: str
) -> Iterator[Replacement]:
    """Plain names for a member in the statement of ``use_device_ptr``, where a variable of this name hides it."""
    regions = [(c.start, c.end) for c in unit.constructs if c.directive.is_target and c.start >= construct.pragma_end]
    pattern = re.compile(rf"(this\s*->\s*)?((?:\w+(?:<[^<>;(){{}}]*>)?\s*::\s*)*){name}\b")
    for place, _ in function.mentions.this:
        match = pattern.match(unit.text, place) if construct.pragma_end <= place < construct.end else None
        if match is None:
            continue
        if any(start <= place < end for start, end in regions):
            what = f"'{item.text}', a member in a clause of 'target data', is used in a region inside"
            raise error_at(item.span, f"{what}, which is not supported: use a variable of the function")
        if match[1] or match[2]:
            yield Replacement(match.start(), match.end(), name)
