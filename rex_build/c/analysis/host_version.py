"""What C says of the host file: of the host versions of regions, and of what stands outside of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property

from pycparser import c_ast

from ...base.diagnostics import InputError, Replacement, SourceSpan, Stretches, error_at
from ...base.names import identifiers
from ...base.paths import INITIAL_DEVICE_HEADER, INTEROP_HEADER
from ...base.patterns import regex
from ...base.records import replace
from ...directives.model import GONE, Directive, Expr, HostForm, KeywordClause
from ...directives.parser import check_on_device
from ...openmp import host_version as decided
from ...openmp import queries
from ...openmp.allocators import allocators_of
from ...openmp.host_version import with_clause
from ...openmp.restrictions import shares_memory
from ...optimise.by_value import Around
from ...plan.constructs import Entity
from ...plan.host_expression import HostExpression
from ...plan.rows import MapRow
from ...plan.unit import DataConstruct, HostCopy, HostRegion, PlacedForm, TargetRegion, target_task
from ...tree import symbols as tree
from ..reading.statements import reader_of
from ..sema import Sema, StorageClass, Symbol, free_variables, walk
from ..sema.type_questions import is_array, is_scalar
from ..source.library_functions import NEWER, OF_TEAMS, WITH_DEPEND_OBJECTS, WITH_SHARED_MEMORY, WITH_STRINGS
from ..source.tokens import directive_pattern, statement_end
from ..syntax.nodes import OmpConstruct, ParsedUnit, branches
from .found import constructs_in, has_leaf, nesting
from .host_expressions import host_value
from .list_items import ListItems
from .program import Program, UnitFacts

_PRAGMA = directive_pattern("")
_REGISTER = regex(r"\bregister\b(?=[^;{}]*\Z)")


def host_region(facts: UnitFacts, function: c_ast.FuncDef, construct: OmpConstruct) -> HostRegion:
    """The host version of a region that cannot be lowered."""
    try:
        chain, _ = facts.constructs.chain(construct, typed=False)
    except InputError:  # a clause is wrong, so the construct is used as it is
        chain = (construct,)
    program = Program(facts, typed=False)
    region = Region(facts, program, function, chain)
    task = target_task(construct.directive, [allocator.name for allocator in allocators_of(construct.directive)])
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
        return self.asks.elsewhere or any(has_leaf(self.sema, f.body, "distribute") for f in called)

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


def generated_variables(
    regions: Sequence[TargetRegion], data: Sequence[DataConstruct], others: Collection[str]
) -> dict[int, list[str]]:
    """The file-scope variables in the text that is generated for each construct, by the construct's offset.

    ``others`` are variables that rows may mention.
    """
    found = {r.start: [identity for _, identity in r.kernels] + _mentioned(r.mapping.rows, others) for r in regions}
    return found | {d.start: _mentioned(d.mapping.rows, others) for d in data}


def _mentioned(rows: Sequence[MapRow], names: Collection[str]) -> list[str]:
    mentioned = {name for row in rows for part in (row.base, row.pointer) for name in part.names}
    return [name for name in names if name in mentioned]


def forms_outside(
    unit: ParsedUnit,
    regions: Sequence[TargetRegion | HostRegion],
    data: Sequence[DataConstruct],
    removed: Collection[int],
    generated: Mapping[int, Sequence[str]],
) -> tuple[PlacedForm, ...]:
    """The forms in which the host compiler sees the directives outside of regions.

    ``removed`` are the offsets of directives that are not for it. ``generated`` are the variables in the text that is
    generated for each construct, by its offset. If ``default`` wants every variable listed, these are listed too
    (OpenMP 5.2, section 5.4.1).
    """
    lowered = {construct.start for construct in data}
    inside = Stretches((region.start, region.end) for region in regions)
    forms = {at: form for at, form in unit.host_forms.items() if at not in lowered and at not in inside}
    forms |= dict.fromkeys(removed, GONE)
    for node, names in _around_generated(unit, generated):
        form = forms.get(node.start) or as_written(unit, node)
        if names and form.directive is not None and _lists_all(form.directive):
            forms[node.start] = with_clause(form, f"shared({', '.join(names)})")
    return tuple(placed(unit, at, form) for at, form in sorted(forms.items(), key=lambda item: item[0]))


def _around_generated(
    unit: ParsedUnit, generated: Mapping[int, Sequence[str]]
) -> list[tuple[OmpConstruct, Sequence[str]]]:
    """The host's constructs that list all variables, each with the variables that generated text in it mentions."""
    wanted: dict[int, tuple[OmpConstruct, dict[str, None]]] = {}
    for item in unit.ast.ext:
        stack: list[tuple[c_ast.Node, tuple[OmpConstruct, ...]]] = []
        stack += [(item, ())] if isinstance(item, c_ast.FuncDef) and item not in unit.plain else []
        while stack:
            node, around = stack.pop()
            if isinstance(node, OmpConstruct):
                for outer in around:
                    wanted.setdefault(outer.start, (outer, {}))[1].update(dict.fromkeys(generated.get(node.start, ())))
                if node.directive.is_target:
                    continue
                around = (*around, node) if _lists_all(node.directive) else around
            stack += [(part, around) for part in branches(node)]
    return [(node, tuple(names)) for node, names in wanted.values()]


