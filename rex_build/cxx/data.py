"""Decides everything about data constructs: ``target data``, ``enter data``, ``exit data`` and ``update``."""

from __future__ import annotations

from ..base.diagnostics import error_at
from ..base.records import replace
from ..directives.model import ListClause
from ..plan.data import DataConstruct
from ..plan.host_expression import Number, Written
from ..plan.rows import MAP_PRESENT, MAP_RETURN_PARAM, DataMapping, MapRow, RowNote
from .clauses import check, condition_of, device_of
from .code import Construct, declare
from .loops import on_host
from .mappers import clause_items
from .mapping import ListReader, Mapper, grouped, update_rows
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
    mapper = Mapper(region=False)
    items = clause_items(reader, directive.clauses)
    pointers: list[tuple[int, str, str]] = []
    end_mapping = None
    if directive.name == "target update":
        update_rows(mapper, items)
    else:
        for root, own in grouped(items).items():
            attached = root in unit.on_device and root not in unit.on_host
            mapper.root(root, own, attached=attached)
    mapper.temporaries += reader.temporaries.values()
    if directive.name == "target data":
        _device_addresses(reader, construct, mapper, pointers)
        end_mapping = DataMapping(tuple(replace(r, flags=r.flags & ~MAP_PRESENT) for r in mapper.rows))
    task = None
    if directive.name != "target data":
        roots = {item.root for item in items}
        addressed = {item.root for item in items if not item.through}
        task = task_of(unit, function, construct, roots, addressed, ())
    return DataConstruct(
        directive=directive.name,
        span=directive.span,
        function=function.name,
        mapping=mapper.finish(),
        end_mapping=end_mapping,
        device=device_of(directive.clauses),
        condition=condition_of(directive.clauses, directive.name) or condition_of(directive.clauses, "target"),
        task=task,
        start=construct.start,
        pragma_end=construct.pragma_end,
        end=construct.end if directive.name == "target data" else construct.pragma_end,
        device_pointers=tuple(pointers),
    )


def _device_addresses(
    reader: ListReader, construct: Construct, mapper: Mapper, pointers: list[tuple[int, str, str]]
) -> None:
    """Give the statement of ``use_device_ptr`` device addresses under the pointers' names."""
    for clause in construct.directive.clauses:
        if not isinstance(clause, ListClause) or clause.name not in ("use_device_ptr", "use_device_addr"):
            continue
        for item in clause.items:
            variable = reader.named(item)
            name = variable.name
            kind = replace(variable.type, text=on_host(variable.type, name))
            row = len(mapper.rows)
            if kind.kind == "pointer":
                begin = Written((f"(void *){variable.host}",), frozenset((name,)), 14)
                pointers.append((row, declare(kind, name), f"({kind.text})"))
            elif clause.name == "use_device_ptr" or variable.is_variable_length:
                raise error_at(item.span, f"'{item.text}' in '{clause.name}' is not a pointer")
            else:  # a reference to the variable on the device
                begin = Written((f"(void *)&{variable.host}",), frozenset((name,)), 14)
                cast = f"*({declare(kind, '*') if kind.kind == 'array' else kind.text + ' *'})"
                pointers.append((row, declare(kind, f"(&{name})" if kind.kind == "array" else f"&{name}"), cast))
            mapper.rows.append(MapRow(begin, begin, Number(0), MAP_RETURN_PARAM, RowNote(clause.name, item.text)))
