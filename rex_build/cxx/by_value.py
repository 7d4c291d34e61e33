"""Objects that regions of C++ get by value (:mod:`..openmp.by_value`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from ..base.records import dataclass
from ..openmp.by_value import Layout, Path, layout_of, may_go_by_value, offsets, sections_behind
from ..openmp.list_items import MapItem
from ..optimise.by_value import Uses, fresh, uses_of
from ..plan.code import Entity
from ..plan.region import KernelKind
from ..plan.sharing import Sharing
from ..tree import nodes as tree
from ..tree import types
from ..tree.symbols import Variable as TreeVariable
from .code import Variable
from .facts import RegionFacts
from .reading.reader import reader_of


@dataclass(frozen=True)
class Words:
    """How an object goes by value: its ``sizes`` and the ``offsets`` of its words, and its pointers with the sections
    behind them. In instantiations whose objects are not laid out alike, the words are all there is of it."""

    sizes: tuple[int, ...]
    offsets: tuple[int, ...]
    layout: Layout | None
    sections: dict[Path, list[MapItem]]


class ByValue:
    """Which objects a region gets by value. ``first`` are those of which clauses give it copies, and ``others`` those
    that other clauses bring."""

    def __init__(
        self, facts: RegionFacts, kind: KernelKind, sharing: Sharing, first: Collection[Entity],
        others: Collection[Entity],
    ) -> None:  # fmt: skip
        self.facts, self.first = facts, first
        self.others = {*others, *sharing.private, *sharing.lastprivate, *sharing.returned}
        off = "byvalue" in facts.unit.no_opt or bool(facts.unit.mappers)
        self.never = off or not may_go_by_value(facts.construct.directive, kind)

    def words(self, variable: Variable, items: Sequence[MapItem], *, copied: bool, is_closure: bool) -> Words | None:
        """How an object goes by value, if no program can tell that it does. ``copied`` ones are the region's own, and
        pointers in closures come in parameters of their own already."""
        if self.never or variable.type.kind != "record" or variable in self.others:
            return None
        copied = copied or variable in self.first
        if copied and items:
            return None
        of_trees = [self._named(variable, one) for one in self.facts.trees]
        named = [one for one in of_trees if one is not None]
        if not named or len(named) < len(of_trees):
            return None
        layouts = [layout_of(_object(one.type), of_class=True) for one in named]
        known = [one for one in layouts if one is not None]
        if len(known) < len(layouts):
            return None
        if not all(uses.reads_only(one) for uses, one in zip(self._in_region, named, strict=True)):
            return None
        if not copied and not self._is_fresh(named):
            return None
        sizes = tuple(one.size for one in known)
        sections = sections_behind(known[0], items)
        if sections is None or (sections and any(one != known[0] for one in known)):
            return None
        if not is_closure and all(one == known[0] for one in known):
            return Words(sizes[:1], known[0].words, known[0], sections)
        return Words(sizes, tuple(offsets(max(sizes))), None, {})

    def _named(self, variable: Variable, statement: tree.Construct) -> TreeVariable | None:
        for node in tree.walk(statement):
            if isinstance(node, tree.Named) and node.variable.entity is variable:
                return node.variable
        return None

    @cached_property
    def _in_region(self) -> list[Uses]:
        return [uses_of(one, reader_of(self.facts.unit).calls) for one in self.facts.trees]

    @cached_property
    def _bodies(self) -> list[tuple[tree.Body, Uses]]:
        """The functions around the region, one for each instantiation."""
        reader = reader_of(self.facts.unit)
        found = (reader.body(reader.function(cursor)) for cursor in reader.definitions(self.facts.function))
        return [(body, uses_of(body.statement, reader_of(self.facts.unit).calls)) for body in found if body is not None]

    def _is_fresh(self, named: Sequence[TreeVariable]) -> bool:
        if len(self._bodies) != len(named):
            return False
        pairs = zip(self._bodies, named, strict=True)
        return all(fresh(body, self.facts.construct, uses)(one) for (body, uses), one in pairs)


def _object(kind: types.Type) -> types.Type:
    """The type of the object that a variable is, or refers to."""
    return kind.to if isinstance(kind, types.Pointer) and kind.reference else kind