def _lists_all(directive: Directive) -> bool:
    """Whether variables have to be listed. A malformed directive stays as it is, and the host compiler reports it."""
    clause = directive.clause("default")
    if not isinstance(clause, KeywordClause) or clause.value not in ("none", "private", "firstprivate"):
        return False
    try:
        check_on_device(directive)
    except InputError:
        return False
    return True


def without_register(unit: ParsedUnit, regions: Sequence[TargetRegion]) -> list[Replacement]:
    """The replacements that remove ``register`` from variables whose addresses launches take, as C requires."""
    places = set()
    for symbol in {c.symbol for region in regions for c in region.captures}:
        if isinstance(symbol, Symbol) and symbol.storage is StorageClass.REGISTER and symbol.node is not None:
            found = list(_REGISTER.finditer(unit.pre.text, 0, unit.offset_of(symbol.node)))
            places |= {found[-1].span()} if found else set()
    return [Replacement(start, end, "") for start, end in sorted(places)]


def declare_missing(unit: ParsedUnit, sema: Sema) -> tuple[str, ...]:
    """Declare the functions that the unit mentions and its omp.h lacks. Returns declarations for the host compiler."""
    words = identifiers(unit.pre.text)
    missing = [p for name, p in NEWER.items() if name in words and sema.file_symbol(name) is None]
    for declaration in missing:
        sema.declare(declaration)
    headers = [f'#include "{INTEROP_HEADER}"' for name in unit.pre.includes if name.endswith(f"/{INTEROP_HEADER}")]
    its_own = NEWER["omp_initial_device"] not in missing  # omp.h has the name, and mentions it once
    macros = [f'#include "{INITIAL_DEVICE_HEADER}"'] if unit.pre.text.count("omp_initial_device") > its_own else []
    # One mention is the declaration in omp.h, which then declares the other function.
    asked = [n for n in OF_TEAMS if unit.pre.text.count(n) > 1 and n not in sema.functions]
    macros += [f"#define {name} {OF_TEAMS[name]}" for name in asked]
    return (*headers, *(f"{declaration};" for declaration in missing), *macros)


def renamed_functions(unit: ParsedUnit) -> list[Replacement]:
    """The names that stand in the host file for functions that do not take what the host compiler passes, or do not
    answer for the unit's requirements."""
    renamed = {**WITH_DEPEND_OBJECTS, **WITH_STRINGS}
    if shares_memory(unit.requirements):
        renamed |= WITH_SHARED_MEMORY
    if not any(name in unit.pre.text for name in renamed):
        return []
    found = []
    for function in unit.ast.ext:
        if isinstance(function, c_ast.FuncDef):
            for node in walk(function.body):
                if isinstance(node, c_ast.ID) and node.name in renamed:
                    start = unit.offset_of(node)
                    found.append(Replacement(start, start + len(node.name), renamed[node.name]))
    return found
