"""The host version of a region, which runs if there is no device.

The directives of a region get their host forms. A team, a league of teams and private copies are made around the region
if it could tell that they are missing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from pycparser import c_ast

from ...base.diagnostics import InputError, error_at
from ...base.records import replace
from ...directives.combined import host_spelling, says_nothing
from ...directives.contents import clause_locators
from ...directives.host_form import GONE, HostForm
from ...directives.model import Directive, ExprClause, TextClause
from ...openmp.leagues import league_of
from ...openmp.tasks import host_task_copies
from ...plan.code import Entity
from ...plan.host import HostCopy, HostLeague, HostRegion, HostVersion, PlacedForm
from ...plan.host_expression import Call, HostExpression
from ...plan.sharing import NO_SHARING
from ..sema import Symbol, assignments, free_variables
from ..sema.type_questions import is_array, is_scalar
from ..source.tokens import directive_pattern, statement_end
from ..syntax.nodes import OmpConstruct, ParsedUnit, branches
from .call_graph import CallGraph
from .clauses import host_task, implicitly
from .construct_facts import ConstructFacts
from .host_expressions import host_condition, host_value
from .nesting import constructs_in, has_leaf, nesting
from .program import Program
from .region_base import RegionBase
from .unit_facts import UnitFacts

# Leaf constructs whose binding thread set is the current team, or that must be complete when the team is (OpenMP 5.2,
# sections 1.2.2 and 12.5).
_BINDS = frozenset({"for", "sections", "single", "scope", "masked", "master", "barrier", "ordered", "task", "taskloop"})
_TEAMS = frozenset({"parallel", "distribute", "teams"})  # leaf constructs with a team for the constructs inside
_THREADS = frozenset({"omp_get_thread_num", "omp_get_num_threads"})
_LEVELS = frozenset({"omp_get_level", "omp_get_ancestor_thread_num", "omp_get_team_size"})


def host_region(facts: UnitFacts, function: c_ast.FuncDef, construct: OmpConstruct) -> HostRegion:
    """The host version of a region that cannot be lowered."""
    try:
        read = facts.constructs.facts(construct, typed=False)
    except InputError:  # a clause is wrong, so the construct is used as it is
        assert construct.body is not None
        read = ConstructFacts((construct,), construct.directive.constructs, construct.body, NO_SHARING)
    text, region = facts.unit.pre.text, RegionBase(facts, function, read)
    end = statement_end(text, text.index("\n", construct.start))
    version = host_version(region, _by_value(region))
    return HostRegion(construct.directive.span, construct.start, end, version, host_task(construct))


def host_version(region: RegionBase, by_value: frozenset[Symbol]) -> HostVersion:
    """The host version of a region whose parts are known. Its target task has copies of the variables ``by_value``."""
    league = _league(region)
    return HostVersion(
        forms=_forms(region, league),
        team=needs_own_team(region.calls, region.construct),
        limit=_limit(region),
        settings=region.calls.makes_host_settings(region.body),
        league=league,
        copies=_copies(region, by_value),
    )


def _limit(region: RegionBase) -> HostExpression | None:
    """The limit for the threads of its teams: from a clause or, if it matters, OMP_TEAMS_THREAD_LIMIT (0: no limit)."""
    clauses = [c for part in region.chain for c in part.directive.all("thread_limit")]
    limit = clauses[-1] if clauses else None
    if limit is None and "teams" in region.leaves and region.calls.observes_thread_id(region.body):
        return Call("rex_host_teams_thread_limit", ())
    return host_condition(limit.expr) if isinstance(limit, ExprClause) else None


def _league(region: RegionBase) -> HostLeague | None:
    """The teams that ``num_teams`` asks for, if the region can tell whether there are several."""
    called = region.calls.functions(region.body)
    shares = any(has_leaf(region.sema, f.body, "distribute", "loop") for f in called)
    return league_of(
        [part.directive for part in region.chain],
        [construct.directive for construct in constructs_in(region.sema, region.body)],
        host_value,
        lambda expr: region.sema.value(expr.node),
        asks_teams=region.calls.asks_teams(region.body),
        observes=region.calls.observes_thread_id(region.body),
        shares=shares or region.calls.calls_other_units(region.body),
    )


# -- the directives ----------------------------------------------------------------------------------------------


def _forms(region: RegionBase, league: HostLeague | None) -> tuple[PlacedForm, ...]:
    """The forms in which the host compiler sees the directives in a region."""
    unit, start = region.unit, region.construct.start
    end = statement_end(unit.pre.text, unit.pre.text.index("\n", start))
    forms = unit.host_forms_in(start, end)
    shares = league is not None and not league.once
    counted = region.calls.observes_thread_id(region.body)
    around, program = nesting(region.sema, [region.construct]), Program(region.facts)
    decided: set[int] = set()
    for node in [region.construct, *constructs_in(region.sema, region.body), *region.chain[1:]]:
        if node.start not in decided:  # the parts of a construct that was split are one directive there
            decided.add(node.start)
            form = _in_region(node, forms.get(node.start), counted=counted)
            if shares and "distribute" in node.directive.constructs:  # the first team runs it
                before = (f"REX_FIRST_TEAM({region.facts.names.fresh('__rex_league')})",)
                form = replace(form or as_written(unit, node), before=(*before, *(form.before if form else ())))
            if _binds_to_initial_thread(node, around[node]):
                form = _in_team_of_one(unit, node, form)
            forms |= {node.start: form} if form is not None else {}
        copied = host_task_copies(program, region.construct, node, around[node])
        if copied and node is not region.construct:
            copies = f"firstprivate({', '.join(symbol.name for symbol in copied)})"
            forms[node.start] = with_clause(unit, node, forms.get(node.start), copies)
    for at in forms.keys() - decided:  # a metadirective's, which means nothing on the device
        forms[at] = _only_on_host(forms[at], counted=counted)
    return tuple(placed(unit, at, form) for at, form in sorted(forms.items(), key=lambda item: item[0]))


def _in_region(node: OmpConstruct, form: HostForm | None, *, counted: bool) -> HostForm | None:
    """The form of a construct in a region. ``form`` is its form elsewhere, or None for what the user wrote."""
    if form is not None and not (form.directive is not None and _is_unknown(form.directive)):
        return form
    if not _is_unknown(node.directive):
        return _only_on_host(form, counted=counted) if form is not None else None
    spelling = host_directive(node, counted=counted)
    return HostForm(replace(node.directive, text=spelling)) if spelling else GONE


def _only_on_host(form: HostForm, *, counted: bool) -> HostForm:
    """The form in a region of a directive that only the host has. The region stands in for a league of teams there."""
    directive = form.directive
    if directive is None or not _is_unknown(directive):
        return form
    copies = directive.has("private", "firstprivate")
    spelling = host_spelling(directive, counted=counted) if copies or not says_nothing(directive) else None
    return HostForm(replace(directive, text=spelling)) if spelling else GONE


def _binds_to_initial_thread(node: OmpConstruct, around: Sequence[OmpConstruct]) -> bool:
    """Whether a construct binds to the team of one that runs a ``distribute``, which the host's threads share."""
    outer = next((c.directive for c in reversed(around) if not _TEAMS.isdisjoint(c.directive.constructs)), None)
    binds = node.directive.constructs[0] in _BINDS - {"task", "taskloop", "ordered"}
    return binds and outer is not None and "distribute" in outer.constructs and "parallel" not in outer.constructs


