"""Finds the scalars of a function that no thread but its own can reach.

Threads that map the same variable at the same time share its place on the device. So a region may have another place
for a variable only if no other thread can know the variable.
"""

from __future__ import annotations

from typing import Any

from ..plan.code import Entity
from ..tree import nodes as tree
from ..tree.places import object_of
from ..tree.symbols import Storage, Variable
from ..tree.types import Complex, Floating, Integer


class OwnScalars:
    """The constructs of a function, by the front end's own, and the ``entities`` that are the function's own scalars.

    A scalar is the function's own if it is automatic, its address is not taken, and no construct mentions it that
    other threads may run, or that may run later: anything but ``target`` constructs without ``nowait`` and ``depend``.
    """

    def __init__(self, body: tree.Body) -> None:
        self.constructs: dict[Any, tree.Construct] = {}
        known: set[Variable] = set(body.parameters)
        shared: set[Variable] = set()
        understood = True
        for node in tree.walk(body.statement):
            match node:
                case tree.Declare(variable=variable):
                    known.add(variable)
                case tree.AddressOf():
                    found = object_of(node.place)
                    if found is not None and not found.behind:
                        shared.add(found.variable)
                case tree.Opaque(mentions=mentions):
                    understood = understood and mentions is not None
                    shared |= _mentioned(*(mentions or ()))
                case tree.Construct():
                    self.constructs[node.origin] = node
                    if not _is_waited_for(node):
                        shared |= {*node.variables, *_mentioned(node)}
        own = (v for v in known if v not in shared and v.storage in (Storage.LOCAL, Storage.PARAMETER))
        scalars = (v.entity for v in own if isinstance(v.type, Integer | Floating | Complex) and not v.type.atomic)
        self.entities: set[Entity] = {e for e in scalars if e is not None} if understood else set()


def _mentioned(*nodes: tree.Node) -> set[Variable]:
    return {n.variable for node in nodes for n in tree.walk(node) if isinstance(n, tree.Named)}


def _is_waited_for(construct: tree.Construct) -> bool:
    directive = construct.directive
    return directive.name.startswith("target") and not any(c.name in ("nowait", "depend") for c in directive.clauses)
