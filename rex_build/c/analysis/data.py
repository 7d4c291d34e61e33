"""Decides about ``target data``, ``target enter data``, ``target exit data`` and ``target update``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pycparser import c_ast

from ...base.names import GeneratedNames
from ...base.records import replace
from ...base.spans import Replacement
from ...directives.model import ListClause
from ...openmp.conditions import condition
from ...openmp.list_items import ListItems as OpenMPItems
from ...openmp.mapped_objects import pointer_to
from ...openmp.mappers import by_symbol, clause_items
from ...openmp.mapping import Mapper
from ...plan.code import Entity
from ...plan.host_expression import ZERO, Cast, HostExpression, Target, Variable
from ...plan.rows import MAP_PRESENT, MAP_RETURN_PARAM, DataMapping, MapRow, RowNote
from ...plan.unit import DataConstruct
from ..sema import Sema, Symbol, symbols_of, walk
from ..sema.conversions import decay
from ..sema.ctype import CType, Pointer, declare, has_name, strip
from ..sema.type_questions import is_array, is_pointer
from ..source.tokens import statement_end
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .clauses import device_of, host_task, task_variables
from .host_expressions import host_condition
from .list_items import HostNames, ListItems
from .listed import named_symbol
from .mappers import MapperTable


def data_construct(
    unit: ParsedUnit, sema: Sema, function: str, construct: OmpConstruct, names: HostNames, mappers: MapperTable
) -> DataConstruct:
    """Decide one data construct. Raises InputError for list items that cannot be mapped."""
    directive = construct.directive
    mapper = ListItems(sema, construct, names, mappers).rows()
    items = by_symbol(clause_items(mapper, directive.clauses))
    used = tuple(symbols_of(items))
    first_row: dict[Entity, int] = {}
    for symbol, own in items.items():
        first_row[symbol] = len(mapper.rows)
        if directive.name == "target update":
            for item in own:
                mapper.update(item)
        else:
            mapper.map_symbol(symbol, own)
    text = unit.pre.text
    pragma_end = text.index("\n", construct.start)
    end = pragma_end
    pointers: list[tuple[int, str, str]] = []
    renames: list[Replacement] = []
    end_mapping = None
    if directive.name == "target data":
        assert construct.body is not None
        end = statement_end(text, pragma_end)
        _device_addresses(unit, sema, construct, mapper, names, first_row, pointers, renames)
        end_mapping = DataMapping(tuple(replace(r, flags=r.flags & ~MAP_PRESENT) for r in mapper.rows))
    return DataConstruct(
        directive=directive.name,
        span=directive.span,
        function=function,
        mapping=mapper.finish(),
        end_mapping=end_mapping,
        device=device_of(sema, construct),
        condition=host_condition(condition(directive.clauses, directive.name, "target")),
        task=(
            None
            if directive.name == "target data"
            else host_task(construct, lambda: task_variables(sema, construct, mapper, names, used, ()))
        ),
        start=construct.start,
        pragma_end=pragma_end,
        end=end,
        device_pointers=tuple(pointers),
        renames=tuple(renames),
    )


def device_named_address(items: OpenMPItems, symbol: Symbol) -> HostExpression:
    """The host's expression for the host address that corresponds to a variable's device address."""
    variable = items.variable(symbol)
    return Cast("void *", variable) if is_pointer(symbol.type) or is_array(symbol.type) else pointer_to(variable)


def renamed_pointer(names: GeneratedNames, symbol: Symbol) -> str:
    """The variable that holds the device address of a variable in ``use_device_addr`` that is no pointer or array."""
    return names.fresh(f"__rex_address_of_{symbol.name}")


def renamed_symbols(
    sema: Sema, names: GeneratedNames, constructs: Iterable[OmpConstruct]
) -> dict[OmpConstruct, dict[Symbol, HostExpression]]:
    """For each construct inside ``target data use_device_addr``, how host text names the variables listed there."""
    found: dict[OmpConstruct, dict[Symbol, HostExpression]] = {}
    for construct in constructs:  # outer ones come first, and inner ones take precedence
        for clause in construct.directive.all("use_device_addr", "use_device_ptr"):
            for item in clause.items if isinstance(clause, ListClause) else ():
                symbol = sema.lookup(construct, item.name)
                if symbol is None or is_pointer(symbol.type) or is_array(symbol.type) or construct.body is None:
                    continue
                for node in walk(construct.body):
                    if isinstance(node, OmpConstruct):
                        found.setdefault(node, {})[symbol] = Target(Variable(renamed_pointer(names, symbol)))
    return found


def _pointer(symbol: Symbol, kind: CType, name: str) -> str:
    """The declaration of the pointer ``name`` to what ``symbol`` is, holds or points to."""
    if has_name(kind):
        return declare(kind, name)
    depth = "&" if not is_pointer(symbol.type) and not is_array(symbol.type) else ""
    return f"__typeof__({depth}{symbol.name}{'' if depth else ' + 0'}) {name}"


def _device_addresses(
    unit: ParsedUnit,
    sema: Sema,
    construct: OmpConstruct,
    mapper: Mapper,
    names: HostNames,
    first_row: Mapping[Entity, int],
    pointers: list[tuple[int, str, str]],
    renames: list[Replacement],
) -> None:
    """Give the statement of ``use_device_ptr`` and ``use_device_addr`` device addresses under the variables' names.

    A pointer or an array is shadowed by a pointer of its name. Where other variables are mentioned, the text is
    replaced.
    """
    for clause in construct.directive.clauses:
        if not isinstance(clause, ListClause) or clause.name not in ("use_device_ptr", "use_device_addr"):
            continue
        for item in clause.items:
            symbol = named_symbol(sema, construct, item)
            scalar = not is_pointer(symbol.type) and not is_array(symbol.type)
            address = device_named_address(mapper.items, symbol)
            row = first_row.get(symbol)
            if row is None or mapper.rows[row].base != address or mapper.rows[row].loops:
                row = len(mapper.rows)
                mapper.rows.append(MapRow(address, address, ZERO, MAP_RETURN_PARAM, RowNote(clause.name, item.text)))
            else:
                old = mapper.rows[row]
                mapper.rows[row] = replace(old, flags=old.flags | MAP_RETURN_PARAM)
            if scalar:
                name = renamed_pointer(names.generated, symbol)
                pointers.append((row, _pointer(symbol, Pointer(strip(symbol.type)), name), ""))
                assert construct.body is not None
                for node in walk(construct.body):
                    if isinstance(node, c_ast.ID) and sema.symbol(node) is symbol:
                        start = unit.offset_of(node)
                        renames.append(Replacement(start, start + len(symbol.name), f"(*{name})"))
            else:
                pointers.append((row, _pointer(symbol, strip(decay(symbol.type)), symbol.name), ""))
