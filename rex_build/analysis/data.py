"""``target data``, ``target enter data``, ``target exit data`` and ``target update``."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from ..cparse import OmpConstruct, ParsedUnit
from ..ctype import Pointer, decay, declare, is_array, is_pointer, strip
from ..directives.model import ListClause
from ..plan import MAP_FROM, MAP_PRESENT, MAP_RETURN_PARAM, MAP_TO, DataConstruct, DataMapping, MapRow
from ..sema import Sema, Symbol, walk
from .clauses import condition_of, device_of, host_task, map_items
from .extents import statement_end
from .mapping import MapItem, Mapper
from .sharing import check_jumps, named_symbol


def data_construct(unit: ParsedUnit, sema: Sema, function: str, construct: OmpConstruct) -> DataConstruct:
    """Decide one data construct. Raises InputError for list items that cannot be mapped."""
    directive = construct.directive
    mapper = Mapper(sema, construct)
    items = map_items(sema, construct, directive.clauses)
    symbols = list(dict.fromkeys(item.symbol for item in items))
    first_row: dict[Symbol, int] = {}
    if directive.name == "target update":
        for item in _motion_items(sema, construct):
            symbols.append(item.symbol)
            mapper.update(item)
    for symbol in dict.fromkeys(i.symbol for i in items):
        first_row[symbol] = len(mapper.rows)
        mapper.map_symbol(symbol, [i for i in items if i.symbol is symbol])
    text = unit.pre.text
    pragma_end = text.index("\n", construct.start)
    end = pragma_end
    pointers: list[tuple[int, str]] = []
    renames: list[tuple[int, int, str]] = []
    end_mapping = None
    if directive.name == "target data":
        assert construct.body is not None
        check_jumps(unit, construct.body, directive.name)
        end = statement_end(text, pragma_end)
        _device_addresses(unit, sema, construct, mapper, first_row, pointers, renames)
        end_mapping = DataMapping(tuple(replace(r, flags=r.flags & ~MAP_PRESENT) for r in mapper.rows))
    by_value = [s.name for s in dict.fromkeys(symbols) if is_pointer(s.type)]
    by_reference = [s.name for s in dict.fromkeys(symbols) if not is_pointer(s.type) and not s.is_global]
    return DataConstruct(
        directive=directive.name,
        span=directive.span,
        function=function,
        mapping=mapper.finish(),
        end_mapping=end_mapping,
        device=device_of(construct),
        condition=condition_of(directive.clauses, *_condition_names(directive.name)),
        task=None if directive.name == "target data" else host_task(construct, by_value, by_reference),
        start=construct.start,
        pragma_end=pragma_end,
        end=end,
        device_pointers=tuple(pointers),
        renames=tuple(renames),
    )


def _condition_names(directive: str) -> tuple[str, ...]:
    return (directive, "target")


def _motion_items(sema: Sema, construct: OmpConstruct) -> list[MapItem]:
    items = []
    for clause in construct.directive.clauses:
        if isinstance(clause, ListClause) and clause.name in ("to", "from"):
            flags = MAP_TO if clause.name == "to" else MAP_FROM
            if "present" in clause.modifiers:
                flags |= MAP_PRESENT
            for item in clause.items:
                items.append(MapItem(item, named_symbol(sema, construct, item), flags, f"{clause.name}: {item.text}"))
    return items


def _device_addresses(
    unit: ParsedUnit,
    sema: Sema,
    construct: OmpConstruct,
    mapper: Mapper,
    first_row: dict[Symbol, int],
    pointers: list[tuple[int, str]],
    renames: list[tuple[int, int, str]],
) -> None:
    """use_device_ptr and use_device_addr: the statement sees device addresses under the variables' names.

    A pointer or an array is shadowed by a pointer of its name; another variable's mentions are replaced.
    """
    for clause in construct.directive.clauses:
        if not isinstance(clause, ListClause) or clause.name not in ("use_device_ptr", "use_device_addr"):
            continue
        for item in clause.items:
            symbol = named_symbol(sema, construct, item)
            row = first_row.get(symbol)
            scalar = not is_pointer(symbol.type) and not is_array(symbol.type)
            if row is None:
                row = len(mapper.rows)
                address = f"(void *)&{symbol.name}" if scalar else f"(void *){symbol.name}"
                mapper.rows.append(MapRow(address, address, "0", MAP_RETURN_PARAM, f"{clause.name}: {item.text}"))
            else:
                old = mapper.rows[row]
                mapper.rows[row] = replace(old, flags=old.flags | MAP_RETURN_PARAM)
            if scalar:
                name = f"__rex_device_{symbol.name}"
                pointers.append((row, declare(Pointer(strip(symbol.type)), name)))
                assert construct.body is not None
                for node in walk(construct.body):
                    if isinstance(node, c_ast.ID) and sema.symbol(node) is symbol:
                        start = unit.offset_of(node)
                        renames.append((start, start + len(symbol.name), f"(*{name})"))
            else:
                pointers.append((row, declare(strip(decay(symbol.type)), symbol.name)))

