"""The host version of a region, which runs if there is no device.

The directives of a region get their host forms. A team, a league of teams and private copies are made around the region
if it could tell that they are missing.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Generic

from ..base.records import replace
from ..directives.combined import host_spelling, says_nothing
from ..directives.contents import clause_locators
from ..directives.model import GONE, Directive, Expr, ExprClause, HostForm, TextClause
from ..plan.constructs import NO_SHARING, Entity
from ..plan.host_expression import ONE, Call, Conditional, HostExpression
from ..plan.unit import HostCopy, HostLeague, HostVersion, PlacedForm
from .launch import condition, expression
from .program import C, Program, combined
from .queries import HOST_SETTERS, TEAMS, Asked
from .tasks import host_task_copies

# Leaf constructs whose binding thread set is the current team, or that must be complete when the team is (OpenMP 5.2,
# sections 1.2.2 and 12.5).
_BINDS = frozenset({"for", "sections", "single", "scope", "masked", "master", "barrier", "ordered", "task", "taskloop"})
_TEAMS = frozenset({"parallel", "distribute", "teams"})  # leaf constructs with a team for the constructs inside
_THREADS = frozenset({"omp_get_thread_num", "omp_get_num_threads"})
_LEVELS = frozenset({"omp_get_level", "omp_get_ancestor_thread_num", "omp_get_team_size"})


class HostRegion(ABC, Generic[C]):
    """A region as a front end reads it, with what its host version needs.

    ``chain`` are the constructs that make it, with their ``leaves`` and ``clauses``, and ``inside`` those in its
    ``body``, in the order of the text; ``around`` has for each those around it, outermost first. ``forms`` are the host
    forms of those that would have another one than the user's outside of regions, which is what is ``written``. The
    body ``asks`` OpenMP, and ``shares`` loops between teams if functions that it calls may do so. Only the run needs to
    know the ``value`` of a clause's expression, which may be a ``constant``. ``fresh`` gives names to variables.
    """

    def __init__(self, program: Program[C], chain: Sequence[C], body: Any, inside: Sequence[C]) -> None:
        self.program, self.chain, self.body, self.inside = program, chain, body, inside
        self.construct, self.directives = chain[0], [part.directive for part in chain]
        self.directive = self.directives[0]
        self.leaves = tuple(leaf for directive in self.directives for leaf in directive.constructs)
        self.clauses = [clause for directive in self.directives for clause in directive.clauses]

    @property
    @abstractmethod
    def outer(self) -> Mapping[C, Sequence[C]]: ...

    @property
    @abstractmethod
    def forms(self) -> Mapping[int, HostForm]: ...

    @property
    @abstractmethod
    def asks(self) -> Asked: ...

    @property
    @abstractmethod
    def shares(self) -> bool: ...

    @abstractmethod
    def written(self, construct: C) -> HostForm: ...

    @abstractmethod
    def placed(self, start: int, form: HostForm) -> PlacedForm: ...

    @abstractmethod
    def value(self, expr: Expr) -> HostExpression: ...

    @abstractmethod
    def constant(self, expr: Expr) -> int | None: ...

    @abstractmethod
    def fresh(self, name: str) -> str: ...

    @abstractmethod
    def on_host(self, construct: C) -> Directive:
        """The directive that the host has in place of a construct's, which a metadirective may have chosen."""

    @abstractmethod
    def outside_teams(self, makes_team: Callable[[C], bool]) -> tuple[Iterable[C], Collection[str]]:
        """(the constructs, the functions of OpenMP that are called) in the region and in what it reaches, but for what
        is in constructs that make teams"""

    @abstractmethod
    def check_copied(self, variables: Collection[Entity]) -> None:
        """Raise InputError if copies with the names of the variables are not what the region means everywhere."""

    @abstractmethod
    def copy(self, variable: Entity, initialised: bool) -> HostCopy: ...


def host_version(region: HostRegion[C], by_value: Collection[Entity]) -> HostVersion:
    """The host version of a region. Its target task has copies of the variables ``by_value``."""
    league = _league(region)
    forms = sorted(_forms(region, league).items(), key=lambda item: item[0])
    return HostVersion(
        forms=tuple(region.placed(at, form) for at, form in forms),
        team=_needs_own_team(region),
        limit=_limit(region),
        settings=not HOST_SETTERS.isdisjoint(region.asks.functions),
        league=league,
        copies=_copies(region, by_value),
    )


