"""What a front end says about a program, for the decisions in this folder."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from ..directives.model import Expr, Locator, ReductionClause
from ..plan.code import Code, Entity
from ..plan.constructs import Atomic, LoopNest, Reduction, Sharing
from .chains import C, Constructs, D_contra


class Lists(Protocol[D_contra]):
    """What list items name, and what is to be known of variables.

    ``used`` are the variables from outside that a construct mentions, in the order of the text: in its own clauses,
    too, or without ``clauses`` only in its statement. A ``lasting`` variable lives as long as the program.
    """

    def used(self, construct: D_contra, *, clauses: bool = True) -> Collection[Entity]: ...

    def variable(self, construct: D_contra, item: Locator) -> Entity:
        """The variable with which a list item begins. Raises InputError if there is none."""
        ...

    def is_const(self, variable: Entity) -> bool: ...

    def is_lasting(self, variable: Entity) -> bool: ...

    def code(self, construct: D_contra, expr: Expr) -> Code: ...

    def reduction(self, construct: D_contra, clause: ReductionClause, item: Locator) -> Reduction: ...


class Program(Lists[C], Constructs[C], Protocol[C]):
    """What is to be known of constructs in device code. All ``check`` methods raise InputError."""

    def chain(self, construct: C) -> tuple[Sequence[C], Sharing]:
        """A construct with those that make one with it, and what their clauses say together."""
        ...

    def body(self, construct: C) -> Code | None: ...

    def changed(self, construct: C) -> Collection[Entity]:
        """The variables that a construct's statement may assign, by their names."""
        ...

    def counted(self, construct: C) -> Collection[Entity]:
        """The variables that loops in a construct's statement count with and do not declare."""
        ...

    def declares(self, construct: C, variable: Entity) -> bool: ...

    def is_pointer(self, variable: Entity) -> bool: ...

    def is_variable_length(self, variable: Entity) -> bool: ...

    def is_passed_by_value(self, construct: C, variable: Entity) -> bool:
        """Whether a ``target`` construct has copies of a variable that no clause names and that is no local one."""
        ...

    def is_on_device(self, variable: Entity, around: Sequence[C]) -> bool:
        """Whether device code inside these constructs has a variable that a clause names."""
        ...

    def found(self, construct: C, name: str) -> Entity | None:
        """The variable that a name in a construct's clauses means, or None."""
        ...

    def check_allowed(self, construct: C) -> None: ...

    def atomic(self, construct: C) -> Atomic: ...

    def named(self, code: Code) -> Entity | None:
        """The variable that code is the name of."""
        ...

    def sections(self, construct: C) -> tuple[Code, ...]: ...

    def nest(self, chain: Sequence[C], sharing: Sharing) -> LoopNest:
        """The loops of a chain, which makes the copies of ``sharing``."""
        ...

    def observes_place(self, code: Code) -> bool:
        """Whether code can tell which thread or team runs it."""
        ...
