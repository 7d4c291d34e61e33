"""What the host runs in a region's place, when there is no device."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.diagnostics import error_at
from ..base.patterns import regex
from ..base.records import replace
from ..c.normalise.older_spellings import bound_loop
from ..directives.combined import host_spelling, says_nothing
from ..directives.host_form import GONE, HostForm
from ..openmp import queries
from ..openmp.conditions import expression
from ..openmp.leagues import league_of
from ..openmp.tasks import host_task_copies
from ..plan.captures import Capture, Transport
from ..plan.code import Entity
from ..plan.host import HostCopy, HostLeague, HostVersion, PlacedForm
from ..plan.host_expression import Call
from ..plan.sharing import Sharing
from .code import Construct, Variable
from .facts import RegionFacts
from .host_directives import binds_to_initial_thread, host_form, in_team_of_one, placed, with_copies
from .queries import asked_in, calls_elsewhere, observes_place, reached_by

SCALAR_OR_OBJECT = "a scalar or an object"  # why a variable is captured that is not the same in all instantiations
_PRIVATISING = regex(r"\b(?:private|firstprivate|lastprivate|linear|reduction)\s*(\([^()]*\))")
# Leaf constructs whose binding thread set is the current team.
_BINDS = frozenset(("for", "sections", "single", "scope", "masked", "master", "barrier", "ordered", "task", "taskloop"))
_THREADS = frozenset(("omp_get_thread_num", "omp_get_num_threads"))
_LEVELS = frozenset(("omp_get_level", "omp_get_ancestor_thread_num", "omp_get_team_size"))
_NAME = regex(r"[A-Za-z_]\w*")


def host_version_of(
    facts: RegionFacts, captures: Sequence[Capture], sharing: Sharing, counted: set[Variable]
) -> HostVersion:
    """What runs without a device: the region with the directives that the host's threads know."""
    forms = []
    for part in facts.chain:
        is_alone = part is not facts.construct and part.directive.constructs[0] == "loop"
        spelling = host_spelling(bound_loop(part.directive, ("teams",)) if is_alone else part.directive)
        if says_nothing(part.directive):  # copies are made around it
            spelling = None
        spread = len(facts.chain) > 1 and "parallel" not in facts.leaves and "distribute" in facts.leaves
        if spelling != part.directive.text or spread:
            before = (f"#pragma omp {spelling}",) if spelling and not spread else ()
            forms.append(PlacedForm(part.start, part.pragma_end, part.end, before, ()))
    forms += (placed(part, form) for part in facts.inside if (form := _inner_form(facts, part)) is not None)
    if any(part.directive.has_scan for part in facts.chain):  # LLVM's runtime does not support it for gcc's code
        forms = [PlacedForm(c.start, c.pragma_end, c.end, (), ()) for c in facts.chain]
        scans = [c for c in facts.inside if c.directive.name == "scan"]
        forms += [PlacedForm(c.start, c.pragma_end, c.pragma_end, (), ()) for c in scans]
    start, end = facts.body.start, facts.body.end
    inside = [r for r in facts.function.mentions.references if start <= r.start < end]
    changed = changed_in(facts)
    literals = {c.symbol for c in captures if c.transport is Transport.LITERAL}
    for reference in inside:
        if reference.variable in literals & changed and not reference.is_read and reference.qualifier:
            what = f"the region changes its own copy of '{reference.variable.host}': name it in a clause"
            raise error_at(facts.unit.span(reference.start), what)
    copies = _copies(captures, sharing, changed - counted, [line for form in forms for line in form.before])
    limits = [c for part in reversed(facts.chain) for c in part.directive.all("thread_limit")]
    limit = expression(limits, "thread_limit")
    value = facts.value_of(limit) if limit is not None else None
    observes = observes_place(facts.unit, facts.text)
    if limit is None and "teams" in facts.leaves and observes:
        value = Call("rex_host_teams_thread_limit", ())
    settings = not queries.HOST_SETTERS.isdisjoint(asked_in(facts.unit, facts.text))
    league = _league(facts, observes=observes)
    teams = (part for part in facts.chain if "teams" in part.directive.constructs)
    by_teams = {v.name for part in teams for v in _own_copies(facts, part)}
    copies = [replace(copy, by_teams=copy.name in by_teams) for copy in copies]
    copies.sort(key=lambda c: c.name)
    return HostVersion(tuple(forms), _needs_team(facts), value, settings, league, tuple(copies))


