"""What every part of the analysis of a target region has at hand."""

from __future__ import annotations

from pycparser import c_ast

from ...base.spans import SourceSpan
from ...directives.model import Clause
from ...plan.rows import MAP_IMPLICIT, MAP_LITERAL, MAP_TARGET_PARAM, MapRow
from ...plan.sharing import Sharing
from ..sema import Symbol
from ..syntax.nodes import OmpConstruct
from .clauses import defaultmap_of
from .mapping import Mapper
from .unit_facts import UnitFacts


class RegionBase:
    """One region: its construct, and what has been found out about it so far."""

    # Set by the analysis, in this order.
    chain: list[OmpConstruct]  # the construct, and those nested in it that make one region with it
    leaves: list[str]
    body: c_ast.Node
    clauses: list[Clause]  # of the whole chain
    target_copies: frozenset[Symbol]  # private copies of target's, which all threads of the nested construct share
    sharing: Sharing

    def __init__(self, facts: UnitFacts, function: c_ast.FuncDef, construct: OmpConstruct, index: int) -> None:
        self.facts, self.unit, self.calls, self.sema = facts, facts.unit, facts.calls, facts.calls.sema
        self.function = function
        self.construct = construct
        self.directive = construct.directive
        self.index = index

    def _first_use(self, symbol: Symbol) -> SourceSpan:
        for reference in self.sema.free_variables(self.body):
            if reference.symbol is symbol and not reference.in_clause_only:
                return self.unit.span_of(reference.node)
        return self.directive.span

    def _defaultmap(self, symbol: Symbol) -> str | None:
        return defaultmap_of(self.directive, symbol.type)

    def _literal_row(self, mapper: Mapper, name: str, note: str) -> int:
        """A row for a value that the host block computes into the variable ``name`` (8 bytes)."""
        name = self.facts.names.fresh(name)
        flags = MAP_TARGET_PARAM | MAP_LITERAL | MAP_IMPLICIT
        mapper.rows.append(MapRow(name, name, f"sizeof({name})", flags, note, literal=True))
        return len(mapper.rows) - 1
