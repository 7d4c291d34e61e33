"""What C's regions say for their host versions, which run if there is no device."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property

from pycparser import c_ast

from ...base.diagnostics import InputError, error_at
from ...base.records import replace
from ...base.spans import SourceSpan
from ...directives.host_form import HostForm
from ...directives.model import Directive, Expr
from ...openmp import host_version as decided
from ...openmp import queries
from ...optimise.by_value import Around
from ...plan.code import Entity
from ...plan.host import HostCopy, HostRegion, PlacedForm
from ...plan.host_expression import HostExpression
from ...plan.unit import target_task
from ...tree import symbols as tree
from ..reading.statements import reader_of
from ..sema import Sema, Symbol, free_variables
from ..sema.type_questions import is_array, is_scalar
from ..source.tokens import directive_pattern, statement_end
from ..syntax.nodes import OmpConstruct, ParsedUnit, branches
from .clauses import region_allocators
from .found import constructs_in, has_leaf, nesting
from .host_expressions import host_value
from .list_items import ListItems
from .program import Program, UnitFacts


def host_region(facts: UnitFacts, function: c_ast.FuncDef, construct: OmpConstruct) -> HostRegion:
    """The host version of a region that cannot be lowered."""
    try:
        chain, _ = facts.constructs.chain(construct, typed=False)
    except InputError:  # a clause is wrong, so the construct is used as it is
        chain = (construct,)
    program = Program(facts, typed=False)
    region = Region(facts, program, function, chain)
    task = target_task(construct.directive, [allocator.name for allocator in region_allocators(construct)])
    by_value = decided.by_value_of(program, construct, chain[-1])
    version = decided.host_version(region, by_value)
    return HostRegion(construct.directive.span, region.start, region.end, version, task)


def _around(sema: Sema, function: c_ast.FuncDef) -> Around:
    """What a function does with its variables, which is found once for all of its regions."""
    known = sema.answers(_around)
    if function not in known:
        known[function] = Around(reader_of(sema).body(function))
    return known[function]


class Region(decided.HostRegion[OmpConstruct]):
    """One region of C, in its function."""

    def __init__(
        self, facts: UnitFacts, program: Program, function: c_ast.FuncDef, chain: Sequence[OmpConstruct]
    ) -> None:
        self.facts, self.unit, self.calls, self.sema = facts, facts.unit, facts.calls, facts.calls.sema
        super().__init__(program, chain, chain[-1].body, constructs_in(self.sema, chain[-1].body))
        self.function, self.start = function, self.construct.start
        self.pragma_end = self.unit.pre.text.index("\n", self.start)
        self.end = statement_end(self.unit.pre.text, self.pragma_end)
        self.items = ListItems(self.sema, self.construct, facts.host_names[self.construct], facts.mappers)

    @cached_property
    def _first_uses(self) -> dict[Symbol, c_ast.Node]:
        return {r.symbol: r.node for r in free_variables(self.sema, self.body) if not r.in_clause_only}

    def first_use(self, symbol: Symbol) -> SourceSpan:
        node = self._first_uses.get(symbol)
        return self.unit.span_of(node) if node is not None else self.directive.span

    @cached_property
    def surroundings(self) -> Around:
        """The function that it is in."""
        return _around(self.sema, self.function)

    def tree_of(self, variable: Entity) -> tree.Variable:
        assert isinstance(variable, Symbol)
        return reader_of(self.sema).types.variable(variable)

    def is_fresh(self, variable: Entity) -> bool:
        """Whether a variable is surely not on a device when the region begins."""
        is_late = self.directive.has("nowait", "depend")
        return not is_late and self.surroundings.is_fresh(self.tree_of(variable), self.construct)

    # -- its host version -------------------------------------------------------------------------------------------

    @cached_property
    def outer(self) -> Mapping[OmpConstruct, Sequence[OmpConstruct]]:
        return nesting(self.sema, [self.construct])

    @property
    def forms(self) -> Mapping[int, HostForm]:
        return self.unit.host_forms_in(self.start, self.end)

    @cached_property
    def asks(self) -> queries.Asked:
        return self.calls.asked(self.body)

    @property
    def shares(self) -> bool:
        called = self.calls.functions(self.body)
        return self.asks.elsewhere or any(has_leaf(self.sema, f.body, "distribute", "loop") for f in called)

    def written(self, construct: OmpConstruct) -> HostForm:
        return as_written(self.unit, construct)

    def placed(self, start: int, form: HostForm) -> PlacedForm:
        return placed(self.unit, start, form)

    def value(self, expr: Expr) -> HostExpression:
        return host_value(expr)

    def constant(self, expr: Expr) -> int | None:
        return self.sema.value(expr.node)

    def fresh(self, name: str) -> str:
        return self.facts.names.fresh(name)

    def on_host(self, construct: OmpConstruct) -> Directive:
        return construct.on_host or construct.directive

    def check_copied(self, variables: Collection[Entity]) -> None:
        """Raise InputError if a copied variable is declared again: ``extern`` would find the variable, not the copy."""
        for node in self.sema.parts(self.body).of(c_ast.Decl):
            if "extern" in node.storage and self.sema.decl_symbol(node) in variables:
                what = f"'{node.name}' is declared again in a region that has a copy of it, which is not supported"
                raise error_at(self.unit.span_of(node), what)

    def copy(self, variable: Entity, initialised: bool) -> HostCopy:
        assert isinstance(variable, Symbol)
        return HostCopy(variable.name, initialised, is_array(variable.type), initialised and _has_no_value(variable))

    def outside_teams(
        self, makes_team: Callable[[OmpConstruct], bool]
    ) -> tuple[Sequence[OmpConstruct], Collection[str]]:
        nodes = list(self._run(makes_team))
        called = (n.name.name for n in nodes if isinstance(n, c_ast.FuncCall) and isinstance(n.name, c_ast.ID))
        return [n for n in nodes if isinstance(n, OmpConstruct)], queries.PLACES.intersection(called)

    def _run(self, makes_team: Callable[[OmpConstruct], bool]) -> Iterator[c_ast.Node]:
        """The statements, constructs and calls in the region and in the functions that it calls, without the contents
        of teams made there."""
        sema, seen = self.sema, set[c_ast.FuncDef]()
        stack: list[c_ast.Node] = [self.chain[0]]
        while stack:
            node = stack.pop()
            yield node
            if isinstance(node, OmpConstruct) and makes_team(node):
                continue
            if isinstance(node, c_ast.FuncCall):
                callee = sema.symbol(node.name) if isinstance(node.name, c_ast.ID) else None
                by_address = not isinstance(node.name, c_ast.ID) or (callee is not None and callee.is_variable)
                named = None if by_address else sema.functions.get(node.name.name)
                called = self.calls.by_address if by_address else [named] if named is not None else []
                new = [function for function in called if function not in seen]
                seen.update(new)
                stack += [function.body for function in new]
            stack += branches(node)


_PRAGMA = directive_pattern("")


def as_written(unit: ParsedUnit, node: OmpConstruct) -> HostForm:
    """The form of a directive as the user wrote it, to which something can be added."""
    text = unit.pre.text[node.start : unit.pre.text.index("\n", node.start)]
    return HostForm(replace(node.directive, text=_PRAGMA.sub("", text, count=1)))


def placed(unit: ParsedUnit, start: int, form: HostForm) -> PlacedForm:
    """The form of the directive at an offset."""
    pragma_end = unit.pre.text.index("\n", start)
    end = statement_end(unit.pre.text, pragma_end) if form.after else pragma_end
    return PlacedForm(start, pragma_end, end, form.lines, form.after)


def _has_no_value(symbol: Symbol) -> bool:
    """Whether a variable is declared without a value."""
    local = symbol.is_object and not symbol.is_global and not symbol.has_static_storage
    return local and is_scalar(symbol.type) and isinstance(symbol.node, c_ast.Decl) and symbol.node.init is None