def _in_team_of_one(unit: ParsedUnit, node: OmpConstruct, form: HostForm | None) -> HostForm:
    """The form of a construct for which a team of one thread is made. ``form`` None means what the user wrote."""
    if node.directive.name == "barrier":
        return GONE
    form = form or as_written(unit, node)
    return replace(form, before=("#pragma omp parallel num_threads(1)", *form.before)) if form.directive else form


def _is_unknown(directive: Directive) -> bool:
    """Whether a directive means nothing for the threads of a host."""
    return not {"teams", "distribute", "target"}.isdisjoint(directive.constructs) or "loop" in directive.name.split()


_PRAGMA = directive_pattern("")


def as_written(unit: ParsedUnit, node: OmpConstruct) -> HostForm:
    """The form of a directive as the user wrote it, to which something can be added."""
    text = unit.pre.text[node.start : unit.pre.text.index("\n", node.start)]
    return HostForm(replace(node.directive, text=_PRAGMA.sub("", text, count=1)))


def with_clause(unit: ParsedUnit, node: OmpConstruct, form: HostForm | None, clause: str) -> HostForm:
    """A construct's form with one more clause. ``form`` None means what the user wrote."""
    form = form or as_written(unit, node)
    return replace(form, clauses=(*form.clauses, clause)) if form.directive is not None else form


def placed(unit: ParsedUnit, start: int, form: HostForm) -> PlacedForm:
    """The form of the directive at an offset."""
    pragma_end = unit.pre.text.index("\n", start)
    end = statement_end(unit.pre.text, pragma_end) if form.after else pragma_end
    return PlacedForm(start, pragma_end, end, form.lines, form.after)


def host_directive(construct: OmpConstruct, *, counted: bool = False) -> str | None:
    """The directive of a construct in the host version, or None if it needs none.

    The region itself runs once, or once for each team, which needs no directive. Private copies need a directive only
    if they have to be combined or aligned. ``counted`` is true if the construct can tell which thread runs it.
    """
    return None if is_left_out(construct) else host_spelling(construct.on_host or construct.directive, counted=counted)


def is_left_out(construct: OmpConstruct) -> bool:
    """Whether a construct has no directive in the host version."""
    return says_nothing(construct.on_host or construct.directive)


# -- copies ------------------------------------------------------------------------------------------------------


