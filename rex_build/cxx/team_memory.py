"""The variables that the threads of a team share, and functions whose parallel regions all threads of a team run.

The device text has a function once. So it stays with one thread if other code calls it, too, and if its team would
share variables that are no plain local ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ..base.diagnostics import Stretches, error_at
from ..base.records import dataclass, field, replace
from ..openmp.team_memory import (
    called_by,
    declared_in,
    functions_of_teams,
    named_in,
    outermost_parallel,
    parts_of,
    team_memory,
)
from ..plan.constructs import NO_SHARING, SHARED_MEMORY, Code, Entity, Sharing, TeamMemory
from ..plan.rows import Capture, Transport
from ..plan.unit import KernelKind
from ..tree import nodes as tree
from ..tree import symbols
from ..tree.nodes import Node
from ..tree.types import Pointer
from . import libclang
from .functions import Function
from .program import Program, RegionFacts
from .reading.reader import reader_of
from .text_constructs import Construct, Range, Variable
from .unit import Unit


def team_memory_of(
    facts: RegionFacts, kind: KernelKind, captures: Sequence[Capture], sharing: Sharing, loop: Collection[Entity]
) -> TeamMemory:
    """The variables that the sequential part and parallel regions share, of a region with these ``loop`` variables."""
    objects = {c.symbol for c in captures if c.transport is Transport.WORDS}
    numbers = {c.symbol for c in captures if c.transport is Transport.LITERAL or c.symbol.type.kind == "pointer"}
    copies = objects | numbers
    if kind is KernelKind.PARALLEL:
        return TeamMemory(frozenset(copies & facts.changed - sharing.named))
    if kind is not KernelKind.TEAMS:
        return TeamMemory()
    body, parallel = facts.body, (c for c in facts.inside if "parallel" in c.directive.constructs)
    in_parallel = Stretches((c.body_start, c.end) for c in parallel)

    def is_local(variable: Entity) -> bool:
        assert isinstance(variable, Variable)
        is_own = body.start <= variable.start < body.end and variable.start not in in_parallel
        return is_own and variable not in loop

    last, reader = facts.chain[-1], reader_of(facts.unit)
    parts = (part for whole in facts.trees for part in tree.walk(whole))
    bodies = [p.body for p in parts if isinstance(p, tree.Construct) and p.origin is last and p.body is not None]
    memory = team_memory(
        bodies, facts.program.sharing, reader.calls, sharing, copies, is_local, objects=objects,
        is_built=lambda variable: variable not in objects and any(constructors(facts.unit, variable)),
    )  # fmt: skip
    for variable in sorted(memory.heap, key=lambda one: one.name):
        if any(made.kind == facts.unit.kinds.DESTRUCTOR for made in constructors(facts.unit, variable)):
            what = f"'{variable.name}', which threads of a team share, has a destructor, which is not supported"
            raise error_at(facts.unit.span(variable.start), what)  # type: ignore[attr-defined]
    # Private copies are never on the heap here.
    sizes = tuple(one for one in memory.sizes if is_local(one[0]))
    return replace(memory, literals=frozenset(), sizes=sizes).within(SHARED_MEMORY)


def constructors(unit: Unit, variable: Entity) -> Iterator[Any]:
    """What a variable's definition runs, which objects in shared memory cannot have: constructors, initialisers of
    members, destructors."""
    assert isinstance(variable, Variable)
    k = unit.kinds
    for record in unit.classes_in(unit.class_of(variable.cursor.type)):
        members = libclang.children(libclang.pattern(record))
        # Other constructors become assignments then.
        odd = any(_forbids_assignment(unit, member) for member in members)
        has_default = libclang.has_default(members) and not odd
        for child in members:
            if child.kind in (k.CONSTRUCTOR, k.DESTRUCTOR):
                plain = child.is_copy_constructor() or child.is_move_constructor() or child.is_default_method()
                plain = plain or (child.kind == k.CONSTRUCTOR and has_default)
                yield from () if plain else (child,)
            elif child.kind == k.FIELD_DECL and unit.is_initialised(child):
                yield child


def _forbids_assignment(unit: Unit, member: Any) -> bool:
    """Whether objects with this member may not be assigned, or in a way of their own."""
    k = unit.kinds
    if member.kind == k.FIELD_DECL:
        return bool(member.type.is_const_qualified()) or member.type.get_canonical().kind.name.endswith("REFERENCE")
    return bool(member.spelling == "operator=" or (member.kind == k.CONSTRUCTOR and member.is_move_constructor()))


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
