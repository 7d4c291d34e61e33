"""Pointers of which the user has said by ``restrict`` that nothing else leads to the same memory.

While the block runs in which such a pointer is declared, what is reached through it, and changed by anybody, is reached
through pointers alone that are based on it. A pointer that had its value before that is not based on it. A region that
nobody waits for may run after the block.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ..plan.code import Entity
from ..tree import nodes as tree
from ..tree.symbols import Variable
from ..tree.types import Pointer
from .changes import changes_of


class Promises:
    """What the declarations around a ``construct``, the front end's own, say about pointers that keep their values."""

    def __init__(self, body: tree.Body, construct: Any) -> None:
        around = _around(body.statement, construct)
        target = around[-1] if around else None
        waited = isinstance(target, tree.Construct) and not any(
            clause.name in ("nowait", "depend") for clause in target.directive.clauses
        )
        ages: dict[Variable, int] = dict.fromkeys(body.parameters, 0) if waited else {}
        for outer, inner in pairwise(around) if waited else ():
            inside = outer.statements if isinstance(outer, tree.Block) else ()
            for one in inside[: inside.index(inner)] if inner in inside else ():
                if isinstance(one, tree.Declare):
                    ages[one.variable] = len(ages)
        pointers = [v for v in ages if isinstance(v.type, Pointer) and not v.type.reference]
        if any(v.type.restrict for v in pointers):  # otherwise nothing is promised
            changed = _changed(body.statement)
            pointers = [v for v in pointers if changed is not None and v not in changed]
        self._ages = {v.entity: ages[v] for v in pointers}
        self._alone = {v.entity for v in pointers if v.type.restrict}

    def apart(self, one: Entity, other: Entity) -> bool:
        """Whether two pointers lead to different memory, where something in it is changed."""
        ages = self._ages
        if one not in ages or other not in ages:
            return False
        return (one in self._alone and ages[other] <= ages[one]) or (other in self._alone and ages[one] <= ages[other])


def _around(node: tree.Node, construct: Any) -> list[tree.Node]:
    """The nodes from one to the construct in it, or nothing if that is not there."""
    if isinstance(node, tree.Construct) and node.origin == construct:
        return [node]
    for child in tree.children(node):
        if found := _around(child, construct):
            return [node, *found]
    return []


def _changed(body: tree.Statement) -> set[Variable] | None:
    """The variables that a function may change, or None if it may be any."""
    found = set(changes_of(body).variables)
    for node in tree.walk(body):
        if isinstance(node, tree.Opaque):
            if node.mentions is None:
                return None
            found |= {n.variable for one in node.mentions for n in tree.walk(one) if isinstance(n, tree.Named)}
        elif isinstance(node, tree.Construct) and not node.directive.name.startswith("target"):
            found |= {*node.variables}
    return found