def _limit(region: HostRegion[C]) -> HostExpression | None:
    """The limit for the threads of its teams: from a clause or, if it matters, OMP_TEAMS_THREAD_LIMIT (0: no limit)."""
    clauses = [c for part in reversed(region.chain) for c in part.directive.clauses]
    limit = expression(clauses, "thread_limit")
    if limit is not None:
        return region.value(limit)
    has_teams = any("teams" in part.directive.constructs for part in region.chain)
    return Call("rex_host_teams_thread_limit", ()) if has_teams and region.asks.observes_place else None


def _league(region: HostRegion[C]) -> HostLeague | None:
    """The teams that ``num_teams`` asks for, if the region can tell whether there are several."""
    return league_of(
        region.directives,
        [construct.directive for construct in region.inside],
        region.value,
        region.constant,
        asks_teams=region.asks.may(TEAMS),
        observes=region.asks.observes_place,
        shares=region.shares,
    )


# -- the directives ----------------------------------------------------------------------------------------------


def _forms(region: HostRegion[C], league: HostLeague | None) -> dict[int, HostForm]:
    """The forms in which the host compiler sees the directives in a region, by their places."""
    forms = dict(region.forms)
    shares = league is not None and not league.once
    decided: set[int] = set()
    target = region.chain[0]
    for construct in (target, *region.inside, *region.chain[1:]):
        start, around = construct.start, region.outer[construct]
        if start not in decided:  # the parts of a construct that was split are one directive there
            decided.add(start)
            form = _in_region(region, construct, forms.get(start))
            leaves = (*construct.directive.constructs, *region.on_host(construct).constructs)
            if shares and "distribute" in leaves:  # the first team runs it
                form = form or region.written(construct)
                form = replace(form, before=(f"REX_FIRST_TEAM({region.fresh('__rex_league')})", *form.before))
            if _binds_to_initial_thread(construct.directive, [outer.directive for outer in around]):
                form = _in_team_of_one(construct.directive, form or region.written(construct))
            forms |= {start: form} if form is not None else {}
        copied = host_task_copies(region.program, target, construct, around)
        if copied and construct is not target:
            copies = f"firstprivate({', '.join(variable.name for variable in copied)})"
            forms[start] = with_clause(forms.get(start) or region.written(construct), copies)
    for at in forms.keys() - decided:  # a metadirective's, which means nothing on the device
        forms[at] = _only_on_host(forms[at], counted=region.asks.observes_place)
    return forms


def _in_region(region: HostRegion[C], construct: C, form: HostForm | None) -> HostForm | None:
    """The form of a construct in a region. ``form`` is its form elsewhere, or None for what the user wrote."""
    if form is not None and not (form.directive is not None and _is_unknown(form.directive)):
        return form
    if not _is_unknown(construct.directive):
        return _only_on_host(form, counted=region.asks.observes_place) if form is not None else None
    directive = region.on_host(construct)
    spelling = None if says_nothing(directive) else host_spelling(directive, counted=region.asks.observes_place)
    return HostForm(replace(construct.directive, text=spelling)) if spelling else GONE


def _only_on_host(form: HostForm, *, counted: bool) -> HostForm:
    """The form in a region of a directive that only the host has. The region stands in for a league of teams there."""
    directive = form.directive
    if directive is None or not _is_unknown(directive):
        return form
    copies = directive.has("private", "firstprivate")
    spelling = host_spelling(directive, counted=counted) if copies or not says_nothing(directive) else None
    return HostForm(replace(directive, text=spelling)) if spelling else GONE


def _is_unknown(directive: Directive) -> bool:
    """Whether a directive means nothing for the threads of a host."""
    return not {"teams", "distribute", "target"}.isdisjoint(directive.constructs) or "loop" in directive.name.split()


def _binds_to_initial_thread(directive: Directive, around: Sequence[Directive]) -> bool:
    """Whether a construct binds to the team of one that runs a ``distribute``, which the host's threads share."""
    outer = next((outer for outer in reversed(around) if not _TEAMS.isdisjoint(outer.constructs)), None)
    binds = directive.constructs[0] in _BINDS - {"task", "taskloop", "ordered"}
    return binds and outer is not None and "distribute" in outer.constructs and "parallel" not in outer.constructs


def _in_team_of_one(directive: Directive, form: HostForm) -> HostForm:
    """The form of a construct for which a team of one thread is made."""
    if directive.name == "barrier":
        return GONE
    return replace(form, before=("#pragma omp parallel num_threads(1)", *form.before)) if form.directive else form


def with_clause(form: HostForm, clause: str) -> HostForm:
    """A construct's form with one more clause."""
    return replace(form, clauses=(*form.clauses, clause)) if form.directive is not None else form


# -- copies ------------------------------------------------------------------------------------------------------


