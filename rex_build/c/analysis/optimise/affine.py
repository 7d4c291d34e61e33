"""What is known about variables of C, for the values and places of its tree (``tree/affine.py``)."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping
from functools import cached_property

from pycparser import c_ast

from ....base.records import dataclass
from ....optimise.accesses import Members
from ....plan.code import Entity
from ....tree import nodes as tree
from ....tree.affine import Facts, Place, Polynomial
from ...reading.statements import Reader, reader_of
from ...sema import Sema


@dataclass(frozen=True)
class Values:
    """The facts of ``tree/affine.py``, in terms of C's tree."""

    sema: Sema
    fixed: Container[Entity]
    constant: Container[Entity]
    moving: Collection[Entity]
    single: Mapping[Entity, c_ast.Node]
    settled: Collection[Entity]
    members: Members
    variables: Mapping[Entity, Entity]

    @cached_property
    def facts(self) -> Facts:
        return Facts(
            self.fixed, self.constant, self.moving, self._single, self.settled, self.variables, self.members
        )

    @cached_property
    def reader(self) -> Reader:
        return reader_of(self.sema)

    def _single(self, variable: Entity) -> tree.Expression | None:
        value = self.single.get(variable)
        return self.reader.value(value) if value is not None else None

    def polynomial(self, node: c_ast.Node) -> Polynomial | None:
        """The value of an integer expression, or None if it is not known."""
        return self.facts.polynomial(self.reader.value(node))

    def place(self, node: c_ast.Node) -> Place | None:
        """Where an lvalue is, or None if that is not known."""
        return self.facts.place(self.reader.place(node))
