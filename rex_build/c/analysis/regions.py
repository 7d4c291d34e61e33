"""What C says of a target region."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from pycparser import c_ast

from ...base.diagnostics import SourceSpan
from ...directives.model import Expr
from ...openmp import regions as decided
from ...openmp.host_addresses import check_unmapped_members
from ...openmp.host_bounds import HostView
from ...openmp.mapping import Mapper
from ...openmp.regions import Planned
from ...openmp.requirements import shares_memory
from ...openmp.restrictions import check_threadprivate
from ...openmp.team_memory import called_in_sequence, team_memory
from ...optimise.obstacle import ObstacleError
from ...plan.constructs import SHARED_MEMORY, TeamMemory, runs_in_order
from ...plan.host_expression import HostExpression, Variable
from ...plan.optimised import Optimised
from ...plan.rows import Transport
from ...plan.unit import KernelKind, TargetRegion
from ...tree import nodes as tree
from ..reading.statements import reader_of
from ..source.tokens import next_token, statement_end
from ..syntax.nodes import OmpConstruct
from .captures import Captures
from .construct_facts import check_allocators, reduction_functions, region_allocators
from .device_names import ascii_name
from .found import constructs_in
from .host_expressions import host_expression, host_trip_count, readable_trip_count
from .host_version import Region
from .loops import loop_depth
from .optimise.accesses import calls_of, changed_in
from .program import Program, UnitFacts


def analyse_region(
    facts: UnitFacts, function: c_ast.FuncDef, construct: OmpConstruct, index: int
) -> tuple[TargetRegion, ObstacleError | None]:
    """Decide everything about a region: (the region, why it is not known what memory its kernel accesses, if it is not)

    ``index`` is its number in the unit, from 1. Raises InputError.
    """
    return _Region(facts, function, construct).decide(index)


class _Region(Region, decided.Region[OmpConstruct, Captures]):
    """A region (see :class:`~rex_build.openmp.regions.Region`)."""

    def __init__(self, facts: UnitFacts, function: c_ast.FuncDef, construct: OmpConstruct) -> None:
        program = Program(facts)
        super().__init__(facts, program, function, program.chain(construct)[0])
        text = facts.unit.pre.text
        self.named = function.decl.name
        self.stem = f"{facts.name_hash}__{ascii_name(self.named)}"
        line_end = text.index("\n", self.construct.start)
        self.start, self.body_start = self.construct.start, next_token(text, line_end)
        self.end = statement_end(text, line_end)
        self.allocators = region_allocators(self.construct)
        self.in_fixed_order = facts.ordered

    def check(self) -> None:
        check_allocators(self.sema, self.construct, self.allocators)
        if not (self.facts.mappers.mappers or shares_memory(self.unit.requirements)):
            reader = reader_of(self.sema)
            check_unmapped_members(self.trees, lambda: [reader.body(self.function)], self.span_of)
        check_threadprivate(self.facts.threadprivate, self.trees, calls_of(self.sema), self.span_of)

    @property
    def trees(self) -> Iterable[tree.Node]:
        return [reader_of(self.sema).statement(self.construct)]

    def span_of(self, origin: Any) -> SourceSpan:
        return self.unit.span_of(origin)

    def value_of(self, expr: Expr) -> HostExpression:
        return host_expression(self.sema, expr)

    @property
    def depth(self) -> int:
        return loop_depth(self.nest.body) if self.nest is not None else 0

    @cached_property
    def _whole_code(self) -> c_ast.Node:
        """What the kernel runs: the body, and the functions that combine what declared reductions reduce."""
        whole = self.nest.body if self.nest is not None else self.body
        combiners = [self.sema.functions[f] for part in self.chain for f in reduction_functions(self.sema, part)]
        for function in combiners:
            self.sema.analyse(function)
        return c_ast.Compound([whole, *(f.body for f in combiners)]) if combiners else whole

    def reached(self) -> decided.Reached:
        functions = self.calls.functions(self._whole_code)
        inside = [c.directive for f in functions for c in constructs_in(self.sema, f.body)]
        # One thread of a team calls what is in no parallel region.
        called = called_in_sequence(reader_of(self.sema).statement(self.body), self.facts.team_functions)
        in_order = runs_in_order(self.clauses, self.sharing)
        regions = bool(called) and not (in_order or {"parallel", "loop", "simd"}.intersection(self.leaves))
        return decided.Reached(self.calls.asked(self._whole_code), bool(functions), inside, regions)

    def captured(self) -> Captures:
        return Captures(self, self.kind, self.sharing, self.variables.of_target)

    def add_rows(self, mapper: Mapper, reached: decided.Reached) -> None:
        table = self.facts.functions_table
        if table and (self.calls.calls_through_pointers(self._whole_code) or reached.asked.elsewhere):
            mapper.add_functions(table)

    def optimise(self, region: Planned) -> tuple[Optimised, ObstacleError | None]:
        from ...optimise.kernel import optimise
        from .optimise.kernel import CSide

        side = CSide(
            self.unit, self.sema, self.host_view(), self.function, self.chain, body=self.body,
            off=self.facts.no_opt, shared=shares_memory(self.unit.requirements), claimed=self.facts.claimed,
        )  # fmt: skip
        return optimise(side, region)

    def team_memory(self) -> TeamMemory:
        if self.kind is not KernelKind.TEAMS:
            return TeamMemory()
        body, local = reader_of(self.sema).statement(self.body), self.facts.constructs.locals(self.chain[-1])
        sharing_of, calls = self.facts.constructs.sharing, calls_of(self.sema)
        objects = {c.symbol for c in self.found.captures if c.transport is Transport.WORDS}
        copies = self.found.by_value | objects
        memory = team_memory([body], sharing_of, calls, self.sharing, copies, local.__contains__, objects=objects)
        return memory.within(SHARED_MEMORY)

    def host_view(self) -> HostView:
        return HostView(
            captures={c.symbol: c for c in self.found.captures},
            mapping=self.found.mapper.finish(),
            changed=changed_in(self.sema, self.body).variables,
            constants=self.facts.tables,
            device=frozenset(self.facts.device_variables),
            renamed=frozenset(self.items.names.renamed),
            is_fresh=self.is_fresh,
            is_unaddressed=lambda variable: self.surroundings.keeps(self.tree_of(variable)),
            host=lambda symbol: Variable(symbol.name),
            this=None,
            calls=calls_of(self.sema),
            values=lambda loop: map(reader_of(self.sema).value, filter(None, (loop.lower, loop.bound, loop.step))),
            count=lambda level: host_trip_count(level, self.sema),
            readable=lambda level: readable_trip_count(level, self.sema),
        )
