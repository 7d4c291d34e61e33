"""What the parts of the analysis ask about a region, found once."""

from __future__ import annotations

from functools import cached_property

from ..base.diagnostics import InputError
from ..directives.model import Expr, MapClause
from ..openmp.chains import chain_of
from ..plan.host_expression import HostExpression
from ..tree import nodes as tree
from .clauses import value_of
from .code import Construct, Variable
from .functions import Function
from .list_items import ListReader
from .program import Program
from .reading.reader import reader_of
from .templates import Instance, Surroundings
from .text_constructs import identifiers_in
from .unit import Unit


class RegionFacts:
    """A region with the constructs that make it, its clauses, its body and what stands around.

    ``leaves`` are the constructs that the region combines, ``inside`` those in its body. ``around`` is there if the
    function is a member or a template, and ``instances`` are the template's.
    """

    def __init__(self, unit: Unit, construct: Construct, function: Function) -> None:
        self.unit = unit
        self.construct = construct
        self.function = function
        self.program = Program(unit, function)
        self.chain, _ = chain_of(self.program, construct)
        self.leaves = tuple(leaf for part in self.chain for leaf in part.directive.constructs)
        self.clauses = [clause for part in self.chain for clause in part.directive.clauses]
        self.body = self.chain[-1].body
        self.inside = [c for c in unit.constructs if c.start >= self.body.start and c.end <= self.body.end]
        self.text = unit.text[self.body.start : self.body.end]
        self.reader = ListReader(unit, function, construct.start)
        self.span = construct.directive.span
        self.calls = self._calls()
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
                outer = {r.variable for r in function.mentions.references if start <= r.start < end}
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
    def changed(self) -> frozenset[Variable]:
        """The variables that the region may change."""
        inside = (r for r in self.function.mentions.references if self.body.start <= r.start < self.body.end)
        return frozenset(r.variable for r in inside if not r.is_read and not r.variable.type.const)

    @cached_property
    def trees(self) -> tuple[tree.Construct, ...]:
        """The region as trees, one for each instantiation."""
        return reader_of(self.unit).region(self.construct)

    def constant(self, expr: Expr) -> int | None:
        """The value of a clause's expression, if it is a constant integer."""
        return reader_of(self.unit).constant(expr.text, self.construct.start)

    def most_of(self, expr: Expr) -> int | None:
        """The largest value of a clause's expression in the instantiations, if it is a constant in each."""
        return max(reader_of(self.unit).constants(expr.text, self.construct.start), default=None)

    def value_of(self, expr: Expr) -> HostExpression:
        """The host's value of a clause's expression."""
        return value_of(expr, self.constant(expr))

    def _calls(self) -> frozenset[str]:
        """The names of all functions that the body calls, or may call in a template."""
        start, end = self.body.start, self.body.end
        names = called_in(self.function, start, end)
        names.update(name for part in self.inside for _, name in identifiers_in(part.directive.text))
        return frozenset(names)


def called_in(function: Function, start: int, end: int) -> set[str]:
    """The names of the functions that a part of a function calls, or may call in a template."""
    found = function.mentions
    return {str(target.spelling) for at, target in (*found.calls, *found.overloads) if start <= at < end}
