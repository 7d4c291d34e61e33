"""Functions whose parallel regions all threads of a team run (:mod:`..openmp.team_memory`), in C++.

The device text has a function once. So it stays with one thread if other code calls it, too, and if its team would
share variables that are no plain local ones.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ..base.records import dataclass, field
from ..openmp.team_memory import (
    called_by,
    declared_in,
    functions_of_teams,
    named_in,
    outermost_parallel,
    parts_of,
    team_memory,
)
from ..plan.constructs import NO_SHARING, SHARED_MEMORY, Code, TeamMemory
from ..tree import symbols
from ..tree.nodes import Node
from ..tree.types import Pointer
from .functions import Function
from .program import Program
from .reading.reader import reader_of
from .team_memory import constructors
from .text_constructs import Construct, Range
from .unit import Unit


@dataclass(frozen=True)
class TeamFunctions:
    """The ``functions``, and what their teams share, by the definitions in the text."""

    functions: frozenset[symbols.Function] = frozenset()
    memory: Mapping[Code, TeamMemory] = field(default_factory=dict)

    def are_called_in(self, unit: Unit, region: Construct) -> bool:
        """Whether sequential parts of a region call one."""
        trees = reader_of(unit).region(region) if self.functions else ()
        return not self.functions.isdisjoint(called_by(parts_of(trees)[0]) or ())


def team_functions(unit: Unit, regions: Collection[Construct], reached: Collection[Function]) -> TeamFunctions:
    """Those among the functions that ``regions`` reach."""
    starts = {function.start for function in reached}
    parallel = (c for c in unit.constructs if "parallel" in c.directive.constructs)
    inside = (unit.function_at(c.start) for c in parallel)
    if unit.separable or unit.user_reductions or not any(f is not None and f.start in starts for f in inside):
        return TeamFunctions()
    reader = reader_of(unit)
    found, anywhere = functions_of_teams([tree for c in regions for tree in reader.region(c)], reader.calls)
    texts = {called: unit.defined(reader.symbols.cursors[called]) for called in (*found, *anywhere)}
    own = {text: [found[one] for one in found if texts[one] is text] for text in map(texts.get, found)}
    memory = {text: _memory(unit, text, bodies) for text, bodies in own.items()}
    unfit = {None, *map(texts.get, anywhere), *(text for text, shared in memory.items() if shared is None)}
    while more := {
        texts[called]
        for function in found
        if texts[function] in unfit  # the teams of what it calls would share its variables
        for called in found.keys() & reader.calls.functions(found[function])[0].keys()
    }.difference(unfit):
        unfit |= more
    fit: dict[Code, TeamMemory]
    fit = {Range(t.start, t.end): m for t, m in memory.items() if t is not None and m is not None and t not in unfit}
    kept = frozenset(function for function in found if texts[function] not in unfit)
    return TeamFunctions(kept, fit) if sum(one.bytes for one in fit.values()) <= SHARED_MEMORY else TeamFunctions()


def _memory(unit: Unit, function: Function | None, bodies: Sequence[Node]) -> TeamMemory | None:
    """What the threads of a team share of a function's variables, or None if not all of it can be in shared memory.

    Threads get copies of what they only read, which must not be copies of what references refer to.
    """
    if function is None:
        return None
    mentioned = {v for body in bodies for region in outermost_parallel(body) for v in named_in(region)}
    if any(isinstance(v.type, Pointer) and v.type.reference for v in mentioned):
        return None
    parameters = [v.entity for v in mentioned if v.storage is symbols.Storage.PARAMETER and v.entity is not None]
    local = {variable for body in bodies for variable in declared_in(body)}
    memory = team_memory(
        bodies, Program(unit, function).sharing, reader_of(unit).calls, NO_SHARING, parameters, local.__contains__,
        is_built=lambda variable: any(constructors(unit, variable)),
    )  # fmt: skip
    return memory if memory.shared <= local and not memory.heap and not memory.literals else None