def by_value_of(program: Program[C], target: C, body: C) -> frozenset[Entity]:
    """The variables of which the target task has copies, for a region that cannot be read completely: it is a
    construct with the statement of ``body``."""
    first: set[Entity | None] = set()
    other: set[Entity | None] = set()
    for clause in target.directive.clauses:
        taken = first if clause.name in ("firstprivate", "is_device_ptr") else other
        if isinstance(clause, TextClause):  # it may be no clause at all
            names = re.findall(r"\w+", clause.text)
        else:
            names = [item.name for item in clause_locators(clause) if not item.steps]  # p of p[0:n] is copied
        if clause.name not in ("allocate", "depend", "shared"):
            taken |= {program.found(target, name) for name in names}
    used = program.used(body, clauses=False)
    implicit = {v for v in used if program.is_passed_by_value(target, v)}
    return frozenset(v for v in first | (implicit - other) if v is not None)


def _copies(region: HostRegion[C], by_value: Iterable[Entity]) -> tuple[HostCopy, ...]:
    """The private copies that the target task and the teams would make, if the host version could tell a difference."""
    program, target = region.program, region.chain[0]
    undirected = [part for part in region.chain if says_nothing(region.on_host(part))]
    private = dict.fromkeys(combined([program.sharing(part) for part in undirected] or [NO_SHARING]).private)
    teams = [program.sharing(part) for part in undirected if "teams" in part.directive.constructs]
    # The other constructs that remain make the copies of their firstprivate variables themselves.
    spelled = () if target in undirected else program.sharing(target).firstprivate
    changed = {v for v in program.changed(region.chain[-1]) if not program.is_const(v)}
    first = dict.fromkeys([*by_value, *(v for sharing in teams for v in sharing.firstprivate)])
    first = {v: None for v in first if v in changed and v not in private and v not in spelled}
    region.check_copied([*private, *first])
    of_teams = {v for sharing in teams for v in (*sharing.private, *sharing.firstprivate)}
    copies = [(v, region.copy(v, v in first)) for v in (*private, *first)]
    return tuple(sorted((replace(copy, by_teams=v in of_teams) for v, copy in copies), key=lambda copy: copy.name))


# -- the team ----------------------------------------------------------------------------------------------------


def _needs_own_team(region: HostRegion[C]) -> bool:
    """Whether the host version of a region needs a team of its own.

    It does if constructs outside of its ``parallel`` regions bind to its team, or if it asks for its threads there. A
    team is also a level of nesting. If the region asks for these levels, only constructs are a reason for a team.
    """

    def makes_team(construct: C) -> bool:
        directive = region.on_host(construct)
        spelling = None if says_nothing(directive) else host_spelling(directive)
        return region.program.body(construct) is not None and (spelling or "").startswith("parallel")

    constructs, asked = region.outside_teams(makes_team)
    if any(not _BINDS.isdisjoint(c.directive.constructs) and not makes_team(c) for c in constructs):
        return True
    return not _THREADS.isdisjoint(asked) and _LEVELS.isdisjoint(region.asks.functions)


# The teams of a region's host version, where running one of them would not do the same.


def league_of(
    parts: Sequence[Directive], inside: Sequence[Directive], value: Callable[[Expr], HostExpression],
    constant: Callable[[Expr], int | None], *, asks_teams: bool, observes: bool, shares: bool,
) -> HostLeague | None:  # fmt: skip
    """The teams that ``num_teams`` asks for, if the region can tell whether there are several.

    ``parts`` are the region's own directives, and ``inside`` those in it. The region ``asks_teams`` for their number,
    or ``observes`` which thread runs it. With ``shares``, functions that it calls share out loops between teams.
    """
    leaves = [leaf for part in parts for leaf in part.constructs]
    part = next((p for p in parts if "teams" in p.constructs), None)
    clause = part.clause("num_teams") if part is not None else None
    alone = HostLeague(ONE, once=True) if asks_teams else None  # in a team of the host, too
    if part is None or not isinstance(clause, ExprClause) or clause.expr is None:
        return alone
    # There is a single team if it matters which team runs an iteration. The same holds for functions with directives,
    # in which the host compiler would let each team run all iterations.
    if shares or any(directive.has("dist_schedule") for directive in [*parts, *inside]):
        return alone
    number = constant(clause.expr)
    once = "distribute" in leaves
    if (number is not None and number <= 1) or (once and not observes):
        return alone
    several = condition(part.clauses, "teams")
    teams = value(clause.expr)
    return HostLeague(teams if several is None else Conditional(value(several), teams, ONE), once)
