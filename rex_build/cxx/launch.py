"""What the host sees of a region's variables and loops, in C++."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.precedence import POSTFIX
from ..c.source.tokens import has_word
from ..directives.model import ListClause
from ..openmp.host_bounds import HostView
from ..plan.constructs import CanonicalLoop, Entity, LoopNest
from ..plan.host_expression import HostExpression, Written
from ..plan.host_expression import Variable as HostVariable
from ..plan.rows import Capture, DataMapping
from ..tree import nodes as tree
from .loops import on_host, step_of, trip_count
from .program import RegionFacts
from .reading.reader import reader_of
from .text_constructs import CxxType, Passed, Text, Variable, identifiers_in

_DECLARING = ("enum", "typedef", "using", "struct", "class", "union")
_RENAMING = ("use_device_ptr", "use_device_addr")


def host_view(facts: RegionFacts, captures: Sequence[Capture], mapping: DataMapping, nest: LoopNest | None) -> HostView:
    """What the host sees of the variables and loops of a region, whose own loops are ``nest``.

    What functions that these loops' heads call give, it has computed already.
    """
    unit, function, start = facts.unit, facts.function, facts.construct.start
    clauses = ((c, c.directive.all(*_RENAMING)) for c in unit.constructs if c.start < start < c.end)
    items = ((c, i) for c, found in clauses for clause in found if isinstance(clause, ListClause) for i in clause.items)
    renamed = (unit.lookup(function, item.name, construct.start) for construct, item in items)

    def host(symbol: Entity) -> HostExpression:
        assert isinstance(symbol, Variable)
        return HostVariable(symbol.host)

    def values(level: CanonicalLoop) -> Iterator[tree.Expression]:
        parts = () if isinstance(level.bound, Passed) else (level.lower, level.bound, level.step)
        for part in parts:
            if isinstance(part, Text):
                yield from reader_of(unit).values(part.text, part.place)

    def count(level: CanonicalLoop) -> HostExpression | None:
        if isinstance(level.bound, Passed):
            return HostVariable(level.bound.variable.host)
        lower, bound = level.lower, level.bound
        assert isinstance(lower, Text)
        assert isinstance(bound, Text)
        assert isinstance(level.type, CxxType)
        names = frozenset(name for _, name in identifiers_in(f"{lower.text} {bound.text}"))
        text = trip_count(level, lower.text, bound.text, step_of(level), on_host(level.type, lower.text))
        is_outer = any(level.symbol is one.symbol for one in (nest.levels if nest is not None else ()))
        return Written((text,), names, POSTFIX, level.trips) if is_outer or _are_hosts(facts, names) else None

    return HostView(
        captures={c.symbol: c for c in captures},
        mapping=mapping,
        changed=facts.changed,
        constants=frozenset(r.variable for r in function.mentions.references if r.variable.constant),
        device=unit.on_device,
        renamed=frozenset(v for v in renamed if v is not None),
        is_fresh=lambda _: False,
        is_unaddressed=lambda _: False,
        host=host,
        this=unit.this_of(function) if function.is_member else None,
        calls=None,
        values=values,
        count=count,
    )


def _are_hosts(facts: RegionFacts, names: frozenset[str]) -> bool:
    """Whether no name in a loop's head may be declared in the region, where the host does not know it."""
    unit, function = facts.unit, facts.function
    unknown = [name for name in names if unit.lookup(function, name, facts.construct.start) is None]
    declared = (at for at, cursor in function.mentions.declared if cursor.spelling in unknown)
    is_inside = any(facts.body.start <= at < facts.body.end for at in declared)
    return not unknown or not (is_inside or has_word(facts.text, *_DECLARING))
