"""The base class of everything that analyses a target region."""

from __future__ import annotations

from functools import cached_property

from pycparser import c_ast

from ...base.spans import SourceSpan
from ...plan.code import Entity
from ...plan.sharing import NO_SHARING, Sharing
from ..sema import Symbol, free_variables
from .construct_facts import ConstructFacts
from .host_bounds import fresh_variables
from .list_items import ListItems
from .unit_facts import UnitFacts


class RegionBase:
    """One region: what it says, its function, and the private copies that it makes.

    ``chain``, ``leaves``, ``body`` and ``clauses`` are those of the construct together with the nested constructs that
    form one region with it. ``target_copies`` are private copies of ``target`` itself. All threads of the nested
    construct share them, so they are not in ``sharing``.
    """

    def __init__(
        self,
        facts: UnitFacts,
        function: c_ast.FuncDef,
        read: ConstructFacts,
        sharing: Sharing = NO_SHARING,
        target_copies: frozenset[Entity] = frozenset(),
    ) -> None:
        self.facts, self.unit, self.calls, self.sema = facts, facts.unit, facts.calls, facts.calls.sema
        self.function = function
        self.construct, self.directive = read.construct, read.construct.directive
        self.chain, self.leaves, self.body, self.clauses = read.chain, read.leaves, read.body, read.clauses
        self.sharing, self.target_copies = sharing, target_copies
        self.items = ListItems(self.sema, self.construct, facts.host_names[self.construct], facts.mappers)

    @cached_property
    def _first_uses(self) -> dict[Symbol, c_ast.Node]:
        return {r.symbol: r.node for r in free_variables(self.sema, self.body) if not r.in_clause_only}

    def first_use(self, symbol: Symbol) -> SourceSpan:
        node = self._first_uses.get(symbol)
        return self.unit.span_of(node) if node is not None else self.directive.span

    @cached_property
    def fresh(self) -> frozenset[Symbol]:
        """The variables that are surely not on a device when the region begins."""
        if self.directive.has("nowait", "depend"):
            return frozenset()
        return fresh_variables(self.sema, self.function, self.construct, self.facts.mapped_elsewhere)
