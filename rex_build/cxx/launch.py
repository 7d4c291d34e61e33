"""How many iterations a region's loops have, as far as the host knows."""

from __future__ import annotations

from collections.abc import Sequence

from ..directives.model import ListClause
from ..openmp.host_bounds import HostView, UnknownError
from ..plan.captures import Capture
from ..plan.code import Entity
from ..plan.host_expression import HostExpression, Written
from ..plan.host_expression import Variable as HostVariable
from ..plan.launch import TripCounts
from ..plan.loops import CanonicalLoop
from ..plan.rows import DataMapping
from .code import CxxType, Passed, Text, Variable
from .facts import RegionFacts
from .loops import on_host, step_of, trip_count
from .reading.reader import reader_of
from .text_constructs import identifiers_in

_RENAMING = ("use_device_ptr", "use_device_addr")


def trip_counts(
    facts: RegionFacts, levels: Sequence[CanonicalLoop], captures: Sequence[Capture], mapping: DataMapping
) -> TripCounts:
    """The iterations that the host computes: what is in functions that it calls, it has computed already."""
    counts: list[HostExpression] = []
    texts: list[Text] = []
    for level in levels:
        if isinstance(level.bound, Passed):
            counts.append(HostVariable(level.bound.variable.host))
            continue
        lower, bound = level.lower, level.bound
        assert isinstance(lower, Text)
        assert isinstance(bound, Text)
        assert isinstance(level.type, CxxType)
        texts += [lower, bound, *([level.step] if isinstance(level.step, Text) else [])]
        names = frozenset(name for _, name in identifiers_in(lower.text + " " + bound.text))
        count = trip_count(level, lower.text, bound.text, step_of(level), on_host(level.type, lower.text))
        counts.append(Written((count,), names, 15, level.trips))
    reader = reader_of(facts.unit)
    try:
        hint, pointers = _view(facts, captures, mapping).hint(v for t in texts for v in reader.values(t.text, t.place))
    except UnknownError:
        return TripCounts()
    return TripCounts(tuple(counts), hint, pointers)


def _view(facts: RegionFacts, captures: Sequence[Capture], mapping: DataMapping) -> HostView:
    """What the host sees of a region's variables."""
    unit, function, start = facts.unit, facts.function, facts.construct.start
    clauses = ((c, c.directive.all(*_RENAMING)) for c in unit.constructs if c.start < start < c.end)
    items = ((c, i) for c, found in clauses for clause in found if isinstance(clause, ListClause) for i in clause.items)
    renamed = (unit.lookup(function, item.name, construct.start) for construct, item in items)

    def host(symbol: Entity) -> HostExpression:
        assert isinstance(symbol, Variable)
        return HostVariable(symbol.host)

    return HostView(
        captures={c.symbol: c for c in captures},
        mapping=mapping,
        changed=facts.changed,
        constants=frozenset(r.variable for r in function.mentions.references if r.variable.constant),
        device=unit.on_device,
        renamed=frozenset(v for v in renamed if v is not None),
        fresh=lambda: (),
        rounds=lambda _function: None,
        host=host,
        this=unit.this_of(function) if function.is_member else None,
    )
