"""What C's regions say for their host versions, which run if there is no device."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from pycparser import c_ast

from ...base.diagnostics import InputError, error_at
from ...base.records import replace
from ...directives.host_form import HostForm
from ...directives.model import Directive
from ...openmp import host_version as decided
from ...openmp import queries
from ...plan.code import Entity
from ...plan.host import HostCopy, HostRegion, HostVersion, PlacedForm
from ...plan.sharing import NO_SHARING
from ..sema import Symbol
from ..sema.type_questions import is_array, is_scalar
from ..source.tokens import directive_pattern, statement_end
from ..syntax.nodes import OmpConstruct, ParsedUnit, branches
from .clauses import host_task
from .construct_facts import ConstructFacts
from .host_expressions import host_value
from .nesting import constructs_in, has_leaf, nesting
from .program import Program
from .region_base import RegionBase
from .unit_facts import UnitFacts


def host_region(facts: UnitFacts, function: c_ast.FuncDef, construct: OmpConstruct) -> HostRegion:
    """The host version of a region that cannot be lowered."""
    try:
        read = facts.constructs.facts(construct, typed=False)
    except InputError:  # a clause is wrong, so the construct is used as it is
        assert construct.body is not None
        read = ConstructFacts((construct,), construct.directive.constructs, construct.body, NO_SHARING)
    text, region = facts.unit.pre.text, RegionBase(facts, function, read)
    end = statement_end(text, text.index("\n", construct.start))
    by_value = decided.by_value_of(Program(facts, typed=False), construct, read.chain[-1])
    version = host_version(region, by_value)
    return HostRegion(construct.directive.span, construct.start, end, version, host_task(construct))


def host_version(region: RegionBase, by_value: Collection[Entity]) -> HostVersion:
    """The host version of a region whose parts are known. Its target task has copies of the variables ``by_value``."""
    return decided.host_version(_Region(region), by_value)


class _Region(decided.HostRegion[OmpConstruct]):
    """A region (see :class:`~rex_build.openmp.host_version.HostRegion`)."""

    def __init__(self, region: RegionBase) -> None:
        self._unit, self._sema, self._calls = region.unit, region.sema, region.calls
        self._body = region.body
        self.program = Program(region.facts, typed=False)
        self.chain = region.chain
        self.inside = constructs_in(region.sema, region.body)
        start = region.construct.start
        end = statement_end(self._unit.pre.text, self._unit.pre.text.index("\n", start))
        self.forms = self._unit.host_forms_in(start, end)
        self.around = nesting(region.sema, [region.construct])
        self.written, self.placed = partial(as_written, region.unit), partial(placed, region.unit)
        self.value, self.fresh = host_value, region.facts.names.fresh
        self.constant = lambda expr: region.sema.value(expr.node)
        self.asked = self._calls.asked(self._body)
        called = self._calls.functions(self._body)
        shares = any(has_leaf(self._sema, f.body, "distribute", "loop") for f in called)
        self.shares = shares or self.asked.elsewhere

    def on_host(self, construct: OmpConstruct) -> Directive:
        return construct.on_host or construct.directive

    def check_copied(self, variables: Collection[Entity]) -> None:
        """Raise InputError if a copied variable is declared again: ``extern`` would find the variable, not the copy."""
        for node in self._sema.parts(self._body).of(c_ast.Decl):
            if "extern" in node.storage and self._sema.decl_symbol(node) in variables:
                what = f"'{node.name}' is declared again in a region that has a copy of it, which is not supported"
                raise error_at(self._unit.span_of(node), what)

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
        sema, seen = self._sema, set[str]()
        stack: list[c_ast.Node] = [self.chain[0]]
        while stack:
            node = stack.pop()
            yield node
            if isinstance(node, OmpConstruct) and makes_team(node):
                continue
            if isinstance(node, c_ast.FuncCall):
                callee = sema.symbol(node.name) if isinstance(node.name, c_ast.ID) else None
                by_address = not isinstance(node.name, c_ast.ID) or (callee is not None and callee.is_variable)
                names = self._calls.by_address if by_address else (node.name.name,)
                new = [name for name in names if name in sema.functions and name not in seen]
                seen.update(new)
                stack += [sema.functions[name].body for name in new]
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
