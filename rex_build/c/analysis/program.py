"""What C programs say, for the decisions of both languages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from pycparser import c_ast

from ...base.diagnostics import error_at
from ...base.names import GeneratedNames
from ...base.records import dataclass
from ...openmp.atomics import Written, atomic_of
from ...openmp.mapping import MapperTable
from ...openmp.reductions import is_copied
from ...plan.constructs import Atomic, Code, Entity, LoopNest, Sharing
from ...tree import nodes as tree
from ..reading.statements import reader_of
from ..sema import Sema, Symbol, free_variables
from ..sema.type_questions import is_pointer, is_variably_modified
from ..syntax.nodes import OmpConstruct, ParsedUnit
from .alignment import loose_alignment
from .closure import CallGraph
from .construct_facts import Constructs, ConstructTable, category_of, collapse_of
from .list_items import HostNames
from .loops import canonical_nest
from .optimise.accesses import changed_in


class Program(Constructs):
    """The constructs in a unit's device code (see :class:`~rex_build.openmp.program.Program`)."""

    def __init__(self, facts: UnitFacts, *, typed: bool = True) -> None:
        super().__init__(facts.constructs, typed)
        self._facts, self._unit = facts, facts.unit

    def chain(self, construct: OmpConstruct) -> tuple[Sequence[OmpConstruct], Sharing]:
        return self._facts.constructs.chain(construct)

    def body(self, construct: OmpConstruct) -> Code | None:
        return construct.body

    def changed(self, construct: OmpConstruct) -> Collection[Entity]:
        return changed_in(self.sema, construct.body).variables

    def trees(self, construct: OmpConstruct) -> Sequence[tree.Construct]:
        return [n for n in [reader_of(self.sema).statement(construct)] if isinstance(n, tree.Construct)]

    def declares(self, construct: OmpConstruct, variable: Entity) -> bool:
        return variable in self._facts.constructs.locals(construct)

    def is_pointer(self, variable: Entity) -> bool:
        return is_pointer(variable.type)

    def is_variable_length(self, variable: Entity) -> bool:
        return is_variably_modified(variable.type)

    def is_passed_by_value(self, construct: OmpConstruct, variable: Entity) -> bool:
        clauses, category = construct.directive.clauses, category_of(variable.type)
        return variable not in self._facts.on_device and is_copied(clauses, category)

    def is_on_device(self, variable: Entity, around: Sequence[OmpConstruct]) -> bool:
        """A region has no variable that only clauses name."""
        if not around or not around[0].directive.is_target:
            return not self.is_lasting(variable) or variable in self._facts.on_device
        free = next((r for r in free_variables(self.sema, around[0]) if r.symbol is variable), None)
        return free is None or not free.in_clause_only

    def found(self, construct: OmpConstruct, name: str) -> Symbol | None:
        return self.sema.lookup(construct, name)

    def check_allowed(self, construct: OmpConstruct) -> None:
        """Raise InputError for a construct that could not be read, or that only the host knows."""
        if construct.unread is not None:
            raise construct.unread
        if construct.host_choice or construct.directive.name == "metadirective":
            what = "a metadirective outside of target regions that chooses another directive on the device is not"
            raise error_at(construct.directive.span, f"{what} supported", "OpenMP 5.2, section 7.4.3")

    def atomic(self, construct: OmpConstruct) -> Atomic:
        return atomic_operation(self._unit, self.sema, construct)

    def named(self, code: Code) -> Entity | None:
        return self.sema.symbol(code) if isinstance(code, c_ast.ID) else None

    def sections(self, construct: OmpConstruct) -> tuple[Code, ...]:
        body = construct.body
        items = body.block_items or [] if isinstance(body, c_ast.Compound) else [body]
        return tuple(i.body for i in items if isinstance(i, OmpConstruct) and i.body is not None)

    def nest(self, chain: Sequence[OmpConstruct], sharing: Sharing) -> LoopNest:
        depth = collapse_of(self.sema, chain)
        return canonical_nest(self._unit, self.sema, chain[-1], chain[-1].body, depth, sharing.private)

    def observes_place(self, code: Code) -> bool:
        return self._facts.calls.asked(code).observes_place


@dataclass(frozen=True)
class UnitFacts:
    """The facts about a unit that the analysis of every region needs."""

    unit: ParsedUnit
    calls: CallGraph
    constructs: ConstructTable
    name_hash: str
    on_device: frozenset[Symbol]  # declare target variables
    device_variables: Mapping[Symbol, str]  # declare target variables that are no links, with their device names
    mappers: MapperTable
    host_names: Mapping[OmpConstruct, HostNames]  # for constructs that are lowered or stay on the host
    private: Mapping[OmpConstruct, frozenset[Symbol | None]]  # copies made by host constructs around a region
    no_opt: frozenset[str] = frozenset()  # transformations that are switched off
    claimed: bool = False  # the plan has what transformations rely on
    ordered: bool = False  # reductions are combined in the same order in every run
    tables: frozenset[Symbol] = frozenset()  # constants that the device code defines for itself
    threadprivate: frozenset[Symbol] = frozenset()
    team_functions: Collection[Symbol] = ()  # functions with parallel regions that a team's sequential part may call
    functions_table: str = ""  # host addresses of indirect functions, or empty
    names: GeneratedNames = GeneratedNames()


def atomic_operation(unit: ParsedUnit, sema: Sema, construct: OmpConstruct) -> Atomic:
    """The operation of an ``atomic`` construct. Raises InputError for one that devices do not have."""
    body, directive = construct.body, construct.directive
    span = unit.span_of(body) if body is not None else directive.span
    return atomic_of(directive, [reader_of(sema).statement(body)], span, unit.requirements, written(unit, sema))


def written(unit: ParsedUnit, sema: Sema) -> Written:
    """How C's code is written."""
    return Written(lambda node: node, _joined, unit.span_of, partial(loose_alignment, sema))


def _joined(operator: str, left: Any, right: Any) -> Any:
    return c_ast.BinaryOp(operator, left, right, right.coord)


def is_object(node: c_ast.Node) -> bool:
    """Whether an expression designates an object."""
    is_pointee = isinstance(node, c_ast.UnaryOp) and node.op == "*"
    return is_pointee or isinstance(node, c_ast.ID | c_ast.StructRef | c_ast.ArrayRef)


def is_atomic_access(sema: Sema, node: c_ast.Node) -> bool:
    """Whether an expression names an object whose type is ``_Atomic`` (C11, section 6.2.5)."""
    if isinstance(node, c_ast.ID):
        symbol = sema.symbol(node)
        return symbol is not None and "_Atomic" in symbol.type.quals
    return is_object(node) and "_Atomic" in sema.type(node).quals
