"""The variables that the threads of a team share."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ..base.diagnostics import Stretches, error_at
from ..base.records import replace
from ..openmp.team_memory import team_memory
from ..plan.constructs import SHARED_MEMORY, Entity, Sharing, TeamMemory
from ..plan.rows import Capture, Transport
from ..plan.unit import KernelKind
from ..tree.nodes import Construct, walk
from . import libclang
from .program import RegionFacts
from .reading.reader import reader_of
from .text_constructs import Variable
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
    parts = (part for whole in facts.trees for part in walk(whole))
    bodies = [p.body for p in parts if isinstance(p, Construct) and p.origin is last and p.body is not None]
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