def _by_value(region: RegionBase) -> frozenset[Symbol]:
    """The variables of which the target task has copies, for a region that cannot be read completely."""
    first: set[Symbol | None] = set()
    other: set[Symbol | None] = {*region.facts.device_variables, *region.facts.host_names[region.construct].links}
    for clause in region.directive.clauses:
        if isinstance(clause, TextClause):  # it may be no clause at all
            names = set(re.findall(r"\w+", clause.text))
        else:
            names = {item.name for item in clause_locators(clause)}
        taken = first if clause.name in ("firstprivate", "is_device_ptr") else other
        if clause.name not in ("allocate", "depend", "shared"):
            taken |= {region.sema.lookup(region.construct, name) for name in names}
    implicit = {
        r.symbol
        for r in free_variables(region.sema, region.body)
        if is_scalar(r.symbol.type) and implicitly(region.directive, r.symbol.type) in (None, "firstprivate")
    }
    return frozenset(s for s in first | (implicit - other) if s is not None)


def _copies(region: RegionBase, by_value: frozenset[Symbol]) -> tuple[HostCopy, ...]:
    """The private copies that the target task and the teams would make, if the host version could tell a difference."""
    undirected = [p for p in region.chain if is_left_out(p)]
    own = region.facts.constructs.sharing_of_chain(undirected, typed=False)
    in_teams = [p for p in undirected if "teams" in p.directive.constructs]
    teams = region.facts.constructs.sharing_of_chain(in_teams, typed=False)
    # The other constructs that remain make the copies of their firstprivate variables themselves.
    directed = [] if region.construct in undirected else [region.construct]
    spelled = region.facts.constructs.sharing_of_chain(directed, typed=False).firstprivate
    # Const variables keep their values, and a label or a size may use them.
    changed = {s for s in assignments(region.sema, region.body).symbols if "const" not in s.type.quals}
    private = set(own.private)
    first = {s for s in (*by_value, *teams.firstprivate) if s in changed and s not in (*private, *spelled)}
    _check_not_declared_again(region, private | first)
    of_teams = {*teams.private, *teams.firstprivate}
    copies = [HostCopy(s.name, False, is_array(s.type), by_teams=s in of_teams) for s in private]
    copies += [HostCopy(s.name, True, is_array(s.type), _has_no_value(s), s in of_teams) for s in first]
    return tuple(sorted(copies, key=lambda c: c.name))


def _check_not_declared_again(region: RegionBase, copied: Collection[Entity]) -> None:
    """Raise InputError if a copied variable is declared again, as ``extern`` would find the variable, not the copy."""
    for node in region.sema.parts(region.body).of(c_ast.Decl):
        if "extern" in node.storage and region.sema.decl_symbol(node) in copied:
            what = f"'{node.name}' is declared again in a region that has a copy of it, which is not supported"
            raise error_at(region.unit.span_of(node), what)


def _has_no_value(symbol: Symbol) -> bool:
    """Whether a variable is declared without a value."""
    local = symbol.is_object and not symbol.is_global and not symbol.has_static_storage
    return local and is_scalar(symbol.type) and isinstance(symbol.node, c_ast.Decl) and symbol.node.init is None


# -- the team ----------------------------------------------------------------------------------------------------


def needs_own_team(calls: CallGraph, construct: OmpConstruct) -> bool:
    """Whether the host version of a region needs a team of its own.

    It does if constructs outside of its ``parallel`` regions bind to its team, or if it asks for its threads there. A
    team is also a level of nesting. If the region asks for these levels, only constructs are a reason for a team.
    """
    asks = False
    for node in _run(calls, construct, into_teams=False):
        if isinstance(node, OmpConstruct):
            leaves = node.directive.constructs
            if _BINDS.intersection(leaves) and not _makes_team(node):
                return True
        asks = asks or _called(node) in _THREADS
    return asks and not any(_called(node) in _LEVELS for node in _run(calls, construct, into_teams=True))


def _makes_team(construct: OmpConstruct) -> bool:
    return construct.body is not None and (host_directive(construct) or "").startswith("parallel")


def _called(node: c_ast.Node) -> str | None:
    return node.name.name if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) else None


def _run(calls: CallGraph, root: c_ast.Node, *, into_teams: bool) -> Iterator[c_ast.Node]:
    """The statements, constructs and calls in a statement and in the functions that it calls, with or without the
    contents of teams made there."""
    sema, stack, seen = calls.sema, [root], set[str]()
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, OmpConstruct) and not into_teams and _makes_team(node):
            continue
        if isinstance(node, c_ast.FuncCall):
            callee = sema.symbol(node.name) if isinstance(node.name, c_ast.ID) else None
            by_address = not isinstance(node.name, c_ast.ID) or (callee is not None and callee.is_variable)
            names = calls.by_address if by_address else (_called(node) or "",)
            new = [name for name in names if name in sema.functions and name not in seen]
            seen.update(new)
            stack += [sema.functions[name].body for name in new]
        stack += branches(node)
