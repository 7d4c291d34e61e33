"""What a kernel gets of its surroundings, and how."""

from __future__ import annotations

from enum import Enum

from ..base.records import dataclass
from ..c.sema import Symbol
from ..c.sema.ctype import CType
from .host_expression import HostExpression


class Transport(Enum):
    """How a captured variable reaches the kernel."""

    LITERAL = "literal"  # by value, in the low bytes of an 8-byte parameter
    POINTER = "pointer"  # the parameter is the (translated) value of a pointer, or the device address of an array
    ADDRESS = "address"  # the parameter is the device address of the variable's storage


@dataclass(frozen=True)
class Temporary:
    """A value computed once at the head of the host block: ``const type name = text;``."""

    type: str
    name: str
    value: HostExpression


@dataclass(frozen=True)
class Capture:
    """A variable of the enclosing program that a kernel uses.

    ``type`` is the type the kernel sees: the variable's own for LITERAL, a pointer for POINTER and ADDRESS.
    ``start``: the threads share the storage, to which the first of them gives that value; only the launch knows it.
    """

    symbol: Symbol
    transport: Transport
    type: CType
    reason: str
    start: Capture | None = None
