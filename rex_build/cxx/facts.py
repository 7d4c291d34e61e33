"""What the parts of the analysis ask about a region, found once."""

from __future__ import annotations

from ..base.diagnostics import InputError
from ..base.patterns import regex
from ..directives.model import MapClause
from .code import Construct
from .functions import Function
from .mapping import ListReader
from .nested import chain_of
from .templates import Instance, Surroundings
from .text_constructs import identifiers_in
from .unit import Unit

FOLLOWS = frozenset(("teams", "distribute", "parallel", "for", "simd", "loop"))
PLACES = regex(
    r"\bomp_(?:get_(?:thread_num|num_threads|team_num|num_teams|level|active_level|ancestor_thread_num|team_size"
    r"|thread_limit|max_threads)|in_parallel)\s*\("
)
THREADS = regex(r"\bomp_get_(?:thread_num|num_threads|max_threads|team_size|ancestor_thread_num)\s*\(")
CALL = regex(r"\b\w+\s*\(")


class RegionFacts:
    """A region with the constructs that make it, its clauses, its body and what stands around.

    ``leaves`` are the constructs that the region combines, ``inside`` those in its body. ``around`` is there if the
    function is a member or a template, and ``instances`` are the template's.
    """

    def __init__(self, unit: Unit, construct: Construct, function: Function) -> None:
        self.unit = unit
        self.construct = construct
        self.function = function
        self.chain = _sharing_out(chain_of(unit, construct, FOLLOWS))
        self.leaves = tuple(leaf for part in self.chain for leaf in part.directive.constructs)
        self.clauses = [clause for part in self.chain for clause in part.directive.clauses]
        self.body = self.chain[-1].body
        self.inside = [c for c in unit.constructs if c.start >= self.body.start and c.end <= self.body.end]
        self.text = unit.text[self.body.start : self.body.end]
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


def _sharing_out(chain: list[Construct]) -> list[Construct]:
    """The constructs up to the first that does not share out what the one around it runs.

    Every team runs a ``parallel`` loop in ``teams`` as a whole, and every thread a ``simd`` loop in ``parallel``.
    """
    leaves: list[str] = []
    for number, part in enumerate(chain):
        inner = [leaf for one in chain[number:] for leaf in one.directive.constructs]
        last, first = leaves[-1] if leaves else "", inner[0]
        alone = last == "teams" and first == "parallel" and not {"for", "simd", "loop"}.isdisjoint(inner)
        if alone or (first == "simd" and last in ("teams", "parallel")) or (first == "for" and last != "parallel"):
            return chain[:number]
        leaves += part.directive.constructs
    return chain
