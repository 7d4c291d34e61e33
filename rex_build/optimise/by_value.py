"""Which objects a region may get by value: those that it only reads, and that are surely not on the device before it.

A method gets the address of its object. So it is asked what functions do with the addresses that they get.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..base.records import dataclass
from ..tree import nodes as tree
from ..tree.calls import Calls
from ..tree.symbols import Storage, Variable
from ..tree.types import Record
from .changes import changes_of

# Their threads and tasks may run while others map what they share.
_FORKS = frozenset(("parallel", "teams", "task", "taskloop", "sections"))
_DATA = frozenset(("target data", "target enter data", "target exit data", "target update"))


@dataclass(frozen=True)
class Uses:
    """What code does with variables. It may change those that are ``changed``, and of those that are ``lent`` somebody
    may keep the address; with ``unknown``, all may be both."""

    changed: frozenset[Variable]
    lent: frozenset[Variable]
    unknown: bool

    def reads_only(self, variable: Variable) -> bool:
        return not self.unknown and variable not in self.changed and variable not in self.lent

    def keeps(self, variable: Variable) -> bool:
        return not self.unknown and variable not in self.lent


def uses_of(statement: tree.Statement, calls: Calls) -> Uses:
    opaque = [node for node in tree.walk(statement) if isinstance(node, tree.Opaque)]
    odd = {node.variable for one in opaque for node in tree.walk(one) if isinstance(node, tree.Named)}
    found = changes_of(statement, calls)
    unknown = any(one.mentions is None for one in opaque)
    return Uses(frozenset((*found.assigned, *odd)), frozenset((*found.lent, *odd)), unknown)


def fresh(body: tree.Body, region: Any, uses: Uses) -> Callable[[Variable], bool]:
    """Whether a variable of a function is surely not on a device when the ``region`` in it begins: no data construct
    maps it, no other function can, and no other construct is in flight. ``region`` is the origin of the construct."""
    constructs = [node for node in tree.walk(body.statement) if isinstance(node, tree.Construct)]
    around = [one for one in constructs if region in (node.origin for node in _inside(one))]
    forks = any(not one.directive.is_target and _FORKS.intersection(one.directive.constructs) for one in around)
    is_here = any(one.origin == region for one in constructs)
    late = any("target" in one.directive.constructs and one.directive.has("nowait") for one in constructs)
    items = (item.place for one in constructs if one.directive.name in _DATA for item in one.items)
    mapped = {node.variable for place in items for node in tree.walk(place) if isinstance(node, tree.Named)}
    own = (Storage.LOCAL, Storage.PARAMETER)

    def is_fresh(variable: Variable) -> bool:
        is_object = isinstance(variable.type, Record)
        return is_object and variable.storage in own and variable not in mapped and uses.keeps(variable)

    return is_fresh if is_here and not forks and not late else lambda _: False


def _inside(construct: tree.Construct) -> Iterator[tree.Construct]:
    """The constructs in another one."""
    nodes = tree.walk(construct.body) if construct.body is not None else ()
    return (node for node in nodes if isinstance(node, tree.Construct))
