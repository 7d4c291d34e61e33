"""What statements are made of, where OpenMP allows only certain forms: in ``atomic``.

A front end makes these of its statements, and looks through parentheses and implicit conversions.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ..base.records import dataclass
from ..plan.code import Code


@dataclass(frozen=True)
class Part:
    """A statement or an expression. Two with the same ``key`` are written alike."""

    code: Code
    key: Hashable
    is_object: bool


@dataclass(frozen=True)
class Assign(Part):
    """``x op= value``, or ``x = value`` if the operator is empty."""

    x: Part
    operator: str
    value: Part


@dataclass(frozen=True)
class Step(Part):
    """``x++`` or ``--x``: the operator is ``+`` or ``-``."""

    x: Part
    operator: str
    is_behind: bool


@dataclass(frozen=True)
class Operation(Part):
    left: Part
    operator: str
    right: Part


@dataclass(frozen=True)
class Choice(Part):
    """``test ? then : otherwise``"""

    test: Part
    then: Part
    otherwise: Part


@dataclass(frozen=True)
class Branch(Part):
    """``if (test) then else otherwise``"""

    test: Part
    then: Part
    otherwise: Part | None


@dataclass(frozen=True)
class Block(Part):
    """Statements, without empty ones."""

    statements: Sequence[Part]
