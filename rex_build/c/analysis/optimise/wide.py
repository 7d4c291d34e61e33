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

from ....optimise.accesses import Access, Accesses
from ....optimise.obstacle import ObstacleError
from ....plan.code import Entity
from ....plan.loops import LoopNest
from ....plan.optimised import WideRead
from ....tree.affine import Polynomial
from ....tree.types import Member
from ...sema import assignments, walk
from ...sema.ctype import Array, Pointer, Scalar, alignof, sizeof, strip
from .affine import Values
from .stage import fixed
from .surroundings import Surroundings

_WIDEST = 2  # bytes of an element, of which eight are an access of 16 bytes
_LARGEST = 120  # nodes of a body, which nvcc compiles some forty times


def widened(region: Surroundings, nest: LoopNest, found: Accesses, read: Collection[Entity]) -> tuple[WideRead, ...]:
    """The elements of memory in ``read``, which nothing writes meanwhile, that every iteration of ``nest`` loads.

    Raises ObstacleError if there are none, or if other accesses are in the way.
    """
    sema, body, level = region.sema, nest.body, nest.levels[0]
    name, own = level.symbol.name, {level.symbol, *level.same}
    if len(nest.levels) > 1 or nest.inner:
        raise ObstacleError("several loops share the grid")
    if level.step_value != 1 or not level.increasing:
        raise ObstacleError(f"'{name}' does not count up by 1")
    if found.written or not own.isdisjoint(assignments(sema, body).symbols):
        raise ObstacleError(f"the body writes memory, or somebody has the address of '{name}'")
    if sum(1 for _ in walk(body)) > _LARGEST:
        raise ObstacleError("an iteration is long")
    stays = fixed(region, body) - own
    kept = {s for s in stays if not isinstance(strip(s.type), (Pointer, Array)) or s in region.memory}
    same: dict[Entity, Entity] = dict.fromkeys(level.same, level.symbol)
    values = Values(sema, stays, kept, (level.symbol,), {}, (), region.members, same)
    rows: dict[object, list[Access]] = {}
    for access in found.items:
        indices = _indices(values, access)
        if indices is None or not any(level.symbol in index.atoms for index in indices):
            continue  # an element that only the run knows, or one for all iterations
        kind = strip(sema.type(access.node))
        narrow = isinstance(kind, Scalar) and alignof(sema.type(access.node)) == sizeof(kind) <= _WIDEST
        if not (narrow and access.root in read and _moves_by_one(indices, level.symbol, kept)):
            raise ObstacleError(f"iterations do not read '{access.root.name}' one after the other", access.node)
        key = (access.root, *(frozenset(index.terms.items()) for index in indices))
        rows.setdefault(key, []).append(access)
    if not rows:
        raise ObstacleError("no iteration reads elements of its own")
    for accesses in rows.values():
        if not any(access.certain for access in accesses):
            first = accesses[0]
            raise ObstacleError(f"not every iteration reads its element of '{first.root.name}'", first.node)
    made = tuple(WideRead(a[0].root, a[0].node, tuple(b.node for b in a)) for a in rows.values())
    if len({one.symbol for one in made}) < len(made):
        raise ObstacleError("an iteration reads several elements of an array")
    return made


def _indices(values: Values, access: Access) -> list[Polynomial] | None:
    """The subscripts of an element, or None if they are not known."""
    place = values.place(access.node)
    if place is None or place.unions:
        return None
    indices = [step.index for step in place.steps if not isinstance(step, Member)]
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
