"""Finds narrow elements that a thread can load together for several iterations.

In ``for (i …) ++count[image[i]];`` each iteration loads a byte. A thread that runs eight neighbouring iterations loads
their bytes with one access, if the first of them is aligned; the kernel tests the addresses. All iterations read these
elements, whatever their values are, and nothing writes that memory while the kernel runs. So nothing is read that the
program does not read.

If another access of the body moved along with the iterations, neighbouring threads would be eight of its elements
apart. Then the loop stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection

from ..base.records import replace
from ..openmp.regions import Planned
from ..plan.constructs import Code, Entity
from ..plan.optimised import WIDE, WideRead
from ..tree import nodes as tree
from ..tree.affine import Facts, Polynomial, Subscript
from ..tree.types import Array, Floating, Integer, Pointer
from .accesses import Access, Accesses, members_of, shared_and_own
from .changes import changes_of
from .narrow import NARROW
from .obstacle import Decisions, ObstacleError, listed
from .side import Side

_LARGEST = 250  # nodes of a body, which nvcc compiles some forty times


def wide_reads(decisions: Decisions, side: Side, region: Planned, obstacle: str | None) -> tuple[WideRead, ...]:
    """Decide which elements a thread loads for several iterations at once. Raises ObstacleError."""
    if obstacle is not None or "wide" in decisions.off:
        decisions.refuse(["wide"], obstacle or "")
        return ()
    region = replace(region, loaded=())  # the kernel has no parameters for these pointers
    made = [_widened(side, region, body) for body in side.bodies(region)]
    if any(one != made[0] for one in made):
        raise ObstacleError("instantiations of the template differ")
    several = f"elements of {WIDE} iterations are loaded with one access"
    decisions.apply("wide", f"where they are aligned, {several}: {listed({one.symbol for one in made[0]})}")
    return made[0]


def _widened(side: Side, region: Planned, body: tree.Statement) -> tuple[WideRead, ...]:
    """The elements that every iteration loads, in memory that nothing writes meanwhile. Raises ObstacleError if there
    are none, or if other accesses are in the way."""
    nest, found = region.nest, side.accesses(region, body)
    assert nest is not None
    level, name = nest.levels[0], nest.levels[0].symbol.name
    own = {level.symbol, *level.same}
    if len(nest.levels) > 1 or nest.inner:
        raise ObstacleError("several loops share the grid")
    if level.step_value != 1 or not level.increasing:
        raise ObstacleError(f"'{name}' does not count up by 1")
    if found.written or not own.isdisjoint(v.entity for v in changes_of(body).variables):
        raise ObstacleError(f"the body writes memory, or somebody has the address of '{name}'")
    if sum(1 for _ in tree.walk(body)) > _LARGEST:
        raise ObstacleError("an iteration is long")
    memory, _ = shared_and_own(region.sharing, region.captures, nest, side.is_pointer)
    facts, kept = _facts(region, body, memory)
    rows = _rows(facts, kept, level.symbol, found)
    if not rows:
        raise ObstacleError("no iteration reads elements of its own")
    made = [_read(side, accesses) for accesses in rows]
    if len({one.symbol for one in made}) < len(made):
        raise ObstacleError("an iteration reads several elements of an array")
    return tuple(made)


def _facts(region: Planned, body: tree.Statement, memory: Collection[Entity]) -> tuple[Facts, set[Entity]]:
    """(what is known of the values in a body, the variables in front of it that keep theirs)"""
    assert region.nest is not None
    level, changes = region.nest.levels[0], changes_of(body)
    variables = {part.variable for part in tree.walk(body) if isinstance(part, tree.Named)}
    fixed = variables - changes.variables.keys() - changes.declared
    stays = {v.entity for v in fixed if v.entity is not None} - {level.symbol, *level.same}
    pointers = {v.entity for v in fixed if isinstance(v.type, Pointer | Array)}
    kept = {s for s in stays if s not in pointers or s in memory}
    same = dict.fromkeys(level.same, level.symbol)
    return Facts(stays, kept, (level.symbol,), lambda _: None, (), same, members_of(region.captures)), kept


def _rows(facts: Facts, kept: Collection[Entity], variable: Entity, found: Accesses) -> list[list[Access]]:
    """The accesses of elements that follow each other, those to one element together."""
    rows: dict[object, list[Access]] = {}
    for access in found.items:
        indices = _indices(facts, access)
        if indices is None or not any(variable in index.atoms for index in indices):
            continue  # an element that only the run knows, or one for all iterations
        may_be_read = access.root not in found.derived and _is_narrow(access.place)
        if not (may_be_read and _moves_by_one(indices, variable, kept)):
            raise ObstacleError(f"iterations do not read '{access.root.name}' one after the other", access.node)
        key = (access.root, *(frozenset(index.terms.items()) for index in indices))
        rows.setdefault(key, []).append(access)
    return list(rows.values())


def _is_narrow(place: tree.Place) -> bool:
    kind = place.type
    packed = any(isinstance(part, tree.Part) and part.member.packed for part in tree.walk(place))
    return isinstance(kind, Integer | Floating) and kind.size <= NARROW and not packed


def _indices(facts: Facts, access: Access) -> list[Polynomial] | None:
    """The subscripts of an element, or None if they are not known."""
    place = facts.place(access.place) if not isinstance(access.node, tree.Call) else None
    if place is None or place.unions:
        return None
    indices = [step.index for step in place.steps if isinstance(step, Subscript)]
    known = [index for index in indices if index is not None]
    return known if known and len(known) == len(place.steps) else None


def _moves_by_one(indices: list[Polynomial], variable: Entity, kept: Collection[Entity]) -> bool:
    """Whether the element of the next iteration follows in memory, and its address can be computed ahead."""
    *before, last = indices
    split = last.split((variable,))
    if split is None or last.wraps or any(variable in index.atoms or index.wraps for index in before):
        return False
    factor = split[0].get(variable)
    others = {atom for index in indices for atom in index.atoms} - {variable}
    return factor is not None and factor.constant == 1 and all(isinstance(a, Entity) and a in kept for a in others)


def _read(side: Side, accesses: list[Access]) -> WideRead:
    """What is printed of the accesses to one element. Raises ObstacleError."""
    first, text = accesses[0], side.text()
    if not any(access.certain for access in accesses):
        raise ObstacleError(f"not every iteration reads its element of '{first.root.name}'", first.node)
    codes: list[Code] = []
    for access in accesses:
        code = text.element(access)
        if code is None or not side.is_aligned(access.place):
            why = f"an element of '{first.root.name}' is not aligned, or not in the region's text"
            raise ObstacleError(why, access.node)
        codes.append(code)
    return WideRead(first.root, codes[0], tuple(codes))
