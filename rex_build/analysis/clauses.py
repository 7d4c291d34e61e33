"""What single clauses mean for the generated code, shared by regions and data constructs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..cparse import OmpConstruct
from ..directives.model import Clause, DependClause, ExprClause, Iterator, ListClause, MapClause
from ..plan import MAP_ALWAYS, MAP_CLOSE, MAP_DELETE, MAP_FROM, MAP_PRESENT, MAP_TO, HostTask, RowLoop
from .mappers import MapperTable
from .mapping import MapItem, Mapper
from .sharing import named_symbol

MAP_TYPES = {
    "alloc": 0,
    "to": MAP_TO,
    "from": MAP_FROM,
    "tofrom": MAP_TO | MAP_FROM,
    "release": 0,
    "delete": MAP_DELETE,
}
MAP_MODIFIERS = {"always": MAP_ALWAYS, "close": MAP_CLOSE, "present": MAP_PRESENT}


def map_items(rows: Mapper, mappers: MapperTable, clauses: Iterable[Clause]) -> list[MapItem]:
    """The list items of ``map`` clauses with their flags, those of types with a mapper expanded."""
    items: list[MapItem] = []
    for clause in clauses:
        if isinstance(clause, MapClause):
            flags = MAP_TYPES[clause.map_type]
            for modifier in clause.modifiers:
                flags |= MAP_MODIFIERS.get(modifier, 0)
            loops = iterator_loops(rows, clause.iterators)
            for item in clause.items:
                symbol = named_symbol(rows.sema, rows.construct, item)
                one = MapItem(item, symbol, flags, f"{clause.map_type}: {item.text}", loops)
                items += mappers.expand(rows, one, clause.mapper)
    return items


def motion_items(rows: Mapper, mappers: MapperTable, clauses: Iterable[Clause]) -> list[MapItem]:
    """The list items of the ``to`` and ``from`` clauses of ``target update``."""
    items: list[MapItem] = []
    for clause in clauses:
        if isinstance(clause, ListClause) and clause.name in ("to", "from"):
            flags = MAP_TO if clause.name == "to" else MAP_FROM
            if "present" in clause.modifiers:
                flags |= MAP_PRESENT
            loops = iterator_loops(rows, clause.iterators)
            for item in clause.items:
                symbol = named_symbol(rows.sema, rows.construct, item)
                one = MapItem(item, symbol, flags, f"{clause.name}: {item.text}", loops)
                items += mappers.expand(rows, one, clause.mapper, motion=True)
    return items


def iterator_loops(rows: Mapper, iterators: Iterable[Iterator]) -> tuple[RowLoop, ...]:
    """The loops that an iterator modifier means (OpenMP 5.2, section 3.2.6)."""
    loops = []
    for one in iterators:
        step = 1 if one.step is None else rows.value(one.step)
        text = "1" if one.step is None else f"({one.step.text})"
        loops.append(RowLoop(one.type_text, one.name, one.begin.text, one.end.text, text, step))
    return tuple(loops)


def condition_of(clauses: Iterable[Clause], *modifiers: str) -> str | None:
    """The text of the ``if`` clause that applies to a construct: one with a fitting modifier, or one without."""
    for clause in clauses:
        if isinstance(clause, ExprClause) and clause.name == "if" and clause.expr is not None:
            if clause.modifier is None or clause.modifier in modifiers:
                return clause.expr.text
    return None


def device_of(construct: OmpConstruct) -> str:
    """The device number to pass to libomptarget, as C text; -1 is the default device."""
    clause = construct.directive.clause("device")
    if isinstance(clause, ExprClause) and clause.expr is not None:
        return f"({clause.expr.text})"
    return "-1"


def host_task(construct: OmpConstruct, by_value: Sequence[str], by_reference: Sequence[str]) -> HostTask | None:
    """The target task of a construct with ``nowait`` or ``depend``, None when it has neither."""
    directive = construct.directive
    depends = [c for c in directive.all("depend") if isinstance(c, DependClause)]
    if not depends and not directive.has("nowait"):
        return None
    words = ["task"] if directive.has("nowait") else ["task if(0) default(shared)"]
    words += [f"depend({c.text})" for c in depends]
    if directive.has("nowait") and by_value:
        words.append(f"firstprivate({', '.join(by_value)})")
    if directive.has("nowait") and by_reference:
        words.append(f"shared({', '.join(by_reference)})")
    return HostTask(" ".join(words))
