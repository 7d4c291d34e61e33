"""What C++ regions say for their host versions, which run if there is no device."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from itertools import accumulate
from operator import attrgetter

from ..base.diagnostics import error_at
from ..directives.host_form import GONE, HostForm
from ..directives.model import Directive
from ..openmp import host_version as decided
from ..plan.captures import Capture
from ..plan.code import Entity
from ..plan.host import HostCopy, HostVersion
from .code import Construct, Variable
from .facts import RegionFacts
from .host_directives import form_of, placed
from .queries import asked_by, reached_by

_START = attrgetter("start")
SCALAR_OR_OBJECT = "a scalar or an object"  # why a variable is captured that is not the same in all instantiations


def host_version_of(facts: RegionFacts, captures: Sequence[Capture], by_value: Collection[Entity]) -> HostVersion:
    """What runs without a device: the region with the directives that the host's threads know."""
    mixed = {c.symbol for c in captures if c.reason == SCALAR_OR_OBJECT}
    in_order = (c.symbol for c in captures if c.symbol in by_value)
    return decided.host_version(_Region(facts, mixed), list(dict.fromkeys(in_order)))


def host_version_left(facts: RegionFacts) -> HostVersion:
    """The host version of a region that cannot be lowered."""
    by_value = decided.by_value_of(facts.program, facts.construct, facts.chain[-1])
    return decided.host_version(_Region(facts, set()), by_value)


class _Region(decided.HostRegion[Construct]):
    """A region. ``mixed`` are variables that are scalars in some instantiations, and objects in others."""

    def __init__(self, facts: RegionFacts, mixed: Collection[Entity]) -> None:
        self._facts, self._mixed, unit = facts, mixed, facts.unit
        self.program, self.chain, self.inside = facts.program, facts.chain, facts.inside
        self._all = [*facts.chain, *facts.inside]
        at = {construct.start: construct for construct in self._all}
        self.around = {c: [o for o in self._all if o.start < c.start and c.end <= o.end] for c in self._all}
        self.written = lambda construct: HostForm(construct.directive)
        self.placed = lambda start, form: placed(at[start], form)
        self.value, self.constant, self.fresh = facts.value_of, facts.constant, unit.generated.fresh
        forms = ((c.start, GONE if c.directive.name == "allocate" else form_of(unit, c)) for c in self._all)
        self.forms = {start: form for start, form in forms if form is not None}
        self.asked = asked_by(unit, facts.text)
        shared = (c for c in self._in_functions(facts.text) if {"distribute", "loop"} & {*c.directive.constructs})
        self.shares = self.asked.elsewhere or any(shared)

    def _in_functions(self, text: str) -> list[Construct]:
        """The constructs in the functions that a text reaches."""
        unit, found = self._facts.unit, list[Construct]()
        for function in reached_by(unit, text):
            low, high = (bisect_left(unit.constructs, at, key=_START) for at in (function.body, function.end))
            found += unit.constructs[low:high]
        return found

    def on_host(self, construct: Construct) -> Directive:
        form = self.forms.get(construct.start)
        return form.directive if form is not None and form.directive is not None else construct.directive

    def outside_teams(self, makes_team: Callable[[Construct], bool]) -> tuple[Sequence[Construct], Collection[str]]:
        text, teams = self._facts.unit.text, [c for c in self._all if makes_team(c)]
        outside, at = "", self.chain[0].body_start
        for team in teams:
            outside, at = outside + text[at : max(at, team.start)], max(at, team.end)
        outside += text[at : self.chain[0].end]
        others = self._in_functions(outside)
        inner = sorted((*teams, *filter(makes_team, others)), key=_START)
        ends = [0, *accumulate((team.end for team in inner), max)]  # by how many teams begin in front of a place
        constructs = [c for c in (*self._all, *others) if ends[bisect_left(inner, c.start, key=_START)] <= c.start]
        return constructs, asked_by(self._facts.unit, outside).functions

    def check_copied(self, variables: Collection[Entity]) -> None:
        """Raise InputError if the region changes a variable of which it has a copy by another name."""
        start, end = self._facts.body.start, self._facts.body.end
        for reference in self._facts.function.mentions.references:
            is_copied = reference.variable in variables and start <= reference.start < end
            if is_copied and reference.qualifier and not reference.is_read:
                what = f"the region changes its own copy of '{reference.variable.host}': name it in a clause"
                raise error_at(self._facts.unit.span(reference.start), what)

    def copy(self, variable: Entity, initialised: bool) -> HostCopy:
        name = variable.name
        if variable in self._mixed:
            return HostCopy(name, True, False, type=f"typename rex_own_type<__typeof__({name})>::type")
        return HostCopy(name, initialised, isinstance(variable, Variable) and variable.type.kind == "array")
