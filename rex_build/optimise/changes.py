"""Which variables a part of the tree may change, other than by what is stored where pointers lead."""

from __future__ import annotations

from ..base.records import dataclass
from ..tree import nodes as tree
from ..tree.places import base_of, object_of
from ..tree.symbols import Variable


@dataclass(frozen=True)
class Changes:
    """Variables that are ``assigned``, whole or in part, those that are ``lent``, because somebody gets their
    addresses, each with the first place; and those whose lives begin here. What begins a life is no assignment."""

    assigned: dict[Variable, tree.Node]
    lent: dict[Variable, tree.Node]
    declared: frozenset[Variable]

    @property
    def variables(self) -> dict[Variable, tree.Node]:
        """The variables that may change."""
        return {**self.lent, **self.assigned}


def changes_of(node: tree.Node) -> Changes:
    assigned: dict[Variable, tree.Node] = {}
    lent: dict[Variable, tree.Node] = {}
    declared: set[Variable] = set()
    parts = list(tree.walk(node))
    followed = {base_of(part.pointer) for part in parts if isinstance(part, tree.Pointee)}
    for part in parts:
        match part:
            case tree.Store() | tree.Update():
                _note(assigned, part.place, part)
            case tree.AddressOf(place=place) | tree.Decay(array=place) if part not in followed:
                _note(lent, place, part)
            case tree.Declare() | tree.Temporary():
                declared.add(part.variable)
    return Changes(assigned, lent, frozenset(declared))


def _note(into: dict[Variable, tree.Node], place: tree.Place, by: tree.Node) -> None:
    found = object_of(place)
    if found is not None and not found.behind:
        into.setdefault(found.variable, by)


def mentions(node: tree.Node, variable: Variable) -> list[tree.Named]:
    return [part for part in tree.walk(node) if isinstance(part, tree.Named) and part.variable is variable]
