"""Data constructs: ``target data``, ``target enter data``, ``target exit data`` and ``target update``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..base.diagnostics import Replacement, error_at
from ..base.records import dataclass, replace
from ..directives.model import Directive, ListClause, Locator
from ..plan.constructs import Entity
from ..plan.host_expression import ZERO, Cast, HostExpression
from ..plan.rows import DataMapping, Map, MapRow, RowNote
from ..plan.unit import DataConstruct
from .launch import condition, device_of
from .mapped_objects import pointer_to
from .mapping import Mapper, by_symbol, clause_items
from .tasks import task_of


@dataclass(frozen=True)
class Shadow:
    """What stands for a variable in the statement of ``use_device_ptr`` and ``use_device_addr``.

    ``declaration`` is that of a variable with its device address, which ``cast`` makes of the runtime's, and
    ``renames`` are made in the statement. The host names the variable as ``host``. It is a ``pointer``, an ``array`` or
    something else.
    """

    symbol: Entity
    host: HostExpression
    kind: str
    declaration: str
    cast: str = ""
    renames: Sequence[Replacement] = ()


def data_construct(
    directive: Directive, mapper: Mapper, function: str, place: tuple[int, int, int],
    shadow: Callable[[Locator], Shadow],
) -> DataConstruct:  # fmt: skip
    """Decide one data construct. Raises InputError for list items that cannot be mapped.

    ``place`` has its start and the ends of its directive and of its statement.
    """
    items, first_row = by_symbol(clause_items(mapper, directive.clauses)), dict[Entity, int]()
    for symbol, own in items.items():
        first_row[symbol] = len(mapper.rows)
        if directive.name == "target update":
            for item in own:
                mapper.update(item)
        else:
            mapper.map_symbol(symbol, own)
    asks_if = condition(directive.clauses, directive.name, "target")
    has_statement = directive.name == "target data"
    shadows = _shadows(directive, mapper, first_row, shadow) if has_statement else []
    end = DataMapping(tuple(replace(r, flags=r.flags & ~Map.PRESENT) for r in mapper.rows))
    return DataConstruct(
        directive=directive.name,
        span=directive.span,
        function=function,
        mapping=mapper.finish(),
        end_mapping=end if has_statement else None,
        device=device_of(directive.clauses, mapper.items.value),
        condition=mapper.items.value(asks_if) if asks_if is not None else None,
        task=None if has_statement else task_of(directive, mapper, items, ()),
        start=place[0],
        pragma_end=place[1],
        end=place[2] if has_statement else place[1],
        device_pointers=tuple((row, one.declaration, one.cast) for row, one in shadows),
        renames=tuple(rename for _, one in shadows for rename in one.renames),
    )


def _shadows(
    directive: Directive, mapper: Mapper, first_row: Mapping[Entity, int], shadow: Callable[[Locator], Shadow]
) -> list[tuple[int, Shadow]]:
    """What stands for the variables with device addresses, each with the row that returns the address: a row of its
    own, if no row maps what is at the host's address."""
    found: list[tuple[int, Shadow]] = []
    for clause in directive.clauses:
        if not isinstance(clause, ListClause) or clause.name not in ("use_device_ptr", "use_device_addr"):
            continue
        for item in clause.items:
            one = shadow(item)
            if clause.name == "use_device_ptr" and one.kind not in ("pointer", "array"):
                rule = "OpenMP 5.2, section 5.4.8: use_device_ptr clause"
                raise error_at(item.span, f"'{item.text}' in 'use_device_ptr' is not a pointer", rule)
            address = pointer_to(one.host) if one.kind not in ("pointer", "array") else Cast("void *", one.host)
            row = first_row.get(one.symbol)
            if row is None or mapper.rows[row].base != address or mapper.rows[row].loops:
                row = len(mapper.rows)
                mapper.rows.append(MapRow(address, address, ZERO, 0, RowNote(clause.name, item.text)))
            mapper.rows[row] = replace(mapper.rows[row], flags=mapper.rows[row].flags | Map.RETURN_PARAM)
            found.append((row, one))
    return found
