"""The rows of one construct, the temporaries that they need, and the kernel's parameters that rows supply."""

from __future__ import annotations

from collections.abc import Callable

from ..plan.captures import Temporary
from ..plan.code import Entity
from ..plan.host_expression import Cast, HostExpression, SizeOf, Variable
from ..plan.rows import (
    MAP_ALWAYS,
    MAP_FROM,
    MAP_IMPLICIT,
    MAP_LITERAL,
    MAP_TARGET_PARAM,
    MAP_TO,
    DataMapping,
    MapRow,
    Parameter,
    Role,
    RowNote,
)
from .mapped_objects import ObjectRows
from .queries import FACTS, LIMITS, TEAM_LIMITS, Asked


class KernelRows(ObjectRows):
    """Builds rows; for ``may_carry`` see :class:`ObjectRows`. ``fresh`` gives names to variables of the launch."""

    def __init__(self, fresh: Callable[[str], str], *, may_carry: bool) -> None:
        super().__init__(may_carry=may_carry)
        self._fresh = fresh
        self.temporaries: list[Temporary] = []
        self.supplied: list[Parameter] = []

    def finish(self) -> DataMapping:
        supplied = sorted(self.supplied, key=lambda parameter: parameter.row)
        return DataMapping(tuple(self.rows), tuple(self.temporaries), tuple(supplied))

    def supply(self, role: Role, name: str = "", symbol: Entity | None = None, row: int | None = None) -> None:
        """Let a row, the newest one if none is given, supply a parameter of the kernel."""
        name = name or (symbol.name if symbol is not None else role.value)
        self.supplied.append(Parameter(role, name, len(self.rows) - 1 if row is None else row, symbol))

    def by_value(self, symbol: Entity, value: HostExpression, flags: int, why: str) -> None:
        """The value of a variable, of at most 8 bytes."""
        flags |= MAP_TARGET_PARAM | MAP_LITERAL
        self.rows.append(MapRow(value, value, SizeOf(value), flags, RowNote(why, symbol.name), literal=True))
        self.supply(Role.VARIABLE, symbol=symbol)

    def computed(self, name: str, note: RowNote) -> None:
        """A row for a value of 8 bytes that the launch computes into a variable."""
        variable, flags = Variable(self._fresh(name)), MAP_TARGET_PARAM | MAP_LITERAL | MAP_IMPLICIT
        self.rows.append(MapRow(variable, variable, SizeOf(variable), flags, note, literal=True))

    def word(self, role: Role, what: str) -> None:
        """A parameter that the launch computes into a variable of the role's name."""
        self.computed(role.value, RowNote("", what))
        self.supply(role)

    def answers(self, asked: Asked, *, shape: bool) -> None:
        """The parameters for what the kernel asks: the launch shape, what only the host knows, the limits of teams."""
        if shape:
            self.word(Role.LAUNCH_SHAPE, "launch shape")
        if asked.may(FACTS):
            self.word(Role.NUM_DEVICES, "number of devices")
            self.word(Role.DEVICE_NUM, "device number")
            self.word(Role.NUM_PROCS, "number of processors")
        if asked.may(LIMITS):
            value, flags = Variable(TEAM_LIMITS), MAP_TO | MAP_FROM | MAP_ALWAYS | MAP_TARGET_PARAM
            begin = Cast("void *", value)
            self.rows.append(MapRow(begin, begin, SizeOf(value), flags, RowNote("", "limits of teams")))
            self.supply(Role.LIMITS)

    def partials(self) -> None:
        """The memory for partial results, which the last block, or thread, combines with the originals."""
        partials, size = (Variable(self._fresh(f"{Role.PARTIALS.value}{end}")) for end in ("", "_size"))
        value, flags = Cast("void *", partials), MAP_TO | MAP_TARGET_PARAM
        self.rows.append(MapRow(value, value, size, flags, RowNote("", "partial results"), constant_size=False))
        self.supply(Role.PARTIALS)
