"""What C++ says of ``target data``, ``target enter data``, ``target exit data`` and ``target update``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..base.diagnostics import Replacement, error_at
from ..base.records import replace
from ..directives.contents import directive_expressions
from ..directives.model import Locator
from ..directives.parser import check_lowered
from ..openmp import data as decided
from ..openmp.data import Shadow
from ..openmp.restrictions import check_types
from ..plan.unit import DataConstruct
from .functions import Function
from .list_items import ListReader, check_named, function_around
from .loops import on_host
from .reading.reader import reader_of
from .text_constructs import Construct, declare
from .unit import Unit


def analyse_data(unit: Unit, construct: Construct) -> DataConstruct:
    """Decide one data construct. Raises InputError for list items that cannot be mapped."""
    directive, function = construct.directive, function_around(unit, construct)
    check_lowered(directive, cxx=True)
    check_named(unit, function, construct)
    reader = ListReader(unit, function, construct.start, references=True)
    rows, read = reader.rows(construct), reader_of(unit)
    clauses = [e for e in directive_expressions(directive) if not e.text.isdigit()]
    values = [(e, value) for e in clauses for value in read.values(e.text, construct.start)]
    check_types(directive, values, converts_objects=True)
    return decided.data_construct(
        directive, rows, function.name, (construct.start, construct.pragma_end, construct.end),
        lambda item: _shadow(reader, construct, item),
    )  # fmt: skip


def _shadow(reader: ListReader, construct: Construct, item: Locator) -> Shadow:
    """A pointer is shadowed by one of its name, and another variable by a reference to it on the device."""
    member = reader.member_named(item)
    variable = member or reader.named(item)
    name, renames = variable.name, list[Replacement]()
    if member is not None:
        variable.host = f"this->{name}"
        renames += _member_names(reader.unit, reader.function, construct, item, name)
    host, kind = reader.variable(variable), replace(variable.type, text=on_host(variable.type, variable.name))
    if kind.kind == "pointer":
        return Shadow(variable, host, "pointer", declare(kind, name), f"({kind.text})", renames)
    if variable.is_variable_length:
        raise error_at(item.span, f"'{item.text}', an array of variable length, is not supported here in C++")
    is_array = kind.kind == "array"
    cast = f"*({declare(kind, '*') if is_array else kind.text + ' *'})"
    return Shadow(variable, host, kind.kind, declare(kind, f"(&{name})" if is_array else f"&{name}"), cast, renames)


def _member_names(
    unit: Unit, function: Function, construct: Construct, item: Locator, name: str
) -> Iterator[Replacement]:
    """Plain names for a member in the statement of ``use_device_ptr``, where a variable of this name hides it."""
    inside = unit.constructs_in(construct.pragma_end, construct.end)
    regions = [(c.start, c.end) for c in inside if c.directive.is_target]
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
