"""Which objects a region may get by value: those that it only reads, and that are surely not on the device before it.

A method gets the address of its object. So it is asked what functions do with the addresses that they get.
"""

from __future__ import annotations

from typing import Any

from ..base.records import dataclass
from ..tree import nodes as tree
from ..tree.calls import Calls
from ..tree.symbols import Variable
from ..tree.types import Pointer
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


def uses_of(statement: tree.Statement, calls: Calls | None) -> Uses:
    """What a statement does with variables. Without ``calls``, any function may keep an address that it gets."""
    opaque = tree.parts(statement, tree.Opaque)
    odd = {node.variable for one in opaque for node in tree.walk(one) if isinstance(node, tree.Named)}
    found = changes_of(statement, calls)
    unknown = any(one.mentions is None for one in opaque)
    return Uses(frozenset((*found.assigned, *odd)), frozenset((*found.lent, *odd)), unknown)


class Around:
    """The function around a region, and what it does with its own variables."""

    def __init__(self, body: tree.Body, calls: Calls | None = None) -> None:
        self._uses = uses_of(body.statement, calls)
        own = (*body.parameters, *(node.variable for node in tree.parts(body.statement, tree.Declare)))
        self._own = {one for one in own if not (isinstance(one.type, Pointer) and one.type.reference)}
        self._constructs = tree.parts(body.statement, tree.Construct)
        items = (item.place for one in self._constructs if one.directive.name in _DATA for item in one.items)
        self._mapped = {node.variable for place in items for node in tree.walk(place) if isinstance(node, tree.Named)}

    def keeps(self, variable: Variable) -> bool:
        """Whether a variable is the function's own, and no pointer can lead to it."""
        return variable in self._own and self._uses.keeps(variable)

    def is_alone(self, variable: Variable) -> bool:
        """Whether neither a data construct maps a variable nor another function can."""
        return self.keeps(variable) and variable not in self._mapped

    def is_fresh(self, variable: Variable, region: Any) -> bool:
        """Whether a variable is surely not on a device when the ``region`` begins: it is alone, and no other construct
        is in flight. ``region`` is the origin of the construct."""
        return self.is_alone(variable) and self._is_first(region)

    def _is_first(self, region: Any) -> bool:
        constructs = self._constructs
        around = (one for one in constructs if any(node.origin == region for node in tree.parts(one, tree.Construct)))
        forks = any(not one.directive.is_target and _FORKS.intersection(one.directive.constructs) for one in around)
        late = any("target" in one.directive.constructs and one.directive.has("nowait") for one in constructs)
        return not forks and not late and any(one.origin == region for one in constructs)