def _own_copies(facts: RegionFacts, part: Construct) -> list[Entity]:
    named = facts.program.sharing(part)
    return [*named.private, *named.firstprivate]


def _league(facts: RegionFacts, *, observes: bool) -> HostLeague | None:
    """The teams that ``num_teams`` asks for, if the region can tell whether there are several."""
    called = reached_by(facts.unit, facts.text)
    inside = [c.directive for c in facts.inside]
    others = [c for f in called for c in facts.unit.constructs if f.body <= c.start < f.end]
    shares = any(not {"distribute", "loop"}.isdisjoint(c.directive.constructs) for c in (*facts.inside, *others))
    return league_of(
        [part.directive for part in facts.chain], inside, facts.value_of, facts.constant,
        asks_teams=not queries.TEAMS.isdisjoint(asked_in(facts.unit, facts.text)), observes=observes,
        shares=shares or calls_elsewhere(facts.unit, facts.text),
    )  # fmt: skip


def _needs_team(facts: RegionFacts) -> bool:
    """Whether the host version of a region needs a team of its own (see C's ``needs_own_team``)."""
    unit = facts.unit
    if (host_spelling(facts.construct.directive) or "").startswith("parallel") or "parallel" in facts.leaves:
        return False
    teams = [c for c in facts.inside if (host_spelling(c.directive) or "").startswith("parallel")]
    outside, at = "", facts.body.start
    for team in teams:
        outside, at = outside + unit.text[at : max(at, team.start)], max(at, team.end)
    outside += unit.text[at : facts.body.end]
    called = reached_by(unit, outside)
    constructs = [c for c in facts.inside if not any(t.start <= c.start < t.end for t in teams)]
    constructs += [c for f in called for c in unit.constructs if f.body <= c.start < f.end]
    if any(not _BINDS.isdisjoint(c.directive.constructs) for c in constructs if c not in teams):
        return True
    asked = asked_in(unit, outside)
    levels = asked_in(unit, facts.text)
    return not _THREADS.isdisjoint(asked) and _LEVELS.isdisjoint(levels)


def changed_in(facts: RegionFacts) -> set[Variable]:
    """The variables that the region may change."""
    start, end = facts.body.start, facts.body.end
    inside = (r for r in facts.function.mentions.references if start <= r.start < end)
    return {r.variable for r in inside if not r.is_read and not r.variable.type.const}


def _copies(
    captures: Sequence[Capture], sharing: Sharing, changed: set[Variable], lines: Sequence[str]
) -> list[HostCopy]:
    """The private copies of variables that the region changes and that no directive of the host version names."""
    spelled = {name for line in lines for clause in _PRIVATISING.finditer(line) for name in _NAME.findall(clause[1])}
    own = [v for v in sharing.firstprivate if v not in sharing.returned]
    own += [*(c.symbol for c in captures if c.transport is Transport.LITERAL)]
    own += [c.symbol for c in captures if c.reason in ("firstprivate", "implicit firstprivate")]
    first = [v for v in dict.fromkeys(own) if isinstance(v, Variable) and v in changed and not v.type.const]
    unset = [v for v in sharing.private if isinstance(v, Variable) and v in changed]
    found = [HostCopy(v.name, True, v.type.kind == "array") for v in first if v.name not in spelled]
    mixed = (c.symbol.name for c in captures if c.reason == SCALAR_OR_OBJECT and c.symbol in changed)
    found += [HostCopy(n, True, False, type=f"typename rex_own_type<__typeof__({n})>::type") for n in mixed]
    return found + [HostCopy(v.name, False, v.type.kind == "array") for v in unset if v.name not in spelled]


def _inner_form(facts: RegionFacts, part: Construct) -> HostForm | None:
    """The form of a directive inside of a region, or None for what the user wrote."""
    if part.directive.name == "allocate":  # gcc 12 does not know it
        return GONE
    form = host_form(facts.unit, part)
    directive = form.directive if form is not None else part.directive
    if directive is not None and not {"teams", "distribute", "target", "loop"}.isdisjoint(directive.constructs):
        spelling = host_spelling(directive)
        form = HostForm(replace(directive, text=spelling)) if spelling else GONE
    if binds_to_initial_thread(facts.unit, part):
        form = in_team_of_one(part, form)
    around = [c for c in (*facts.chain, *facts.inside) if c.start < part.start and part.end <= c.end]
    if copied := host_task_copies(facts.program, facts.construct, part, around):
        form = with_copies(part, form, [variable.name for variable in copied])
    return form
