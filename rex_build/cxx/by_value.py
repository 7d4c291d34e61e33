"""Objects that regions of C++ get by value (:mod:`..openmp.by_value`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..openmp.by_value import Layout, layout_of
from ..optimise.by_value import Around, Uses, uses_of
from ..plan.code import Entity
from ..plan.region import KernelKind
from ..tree import nodes as tree
from ..tree import types
from ..tree.places import object_of
from ..tree.symbols import Variable as TreeVariable
from .code import Variable
from .facts import RegionFacts
from .reading.reader import reader_of


class ByValue:
    """Which objects a region only reads, and which are surely not on the device before it, in all instantiations."""

    def __init__(self, facts: RegionFacts, kind: KernelKind) -> None:
        self.facts, self.in_team = facts, kind is KernelKind.TEAMS
        self.never = "byvalue" in facts.unit.no_opt or bool(facts.unit.mappers.mappers)

    def layouts(self, variable: Variable) -> Sequence[Layout]:
        named = [] if self.never else self._named(variable)
        layouts = [layout_of(_object(one.type), of_class=True, in_team=self.in_team) for one in named]
        known = [one for one in layouts if one is not None]
        if len(known) < len(layouts):
            return ()
        return known if all(uses.reads_only(one) for uses, one in zip(self._in_region, named, strict=False)) else ()

    @cached_property
    def lent(self) -> frozenset[Entity]:
        """The variables of which the region itself takes the address, with ``&``, and somebody may keep it."""
        pairs = zip(self.facts.trees, self._in_region, strict=True)
        taken = ((node, uses) for one, uses in pairs for node in tree.parts(one, tree.AddressOf) if node.origin)
        found = ((object_of(node.place), uses) for node, uses in taken)
        return frozenset(one.variable.key for one, uses in found if one is not None and one.variable in uses.lent)

    def is_fresh(self, variable: Variable) -> bool:
        named = self._named(variable)
        if len(self._bodies) != len(named):
            return False
        pairs = zip(self._bodies, named, strict=True)
        return all(around.is_fresh(one, self.facts.construct) for around, one in pairs)

    def _named(self, variable: Variable) -> list[TreeVariable]:
        """The variable in each instantiation, if it is named in all of them."""
        nodes = ([n for n in tree.walk(one) if isinstance(n, tree.Named)] for one in self.facts.trees)
        found = [next((n.variable for n in named if n.variable.entity is variable), None) for named in nodes]
        return [] if None in found else [one for one in found if one is not None]

    @cached_property
    def _in_region(self) -> list[Uses]:
        return [uses_of(one, reader_of(self.facts.unit).calls) for one in self.facts.trees]

    @cached_property
    def _bodies(self) -> list[Around]:
        return [Around(body, reader_of(self.facts.unit).calls) for body in self.facts.bodies]


def _object(kind: types.Type) -> types.Type:
    """The type of the object that a variable is, or refers to."""
    return kind.to if isinstance(kind, types.Pointer) and kind.reference else kind
