"""What names in the tree stand for: variables, functions and labels. They compare by identity."""

from __future__ import annotations

from enum import Enum

from ..base.records import dataclass
from ..plan.constructs import Entity
from .types import Type


class Storage(Enum):
    """How long a variable lives, and who can reach it without its address."""

    LOCAL = "local"  # its block, once for each time that the block is entered
    PARAMETER = "parameter"  # the call
    STATIC = "static"  # the program, and only this unit's functions can name it
    GLOBAL = "global"  # the program
    THREAD = "thread"  # the thread
    CONSTANT = "constant"  # a string literal, or an object that nobody can write


@dataclass(frozen=True, eq=False)
class Variable(Entity):
    """A variable, a parameter, or an object without a name that the reader had to name.

    ``this`` is a parameter; so are the results of lambda's captures no variables, but members of the closure. A C++
    reference is a variable whose type is a pointer with ``reference``, and its use is a :class:`~.nodes.Pointee` of a
    :class:`~.nodes.Load`. ``entity`` is what the plan and the front end have for it, or None for what the reader made.
    A front end makes one ``Variable`` for each entity; in a template, one for each instantiation. ``value`` is what a
    constant integer has wherever it is read, if the reader knows that.
    """

    name: str
    type: Type
    storage: Storage
    entity: Entity | None
    value: int | None = None

    @property
    def key(self) -> Entity:
        """What stands for it in polynomials."""
        return self if self.entity is None else self.entity


def entity_of(variable: Variable) -> Entity:
    """What the plan has for a variable, or itself for what a reader made."""
    return variable.entity if variable.entity is not None else variable


@dataclass(frozen=True, eq=False)
class Function(Entity):
    """A function, method, constructor or destructor; in a template, of one instantiation.

    ``name`` is that of C, or the qualified one of C++ (``std::max``). It is ``external`` if other units may call it,
    and ``defined`` if this unit, or a header, has its body.
    """

    name: str
    type: Type
    external: bool
    defined: bool
    entity: Entity | None


@dataclass(frozen=True, eq=False)
class Label:
    """The target of ``goto``."""

    name: str
