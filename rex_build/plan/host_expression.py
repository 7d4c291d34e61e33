"""Expressions that the host evaluates for a construct before the device starts, as values.

A front end makes them from the expressions of clauses and from parts of its own. Nobody looks into their text: a value
says itself whether it is constant, which variables it depends on, and whether it equals another. ``str`` prints C.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..base.precedence import ADD, ASSIGN, BINARY, COMMA, CONDITIONAL, POSTFIX, PRIMARY, UNARY
from ..base.records import dataclass, field, values


@dataclass(frozen=True)
class HostExpression:
    """The base class of all of them. ``precedence`` says how closely the outermost operator binds."""

    @property
    def value(self) -> int | None:
        """The value of an integer constant; None for everything else."""
        return None

    @property
    def precedence(self) -> int:
        return PRIMARY

    @property
    def parts(self) -> tuple[HostExpression, ...]:
        """The expressions in this one, which are its fields' values."""
        found = (value if isinstance(value, tuple) else (value,) for value in values(self).values())
        return tuple(one for several in found for one in several if isinstance(one, HostExpression))

    @property
    def names(self) -> frozenset[str]:
        """The variables that the value may depend on."""
        return frozenset(name for part in self.parts for name in part.names)

    @property
    def addressed(self) -> frozenset[str]:
        """The variables whose own addresses are taken. The address of what a variable points to does not count."""
        return frozenset(name for part in self.parts for name in part.addressed)

    @property
    def storage(self) -> frozenset[str]:
        """The variable that an lvalue is, or is part of."""
        return frozenset()


@dataclass(frozen=True)
class Number(HostExpression):
    number: int

    @property
    def value(self) -> int | None:
        return self.number

    @property
    def precedence(self) -> int:
        return PRIMARY if self.number >= 0 else UNARY

    def __str__(self) -> str:
        return str(self.number)


ZERO, ONE = Number(0), Number(1)


@dataclass(frozen=True)
class Variable(HostExpression):
    """A variable, the user's or a generated one."""

    name: str

    @property
    def names(self) -> frozenset[str]:
        return frozenset((self.name,))

    @property
    def storage(self) -> frozenset[str]:
        return frozenset((self.name,))

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Written(HostExpression):
    """An expression as the user wrote it. Some ``pieces`` stand for names in it, and ``mentions`` are its other names.

    ``constant`` is its value, if that is known, and ``binds`` the precedence of its outermost operator.
    """

    pieces: tuple[str | HostExpression, ...]
    mentions: frozenset[str]
    binds: int = COMMA
    constant: int | None = None

    @property
    def value(self) -> int | None:
        return self.constant

    @property
    def precedence(self) -> int:
        return self.binds

    @property
    def names(self) -> frozenset[str]:
        return self.mentions.union(*(part.names for part in self.parts))

    def __str__(self) -> str:
        return "".join(piece if isinstance(piece, str) else _operand(piece, POSTFIX) for piece in self.pieces)


@dataclass(frozen=True)
class SizeOf(HostExpression):
    """``sizeof(of)``, which does not evaluate ``of``. If ``of`` is a string, it is a type.

    ``bytes`` is the size, where the front end knows it. It is there to be shown: the compiler's answer is what counts.
    """

    of: HostExpression | str
    bytes: int | None = field(default=None, compare=False)

    precedence = UNARY

    @property
    def addressed(self) -> frozenset[str]:
        return frozenset()

    def __str__(self) -> str:
        return f"sizeof({self.of})"


@dataclass(frozen=True)
class Index(HostExpression):
    """``of[index]``."""

    of: HostExpression
    index: HostExpression

    precedence = POSTFIX

    def __str__(self) -> str:
        return f"{_operand(self.of, POSTFIX)}[{self.index}]"


