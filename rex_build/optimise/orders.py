"""Along which loops neighbouring iterations access neighbouring elements."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.records import replace
from ..openmp.regions import Planned
from ..plan.constructs import CanonicalLoop, Entity
from ..plan.optimised import Tiles
from ..tree import nodes as tree
from ..tree.affine import Facts, Polynomial, Subscript
from .accesses import Access
from .carried import single_values
from .changes import changes_of
from .dependence import place_of
from .narrow import is_straight
from .surroundings import Region

_FAR = 8  # elements: these are no longer in the same part of a cache line


def fastest(facts: Facts, accesses: Sequence[Access], variables: Sequence[Entity]) -> Entity:
    """The loop variable along which most accesses are to neighbouring elements: its loop becomes the innermost."""
    votes = dict.fromkeys(variables, 0)
    for factors, _ in _factors(facts, accesses, variables):
        for variable, factor in factors.items():
            votes[variable] += factor.constant in (1, -1)
    most = max(votes.values())
    return [v for v in variables if votes[v] == most][-1]


def crossed(facts: Facts, accesses: Sequence[Access], levels: Sequence[CanonicalLoop]) -> bool:
    """Whether neighbours along the last loop access neighbouring elements at one place and elements that lie far apart
    at another, where neighbours along the loop before do so: a transposition."""
    return _neighbours(facts, accesses, levels) == (True, True)


def _neighbours(facts: Facts, accesses: Sequence[Access], levels: Sequence[CanonicalLoop]) -> tuple[bool, bool]:
    """Whether neighbouring elements are accessed at some place (along the last loop, along the loop before, where the
    last loop's neighbours lie far apart)."""
    if len(levels) < 2 or any(level.step_value not in (1, -1) for level in levels[-2:]):
        return False, False
    row, column = (level.symbol for level in levels[-2:])
    along = across = False
    for factors, outer in _factors(facts, [a for a in accesses if (a.place.type.size or 0) >= 4], (row, column)):
        near = {variable for variable, factor in factors.items() if factor.constant in (1, -1)} - outer
        far = outer | {v for v, f in factors.items() if f.constant is None or abs(f.constant) >= _FAR}
        along = along or (column in near and row not in near)
        across = across or (row in near and column in far)
    return along, across


def tiles_of(around: Region, region: Planned, body: tree.Statement, accesses: Sequence[Access]) -> Tiles:
    """The tiles for an iteration of collapsed loops. Bodies with loops inside have wide ones."""
    assert region.nest is not None
    levels = region.nest.levels
    if not is_straight(body):
        return Tiles.WIDE
    changes, (single, settled) = changes_of(body), single_values(around, [body, body])
    changing = {variable.entity for variable in {*changes.variables, *changes.declared}}
    counters = [level.symbol for level in levels]
    stays = ({*around.memory, *around.own} - changing).union(counters)
    written = {access.root for access in accesses if access.writes}
    same = {variable: level.symbol for level in levels for variable in level.same}
    facts = Facts(stays, stays - written, counters, single.get, settled, same, around.members)
    along, across = _neighbours(facts, accesses, levels)
    if not across:
        return Tiles.WIDE
    return Tiles.NARROW if along or len(levels) > 2 else Tiles.TURNED


def _factors(
    facts: Facts, accesses: Sequence[Access], variables: Sequence[Entity]
) -> list[tuple[dict[Entity, Polynomial], set[Entity]]]:
    """For each access whose place is known: (the factors of variables in the last subscript, those in others)"""
    every, found = replace(facts, moving=variables), []
    for access in accesses:
        place = place_of(every, access)
        indices = [s.index for s in place.steps if isinstance(s, Subscript)] if place is not None else []
        split = indices[-1].split(variables) if indices and indices[-1] is not None else None
        if split is not None:
            outer = {atom for index in indices[:-1] if index is not None for atom in index.atoms}
            found.append((split[0], {variable for variable in variables if variable in outer}))
    return found
