"""Which variables of the program around it a kernel gets, and how they reach it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from ..base.records import dataclass
from .code import Entity, Type
from .host_expression import HostExpression


class Transport(Enum):
    """How a captured variable reaches the kernel."""

    LITERAL = "literal"  # by value, in the low bytes of an 8-byte parameter
    POINTER = "pointer"  # the parameter is a pointer's value, translated for the device, or an array's device address
    ADDRESS = "address"  # the parameter is the device address of the variable's storage
    WORDS = "words"  # a structure by value, put together from several parameters


@dataclass(frozen=True)
class Temporary:
    """A value that is computed once, at the head of the host block: ``const type name = value;``."""

    type: str
    name: str
    value: HostExpression


@dataclass(frozen=True)
class Word:
    """A part of a structure that the 8-byte parameter ``name`` brings: ``size`` bytes from ``offset`` on, or as many
    of 8 as the structure has, which only the compiler knows."""

    name: str
    offset: int
    size: int | None


@dataclass(frozen=True)
class Capture:
    """A variable of the enclosing program that a kernel uses.

    ``type`` is the type that the kernel sees: the variable's own for LITERAL and WORDS, a pointer for POINTER and
    ADDRESS. With ``start``, the threads share the variable's storage. The first thread stores the value of ``start``
    there, because only the launch knows this value.

    A structure by value comes in ``words``. Each pointer in it is a capture of its own, which is the member ``path`` of
    the structure ``of``, at an ``offset``. For example, ``in`` may come in the words from 0 and 16 on, and its pointer
    at 8 as the capture ``in.points`` with the path ``("points",)``.

    With ``row``, no parameter brings such a pointer: the kernel loads it from the structure, which is mapped, and it
    leads to the section that this row maps. It is a capture for proofs alone. With ``followed``, constructs before the
    region have mapped what the pointer leads to. This is its value on the host, and the device's may be another one.
    ``size`` is that of the whole structure, if clauses map nothing beside it.
    """

    symbol: Entity
    transport: Transport
    type: Type
    reason: str
    start: Capture | None = None
    words: tuple[Word, ...] = ()
    of: Entity | None = None
    path: tuple[str, ...] = ()
    offset: int = 0
    row: int | None = None
    followed: HostExpression | None = None
    size: HostExpression | None = None


def loaded(captures: Iterable[Capture]) -> frozenset[Entity]:
    """The pointers that no parameter brings."""
    return frozenset(c.symbol for c in captures if c.row is not None or c.followed is not None)