@dataclass(frozen=True)
class Member(HostExpression):
    """``of.name`` or ``of->name``."""

    of: HostExpression
    name: str
    arrow: bool = False

    precedence = POSTFIX

    @property
    def storage(self) -> frozenset[str]:
        return frozenset() if self.arrow else self.of.storage

    def __str__(self) -> str:
        return f"{_operand(self.of, POSTFIX)}{'->' if self.arrow else '.'}{self.name}"


@dataclass(frozen=True)
class OnDevice(HostExpression):
    """The address ``of``, which is computed only if what ``pointer`` leads to is on the construct's device; else null.

    The host's block, which knows the device, has it in a variable of a ``name`` like this one.
    """

    name: str
    pointer: HostExpression
    of: HostExpression

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class AddressOf(HostExpression):
    """``&of``."""

    of: HostExpression

    precedence = UNARY

    @property
    def addressed(self) -> frozenset[str]:
        return self.of.addressed | self.of.storage

    def __str__(self) -> str:
        return f"&{_operand(self.of, UNARY)}"


@dataclass(frozen=True)
class Target(HostExpression):
    """``(*of)``: what a pointer points to."""

    of: HostExpression

    def __str__(self) -> str:
        return f"(*{_operand(self.of, UNARY)})"


@dataclass(frozen=True)
class Shaped(HostExpression):
    """``(*(element (*)[n][m])of)``: what a pointer points to, as an array of ``element``, a type."""

    element: str
    lengths: tuple[HostExpression, ...]
    of: HostExpression

    def __str__(self) -> str:
        bounds = "".join(f"[{length}]" for length in self.lengths)
        return f"(*({self.element} (*){bounds}){_operand(self.of, UNARY)})"


@dataclass(frozen=True)
class Cast(HostExpression):
    """``(type)of``."""

    type: str
    of: HostExpression

    precedence = UNARY

    def __str__(self) -> str:
        return f"({self.type}){_operand(self.of, UNARY)}"


@dataclass(frozen=True)
class Not(HostExpression):
    """``!of``."""

    of: HostExpression

    precedence = UNARY

    def __str__(self) -> str:
        return f"!{_operand(self.of, UNARY)}"


@dataclass(frozen=True)
class Binary(HostExpression):
    """``left operator right``."""

    operator: str
    left: HostExpression
    right: HostExpression

    @property
    def precedence(self) -> int:
        return BINARY[self.operator]

    def __str__(self) -> str:
        least = BINARY[self.operator]
        around = least if least >= ADD else UNARY  # from + on, everybody knows what binds closer
        return f"{_operand(self.left, around)} {self.operator} {_operand(self.right, around + (around < UNARY))}"


@dataclass(frozen=True)
class Conditional(HostExpression):
    """``condition ? yes : no``."""

    condition: HostExpression
    yes: HostExpression
    no: HostExpression

    precedence = CONDITIONAL

    def __str__(self) -> str:
        return f"{_operand(self.condition, UNARY)} ? {_operand(self.yes, UNARY)} : {_operand(self.no, UNARY)}"


@dataclass(frozen=True)
class Call(HostExpression):
    """A call of a function or macro, ours or the library's."""

    function: str
    arguments: tuple[HostExpression, ...]

    precedence = POSTFIX

    def __str__(self) -> str:
        return f"{self.function}({', '.join(_operand(argument, ASSIGN) for argument in self.arguments)})"


def element_count(of: HostExpression) -> HostExpression:
    """How many elements an array has."""
    return Binary("/", SizeOf(of), SizeOf(Index(of, ZERO)))


def product(factors: Sequence[HostExpression]) -> HostExpression:
    """The product of one or more factors."""
    first, *others = factors
    for factor in others:
        first = Binary("*", first, factor)
    return first


def conjuncts(conditions: Sequence[HostExpression]) -> list[str]:
    """The texts of conditions that all must hold, to be joined by ``&&``."""
    return [_operand(condition, BINARY["&&"]) for condition in conditions]


def _operand(expression: HostExpression, least: int) -> str:
    """The text of an operand, in parentheses if its own operator binds less closely than ``least``."""
    text = str(expression)
    return text if expression.precedence >= least else f"({text})"
