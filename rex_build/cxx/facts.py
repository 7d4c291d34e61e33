"""What the parts of the analysis ask about a region, found once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from operator import attrgetter

from ..base.diagnostics import InputError, error_at
from ..directives.contents import directive_locators
from ..directives.host_form import GONE, HostForm
from ..directives.model import Directive, Expr, MapClause
from ..openmp.chains import chain_of
from ..openmp.host_version import HostRegion
from ..openmp.queries import Asked
from ..plan.code import Entity
from ..plan.host import HostCopy, PlacedForm
from ..plan.host_expression import HostExpression
from ..tree import nodes as tree
from .call_graph import calls_of
from .code import Construct, Variable
from .functions import Function, Reference
from .host_directives import form_of, placed
from .list_items import ListReader
from .program import Program
from .reached import Part
from .reading.reader import reader_of
from .templates import Instance, Surroundings
from .text_constructs import identifiers_in
from .unit import Unit

_START = attrgetter("start")


class RegionFacts(HostRegion[Construct]):
    """A region of C++, and what stands around it.

    ``around`` is there if the function is a member or a template, and ``instances`` are the template's.
    """

    def __init__(self, unit: Unit, construct: Construct, function: Function) -> None:
        self.unit = unit
        self.function = function
        program = Program(unit, function)
        chain, _ = chain_of(program, construct)
        body = chain[-1].body
        inside = [c for c in unit.constructs_in(body.start, body.end) if c.end <= body.end]
        super().__init__(program, chain, body, inside)
        self._all = [*chain, *inside]
        self.text = unit.text[self.body.start : self.body.end]
        # It may ask for the type of an expression, which other names would change.
        self.asks_type = any(word in self.text for word in ("decltype", "typeof", "typeid"))
        self.reader = ListReader(unit, function, construct.start)
        self.span = construct.directive.span
        self.around: Surroundings | None = None
        self.instances: list[Instance] = []
        if function.is_member or function.is_template or function.cursor.canonical.hash in unit.friends:
            self.around = Surroundings(unit, function)
            if self.around.is_template:
                self.instances = self.around.instances(construct.body_start, construct.end)
                texts = [part.directive.text for part in (*self.chain, *self.inside)]
                listed = {name for text in texts for _, name in identifiers_in(text)}
                found = [unit.lookup(function, name, construct.start) for name in sorted(listed)]
                mentioned = [*(r.variable for r in function.mentions.references), *(v for v in found if v is not None)]
                start, end = construct.body_start, construct.end
                outer = {r.variable for r in function.references(start, end)}
                outer = {variable for variable in outer if not start <= variable.start < end}
                whole = {i.name for c in self.clauses if isinstance(c, MapClause) for i in c.items if not i.steps}
                needed = {*outer, *found}
                for variable in dict.fromkeys(mentioned):
                    mixed = "record" if variable.name in whole or variable in outer else "other"
                    try:
                        variable.type = self.around.resolved(variable, self.instances, mixed=mixed)
                    except InputError:
                        if variable in needed:
                            raise  # of the other variables, only the C++ compiler has to know the type

    @cached_property
    def changed(self) -> frozenset[Entity]:
        """The variables that the region may change."""
        return frozenset(self.program.changed(self.chain[-1]))

    @cached_property
    def addressed(self) -> frozenset[Entity]:
        """Those whose addresses it takes, also by references."""
        return Program(self.unit, self.function).changes(self.chain[-1]).addressed & self.changed

    @cached_property
    def trees(self) -> tuple[tree.Construct, ...]:
        """The region as trees, one for each instantiation."""
        return reader_of(self.unit).region(self.construct)

    @cached_property
    def bodies(self) -> Sequence[tree.Body]:
        """The function around it, one for each instantiation."""
        reader = reader_of(self.unit)
        found = (reader.body(reader.function(cursor)) for cursor in reader.definitions(self.function))
        return [body for body in found if body is not None]

    def constant(self, expr: Expr) -> int | None:
        """The value of a clause's expression, if it is a constant integer."""
        return reader_of(self.unit).constant(expr.text, self.construct.start)

    def most_of(self, expr: Expr) -> int | None:
        """The largest value of a clause's expression in the instantiations, if it is a constant in each."""
        return max(reader_of(self.unit).constants(expr.text, self.construct.start), default=None)

    def value_of(self, expr: Expr) -> HostExpression:
        """The host's value of a clause's expression."""
        return self.reader.value(expr)

    # -- its host version -------------------------------------------------------------------------------------------

    @cached_property
    def outer(self) -> Mapping[Construct, Sequence[Construct]]:
        return {c: [o for o in self._all if o.start < c.start and c.end <= o.end] for c in self._all}

    @cached_property
    def forms(self) -> Mapping[int, HostForm]:
        unit = self.unit
        forms = ((c.start, GONE if c.directive.name == "allocate" else form_of(unit, c)) for c in self._all)
        return {start: form for start, form in forms if form is not None}

    @cached_property
    def asks(self) -> Asked:
        return calls_of(self.unit).asked(self.part)

    @property
    def part(self) -> Part:
        return self.function, self.body.start, self.body.end

    @property
    def shares(self) -> bool:
        reached = calls_of(self.unit).constructs_reached(self.part)
        shared = (c for c in reached if {"distribute", "loop"} & {*c.directive.constructs})
        return self.asks.elsewhere or any(shared)

    def written(self, construct: Construct) -> HostForm:
        return HostForm(construct.directive)

    def placed(self, start: int, form: HostForm) -> PlacedForm:
        return placed(next(c for c in self._all if c.start == start), form)

    def value(self, expr: Expr) -> HostExpression:
        return self.value_of(expr)

    def fresh(self, name: str) -> str:
        return self.unit.generated.fresh(name)

    def on_host(self, construct: Construct) -> Directive:
        form = self.forms.get(construct.start)
        return form.directive if form is not None and form.directive is not None else construct.directive

    def outside_teams(self, makes_team: Callable[[Construct], bool]) -> tuple[Sequence[Construct], Collection[str]]:
        teams, calls = [c for c in self._all if makes_team(c)], calls_of(self.unit)
        outside: list[Part] = []
        at = self.chain[0].body_start
        for team in teams:
            outside.append((self.function, at, max(at, team.start)))
            at = max(at, team.end)
        outside.append((self.function, at, self.chain[0].end))
        others = calls.constructs_reached(*outside)
        inner = sorted((*teams, *filter(makes_team, others)), key=_START)
        ends = [0, *accumulate((team.end for team in inner), max)]  # by how many teams begin in front of a place
        constructs = [c for c in (*self._all, *others) if ends[bisect_left(inner, c.start, key=_START)] <= c.start]
        return constructs, calls.asked(*outside).functions

    def check_copied(self, variables: Collection[Entity]) -> None:
        """Raise InputError if a construct in the region lists a variable by another name than that of its copy."""
        for construct in self.inside:
            for item in directive_locators(construct.directive):
                if "::" in item.name and self.unit.lookup(self.function, item.name, construct.start) in variables:
                    what = f"the region has its own copy of '{item.name}': name it in a clause of the target construct"
                    raise error_at(item.span, what)

    def copy(self, variable: Entity, initialised: bool) -> HostCopy:
        assert isinstance(variable, Variable)
        is_qualified = any(r.variable is variable and r.qualifier for r in self.references)
        original = variable.host if is_qualified else ""
        return HostCopy(variable.name, initialised, variable.type.kind == "array", original=original)

    @property
    def references(self) -> list[Reference]:
        """The mentions of variables in the region."""
        return self.function.references(self.body.start, self.body.end)
